"""Mounts FUSE, as root or by fusermount, and unmounts what was left mounted. Linux only."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from modelmon.core.errors import ModelmonError
from modelmon.core.machine.mounts import SIMULATED, fuse_mount
from modelmon.core.machine.procfs import Mount, parse_mountinfo
from modelmon.core.messages import NOTHING, Message

_SOURCE = "modelmon"
PATIENCE_S = 10
_MS_RDONLY, _MS_NOSUID, _MS_NODEV = 1, 2, 4
# Somebody may put a link in the place of a folder of theirs that is about to be unmounted.
_MNT_DETACH, _UMOUNT_NOFOLLOW = 2, 8
_FUSE = Path("/dev/fuse")


class MountError(ModelmonError):
    """Nothing can be mounted here."""


def why_not() -> Message:
    """Why no FUSE mount can be made here; empty if nothing is known to keep it from being made."""
    if sys.platform != "linux":
        return Message("Simulated storage needs Linux.")
    if not _FUSE.exists():
        return Message("FUSE isn't available: there's no /dev/fuse.")
    try:
        # fusermount opens it with the rights of the user as well.
        os.close(os.open(_FUSE, os.O_RDWR))
    except OSError as error:
        return Message("FUSE isn't available: /dev/fuse: {reason}.", reason=error.strerror)
    if os.geteuid() != 0 and not _fusermount():
        return Message("FUSE isn't available to this user: fusermount3 is missing.")
    if os.geteuid() != 0 and not _has_name():
        return Message("FUSE isn't available to this user: fusermount3 needs a user name.")
    return NOTHING


REMEDY = Message(
    "Install the package fuse3, or run as root; in a container: --device /dev/fuse"
    " --cap-add SYS_ADMIN."
)


def check_possible() -> None:
    """Raise MountError where nothing can be mounted."""
    if why := why_not():
        raise MountError(why, NOTHING if sys.platform != "linux" else REMEDY)


def _fusermount() -> str:
    return shutil.which("fusermount3") or shutil.which("fusermount") or ""


def _has_name() -> bool:
    import pwd  # noqa: PLC0415  not on Windows

    try:
        pwd.getpwuid(os.getuid())
    except KeyError:
        return False
    return True


def mount(point: str, kind: str) -> int:
    """Mount under `point`; returns the descriptor by which the kernel asks. Raises OSError."""
    filesystem = f"{SIMULATED}-{kind}" if kind else SIMULATED
    if os.geteuid() != 0:
        return _mount_as_user(point, filesystem.partition(".")[2])
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open(_FUSE, os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0"
    flags = _MS_RDONLY | _MS_NOSUID | _MS_NODEV
    words = (_SOURCE.encode(), os.fsencode(point), filesystem.encode(), flags, options.encode())
    if libc.mount(*words):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return device


def _mount_as_user(point: str, subtype: str) -> int:
    """By fusermount, which sends the descriptor back (libfuse, lib/mount.c)."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        done = subprocess.run(
            [_fusermount(), "-o", f"ro,fsname={_SOURCE},subtype={subtype}", "--", point],
            env={**os.environ, "_FUSE_COMMFD": str(theirs.fileno())},
            pass_fds=(theirs.fileno(),),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise OSError(errno.EPERM, " ".join(done.stderr.split()))
        _, (device,), _, _ = socket.recv_fds(ours, 1, 1)
    return device


def is_mounted(point: str) -> bool:
    """Whether something is mounted there; what is mounted is not asked."""
    return any(mount.mount_point == point for mount in _mounts())


def _mounts() -> list[Mount]:
    text = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    return list(parse_mountinfo(text))


def unmount(point: str) -> None:
    """Take a mount away, also while files there are open; nothing where there is none."""
    if not is_mounted(point):
        return
    if os.geteuid() == 0:
        flags = _MNT_DETACH | _UMOUNT_NOFOLLOW
        ctypes.CDLL(None, use_errno=True).umount2(os.fsencode(point), flags)
    else:
        subprocess.run(
            [_fusermount(), "-u", "-z", "-q", "--", point], check=False, timeout=PATIENCE_S
        )


def unmount_left_over() -> None:
    """Unmount what this user's servers that were killed have left mounted; nobody can read it."""
    ours = f"user_id={os.geteuid()}"
    for each in _mounts():
        is_ours = each.filesystem.startswith(SIMULATED) and ours in each.super_options.split(",")
        if is_ours and fuse_mount(each).pid is None:
            unmount(each.mount_point)


def root_of_own_namespace() -> bool:
    """Let this process and its children mount without being root, out of others' sight; whether
    that worked. Only before it has threads.
    """
    uid, gid = os.getuid(), os.getgid()
    flags = 0x10000000 | 0x00020000  # CLONE_NEWUSER, CLONE_NEWNS
    if ctypes.CDLL(None, use_errno=True).unshare(flags):
        return False
    with suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"0 {uid} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"0 {gid} 1", encoding="ascii")
    return True

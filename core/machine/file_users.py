"""Which other processes have a file open or mapped, and whether anybody opens or reads it.

What processes have on other file systems is never looked at: on a dead mount that would wait for
ever.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import psutil

from modelmon.core.limited_numbers import Amount
from modelmon.core.machine.processes import began_ticks
from modelmon.core.machine.procfs import parse_mountinfo

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

_PROC = Path("/proc")
_FIELD = re.compile(rb"^(mnt_id|ino):\s*([0-9]+)", re.MULTILINE)

_FLAGS = re.compile(rb"^flags:\s*([0-7]+)", re.MULTILINE)


class FileUser(msgspec.Struct, frozen=True):
    """A process that uses the file: `how` is `open` or `mapped`. By `began_ticks`
    (process_tree.py) it is known again.
    """

    pid: int
    name: str
    how: str
    began_ticks: Amount | None = None


def users_of(paths: Iterable[Path], ignore_pids: Collection[int] = ()) -> list[FileUser]:
    """Processes that have any of the files open or mapped, each once, by PID.

    `mapped` goes before `open`, for a mapped page cannot be evicted. None of the files is
    opened. Without privilege only one's own processes can be looked into: an empty answer
    is no proof that nobody else uses the file. On Windows it is always empty.
    Raises OSError if one of `paths` does not exist.
    """
    if sys.platform != "linux":
        return list(_seen_by_psutil(paths, ignore_pids))
    return users_among([pid for pid in psutil.pids() if pid not in ignore_pids], paths)


def users_among(pids: Iterable[int], paths: Iterable[Path]) -> list[FileUser]:
    """The same, asked of these processes alone; Linux only."""
    files = _SoughtFiles(paths)
    found = ((pid, _use_by(_PROC / str(pid), files)) for pid in pids)
    return [FileUser(pid, _name(pid), how, began_ticks(pid)) for pid, how in found if how]


def reads_directly(pids: Iterable[int], paths: Iterable[Path]) -> bool:
    """Whether one of these processes has one of the files open for direct reads, and none maps it;
    Linux only.
    """
    files = _SoughtFiles(paths)
    uses = {pid: _use_by(_PROC / str(pid), files) for pid in pids}
    return "mapped" not in uses.values() and any(
        _flags(_PROC / str(pid) / "fdinfo" / name) & os.O_DIRECT
        for pid, use in uses.items()
        if use
        for name in _descriptors_of(pid, files)
    )


class _Told(NamedTuple):
    """What the kernel says of an open file by itself; older ones than 5.14 say no inode, and one
    that only imitates Linux may say nothing.
    """

    mount_id: int | None
    inode: int | None


class _SoughtFiles:
    """The files that are looked for, by what /proc shows of them.

    `identities` are those that stat gives. On btrfs and overlayfs the device there is not that of
    the file system, which the kernel names in /proc.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.identities: set[tuple[int, int]] = set()
        self.names: set[bytes] = set()
        self._devices: set[int | None] = set()
        self._inodes: set[int | None] = {None}
        self._mounts = _Mounts()
        for path in paths:
            status = path.stat()
            told = _told_of_path(path)
            self.identities.add((status.st_dev, status.st_ino))
            self.names.add(os.fsencode(path.resolve()))
            self._inodes |= {told.inode, status.st_ino}
            self._devices |= {self._mounts.device(_PROC / "self", told.mount_id), status.st_dev}
        self._devices.discard(None)
        self.inodes = [b" %d " % inode for _, inode in self.identities]

    def may_be(self, process: Path, told: _Told) -> bool:
        """Whether what a process has open may be one of the files: it lies where they do."""
        if told.inode not in self._inodes:
            return False
        return self._mounts.device(process, told.mount_id) in self._devices


class _Mounts:
    """The devices of the file systems that mounts show; a mount's number is the same for all."""

    def __init__(self) -> None:
        self._devices: dict[int | None, int] = {}
        self._namespaces: set[str] = set()

    def device(self, process: Path, mount_id: int | None) -> int | None:
        """The device of a mount that `process` has a file on; None where it is out of sight."""
        if mount_id not in self._devices:
            self._learn(process)
        return self._devices.get(mount_id)

    def _learn(self, process: Path) -> None:
        namespace = str((process / "ns/mnt").readlink())
        if namespace not in self._namespaces:
            self._namespaces.add(namespace)
            text = (process / "mountinfo").read_text(errors="surrogateescape")
            mounts = parse_mountinfo(text)
            self._devices |= {m.mount_id: os.makedev(m.major, m.minor) for m in mounts}


def _use_by(process: Path, files: _SoughtFiles) -> str:
    """How a process uses the files: `mapped`, `open` or "" (not at all, or out of sight)."""
    try:
        if _maps_any((process / "maps").read_bytes(), files):
            return "mapped"
        with os.scandir(process / "fd") as links:
            return "open" if any(_leads_to(process, link, files) for link in links) else ""
    except (PermissionError, FileNotFoundError, ProcessLookupError):
        return ""  # another user's process, or one that has just ended


def _maps_any(maps: bytes, files: _SoughtFiles) -> bool:
    """Whether a text of /proc/PID/maps names one of the files.

    Source: the kernel's Documentation/filesystems/proc.rst. On btrfs and overlayfs the
    device there is not the one that stat gives; then inode and name must agree.
    """
    if not any(inode in maps for inode in files.inodes):
        return False
    for line in maps.split(b"\n"):
        fields = line.split(maxsplit=5)
        if len(fields) < 6:
            continue
        major, _, minor = fields[3].partition(b":")
        device = os.makedev(int(major, 16), int(minor, 16))
        inode = int(fields[4])
        if (device, inode) in files.identities:
            return True
        if fields[5] in files.names and any(inode == known for _, known in files.identities):
            return True
    return False


def _leads_to(process: Path, link: os.DirEntry[str], files: _SoughtFiles) -> bool:
    """Whether a descriptor leads to one of the files."""
    try:
        # Sockets, pipes and the like have no path; neither this nor what is told asks storage.
        if not os.readlink(link).startswith("/"):  # noqa: PTH115 (there are thousands of them)
            return False
        if not files.may_be(process, _told(process / "fdinfo" / link.name)):
            return False
        status = link.stat()
    except OSError:
        return False  # closed meanwhile
    return (status.st_dev, status.st_ino) in files.identities


def _descriptors_of(pid: int, files: _SoughtFiles) -> list[str]:
    """The descriptors by which a process has the files open; empty for another user's process, and
    one that has just ended.
    """
    process = _PROC / str(pid)
    try:
        with os.scandir(process / "fd") as links:
            return [link.name for link in links if _leads_to(process, link, files)]
    except (PermissionError, FileNotFoundError, ProcessLookupError):
        return []


def _flags(fdinfo: Path) -> int:
    """Those that a file was opened with, as open(2) has them."""
    try:
        found = _FLAGS.search(fdinfo.read_bytes())
    except OSError:
        return 0  # closed meanwhile
    return int(found[1], 8) if found else 0


def _told_of_path(path: Path) -> _Told:
    """The same of a path, which is not opened for it (O_PATH)."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        return _told(_PROC / "self/fdinfo" / str(descriptor))
    finally:
        os.close(descriptor)


def _told(fdinfo: Path) -> _Told:
    """What a file of /proc/PID/fdinfo says (Documentation/filesystems/proc.rst, 3.8)."""
    fields = dict(_FIELD.findall(fdinfo.read_bytes()))
    return _Told(_number(fields.get(b"mnt_id")), _number(fields.get(b"ino")))


def _number(digits: bytes | None) -> int | None:
    return None if digits is None else int(digits)


def _name(pid: int) -> str:
    try:
        name = (_PROC / str(pid) / "comm").read_text(errors="replace").strip()
        words = (_PROC / str(pid) / "cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return ""
    return _run_by_python(words) or name if name.startswith("python") else name


def _run_by_python(words: Sequence[str]) -> str:
    """The program that a command of Python is: its script or package; empty for other code."""
    for at, word in enumerate(words[1:], start=1):
        if word == "-m":
            return "".join(words[at + 1 : at + 2]).partition(".")[0]
        if not word.startswith("-") and words[at - 1] not in ("-W", "-X"):
            return Path(word).name
        if word == "-c":
            break
    return ""


def _seen_by_psutil(paths: Iterable[Path], ignore_pids: Collection[int]) -> Iterator[FileUser]:
    # On Windows the question takes seconds and can hang.
    names = {os.fsencode(path.resolve(strict=True)) for path in paths}
    if sys.platform == "win32":
        return
    for process in psutil.process_iter():
        if process.pid in ignore_pids:
            continue
        try:
            opened = {os.fsencode(file.path) for file in process.open_files()}
            if opened & names:
                yield FileUser(process.pid, process.name(), "open")
        except psutil.Error:
            continue


# linux/inotify.h; an event is a watch, a mask, a cookie, and the length of a name behind it.
_IN_ACCESS, _IN_OPEN, _IN_Q_OVERFLOW = 0x1, 0x20, 0x4000
_EVENT = struct.Struct("iIII")
_BUFFER_BYTES = 1 << 16


class FileUses(NamedTuple):
    """Whether one of the files was opened, and read by a system call, since the last look."""

    opened: bool
    read: bool


class FileReads:
    """Watches files that exist; where that is refused (`is_known`), each look says yes to both."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._descriptor: int | None = None
        if sys.platform != "linux":
            return
        libc = ctypes.CDLL(None)
        descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if descriptor < 0:
            return  # the user has as many as a user may have
        added = [
            libc.inotify_add_watch(descriptor, os.fsencode(path), _IN_ACCESS | _IN_OPEN)
            for path in paths
        ]
        if min(added, default=-1) < 0:
            os.close(descriptor)
        else:
            self._descriptor = descriptor

    @property
    def is_known(self) -> bool:
        """Whether the kernel tells."""
        return self._descriptor is not None

    def look(self) -> FileUses:
        """What happened since the last look."""
        if self._descriptor is None:
            return FileUses(opened=True, read=True)
        seen = 0
        while True:
            try:
                events = os.read(self._descriptor, _BUFFER_BYTES)
            except BlockingIOError:
                break
            at = 0
            while at < len(events):
                _, mask, _, name_bytes = _EVENT.unpack_from(events, at)
                # After an overflow anything may have happened.
                seen |= -1 if mask & _IN_Q_OVERFLOW else mask
                at += _EVENT.size + name_bytes
        return FileUses(opened=bool(seen & _IN_OPEN), read=bool(seen & _IN_ACCESS))

    def close(self) -> None:
        """Stop watching."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

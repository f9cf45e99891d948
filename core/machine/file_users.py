"""Which other processes have a file open or mapped, and whether anybody opens or reads it.

What processes have on other file systems is never looked at: on a dead mount that would wait for
ever.
"""

from __future__ import annotations

import contextlib
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
from modelmon.core.machine.procfs import parse_mountinfo, value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

_PROC = Path("/proc")
_FIELD = re.compile(rb"^(mnt_id|ino|flags):\s*([0-9]+)", re.MULTILINE)
# linux/inotify.h; an event is a watch, a mask, a cookie, and the length of a name behind it.
_IN_ACCESS, _IN_OPEN, _IN_Q_OVERFLOW = 0x1, 0x20, 0x4000
_EVENT = struct.Struct("iIII")
_BUFFER_BYTES = 1 << 16


class FileUser(msgspec.Struct, frozen=True):
    """A process that uses the file: `how` is `open` or `mapped`. By `began_ticks`
    (processes.py) it is known again.
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
    files = _Sought(paths)
    found = ((pid, files.use_by(pid)) for pid in pids)
    return [FileUser(pid, _name(pid), how, began_ticks(pid)) for pid, how in found if how]


def reads_directly(pids: Iterable[int], paths: Iterable[Path]) -> bool:
    """Whether one of these processes has one of the files open for direct reads, and none maps it;
    Linux only.
    """
    files = _Sought(paths)
    uses = {pid: files.use_by(pid) for pid in pids}
    return "mapped" not in uses.values() and any(
        int(told.get(b"flags", b"0"), 8) & os.O_DIRECT
        for pid, use in uses.items()
        if use
        for told in files.opened_by(pid)
    )


class _Sought:
    """The files that are looked for, by what /proc shows of them.

    Older kernels than 5.14 tell no inode of a descriptor: there files are known by their names. On
    btrfs and overlayfs the device that stat gives is not that of the file system, which the kernel
    names in /proc.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._identities: set[tuple[int, int]] = set()
        self._names: set[bytes] = set()
        self._told: set[tuple[int | None, bytes]] = set()
        for path in paths:
            status = path.stat()
            self._identities.add((status.st_dev, status.st_ino))
            self._names.add(os.fsencode(path.resolve()))
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)  # which does not open it
            try:
                told = _told(_PROC / "self", str(descriptor))
                self._told.add((_device(_PROC / "self", told), told.get(b"ino", b"")))
            finally:
                os.close(descriptor)

    def use_by(self, pid: int) -> str:
        """How a process uses them: `mapped`, `open` or "" (not at all, or out of sight)."""
        try:
            if self._is_in((_PROC / f"{pid}/maps").read_bytes()):
                return "mapped"
        except OSError:
            return ""  # another user's process, or one that has just ended
        return "open" if next(self.opened_by(pid), None) is not None else ""

    def opened_by(self, pid: int) -> Iterator[dict[bytes, bytes]]:
        """What the kernel tells of each of its descriptors of them; nothing here asks storage."""
        process = _PROC / str(pid)
        inodes = {inode for _, inode in self._told}
        try:
            names = [link.name for link in os.scandir(process / "fd")]
        except OSError:
            return
        for name in names:
            try:
                # Sockets, pipes and the like have no path.
                target = os.readlink(f"{process}/fd/{name}")  # noqa: PTH115 (there are thousands)
                if not target.startswith("/"):
                    continue
                told = _told(process, name)
                inode = told.get(b"ino")
                if inode is None:
                    found = os.fsencode(target) in self._names
                else:
                    found = inode in inodes and (_device(process, told), inode) in self._told
            except OSError:
                continue  # closed meanwhile
            if found:
                yield told

    def _is_in(self, maps: bytes) -> bool:
        """Whether a text of /proc/PID/maps names one of the files.

        Source: the kernel's Documentation/filesystems/proc.rst. On btrfs and overlayfs the
        device there is not the one that stat gives; then inode and name must agree.
        """
        inodes = {b"%d" % inode for _, inode in self._identities}
        if not any(b" %b " % inode in maps for inode in inodes):
            return False
        for line in maps.split(b"\n"):
            fields = line.split(maxsplit=5)
            if len(fields) == 6 and fields[4] in inodes:
                major, _, minor = fields[3].partition(b":")
                device = os.makedev(int(major, 16), int(minor, 16))
                if fields[5] in self._names or (device, int(fields[4])) in self._identities:
                    return True
        return False


def _told(process: Path, descriptor: str) -> dict[bytes, bytes]:
    """What a file of /proc/PID/fdinfo says (Documentation/filesystems/proc.rst, 3.8)."""
    # Of thousands of descriptors: no path is taken apart, and no buffer made.
    with open(f"{process}/fdinfo/{descriptor}", "rb", buffering=0) as file:  # noqa: PTH123
        return dict(_FIELD.findall(file.read()))


def _device(process: Path, told: Mapping[bytes, bytes]) -> int | None:
    """The device of the file system that a descriptor is on, by its mount's number."""
    text = (process / "mountinfo").read_text(errors="surrogateescape")
    number = int(told.get(b"mnt_id", b"-1"))
    found = (mount for mount in parse_mountinfo(text) if mount.mount_id == number)
    return next((os.makedev(mount.major, mount.minor) for mount in found), None)


def _name(pid: int) -> str:
    name = value(_PROC / f"{pid}/comm")
    words = value(_PROC / f"{pid}/cmdline").split("\0")
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
    names = {os.fsencode(path.resolve(strict=True)) for path in paths}
    # On Windows the question takes seconds and can hang.
    for process in psutil.process_iter() if sys.platform != "win32" else ():
        with contextlib.suppress(psutil.Error):
            opened = {os.fsencode(file.path) for file in process.open_files()}
            if process.pid not in ignore_pids and opened & names:
                yield FileUser(process.pid, process.name(), "open")


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

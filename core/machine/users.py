"""Which other processes have a file open or mapped."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import psutil

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_PROC = Path("/proc")


class FileUser(msgspec.Struct, frozen=True):
    """A process that uses the file: `how` is `open` or `mapped`."""

    pid: int
    name: str
    how: str


def users_of(paths: Iterable[Path], ignore_pids: Collection[int] = ()) -> list[FileUser]:
    """Processes that have any of the files open or mapped, each once, by PID.

    `mapped` goes before `open`, for a mapped page cannot be evicted. None of the files is
    opened. Without privilege only one's own processes can be looked into: an empty answer
    is no proof that nobody else uses the file. On Windows it is always empty.
    Raises OSError if one of `paths` does not exist.
    """
    files = _Files(paths)
    if sys.platform != "linux":
        return list(_seen_by_psutil(files, ignore_pids))
    pids = [pid for pid in psutil.pids() if pid not in ignore_pids]
    found = ((pid, _use_by(_PROC / str(pid), files)) for pid in pids)
    return [FileUser(pid, _name(pid), how) for pid, how in found if how]


class _Files:
    """The files that are looked for, by what /proc shows of them."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.identities: set[tuple[int, int]] = set()
        self.names: set[bytes] = set()
        for path in paths:
            status = path.stat()
            self.identities.add((status.st_dev, status.st_ino))
            self.names.add(os.fsencode(path.resolve()))
        self.inodes = [b" %d " % inode for _, inode in self.identities]


def _use_by(process: Path, files: _Files) -> str:
    """How a process uses the files: `mapped`, `open` or "" (not at all, or out of sight)."""
    try:
        if _maps_any((process / "maps").read_bytes(), files):
            return "mapped"
        with os.scandir(process / "fd") as links:
            return "open" if any(_leads_to(link, files) for link in links) else ""
    except (PermissionError, FileNotFoundError, ProcessLookupError):
        return ""  # another user's process, or one that has just ended


def _maps_any(maps: bytes, files: _Files) -> bool:
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


def _leads_to(link: os.DirEntry[str], files: _Files) -> bool:
    try:
        status = link.stat()
    except OSError:
        return False  # closed meanwhile
    return (status.st_dev, status.st_ino) in files.identities


def _name(pid: int) -> str:
    try:
        return (_PROC / str(pid) / "comm").read_text(errors="replace").strip()
    except OSError:
        return ""


def _seen_by_psutil(files: _Files, ignore_pids: Collection[int]) -> Iterator[FileUser]:
    # On Windows the question takes seconds and can hang.
    if sys.platform == "win32":
        return
    for process in psutil.process_iter():
        if process.pid in ignore_pids:
            continue
        try:
            opened = {os.fsencode(file.path) for file in process.open_files()}
            if opened & files.names:
                yield FileUser(process.pid, process.name(), "open")
        except psutil.Error:
            continue

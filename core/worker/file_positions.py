"""How far processes have come that read files from start to end, as it is told without rights.

The position of an open file moves with read(2) and its like; neither pread(2) nor a mapping moves
it. It can also be set: no more counts as read than the process has asked for meanwhile. Of a file
that is closed the rest was read, if so much was asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.machine.procfs import parse_pid_io
from modelmon.core.machine.users import SoughtFiles, descriptors_of
from modelmon.core.worker.proc_file import ProcFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# The inode is told from Linux 5.14 on; without it a number may be another file's by now.
_POSITION = re.compile(r"^pos:\s*([0-9]+)$.*^ino:\s*([0-9]+)$", re.MULTILINE | re.DOTALL)


class Move(NamedTuple):
    """A process has read this part of a file, by its number among the paths, since `since_ns`."""

    pid: int
    file: int
    start_bytes: int
    end_bytes: int
    since_ns: int


class FilePositions:
    """Follows the descriptors of processes that come and go; those that are there at the first look
    have read nothing by then that counts. Linux only.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._files = SoughtFiles(paths)
        self._sizes = [path.stat().st_size for path in paths]
        self._readers: dict[int, _Reader] = {}
        self._opened = self._has_begun = False

    def look(self, now_ns: int, pids: Sequence[int], *, opened: bool) -> list[Move]:
        """What was read since the last look; `opened` is whether somebody opened one of the files
        meanwhile. Descriptors may be made a little later.
        """
        seeks, self._opened = opened or self._opened, opened
        found: list[Move] = []
        for pid in pids:
            reader = self._readers.get(pid)
            is_new = reader is None
            if reader is None:
                reader = self._readers[pid] = _Reader(pid)
            if is_new or seeks:
                reader.find(self._files, now_ns)
            moves = list(reader.moves(now_ns, self._sizes))
            if self._has_begun:
                found += moves
        for gone in self._readers.keys() - {*pids}:
            reader = self._readers.pop(gone)
            # What it asked for is known until it is reaped.
            found += reader.moves(now_ns, self._sizes)
            reader.close()
        self._has_begun = True
        return found

    def close(self) -> None:
        """Close all files."""
        for reader in self._readers.values():
            reader.close()


class _Reader:
    """One process, and where its descriptors of the files stand."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._io = ProcFile(f"/proc/{pid}/io")
        self._asked_bytes = 0
        self._places: dict[str, _Place] = {}

    def find(self, files: SoughtFiles, now_ns: int) -> None:
        """Look for descriptors that are new; they have read since the last look."""
        for name, file in descriptors_of(self._pid, files):
            if name not in self._places:
                self._places[name] = _Place(f"/proc/{self._pid}/fdinfo/{name}", file, now_ns)

    def moves(self, now_ns: int, sizes: Sequence[int]) -> Iterator[Move]:
        """What each of them has read since the last look."""
        before_bytes = self._asked_now()
        looks = [(name, place, place.now()) for name, place in self._places.items()]
        # What was asked for until now, of which some may have been told in the last look.
        left_bytes = (self._asked_now() if looks else before_bytes) - self._asked_bytes
        self._asked_bytes = before_bytes
        for name, place, told in looks:
            start, since_ns = place.at_bytes, place.since_ns
            end = sizes[place.file] if told is None else told
            if end != start:
                place.at_bytes, place.since_ns = end, now_ns
            if 0 < end - start <= left_bytes:
                left_bytes -= end - start
                yield Move(self._pid, place.file, start, end, since_ns)
            if told is None:
                self._places.pop(name).close()

    def _asked_now(self) -> int:
        return parse_pid_io(self._io.read() or "").get("rchar", self._asked_bytes)

    def close(self) -> None:
        """Close all files."""
        self._io.close()
        for place in self._places.values():
            place.close()


class _Place:
    """Where a descriptor stood at the last look, and since when."""

    def __init__(self, path: str, file: int, now_ns: int) -> None:
        self.file = file
        self.at_bytes = 0
        self.since_ns = now_ns
        self._info = ProcFile(path)
        self._inode = ""

    def now(self) -> int | None:
        """Where it stands; None where it was closed, or its number is another file's."""
        told = _POSITION.search(self._info.read() or "")
        if told is None or self._inode not in ("", told[2]):
            return None
        self._inode = told[2]
        return int(told[1])

    def close(self) -> None:
        """Close its file."""
        self._info.close()

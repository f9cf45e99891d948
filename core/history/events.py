"""The events of runs: one gzipped file of JSON lines a run, next to the database.

Which of them are kept, and what is deleted when there are too many. The database is not read here.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import time
import uuid
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

from modelmon.core.history.file import HistoryError
from modelmon.core.messages import Message
from modelmon.core.terminal_safe import harmless
from modelmon.core.units import MIB
from modelmon.core.worker.events import decode, encode
from modelmon.core.worker.record import UNREADABLE, record_of
from modelmon.core.worker.run_warnings import warned

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path
    from typing import BinaryIO

    from modelmon.core.worker.client import Recording
    from modelmon.core.worker.record import RunRecord

KEPT_BYTES = 512 * MIB
"""The files of the newest runs are kept, as many as are not larger than this together."""

MOST_LINES_BYTES = 64 * MIB
"""A run with more lines than this is kept without its requests; still with more, without any."""

_REQUESTS = b'{"event":"chunks",'
_LEFT_OUT = encode(
    warned(
        "dropped-requests",
        Message("This run had too many requests for the history to keep each of them."),
    )
)
_SUFFIX, _LEVEL = ".jsonl.gz", 1
# Long enough for any writer to have entered its file into the history.
_STRAY_S = 3600.0


class PackedLines(bytes):
    """Lines as their file holds them, which need not be packed again."""


def pack_lines(lines: bytes) -> PackedLines:
    """Lines gzipped; what one packs in parts may be put together as it is."""
    return PackedLines(gzip.compress(lines, _LEVEL, mtime=0))


class EventLines:
    """The lines of a run, in memory until it is over: a file would be written meanwhile.

    Takes the place of a recording, and hands each line on to `also`, if there is one, until that
    can't be written, which `problem` says: a disk that gets full ends a recording, not the load.
    """

    def __init__(self, also: Recording | None = None) -> None:
        self._also = also
        self.problem = ""
        self._lines: list[bytes] = []
        self._nbytes = 0
        self._without_requests = False

    def write(self, line: bytes) -> None:
        """Keep one line."""
        if self._also is not None and not self.problem:
            try:
                self._also.write(line)
            except OSError as error:
                self.problem = f"The recording is cut: {error.strerror}."
        if self._without_requests and line.startswith(_REQUESTS):
            return
        self._lines.append(line)
        self._nbytes += len(line)
        if self._nbytes > MOST_LINES_BYTES and not self._without_requests:
            self._without_requests = True
            others = (line for line in self._lines if not line.startswith(_REQUESTS))
            self._lines = [*others, _LEFT_OUT]
            self._nbytes = sum(map(len, self._lines))
        if self._nbytes > MOST_LINES_BYTES:
            self._lines.clear()

    @property
    def data(self) -> bytes:
        """All lines that are kept; empty where there were too many without requests as well."""
        return b"".join(self._lines)


def within_limit(lines: BinaryIO) -> bytes:
    """What of lines made before is kept, as far as they are whole."""
    kept = EventLines()
    while (line := lines.readline(MOST_LINES_BYTES)).endswith(b"\n"):
        kept.write(line)
    return kept.data


class EventsFolder:
    """The files of one history; a file's name is in the row of its run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, lines: bytes) -> tuple[str, int]:
        """Write a run's lines, whole or not at all; returns the file's name and size.

        Raises HistoryError.
        """
        name = f"{uuid.uuid4().hex}{_SUFFIX}"
        packed = lines if isinstance(lines, PackedLines) else pack_lines(lines)
        temporary = self.folder / f".{name}"
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            with temporary.open("wb") as file:
                file.write(packed)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.folder / name)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise HistoryError(
                Message(
                    "Couldn't store the events of a run in {folder}: {reason}.",
                    folder=self.folder,
                    reason=error.strerror,
                ),
                Message("Free space there, or choose another folder with MODELMON_DATA_DIR."),
            ) from error
        return name, len(packed)

    def _place(self, name: str) -> Path:
        """Where a row's file is: in this folder, whatever a history from elsewhere names."""
        return self.folder / os.path.basename(name)  # noqa: PTH119  no path of ours

    def lines(self, name: str) -> bytes:
        """A run's lines, as its worker wrote them. Raises HistoryError."""
        path = self._place(name)
        try:
            with gzip.open(path) as file:
                return file.read(MOST_LINES_BYTES)
        except (OSError, EOFError, zlib.error) as error:
            raise HistoryError(
                Message(
                    "Couldn't read the events of this run from {path}: {reason}.",
                    path=path,
                    reason=getattr(error, "strerror", None) or error,
                ),
                Message("Its result is not affected."),
            ) from error

    def record(self, name: str) -> RunRecord:
        """A run's record, as replay reads it. Raises HistoryError."""
        lines = BytesIO(self.lines(name))
        try:
            return record_of(decode(harmless(line)) for line in lines if line.endswith(b"\n"))
        except UNREADABLE as error:
            raise HistoryError(
                Message("The events of this run are from another version: {reason}", reason=error),
                Message("Its result is not affected."),
            ) from error

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; one that is gone or held open is left to `sweep`."""
        for name in names:
            with contextlib.suppress(OSError):
                self._place(name).unlink(missing_ok=True)

    def sweep(self, known: Collection[str]) -> None:
        """Remove old files that no run knows: their writer was killed, or could not delete."""
        oldest_unix_s = time.time() - _STRAY_S
        with contextlib.suppress(OSError):
            for path in self.folder.iterdir():
                if path.name in known or not path.name.endswith(_SUFFIX):
                    continue
                if path.stat().st_mtime < oldest_unix_s:
                    self.remove([path.name])

"""The loader process: the load alone, with the standard library alone.

Spoken over its standard streams, one JSON line each: it reads its work, opens every file
and answers `ready`; it reads `go`, loads, and answers `done` or `error`, and `checksums`
where they are asked for; then it stays, so that its last figures can be read from outside.
When its standard input ends or its parent dies, it dies at once.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import signal
import sys
import threading
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import (
    EXIT_CANCELLED,
    EXIT_DONE,
    EXIT_LOAD_FAILED,
    LoadFailedError,
    ModelmonError,
)
from modelmon.core.load import progress as shared
from modelmon.core.load.buffers import Layout
from modelmon.core.load.config import LoadConfig, config_from_dict
from modelmon.core.load.extents import Extent, split
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.readers import Account, Reader, run_readers, warm_up
from modelmon.core.load.sources import make_source
from modelmon.core.machine.anonymous_memory import OwnedBuffer

if TYPE_CHECKING:
    from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_WARMUP_POLL_S = 0.0005


@dataclass(frozen=True, slots=True)
class LoaderWork:
    """What one loader does: which readers it runs of the whole load's.

    `readers` maps reader numbers to their extents; `requests` are the counts of all
    readers of the load, which fix the shared mapping's layout; `descriptors` are inherited
    ones by shard where all readers share them; `warmup` is what this loader reads before,
    empty if another does it or there is none.
    """

    config: LoadConfig
    paths: Sequence[str]
    sizes_bytes: Sequence[int]
    readers: dict[int, list[Extent]]
    requests: Sequence[int]
    progress: str
    parent_pid: int
    descriptors: dict[int, int] | None
    warmup: list[Extent]
    verify: bool

    def to_line(self) -> bytes:
        """The work as the line that starts a loader."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> LoaderWork:
        """The inverse of `to_line`."""
        values: dict[str, Any] = json.loads(line)
        inherited = values["descriptors"]
        return cls(
            config=config_from_dict(values["config"]),
            paths=values["paths"],
            sizes_bytes=values["sizes_bytes"],
            readers={
                int(number): [Extent(*extent) for extent in extents]
                for number, extents in values["readers"].items()
            },
            requests=values["requests"],
            progress=values["progress"],
            parent_pid=values["parent_pid"],
            descriptors=inherited and {int(k): v for k, v in inherited.items()},
            warmup=[Extent(*extent) for extent in values["warmup"]],
            verify=values["verify"],
        )


class Load:
    """One loader's part of a load: prepared, then run once."""

    def __init__(self, work: LoaderWork) -> None:
        self._work = work
        self.progress = shared.attach(work.progress, work.requests)
        every = [extent for extents in work.readers.values() for extent in extents]
        owned = None
        if work.config.memory_kind == "owned":
            layout = Layout(every)
            owned = (OwnedBuffer(layout.nbytes), layout)
        self._warm_files = self._open(work.warmup) if work.warmup else None
        self._readers = [
            Reader(number, extents, make_source(self._open(extents), work.config, owned))
            for number, extents in work.readers.items()
        ]

    def _open(self, extents: Sequence[Extent]) -> OpenFiles:
        work = self._work
        shards = {extent.shard for extent in extents}
        return OpenFiles(work.paths, work.sizes_bytes, shards, work.descriptors)

    def run(self) -> list[Account]:
        """Warm up or wait for it, then read; returns the accounts of all that worked."""
        accounts = []
        if self._warm_files is not None:
            accounts.append(self._warm())
        elif self._work.config.warmup != "none":
            while not self.progress.warmup_done_ns:
                time.sleep(_WARMUP_POLL_S)
        return accounts + run_readers(
            self._readers,
            self._work.config.chunk_bytes,
            self.progress.record,
            self.progress.finish,
        )

    def _warm(self) -> Account:
        assert self._warm_files is not None

        def report(done_bytes: int) -> None:
            self.progress.warmup_bytes = done_bytes

        work = self._work
        account = warm_up(self._warm_files, work.warmup, work.config.chunk_bytes, report)
        self.progress.warmup_done_ns = time.monotonic_ns()
        return account

    def checksums(self) -> dict[int, str]:
        """SHA-256 over each reader's delivered bytes, in the order of its requests."""
        sums = {}
        for reader in self._readers:
            digest = hashlib.sha256()
            for extent in reader.extents:
                for request in split(extent, self._work.config.chunk_bytes):
                    digest.update(reader.source.delivered(request))
            sums[reader.number] = digest.hexdigest()
        return sums


def main() -> int:
    """Run one loader over the standard streams; returns the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    commands = sys.stdin.buffer
    work = LoaderWork.from_line(commands.readline())
    try:
        _die_with(work.parent_pid)
        load = Load(work)
    except _EXPECTED as error:
        _answer_error(error)
        return EXIT_LOAD_FAILED
    _answer({"ready": True})
    if commands.readline() != b"go\n":
        return EXIT_CANCELLED
    _exit_when_input_ends()
    try:
        accounts = load.run()
        _answer({"done": [asdict(account) for account in accounts]})
        if work.verify:
            # After the answer: the load is over, and hashing is no part of it.
            _answer({"checksums": load.checksums()})
    except _EXPECTED as error:
        _answer_error(error)
    threading.Event().wait()
    return EXIT_DONE


_EXPECTED = (ModelmonError, OSError, MemoryError, ValueError, BufferError)


def _answer(values: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(values).encode() + b"\n")
    sys.stdout.buffer.flush()


def _answer_error(error: BaseException) -> None:
    if isinstance(error, ModelmonError):
        _answer({"error": error.message, "remedy": error.remedy})
    else:
        _answer({"error": f"The load failed: {error or type(error).__name__}.", "remedy": ""})


def _exit_when_input_ends() -> None:
    """End the process with its standard input, whatever its readers wait for."""

    def watch() -> None:
        sys.stdin.buffer.read()
        os._exit(EXIT_CANCELLED)

    threading.Thread(target=watch, daemon=True).start()


def _die_with(parent_pid: int) -> None:
    """Ask the kernel to kill this process when its parent dies (prctl(2), Linux only).

    The parent may have died before the request, hence the check after it.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        raise LoadFailedError("The supervisor of this loader is gone.")


if __name__ == "__main__":
    sys.exit(main())

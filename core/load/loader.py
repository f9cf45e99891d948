"""The loader process: the load alone, with the standard library alone.

Only what is measured may need more: a library baseline, or the decoders. Spoken over its
standard streams, one JSON line each: it reads its work, opens every file and answers
`ready`; it reads `go`, loads, and answers `done` or `error`; it stays, so that its last figures
can be read from outside, and answers `verify` with `checksums`. When its standard input ends or
its parent dies, it dies at once. One that is started before there is work says first that it is
awake.
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
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import (
    EXIT_CANCELLED,
    EXIT_DONE,
    EXIT_LOAD_FAILED,
    LoadFailedError,
    ModelmonError,
)
from modelmon.core.load import progress as shared
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent, split, total_bytes
from modelmon.core.load.plan import AWAKE, STANDBY, LoaderWork
from modelmon.core.load.threads import Account, Stopwatch, start
from modelmon.core.load.warmup import await_warm_up, warm_up
from modelmon.core.messages import Message, packed

if TYPE_CHECKING:
    from typing import Protocol

    class Load(Protocol):
        """One loader's part of a load: prepared, then run once."""

        @property
        def notes(self) -> list[Message]:
            """What had to be done otherwise than asked."""

        @property
        def memory_kind(self) -> str:
            """Where the bytes are: `mapped`, `owned` or `streamed`."""

        @property
        def mapped_bytes(self) -> int:
            """How much of its own memory is the page cache's."""

        @property
        def decode_ns(self) -> int:
            """CPU time of the decoders."""

        def run(self) -> list[Account]:
            """Load; returns the accounts of all that worked."""

        def checksums(self) -> dict[int, str]:
            """SHA-256 over each reader's delivered bytes, in the order of its requests."""


_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_EXPECTED = (ModelmonError, OSError, MemoryError, ValueError, BufferError)


def main() -> int:
    """Run one loader over the standard streams; returns the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    commands = sys.stdin.buffer
    answers = _own_the_answers()
    if STANDBY in sys.argv:
        with suppress(BrokenPipeError):
            os.write(answers, AWAKE)
    line = commands.readline()
    if not line:
        return EXIT_CANCELLED
    work = LoaderWork.from_line(line)
    try:
        _die_with(work.parent_pid)
        load = _prepared(work)
    except _EXPECTED as error:
        _answer_error(answers, error)
        return EXIT_LOAD_FAILED
    _answer(answers, {"ready": True, "notes": [packed(note) for note in load.notes]})
    if commands.readline() != b"go\n":
        return EXIT_CANCELLED
    verify_asked = _follow_input()
    try:
        accounts = load.run()
        done = {
            "done": [account._asdict() for account in accounts],
            "notes": [packed(note) for note in load.notes],
            "memory_kind": load.memory_kind,
            "mapped_bytes": load.mapped_bytes,
            "decode_ns": load.decode_ns,
        }
        _answer(answers, done)
        # Hashing is no part of the load: neither of this loader's nor of another's.
        verify_asked.wait()
        _answer(answers, {"checksums": load.checksums()})
    except _EXPECTED as error:
        _answer_error(answers, error)
    threading.Event().wait()
    return EXIT_DONE


def _prepared(work: LoaderWork) -> Load:
    if work.config.library == NO_LIBRARY:
        return EngineLoad(work)
    from modelmon.core.load.libraries.measured import MeasuredLibrary  # noqa: PLC0415  not light

    return MeasuredLibrary(work)


class EngineLoad:
    """One loader's part of a load: prepared, then run once."""

    def __init__(self, work: LoaderWork) -> None:
        self._work = work
        self._progress = shared.attach(work.progress, work.requests)
        self._digests = {number: hashlib.sha256() for number in work.share.readers}
        self._copies: dict[int, list[bytes]] = {number: [] for number in work.share.readers}
        consume = {"dropped": None, "copied": self._copy, "hashed": self._hash}[work.passing]
        self._engine = Engine(work.config, work.share, consume)
        self._warm_files = self._engine.open(work.warmup) if work.warmup else None

    @property
    def notes(self) -> list[Message]:
        """What had to be done otherwise than asked."""
        return self._engine.notes

    @property
    def memory_kind(self) -> str:
        """Where the bytes are."""
        return self._work.config.memory_kind

    @property
    def mapped_bytes(self) -> int:
        """How much of its own memory is the page cache's."""
        return self._engine.mapped_bytes

    @property
    def decode_ns(self) -> int:
        """CPU time of the decoders."""
        return self._engine.decode_ns

    def run(self) -> list[Account]:
        """Warm up or wait for it, then read; returns the accounts of all that worked."""
        accounts = []
        if self._warm_files is not None:
            accounts.append(self._warm())
            self._progress.warmup_done_ns = time.monotonic_ns()
        elif self._work.config.warmup != "none":
            await_warm_up(self._progress)
        accounts += self._engine.run(self._progress.record)
        for number in self._work.share.readers:
            self._progress.finish(number)
        return accounts

    def _warm(self) -> Account:
        assert self._warm_files is not None
        work = self._work

        def report(done_bytes: int) -> None:
            self._progress.warmup_bytes = done_bytes

        if work.config.warmup == "populate":
            watch = Stopwatch()
            self._engine.populate()
            report(total_bytes(work.warmup))
            return watch.stop()
        return warm_up(
            work.config.warmup, self._warm_files, work.warmup, work.config.chunk_bytes, report
        )

    def _copy(self, reader: int, request: Extent, view: memoryview) -> None:
        del request
        self._copies[reader].append(bytes(view))

    def _hash(self, reader: int, request: Extent, view: memoryview) -> None:
        del request
        self._digests[reader].update(view)

    def checksums(self) -> dict[int, str]:
        """SHA-256 over each reader's delivered bytes, in the order of its requests."""
        for number, copies in self._copies.items():
            for copy in copies:
                self._digests[number].update(copy)
        if self._work.config.memory_kind != "streamed":
            for reader in self._engine.readers:
                for extent in reader.extents:
                    for request in split(extent, self._work.share.chunk_bytes):
                        self._digests[reader.number].update(reader.source.delivered(request))
        return {number: digest.hexdigest() for number, digest in self._digests.items()}


def _own_the_answers() -> int:
    """Keep the standard output for answers; what a library prints goes to the standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    return answers


def _answer(answers: int, values: dict[str, Any]) -> None:
    line = memoryview(json.dumps(values).encode() + b"\n")
    while line:
        line = line[os.write(answers, line) :]


def _answer_error(answers: int, error: BaseException) -> None:
    if isinstance(error, ModelmonError):
        _answer(answers, {"error": packed(error.message), "remedy": packed(error.remedy)})
    else:
        text = Message("The load failed: {reason}.", reason=error or type(error).__name__)
        _answer(answers, {"error": packed(text), "remedy": ""})


def _follow_input() -> threading.Event:
    """End the process with its standard input, whatever its readers wait for; the event is set
    by the one command that may come before, `verify`.
    """
    verify_asked = threading.Event()

    def watch() -> None:
        for _ in sys.stdin.buffer:
            verify_asked.set()
        os._exit(EXIT_CANCELLED)

    start(threading.Thread(target=watch, daemon=True))
    return verify_asked


def _die_with(parent_pid: int) -> None:
    """Ask the kernel to kill this process when its parent dies (prctl(2), Linux only).

    The parent may have died before the request, hence the check after it.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        raise LoadFailedError(Message("The process that started this loader has gone."))


if __name__ == "__main__":
    sys.exit(main())

"""The loader process: the load alone, with the standard library alone.

Only what is measured may need more: a library baseline, or the decoders. It is sent its plan over
its standard input, opens every file and answers `ready`; it reads `go`, loads, and answers `done`
or `error`, each a line of JSON; it stays, so that its last figures can be read from outside, and
answers `verify` with `checksums`. When its standard input ends or its parent dies, it dies at once.
One that is started before there is work says first that it is awake.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import pickle
import signal
import sys
import threading
import time
from contextlib import suppress
from functools import partial
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
from modelmon.core.load.extents import split, total_bytes
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.plan import AWAKE, STANDBY
from modelmon.core.load.threads import Account, Stopwatch, start
from modelmon.core.load.warmup import await_warm_up, warm_up
from modelmon.core.messages import Message, packed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modelmon.core.load.extents import Extent
    from modelmon.core.load.libraries.baseline import LibraryLoad
    from modelmon.core.load.plan import ProcessPlan

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_EXPECTED = (ModelmonError, OSError, MemoryError, ValueError, BufferError)


def main() -> int:
    """Run one loader over the standard streams; returns the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    commands = sys.stdin.buffer
    answers = _own_the_answers()
    if STANDBY in sys.argv:
        with suppress(OSError):
            os.write(answers, AWAKE)
    try:
        plan: ProcessPlan = pickle.load(commands)
    except EOFError:
        return EXIT_CANCELLED
    try:
        _die_with(plan.parent_pid)
        load = LoaderLoad(plan)
    except _EXPECTED as error:
        _answer_error(answers, error)
        return EXIT_LOAD_FAILED
    _answer(answers, {"ready": True, "notes": [packed(note) for note in load.work.notes]})
    if commands.readline() != b"go\n":
        return EXIT_CANCELLED
    verify_asked = _follow_input()
    try:
        accounts = load.run()
        done = {
            "done": [account._asdict() for account in accounts],
            "notes": [packed(note) for note in load.work.notes],
            "memory_kind": load.work.memory_kind,
            "mapped_bytes": load.work.mapped_bytes,
            "decode_ns": load.work.decode_ns,
        }
        _answer(answers, done)
        # Hashing is no part of the load: neither of this loader's nor of another's.
        verify_asked.wait()
        _answer(answers, {"checksums": load.checksums()})
    except _EXPECTED as error:
        _answer_error(answers, error)
    threading.Event().wait()
    return EXIT_DONE


class LoaderLoad:
    """One process's part of a load: prepared, then run once.

    `work` is what reads: the engine, or a library.
    """

    work: Engine | LibraryLoad

    def __init__(self, plan: ProcessPlan) -> None:
        self._plan = plan
        self._progress = shared.attach(plan.progress, plan.requests)
        self._digests = {reader.number: hashlib.sha256() for reader in plan.readers}
        if plan.config.library == NO_LIBRARY:
            hashed = partial(_hash, self._digests) if plan.hashes else None
            self.work = Engine(plan, hashed)
        else:
            from modelmon.core.load.libraries.registry import library_load  # noqa: PLC0415

            self.work = library_load(plan)
        self._warm_files = None
        if plan.warmup:
            shards = {extent.shard for extent in plan.warmup}
            self._warm_files = OpenFiles(plan.files, shards, plan.inherited)

    def run(self) -> list[Account]:
        """Warm up or wait for it, then read; returns the accounts of all that worked."""
        accounts = []
        if self._warm_files is not None:
            accounts.append(self._warm(self._warm_files))
            self._progress.warmup_done_ns = time.monotonic_ns()
        elif self._plan.config.warmup != "none":
            await_warm_up(self._progress)
        accounts += self.work.run(self._progress.record)
        for reader in self._plan.readers:
            self._progress.finish(reader.number)
        return accounts

    def _warm(self, files: OpenFiles) -> Account:
        config, wanted = self._plan.config, self._plan.warmup

        def report(done_bytes: int) -> None:
            self._progress.warmup_bytes = done_bytes

        if config.warmup == "populate" and isinstance(self.work, Engine):
            watch = Stopwatch()
            self.work.populate()
            report(total_bytes(wanted))
            return watch.stop()
        return warm_up(files, wanted, config.chunk_bytes, report)

    def checksums(self) -> dict[int, str]:
        """SHA-256 over each reader's delivered bytes, in the order of its requests; empty text
        where a library hides its memory.
        """
        if not isinstance(self.work, Engine):
            return dict.fromkeys(self._digests, self.work.checksum() or "")
        if self._plan.config.memory_kind != "streamed":
            for reader in self.work.readers:
                for extent in reader.extents:
                    for request in split(extent, self._plan.chunk_bytes):
                        self._digests[reader.number].update(reader.source.delivered(request))
        return {number: digest.hexdigest() for number, digest in self._digests.items()}


def _hash(
    digests: Mapping[int, hashlib._Hash], reader: int, _request: Extent, view: memoryview
) -> None:
    digests[reader].update(view)


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
    # Where memory runs out, the kernel ends this one and nobody who can report it.
    with suppress(OSError), open("/proc/self/oom_score_adj", "wb") as score:  # noqa: PTH123
        score.write(b"1000")
    if os.getppid() != parent_pid:
        raise LoadFailedError(Message("The process that started this loader has gone."))


if __name__ == "__main__":
    sys.exit(main())

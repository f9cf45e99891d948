"""The loader processes of one load: started, told their plans, let go, and always reaped.

They load (core/load/loader.py); what is here never reads the model, and never waits for one that
storage holds in the kernel.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import LoadFailedError
from modelmon.core.load import progress as shared
from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import AWAKE, STANDBY
from modelmon.core.load.readers import decoders_each, usable_processors
from modelmon.core.load.rules import needed_bytes
from modelmon.core.load.threads import Account
from modelmon.core.machine.memory import oom_kills
from modelmon.core.machine.own_limits import starting_a_process
from modelmon.core.messages import Message, joined, unpacked
from modelmon.core.units import duration_text, size_text
from modelmon.core.worker.block_timings import ChunkStream
from modelmon.core.worker.child_process import outcome, program
from modelmon.core.worker.figures import make_reader
from modelmon.core.worker.run_warnings import RunWarning, warned
from modelmon.core.worker.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.load.decode import SlowDecoder
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.load.plan import Plan
    from modelmon.core.worker.events import Chunks, Job
    from modelmon.core.worker.streams import Inbox, Incoming

_LOADER = program("modelmon.core.load.loader")
# Less than whoever started the worker waits for it after a cancellation.
_KILL_WAIT_S = 1.0
_WORTH_NAMING = 0.01


class LoaderDiedError(LoadFailedError):
    """A loader ended without saying why: killed, out of memory, or its file was cut."""

    kind = "loader-died"


class SpareLoader:
    """A loader that was started before there is work for it."""

    def __init__(self) -> None:
        """Returns once it waits, or is dead."""
        self.progress_descriptor = shared.reserve()
        self.process = _started((*_LOADER, STANDBY), [self.progress_descriptor])
        assert self.process.stdout is not None
        self._awake = self.process.stdout.readline() == AWAKE

    @property
    def waits(self) -> bool:
        """Whether it can be given work."""
        return self._awake and self.process.poll() is None


class Loaders(Watched):
    """One process for all threads, or one per reader; they live until `close`."""

    progress: shared.Progress

    def __init__(
        self,
        plan: Plan,
        job: Job,
        files: OpenFiles,
        spare: SpareLoader | None = None,
    ) -> None:
        """Start the loaders of `plan`, which is made for `job`. `files` are the supervisor's own
        open descriptors, which the loaders inherit if the strategy shares them. `spare` becomes
        the first loader, where it need not inherit any.
        """
        self._began_ns, self.startup_ns = time.monotonic_ns(), 0
        config = job.config
        handed = spare.progress_descriptor if spare else shared.reserve()
        self.progress, name = shared.create(plan.request_counts, handed)
        self._requests = ChunkStream(plan, self.progress)
        self.readers = sum(bool(reader.extents) for reader in plan.readers)
        self.decoders = 0
        if config.deliver == "decoded":
            self.decoders = self.readers * decoders_each(config, usable_processors())
        self._slow_decoder = _slow_decoder(plan)
        self._processes: list[subprocess.Popen[bytes]] = []
        self.reports: dict[int, list[Account]] = {}
        self.notes: list[Message] = []
        self._memory_kind = config.memory_kind
        self._mapped_bytes = 0
        self.decode_ns = 0
        self._files, self._needed_bytes = files, needed_bytes(config, plan)
        self._oom_kills_before = oom_kills()
        inherited = files.descriptors if config.descriptor == "shared" else None
        pass_fds = [*(inherited or {}).values(), handed]
        if spare and spare.waits and inherited is None:
            self._processes.append(spare.process)
        elif spare:
            spare.process.kill()
            spare.process.wait()
        try:
            for number, each in enumerate(plan.for_processes(config, files.files)):
                sent = each._replace(
                    requests=plan.request_counts,
                    inherited=inherited,
                    progress=name,
                    parent_pid=os.getpid(),
                    hashes=job.verify,
                )
                if number >= len(self._processes):
                    self._processes.append(_started(_LOADER, pass_fds))
                _tell(self._processes[number], pickle.dumps(sent))
        except BaseException:
            self.close()
            raise
        finally:
            if handed is not None:
                os.close(handed)
        self.pids = [process.pid for process in self._processes]
        self.figures = make_reader(self.pids, self.readers, self.decoders)

    @property
    def warnings(self) -> list[RunWarning]:
        """What was done otherwise than asked."""
        found = [warned("direct-refused", note) for note in self.notes]
        if slow := self._slow_decoder:
            found.append(warned("slow-decoder", slow.sentence, remedy=slow.remedy))
        return found

    def listen(self, inbox: Inbox) -> None:
        """Have the loaders' answers come in as messages with the loader's number."""
        for number, process in enumerate(self._processes):
            assert process.stdout is not None
            inbox.listen(number, process.stdout)

    def wait_ready(self, inbox: Inbox) -> None:
        """Return when each loader has opened its files and waits to be let go; `startup_ns` says
        then how long that took.
        """
        waiting = set(range(len(self._processes)))
        while waiting:
            message = inbox.get(None)
            if isinstance(message.sender, int):
                self._answer(message)
                waiting.discard(message.sender)
        self.startup_ns = time.monotonic_ns() - self._began_ns

    def go(self) -> int:
        """Let all loaders go, and return when (monotonic nanoseconds)."""
        started_ns = time.monotonic_ns()
        for process in self._processes:
            _tell(process, b"go\n")
        return started_ns

    def take_chunks(self, started_ns: int) -> Iterator[Chunks]:
        """As the readers noted them in shared memory."""
        return self._requests.take(started_ns)

    def cut_off_warning(self, after_ns: int) -> RunWarning:
        """What is said of a load that was ended before its end."""
        after = duration_text(after_ns)
        text = Message("Not counted: the load was ended after {after}.", after=after)
        return warned("cut-off", text)

    @property
    def mapped_bytes(self) -> int | None:
        """How much of what they delivered is the page cache's own memory; None of loaders that were
        ended before they reported it.
        """
        if self._memory_kind == "mapped":
            return self.progress.delivered_bytes
        return self._mapped_bytes if self.done else None

    @property
    def memory_kind(self) -> str:
        """Where the bytes are: `mixed` where a hundredth or more is mapped, and as much is not."""
        if self._memory_kind != "owned":
            return self._memory_kind
        share = self._mapped_bytes / max(1, self.progress.delivered_bytes)
        if _WORTH_NAMING <= share < 1 - _WORTH_NAMING:
            return "mixed"
        return "owned" if share < _WORTH_NAMING else "mapped"

    @property
    def done(self) -> bool:
        """Whether each loader has reported."""
        return len(self.reports) == len(self._processes)

    @property
    def reading(self) -> int:
        """Readers that still have work."""
        return self.readers - self.progress.finished_readers

    def accounts(self) -> list[Account]:
        """Where the time of all readers went, after they are done."""
        return [account for number in sorted(self.reports) for account in self.reports[number]]

    def take(self, message: Incoming) -> None:
        """Take in a loader's report; raises LoadFailedError if it failed or died."""
        assert isinstance(message.sender, int)
        answer = self._answer(message)
        self.reports[message.sender] = [Account(**account) for account in answer["done"]]
        self._memory_kind = answer["memory_kind"]
        self._mapped_bytes += answer["mapped_bytes"]
        self.decode_ns += answer["decode_ns"]

    def checksums(self, inbox: Inbox) -> dict[int, str]:
        """SHA-256 of what each reader delivered, by its number; all loaders are done."""
        for process in self._processes:
            _tell(process, b"verify\n")
        sums: dict[int, str] = {}
        while len(sums) < self.readers:
            message = inbox.get(None)
            if isinstance(message.sender, int):
                answer = self._answer(message)
                sums |= {int(number): digest for number, digest in answer["checksums"].items()}
        return sums

    def _answer(self, message: Incoming) -> dict[str, Any]:
        assert isinstance(message.sender, int)
        if message.line is None:
            raise LoaderDiedError(*self._how_it_died(message.sender))
        answer: dict[str, Any] = json.loads(message.line)
        if "error" in answer:
            raise LoadFailedError(unpacked(answer["error"]), unpacked(answer["remedy"]))
        notes = map(unpacked, answer.get("notes", ()))
        self.notes += [note for note in notes if note not in self.notes]
        return answer

    def _how_it_died(self, number: int) -> tuple[Message, Message]:
        process = self._processes[number]
        try:
            code = process.wait(_KILL_WAIT_S)
        except subprocess.TimeoutExpired:
            return Message("A loader closed its output but doesn't end."), Message("Try again.")
        if sys.platform != "win32" and code == -signal.SIGBUS:
            return self._bus_error()
        text = Message("A loader {how}.", how=outcome(code, self._oom_kills_before))
        if sys.platform == "win32" or code != -signal.SIGKILL:
            return text, Message("Try again.")
        had = Message(
            "It had loaded {loaded}; the load needs {needed}.",
            loaded=size_text(self.progress.delivered_bytes),
            needed=size_text(self._needed_bytes),
        )
        remedy = Message("Load a portion.")
        if self._memory_kind == "owned":
            remedy = Message("Load a portion, or map the model (access mmap).")
        return joined((text, had)), remedy

    def _bus_error(self) -> tuple[Message, Message]:
        """A page of a mapped file didn't come: a read tells why, where it fails as well."""
        try:
            for shard in self._files.descriptors:
                last = Extent(shard, self._files.size_bytes[shard] - 1, 1)
                self._files.read_into(memoryview(bytearray(1)), last)
        except LoadFailedError as error:
            return error.message, error.remedy
        return (
            Message("The file was truncated, or its storage failed (bus error)."),
            Message("Check the file, its disk or its mount, then open the model again."),
        )

    def close(self) -> list[int]:
        """Kill and reap all loaders; returns those that storage still holds in the kernel."""
        for process in self._processes:
            process.kill()
        deadline = time.monotonic() + _KILL_WAIT_S
        stuck = []
        for process in self._processes:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                stuck.append(process.pid)
            for pipe in (process.stdin, process.stdout):
                # A pipe whose reading thread still waits cannot be closed.
                if pipe is not None and process.pid not in stuck:
                    with contextlib.suppress(OSError):
                        pipe.close()
        return stuck


def _slow_decoder(plan: Plan) -> SlowDecoder | None:
    units = (unit for reader in plan.readers for unit in reader.parts)
    dtypes = {part.dtype for unit in units for part in unit}
    if not dtypes:
        return None
    from modelmon.core.load.decode import slow_decoder  # noqa: PLC0415  not light

    return slow_decoder(dtypes)


def _started(command: Sequence[str], handed: Sequence[int | None]) -> subprocess.Popen[bytes]:
    """A process that inherits the descriptors that are `handed` down."""
    pass_fds = [descriptor for descriptor in handed if descriptor is not None]
    with starting_a_process():
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=pass_fds
        )


def _tell(process: subprocess.Popen[bytes], line: bytes) -> None:
    """Write to a loader; one that is dead already is noticed by the end of its answers."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.write(line)
        process.stdin.flush()

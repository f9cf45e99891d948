"""A program to watch in place of loaders (worker/watched.py): started stopped, or joined; continued
when the load is to begin; watched until it is ready; ended.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import psutil

from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.load.threads import start
from modelmon.core.machine.file_users import users_among
from modelmon.core.machine.libraries import Libraries, libraries_of
from modelmon.core.machine.memory import oom_kills
from modelmon.core.machine.own_limits import starting_a_process
from modelmon.core.machine.processes import (
    adopt_orphans,
    began_ticks,
    descendants,
    end_descendants,
    has_memory,
    is_running,
    newest_process,
    process_handle,
    was_stopped,
)
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.model.named_models import model_files_of
from modelmon.core.terminal_safe import plain
from modelmon.core.units import duration_text, size_text, three_figures
from modelmon.core.watch.held import NOT_STARTED
from modelmon.core.watch.model_bytes import ModelBytes
from modelmon.core.watch.output import Output, last_output
from modelmon.core.watch.program_figures import ProgramReader
from modelmon.core.watch.ready import (
    ReadyPoller,
    listens,
    parse_readiness,
    process_at,
)
from modelmon.core.worker.child_process import outcome, program
from modelmon.core.worker.command_words import taken_apart
from modelmon.core.worker.events import not_run
from modelmon.core.worker.figures import MOST_BEFORE
from modelmon.core.worker.program_phases import ASKS_FOR_A_TOKEN, variables_of
from modelmon.core.worker.run_warnings import FEW_SAMPLES, RunWarning, warned
from modelmon.core.worker.watched import WHOLE_SHARE, Watched

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.watch.model_bytes import RepeatedReads
    from modelmon.core.worker.events import Chunks, WatchedProgram
    from modelmon.core.worker.figures import LoaderTotals
    from modelmon.core.worker.streams import Inbox
    from modelmon.core.worker.watched import Moment

_GRACE_S = 5.0
"""A program may take so long to end when it is asked to."""
_KILL_WAIT_S = 1.0
_LIST_EVERY_NS = 200_000_000
_LIST_ANYWAY_NS = 1_000_000_000
"""A process has its number before it is among the others, and some tell of numbers late."""
_WAITING_NS = 5_000_000_000
"""From so long without a byte of the model on it is told, and looked again what it is at."""
PART_TIMES = 5
"""Who read a part of the model has to rest so much longer than who read all of it."""
_IDLE_SHARE, _IDLE_CPU_NS = 0.05, 20_000_000
"""Who computes no more than this part of the time, and this much, waits for something to do."""
_MOST_FILES = 3
_READ_BYTES = 1 << 20
_REST_NS = 10_000_000
"""Lines of a flood are read together: to wake up for each would take the program's time."""
_HELD = "modelmon.core.watch.held"
_START_IT = Message("Let Watch start it{terminal}.", terminal=": modelmon watch MODEL -- COMMAND")
_HALF = 0.5


class _MemoryLook(NamedTuple):
    at_ns: int
    anon_bytes: int
    file_bytes: int


class Program(Watched):
    """One program with all processes that come from it, from its start until it is ready; where
    its command asks another program to load, that one as well, which goes on.

    Nobody knows its readers, its requests, or whose time went where.
    """

    progress: ModelBytes
    readers = 0
    whole_share = WHOLE_SHARE

    def __init__(
        self,
        command: Sequence[str],
        job: WatchedProgram,
        model_name: str,
        files: OpenFiles,
        wanted: Sequence[Extent],
    ) -> None:
        """Start `command` held, or join the process that the job names.

        Raises ConfigError where there is neither: a job holds its command as text only.
        """
        if sys.platform != "linux":
            raise ConfigError(Message("Other programs can be watched on Linux only."))
        self._readiness = parse_readiness(job.ready)
        self._process: subprocess.Popen[bytes] | None = None
        self._oom_kills_before, self._output = oom_kills(), Output()
        self._matched_ns: int | None = None
        self.waiting = NOTHING
        self._waiting_due_ns = 0
        self._daemonised: RunWarning | None = None
        self.ready_ns: int | None = None
        self._started_ns = self._listed_ns = self._active_ns = 0
        self._activity: tuple[int | None, ...] = ()
        self._busy_ns = self._said_ns = self._cpu_then_ns = 0
        self._memory_before: deque[_MemoryLook] = deque(maxlen=MOST_BEFORE)
        self._most_anon_bytes = self._most_file_bytes = 0
        self._may_be_mapped = True
        self._was_mapped: bool | None = None
        self._libraries: Libraries | None = None
        self._looks = 0
        self._exited_ns: int | None = None
        self._newest = ""
        self._below = os.getpid()
        self._asked: int | None = None
        if job.pid is not None:
            self.root_pid = self._below = job.pid
        elif command:
            self._name = taken_apart(command).name
            if self._readiness.sign == "asked":
                assert self._readiness.port is not None
                self._asked = process_at(self._readiness.port)
                self._name = joined_name(self._asked)
            self._process = held(command, subprocess.PIPE)
            self.root_pid = self._process.pid
        else:
            raise not_run(job)
        # Its number can go to another process; this descriptor cannot.
        self._handle = _handle_of(self.root_pid)
        if job.pid is not None:
            self._name = joined_name(job.pid, job.began_ticks)
        self._model_name = model_name
        self._device_bytes: int | None = None
        self._paths = [Path(path) for path in files.paths]
        # Some run that have other models; whoever of them uses this one comes in then.
        others = [] if self._asked is None else descendants(self._asked)
        self._bystanders = {*others} - self._users_among(others)
        self.progress = ModelBytes(files, wanted, job.see_by)
        self._asked_pids = self._pids_of_asked()
        self.pids = [self.root_pid, *self._asked_pids]
        self.figures = ProgramReader(self.pids, self._bystanders)
        self._output_reader = threading.Thread(target=self._read_output, daemon=True)
        self._asking = ReadyPoller(
            self._readiness, lambda: self.pids, lambda: self._output.note(ASKS_FOR_A_TOKEN)
        )

    def take_chunks(self, started_ns: int) -> Iterator[Chunks]:
        """What is seen of them; never many more than buckets."""
        return self.progress.take(started_ns)

    def listen(self, inbox: Inbox) -> None:
        """It says nothing to the supervisor: what it prints is kept to be quoted."""
        del inbox
        if self._process is not None:
            start(self._output_reader)
        start(threading.Thread(target=self._wait_for_exit, daemon=True))

    def wait_ready(self, inbox: Inbox) -> None:
        """Return when it is held, and nothing but letting it go is left to do."""
        del inbox
        if self._process is None:
            return
        os.waitid(os.P_PID, self.root_pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def go(self) -> int:
        """Let it go, and return when; what is seen from now on counts."""
        self.progress.start(time.monotonic_ns())
        self._asking.start()
        self._started_ns = self._active_ns = self._busy_ns = time.monotonic_ns()
        self._waiting_due_ns = self._started_ns + _WAITING_NS
        if self._process is not None:
            os.kill(self.root_pid, signal.SIGCONT)
            was_stopped(self.root_pid)  # by itself, which is known
        return self._started_ns

    def look(self, now_ns: int, totals: LoaderTotals, *, is_last: bool) -> None:
        """Take in what became of it, and of the model; `totals` are its own, since it was let go.

        Raises LoadFailedError where it ends without having got ready.
        """
        # What was told by now happened before this look, which sees what was read for it.
        told_ns = self._matched_ns or self._asking.answered_ns
        ended_ns = self._exited_ns
        self._list(now_ns, anew=told_ns is not None or ended_ns is not None)
        running = [pid for pid in self.pids if is_running(pid)] if ended_ns else self.pids
        left = [pid for pid in running if pid not in self._asked_pids]
        is_last = is_last or (ended_ns is not None and not left)
        self.progress.look(now_ns, totals, running, is_last=is_last)
        self._looks += self.progress.is_being_read
        if self._libraries is None and self.progress.has_begun:
            self._libraries = libraries_of(running)
        self._device_bytes = totals.device_bytes
        self._look_at_memory(now_ns, totals)
        if ended_ns is not None:
            if not left and self._process is not None:
                self._output_reader.join(_KILL_WAIT_S)  # what it said last may still be on its way
            # It may have told between the two looks above.
            told_ns = told_ns or self._matched_ns or self._asking.answered_ns
        if not self.done:
            self._look_for_quiet(now_ns, totals)
            self._look_for_waiting(now_ns)
        if self.done:
            return
        if self._asking.refused:
            self._fail(
                Message("{program} can't be asked for a token.", program=self._name),
                Message("Watch it until it answers: --ready http:PORT/PATH."),
            )
        if told_ns is not None:
            self._get_ready(told_ns)
        elif ended_ns is not None:
            # What went on in the background was over when the last of it was seen to be.
            self._take_exit(now_ns if self._daemonised else ended_ns, left)

    def _list(self, now_ns: int, *, anew: bool) -> None:
        """Find its processes. Whoever is found late is counted whole all the same, but not after
        its last look.
        """
        if not anew:
            if now_ns - self._listed_ns < _LIST_EVERY_NS:
                return
            newest, before = newest_process(), self._newest
            self._newest = newest
            lately = now_ns - self._listed_ns < _LIST_ANYWAY_NS
            if newest and newest == before and lately and not self._bystanders:
                return  # what descends from it was found then
        self._listed_ns = now_ns
        below = descendants(self._below)
        self._asked_pids = self._pids_of_asked()
        self.pids[:] = [*below, *self._asked_pids] if self._process else [self.root_pid, *below]

    def _pids_of_asked(self) -> list[int]:
        """Those of the program that loads what the command asks for."""
        if self._asked is None:
            return []
        below = descendants(self._asked)
        self._bystanders &= {*below}
        if self._bystanders and self.progress.opened:
            self._bystanders -= self._users_among(self._bystanders)
        return [self._asked, *(pid for pid in below if pid not in self._bystanders)]

    def _users_among(self, pids: Iterable[int]) -> set[int]:
        """Those that have the model open or mapped."""
        return {user.pid for user in users_among(pids, self._paths)}

    def _look_at_memory(self, now_ns: int, totals: LoaderTotals) -> None:
        anon_bytes, file_bytes = totals.rss_anon_bytes or 0, totals.rss_file_bytes or 0
        if self.progress.begun_ns is None:
            self._memory_before.append(_MemoryLook(now_ns, anon_bytes, file_bytes))
            self._most_anon_bytes = self._most_file_bytes = 0
        self._most_anon_bytes = max(self._most_anon_bytes, anon_bytes)
        self._most_file_bytes = max(self._most_file_bytes, file_bytes)

    def _look_for_quiet(self, now_ns: int, totals: LoaderTotals) -> None:
        activity = (totals.device_bytes, totals.rss_file_bytes)
        if activity != self._activity:
            self._activity, self._active_ns = activity, now_ns
        if self.progress.is_being_read and self.progress.ended_ns is not None:
            self._active_ns = max(self._active_ns, self.progress.ended_ns)
        self._active_ns = max(self._active_ns, self.progress.read_ns)
        self._look_for_work(now_ns, totals)
        if self.progress.delivered_bytes:
            self.waiting = NOTHING
        quiet_ns = self._readiness.quiet_s * 1e9
        if self._readiness.sign not in ("quiet", "default") or now_ns - self._active_ns < quiet_ns:
            return
        if self.progress.is_whole:
            self._get_ready(self._active_ns)
        elif self.progress.has_begun:
            # Tables that are looked up, experts and slices of others may never be read.
            self._look_for_rest(now_ns, round(PART_TIMES * quiet_ns))
        elif self._process is None and self.progress.was_there:
            raise LoadFailedError(
                Message(
                    "{program} had loaded {model} before it was watched.",
                    program=self._name,
                    model=self._model_name,
                )
                if self._users_among(self.pids)
                else Message(
                    "{program} reads nothing of {model}, which is in memory already.",
                    program=self._name,
                    model=self._model_name,
                ),
                _START_IT,
            )

    def _look_for_work(self, now_ns: int, totals: LoaderTotals) -> None:
        """Note when it last had something to do: read, print, compute or wait for storage."""
        since_ns = max(self._busy_ns, self._active_ns, self._said_ns)
        cpu_ns = (totals.cpu_user_ns or 0) + (totals.cpu_system_ns or 0)
        idle_ns = _IDLE_CPU_NS + _IDLE_SHARE * (now_ns - self._busy_ns)
        if cpu_ns - self._cpu_then_ns > idle_ns or totals.waiting_share:
            since_ns = now_ns
        if since_ns != self._busy_ns:
            self._busy_ns, self._cpu_then_ns = since_ns, cpu_ns

    def _look_for_rest(self, now_ns: int, rest_ns: int) -> None:
        """It has read a part only: ready once it does nothing for so long. A server may compute
        while it waits for requests: it is, where it reads and prints nothing and accepts them.
        """
        silent_ns = max(self._active_ns, self._said_ns)
        if now_ns - self._busy_ns >= rest_ns:
            self._get_ready(self._busy_ns)
        elif now_ns - silent_ns >= rest_ns and listens(self.pids, None):
            self._get_ready(silent_ns)
        else:
            self.waiting = Message(
                "{program} has read {share} of {model} and rests. It counts as ready after {rest}.",
                program=self._name,
                share=self.progress.share_text,
                model=self._model_name,
                rest=duration_text(rest_ns),
            )

    def _look_for_waiting(self, now_ns: int) -> None:
        if not self.progress.delivered_bytes and now_ns >= self._waiting_due_ns:
            self._waiting_due_ns = now_ns + _WAITING_NS
            self.waiting = self._what_it_has()

    def _what_it_has(self) -> Message:
        """What a program has open that has read nothing of the model; empty where it had that open
        in between.
        """
        names = {"program": self._name, "model": self._model_name}
        if self._users_among(self.pids):
            return Message("{program} has {model} open and has read nothing yet.", **names)
        if self.progress.opened:
            return NOTHING
        told = Message("{program} hasn't opened {model} yet.", **names)
        return joined(filter(None, (told, self._open_instead())))

    def _open_instead(self) -> Message:
        paths = (path for pid in self.pids for path in model_files_of(pid))
        found = [plain(str(path)) for path in dict.fromkeys(paths)]
        if not found:
            return NOTHING
        more = len(found) - _MOST_FILES
        files = ", ".join(found[:_MOST_FILES])
        if more > 0:
            return Message("It has {files} and {count} more open.", files=files, count=more)
        return Message("It has {files} open.", files=files)

    def _take_exit(self, ended_ns: int, running: Sequence[int]) -> None:
        """Its first process has ended: it is ready, has failed, or goes on in others."""
        code = self._exit_code()
        if code:
            self._fail(*self._how_it_failed(code))
        # How others end than a child of this process isn't known: all has to have come by then.
        is_known = self._process is not None and self._daemonised is None
        waits_for_exit = self._readiness.sign in ("exit", "asked") or (
            self._readiness.sign == "default" and (is_known or self.progress.is_whole)
        )
        if running:
            text = Message(
                "{program} went on in the background, and was watched there.", program=self._name
            )
            self._daemonised = warned("daemonised", text)
            if self._readiness.sign != "exit":
                return
        if waits_for_exit:
            self._get_ready(ended_ns, ended=True)
        else:
            self._fail(Message("{program} ended before it was ready.", program=self._name))

    def _get_ready(self, at_ns: int, *, ended: bool = False) -> None:
        if not self.progress.opened and not self.progress.delivered_bytes:
            was = (
                Message("{program} ended", program=self._name)
                if ended
                else Message("{program} was ready", program=self._name)
            )
            raise LoadFailedError(*self._unopened(was))
        mapped = self._is_mapped() if self._was_mapped is None else self._was_mapped
        self._may_be_mapped = mapped is not False
        self.ready_ns = max(at_ns, self._started_ns)

    def _is_mapped(self) -> bool | None:
        """Whether one of its processes maps the model; None when they have ended."""
        having_memory = [pid for pid in self.pids if has_memory(pid)]
        return self.progress.is_mapped_by(having_memory) if having_memory else None

    def _unopened(self, what: Message) -> tuple[Message, Message]:
        """That `what` happened while nothing was read of the model, and what to do."""
        # One that is joined may have had it open before.
        opened = self.progress.opened or bool(self._users_among(self.pids))
        told = (
            Message("{what}, and read nothing of {model}.", what=what, model=self._model_name)
            if opened
            else Message("{what}, and never opened {model}.", what=what, model=self._model_name)
        )
        remedy = (
            self._daemonised.remedy
            if self._daemonised
            else Message("Check that this model is asked for, and that it isn't loaded already.")
            if self._asked is not None
            else _START_IT
            if opened and self._process is None
            else Message("Check that its command names this file.")
        )
        instead = NOTHING if opened else self._open_instead()
        return told, self._with_last_output(joined(filter(None, (instead, remedy))))

    def _fail(self, message: Message, remedy: Message = NOTHING) -> NoReturn:
        raise LoadFailedError(message, self._with_last_output(remedy))

    def _with_last_output(self, remedy: Message) -> Message:
        return joined(filter(None, (remedy, last_output(self._output.end))))

    def _how_it_failed(self, code: int) -> tuple[Message, Message]:
        name = self._name
        if self._asked is not None:
            return Message("The request to {program} failed.", program=name), NOTHING
        if code == NOT_STARTED:
            return Message("{program} couldn't be started.", program=name), NOTHING
        remedy = Message("Run it alone until it succeeds.")
        if code > 0:
            remedy = Message(
                "Run it alone until it succeeds. Here it gets no terminal and no input."
            )
        how = outcome(code, self._oom_kills_before)
        return Message("{program} {how}.", program=name, how=how), remedy

    def _exit_code(self) -> int | None:
        """That of its first process, which is not waited for: its figures stay readable."""
        if self._process is None:
            return None
        found = os.waitid(os.P_PID, self.root_pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def _wait_for_exit(self) -> None:
        with contextlib.suppress(OSError):  # closed meanwhile
            poll = select.poll()
            poll.register(self._handle, select.POLLIN)
            poll.poll()
            self._exited_ns = time.monotonic_ns()

    def _read_output(self) -> None:
        """Keep its end, and note when a line of it says that it is ready: who prints much waits for
        this.
        """
        assert self._process is not None
        assert self._process.stdout is not None
        import fcntl  # noqa: PLC0415  Windows has none, and needs this module for its refusal

        pattern, output = self._readiness.pattern, self._process.stdout.fileno()
        with contextlib.suppress(OSError):  # a user may have only so much
            fcntl.fcntl(output, fcntl.F_SETPIPE_SZ, _READ_BYTES)
        while data := os.read(output, _READ_BYTES):
            before_ns, now_ns = self._said_ns, time.monotonic_ns()
            self._said_ns = now_ns
            # The last line may still be in the making, and say enough.
            lines = self._output.feed(data, now_ns)
            is_ready = self._matched_ns is not None
            if pattern is not None and not is_ready and any(map(pattern.search, lines)):
                # It may free its memory before the next look.
                self._was_mapped = self._is_mapped()
                self._matched_ns = now_ns
            if now_ns - before_ns < 2 * _REST_NS:
                time.sleep(_REST_NS / 1e9)
        self._output.close()

    def printed(self) -> Iterable[tuple[int, str]]:
        """Its lines since the last call. What is read after its end was printed before that."""
        lines, ended_ns = list(self._output.take()), self._exited_ns
        if ended_ns is None or self._daemonised is not None:
            return lines
        return [(min(at_ns, ended_ns), line) for at_ns, line in lines]

    def cut_off_warning(self, after_ns: int) -> RunWarning:
        """What is said where it was not ready in time."""
        name, after = self._name, duration_text(after_ns)
        if not self.progress.delivered_bytes:
            what = Message("{program} wasn't ready after {after}", program=name, after=after)
            text, remedy = self._unopened(what)
            return warned("cut-off", Message("Not counted: {what}", what=text), NOTHING, remedy)
        text = Message(
            "Not counted: {program} wasn't ready after {after}, with {share} of the model seen.",
            program=name,
            after=after,
            share=self.progress.share_text,
        )
        remedy = Message(
            "Choose another ready sign, or a longer time limit{terminal}.",
            terminal=" (--ready, --limit)",
        )
        return warned("cut-off", text, NOTHING, self._with_last_output(remedy))

    @property
    def warnings(self) -> list[RunWarning]:
        """What makes its figures worth less."""
        found = [] if self._daemonised is None else [self._daemonised]
        seen_by_looks = self.progress.seen_by != "trace" and self.progress.ended_ns is not None
        if self._looks < FEW_SAMPLES and seen_by_looks:
            text = Message("The model was read in few samples: rely on totals, not on rates.")
            count = Message("{looks} with new bytes", looks=self._looks)
            found.append(warned("few-samples", text, count))
        again = self.progress.again
        if again.asked_bytes or again.fetched_bytes:
            found.append(self._read_again(again))
        return found

    def _read_again(self, again: RepeatedReads) -> RunWarning:
        fetched = Message("{bytes} from storage again", bytes=size_text(again.fetched_bytes))
        if again.asked_bytes:
            text = Message(
                "{program} read {bytes} of the model more than once: {factor} times over.",
                program=self._name,
                bytes=size_text(again.asked_bytes),
                factor=three_figures(again.times),
            )
            return warned("read-again", text, fetched if again.fetched_bytes else NOTHING)
        text = Message(
            "{bytes} of the model left memory and came from storage again.",
            bytes=size_text(again.fetched_bytes),
        )
        remedy = Message("Free memory or raise the memory limit.")
        return warned("read-again", text, NOTHING, remedy)

    @property
    def moment(self) -> Moment:
        """Whether the part in which the model is read is still to come, or is going on now."""
        if not self.progress.has_looked:
            return ""
        if self.progress.begun_ns is None:
            return "before"
        return "reading" if self.progress.is_being_read else ""

    @property
    def begun_ns(self) -> int | None:
        """Since when it has read the model."""
        return self.progress.begun_ns

    @property
    def load_ns(self) -> int | None:
        """How long it took to be ready; None before."""
        return None if self.ready_ns is None else self.ready_ns - self._started_ns

    @property
    def told(self) -> dict[str, Any]:
        """What its last line says besides."""
        return {
            "seen_by": self.progress.seen_by,
            "why_no_trace": self.progress.why_no_trace,
            "trace_remedy": self.progress.trace_remedy,
            "other_device_bytes": self.progress.beside_bytes(self._device_bytes),
            "libraries": self._libraries,
        } | {
            name: None if at_ns is None else max(0, at_ns - self._started_ns)
            for name, at_ns in (
                ("first_byte_ns", self.progress.begun_ns),
                ("last_byte_ns", self._last_byte_ns()),
            )
        }

    def _last_byte_ns(self) -> int | None:
        """A look that saw its last bytes may have come after it was ready."""
        ended_ns = self.progress.ended_ns
        return ended_ns if ended_ns is None else min(ended_ns, self.ready_ns or ended_ns)

    @property
    def tells_blocks(self) -> bool:
        """Whether it is seen which bytes came."""
        return self.progress.seen_by != "counters" and self.progress.has_begun

    @property
    def untold(self) -> Sequence[Extent]:
        """What was in memory before it was let go, where nothing tells that it is used."""
        return self.progress.untold

    @property
    def memory_kind(self) -> str:
        """Where the bytes ended up, by what of its memory grew as large as half of them since it
        began to read: libraries are mapped, and buffers made, before.
        """
        begun_ns = self.progress.begun_ns
        if begun_ns is None:
            return "unknown"
        looks = [look for look in self._memory_before if look.at_ns <= begun_ns]
        before = looks[-1] if looks else _MemoryLook(0, 0, 0)
        half = _HALF * self.progress.delivered_bytes
        if self._may_be_mapped and self._most_file_bytes - before.file_bytes >= half:
            return "mapped"
        return "owned" if self._most_anon_bytes - before.anon_bytes >= half else "unknown"

    @property
    def done(self) -> bool:
        """Whether it is ready."""
        return self.ready_ns is not None

    @property
    def reading(self) -> int:
        """Whether there is still something to watch."""
        return not self.done

    def close(self) -> list[int]:
        """End what was started, and all that came from it; one that was joined goes on."""
        self._asking.stop()
        stuck = []
        if self._process is not None:
            stuck = end_descendants(_GRACE_S, _KILL_WAIT_S)
            self._process.returncode = self._process.returncode or 0  # it was waited for
        self.progress.close()
        os.close(self._handle)
        return stuck


def held(command: Sequence[str], output: int) -> subprocess.Popen[bytes]:
    """The program's process before it is the program, in a session of its own."""
    adopt_orphans()
    told = variables_of(taken_apart(command).name)
    with starting_a_process():
        return subprocess.Popen(
            program(_HELD, str(os.getpid()), *command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**told, **os.environ},
        )


def joined_name(pid: int, since_ticks: int | None = None) -> str:
    """The name of a process that runs, since then if that is told (processes.py). Raises
    ConfigError where it does not, or cannot be seen.
    """
    if since_ticks not in (None, began_ticks(pid)):
        raise ConfigError(
            Message("Process {pid} has ended, or its number is another program's now.", pid=pid),
            Message("Choose a program that runs."),
        )
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            raise psutil.NoSuchProcess(pid)
        name = process.name()
        Path(f"/proc/{pid}/io").read_bytes()
    except PermissionError:
        if os.geteuid() in (0, process.uids().effective):
            raise ConfigError(
                Message(
                    "What {program} (process {pid}) reads can't be seen: the system forbids it.",
                    program=name,
                    pid=pid,
                ),
                _START_IT,
            ) from None
        raise ConfigError(
            Message(
                "{program} (process {pid}) belongs to {user}, and what it reads can't be seen.",
                program=name,
                pid=pid,
                user=process.username(),
            ),
            Message("Watch it as that user or as root."),
        ) from None
    except (psutil.Error, OSError):
        raise ConfigError(Message("There's no process {pid}.", pid=pid)) from None
    return name


def _handle_of(pid: int) -> int:
    try:
        return process_handle(pid)
    except ProcessLookupError:
        raise ConfigError(Message("There's no process {pid}.", pid=pid)) from None
    except OSError as error:
        raise ConfigError(
            Message("Watching needs Linux 5.3 or newer: {reason}.", reason=error.strerror)
        ) from error

"""One load in a worker process, driven and read through QProcess; its lines are kept small until
somebody saves them.

A signal tells of each step of the run; of samples none does: `shell/frames.py` draws the record.
"""

from __future__ import annotations

import gzip
import time
from threading import Lock
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QProcess, Qt, QTimer, Signal

from modelmon.core.export.atomic import write_text_atomic
from modelmon.core.history.events import PackedLines, pack_lines
from modelmon.core.load.plan import AWAKE
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import MIB, rough_text
from modelmon.core.worker import events as ev
from modelmon.core.worker.client import worker_command
from modelmon.core.worker.record import UNREADABLE, RunRecord
from modelmon.core.worker.run_warnings import RunWarning
from modelmon.gui.background.child_process import ChildProcess
from modelmon.gui.background.threads import start_thread
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.errors import FailureKind
    from modelmon.gui.background.child_process import Standby

_MOST_LOOSE_BYTES, _PACKED_AT_ONCE_BYTES = 16 * MIB, MIB
_SLICE_NS = 8_000_000
"""Longest time spent on a worker's lines before the window gets its turn again."""
_WORK_NS = 100_000_000
"""Processor time that is work, and no look around of a process that waits."""
_GRACE_MS = 1500
"""How long a worker may take to end by itself after its input was closed."""
_HANGING_MS = 250
"""The same of one that has been waiting for storage, and again until it is left to itself."""
_PROGRAM_GRACE_MS = _GRACE_MS + 6500
"""The same of one that watches a program, which has 5 s to end, and a second more to be killed."""
_MOST_WORDS = 300


class Recording:
    """Event lines of a run. They are packed when it is over, for that takes processor time, which
    its load may want; of a run that goes on and on the oldest ones are, meanwhile.

    `nbytes` is their size.
    """

    def __init__(self) -> None:
        self._packed = bytearray()
        self._loose = bytearray()
        self._lock = Lock()
        self.nbytes = 0

    def append(self, line: bytes) -> None:
        """Add one line; a missing newline at its end is added."""
        whole = line if line.endswith(b"\n") else line + b"\n"
        self.nbytes += len(whole)
        self._loose += whole
        if len(self._loose) > _MOST_LOOSE_BYTES:
            self._pack(_PACKED_AT_ONCE_BYTES)

    def pack(self) -> None:
        """Compress what is not yet: no more is to come. From any thread."""
        with self._lock:
            self._pack(len(self._loose))

    def packed(self) -> PackedLines:
        """All lines, as the history keeps them. From any thread, once no more are to come."""
        self.pack()
        return PackedLines(self._packed)

    def content(self) -> bytes:
        """All lines so far, as they are saved."""
        with self._lock:
            return gzip.decompress(self._packed) + self._loose

    def save(self, path: Path) -> None:
        """Write the lines to `path`, whole or not at all. Raises WriteError."""
        write_text_atomic(path, self.content().decode())

    def _pack(self, nbytes: int) -> None:
        if nbytes:
            self._packed += pack_lines(bytes(self._loose[:nbytes]))
            del self._loose[:nbytes]


class WorkerProcess(QObject):
    """Runs one Job. `record` grows while it runs; `ended` comes once, when all is over.

    When `ended` is emitted the record is finished or failed, whatever became of the
    process: a death, a hang, garbage and a missing program each make a Failed event.
    """

    state_changed = Signal()
    warned = Signal(object)
    ended = Signal()

    def __init__(
        self,
        job: ev.Job,
        command: Sequence[str] | None = None,
        parent: QObject | None = None,
        standby: Standby | None = None,
    ) -> None:
        """`standby` gives the process, and prepares that of the next run."""
        super().__init__(parent)
        self.job = job
        self.record = RunRecord()
        self.recording = Recording()
        self._command = tuple(command or worker_command())
        self._grace_ms = _PROGRAM_GRACE_MS if job.program is not None else _GRACE_MS
        self._stderr = b""
        self._cancelled = False
        self._exited = False
        self._over = False
        self._left_behind = NOTHING
        self._standby = standby
        self._process = (standby and standby.take(self)) or ChildProcess(self)
        self._process.readyReadStandardOutput.connect(self._on_lines)
        self._process.readyReadStandardError.connect(self._on_stderr)
        self._process.finished.connect(self._on_exit)
        self._process.given_up.connect(self._on_given_up)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def process_id(self) -> int:
        """The worker's process id; 0 when it does not run."""
        return int(self._process.processId())

    @property
    def awaited(self) -> str:
        """Who is waited for and how much longer, once it was killed and is still there."""
        left_s = self._process.given_up_in_s
        if left_s is None:
            return ""
        return tr(
            "Process {pid} is waiting for storage that doesn't respond; giving up on it in {time}.",
            pid=self.process_id,
            time=rough_text(left_s * 1e9),
        )

    @property
    def answered(self) -> object:
        """What changes for as long as storage answers or processors work; None of a program that
        loads, which waits for other things, too.
        """
        record = self.record
        if record.done or (self.job.program is not None and record.state == "loading"):
            return None
        if not record.samples:
            return record.state, record.progress, self._process.worked_ticks
        last = record.samples[-1]
        read = last.delivered_bytes, last.device_bytes, last.warmup_bytes, last.minor_faults
        worked = (last.cpu_user_ns or 0) // _WORK_NS, last.decode_ns
        return record.progress, len(record.chunks), read, worked

    def start(self) -> None:
        """Start the worker and give it its job."""
        if not self._process.runs:
            self._process.start(self._command[0], list(self._command[1:]))
        if self._over:
            return
        self._process.write(msgspec.json.encode(self.job) + b"\n")
        if self._standby is not None:
            self._standby.prepare()

    def give_up(self) -> None:
        """Stop a worker that storage keeps waiting: nothing that it could still say is awaited."""
        self.cancel(_HANGING_MS / 1000)
        self._process.end_within(_HANGING_MS, _HANGING_MS)

    def cancel(self, grace_s: float | None = None) -> None:
        """Ask the worker to stop, and make sure of it after `grace_s`; returns at once."""
        if self._over or self._cancelled:
            return
        self._cancelled = True
        self._process.closeWriteChannel()
        self._process.end_within(self._grace_ms if grace_s is None else round(grace_s * 1000))

    def shut_down(self) -> None:
        """Cancel and wait until the process is gone or given up, for a few seconds at the most."""
        self.cancel()
        self._process.wait_for_end(self._grace_ms)

    def _on_lines(self) -> None:
        until = time.monotonic_ns() + _SLICE_NS
        while self._process.canReadLine():
            self._take(bytes(self._process.readLine().data()))
            if time.monotonic_ns() > until:
                QTimer.singleShot(0, self, self._on_lines)
                return
        if self._exited:
            self._conclude()

    def _take(self, line: bytes) -> None:
        if self.record.done or line == AWAKE:
            return
        before = self.record.state
        try:
            event = ev.decode(line)
            self.record.feed(event)
        except UNREADABLE as error:
            self._fail(
                "internal",
                Message("Couldn't read what the process wrote: {reason}.", reason=error),
                Message("Check that the program was installed in one piece, then run again."),
            )
            self.cancel()
            return
        self.recording.append(line)
        if isinstance(event, ev.Started | ev.Sample):
            self.record.heard_ns = time.monotonic_ns()
        if isinstance(event, RunWarning):
            self.warned.emit(event.text)
        if isinstance(event, ev.Finished | ev.Failed):
            self._process.end_within(self._grace_ms)
        if self.record.state != before:
            self.state_changed.emit()
        if isinstance(event, ev.Ready):
            # Last: what listeners do now takes no time of the load.
            if self._standby is None or self._standby.is_still:
                self._go()
            else:
                self._standby.still.connect(self._go, Qt.ConnectionType.SingleShotConnection)

    def _go(self) -> None:
        if not (self._cancelled or self._over):
            self._process.write(b"go\n")

    def _on_stderr(self) -> None:
        self._stderr = (self._stderr + self._process.readAllStandardError().data())[-8192:]

    def _on_exit(self) -> None:
        self._exited = True
        self._on_stderr()
        self._on_lines()

    def _on_given_up(self, process_id: int) -> None:
        self._left_behind = Message(
            "Process {pid} couldn't be stopped because its storage doesn't respond."
            " It ends once the storage responds.",
            pid=process_id,
        )
        self.warned.emit(self._left_behind)
        self._exited = True
        self._on_lines()

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._fail(
                "internal",
                Message(
                    "The worker could not be started: {reason}.",
                    reason=self._process.errorString(),
                ),
                Message("Check that {command} can be run.", command=self._command[0]),
            )
            self._conclude()

    def _conclude(self) -> None:
        if self._over:
            return
        self._over = True
        if not self.record.done:
            if self._cancelled:
                self._fail("cancelled", Message("The load was stopped."), self._left_behind)
            else:
                self._fail("internal", self._ending(), Message("Run again; the log has more."))
        elif self._process.exitCode() and self.record.finished and not self._cancelled:
            yet = Message("The load finished, yet its process did not end well.")
            self.warned.emit(joined((yet, self._ending())))
        start_thread(self.recording.pack)
        self.ended.emit()

    def _ending(self) -> Message:
        """How the process ended, with its last words, as a person can use it."""
        how = Message("The process {how}.", how=self._process.ending)
        words = self.stderr_text().rpartition("\n")[2].strip()[:_MOST_WORDS]
        return joined((how, Message("Its last words: {words}", words=words))) if words else how

    def stderr_text(self) -> str:
        """The last 8 KiB that the worker wrote beside its events."""
        return self._stderr.decode("utf-8", "replace").strip()

    def _fail(self, kind: FailureKind, message: Message, remedy: Message = NOTHING) -> None:
        failed = ev.Failed(kind, message, remedy)
        self.recording.append(ev.encode(failed))
        self.record.feed(failed)
        self.state_changed.emit()

"""Processes below the window, none of which it waits for without end; one stands by."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QTimer, Signal

from modelmon.core.load.plan import AWAKE, STANDBY
from modelmon.core.machine.memory import oom_kills
from modelmon.core.machine.processes import worked_ticks
from modelmon.core.worker.child_process import GRACE_S, KILLED_S, outcome
from modelmon.core.worker.client import STARTED_S, worker_command

if TYPE_CHECKING:
    from modelmon.core.messages import Message

_log = logging.getLogger(__name__)

_KILLED_MS = round(KILLED_S * 1000)


class ChildProcess(QProcess):
    """A process that is killed if it does not end when it should, and else given up.

    One that waits for storage that does not answer cannot be killed. It goes on by itself then,
    and ends with the answer; `given_up` brings its process id.
    """

    given_up = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._killed = False
        self._killed_ms = _KILLED_MS
        self._oom_kills_before = oom_kills()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._end_harder)
        self.finished.connect(self._timer.stop)

    @property
    def runs(self) -> bool:
        """Whether it was started and has neither ended nor been given up."""
        return self.state() != QProcess.ProcessState.NotRunning

    @property
    def ending(self) -> Message:
        """How it ended, as the end of a sentence."""
        crashed = self.exitStatus() == QProcess.ExitStatus.CrashExit
        code = self.exitCode()
        return outcome(-code if crashed else code, self._oom_kills_before)

    @property
    def worked_ticks(self) -> int:
        """What it and those below it have had of the processors: none while storage is awaited."""
        return worked_ticks(int(self.processId())) if self.runs else 0

    @property
    def given_up_in_s(self) -> float | None:
        """Seconds until it is given up; None for one that was not killed."""
        return self._timer.remainingTime() / 1000 if self._killed and self.runs else None

    def end_within(self, grace_ms: int, killed_ms: int = _KILLED_MS) -> None:
        """Let it end by itself for so long, as it was asked to; returns at once. Killed, it has
        `killed_ms` until it is given up.
        """
        if self.runs and not self._killed:
            self._killed_ms = killed_ms
            self._timer.start(grace_ms)

    def wait_for_end(self, grace_ms: int) -> None:
        """The same, and return when it has ended or is given up."""
        if self.runs and not self._killed and not self.waitForFinished(grace_ms):
            self._end_harder()
        if self.runs and not self.waitForFinished(_KILLED_MS):
            self._end_harder()

    def _end_harder(self) -> None:
        if not self._killed:
            self._killed = True
            self.kill()
            self._timer.start(self._killed_ms)
            return
        process_id = int(self.processId())
        _log.warning(
            "Process %d couldn't be stopped because its storage doesn't respond.", process_id
        )
        # Its destructor would wait for a process that runs, for half a minute.
        self.setProcessState(QProcess.ProcessState.NotRunning)
        self.setParent(QCoreApplication.instance())
        self.finished.connect(self.deleteLater)
        self._timer.stop()
        self.given_up.emit(process_id)


_END_MS = round(GRACE_S * 1000)


class Standby(QObject):
    """The same as `core.worker.client.Standby`, without waiting; `server` is where it starts them.

    `still` comes once the process that was started has imported everything and only waits, or
    was given up.
    """

    still = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.server = ""
        self._process: ChildProcess | None = None
        self._awake = False
        self._timer = QTimer(self, singleShot=True, interval=round(STARTED_S * 1000))
        self._timer.timeout.connect(self.end)

    @property
    def is_still(self) -> bool:
        """Whether nothing starts now."""
        return self._process is None or self._awake

    def take(self, parent: QObject) -> ChildProcess | None:
        """The process that stands by, for `parent`; None where there is none."""
        process, self._process = self._process, None
        self._timer.stop()
        if process is None:
            return None
        process.readyReadStandardOutput.disconnect(self._on_readable)
        process.finished.disconnect(self.end)
        process.errorOccurred.disconnect(self.end)
        process.setParent(parent)
        return process

    def prepare(self) -> None:
        """Start the next one."""
        command = worker_command(self.server, STANDBY)
        process = self._process = ChildProcess(self)
        self._awake = False
        process.readyReadStandardOutput.connect(self._on_readable)
        process.finished.connect(self.end)
        process.errorOccurred.connect(self.end)
        process.start(command[0], list(command[1:]))
        self._timer.start()

    def end(self) -> None:
        """End the one that stands by."""
        process = self.take(self)
        if process is None:
            return
        if process.runs:
            process.finished.connect(process.deleteLater)
            process.closeWriteChannel()
            process.end_within(_END_MS)
        else:
            process.deleteLater()
        self.still.emit()

    def shut_down(self) -> None:
        """The same, and return when it and those before it have ended."""
        self.end()
        for process in self.findChildren(ChildProcess):
            process.wait_for_end(_END_MS)

    def _on_readable(self) -> None:
        assert self._process is not None
        if self._process.canReadLine() and self._process.readLine().data() == AWAKE:
            self._awake = True
            self._timer.stop()
            self.still.emit()

"""Processes below the window, none of which it waits for without end."""

from __future__ import annotations

import logging

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QTimer, Signal

from modelmon.core.machine.processes import worked_ticks
from modelmon.core.worker.child_process import KILLED_S

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
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._end_harder)
        self.finished.connect(self._timer.stop)

    @property
    def runs(self) -> bool:
        """Whether it was started and has neither ended nor been given up."""
        return self.state() != QProcess.ProcessState.NotRunning

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

"""The worker of the next run, started while the present one prepares its load."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from modelmon.core.load.plan import AWAKE, STANDBY
from modelmon.core.worker.child_process import GRACE_S
from modelmon.core.worker.client import STARTED_S, worker_command
from modelmon.gui.background.child_process import ChildProcess

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

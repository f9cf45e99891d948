"""How the window closes: by hand, where long measurements are not thrown away by a slip, and when
it is asked to from outside: Ctrl+C, SIGTERM, a terminal that closes.
"""

from __future__ import annotations

import signal
import socket
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

from modelmon.gui.language import mark, tr
from modelmon.gui.session.activity import LONG_S, Activity, WorkClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.session.session import Session
    from modelmon.gui.shell.main_window import MainWindow

_QUESTIONS = {
    Activity.COMPARING: mark("Stop Compare A/B and close?"),
    Activity.RACING: mark("Stop Find best and close?"),
}
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class CloseGuard(QObject):
    """Asks once, beside the work that goes on meanwhile."""

    def __init__(
        self, session: Session, window: QWidget, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._clock = WorkClock(session, now_s, self)
        self._agreed = False
        session.activity_changed.connect(self._follow)
        self.question: QMessageBox | None = None

    def may_close(self) -> bool:
        """True where nothing long is under way; else False, and the user is asked."""
        text = _QUESTIONS.get(self._session.activity)
        app = QGuiApplication.instance()
        leaving = isinstance(app, QGuiApplication) and app.isSavingSession()
        if text is None or self._clock.busy_s < LONG_S or leaving or self._agreed:
            return True
        if self.question is None:
            self._ask(tr(text))
        return False

    def agree(self) -> None:
        """Let the window close without a question: it was asked to by more than a click."""
        self._agreed = True

    def _ask(self, text: str) -> None:
        box = self.question = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("modelmon")
        box.setText(text)
        box.setInformativeText(tr("Finished runs stay in the history."))
        stop = box.addButton(tr("Stop and close"), QMessageBox.ButtonRole.DestructiveRole)
        go_on = box.addButton(tr("Keep measuring"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(go_on)
        box.setEscapeButton(go_on)
        box.finished.connect(lambda _: self._on_answer(close=box.clickedButton() is stop))
        box.open()

    def _follow(self) -> None:
        # What was asked about may end before the answer.
        if self.question is not None and not self._session.busy:
            self.question.reject()

    def _on_answer(self, *, close: bool) -> None:
        self.question = None
        if close:
            self.agree()
            self._window.close()


class QuitOnSignal(QObject):
    """Closes the window at a signal as by hand, without a question; a second one ends at once.

    Python notes a signal and lets it wait until Python code runs, which may not be soon while Qt
    waits for events. So the signal is also written into a socket, of which Qt tells.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._near, self._far = socket.socketpair()
        for end in (self._near, self._far):
            end.setblocking(False)
        signal.set_wakeup_fd(self._far.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._near.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._wake)
        for name in _SIGNALS:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._on_signal)

    def _wake(self) -> None:
        self._near.recv(64)

    def _on_signal(self, number: int, frame: object) -> None:
        del frame
        signal.signal(number, signal.SIG_DFL)
        QTimer.singleShot(0, self, self._close)

    def _close(self) -> None:
        self._window.close_guard.agree()
        self._window.close()

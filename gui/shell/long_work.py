"""What long work needs of the desktop: no sleep, a notice at its end, a question at closing."""

from __future__ import annotations

import signal
import socket
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox, QSystemTrayIcon

from modelmon.core.machine.sleep import keep_awake
from modelmon.core.units import duration_text
from modelmon.gui.background.threads import start_thread
from modelmon.gui.language import mark, tr
from modelmon.gui.session.notices import LONG_S, Activity, Notice, WorkClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.session.session import Session
    from modelmon.gui.session.settings import Settings
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


_TITLES = {
    Activity.SAMPLING: mark("Sample model written in {time}"),
    Activity.PROBING: mark("Disk measured in {time}"),
    Activity.RUNNING: mark("Run finished after {time}"),
    Activity.COMPARING: mark("Comparison finished after {time}"),
    Activity.RACING: mark("Find best finished after {time}"),
    Activity.WATCHING: mark("Program watched for {time}"),
    Activity.CLUSTERING: mark("Cluster measured in {time}"),
}
_CONCLUDED = (Activity.COMPARING, Activity.RACING, Activity.CLUSTERING)
_SHOWN_MS = 10_000


class DesktopNotice(QObject):
    """Shows messages through the system tray, where the desktop has one; `alert` marks the
    window in the task bar. What a desktop lacks is left out.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None

    def show(self, title: str, text: str) -> None:
        """Tell the desktop."""
        QApplication.alert(self._window)
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.messageClicked.connect(self._come_forward)
            self._tray.activated.connect(self._come_forward)
        # Messages come from an icon that is shown; without a message it has no business there.
        self._tray.show()
        self._tray.showMessage(title, text, self._window.windowIcon(), _SHOWN_MS)
        QTimer.singleShot(_SHOWN_MS, self._tray, self._tray.hide)

    def _come_forward(self) -> None:
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        if self._tray is not None:
            self._tray.hide()


class DesktopNotifier(QObject):
    """Follows a session's work; `show` gets a title and a text."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        window: QWidget,
        show: Callable[[str, str], None] | None = None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._window = window
        self._show = show or DesktopNotice(window).show
        clock = WorkClock(session, now_s, self)
        # Later: what came of the work is known once everybody has seen that it is over.
        clock.done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    def _on_done(self, activity: Activity, seconds: float) -> None:
        title = _TITLES.get(activity)
        # Not every desktop takes the focus from a window that is put away.
        seen = self._window.isActiveWindow() and not self._window.isMinimized()
        if title is None or seconds < LONG_S or seen or not self._settings.notify:
            return
        self._show(tr(title, time=duration_text(seconds * 1e9)), self._outcome(activity))

    def _outcome(self, activity: Activity) -> str:
        """What came of it; verdicts of before are no news."""
        is_news = isinstance(self._session.shown, Notice) or activity in _CONCLUDED
        return self._session.headline if is_news else ""


_PURPOSE = mark("modelmon is comparing strategies")


class SleepInhibitor:
    """Follows a session: from the first run of a comparison or race to its end.

    The system is asked from a thread, since its answer may take seconds and the request
    must be taken back by the thread that made it.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._over: threading.Event | None = None
        self._thread: threading.Thread | None = None
        session.activity_changed.connect(self._follow)

    @property
    def held(self) -> bool:
        """Whether a request is under way or in force."""
        return self._over is not None

    def shut_down(self) -> None:
        """Take the request back and wait until that is done."""
        self._release()
        if self._thread is not None:
            self._thread.join()

    def _follow(self) -> None:
        if self._session.activity not in (Activity.COMPARING, Activity.RACING):
            self._release()
        elif self._over is None:
            self._over = threading.Event()
            self._thread = start_thread(partial(_hold, tr(_PURPOSE), self._over))

    def _release(self) -> None:
        if self._over is not None:
            self._over.set()
            self._over = None


def _hold(purpose: str, over: threading.Event) -> None:
    with keep_awake(purpose):
        over.wait()

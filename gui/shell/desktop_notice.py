"""Tells the desktop that long work has ended while the window was not looked at."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.comparison.result import Comparison
from modelmon.core.find_best.result import SearchResult
from modelmon.core.units import duration_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.activity import LONG_S, Activity, WorkClock
from modelmon.gui.session.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.session.session import Session
    from modelmon.gui.session.settings import Settings

_TITLES = {
    Activity.SAMPLING: mark("Sample model written in {time}"),
    Activity.PROBING: mark("Disk measured in {time}"),
    Activity.RUNNING: mark("Run finished after {time}"),
    Activity.COMPARING: mark("Comparison finished after {time}"),
    Activity.RACING: mark("Find best finished after {time}"),
    Activity.WATCHING: mark("Program watched for {time}"),
    Activity.CLUSTERING: mark("Cluster measured in {time}"),
}
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
        found = self._session.shown
        if isinstance(found, Notice):
            return said(found.headline)
        if activity is Activity.RACING and isinstance(found, SearchResult):
            return said(found.recommendation.sentence)
        if activity is Activity.COMPARING and isinstance(found, Comparison):
            return said(found.verdict.sentence)
        if activity is Activity.CLUSTERING and isinstance(found, ClusterResult):
            return said(next(iter(found.recommendation), ""))
        return ""

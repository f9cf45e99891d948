"""Whether the window may close: long measurements are not thrown away by a slip."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

from modelmon.gui.look.language import mark, tr
from modelmon.gui.window.activity import Activity
from modelmon.gui.window.work_clock import LONG_S, WorkClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.session import Session

_QUESTIONS = {
    Activity.COMPARING: mark("Stop Compare A/B and close?"),
    Activity.RACING: mark("Stop Find best and close?"),
}


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

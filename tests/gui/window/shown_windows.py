"""Windows on the screen of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from window_fakes import make_inspection

if TYPE_CHECKING:
    from modelmon.gui.main_window import MainWindow


def opened(window: MainWindow) -> None:
    """Give the window a model, as if it had been opened."""
    window.session.set_inspection(make_inspection())


def ended(window: MainWindow) -> None:
    """Close and delete at once: each living widget makes the next test's style sheet slower."""
    window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

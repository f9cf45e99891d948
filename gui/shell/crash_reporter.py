"""An error of the program itself: a sentence, details to copy, a log file; never a dead window."""

from __future__ import annotations

import sys
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

from modelmon.core.crash_log import crash_log, note_error, own_version, shareable
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_LOOK_MS = 1000
"""How often it is looked for what other threads have left."""
_QT = f"PySide6 {PySide6.__version__}"


class CrashReporter(QObject):
    """Catches what nobody caught, in every thread, writes it down and shows one dialog.

    What another thread leaves is looked for now and then: it must call nothing of Qt.
    """

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path or crash_log()
        self.dialog: QMessageBox | None = None
        self._left: SimpleQueue[tuple[str, str]] = SimpleQueue()
        self._looks = QTimer(self, interval=_LOOK_MS)
        self._looks.timeout.connect(self._show_left)

    def install(self) -> None:
        """Take over the interpreter's hooks for uncaught exceptions."""
        sys.excepthook = self.report
        threading.excepthook = self._report_thread
        self._looks.start()

    def report(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        """Write an uncaught exception of the window's thread down and tell the user."""
        if issubclass(kind, KeyboardInterrupt):
            QGuiApplication.quit()
            return
        self._note(error.with_traceback(trace))
        # Later: no dialog opens while something is being painted.
        QTimer.singleShot(0, self, self._show_left)

    def _report_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._note(args.exc_value)

    def _note(self, error: BaseException) -> None:
        details = note_error(error, f", {_QT}", self._path)
        self._left.put((shareable(f"{type(error).__name__}: {error}"), details))

    def _show_left(self) -> None:
        while not self._left.empty():
            self._show(*self._left.get())

    def _show(self, sentence: str, details: str) -> None:
        # An error while painting comes back with every frame: one dialog at a time.
        if self.dialog is not None:
            return
        dialog = QMessageBox()
        dialog.setWindowTitle("modelmon")
        dialog.setIcon(QMessageBox.Icon.Warning)
        # What an error quotes of a file is no HTML.
        dialog.setTextFormat(Qt.TextFormat.PlainText)
        dialog.setText(tr("Something in modelmon went wrong. The window stays open."))
        dialog.setInformativeText(
            tr(
                "{error}\n\nRuns in progress continue. Details are in {path}.",
                error=sentence,
                path=self._path,
            )
        )
        copy = dialog.addButton(tr("Copy details"), QMessageBox.ButtonRole.ActionRole)
        copy.clicked.disconnect()  # or it would close the dialog
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(details))
        dialog.addButton(QMessageBox.StandardButton.Close)
        dialog.finished.connect(self._forget)
        self.dialog = dialog
        dialog.open()

    def _forget(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None


def versions() -> str:
    """What this runs on."""
    return f"{own_version()}, {_QT}"

"""An error of the program itself: a sentence, details to copy, a log file; never a dead window."""

from __future__ import annotations

import logging
import os
import platform
import sys
import threading
import traceback
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

import modelmon
from modelmon.core.data_folder import data_folder
from modelmon.core.terminal_safe import without_controls
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from types import TracebackType

_log = logging.getLogger(__name__)

_LOOK_MS = 1000
"""How often it is looked for what other threads have left."""
_MOST_BYTES = 1_000_000
"""Of the file: an error of painting comes with every frame. The one before is kept."""


def log_path() -> Path:
    """Where errors of the program are written."""
    return data_folder() / "crash.log"


class CrashReporter(QObject):
    """Catches what nobody caught, in every thread, writes it down and shows one dialog.

    What another thread leaves is looked for now and then: it must call nothing of Qt.
    """

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path or log_path()
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
        self._note(kind, error, trace)
        # Later: no dialog opens while something is being painted.
        QTimer.singleShot(0, self, self._show_left)

    def _report_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._note(args.exc_type, args.exc_value, args.exc_traceback)

    def _note(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        details = "".join(traceback.format_exception(kind, error, trace))
        details = _shareable(f"{versions()}\n\n{details}")
        self._write(details)
        self._left.put((_shareable(f"{kind.__name__}: {error}"), details))

    def _write(self, details: str) -> None:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._path.exists() and self._path.stat().st_size > _MOST_BYTES:
                self._path.replace(self._path.with_suffix(".old.log"))
            self._path.touch(mode=0o600)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{details}\n")
        except OSError as error:
            _log.warning("%s cannot be written: %s", self._path, error)

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


def _shareable(text: str) -> str:
    """Without control characters, and without the name of the user's home folder."""
    home = str(Path.home())
    return without_controls(text.replace(home, "~") if home.strip(os.sep) else text)


def versions() -> str:
    """What a report of an error begins with."""
    return (
        f"modelmon {modelmon.__version__}, Python {platform.python_version()}, "
        f"PySide6 {PySide6.__version__}, {platform.platform()}"
    )

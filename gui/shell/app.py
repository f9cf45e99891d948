"""Starts the window."""

from __future__ import annotations

import gc
import logging
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import modelmon
from modelmon.core.units import use_size_units
from modelmon.gui import language
from modelmon.gui.plots.pens import ScreenWidths
from modelmon.gui.session.settings import Settings
from modelmon.gui.shell.command_controller import take_place
from modelmon.gui.shell.crash_reporter import CrashReporter
from modelmon.gui.shell.first_minute import FirstMinute
from modelmon.gui.shell.long_work import QuitOnSignal
from modelmon.gui.shell.main_window import MainWindow
from modelmon.gui.widgets.icons import app_icon
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence


_LOOK_MS = 1000


class GarbageTimer(QTimer):
    """Collects from now on, once a second where there is enough, in place of Python's own moments.

    Qt disconnects with its locks held and asks Python meanwhile. A collection that deletes a
    QObject just then waits for those locks for ever; from a timer it comes when none is held.
    pyqtgraph's `GarbageCollector` does the same, but takes all of pyqtgraph to import, which a
    window without a model does not need.
    """

    def __init__(self) -> None:
        super().__init__()
        gc.disable()
        self.timeout.connect(self.collect)
        self.start(_LOOK_MS)

    def collect(self) -> None:
        """Collect the generations that are due, as Python would by itself."""
        counts_and_most = zip(gc.get_count(), gc.get_threshold(), strict=True)
        for generation, (count, most) in enumerate(counts_and_most):
            if count <= most:
                return
            gc.collect(generation)


def tend(window: MainWindow) -> None:
    """What a window that is shown needs besides."""
    ScreenWidths(window)
    # What is there by then stays: to look through it again and again would delay frames.
    window.furnished.connect(gc.freeze)


def main(argv: Sequence[str]) -> int:
    """Show the window and return when it is closed.

    `argv` may hold the path of a model, a recording (.jsonl) or a comparison (.json).
    """
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    app = QApplication([sys.argv[0]])
    _garbage = GarbageTimer()
    app.setApplicationName("modelmon")
    app.setApplicationVersion(modelmon.__version__)
    app.setDesktopFileName("modelmon")
    app.setWindowIcon(app_icon())
    reporter = CrashReporter(parent=app)
    reporter.install()
    settings = Settings()
    language.install(app, settings.language)
    use_size_units(settings.units)
    manager().set_mode(settings.mode)
    manager().apply(app)
    window = MainWindow.built(settings)
    take_place(window)
    QuitOnSignal(window)
    window.show()
    tend(window)
    FirstMinute(window).begin()
    if argv:
        QTimer.singleShot(0, window, lambda: window.open_controller.open(argv[0]))
    return app.exec()

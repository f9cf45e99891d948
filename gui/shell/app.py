"""Starts the window, and what it does then by itself: it finds models and programs, chooses what to
compare first, and says what is known before a load.
"""

from __future__ import annotations

import gc
import logging
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

import modelmon
from modelmon.core.crash_log import note_deaths
from modelmon.core.machine.memory import read_memory
from modelmon.core.units import use_size_units
from modelmon.core.worker.events import WatchedProgram
from modelmon.gui import language
from modelmon.gui.open.first_choice import FirstChoice, outlook_text
from modelmon.gui.open.found_models import FoundModelsController
from modelmon.gui.plots.pens import ScreenWidths
from modelmon.gui.session.machine import ProgramFinder
from modelmon.gui.session.settings import Settings
from modelmon.gui.shell.command_controller import step_aside
from modelmon.gui.shell.crash_reporter import CrashReporter
from modelmon.gui.shell.long_work import QuitOnSignal
from modelmon.gui.shell.main_window import MainWindow
from modelmon.gui.widgets.theme import app_icon, manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.gui.session.notices import Notice

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
    note_deaths()
    settings = Settings()
    language.install(app, settings.language)
    use_size_units(settings.units)
    manager().set_mode(settings.mode)
    manager().apply(app)
    window = MainWindow.built(settings)
    step_aside(window)
    QuitOnSignal(window)
    window.show()
    tend(window)
    FirstMinute(window).begin()
    if not settings.toured:
        settings.toured = True
        QTimer.singleShot(_FIRST_PAINT_MS, window, window.commands.show_tour)
    if argv:
        QTimer.singleShot(0, window, lambda: window.open_controller.open(argv[0]))
    return app.exec()


_FIRST_PAINT_MS = 300


class FirstMinute(QObject):
    """Connects what looks for models and programs, and the first choice, with a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._usable_bytes = 0
        self.finding = FoundModelsController(window.session, window.settings, parent=self)
        found = window.empty.found
        found.chosen.connect(window.open_controller.open_model)
        found.again.clicked.connect(self.finding.look)
        found.folders.clicked.connect(window.commands.does["settings"])
        self.finding.changed.connect(self._show_found)
        self.programs = ProgramFinder(window.session, parent=self)
        self._programs_due = False
        window.session.activity_changed.connect(self._look_if_due)
        page = window.empty.programs
        page.again.clicked.connect(self._look_for_programs)
        page.watch_wanted.connect(
            lambda command: window.commands.ask_what_to_watch(
                WatchedProgram(command, "") if command else None
            )
        )
        self.programs.programs_found.connect(page.show_programs)
        self.programs.no_programs.connect(page.show_failure)
        self._choice = FirstChoice(window.session, window.machine, window.settings, parent=self)
        window.furnished.connect(self._amend_hints)
        if window.is_furnished:
            self._amend_hints()
        window.preferences.model_folders_changed.connect(self.finding.look)

    def begin(self) -> None:
        """Start to look for models and programs, a moment after the window is shown, which is
        painted first.
        """
        QTimer.singleShot(_FIRST_PAINT_MS, self, self.finding.look)
        QTimer.singleShot(_FIRST_PAINT_MS, self, self._look_for_programs)
        # Of a window that was killed.
        QTimer.singleShot(_FIRST_PAINT_MS, self, self._window.sample.remove_orphans)

    def _look_for_programs(self) -> None:
        session = self._window.session
        self._programs_due = session.busy
        if session.empty and not session.busy:
            self._window.empty.programs.show_looking()
            self.programs.look_without_model()

    def _look_if_due(self) -> None:
        if self._programs_due and not self._window.session.busy:
            # By then a model is there that was opened.
            QTimer.singleShot(0, self, self._look_for_programs)

    def _amend_hints(self) -> None:
        slot = self._window.workspace.slot
        slot.amend_hint = self._amended
        self._window.machine.changed.connect(slot.refresh)

    def _amended(self, hint: Notice) -> Notice:
        """The hint with why B is worth a try, and with what is known before the load."""
        machine, inspection = self._window.machine, self._window.session.inspection
        if inspection is None:
            return hint
        return replace(
            hint,
            reason=self._choice.reason or hint.reason,
            caveat=outlook_text(inspection, machine.diagnosis, machine.probe),
        )

    def _show_found(self) -> None:
        finding = self.finding
        if not finding.models:
            # Once for each look: a table that changes with every allocation cannot be read.
            self._usable_bytes = read_memory().usable_bytes
        self._window.empty.found.show_found(
            finding.models,
            finding.searched,
            usable_bytes=self._usable_bytes,
            looking=finding.looking,
            failure=finding.failure,
        )

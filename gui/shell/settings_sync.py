"""Keeps the window and its settings file in step: recents, outcomes, choices, geometry."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from modelmon.core.comparison.result import Comparison
from modelmon.core.find_best.result import SearchResult
from modelmon.gui.background.commands import Presence
from modelmon.gui.language import tr
from modelmon.gui.session.session import outcome_text
from modelmon.gui.session.settings import UNFINISHED
from modelmon.gui.widgets.styling import keyless, plain

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from modelmon.core.messages import Message
    from modelmon.gui.shell.main_window import MainWindow


class SettingsSync(QObject):
    """Writes what changes, and brings it back at the start."""

    def __init__(self, window: MainWindow, recents_menu: QMenu) -> None:
        super().__init__(window)
        self._window = window
        self._settings = window.settings
        self._menu = recents_menu
        self._seen: Comparison | SearchResult | None = None
        self._presence = Presence(self)
        self._presence.changed.connect(self._mark_gone)
        self._writing = QTimer(self, singleShot=True, interval=0)
        self._writing.timeout.connect(self._write)
        self._settings.on_put = self._writing.start
        recents_menu.aboutToShow.connect(self.fill_menu)
        window.session.settings_changed.connect(self._on_settings)
        window.session.resumable.connect(self._on_resumable)
        window.session.slot_changed.connect(self._on_outcome)
        window.open_controller.recents_changed.connect(self.show_recents)
        window.empty.recents.forget_wanted.connect(self._forget)

    def restore(self) -> None:
        """Bring the window back as it was left."""
        window, settings = self._window, self._settings
        for part, restore in (
            ("window", window.restoreGeometry),
            ("side", window.splitter.restoreState),
        ):
            state = settings.geometry(part)
            if not state.isEmpty():
                restore(state)
        window.side.setVisible(settings.side_panel)
        own = window.session.own_presets
        own.replace_all(settings.own_presets)
        self._presets = own.configs
        own.changed.connect(self._on_presets)
        self.show_recents()

    def restore_workspace(self) -> None:
        """Bring plots and tabs back as they were left."""
        work, settings = self._window.workspace, self._settings
        state = settings.geometry("plots")
        if not state.isEmpty():
            work.divide(state)
        if settings.tab not in (work.best.objectName(), work.cluster.objectName()):
            # Neither is kept with the window: their tabs would be empty.
            work.show_tab(settings.tab)

    def save(self) -> None:
        """Write the window's geometry and all that has not been written yet."""
        window, settings = self._window, self._settings
        settings.set_geometry("window", window.saveGeometry())
        settings.set_geometry("side", window.splitter.saveState())
        if window.is_furnished:
            settings.set_geometry("plots", window.workspace.division)
            settings.tab = window.workspace.tab
        settings.save()

    def show_recents(self) -> None:
        """Show the list of models that were open before."""
        recents = self._settings.recents()
        self._window.empty.show_recents(recents)
        self._mark_gone()
        self._presence.look(recent.path for recent in recents)

    def fill_menu(self) -> None:
        """Fill the menu of recent models when it opens."""
        self._menu.clear()
        for recent in self._settings.recents():
            action = self._menu.addAction(keyless(recent.name))
            action.setToolTip(plain(recent.path))
            action.triggered.connect(
                lambda _=False, path=recent.path: self._window.open_controller.open(path)
            )
        if self._menu.isEmpty():
            self._menu.addAction(tr("No models opened yet")).setEnabled(False)

    def _write(self) -> None:
        """Write what has changed, and say for as long as it can't be written."""
        problem = tr(
            "Settings aren't saved: {file} can't be written. Free space there, or check the "
            "folder's permissions.",
            file=self._settings.place,
        )
        saved = self._settings.save()
        self._window.session.note_unsaved("settings", "" if saved else problem)

    def _mark_gone(self) -> None:
        self._window.empty.recents.mark_gone(self._presence.gone)

    def _on_settings(self) -> None:
        self._settings.cache = self._window.session.chosen_cache
        self._settings.repeats = self._window.session.repeats

    def _on_presets(self) -> None:
        own, before = self._window.session.own_presets, self._presets
        self._presets = own.configs
        if self._presets != before:
            self._presets = self._settings.change_presets(before, self._presets)
            own.replace_all(self._presets)

    def _on_resumable(self) -> None:
        """What is begun is not finished until it says something, also if the program is killed."""
        session = self._window.session
        begun = UNFINISHED["best" if session.races.live is not None else "compare"]
        if session.inspection is not None:
            path = session.inspection.reference
            if self._settings.outcome(path) != begun:
                self._note(path, begun, time.time())

    def _on_outcome(self) -> None:
        """What is brought back was noted when it was found; more may have been begun since."""
        session = self._window.session
        found = session.verdict
        if found is self._seen or session.is_restored:
            return
        if isinstance(found, Comparison | SearchResult):
            self._seen = found
            self._note(found.path, outcome_text(found), found.created_unix_s)

    def _note(self, path: str, outcome: Message, measured_unix_s: float) -> None:
        self._settings.set_outcome(path, outcome, measured_unix_s)
        self.show_recents()

    def _forget(self, path: str) -> None:
        self._settings.remove_recent(path)
        self.show_recents()

"""Keeps the window and its settings file in step: recents, outcomes, choices, geometry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.core.messages import Message
from modelmon.core.units import three_figures
from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import keyless
from modelmon.gui.opening.presence import Presence

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from modelmon.core.experiment.result import Comparison
    from modelmon.gui.main_window import MainWindow


class SettingsSync(QObject):
    """Writes what changes, and brings it back at the start."""

    def __init__(self, window: MainWindow, recents_menu: QMenu) -> None:
        super().__init__(window)
        self._window = window
        self._settings = window.settings
        self._menu = recents_menu
        self._seen: Comparison | None = None
        self._presence = Presence(self)
        self._presence.changed.connect(self._mark_gone)
        recents_menu.aboutToShow.connect(self.fill_menu)
        window.session.settings_changed.connect(self._on_settings)
        window.session.slot_changed.connect(self._on_outcome)
        window.open_controller.recents_changed.connect(self.show_recents)
        window.workspace.empty.forget_wanted.connect(self._forget)

    def restore(self) -> None:
        """Bring the window back as it was left."""
        window, settings = self._window, self._settings
        for part, restore in (
            ("window", window.restoreGeometry),
            ("side", window.splitter.restoreState),
            ("plots", window.workspace.division.restore),
        ):
            state = settings.geometry(part)
            if not state.isEmpty():
                restore(state)
        tabs = window.workspace.tabs
        if tabs.widget(settings.tab) is not window.workspace.race:
            # A race is not kept with the window: its tab would be empty.
            tabs.setCurrentIndex(settings.tab)
        window.side.setVisible(settings.side_panel)
        own = window.session.own_presets
        own.replace_all(settings.own_presets)
        self._presets = own.configs
        own.changed.connect(self._on_presets)
        self.show_recents()

    def save(self) -> None:
        """Write the window's geometry and all that has not been written yet."""
        window, settings = self._window, self._settings
        settings.set_geometry("window", window.saveGeometry())
        settings.set_geometry("side", window.splitter.saveState())
        settings.set_geometry("plots", window.workspace.division.state)
        settings.tab = window.workspace.tabs.currentIndex()
        settings.save()

    def show_recents(self) -> None:
        """Show the list of models that were open before."""
        recents = self._settings.recents()
        self._window.workspace.empty.show_recents(recents)
        self._mark_gone()
        self._presence.look(recent.path for recent in recents)

    def fill_menu(self) -> None:
        """Fill the menu of recent models when it opens."""
        self._menu.clear()
        for recent in self._settings.recents():
            action = self._menu.addAction(keyless(recent.name))
            action.setToolTip(recent.path)
            action.triggered.connect(
                lambda _=False, path=recent.path: self._window.open_controller.open(path)
            )
        if self._menu.isEmpty():
            self._menu.addAction(tr("No models opened yet")).setEnabled(False)

    def _mark_gone(self) -> None:
        self._window.workspace.empty.recents.mark_gone(self._presence.gone)

    def _on_settings(self) -> None:
        self._settings.cache = self._window.session.chosen_cache
        self._settings.repeats = self._window.session.repeats

    def _on_presets(self) -> None:
        own, before = self._window.session.own_presets, self._presets
        self._presets = own.configs
        if self._presets != before:
            self._presets = self._settings.change_presets(before, self._presets)
            own.replace_all(self._presets)

    def _on_outcome(self) -> None:
        comparison = self._window.session.comparison
        if comparison is None or comparison is self._seen:
            return
        self._seen = comparison
        self._settings.set_outcome(comparison.path, outcome_text(comparison))
        self.show_recents()

    def _forget(self, path: str) -> None:
        self._settings.remove_recent(path)
        self.show_recents()


def outcome_text(comparison: Comparison) -> Message:
    """A verdict in a few words: `B 1.58 times as fast`."""
    verdict = comparison.verdict
    if verdict.winner == "no-difference":
        return Message("no difference")
    if verdict.ratio is None or verdict.winner == "undecided":
        return Message("undecided")
    ratio = verdict.ratio if verdict.winner == "B" else 1 / verdict.ratio
    return Message("{arm} {ratio} times as fast", arm=verdict.winner, ratio=three_figures(ratio))

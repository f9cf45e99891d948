"""Opens the settings, and lets the window follow each change at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractItemView

from modelmon.core.units import size_units, use_size_units
from modelmon.gui.session.settings import Preferences
from modelmon.gui.shell.settings_dialog import SettingsDialog
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.gui.shell.main_window import MainWindow


class PreferencesController(QObject):
    """Keeps a window, its settings and the dialog in step; `model_folders_changed` is for who
    looks for models.
    """

    model_folders_changed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._settings = window.settings
        self._language = window.settings.language
        session = window.session
        session.chosen_cache = self._settings.cache
        session.set_repeats(self._settings.repeats)
        session.sample_hz = self._settings.sample_hz

    def ask(self) -> SettingsDialog:
        """Open the settings."""
        window = self._window
        stored = Preferences.stored(self._settings)
        dialog = SettingsDialog(stored, self._language, window.history, window)
        dialog.changed.connect(self.use)
        dialog.restart_wanted.connect(window.restart)
        dialog.finished.connect(lambda _: self._settings.save())
        dialog.follow(window.session)
        dialog.open()
        return dialog

    def use(self, wanted: Preferences) -> None:
        """Store these and put them into force, except for the language of a window."""
        window, session = self._window, self._window.session
        before = Preferences.stored(self._settings)
        wanted.store(self._settings)
        manager().set_mode(wanted.mode)
        window.refresh_checks()
        session.sample_hz = wanted.sample_hz
        if not session.busy:
            session.set_cache(wanted.cache)
            session.set_repeats(wanted.repeats)
        if wanted.units != size_units():
            use_size_units(wanted.units)
            self._tell_quantities_anew()
        if wanted.model_folders != before.model_folders:
            self.model_folders_changed.emit()

    def _tell_quantities_anew(self) -> None:
        window, session = self._window, self._window.session
        session.settings_changed.emit()
        session.runs_changed.emit()
        session.races.changed.emit()
        if window.is_furnished:
            window.workspace.renew()
        window.side.renew()
        # The doctor's sentences are written by another process.
        window.machine.look()
        for view in window.findChildren(QAbstractItemView):
            view.viewport().update()

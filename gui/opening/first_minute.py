"""What the window does by itself before anything is measured: it finds models, chooses what to
compare first, and says what is known before a load.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from modelmon.core.machine.memory import read_memory
from modelmon.gui.opening.first_choice import FirstChoice
from modelmon.gui.opening.found_models_controller import FoundModelsController
from modelmon.gui.opening.outlook import outlook_text

if TYPE_CHECKING:
    from modelmon.gui.main_window import MainWindow
    from modelmon.gui.window.notices import Notice

_FIRST_PAINT_MS = 300


class FirstMinute(QObject):
    """Connects the parts of it with a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._usable_bytes = 0
        self.finding = FoundModelsController(window.session, window.settings, parent=self)
        window.parts_at_work = (*window.parts_at_work, self.finding)
        found = window.workspace.empty.found
        found.chosen.connect(window.open_controller.open_model)
        found.look_wanted.connect(self.finding.look)
        found.folders_wanted.connect(window.commands.settings)
        self.finding.changed.connect(self._show_found)
        self._choice = FirstChoice(window.session, window.machine, window.settings, parent=self)
        window.workspace.slot.amend_hint = self._amended
        window.machine.changed.connect(window.workspace.slot.refresh)
        window.preferences.model_folders_changed.connect(self.finding.look)

    def begin(self) -> None:
        """Start to look for models, a moment after the window is shown: it is painted first."""
        QTimer.singleShot(_FIRST_PAINT_MS, self, self.finding.look)

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
        self._window.workspace.empty.found.show_found(
            finding.models,
            finding.searched,
            usable_bytes=self._usable_bytes,
            looking=finding.looking,
            failure=finding.failure,
        )

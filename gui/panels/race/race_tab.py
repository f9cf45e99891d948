"""The Find best tab: the ranking, and below it the recommendation in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from modelmon.gui.panels.race.race_details import RaceDetails
from modelmon.gui.panels.race.race_table import RaceTable

if TYPE_CHECKING:
    from modelmon.gui.find_best.races import Races


_TABLE_PARTS, _DETAILS_PARTS = 620, 380


class RaceTab(QSplitter):
    """Follows the window's race."""

    def __init__(self, races: Races) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._races = races
        self.setChildrenCollapsible(False)
        self.table = RaceTable(races)
        self.details = RaceDetails()
        self.addWidget(self.table)
        self.addWidget(self.details)
        self.setSizes([_TABLE_PARTS, _DETAILS_PARTS])
        races.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        self.details.show_race(self._races.race)

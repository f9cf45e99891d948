"""The blocks of the open model in the access maps: which one lies where, which is selected."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.gui.plots.time.arms import ARMS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.access.block_places import BlockPlaces
    from modelmon.gui.plots.access.request_map import RequestMap
    from modelmon.gui.window.notices import ArmLabel


class MapBlocks(QObject):
    """Marks the selected block in the maps of the runs that have loaded the open files."""

    block_selected = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.selected = ""
        self._maps: dict[ArmLabel, list[RequestMap]] = {label: [] for label in ARMS}
        self._places: BlockPlaces | None = None
        self._fitting: dict[ArmLabel, BlockPlaces] = {}

    def add(self, label: ArmLabel, each: RequestMap) -> None:
        """Mark it in this map of an arm, too."""
        self._maps[label].append(each)
        each.clicked.connect(partial(self._on_clicked, label))

    def set_places(self, places: BlockPlaces | None) -> None:
        """The blocks of the model that is open now."""
        self._places = places
        self.selected = ""

    def select(self, name: str) -> None:
        """Choose the block that is marked; an empty name stands for none."""
        self.selected = name

    def show(self, records: Mapping[ArmLabel, RunRecord | None]) -> None:
        """Mark it in the maps of these runs."""
        self._fitting = {}
        for label, record in records.items():
            planned = record.planned if record is not None else None
            places = self._places
            if places is not None and planned is not None and places.fits(planned.shard_bytes):
                self._fitting[label] = places
            self._mark(label)

    def _mark(self, label: ArmLabel) -> None:
        places = self._fitting.get(label)
        for each in self._maps[label]:
            each.block_at = places.at if places is not None else None
            each.select(places.of(self.selected) if places is not None and self.selected else ())

    def _on_clicked(self, label: ArmLabel, offset_bytes: float) -> None:
        places = self._fitting.get(label)
        name = places.at(offset_bytes) if places is not None else ""
        if name:
            self.selected = name
            for each in ARMS:
                self._mark(each)
            self.block_selected.emit(name)

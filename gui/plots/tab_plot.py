"""What the plots of A and B that have a tab of their own have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from modelmon.gui.plots.arms import ARMS
from modelmon.gui.plots.frame import PlotFrame

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QShowEvent

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.session.notices import ArmLabel


class TabPlot(PlotFrame):
    """Holds what the arms show; a plot draws that in `refresh`, and only while it is seen.

    `_drawn` is what it was drawn for, so that the same is not drawn again.
    """

    block_selected = Signal(str)

    def __init__(self, name: str, empty_text: str) -> None:
        super().__init__(name, empty_text, framed=False)
        self.records: dict[ArmLabel, RunRecord | None] = {"A": None, "B": None}
        self.visible_arms: frozenset[ArmLabel] = frozenset(ARMS)
        self._drawn: dict[str, object] = {}

    def refresh(self) -> None:
        """Draw what the records have gained; cheap when there is nothing."""
        raise NotImplementedError

    def set_record(self, label: ArmLabel, record: RunRecord | None) -> None:
        """Show `record` as arm `label` from now on; None empties the arm."""
        self.records[label] = record
        self.refresh()

    def renew(self) -> None:
        """Draw all anew, after something other than the records has changed."""
        self._drawn = {}
        self.refresh()

    def set_visible_arms(self, arms: Collection[ArmLabel]) -> None:
        """Show only these arms."""
        self.visible_arms = frozenset(arms)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while it was hidden."""
        super().showEvent(event)
        self.refresh()

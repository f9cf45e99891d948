"""What the plots of a model's blocks have in common: a table, its order, one that is selected."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QMenu

from modelmon.gui.blocks.block_table import BlockTable
from modelmon.gui.language import tr
from modelmon.gui.plots.arms import ARMS
from modelmon.gui.plots.tab_plot import TabPlot

if TYPE_CHECKING:
    from collections.abc import Iterable


class BlockPlot(TabPlot):
    """Shows the blocks of both arms in the order that its box says."""

    def __init__(self, name: str, empty_text: str) -> None:
        super().__init__(name, empty_text)
        self.table = BlockTable(self.records)
        self.selected = ""
        self.order_box = QComboBox()

    @property
    def has_table(self) -> bool:
        """The figures of each block."""
        return True

    def csv_text(self) -> str:
        """A row for each block of each shown arm, in the order in which they are shown."""
        return self.table.csv_text([label for label in ARMS if label in self.visible_arms])

    def make_menu(self) -> QMenu:
        """Orders, too, for where the box has no room."""
        menu = super().make_menu()
        orders = menu.addMenu(tr("Block order"))
        for at in range(self.order_box.count()):
            name = self.order_box.itemText(at)
            choice = orders.addAction(name, partial(self.order_box.setCurrentIndex, at))
            choice.setCheckable(True)
            choice.setChecked(at == self.order_box.currentIndex())
        return menu

    def _offer_orders(self, names: Iterable[str]) -> None:
        """Let people choose among these orders, after the legend; the menu has them, too."""
        self.order_box.setProperty("compact", True)
        self.order_box.setAccessibleName(tr("Block order"))
        self.order_box.addItems([tr(name) for name in names])
        self.order_box.currentIndexChanged.connect(self.refresh)
        self.header.add_entry(self.order_box, optional=True)

    def _beside_selected(self, step: int) -> int | None:
        """The number of the block that lies so many after the selected one; None without any."""
        names = self.table.names
        if not names:
            return None
        here = names.index(self.selected) if self.selected in names else -1 if step > 0 else 1
        return min(max(here + step, 0), len(names) - 1)

"""The list of strategies in a card: presets, own presets, then libraries to measure against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox

from modelmon.gui.look.language import mark, tr
from modelmon.gui.measuring.own_presets import CUSTOM
from modelmon.gui.panels.card.strategy_delegate import BESIDE_ROLE, StrategyDelegate

if TYPE_CHECKING:
    from modelmon.gui.measuring.strategy_list import Offer
    from modelmon.gui.window.notices import ArmLabel

_CHARACTERS = 14
_ROWS = 32
_ABOUT_CUSTOM = mark("Shown when the settings match no other strategy")


class StrategyBox(QComboBox):
    """Groups with a line between them; `chosen` carries a name.

    What cannot be used here is in the list too, and says why not.
    """

    chosen = Signal(str)

    def __init__(self, arm: ArmLabel) -> None:
        super().__init__()
        self.setAccessibleName(tr("Strategy of {arm}", arm=arm))
        # The longest name is a library's; the box must leave room for the sentence beside it.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_CHARACTERS)
        self.setMaxVisibleItems(_ROWS)
        self._groups: tuple[tuple[Offer, ...], ...] = ()
        self._drawing = StrategyDelegate(self)
        self.setItemDelegate(self._drawing)
        self.activated.connect(self._on_activated)

    def set_groups(self, groups: tuple[tuple[Offer, ...], ...]) -> None:
        """List these strategies; what is shown stays so."""
        if groups == self._groups:
            return
        self._groups = groups
        here = self.currentText()
        items = QStandardItemModel(self)
        for group in groups:
            if group and items.rowCount():
                items.appendRow(_separator())
            for offer in group:
                items.appendRow(_item(offer))
        items.appendRow(_separator())
        custom = QStandardItem(CUSTOM)
        custom.setEnabled(False)
        custom.setToolTip(tr(_ABOUT_CUSTOM))
        custom.setData(tr(_ABOUT_CUSTOM), BESIDE_ROLE)
        items.appendRow(custom)
        self.setModel(items)
        self.view().setMinimumWidth(self._drawing.width_px)
        self.show_name(here)

    def show_name(self, name: str) -> None:
        """Show the strategy that is in force."""
        at = self.findText(name)
        self.setCurrentIndex(at if at >= 0 else self.findText(CUSTOM))
        self.setToolTip(name)

    def _on_activated(self, at: int) -> None:
        if self.itemText(at) != CUSTOM:
            self.chosen.emit(self.itemText(at))


def _item(offer: Offer) -> QStandardItem:
    item = QStandardItem(offer.name)
    item.setEnabled(not offer.obstacle)
    about = offer.sentence
    if offer.version:
        about = "\n".join((about, tr("Version {version}", version=offer.version)))
    item.setToolTip(offer.obstacle or about)
    item.setData(offer.obstacle or offer.sentence, BESIDE_ROLE)
    item.setData(offer.obstacle or about, Qt.ItemDataRole.AccessibleDescriptionRole)
    return item


def _separator() -> QStandardItem:
    item = QStandardItem()
    # What QComboBox.insertSeparator writes, and the view's delegate draws as a line.
    item.setData("separator", Qt.ItemDataRole.AccessibleDescriptionRole)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item

"""The list of strategies in a card: presets, own presets, libraries to measure, a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem

from modelmon.core.load.config import CUSTOM
from modelmon.gui.language import mark, tr
from modelmon.gui.widgets.item_drawing import draw_ground, draw_line
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from modelmon.gui.compare.strategy_list import Offer
    from modelmon.gui.session.notices import ArmLabel

_ROWS = 32
_ABOUT_CUSTOM = mark("Shown when the settings match no other strategy")
_A_PROGRAM = mark("A program…")
_ABOUT_PROGRAM = mark("Another program that loads this model: its command, or a preset")
BESIDE_ROLE = Qt.ItemDataRole.UserRole + 1
"""What stands beside the name."""
_ROW_PX, _LINE_PX = 24, 9
_LEFT_PX, _GAP_PX = 10, 16
_MOST_BESIDE_PX = 440


class StrategyBox(QComboBox):
    """Groups with a line between them; `chosen` carries a name, `program_wanted` none yet.

    What cannot be used here is in the list too, and says why not.
    """

    chosen = Signal(str)
    program_wanted = Signal()

    def __init__(self, arm: ArmLabel) -> None:
        super().__init__()
        self.setAccessibleName(tr("Strategy of {arm}", arm=arm))
        # The longest name is a library's; the box must leave room for the sentence beside it.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMaxVisibleItems(_ROWS)
        self._groups: tuple[tuple[Offer, ...], ...] = ()
        self._program = QStandardItem(tr(_A_PROGRAM))
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
        self._program = QStandardItem(tr(_A_PROGRAM))
        self._program.setToolTip(tr(_ABOUT_PROGRAM))
        self._program.setData(tr(_ABOUT_PROGRAM), BESIDE_ROLE)
        items.appendRow(self._program)
        items.appendRow(_separator())
        custom = QStandardItem(CUSTOM)
        custom.setEnabled(False)
        custom.setToolTip(tr(_ABOUT_CUSTOM))
        custom.setData(tr(_ABOUT_CUSTOM), BESIDE_ROLE)
        items.appendRow(custom)
        self.setModel(items)
        self.view().setMinimumWidth(self._drawing.width_px)
        self.show_name(here)

    def show_program(self, name: str, obstacle: str = "") -> None:
        """Show that a program is in force; without a name that one can be, or why it can't."""
        self._program.setText(name or tr(_A_PROGRAM))
        self._program.setEnabled(not obstacle)
        self._program.setToolTip(obstacle or tr(_ABOUT_PROGRAM))
        self._program.setData(obstacle or tr(_ABOUT_PROGRAM), BESIDE_ROLE)
        if name:
            self.setCurrentIndex(self._program.row())

    def show_name(self, name: str) -> None:
        """Show the strategy that is in force."""
        at = self.findText(name)
        self.setCurrentIndex(at if at >= 0 else self.findText(CUSTOM))

    def _on_activated(self, at: int) -> None:
        if at == self._program.row():
            self.program_wanted.emit()
        elif self.itemText(at) != CUSTOM:
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


class StrategyDelegate(QStyledItemDelegate):
    """Draws a name, and beside it when it wins or why it cannot be used.

    A text that is too long is shortened, its tool tip is not.
    """

    def __init__(self, box: QComboBox) -> None:
        super().__init__(box)
        self._box = box

    @property
    def names_px(self) -> int:
        """The width of the widest name."""
        model, metrics = self._box.model(), self._box.fontMetrics()
        rows = (model.index(row, 0) for row in range(model.rowCount()))
        return max((metrics.horizontalAdvance(str(at.data() or "")) for at in rows), default=0)

    @property
    def width_px(self) -> int:
        """The width in which all names and most of the texts beside them have room."""
        return _LEFT_PX + self.names_px + _GAP_PX + _MOST_BESIDE_PX

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """One line of text, or of a separator."""
        del option
        return QSize(self.width_px, _ROW_PX if index.data() else _LINE_PX)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw an entry, or the line between two groups."""
        theme, place = manager().theme, QRect(option.rect)
        if not index.data():
            painter.fillRect(
                place.adjusted(8, _LINE_PX // 2, -8, _LINE_PX // 2 + 1 - _LINE_PX), theme.border
            )
            return
        draw_ground(self, painter, option, index)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        of_name = theme.text if enabled else theme.text_2
        beside = place.adjusted(_LEFT_PX + self.names_px + _GAP_PX, 0, -8, 0)
        painter.save()
        for text, px, where, colour in (
            (index.data(), 13, place.adjusted(_LEFT_PX, 0, 0, 0), of_name),
            (index.data(BESIDE_ROLE) or "", 12, beside, theme.text_2),
        ):
            draw_line(painter, where, str(text), colour, px=px)
        painter.restore()

"""What an export can write, as a list to tick; each entry with a second line about its use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from modelmon.gui.language import mark, tr
from modelmon.gui.widgets.icons import icon
from modelmon.gui.widgets.item_drawing import draw_ground, draw_line
from modelmon.gui.widgets.styling import IconLabel, label, styled
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter

    from modelmon.core.programs.advice import Standing
    from modelmon.gui.export.sources import ExportEntry

_ROW_PX = 48
_LEFT_PX = 34
_ID = Qt.ItemDataRole.UserRole
_PURPOSE = Qt.ItemDataRole.UserRole + 1
_STANDING = Qt.ItemDataRole.UserRole + 2
_CHECKED = Qt.CheckState.Checked
_ICON_PX, _ICON_GAP_PX = 12, 4
_ICONS: dict[Standing, str] = {"measured": "check", "mapped": "nearest", "cannot": "skip"}
_LEGEND: dict[Standing, str] = {
    "measured": mark("Measured here: the program itself was tested"),
    "mapped": mark("Nearest: its closest setting"),
    "cannot": mark("Can't express: it has no such setting"),
}


class Legend(QWidget):
    """What the marks in the list mean."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 0, 8, 0)
        grid.setHorizontalSpacing(_ICON_GAP_PX)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for row, (standing, text) in enumerate(_LEGEND.items()):
            role = "good" if standing == "measured" else "text_2"
            grid.addWidget(IconLabel(_ICONS[standing], role, _ICON_PX), row, 0)
            grid.addWidget(label(tr(text), "hint", wrap=True), row, 1)


class ExportList(QListWidget):
    """`selected` carries the id of the entry that is looked at, `ticked` follows every tick."""

    selected = Signal(str)
    ticked = Signal()

    def __init__(self) -> None:
        super().__init__()
        styled(self, "list")
        self.setAccessibleName(tr("Who will load the model?"))
        self.setItemDelegate(_EntryDelegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentItemChanged.connect(self._on_current)
        self.itemChanged.connect(lambda _: self.ticked.emit())

    @property
    def ticked_ids(self) -> tuple[str, ...]:
        """What is to be written; an entry with an obstacle never is."""
        possible = Qt.ItemFlag.ItemIsEnabled
        return tuple(
            item.data(_ID)
            for item in self._items()
            if item.checkState() == _CHECKED and item.flags() & possible
        )

    @property
    def wanted_ids(self) -> tuple[str, ...]:
        """What is ticked, whether it can be written or not."""
        return tuple(item.data(_ID) for item in self._items() if item.checkState() == _CHECKED)

    def show_entries(self, entries: Sequence[ExportEntry], ticked: Sequence[str]) -> None:
        """List these; what was looked at stays so where it is among them."""
        here = self.currentItem().data(_ID) if self.currentItem() else ""
        blocked = self.blockSignals(True)
        self.clear()
        for entry in entries:
            self._add(entry, ticked=entry.id in ticked)
        ids = [entry.id for entry in entries]
        self.setCurrentRow(ids.index(here) if here in ids else 0)
        self.blockSignals(blocked)

    def _add(self, entry: ExportEntry, *, ticked: bool) -> None:
        item = QListWidgetItem(entry.title)
        item.setData(_ID, entry.id)
        item.setData(_PURPOSE, entry.purpose)
        item.setData(_STANDING, entry.standing)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, entry.purpose)
        item.setToolTip(entry.purpose)
        item.setCheckState(_CHECKED if ticked else Qt.CheckState.Unchecked)
        if entry.obstacle:
            item.setFlags(Qt.ItemFlag.ItemIsSelectable)
        self.addItem(item)

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    def _on_current(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.selected.emit(item.data(_ID))


class _EntryDelegate(QStyledItemDelegate):
    """Draws tick and ground as the style does, and two lines of text beside them."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Two lines high."""
        return QSize(super().sizeHint(option, index).width(), _ROW_PX)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw an entry."""
        draw_ground(self, painter, option, index)
        theme = manager().theme
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        room = QRect(option.rect).adjusted(_LEFT_PX, 4, -8, -4)
        upper, lower = QRect(room), QRect(room)
        upper.setBottom(room.center().y())
        lower.setTop(room.center().y() + 1)
        painter.save()
        standing = index.data(_STANDING)
        below = theme.good if enabled and standing == "measured" else theme.text_2
        if standing in _ICONS:
            place = QRect(0, 0, _ICON_PX, _ICON_PX)
            place.moveCenter(QPoint(lower.left() + _ICON_PX // 2, lower.center().y()))
            icon(_ICONS[standing], below).paint(painter, place)
            lower.setLeft(place.right() + 1 + _ICON_GAP_PX)
        for place, px, weight, colour, role in (
            (upper, 13, 600, theme.text if enabled else theme.text_2, Qt.ItemDataRole.DisplayRole),
            (lower, 11, 400, below, _PURPOSE),
        ):
            draw_line(painter, place, str(index.data(role)), colour, px=px, weight=weight)
        painter.restore()

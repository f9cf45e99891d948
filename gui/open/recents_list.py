"""Models that were open before, with what they are and what a comparison has shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeySequence,
    QPainter,
    QShortcut,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from modelmon.core.remote import SCHEME, parts_of
from modelmon.core.units import size_text
from modelmon.gui.language import said, tr
from modelmon.gui.session.settings import Recent
from modelmon.gui.widgets.icons import icon
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import label, plain, styled
from modelmon.gui.widgets.tables import draw_line
from modelmon.gui.widgets.theme import font, manager
from modelmon.gui.widgets.when import when_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex

_RECENT_ROLE = Qt.ItemDataRole.UserRole
_NOW_ROLE = Qt.ItemDataRole.UserRole + 1
_GONE_ROLE = Qt.ItemDataRole.UserRole + 2
_ROW_PX = 56
_BESIDE_PX = 12
_ROUNDING_PX = 2
"""Of a text, which is cut where it is drawn a little wider than it was measured."""
_NAME_SHARE = 0.55
_FIELD_PX = 32


class RecentsList(QFrame):
    """A heading over a list; Return or a click opens, Delete forgets."""

    chosen = Signal(str)
    forget_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        styled(self, "panel")
        head = in_row(margins=(15, 8, 15, 8))
        # As high as the field beside the other list's title.
        head.addStrut(round(_FIELD_PX * manager().scale))
        head.addWidget(label(tr("Recent"), "title"), 1)
        self._count = label("", "label")
        head.addWidget(self._count)
        self._items = QStandardItemModel(self)
        self.view = QListView()
        self.view.setModel(self._items)
        self.view.setAccessibleName(tr("Recent models"))
        self.view.setItemDelegate(_RecentDelegate(self.view))
        self.view.setMouseTracking(True)
        self.view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.view.activated.connect(self._choose)
        self.view.clicked.connect(self._choose)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        forget = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.view)
        forget.setContext(Qt.ShortcutContext.WidgetShortcut)
        forget.activated.connect(self._forget)
        in_column(head, (self.view, 1), on=self, margins=(1, 0, 1, 1), spacing=0)

    def show_recents(self, recents: list[Recent], now_unix_s: float) -> None:
        """Show these models; `now_unix_s` tells today from yesterday."""
        self._items.clear()
        for recent in recents:
            item = QStandardItem(recent.name)
            item.setData(recent, _RECENT_ROLE)
            item.setData(now_unix_s, _NOW_ROLE)
            told = (recent.path, said(recent.outcome))
            item.setToolTip(plain("\n".join(filter(None, told))))
            item.setData(f"{recent.name}, {what_text(recent)}", Qt.ItemDataRole.AccessibleTextRole)
            self._items.appendRow(item)
        count = len(recents)
        many = tr("{count} models", count=count) if count else ""
        self._count.setText(tr("1 model") if count == 1 else many)

    def mark_gone(self, paths: Collection[str]) -> None:
        """Say of the models that lie at these paths that they are not there any more."""
        for row in range(self._items.rowCount()):
            item = self._items.item(row)
            item.setData(item.data(_RECENT_ROLE).path in paths, _GONE_ROLE)

    def _choose(self, index: QModelIndex) -> None:
        recent = index.data(_RECENT_ROLE)
        if isinstance(recent, Recent):
            self.chosen.emit(recent.path)

    def _forget(self) -> None:
        recent = self.view.currentIndex().data(_RECENT_ROLE)
        if isinstance(recent, Recent):
            self.forget_wanted.emit(recent.path)

    def _open_menu(self, place: QPoint) -> None:
        recent = self.view.indexAt(place).data(_RECENT_ROLE)
        if not isinstance(recent, Recent):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open"), lambda: self.chosen.emit(recent.path))
        menu.addAction(tr("Remove from the list"), lambda: self.forget_wanted.emit(recent.path))
        menu.popup(self.view.viewport().mapToGlobal(place))


def what_text(recent: Recent) -> str:
    """What a model is: `safetensors, 16.1 GB, 34 blocks`; and the server that it is on."""
    server = parts_of(recent.path).server.removeprefix(SCHEME)
    what = tr(
        "{format}, {size}, {blocks} blocks",
        format=recent.format,
        size=size_text(recent.nbytes),
        blocks=recent.blocks,
    )
    return f"{what} · {server}" if server else what


def date_text(recent: Recent, now_unix_s: float) -> str:
    """When its result was measured; without one, or where that is not known, when it was open."""
    if recent.outcome and recent.measured_unix_s:
        return tr("measured {when}", when=when_text(recent.measured_unix_s, now_unix_s))
    return tr("opened {when}", when=when_text(recent.opened_unix_s, now_unix_s))


class _RecentDelegate(QStyledItemDelegate):
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        del option, index
        return QSize(240, round(_ROW_PX * manager().scale))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        recent: Recent = index.data(_RECENT_ROLE)
        theme = manager().theme
        place: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(place, theme.focus_soft)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(place, theme.hover)
        painter.fillRect(QRect(place.left(), place.top(), place.width(), 1), theme.border)
        row = place.adjusted(15, 9, -15, -8)
        icon("model").paint(painter, QRect(row.left(), row.center().y() - 8, 16, 16))
        row.setLeft(row.left() + 30)
        gone = bool(index.data(_GONE_ROLE))
        right_text = tr("no longer there") if gone else said(recent.outcome)
        quiet = theme.text_2
        name = _Text(recent.name, 13, 600, quiet if gone else theme.text)
        right = _Text(right_text, 12, 400, theme.text if recent.outcome and not gone else quiet)
        upper, lower = _halves(row)
        what, when = _fitting(recent, index.data(_NOW_ROLE), quiet, lower.width())
        # What is to be opened is read before what came of it.
        least_px = min(name.width_px, round(upper.width() * _NAME_SHARE))
        right_px = min(right.width_px, upper.width() - least_px - _BESIDE_PX)
        for left, beside, half, beside_px in (
            (name, right, upper, right_px),
            (what, when, lower, when.width_px),
        ):
            left_end = -beside_px - _BESIDE_PX if beside_px else 0
            left.draw(painter, half.adjusted(0, 0, left_end, 0), Qt.AlignmentFlag.AlignLeft)
            place = half.adjusted(half.width() - beside_px, 0, 0, 0)
            beside.draw(painter, place, Qt.AlignmentFlag.AlignRight)
        painter.restore()


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    px: int
    weight: int
    colour: QColor

    @property
    def width_px(self) -> int:
        metrics = QFontMetrics(font(self.px, self.weight))
        return metrics.horizontalAdvance(self.text) + _ROUNDING_PX

    def draw(self, painter: QPainter, place: QRect, side: Qt.AlignmentFlag) -> None:
        draw_line(painter, place, self.text, self.colour, px=self.px, weight=self.weight, side=side)


def _fitting(
    recent: Recent, now_unix_s: float, colour: QColor, room_px: int
) -> tuple[_Text, _Text]:
    """What a model is, and when it was measured or open, as much of both as there is room for: a
    few letters of them would say less than nothing.
    """
    size, long = size_text(recent.nbytes), date_text(recent, now_unix_s)
    measured_unix_s = recent.measured_unix_s if recent.outcome else 0.0
    short = when_text(measured_unix_s or recent.opened_unix_s, now_unix_s)
    told = ((what_text(recent), long), (size, long), (size, short), ("", short))
    texts = [(_Text(what, 12, 400, colour), _Text(when, 12, 400, colour)) for what, when in told]
    fitting = (
        (what, when)
        for what, when in texts
        if what.width_px + _BESIDE_PX + when.width_px <= room_px
    )
    return next(fitting, texts[-1])


def _halves(row: QRect) -> tuple[QRect, QRect]:
    height = row.height() // 2
    upper = QRect(row.left(), row.top(), row.width(), height)
    return upper, upper.translated(0, height)

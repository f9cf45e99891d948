"""The ranking of a race: figures, and each interval as a bar on one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from modelmon.gui.find_best.race_rows import RaceRow, rows_of
from modelmon.gui.look.language import tr
from modelmon.gui.look.theme import manager
from modelmon.gui.look.wrapping import line_starts
from modelmon.gui.models.standings import BAR, COLUMNS, ROW_ROLE, StandingsModel, colour_of
from modelmon.gui.panels.tables import Padded, dress

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.find_best.races import Races

Index = QModelIndex | QPersistentModelIndex

_BAR_PX = 140
_INSET_PX = 8
_CAP_PX = 4
_DOT_PX = 3.5
_LINE_GAP_PX = 4
# Columns that go first where there is no room; a bar's tool tip has the figures of its interval.
_ROOM_PX = ((BAR + 1, 1040), (BAR + 2, 800))
_LEAST_RATIO, _MOST_RATIO = 0.5, 3.0
"""A bar that is longer is cut at the side, with an arrow; the interval stands beside it."""


class RaceTable(QTableView):
    """Follows the window's race."""

    def __init__(self, races: Races) -> None:
        super().__init__()
        self._races = races
        self._model = StandingsModel(self)
        self.setModel(self._model)
        dress(self, tr("Find best ranking"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setItemDelegateForColumn(BAR, _Bar(self))
        self.setItemDelegateForColumn(len(COLUMNS) - 1, _Wrapped(self))
        self.setWordWrap(True)
        self.verticalHeader().setMinimumSectionSize(self.verticalHeader().defaultSectionSize())
        races.changed.connect(self.refresh)
        self.refresh()

    @property
    def rows(self) -> tuple[RaceRow, ...]:
        """What is shown, in order."""
        return self._model.rows

    def refresh(self) -> None:
        """Show how all stand now."""
        races = self._races
        ending = races.race.ending if races.race is not None else "running"
        rows = rows_of(races.standings(), races.excluded, races.running, ending)
        if rows != self._model.rows:
            self._model.set_rows(rows)
            self.resizeRowsToContents()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's)
        """Reasons are wrapped, so that rows are as high as the width makes them."""
        super().resizeEvent(event)
        for column, room_px in _ROOM_PX:
            self.setColumnHidden(column, self.width() < room_px * manager().scale)
        self.resizeRowsToContents()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """An empty table says what will be in it."""
        super().paintEvent(event)
        if self._model.rowCount():
            return
        painter = QPainter(self.viewport())
        painter.setPen(manager().theme.text_2)
        text = tr("Find best tests every strategy that works here. The ranking appears here.")
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.viewport().rect(), flags, text)
        painter.end()


class _Wrapped(Padded):
    """A sentence in as many lines as it needs at the width of its column."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 (Qt's)
        text = str(index.data() or "")
        lines = line_starts(text, option.font, self.text_px(option))
        height = len(lines) * option.fontMetrics.lineSpacing() + 2 * _LINE_GAP_PX
        return QSize(super().sizeHint(option, index).width(), height)


class _Bar(QStyledItemDelegate):
    """An interval from its low to its high bound, with a dot at the ratio."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 (Qt's)
        return QSize(_BAR_PX, super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = manager().theme
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, theme.focus_soft)
        row = index.data(ROW_ROLE)
        if not isinstance(row, RaceRow):
            return
        area = QRectF(option.rect.adjusted(_INSET_PX, 0, -_INSET_PX, 0))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        one = _place(area, 1.0)
        painter.setPen(QPen(theme.neutral_3, 1))
        painter.drawLine(QLineF(one, area.top(), one, area.bottom()))
        _draw_interval(painter, area, row)
        painter.restore()


def _draw_interval(painter: QPainter, area: QRectF, row: RaceRow) -> None:
    standing = row.standing
    if standing is None or standing.ratio is None:
        return
    low = standing.ratio if standing.ratio_low is None else standing.ratio_low
    high = standing.ratio if standing.ratio_high is None else standing.ratio_high
    colour, middle = colour_of(row), area.center().y()
    left, right = _place(area, low), _place(area, high)
    sure = standing.coverage_share is not None or row.leads
    style = Qt.PenStyle.SolidLine if sure else Qt.PenStyle.DotLine
    painter.setPen(QPen(colour, 1.5, style))
    painter.drawLine(QLineF(left, middle, right, middle))
    painter.setPen(QPen(colour, 1.5))
    if low >= _LEAST_RATIO:
        painter.drawLine(QLineF(left, middle - _CAP_PX, left, middle + _CAP_PX))
    if high <= _MOST_RATIO:
        painter.drawLine(QLineF(right, middle - _CAP_PX, right, middle + _CAP_PX))
    else:
        tip = QPointF(area.right(), middle)
        painter.drawLine(QLineF(tip, tip + QPointF(-_CAP_PX, -_CAP_PX)))
        painter.drawLine(QLineF(tip, tip + QPointF(-_CAP_PX, _CAP_PX)))
    if standing.ratio <= _MOST_RATIO:
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(_place(area, standing.ratio), middle), _DOT_PX, _DOT_PX)


def _place(area: QRectF, ratio: float) -> float:
    """Where a ratio stands; what is outside of the scale stands at its end."""
    shown = min(max(ratio, _LEAST_RATIO), _MOST_RATIO)
    share = (shown - _LEAST_RATIO) / (_MOST_RATIO - _LEAST_RATIO)
    return area.left() + share * area.width()

"""A strip: every run a mark in one of three lanes, with the usual time and its range behind."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from modelmon.core.units import duration_text
from modelmon.gui.language import tr
from modelmon.gui.plots.explanations import STRIP
from modelmon.gui.plots.items import draw_safely
from modelmon.gui.plots.pens import faded
from modelmon.gui.plots.saving import offer_picture
from modelmon.gui.plots.strip_rows import NOTES, axis_of
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QPaintEvent

    from modelmon.gui.plots.strip_rows import StripMark, StripRow, TimeAxis
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

WIDTH_PX = 400
_ROW_PX, _AXIS_PX, _TOP_PX = 35, 22, 4
_LANE_PX = 8
_LANES = (0, -1, 1)
"""The middle one first: a row of few runs is a line."""
_TEXT_PX = 11
_LEAST_PLOT_SHARE = 0.55
_NAME_GAP_PX, _NOTE_GAP_PX, _EDGE_PX = 12, 4, 16
_PX_PER_TICK = 45
_BOX_SHARE = 0.17
_MEDIAN_PX, _HOLLOW_PX = 2.5, 1.4
_ROUND_PX, _POINTED_PX, _CROSS_PX = 3.3, 4.2, 3.0
_NEAR_PX = 9
_CORNERS = {
    "B": ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)),
    "square": ((-0.75, -0.75), (0.75, -0.75), (0.75, 0.75), (-0.75, 0.75)),
    "up": ((0.0, -0.9), (0.95, 0.75), (-0.95, 0.75)),
    "down": ((0.0, 0.9), (0.95, -0.75), (-0.95, -0.75)),
    "right": ((-0.8, -0.9), (0.9, 0.0), (-0.8, 0.9)),
    "left": ((0.8, -0.9), (-0.9, 0.0), (0.8, 0.9)),
}
"""Of shapes with corners, in parts of their reach."""
_FURTHER = ("square", "up", "down", "A")


class _Placed(NamedTuple):
    row: int
    mark: StripMark
    at: QPointF


class RunStrip(QWidget):
    """Shows rows of runs on one axis; the tool tip names the run under the pointer."""

    def __init__(self) -> None:
        super().__init__()
        self._title = ""
        self.rows: tuple[StripRow, ...] = ()
        self.setAccessibleName(tr("Times of all runs"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWhatsThis(tr(STRIP))
        offer_picture(self)
        manager().changed.connect(self.update)

    def show_rows(self, rows: Sequence[StripRow], title: str) -> None:
        """Show these; `title` says what the times are of."""
        resized = len(rows) != len(self.rows)
        self.rows, self._title = tuple(rows), title
        self.setAccessibleDescription("\n".join([*(row.text for row in rows), tr(STRIP)]))
        if resized:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for all rows and the axis."""
        height = _TOP_PX + len(self.rows) * _ROW_PX + _AXIS_PX
        return QSize(round(WIDTH_PX * manager().scale), round(height * manager().scale))

    def minimumSizeHint(self) -> QSize:
        """A strip can be narrower, never lower."""
        return QSize(self.sizeHint().width() // 2, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Each run has a tool tip of its own, and so has each row."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.text_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def text_at(self, place: QPointF) -> str:
        """What is said of a place: the run there, else its row and how to read it."""
        near = sorted((_apart(each.at, place), each.mark.text) for each in self.places())
        if near and near[0][0] <= _NEAR_PX * manager().scale:
            return near[0][1]
        at = int((place.y() / manager().scale - _TOP_PX) // _ROW_PX)
        if 0 <= at < len(self.rows):
            return f"{self.rows[at].text}\n{tr(STRIP)}"
        return tr(STRIP)

    def places(self) -> list[_Placed]:
        """Where each run is drawn."""
        axis, area = self._axis, self._area
        placed = []
        for number, row in enumerate(self.rows):
            last = dict.fromkeys(_LANES, -area.width())
            for each in sorted(row.marks, key=lambda one: one.time_ns):
                x = area.left() + axis.share(each.time_ns) * area.width() if axis else 0.0
                # The first lane with room, else the one that has most of it.
                apart = 2 * _POINTED_PX * manager().scale
                free = (lane for lane in _LANES if x - last[lane] >= apart)
                lane = next(free, min(_LANES, key=lambda one: last[one]))
                last[lane] = x
                y = self._middle(number) + lane * _LANE_PX * manager().scale
                placed.append(_Placed(number, each, QPointF(x, y)))
        return placed

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the axis, then each row upon it."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_safely(self._draw, painter)
        painter.end()

    def _draw(self, painter: QPainter) -> None:
        axis, area, theme = self._axis, self._area, manager().theme
        if axis is None:
            return
        self._draw_axis(painter, axis)
        placed = self.places()
        for number, row in enumerate(self.rows):
            colour, scale = _colour(theme, row.hue), manager().scale
            middle, half = self._middle(number), _ROW_PX * scale / 2
            self._draw_name(painter, row, middle, half)
            top, bottom = middle - half + 3 * scale, middle + half - 3 * scale
            lines: list[float] = []
            if row.range_ns is not None:
                left, right = (area.left() + axis.share(end) * area.width() for end in row.range_ns)
                seen = [not axis.beyond(end) for end in row.range_ns]
                painter.fillRect(
                    QRectF(left, top, right - left, bottom - top), faded(colour, _BOX_SHARE)
                )
                painter.setPen(QPen(faded(colour, 0.6), 1))
                lines += compress((left, right), seen)
                for x in lines:
                    painter.drawLine(QPointF(x, top), QPointF(x, bottom))
            if row.usual_ns is not None:
                x = area.left() + axis.share(row.usual_ns) * area.width()
                lines.append(x)
                painter.setPen(QPen(colour, _MEDIAN_PX * scale))
                painter.drawLine(QPointF(x, top), QPointF(x, bottom))
            here = [each for each in placed if each.row == number]
            for each in here:
                _draw_mark(painter, each, row.hue, colour, axis.beyond(each.mark.time_ns))
            self._draw_notes(painter, here, lines)

    def _draw_axis(self, painter: QPainter, axis: TimeAxis) -> None:
        area, theme, scale = self._area, manager().theme, manager().scale
        letters = _letters()
        painter.setFont(letters)
        metrics = QFontMetricsF(letters)
        line_px = metrics.height()
        foot = QRectF(0, area.bottom() + 3 * scale, area.left() - _NAME_GAP_PX, line_px)
        painter.setPen(theme.text_2)
        unit = f", {axis.unit}"
        # Where there is little room, the unit stays.
        room = foot.width() - metrics.horizontalAdvance(unit)
        title = metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, room) + unit
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        for value, text in axis.ticks:
            x = area.left() + axis.share(value) * area.width()
            painter.setPen(QPen(theme.border, 1))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.setPen(theme.text_2)
            place = QRectF(x - _PX_PER_TICK, foot.top(), 2 * _PX_PER_TICK, line_px)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        painter.setPen(QPen(theme.control, 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())

    def _draw_name(self, painter: QPainter, row: StripRow, middle: float, half: float) -> None:
        theme, room = manager().theme, self._area.left() - _NAME_GAP_PX
        letters = _letters(600)
        painter.setFont(letters)
        metrics = QFontMetricsF(letters)
        painter.setPen(_colour(theme, row.hue))
        name = metrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, room)
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, middle - half, room, half), side, name)
        painter.setPen(theme.text)
        time = duration_text(row.usual_ns) if row.usual_ns is not None else tr("none counted")
        painter.drawText(QRectF(0, middle, room, half), side, time)

    def _draw_notes(
        self, painter: QPainter, here: Sequence[_Placed], lines: Sequence[float]
    ) -> None:
        """Say once per row what hollow and crossed marks are, where there is room for it."""
        painter.setFont(_letters())
        painter.setPen(manager().theme.text_2)
        metrics = QFontMetricsF(painter.font())
        axis = self._axis
        taken = [*lines, *(each.at.x() for each in here)]
        for kind, note in NOTES.items():
            ours = [each for each in here if each.mark.kind == kind]
            for each in sorted(ours, key=lambda one: -one.at.x()):
                text = tr(note)
                if axis is not None and axis.beyond(each.mark.time_ns):
                    text = f"{text}, {duration_text(each.mark.time_ns)}"
                place = self._free_place(each.at, metrics.horizontalAdvance(text), taken)
                if place is not None:
                    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
                    taken += (place.left(), place.right())
                    break

    def _free_place(self, at: QPointF, width: float, taken: Iterable[float]) -> QRectF | None:
        """Beside a mark, where no other is and no line."""
        height, away = _ROW_PX * manager().scale, _POINTED_PX + _NOTE_GAP_PX
        for left in (at.x() + away, at.x() - away - width):
            inside = self._area.left() <= left and left + width <= self.width()
            if inside and not any(
                left - away < x < left + width + away for x in taken if x != at.x()
            ):
                return QRectF(left, at.y() - height / 2, width, height)
        return None

    def _middle(self, number: int) -> float:
        return (_TOP_PX + (number + 0.5) * _ROW_PX) * manager().scale

    @property
    def _area(self) -> QRectF:
        """Where the marks are: right of the names, above the axis."""
        scale = manager().scale
        bold, plain = QFontMetricsF(_letters(600)), QFontMetricsF(_letters())
        widths = [bold.horizontalAdvance(row.name) for row in self.rows]
        widths.append(plain.horizontalAdvance(f"{self._title}, ms"))
        names = min(max(widths), self.width() * (1 - _LEAST_PLOT_SHARE)) + _NAME_GAP_PX
        height = len(self.rows) * _ROW_PX * scale
        return QRectF(names, _TOP_PX * scale, self.width() - names - _EDGE_PX, height)

    @property
    def _axis(self) -> TimeAxis | None:
        return axis_of(self.rows, max(2, int(self._area.width() / _PX_PER_TICK / manager().scale)))


def _letters(weight: int = 400) -> QFont:
    return font(_TEXT_PX, weight)


def _apart(one: QPointF, other: QPointF) -> float:
    return (one - other).manhattanLength()


def _colour(theme: Theme, hue: ArmLabel | int) -> QColor:
    return theme.overlays[hue % len(theme.overlays)] if isinstance(hue, int) else theme.arm(hue)


def _draw_mark(
    painter: QPainter, placed: _Placed, hue: ArmLabel | int, colour: QColor, beyond: str
) -> None:
    """`beyond` says at which end of the axis a mark is that lies further off."""
    at, kind, scale = placed.at, placed.mark.kind, manager().scale
    painter.setPen(QPen(colour, _HOLLOW_PX * scale))
    painter.setBrush(colour if kind == "counted" else Qt.BrushStyle.NoBrush)
    if beyond:
        painter.drawPath(_pointed(at, _CORNERS[beyond], scale))
    elif kind == "left-out":
        arm = _CROSS_PX * scale
        for rise in (arm, -arm):
            painter.drawLine(at + QPointF(-arm, -rise), at + QPointF(arm, rise))
    else:
        if kind == "counted":
            painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPath(_shape(hue, at, scale))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _shape(hue: ArmLabel | int, at: QPointF, scale: float) -> QPainterPath:
    """A is round and B a diamond; further ones are square, point up, point down, and are round."""
    which = hue % len(_FURTHER) if isinstance(hue, int) else None
    shape = hue if which is None else _FURTHER[which]
    if shape == "A":
        path = QPainterPath()
        path.addEllipse(at, _ROUND_PX * scale, _ROUND_PX * scale)
        return path
    return _pointed(at, _CORNERS[str(shape)], scale)


def _pointed(at: QPointF, corners: Sequence[tuple[float, float]], scale: float) -> QPainterPath:
    path, reach = QPainterPath(), _POINTED_PX * scale
    path.addPolygon(QPolygonF([at + QPointF(x * reach, y * reach) for x, y in corners]))
    path.closeSubpath()
    return path

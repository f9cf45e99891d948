"""Axes and grid of a plot: few ticks that we choose, in our colours."""

from __future__ import annotations

from html import escape
from math import ceil
from typing import TYPE_CHECKING, Literal, NamedTuple

from pyqtgraph import AxisItem
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from modelmon.gui.plots.items import Grid, draw_safely
from modelmon.gui.plots.pens import pen
from modelmon.gui.plots.scale import tick_texts, ticks
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from pyqtgraph import ViewBox
    from PySide6.QtGui import QFont, QPainter, QPen
    from PySide6.QtWidgets import QGraphicsGridLayout, QStyleOptionGraphicsItem, QWidget

    from modelmon.gui.widgets.theme import Theme

_BESIDE = Qt.TextFlag.TextDontClip | Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_BELOW = Qt.TextFlag.TextDontClip | Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
Side = Literal["left", "bottom"]
Ticks = list[tuple[float, str]]

_PLACES: dict[Side, tuple[int, int]] = {"left": (0, 0), "bottom": (1, 1)}
_BEHIND = -1000
_PAST_ENDS = 1e-6
_GAP_PX = 5
_OVERHANG_PX = 24
"""How far a figure at the very end may reach beyond the axis."""
_PX_PER_TICK = 56
_MS_PER_S = 1000
_LEAST_PX_PER_Y_TICK = 14
LEFT_PX, _BOTTOM_PX, _UNTITLED_PX, _UNFIGURED_PX = 46, 36, 18, 6
RIGHT_PX = 14
"""Free room beside the end of the bottom axis, for half of its last figure."""
_LOW_PX = 84
"""Of plot and bottom axis: in less, the figures of that axis have to do without its title."""
_TITLE_PX = 24
_TITLE_OVERHANG_PX = 8


def time_ticks(low_s: float, high_s: float, width_px: float) -> Ticks:
    """Round times with their unit, as many as `width_px` has room for."""
    values = ticks(low_s, high_s, max(2, int(width_px // _PX_PER_TICK)))
    unit, scale = ("ms", _MS_PER_S) if high_s < 1 else ("s", 1)
    texts = tick_texts([value * scale for value in values])
    return [(value, f"{text} {unit}") for value, text in zip(values, texts, strict=True)]


class _Axis(AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Draws its figures when they are exposed. pyqtgraph's own are recorded for each new range, and
    all of them played when a curve touches the line: an eighth of frames, a fifth of slow ones.
    """

    def __init__(self, side: Side, title: str, look: _Look) -> None:
        super().__init__(side, look.line, look.text, maxTickLength=0, text=escape(title))
        self._span, self._figures = (0.0, 1.0), Ticks()
        self.setFlag(self.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def show_figures(self, low: float, high: float, figures: Ticks) -> None:
        """The figures from now on, and the values at both ends of the axis."""
        self._span, self._figures = (low, high), figures
        self.update()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        """Called by the scene."""
        del widget
        draw_safely(lambda to: self._draw(to, option.exposedRect), painter)

    def _draw(self, painter: QPainter, exposed: QRectF) -> None:
        area, (low, high), is_left = self.rect(), self._span, self.orientation == "left"
        left, top, right, bottom = area.getCoords()
        painter.setPen(self.pen())
        # A curve that grows touches the line alone, in each frame.
        if is_left:
            painter.drawLine(QLineF(right - 1, top - 1, right - 1, bottom + 1))
            shows_figures = exposed.left() < right - _GAP_PX
        else:
            painter.drawLine(QLineF(left - 1, top + 1, right + 1, top + 1))
            shows_figures = exposed.bottom() > top + _GAP_PX
        if not self.style["showValues"] or high == low or not shows_figures:
            return
        painter.setPen(self.textPen())
        painter.setFont(self.style["tickFont"])
        metrics, room = QFontMetricsF(self.style["tickFont"]), self.boundingRect()
        flags = _BESIDE if is_left else _BELOW
        for value, text in self._figures:
            share = (value - low) / (high - low)
            place = QRectF(0, 0, metrics.horizontalAdvance(text), metrics.height() * 0.8)
            if is_left:
                place.moveRight(area.right() - _GAP_PX)
                place.moveTop(area.bottom() - share * area.height() - place.height() / 2)
            else:
                last_px = area.right() + RIGHT_PX - place.width()
                place.moveLeft(min(area.left() + share * area.width() - place.width() / 2, last_px))
                place.moveTop(area.top() + _GAP_PX)
            if text and -_PAST_ENDS <= share <= 1 + _PAST_ENDS and room.contains(place):
                painter.drawText(place, flags, text)


class Axes:
    """Left axis, at least `left_px` wide, and bottom axis, and the grid at the ticks."""

    def __init__(
        self, box: ViewBox, layout: QGraphicsGridLayout, x_title: str, y_title: str, left_px: float
    ) -> None:
        """Stands in `layout` around the cell at the end of the upper row."""
        self.grid = Grid()
        self._layout = layout
        self._sides: dict[Side, _Axis] = {}
        self._titles: dict[Side, str] = {"left": y_title, "bottom": x_title}
        self._written: dict[Side, tuple[float, float, Ticks]] = {}
        self._look = _look(manager().theme)
        self._y_ticks: Ticks = []
        self._is_untold = self._is_low = self._is_stacked = self._is_unfigured = False
        self._left_px = left_px
        self._add("left").setWidth(left_px)
        self._add("bottom").setHeight(_BOTTOM_PX)
        # Wheel and pointer do there what they do in the box.
        self._sides["bottom"].linkToView(box)
        self._sides["bottom"].setEnabled(True)

    def title(self, side: Side) -> str:
        """What an axis shows, with its unit."""
        return self._titles[side]

    @property
    def untold(self) -> str:
        """The left title where the axis is too low for it: somebody else has to say it."""
        return self.title("left") if self._is_untold else ""

    def set_stacked(self, *, stacked: bool, shows_x: bool = True) -> None:
        """Stand above or below others that have the same x axis: as wide as theirs, the left title
        said elsewhere, and the x axis figured where it `shows_x`.
        """
        self._is_stacked = stacked
        below = self._sides["bottom"]
        below.setStyle(showValues=shows_x)
        below.setHeight(_BOTTOM_PX if shows_x else _UNFIGURED_PX)
        self._is_unfigured, self._is_low = not shows_x, False
        for side in _PLACES:
            self._show_title(side)
        self.set_y_ticks(self._y_ticks)

    def set_title(self, side: Side, title: str) -> None:
        """Say what an axis shows, with its unit."""
        if self.title(side) != title:
            self._titles[side] = title
            self._sides[side].setLabel(escape(title))
            self._show_title(side)

    def set_y_ticks(self, texts: Ticks) -> None:
        """Ticks of the left axis, which grows as wide as they need."""
        self._y_ticks = texts
        metrics = QFontMetricsF(font(11))
        widest_px = max((metrics.horizontalAdvance(text) for _, text in texts), default=0.0)
        needed_px = 0.0 if self._is_stacked else widest_px + _TITLE_PX
        self._sides["left"].setWidth(max(self._left_px, needed_px))

    def lay_out(self, view: QRectF, size_px: tuple[float, float], x_ticks: Ticks) -> None:
        """Write the ticks and draw the grid for what `view` shows, in so much width and height."""
        width_px, height_px = size_px
        self._leave_out_long_title(height_px)
        self._make_room_below(width_px, height_px)
        # A low plot has room for every second or third figure only; the grid stays.
        px_per_tick = max(height_px / max(len(self._y_ticks), 1), 1.0)
        every = max(1, ceil(_LEAST_PX_PER_Y_TICK / px_per_tick))
        texts = [
            (value, "" if index % every else text)
            for index, (value, text) in enumerate(self._y_ticks)
        ]
        self._write("bottom", view.left(), view.right(), x_ticks)
        self._write("left", view.top(), view.bottom(), texts)
        at_x, at_y = [value for value, _ in x_ticks], [value for value, _ in self._y_ticks]
        self.grid.set_lines(view, at_x, at_y)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's axis and grid colours."""
        look = _look(theme)
        if look != self._look:
            self._look = look
            for axis in self._sides.values():
                axis.setTickFont(look.letters)
                axis.label.setFont(look.letters)
                axis.setPen(look.line)
                axis.setTextPen(look.text)
        self.grid.line_pen = pen(theme.grid, 1)
        self.grid.update()

    def _add(self, side: Side) -> AxisItem:
        look = self._look
        axis = _Axis(side, self.title(side), look)
        axis.setStyle(tickTextOffset=_GAP_PX, hideOverlappingLabels=_OVERHANG_PX)
        axis.setTickFont(look.letters)
        axis.label.setFont(look.letters)
        axis.enableAutoSIPrefix(False)
        axis.setEnabled(False)
        axis.setZValue(_BEHIND)
        self._sides[side] = axis
        self._show_title(side)
        self._layout.addItem(axis, *_PLACES[side])
        return axis

    def _show_title(self, side: Side) -> None:
        axis = self._sides[side]
        left_out = self._is_untold if side == "left" else self._is_low or self._is_unfigured
        axis.showLabel(bool(self.title(side)) and not left_out)
        # It puts its title into the middle only then.
        axis.resizeEvent()

    def _write(self, side: Side, low: float, high: float, texts: Ticks) -> None:
        if (low, high, texts) != self._written.get(side):
            self._written[side] = low, high, texts
            self._sides[side].show_figures(low, high, texts)

    def _leave_out_long_title(self, height_px: float) -> None:
        title_px = QFontMetricsF(font(11)).horizontalAdvance(self.title("left"))
        is_untold = self._is_stacked or title_px > height_px + _TITLE_OVERHANG_PX
        if is_untold != self._is_untold:
            self._is_untold = is_untold
            self._show_title("left")

    def _make_room_below(self, width_px: float, height_px: float) -> None:
        if self._is_unfigured:
            return
        below_px = _UNTITLED_PX if self._is_low else _BOTTOM_PX
        title_px = QFontMetricsF(font(11)).horizontalAdvance(self.title("bottom"))
        is_low = height_px + below_px < _LOW_PX or 0 < width_px < title_px
        if is_low != self._is_low:
            self._is_low = is_low
            self._show_title("bottom")
            self._sides["bottom"].setHeight(_UNTITLED_PX if is_low else _BOTTOM_PX)


class _Look(NamedTuple):
    line: QPen
    text: QPen
    letters: QFont


def _look(theme: Theme) -> _Look:
    return _Look(pen(theme.control, 1), pen(theme.text_2, 1), font(11))

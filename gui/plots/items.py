"""What is drawn in a chart: curves, fills, levels, moments, marks and words."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainterPath, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsPathItem,
    QStyleOptionGraphicsItem,
    QWidget,
)

from modelmon.gui.language import tr
from modelmon.gui.plots.pens import diamond, faded, pen, phase_colour
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor, QPainter

    from modelmon.core.worker.wait_parts import WaitPart
    from modelmon.gui.plots.chart import Chart
    from modelmon.gui.session.notices import ArmLabel

    Floats = NDArray[np.float64]
    _Place = tuple[float, tuple[float, float], QRectF]

_TEXT_PX = 11
_GROUND_PX = 3.0
"""Around the words: more of it would hide what the plot shows."""
_DOTS_PX = (2, 3)
_ROOM_FOR_NAME_PX = 180
_DOT_PX, _RING_PX = 4.5, 2.0
_MARK_PX, _REACH_PX = 4.5, 6.0
_OPAQUE = 255
_GROUND_SHARE = 0.14
_NEVER = 1_000_000
_NO_PEN = QPen(Qt.PenStyle.NoPen)
_TURNED, _TURNED_BACK = QTransform().rotate(45), QTransform().rotate(-45)


def draw_safely(draw: Callable[[QPainter], None], painter: QPainter) -> None:
    """Let `draw` paint, and go on where it fails."""
    try:
        draw(painter)
    except Exception:
        # One that left an item's `paint` would end the program: it is told and the rest is drawn.
        sys.excepthook(*sys.exc_info())


def draw_dots(painter: QPainter, pen: QPen, points: QPolygonF, *, turned: bool = False) -> None:
    """Points as wide as the pen; `turned`, square ones are diamonds. Qt draws wide ones as strokes
    of 1/63 in the painter's units, which are many pixels where a unit is a second.
    """
    placed = painter.worldTransform().map(points)
    painter.save()
    painter.setTransform(_TURNED if turned else QTransform())
    painter.setPen(pen)
    painter.drawPoints(_TURNED_BACK.map(placed) if turned else placed)
    painter.restore()


def on_screen(brush: QBrush, painter: QPainter) -> QBrush:
    """`brush` with its pattern in pixels rather than in data coordinates."""
    made = QBrush(brush)
    if brush.style() == Qt.BrushStyle.TexturePattern:
        back, possible = painter.worldTransform().inverted()
        if possible:
            made.setTransform(back)
    return made


class Line(pg.PlotCurveItem):  # type: ignore[misc]  # pyqtgraph has no types
    """A curve; nothing is drawn to or from a point whose y is not finite. What is told it has marks
    on some places, which are `diamonds` or disks.

    Solid ones are drawn as single strokes: Qt takes twenty times as long for the same as a path.
    """

    def __init__(self, chart: Chart, z: float, *, diamonds: bool = False) -> None:
        super().__init__(connect="finite")
        self.at_x: Floats = np.empty(0)
        self.at_y: Floats = np.empty(0)
        self.marks = QPolygonF()
        self._extent = self._bounds = QRectF()
        self._bounds_for: QRectF | None = None
        self._chart, self._diamonds = chart, diamonds
        self._look: object = None
        self.setZValue(z)
        chart.add(self)

    def set_data(self, x: Floats, y: Floats) -> None:
        """The curve in axis units from now on; x ascends."""
        self.at_x, self.at_y = x, y
        self.prepareGeometryChange()
        known = y[np.isfinite(y)]
        self._extent = QRectF()
        if len(known):
            low, high = float(known.min()), float(known.max())
            self._extent = QRectF(float(x[0]), low, float(x[-1] - x[0]), high - low)
        self._bounds_for = None
        self.setData(x, y)

    def set_marks(self, x: Floats, y: Floats) -> None:
        """Mark these places, those with a finite y."""
        known = np.isfinite(y)
        self.marks = arrayToQPolygonF(x[known], y[known]) if known.any() else QPolygonF()
        self.update()

    def crosses(self, place: QRectF) -> int:
        """How many points of the curve are seen in a place, in axis units."""
        first, last = np.searchsorted(self.at_x, (place.left(), place.right()))
        if first == len(self.at_x) or last == 0:
            return 0
        inside = self.at_y[max(0, first - 1) : last + 1]
        seen = (inside > place.top()) & (inside < place.bottom())
        return int(seen.sum()) if self.isVisible() else 0

    def boundingRect(self) -> QRectF:  # noqa: N802 (Qt's name)
        """Qt asks often, and pyqtgraph's own looks through all points each time."""
        view = self._chart.view
        if view is not self._bounds_for:
            self._bounds_for, self._bounds = view, QRectF()
            if len(self.at_x):
                width_px, height_px = self._chart.size_px
                across = _REACH_PX * view.width() / max(width_px, 1.0)
                up = _REACH_PX * view.height() / max(height_px, 1.0)
                self._bounds = self._extent.adjusted(-across, -up, across, up)
        return self._bounds

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        """Called by the scene."""
        super().paint(painter, option, widget)
        if not self.marks.isEmpty():
            look = QPen(self.opts["pen"].color(), _MARK_PX * self.opts["pen"].widthF() ** 0.5)
            caps = Qt.PenCapStyle
            look.setCapStyle(caps.SquareCap if self._diamonds else caps.RoundCap)
            painter.setRenderHint(painter.RenderHint.Antialiasing)
            draw_dots(painter, look, self.marks, turned=self._diamonds)

    def set_pen(self, pen: QPen, *, antialiased: bool = False) -> None:
        """A cosmetic pen; what it draws is smooth if `antialiased`."""
        if (look := (pen, antialiased)) == self._look:
            return
        self._look = look
        is_strong = pen.style() == Qt.PenStyle.SolidLine and pen.color().alpha() == _OPAQUE
        self.opts["segmentedLineMode"] = "on" if is_strong else "auto"
        self.opts["antialias"] = antialiased
        self.setPen(pen)


class Area(QGraphicsPathItem):
    """Shapes in one filling, whose hatch keeps its size on screen."""

    def __init__(self, z: float = 0) -> None:
        super().__init__()
        self.filling = QBrush()
        self.setPen(Qt.PenStyle.NoPen)
        self.setZValue(z)

    def set_curves(self, x: Floats, low: Floats, high: Floats) -> None:
        """Fill from `low` to `high`, where both are known; x ascends."""
        path = QPainterPath()
        there = np.flatnonzero(np.isfinite(low) & np.isfinite(high))
        for run in filter(len, np.split(there, np.flatnonzero(np.diff(there) > 1) + 1)):
            along, level = x[run], np.concatenate([high[run], low[run][::-1]])
            path.addPolygon(arrayToQPolygonF(np.concatenate([along, along[::-1]]), level))
        self.setPath(path)

    def set_rects(self, rects: Iterable[QRectF]) -> None:
        """Fill these."""
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for rect in rects:
            path.addRect(rect)
        self.setPath(path)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        """Called by the scene."""
        del option, widget
        painter.setPen(self.pen())
        painter.setBrush(on_screen(self.filling, painter))
        painter.drawPath(self.path())


class Strokes(QGraphicsPathItem):
    """Single lines in one pen."""

    def __init__(self, z: float = 0) -> None:
        super().__init__()
        self.setZValue(z)

    def draw_lines(self, lines: Iterable[QLineF]) -> None:
        """Draw these, and no others."""
        path = QPainterPath()
        for line in lines:
            path.moveTo(line.p1())
            path.lineTo(line.p2())
        self.setPath(path)


class Grid(Strokes):
    """Lines across all, as at the ticks, behind everything."""

    def __init__(self, z: float = -100) -> None:
        super().__init__(z)

    def set_lines(self, view: QRectF, at_x: Iterable[float], at_y: Iterable[float]) -> None:
        """Put vertical lines at `at_x` and horizontal ones at `at_y`, across `view`."""
        upright = [QLineF(x, view.top(), x, view.bottom()) for x in at_x]
        across = [QLineF(view.left(), y, view.right(), y) for y in at_y]
        self.draw_lines(upright + across)


class Bars(Area):
    """Upright bars; with a `top_pen` also the line along their tops."""

    def __init__(self, z: float = 0) -> None:
        super().__init__(z)
        self.top_pen: QPen | None = None
        self.rects: list[QRectF] = []
        self._tops = Strokes()
        self._tops.setParentItem(self)

    def set_bars(
        self, left: Floats, width: float, top: Floats, bottom: Floats | None = None
    ) -> None:
        """One bar per entry, from zero where there is no `bottom`; one that is not finite has
        none.
        """
        low = np.zeros(len(top)) if bottom is None else bottom
        self.rects = [
            QRectF(x, y, width, height)
            for x, y, height in zip(left.tolist(), low.tolist(), (top - low).tolist(), strict=True)
            if np.isfinite(height)
        ]
        self.set_rects(self.rects)
        # A rectangle's bottom is the higher value: y grows upwards in a plot.
        self._tops.draw_lines(QLineF(bar.bottomLeft(), bar.bottomRight()) for bar in self.rects)

    def update(self, rect: QRectF | None = None) -> None:  # type: ignore[override]
        """Draw anew, after the filling or the pen has changed."""
        self._tops.setPen(self.top_pen or QPen(Qt.PenStyle.NoPen))
        super().update(rect or QRectF())


class TextLabel(pg.TextItem):  # type: ignore[misc]  # pyqtgraph has no types
    """A line of text beside a point of the plot, on a ground that lets it be read; hidden at
    first.
    """

    def __init__(self, chart: Chart, z: float, *, weight: int = 400) -> None:
        super().__init__()
        self._weight = weight
        self.textItem.document().setDocumentMargin(_GROUND_PX)
        self.setZValue(z)
        self.hide()
        chart.add(self)

    @property
    def width_px(self) -> float:
        """With the ground around the words."""
        return float(self.boundingRect().width())

    def set_colours(self, colour: QColor, ground: QColor) -> None:
        """Colours of the words and of what is behind them."""
        self.setColor(colour)
        self.fill = QBrush(ground)
        # The size of text may have changed with the theme.
        self.setFont(font(_TEXT_PX, self._weight))

    def place(self, x: float, y: float, anchor: tuple[float, float]) -> None:
        """Stand at a point in axis units; `anchor` says which part of the words lies there, as
        shares of their width and height from the upper left.
        """
        self.setPos(x, y)
        self.setAnchor(anchor)


class LabelLine(pg.InfiniteLine):  # type: ignore[misc]  # pyqtgraph has no types
    """A line across a chart, as a limit or an end, with words where they cover neither curves nor
    other words, or as little as they can; hidden at first.
    """

    def __init__(
        self, chart: Chart, *, at: float, z: float = 25, angle: float = 0, weight: int = 400
    ) -> None:
        """The words stand `at` an end of the line, where they can: 0 is the left or lower one."""
        super().__init__(angle=angle, label="")
        self.words = QRectF()
        """Where they stand, in axis units, without their ground."""
        self._chart, self._at, self._weight = chart, at, weight
        self._look: object = None
        self._text = ""
        self.label.textItem.document().setDocumentMargin(_GROUND_PX)
        self.setZValue(z)
        self.hide()
        chart.add(self)
        chart.laid_out.connect(self._show_words)

    @property
    def text(self) -> str:
        """What it says; empty while it is hidden."""
        return self._text if self.isVisible() else ""

    def show_at(
        self, place: float | None, text: str, colour: QColor, dash_px: tuple[float, ...] = _DOTS_PX
    ) -> None:
        """Draw the line at `place` (axis units); None takes it away."""
        self.setVisible(place is not None)
        if place is None:
            return
        theme, line = manager().theme, pen(colour, 1, dash_px)
        if self._look != (theme, line):
            self._look = theme, line
            self.setPen(line)
            self.label.setColor(colour)
            self.label.fill = QBrush(faded(theme.panel, 0.65))
            self.label.setFont(font(_TEXT_PX, self._weight))
        self.setValue(place)
        if self._text != text:
            self._text = text
            # A program may have a name with braces, in which pyqtgraph looks for a value.
            self.label.setFormat(text.replace("{", "{{").replace("}", "}}"))
        self._show_words()

    def crosses(self, place: QRectF) -> bool:
        """Whether its words are seen in a place, in axis units."""
        return bool(self.text) and self.label.isVisible() and self.words.intersects(place)

    def _show_words(self) -> None:
        """Words without their line would stand at the edge, cut; none would leave their ground."""
        low, high = self._chart.x_range if self.angle == 90 else self._chart.y_range
        # Each call places the words anew, which is a tenth of growing frames.
        shown = bool(self._text) and low <= self.value() <= high
        if shown != self.label.isVisible():
            self.label.setVisible(shown)
        if shown and self.isVisible():
            self._stand()

    def _stand(self) -> None:
        items = self._chart.items
        # Who was made first chooses first, and words never hide words where there's another place.
        weights: list[tuple[Line | LabelLine, int]] = [
            (each, _NEVER) for each in items[: items.index(self)] if isinstance(each, LabelLine)
        ]
        weights += [(each, 1) for each in items if isinstance(each, Line)]

        def hidden(place: _Place) -> int:
            return sum(weight * each.crosses(place[2]) for each, weight in weights)

        places = self._places()
        free = next((each for each in places if not hidden(each)), None)
        at, anchor, self.words = free or min(places, key=hidden)
        if (at, [anchor] * 2) != (self.label.orthoPos, self.label.anchors):
            self.label.orthoPos, self.label.anchors = at, [anchor] * 2
            self.label.updatePosition()

    def _places(self) -> list[_Place]:
        """Where they may stand, the best first: at which end of the line, which part of the words
        is there, and what the letters cover. An upright line has them at its foot and its top, in
        one row or the next one; another one at both ends, below or above it.
        """
        view, words, value = self._chart.view, self.label.boundingRect(), self.value()
        (wide_px, high_px), is_upright = self._chart.size_px, self.angle == 90
        wide = words.width() * view.width() / max(wide_px, 1.0)
        high = words.height() * view.height() / max(high_px, 1.0)
        ends = (self._at, 1.0 - self._at)
        if is_upright:
            side = float(value > view.center().x())
            tried = [(at, (side, 1.0 - at + row * (1 - 2 * at))) for row in (0, 1) for at in ends]
        else:
            above = float(value < view.center().y())
            tried = [(at, (at, over)) for over in (above, 1.0 - above) for at in ends]
        ground = high * _GROUND_PX / words.height()
        places: list[_Place] = []
        for at, (across, up) in tried:
            x = value if is_upright else view.left() + at * view.width()
            y = view.top() + at * view.height() if is_upright else value
            place = QRectF(x - across * wide, y - (1.0 - up) * high, wide, high)
            # What is around them may be cut, and a curve may touch it.
            place.adjust(0.0, ground / 3, 0.0, -ground / 3)
            inside = view.top() <= place.top() and place.bottom() <= view.bottom() + ground
            if inside or not places:
                places.append((at, (across, up), place))
        return places


class OwnLevels:
    """What the runs of A and B came to as a whole, each a level in the color of its arm."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._name = ""
        self._figures: Mapping[ArmLabel, tuple[float, str]] = {}
        chart.laid_out.connect(self._show)
        self.levels: dict[ArmLabel, LabelLine] = {
            "A": LabelLine(chart, at=0.0),
            "B": LabelLine(chart, at=1.0),
        }

    @property
    def text(self) -> str:
        """What they say."""
        return tr(", ").join(filter(None, (level.text for level in self.levels.values())))

    def show(self, name: str, figures: Mapping[ArmLabel, tuple[float, str]]) -> None:
        """Show heights (axis units) and figures; an arm without one has no level. The first says
        that they are called `name`, unless there is little room.
        """
        self._name, self._figures = name, figures
        self._show()

    def _show(self) -> None:
        named = self._name if self._chart.size_px[0] >= _ROOM_FOR_NAME_PX else ""
        for label, level in self.levels.items():
            y, figure = self._figures.get(label, (None, ""))
            text = figure if manager().alone else f"{label} {figure}"
            if named and y is not None:
                text, named = tr("{name}: {figures}", name=named, figures=text), ""
            level.show_at(y, text, manager().theme.arm(label))


class Phases:
    """The parts of a program's wait, as all plots over time have them: dashed lines between them,
    and a ground in the colour of those that have one.
    """

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._items: list[pg.GraphicsObject] = []
        self._shown: object = None
        self.parts: tuple[WaitPart, ...] = ()

    def show(self, parts: Sequence[WaitPart], *, ended: bool) -> None:
        """Mark these, and no others; the last one grows until it has `ended`."""
        closed = tuple(parts if ended else parts[:-1])
        if (shown := (closed, manager().theme)) == self._shown:
            return
        self._shown, self.parts = shown, closed
        for item in self._items:
            self._chart.remove(item)
        look = pen(manager().theme.control, 1, (3, 3))
        self._items = [pg.InfiniteLine(part.end_ns / 1e9, pen=look) for part in closed]
        for line in self._items:
            line.setZValue(4)
        for part in closed:
            if (colour := phase_colour(part)) is not None:
                seconds = part.begin_ns / 1e9, part.end_ns / 1e9
                ground = QBrush(faded(colour, _GROUND_SHARE))
                region = pg.LinearRegionItem(seconds, movable=False, brush=ground, pen=_NO_PEN)
                region.setZValue(-20)
                self._items.append(region)
        for item in self._items:
            self._chart.add(item)


class Dots:
    """One mark at each of a few moving points: round for A, a diamond for B, set off from curves.

    With pyqtgraph's scatter a growing frame takes a quarter more.
    """

    def __init__(self, chart: Chart, z: float) -> None:
        self._chart, self._z = chart, z
        self._items: list[QGraphicsPathItem] = []
        self._looks: list[object] = []

    def show_points(self, points: Sequence[tuple[ArmLabel, float, float]]) -> None:
        """Mark `points`: arm, x, y in axis units."""
        while len(self._items) < len(points):
            made = QGraphicsPathItem()
            made.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
            made.setZValue(self._z)
            self._items.append(made)
            self._looks.append(None)
            self._chart.add(made)
        theme = manager().theme
        for at, item in enumerate(self._items):
            item.setVisible(at < len(points))
            if at < len(points):
                label, x, y = points[at]
                if self._looks[at] != (label, theme):
                    self._looks[at] = label, theme
                    item.setPath(_diamond() if label == "B" else _disk())
                    item.setPen(QPen(theme.panel, _RING_PX))
                    item.setBrush(theme.arm(label))
                item.setPos(x, y)


def _disk() -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QPointF(0, 0), _DOT_PX, _DOT_PX)
    return path


def _diamond() -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(diamond(QPointF(0, 0), 1.25 * _DOT_PX))
    return path

"""One chart for all that has axes: ticks of ours, zoom in x, and any item of pyqtgraph."""

from __future__ import annotations

from html import escape
from math import ceil, inf
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem, QGraphicsWidget, QWidget

from modelmon.gui.plots.items import Grid
from modelmon.gui.plots.pens import pen
from modelmon.gui.plots.scale import tick_texts, ticks
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent, MouseDragEvent
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QGraphicsSceneWheelEvent

    from modelmon.gui.widgets.theme import Theme

Side = Literal["left", "bottom"]
Ticks = list[tuple[float, str]]
Item = TypeVar("Item", bound=QGraphicsItem)

_PLACES: dict[Side, tuple[int, int]] = {"left": (0, 0), "bottom": (1, 1)}
_BEHIND = -1000
_GAP_PX = 5
_PX_PER_TICK, _LEAST_PX_PER_Y_TICK = 56, 12
_TIMES = (("ms", 0.001, 1.0), ("s", 1.0, 300.0), ("min", 60.0, inf))
"""Units of time in seconds, and below how many an axis has them."""
LEFT_PX, _TITLED_PX, _FIGURED_PX, _BARE_PX = 46, 36, 18, 6
"""Of the left axis at least, and of the one below: with figures and title, figures, neither."""
RIGHT_PX = 16
"""Free room beside the end of the bottom axis, for half of its last figure: a wider one is left
out.
"""
_SMALLEST_ZOOM = 1e-3
_HEADROOM_SHARE = 0.02
_NOTCH = 120
_MOVED_SHARE = 0.1
_FORWARDED_KEYS = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
    Qt.Key.Key_Escape,
)


def time_ticks(low_s: float, high_s: float, width_px: float) -> Ticks:
    """Round times with their unit, as many as `width_px` has room for."""
    unit, size_s = next(each[:2] for each in _TIMES if high_s < each[2])
    values = ticks(low_s / size_s, high_s / size_s, max(2, int(width_px // _PX_PER_TICK)))
    texts = tick_texts(values)
    return [(value * size_s, f"{text} {unit}") for value, text in zip(values, texts, strict=True)]


class _Axis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    def resizeEvent(self, event: object = None) -> None:
        """Let a long title begin further left, where it would end out of sight."""
        super().resizeEvent(event)
        if self.orientation == "bottom" and self.label is not None:
            last_px = self.size().width() + RIGHT_PX - self.label.boundingRect().width()
            self.label.setX(min(self.label.x(), last_px))


class Axes:
    """Left axis, at least `left_px` wide, and bottom axis, and the grid at the ticks. What the left
    one shows is said in the header of the plot, where it lies as letters do.
    """

    def __init__(self, box: pg.ViewBox, layout: QGraphicsGridLayout, left_px: float) -> None:
        """Stands in `layout` around the cell at the end of the upper row."""
        self.grid = Grid()
        self.title = ""
        """What the bottom axis shows, with its unit."""
        self._y_ticks: Ticks = []
        self._left_px = left_px
        self._figured = True
        self.sides: dict[Side, pg.AxisItem] = {}
        self.figures: dict[Side, Ticks] = {}
        """What the axes show."""
        for side, place in _PLACES.items():
            axis = self.sides[side] = _Axis(side, maxTickLength=0)
            axis.setStyle(hideOverlappingLabels=RIGHT_PX, tickTextOffset=_GAP_PX)
            axis.enableAutoSIPrefix(False)
            axis.setZValue(_BEHIND)
            axis.showLabel(False)
            axis.linkToView(box)
            layout.addItem(axis, *place)
        # Wheel and pointer do at the lower one what they do in the box.
        self.sides["left"].setEnabled(False)
        self.set_title("")
        self.set_y_ticks([])

    def set_title(self, title: str) -> None:
        """Say what the bottom axis shows, with its unit."""
        self.title = title
        self.sides["bottom"].setLabel(escape(title))
        self.sides["bottom"].resizeEvent()
        self._make_room_below()

    def _make_room_below(self) -> None:
        below, shown = self.sides["bottom"], bool(self.title) and self._figured
        below.showLabel(shown)
        figured_px = _FIGURED_PX if self._figured else _BARE_PX
        below.setHeight(_TITLED_PX if shown else figured_px)

    def set_figured(self, *, figured: bool) -> None:
        """Whether the x axis has figures, or the chart below has them for all."""
        self._figured = figured
        self.sides["bottom"].setStyle(showValues=figured)
        self._make_room_below()

    def set_y_ticks(self, texts: Ticks) -> None:
        """Ticks of the left axis, which grows as wide as they need."""
        self._y_ticks = texts
        metrics = QFontMetricsF(font(11))
        sizes = [metrics.size(Qt.TextFlag(0).value, text) for _, text in texts]
        widest_px = max((size.width() for size in sizes), default=0.0)
        self.sides["left"].setWidth(max(self._left_px, widest_px + 2 * _GAP_PX))

    def lay_out(self, view: QRectF, height_px: float, x_ticks: Ticks) -> None:
        """Write the ticks and draw the grid for what `view` shows."""
        # A low plot has room for every second or third figure only; the grid stays.
        px_per_tick = max(height_px / max(len(self._y_ticks), 1), 1.0)
        every = max(1, ceil(_LEAST_PX_PER_Y_TICK / px_per_tick))
        texts = [
            (value, "" if index % every else text)
            for index, (value, text) in enumerate(self._y_ticks)
        ]
        wanted: dict[Side, Ticks] = {"bottom": x_ticks, "left": texts}
        for side, figures in wanted.items():
            if figures != self.figures.get(side):
                self.figures[side] = figures
                self.sides[side].setTicks([figures])
        at_x, at_y = [value for value, _ in x_ticks], [value for value, _ in self._y_ticks]
        self.grid.set_lines(view, at_x, at_y)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's axis and grid colours."""
        letters = font(11)
        for axis in self.sides.values():
            axis.setTickFont(letters)
            axis.label.setFont(letters)
            axis.setPen(pen(theme.control, 1))
            axis.setTextPen(pen(theme.text_2, 1))
        self.grid.setPen(pen(theme.grid, 1))


class _Box(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """The area inside the axes, where wheel and pointer may mean more than a view's change."""

    scrolled = Signal(int)
    dragged = Signal(float, float, bool, bool)

    def __init__(self, *, scrolls_rows: bool, selects_ranges: bool) -> None:
        super().__init__(enableMenu=False)
        self.scrolls_rows = scrolls_rows
        self._selects_ranges = selects_ranges

    def mouseDragEvent(self, event: MouseDragEvent, axis: int | None = None) -> None:
        """Select, or move; the time axis and the middle button always move."""
        is_left = event.button() == Qt.MouseButton.LeftButton
        if axis is not None or not is_left or not self._selects_ranges:
            super().mouseDragEvent(event, axis)
            return
        event.accept()
        places = (event.buttonDownScenePos(), event.scenePos())
        first, now = (self.mapSceneToView(place).x() for place in places)
        zooms = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.dragged.emit(first, now, zooms, event.isFinish())

    def wheelEvent(self, event: QGraphicsSceneWheelEvent, axis: int | None = None) -> None:
        """Zoom, move to the side, or scroll; over the time axis always zoom."""
        keys = event.modifiers()
        is_sideways = event.orientation() == Qt.Orientation.Horizontal
        if is_sideways or keys & Qt.KeyboardModifier.ShiftModifier:
            low, high = self.viewRange()[0]
            self.translateBy(x=-event.delta() / _NOTCH * _MOVED_SHARE * (high - low))
            self.sigRangeChangedManually.emit((True, False))
            event.accept()
        elif axis is None and self.scrolls_rows and not keys & Qt.KeyboardModifier.ControlModifier:
            event.accept()
            self.scrolled.emit(event.delta())
        else:
            super().wheelEvent(event, axis)


class Chart(QWidget):
    """Axes, grid and items, for every slice. A plot of rates is made so:

        chart = Chart(tr("nodes"))
        chart.set_x_range(0.0, 8.0)
        chart.set_y_axis(scale.low, scale.high, scale.ticks())     # of plots/scale.py
        line = Line(chart, z=1)                                    # of plots/items.py, as is:
        line.set_pen(series_pen("thick", theme.b))                 # Area, Bars, LabelLine,
        line.set_data(x, scale.place(values))                      # TextLabel, Grid
        chart.add(pg.ScatterPlotItem(x, y, symbol="d"))            # or any item of pyqtgraph

    For rows with names (runs of strategies, a ranking), `set_rows` puts the first at y = -0.5, the
    next at -1.5, with its name beside it; `zooms=False` leaves the x axis as it is, and
    `x_ticks(low, high, width_px)` figures it. A chart follows the theme, and has no ground of its
    own where it `is_clear`; what is in it takes the colours as `laid_out` follows.

    Only x can be zoomed (wheel, + and −) and moved (drag, Page keys); a double-click shows all.
    `hovered` and `clicked` carry data coordinates, `left` follows the pointer's leaving;
    `zoomed` carries the shown x range after the user changed it; `key_pressed` a Qt.Key;
    `laid_out` follows every change of the shown range or of the size. `anchor` is what the
    zoom by keys keeps in place, where it is in sight: None stands for the middle. Where the wheel
    `scrolls_rows`, `scrolled` carries how far it was turned, and zooming takes Ctrl besides. Where
    a drag `selects_ranges`, `dragged` carries from where to where, whether with Shift, and whether
    it is over; then the time axis, the middle button and the wheel with Shift move.
    """

    hovered = Signal(float, float)
    left = Signal()
    clicked = Signal(float, float)
    zoomed = Signal(float, float)
    key_pressed = Signal(int)
    laid_out = Signal()
    scrolled = Signal(int)
    dragged = Signal(float, float, bool, bool)
    is_clear: ClassVar[bool] = False

    def __init__(
        self,
        x_title: str = "",
        *,
        left_px: float = LEFT_PX,
        scrolls_rows: bool = False,
        selects_ranges: bool = False,
        zooms: bool = True,
    ) -> None:
        super().__init__()
        self.x_ticks: Callable[[float, float, float], Ticks] = time_ticks
        self.is_zoomed = False
        self.anchor: float | None = None
        self.items: list[QGraphicsItem] = []
        self._home = (0.0, 1.0)
        self._y_range = (0.0, 1.0)
        self._size_px = (0.0, 0.0)
        self.view = QRectF(0.0, 0.0, 1.0, 1.0)
        """The part of both axes that is shown, as it was laid out last."""
        self._view = pg.GraphicsView()
        self._box = _Box(scrolls_rows=scrolls_rows, selects_ranges=selects_ranges)
        self.axes = Axes(self._box, self._arrange(), left_px)
        self.axes.set_title(x_title)
        self.add(self.axes.grid)
        self._prepare(zooms=zooms)
        self.renew()
        manager().changed.connect(self.renew)

    @property
    def x_range(self) -> tuple[float, float]:
        """The part of the x axis that is shown."""
        low, high = self._box.viewRange()[0]
        return float(low), float(high)

    @property
    def whole_x_range(self) -> tuple[float, float]:
        """The whole x axis."""
        return self._home

    @property
    def y_range(self) -> tuple[float, float]:
        """The part of the y axis that is shown."""
        return self._y_range

    @property
    def size_px(self) -> tuple[float, float]:
        """Width and height of the area inside the axes."""
        return self._size_px

    def add(self, item: Item) -> Item:
        """Show `item`, which must not ask for a range of its own."""
        self._box.addItem(item, ignoreBounds=True)
        self.items.append(item)
        return item

    def remove(self, item: QGraphicsItem) -> None:
        """Take an item away."""
        self._box.removeItem(item)
        self.items.remove(item)

    def set_x_range(self, low: float, high: float) -> None:
        """The whole x axis; a part that the user zoomed into stays shown, where it still exists."""
        if (low, high) == self._home:
            return
        self._home = (low, high)
        first, last = self.x_range
        self._box.setLimits(xMin=low, xMax=high, minXRange=(high - low) * _SMALLEST_ZOOM)
        if not (self.is_zoomed and low <= first and last <= high):
            self.show_x(low, high)

    def show_x(self, low: float, high: float) -> None:
        """Zoom to a part of the x axis."""
        self.is_zoomed = (low, high) != self._home
        self._box.setXRange(low, high, padding=0)
        self.lay_out()

    def zoom_to(self, low: float, high: float) -> None:
        """Zoom to a part of the x axis on the user's behalf."""
        width = min(high - low, self._home[1] - self._home[0])
        low = min(max(low, self._home[0]), self._home[1] - width)
        self.show_x(low, low + width)
        self.zoomed.emit(low, low + width)

    def reset_view(self) -> None:
        """Show the whole x axis again."""
        self.show_x(*self._home)

    def set_y_axis(
        self, low: float, high: float, texts: Ticks, headroom_share: float = _HEADROOM_SHARE
    ) -> None:
        """The y range and its ticks; lines at the very top keep their width."""
        self._y_range = (low, high + (high - low) * headroom_share)
        self._box.setYRange(*self._y_range, padding=0)
        self.axes.set_y_ticks(texts)
        self.lay_out()

    def set_rows(self, names: Sequence[str]) -> None:
        """Rows from top to bottom, one unit high each, with their names beside them."""
        ticks = [(-at - 0.5, name) for at, name in enumerate(names)]
        self.set_y_axis(-float(max(len(names), 1)), 0.0, ticks, headroom_share=0.0)

    def to_px(self, x: float, y: float) -> QPointF:
        """A point of the plot in this widget's pixels."""
        scene: QPointF = self._box.mapViewToScene(QPointF(x, y))
        return QPointF(self._view.mapTo(self, self._view.mapFromScene(scene)))

    def lay_out(self) -> None:
        """Write the ticks again, after what they show has changed."""
        # Drawn things ask for the size a hundred times a frame.
        self._size_px = float(self._box.width()), float(self._box.height())
        (left, right), (bottom, top) = self.x_range, self._y_range
        self.view = QRectF(left, bottom, right - left, top - bottom)
        x_ticks = self.x_ticks(*self.x_range, self._size_px[0])
        self.axes.lay_out(self.view, self._size_px[1], x_ticks)
        # Or pyqtgraph takes the new range in as it paints, and has to paint all of it again, which
        # is a tenth of growing frames.
        self._view.scene().prepareForPaint()
        self.laid_out.emit()

    def set_export_mode(self, *, on: bool) -> None:
        """Draw points one by one, as pictures need, rather than from a shared pixmap."""
        for item in self._view.scene().items():
            if hasattr(item, "setExportMode"):
                item.setExportMode(on, {"antialias": True})

    def renew(self) -> None:
        """Draw all anew, in the theme's colours."""
        self._view.setBackground(None if self.is_clear else manager().theme.panel)
        self.axes.apply_theme(manager().theme)
        self.lay_out()

    def leaveEvent(self, event: object) -> None:
        """The pointer has gone."""
        del event
        self.left.emit()

    def hideEvent(self, event: object) -> None:
        """What is no longer seen is not pointed at."""
        del event
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom, move and reset by keyboard; other keys go to whoever listens."""
        low, high = self.x_range
        width = high - low
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self._zoom_by(0.5)
            case Qt.Key.Key_Minus:
                self._zoom_by(2.0)
            case Qt.Key.Key_PageUp:
                self.zoom_to(low - width / 2, high - width / 2)
            case Qt.Key.Key_PageDown:
                self.zoom_to(low + width / 2, high + width / 2)
            case Qt.Key.Key_0:
                self.zoom_to(*self._home)
            case key if key in _FORWARDED_KEYS:
                self.key_pressed.emit(key)
                # Whoever gave the plot more room takes it back by the same key.
                event.setAccepted(key != Qt.Key.Key_Escape)
            case _:
                super().keyPressEvent(event)

    def _arrange(self) -> QGraphicsGridLayout:
        # A PlotWidget has a menu, a title, a button and two axes besides, which nobody sees: eleven
        # would take 0.09 s more until the window is painted.
        frame = QGraphicsWidget()
        layout = QGraphicsGridLayout(frame)
        layout.setSpacing(0)
        # Room for half a tick's text above the left axis; rows have none.
        layout.setContentsMargins(0, 0 if self._box.scrolls_rows else 8, RIGHT_PX, 0)
        layout.addItem(self._box, 0, 1)
        layout.setRowStretchFactor(0, 1)
        layout.setColumnStretchFactor(1, 1)
        self._view.setCentralItem(frame)
        return layout

    def _prepare(self, *, zooms: bool) -> None:
        self._view.setFrameStyle(0)
        for widget in (self._view, self._view.viewport()):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._box.setMouseEnabled(x=zooms, y=False)
        self._box.disableAutoRange()
        self._box.setDefaultPadding(0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("role", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        in_column(self._view, on=self, margins=(1, 1, 1, 1))
        self._box.sigRangeChangedManually.connect(self._on_zoomed)
        self._box.sigResized.connect(self.lay_out)
        self._box.scrolled.connect(self.scrolled)
        self._box.dragged.connect(self.dragged)
        self._view.scene().sigMouseMoved.connect(self._on_moved)
        self._view.scene().sigMouseClicked.connect(self._on_clicked)

    def _zoom_by(self, factor: float) -> None:
        low, high = self.x_range
        middle = (low + high) / 2
        at = middle if self.anchor is None or not low <= self.anchor <= high else self.anchor
        self.zoom_to(at - (at - low) * factor, at + (high - at) * factor)

    def _on_zoomed(self, *_: object) -> None:
        self.is_zoomed = True
        self.lay_out()
        self.zoomed.emit(*self.x_range)

    def _on_moved(self, scene: QPointF) -> None:
        if not self._box.sceneBoundingRect().contains(scene):
            self.left.emit()
            return
        at: QPointF = self._box.mapSceneToView(scene)
        self.hovered.emit(at.x(), at.y())

    def _on_clicked(self, click: MouseClickEvent) -> None:
        scene: QPointF = click.scenePos()
        inside = self._box.sceneBoundingRect().contains(scene)
        if not inside or click.button() != Qt.MouseButton.LeftButton:
            return
        if click.double():
            self.zoom_to(*self._home)
        else:
            at: QPointF = self._box.mapSceneToView(scene)
            self.clicked.emit(at.x(), at.y())

"""The drawing area of a plot: pyqtgraph narrowed to fixed ranges, ticks of ours and zoom in x."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsWidget, QWidget

from modelmon.gui.plots.axes import LEFT_PX, RIGHT_PX, Axes, time_ticks
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent, MouseDragEvent
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QGraphicsItem, QGraphicsSceneWheelEvent

    from modelmon.gui.plots.axes import Ticks
    from modelmon.gui.widgets.theme import Theme

_SMALLEST_ZOOM = 1e-3
_HEADROOM_SHARE = 0.02
_NOTCH = 120
_MOVED_SHARE = 0.1
_FORWARDED_KEYS = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
    Qt.Key.Key_Escape,
)


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


class Canvas(QWidget):
    """Axes, grid and items. Only x can be zoomed (wheel, + and −) and moved (drag, Page keys); a
    double-click shows all of it.

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

    def __init__(
        self,
        x_title: str,
        y_title: str = "",
        *,
        left_px: float = LEFT_PX,
        scrolls_rows: bool = False,
        selects_ranges: bool = False,
    ) -> None:
        super().__init__()
        self.x_ticks: Callable[[float, float, float], Ticks] = time_ticks
        self.is_zoomed = False
        self.anchor: float | None = None
        self._home = (0.0, 1.0)
        self._y_range = (0.0, 1.0)
        self._size_px = (0.0, 0.0)
        self._view = pg.GraphicsView()
        self._box = _Box(scrolls_rows=scrolls_rows, selects_ranges=selects_ranges)
        self.axes = Axes(self._box, self._arrange(), x_title, y_title, left_px)
        self.add(self.axes.grid)
        self._prepare()
        self.apply_theme(manager().theme)

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
    def view(self) -> QRectF:
        """The part of both axes that is shown."""
        (left, right), (bottom, top) = self.x_range, self._y_range
        return QRectF(left, bottom, right - left, top - bottom)

    @property
    def size_px(self) -> tuple[float, float]:
        """Width and height of the area inside the axes."""
        return self._size_px

    def add(self, item: QGraphicsItem) -> None:
        """Show `item`, which must not ask for a range of its own."""
        self._box.addItem(item, ignoreBounds=True)

    def remove(self, item: QGraphicsItem) -> None:
        """Take an item away."""
        self._box.removeItem(item)

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
        self._show_x(low, high)

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

    def to_px(self, x: float, y: float) -> QPointF:
        """A point of the plot in this widget's pixels."""
        scene: QPointF = self._box.mapViewToScene(QPointF(x, y))
        return QPointF(self._view.mapTo(self, self._view.mapFromScene(scene)))

    def lay_out(self) -> None:
        """Write the ticks again, after what they show has changed."""
        # Drawn things ask for the size a hundred times a frame.
        self._size_px = width_px, _ = float(self._box.width()), float(self._box.height())
        self.axes.lay_out(self.view, self._size_px, self.x_ticks(*self.x_range, width_px))
        # Or pyqtgraph takes the new range in as it paints, and has to paint all of it again, which
        # is a tenth of growing frames.
        self._view.scene().prepareForPaint()
        self.laid_out.emit()

    def set_export_mode(self, *, on: bool) -> None:
        """Draw points one by one, as pictures need, rather than from a shared pixmap."""
        for item in self._view.scene().items():
            if hasattr(item, "setExportMode"):
                item.setExportMode(on, {"antialias": True})

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's ground, axis and grid colours."""
        self._view.setBackground(theme.panel)
        self.axes.apply_theme(theme)

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

    def _prepare(self) -> None:
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.setFrameStyle(0)
        for widget in (self._view, self._view.viewport()):
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._box.setMouseEnabled(x=True, y=False)
        self._box.disableAutoRange()
        self._box.setDefaultPadding(0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("role", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        in_column(self._view, on=self, margins=(1, 1, 1, 1))
        self._box.sigRangeChangedManually.connect(self._on_zoomed)
        self._box.sigResized.connect(self._on_resized)
        self._box.scrolled.connect(self.scrolled)
        self._box.dragged.connect(self.dragged)
        self._view.scene().sigMouseMoved.connect(self._on_moved)
        self._view.scene().sigMouseClicked.connect(self._on_clicked)

    def _zoom_by(self, factor: float) -> None:
        low, high = self.x_range
        middle = (low + high) / 2
        at = middle if self.anchor is None or not low <= self.anchor <= high else self.anchor
        self.zoom_to(at - (at - low) * factor, at + (high - at) * factor)

    def _show_x(self, low: float, high: float) -> None:
        self._box.setXRange(low, high, padding=0)
        self.lay_out()

    def _on_resized(self, *_: object) -> None:
        self.lay_out()

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

"""The drawing area of a plot: pyqtgraph narrowed to fixed ranges, few ticks and our colours."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Literal

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QVBoxLayout, QWidget

from modelmon.gui.plots.items import Grid
from modelmon.gui.plots.pens import pen
from modelmon.gui.plots.scale import tick_texts, ticks
from modelmon.gui.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QGraphicsItem

    from modelmon.gui.theme import Theme

Side = Literal["left", "bottom", "right"]
Ticks = list[tuple[float, str]]

_PX_PER_TICK = 44
_LEFT_AXIS_PX = 46
_AXIS_TITLE_PX = 24
_BOTTOM_AXIS_PX = 36
_HEADROOM = 0.02
_LEAST_PX_PER_Y_TICK = 14
_RIGHT_AXIS_PX = 46
_SMALLEST_ZOOM = 1e-3


def number_ticks(low: float, high: float, width_px: float) -> Ticks:
    """Round figures, as many as `width_px` has room for."""
    values = ticks(low, high, max(2, int(width_px // _PX_PER_TICK)))
    return list(zip(values, tick_texts(values), strict=True))


class Canvas(QWidget):
    """Axes, grid and items. Only x can be zoomed (wheel) and moved (drag).

    `hovered` and `clicked` carry data coordinates, `left` follows the pointer's leaving;
    `zoomed` carries the shown x range after the user changed it; `key_pressed` a Qt.Key;
    `laid_out` follows every change of the shown range or of the size.
    """

    hovered = Signal(float, float)
    left = Signal()
    clicked = Signal(float, float)
    zoomed = Signal(float, float)
    key_pressed = Signal(int)
    laid_out = Signal()

    def __init__(self, x_title: str, y_title: str) -> None:
        super().__init__()
        self.x_ticks: Callable[[float, float, float], Ticks] = number_ticks
        self._titles: dict[Side, str] = {"left": y_title, "bottom": x_title}
        self._home = (0.0, 1.0)
        self._y_range = (0.0, 1.0)
        self._y_ticks: Ticks = []
        self._is_zoomed = False
        self._plot = pg.PlotWidget()
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setFrameStyle(0)
        self._plot.hideButtons()
        self._plot.setMenuEnabled(False)
        self._box = self._plot.getViewBox()
        self._box.setMouseEnabled(x=True, y=False)
        self._box.disableAutoRange()
        self._box.setDefaultPadding(0)
        self._grid = Grid()
        self.add(self._grid)
        # Room for half a tick's text above and to the right of the axes' ends.
        self._plot.getPlotItem().layout.setContentsMargins(0, 8, 14, 0)
        self._plot.getAxis("left").setWidth(_LEFT_AXIS_PX)
        self._plot.getAxis("bottom").setHeight(_BOTTOM_AXIS_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("role", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.addWidget(self._plot)
        self._box.sigRangeChangedManually.connect(self._on_zoomed)
        self._box.sigResized.connect(self._show_ticks)
        self._plot.scene().sigMouseMoved.connect(self._on_moved)
        self._plot.scene().sigMouseClicked.connect(self._on_clicked)
        self.apply_theme(manager().theme)

    @property
    def x_range(self) -> tuple[float, float]:
        """The part of the x axis that is shown."""
        low, high = self._box.viewRange()[0]
        return float(low), float(high)

    @property
    def y_range(self) -> tuple[float, float]:
        """The part of the y axis that is shown."""
        return self._y_range

    @property
    def is_zoomed(self) -> bool:
        """Whether the user chose the shown part of the x axis."""
        return self._is_zoomed

    @property
    def size_px(self) -> tuple[float, float]:
        """Width and height of the area inside the axes."""
        return float(self._box.width()), float(self._box.height())

    def add(self, item: QGraphicsItem) -> None:
        """Show `item`, which must not ask for a range of its own."""
        self._box.addItem(item, ignoreBounds=True)

    def remove(self, item: QGraphicsItem) -> None:
        """Take `item` away again."""
        self._box.removeItem(item)

    def set_x_range(self, low: float, high: float) -> None:
        """The whole x axis; a part that the user zoomed into stays shown."""
        if (low, high) == self._home:
            return
        self._home = (low, high)
        self._box.setLimits(xMin=low, xMax=high, minXRange=(high - low) * _SMALLEST_ZOOM)
        if not self._is_zoomed:
            self._show_x(low, high)

    def show_x(self, low: float, high: float) -> None:
        """Zoom to a part of the x axis."""
        self._is_zoomed = (low, high) != self._home
        self._show_x(low, high)

    def reset_view(self) -> None:
        """Show the whole x axis again."""
        self.show_x(*self._home)

    def set_y_axis(self, low: float, high: float, texts: Ticks) -> None:
        """The y range and its ticks; lines at the very top keep their width."""
        self._y_range = (low, high + (high - low) * _HEADROOM)
        self._y_ticks = texts
        self._box.setYRange(*self._y_range, padding=0)
        metrics = QFontMetricsF(font(11))
        widest_px = max((metrics.horizontalAdvance(text) for _, text in texts), default=0.0)
        self._plot.getAxis("left").setWidth(max(_LEFT_AXIS_PX, widest_px + _AXIS_TITLE_PX))
        self._show_y_ticks()
        self._show_grid()

    def set_right_axis(self, title: str, texts: Ticks) -> None:
        """Ticks on the right, at positions of the left axis; none hides the axis."""
        axis = self._plot.getAxis("right")
        self._plot.showAxis("right", show=bool(texts))
        axis.setWidth(_RIGHT_AXIS_PX if texts else 0)
        axis.setTicks([texts])
        self.set_title("right", title)

    def set_title(self, side: Side, title: str) -> None:
        """What an axis shows, with its unit."""
        if self._titles.get(side) == title:
            return
        self._titles[side] = title
        self._style_axis(side, manager().theme)

    def title(self, side: Side) -> str:
        """What an axis shows, with its unit."""
        return self._titles.get(side, "")

    def to_px(self, x: float, y: float) -> QPointF:
        """A point of the plot in this widget's pixels."""
        scene: QPointF = self._box.mapViewToScene(QPointF(x, y))
        return QPointF(self._plot.mapTo(self, self._plot.mapFromScene(scene)))

    def refresh_ticks(self) -> None:
        """Ask `x_ticks` again, after what it shows has changed."""
        self._show_ticks()

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's ground, axis and grid colours."""
        self._plot.setBackground(theme.panel)
        self._grid.pen = pen(theme.grid, 1)
        self._grid.update()
        for side in self._titles:
            self._style_axis(side, theme)

    def leaveEvent(self, event: object) -> None:  # noqa: N802 (Qt's name)
        """The pointer has gone."""
        del event
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Zoom, move and reset by keyboard; other keys go to whoever listens."""
        low, high = self.x_range
        width = high - low
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self._zoom_to(low + width / 4, high - width / 4)
            case Qt.Key.Key_Minus:
                self._zoom_to(low - width / 2, high + width / 2)
            case Qt.Key.Key_PageUp:
                self._zoom_to(low - width / 2, high - width / 2)
            case Qt.Key.Key_PageDown:
                self._zoom_to(low + width / 2, high + width / 2)
            case Qt.Key.Key_0:
                self.reset_view()
                self.zoomed.emit(*self._home)
            case Qt.Key.Key_Left | Qt.Key.Key_Right | Qt.Key.Key_Escape | Qt.Key.Key_Return:
                self.key_pressed.emit(event.key())
            case _:
                super().keyPressEvent(event)

    def _zoom_to(self, low: float, high: float) -> None:
        width = min(high - low, self._home[1] - self._home[0])
        low = min(max(low, self._home[0]), self._home[1] - width)
        self.show_x(low, low + width)
        self.zoomed.emit(low, low + width)

    def _show_x(self, low: float, high: float) -> None:
        self._box.setXRange(low, high, padding=0)
        self._show_ticks()

    def _show_ticks(self, *_: object) -> None:
        texts = self.x_ticks(*self.x_range, self._box.width())
        self._plot.getAxis("bottom").setTicks([texts])
        self._show_y_ticks()
        self._show_grid()
        self.laid_out.emit()

    def _show_y_ticks(self) -> None:
        # A low plot has room for every second or third figure only; the grid stays.
        px_per_tick = self._box.height() / max(len(self._y_ticks), 1)
        every = max(1, ceil(_LEAST_PX_PER_Y_TICK / max(px_per_tick, 1.0)))
        texts = [
            (value, "" if index % every else text)
            for index, (value, text) in enumerate(self._y_ticks)
        ]
        self._plot.getAxis("left").setTicks([texts])

    def _show_grid(self) -> None:
        low, high = self.x_range
        bottom, top = self._y_range
        view = QRectF(low, bottom, high - low, top - bottom)
        at_x = [value for value, _ in self.x_ticks(low, high, self._box.width())]
        self._grid.set_lines(view, at_x, [value for value, _ in self._y_ticks])

    def _on_zoomed(self, *_: object) -> None:
        self._is_zoomed = True
        self._show_ticks()
        self.zoomed.emit(*self.x_range)

    def _on_moved(self, scene: QPointF) -> None:
        if not self._box.sceneBoundingRect().contains(scene):
            self.left.emit()
            return
        at: QPointF = self._box.mapSceneToView(scene)
        self.hovered.emit(at.x(), at.y())

    def _on_clicked(self, click: pg.GraphicsScene.mouseEvents.MouseClickEvent) -> None:
        scene: QPointF = click.scenePos()
        if click.button() == Qt.MouseButton.LeftButton and self._box.sceneBoundingRect().contains(
            scene
        ):
            at: QPointF = self._box.mapSceneToView(scene)
            self.clicked.emit(at.x(), at.y())

    def _style_axis(self, side: Side, theme: Theme) -> None:
        axis = self._plot.getAxis(side)
        axis.enableAutoSIPrefix(enable=False)
        axis.setPen(pen(theme.control, 1))
        axis.setTextPen(pen(theme.text_2, 1))
        small = font(11)
        axis.setTickFont(small)
        axis.setStyle(tickLength=0, tickTextOffset=5, hideOverlappingLabels=False)
        axis.setLabel(
            self._titles[side],
            **{"color": theme.text_2.name(), "font-size": f"{small.pixelSize()}px"},
        )

"""Nodes over time: a line of pixels for each, the darker the faster it loads."""

from __future__ import annotations

from math import ceil, isnan
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QResizeEvent

from modelmon.core.export.csv_tables import csv_table
from modelmon.core.units import duration_text, rate_text
from modelmon.gui.language import tr
from modelmon.gui.plots.canvas import Canvas
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.items import Drawn
from modelmon.gui.plots.readout import Readout, Row
from modelmon.gui.plots.scale import ticks as round_ticks
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QPointF

    from modelmon.gui.session.clusters import NodeTimes
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

    Floats = NDArray[np.float64]

_MOST_NAMED = 24
_MOST_NAME_PX = 120.0
_LEAST_NAME_PX = 14.0
_LEVELS = 256
_MOST_COLUMNS = 400
_TICKS = 5
_GAP_SHARE = 0.12
"""Of a line's height between it and the next, where lines are high."""
_HIGH_PX = 6


class NodeMap(PlotFrame):
    """One start of many nodes, the first ready at the bottom. `node_clicked` carries a name."""

    node_clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__(
            tr("Nodes over time"), tr("Each node's load, once one was started"), framed=True
        )
        self.can_hide = False
        self.canvas = Canvas(tr("time since start"))
        self.readout = Readout(self.canvas)
        self.times: NodeTimes | None = None
        self._label: ArmLabel = "A"
        self._marked = ""
        self._pixels = _Pixels()
        self.canvas.add(self._pixels)
        self.fill(self.canvas)
        self.canvas.laid_out.connect(self._draw)
        self.canvas.hovered.connect(self._on_hovered)
        self.canvas.clicked.connect(self._on_clicked)
        self.canvas.left.connect(self.readout.hide)
        self.apply_theme(manager().theme)

    def show_times(self, times: NodeTimes | None, label: ArmLabel) -> None:
        """Show a start in the color of its way; None shows nothing."""
        self.times, self._label = times, label
        self.show_empty(empty=times is None)
        if times is None:
            return
        self.canvas.set_x_range(0.0, times.end_s * 1.02)
        self._write_rows()

    def mark(self, name: str) -> None:
        """Frame this node's line; "" none."""
        if name != self._marked:
            self._marked = name
            self._draw()

    def reset_view(self) -> None:
        """Show the whole time again."""
        self.canvas.reset_view()

    def apply_theme(self, theme: Theme) -> None:
        """Redraw in the theme's colours."""
        super().apply_theme(theme)
        self.canvas.apply_theme(theme)
        self._draw()

    @property
    def has_table(self) -> bool:
        """Whether a start is shown."""
        return self.times is not None

    def csv_text(self) -> str:
        """A row for each node: when it began and was ready."""
        times = self.times
        assert times is not None
        rows = zip(times.names, times.began_s, times.ready_s, strict=True)
        lines = ((name, f"{a:.6g}", f"{b:.6g}") for name, a, b in rows)
        return csv_table(("node", "began_s", "ready_s"), lines)

    def _write_rows(self) -> None:
        times = self.times
        assert times is not None
        count = len(times.names)
        letters = QFontMetricsF(font(11))
        row_px = (self.canvas.size_px[1] or 1.0) / max(count, 1)
        if count <= _MOST_NAMED and row_px >= _LEAST_NAME_PX:
            elide = Qt.TextElideMode.ElideMiddle
            ticks = [
                (at + 0.5, letters.elidedText(name, elide, _MOST_NAME_PX))
                for at, name in enumerate(times.names)
            ]
        else:
            ticks = [(at, f"{at:,.0f}") for at in round_ticks(0, count, _TICKS) if at == int(at)]
        named = count <= _MOST_NAMED and row_px >= _LEAST_NAME_PX
        many = tr("nodes") if times.live else tr("nodes, the slowest on top")
        self.canvas.axes.set_title("left", "" if named else many)
        self.canvas.set_y_axis(0.0, float(max(count, 1)), ticks, headroom_share=0.0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names need room."""
        super().resizeEvent(event)
        if self.times is not None:
            self._write_rows()

    def _draw(self) -> None:
        times = self.times
        if times is None:
            return
        width_px, height_px = self.canvas.size_px
        if width_px < 1 or height_px < 1:
            return
        theme = manager().theme
        rates = times.rates(min(_MOST_COLUMNS, max(60, int(width_px / 2))))
        most = float(np.nanmax(rates)) if np.isfinite(rates).any() else 0.0
        lines = min(len(times.names), int(height_px))
        levels = _grouped(rates, lines) / (most or 1.0)
        ready = _ready_columns(times, rates.shape[1], lines)
        self._pixels.set_image(
            _image(levels, ready, theme, self._label),
            QRectF(0.0, 0.0, times.end_s, float(len(times.names))),
            gaps=height_px / max(lines, 1) >= _HIGH_PX,
            lines=lines,
        )
        marked = times.names.index(self._marked) if self._marked in times.names else None
        failed = [at for at, name in enumerate(times.names) if name in times.failed]
        self._pixels.mark(marked, failed)
        self.header.set_unit(
            tr("fainter is slower; full color {rate}", rate=rate_text(most)) if most else ""
        )

    def _row_at(self, y: float) -> int | None:
        count = len(self.times.names) if self.times is not None else 0
        return int(y) if 0 <= y < count else None

    def _on_clicked(self, _x: float, y: float) -> None:
        row = self._row_at(y)
        if row is not None and self.times is not None:
            self.node_clicked.emit(self.times.names[row])

    def _on_hovered(self, x: float, y: float) -> None:
        times, row = self.times, self._row_at(y)
        if times is None or row is None or not 0 <= x <= times.end_s:
            self.readout.hide()
            return
        rates = times.rates(min(_MOST_COLUMNS, max(60, int(self.canvas.size_px[0] / 2))))
        now = float(rates[row, min(int(x / times.end_s * rates.shape[1]), rates.shape[1] - 1)])
        ready = float(times.ready_s[row])
        state = _state(times, row, x)
        cells = (
            rate_text(now) if not isnan(now) else state,
            duration_text(ready * 1e9) if not isnan(ready) else "–",
        )
        at: QPointF = self.canvas.to_px(x, y)
        columns = [tr("rate"), tr("ready")]
        shown = Row(times.names[row], cells, manager().theme.text.name())
        self.readout.show_rows(f"{x:.3g} s", columns, [shown], at)


def _state(times: NodeTimes, row: int, x: float) -> str:
    """What a node does while it doesn't load."""
    if x < times.began_s[row]:
        return tr("waits")
    return tr("failed") if times.names[row] in times.failed else tr("is ready")


def _grouped(rates: Floats, lines: int) -> Floats:
    """Rates of neighbours as one where a line stands for several: their mean while they load."""
    if lines >= len(rates):
        return rates
    starts = np.linspace(0, len(rates), lines, endpoint=False).astype(int)
    known = np.isfinite(rates)
    sums = np.add.reduceat(np.where(known, rates, 0.0), starts, axis=0)
    counts = np.add.reduceat(known.astype(float), starts, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(counts > 0, sums / counts, np.nan)


def _ready_columns(times: NodeTimes, columns: int, lines: int) -> NDArray[np.int_]:
    """Where in each line the last of its nodes was ready; −1 where none was."""
    ready = np.nan_to_num(times.ready_s, nan=-1.0)
    if lines < len(ready):
        starts = np.linspace(0, len(ready), lines, endpoint=False).astype(int)
        ready = np.maximum.reduceat(ready, starts)
    at = np.minimum((ready / times.end_s * columns).astype(int), columns - 1)
    return np.where(ready >= 0, at, -1)


def _image(levels: Floats, ready: NDArray[np.int_], theme: Theme, label: ArmLabel) -> QImage:
    """The slowest on top; clear where a node doesn't load."""
    soft, full = theme.arm_soft(label), theme.arm(label)
    share = np.linspace(0.0, 1.0, _LEVELS)[:, None]
    ends = [np.array([c.blue(), c.green(), c.red(), 255], dtype=float) for c in (soft, full)]
    ramp = (ends[0] * (1 - share) + ends[1] * share).astype(np.uint8)
    known = np.isfinite(levels)
    # By the root: what is slow differs as much as what is fast.
    index = (np.sqrt(np.clip(np.nan_to_num(levels), 0.0, 1.0)) * (_LEVELS - 1)).astype(int)
    pixels = ramp[index]
    pixels[~known] = 0
    text = theme.text
    lines = np.flatnonzero(ready >= 0)
    pixels[lines, ready[lines]] = (text.blue(), text.green(), text.red(), 255)
    turned = np.ascontiguousarray(pixels[::-1])
    height, width, _ = turned.shape
    return QImage(turned.tobytes(), width, height, 4 * width, QImage.Format.Format_ARGB32).copy()


def _line_of(row: int, row_height: float) -> int:
    """The line that stands for a node, and others beside it where there are more than lines."""
    return ceil((row + 1) / row_height) - 1


class _Pixels(Drawn):
    """The image over the whole time and all nodes."""

    def __init__(self) -> None:
        super().__init__(z=1)
        self._image = QImage()
        self._gaps = False
        self._lines = 1
        self._marked: int | None = None
        self._failed: list[int] = []

    def set_image(self, image: QImage, place: QRectF, *, gaps: bool, lines: int) -> None:
        """Draw this there; with `gaps` between the lines."""
        self._image, self._gaps, self._lines = image, gaps, lines
        self._resize(place)

    def mark(self, row: int | None, failed: list[int]) -> None:
        """Frame the line of a node, and color those that failed."""
        self._marked, self._failed = row, failed
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Line by line where there are gaps, for they must not be smeared."""
        place, theme = self.rect(), manager().theme
        if self._image.isNull():
            return
        # y grows upwards in a plot, downwards in an image.
        painter.save()
        painter.translate(0.0, place.height())
        painter.scale(1.0, -1.0)
        row_height = place.height() / self._lines
        inset = row_height * _GAP_SHARE if self._gaps else 0.0
        if self._gaps:
            for line in range(self._lines):
                target = QRectF(0.0, line * row_height + inset, place.width(), row_height - inset)
                painter.drawImage(target, self._image, QRectF(0, line, self._image.width(), 1))
        else:
            painter.drawImage(place, self._image)
        painter.restore()
        painter.setPen(Qt.PenStyle.NoPen)
        bad = QColor(theme.bad)
        bad.setAlphaF(0.25)
        for line in {_line_of(row, row_height) for row in self._failed}:
            painter.fillRect(QRectF(0.0, line * row_height, place.width(), row_height), bad)
        if self._marked is not None:
            marked = QColor(theme.focus)
            marked.setAlphaF(0.3)
            bottom = _line_of(self._marked, row_height) * row_height
            painter.fillRect(QRectF(0.0, bottom, place.width(), row_height), marked)

"""Nodes over time: a line of pixels for each, the darker the faster it loads."""

from __future__ import annotations

from math import ceil, isnan
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QResizeEvent

from modelmon.core.export.csv_tables import csv_table
from modelmon.core.units import duration_text, rate_text
from modelmon.gui.language import tr
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.items import Grid
from modelmon.gui.plots.pens import pen
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
_HIGH_PX = 6
"""Lines as high as that have gaps between them."""


class NodeMap(PlotFrame):
    """One start of many nodes, the first ready at the bottom. `node_clicked` carries a name."""

    node_clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__(
            tr("Nodes over time"), tr("Each node's load, once one was started"), framed=True
        )
        self.can_hide = False
        self.canvas = Chart(tr("time since start"))
        self.readout = Readout(self.canvas)
        self.times: NodeTimes | None = None
        self._label: ArmLabel = "A"
        self._marked = ""
        self._image = pg.ImageItem(axisOrder="row-major")
        self._gaps = Grid()
        self._gaps.setZValue(2)
        for item in (self._image, self._gaps):
            self.canvas.add(item)
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
        pixels = _image(levels, ready, theme, self._label)
        share = lines / len(times.names)
        failed = {ceil((times.names.index(name) + 1) * share) - 1 for name in times.failed}
        _tint(pixels, failed, theme.bad, 0.25)
        if self._marked in times.names:
            marked = ceil((times.names.index(self._marked) + 1) * share) - 1
            _tint(pixels, {marked}, theme.focus, 0.3)
        place = QRectF(0.0, 0.0, times.end_s, float(len(times.names)))
        self._image.setImage(pixels, autoLevels=False, levels=(0, 255))
        self._image.setRect(place)
        apart = height_px / max(lines, 1) >= _HIGH_PX
        self._gaps.setPen(pen(theme.panel, 3))
        self._gaps.set_lines(place, [], [float(at) for at in range(1, lines)] if apart else [])
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


def _image(
    levels: Floats, ready: NDArray[np.int_], theme: Theme, label: ArmLabel
) -> NDArray[np.uint8]:
    """Red, green, blue and opacity, the first line at the bottom; clear where a node doesn't
    load.
    """
    share = np.linspace(0.0, 1.0, _LEVELS)[:, None]
    soft, full = (
        np.array(c.getRgb(), dtype=float) for c in (theme.arm_soft(label), theme.arm(label))
    )
    ramp = (soft * (1 - share) + full * share).astype(np.uint8)
    # By the root: what is slow differs as much as what is fast.
    index = (np.sqrt(np.clip(np.nan_to_num(levels), 0.0, 1.0)) * (_LEVELS - 1)).astype(int)
    pixels: NDArray[np.uint8] = ramp[index]
    pixels[~np.isfinite(levels)] = 0
    lines = np.flatnonzero(ready >= 0)
    pixels[lines, ready[lines]] = _rgba(theme.text)
    return pixels


def _tint(pixels: NDArray[np.uint8], lines: set[int], colour: QColor, share: float) -> None:
    """Let a colour shine through whole lines."""
    at = sorted(lines)
    clear = pixels[at, :, 3:] == 0
    veil = _rgba(colour)
    mixed = pixels[at] * (1 - share) + veil * share
    veil[3] = 255 * share
    pixels[at] = np.where(clear, veil, mixed).astype(np.uint8)


def _rgba(colour: QColor) -> Floats:
    return np.array((colour.red(), colour.green(), colour.blue(), 255), dtype=float)

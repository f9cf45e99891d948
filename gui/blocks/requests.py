"""The requests of a run as points: when each was made, where in the model it read, and by whom."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QColor

from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.chart import Chart
    from modelmon.gui.plots.scale import YScale
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

MOST_COLOURS = 8
"""More cannot be told apart: further readers share them in turn."""
_SHADES = (0.0, 0.55, -0.5, 0.3, -0.2, 0.5, -0.6, 0.15)
"""How far each is from the arm's colour to the ground's (below 0: to the text's). Neighbours, whose
requests lie beside each other, are far apart.
"""
_MOST_JOINED = 20_000
_MOST_LIVE_JOINED = 4_000
_MOST_POINTS = 1_200
_MOST_LARGE = 120
_LARGE_PX: dict[ArmLabel, float] = {"A": 6.5, "B": 8.5}
_SMALL_PX: dict[ArmLabel, float] = {"A": 4.0, "B": 5.5}
_CELL_PX = 2.5
_FAINTEST = 0.25


@dataclass(frozen=True, eq=False)
class Requests:
    """Requests in the order in which they were made.

    `positions` are offsets in the whole model, its shards laid end to end. `descriptors`
    tells which requests went through one file descriptor: one number per reader and shard,
    or per shard where the readers share it.
    """

    seconds: NDArray[np.float64]
    durations_s: NDArray[np.float64]
    positions: NDArray[np.float64]
    nbytes: NDArray[np.float64]
    readers: NDArray[np.int64]
    descriptors: NDArray[np.int64]
    shared: bool
    total_bytes: int
    shard_starts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.seconds)

    @property
    def lines(self) -> NDArray[np.int64]:
        """Which requests one line joins: a reader's, or all through a shared descriptor."""
        return np.zeros(len(self), dtype=np.int64) if self.shared else self.readers

    @cached_property
    def jumps(self) -> NDArray[np.bool_]:
        """Which requests do not continue where their descriptor's last one ended.

        Inferred from the offsets: only the storage itself knows its own streams.
        """
        order = np.argsort(self.descriptors, kind="stable")
        descriptor = self.descriptors[order]
        start, stop = self.positions[order], (self.positions + self.nbytes)[order]
        found = np.zeros(len(self), dtype=np.bool_)
        found[order[1:]] = (descriptor[1:] == descriptor[:-1]) & (start[1:] != stop[:-1])
        return found

    @cached_property
    def reader_numbers(self) -> list[int]:
        """The readers that have made a request, in order."""
        # `np.unique` takes ten times as long, and this is wanted for each frame.
        found: list[int] = np.flatnonzero(np.bincount(self.readers)).tolist()
        return found

    @cached_property
    def size_counts(self) -> dict[int, int]:
        """How many requests had each size, rounded down to a power of two, by the exponent."""
        return size_counts(self.nbytes)

    @property
    def restarts(self) -> int:
        """How many of them jump."""
        return int(np.count_nonzero(self.jumps))

    def jumps_between(self, first_s: float, last_s: float) -> int:
        """How many were made there that jump."""
        there = (self.seconds >= first_s) & (self.seconds <= last_s)
        return int(np.count_nonzero(self.jumps & there))

    def joined(self, part: slice, unit: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The lines through a part of the requests, parted by nan."""
        lines = self.lines[part]
        order = np.argsort(lines, kind="stable")
        x = self.seconds[part][order]
        y = self.positions[part][order] / unit
        parts = np.flatnonzero(np.diff(lines[order])) + 1
        return np.insert(x, parts, np.nan), np.insert(y, parts, np.nan)


def size_counts(nbytes: NDArray[np.float64]) -> dict[int, int]:
    """How many of these sizes there are, rounded down to a power of two, by the exponent."""
    counts = np.bincount(np.frexp(np.maximum(nbytes, 1))[1] - 1)
    return {exponent: int(counts[exponent]) for exponent in np.flatnonzero(counts).tolist()}


def requests_of(record: RunRecord) -> Requests:
    """The requests that `record` knows so far."""
    planned, chunks = record.planned, record.chunks
    shard_bytes = planned.shard_bytes if planned else ()
    starts = np.concatenate([[0], np.cumsum(shard_bytes, dtype=np.int64)]).astype(np.int64)
    shards = _column(chunks.shard)
    order = np.argsort(_column(chunks.start_ns), kind="stable")
    shared = record.hello is not None and record.hello.job.config.descriptor == "shared"
    readers = _column(chunks.reader)[order]
    shards = shards[order]
    made_ns = _column(chunks.start_ns)[order]
    return Requests(
        seconds=made_ns / 1e9,
        durations_s=(_column(chunks.end_ns)[order] - made_ns) / 1e9,
        positions=(starts[shards] + _column(chunks.offset_bytes)[order]).astype(float),
        nbytes=_column(chunks.nbytes)[order].astype(float),
        readers=readers,
        descriptors=shards if shared else readers * (len(shard_bytes) + 1) + shards,
        shared=shared,
        total_bytes=int(starts[-1]),
        shard_starts=tuple(starts[:-1].tolist()),
    )


def _column(values: array[int]) -> NDArray[np.int64]:
    # A copy: an array that lends its memory out could not grow while the run goes on.
    return np.array(values, dtype=np.int64)


def reader_colours(theme: Theme, label: ArmLabel) -> list[QColor]:
    """Shades of the arm's colour: that says whose load it is."""
    if manager().alone:
        return [theme.text] * MOST_COLOURS  # its readers aren't known
    arm = theme.arm(label)
    return [_mixed(arm, theme.panel if share > 0 else theme.text, abs(share)) for share in _SHADES]


def _mixed(colour: QColor, ground: QColor, share: float) -> QColor:
    return QColor(
        round(colour.red() * (1 - share) + ground.red() * share),
        round(colour.green() * (1 - share) + ground.green() * share),
        round(colour.blue() * (1 - share) + ground.blue() * share),
    )


class RequestPoints:
    """A point per request, joined by lines in the arm's colour: the more, the smaller and paler.

    Few are round for A and diamonds for B; more are the cells of an image, in which each has the
    colour of its last request. The lines are left out where they would cover everything.
    """

    def __init__(self, canvas: Chart, label: ArmLabel) -> None:
        self.label: ArmLabel = label
        self._canvas = canvas
        self.density = Density(canvas)
        self.points = pg.ScatterPlotItem(pxMode=True, useCache=True, pen=None)
        self.line = pg.PlotDataItem(connect="finite")
        self.line.setZValue(6)
        self.points.setZValue(7)
        canvas.add(self.line)
        canvas.add(self.points)

    def show(self, requests: Requests, scale: YScale, *, live: bool, hidden: bool = False) -> bool:
        """Draw the requests that are in sight; whether they are too many to be joined. `live` keeps
        it cheap.
        """
        unit, edges = scale.unit.size, self._canvas.x_range
        window = QRectF(edges[0], 0.0, edges[1] - edges[0], scale.high)
        # One beyond each edge, so that lines leave the window where they should.
        first, last = np.searchsorted(requests.seconds, edges, side="left").tolist()
        part = slice(0, 0) if hidden else slice(max(first - 1, 0), min(last + 1, len(requests)))
        x = requests.seconds[part]
        y = requests.positions[part] / unit
        numbers = requests.readers[part] % MOST_COLOURS
        colours = reader_colours(manager().theme, self.label)
        dense = len(x) > (_MOST_LIVE_JOINED if live else _MOST_JOINED)
        few, large = len(x) <= _MOST_POINTS, len(x) <= _MOST_LARGE
        self.points.setVisible(few)
        self.line.setVisible(not dense)
        if few:
            self.density.hide()
            size = (_LARGE_PX if large else _SMALL_PX)[self.label]
            # pyqtgraph keeps a picture for each brush by its identity.
            shades = [QBrush(colour) for colour in colours]
            brushes = [shades[number] for number in numbers.tolist()]
            shape = "o" if self.label == "A" else "d"
            self.points.setData(x, y, size=size, brush=brushes, symbol=shape)
        else:
            self.density.show(x, y, window, numbers, colours)
        if not dense:
            opacity = 0.8 if large else 0.4 if few else 0.25
            colour = manager().theme.arm(self.label)
            self.line.setPen(pen(faded(colour, opacity), 1))
            self.line.setData(*requests.joined(part, unit))
        return dense


class Density:
    """How many points lie in each cell of a window, on a logarithmic scale."""

    def __init__(self, canvas: Chart) -> None:
        self.counts: NDArray[np.int64] = np.zeros((1, 1), dtype=np.int64)
        self.pixels: NDArray[np.uint8] = np.zeros((1, 1, 4), dtype=np.uint8)
        self._canvas = canvas
        self._item = pg.ImageItem(axisOrder="row-major")
        self._item.setZValue(5)
        self._item.hide()
        canvas.add(self._item)

    @property
    def visible(self) -> bool:
        """Whether it is shown."""
        return bool(self._item.isVisible())

    def hide(self) -> None:
        """Take it away."""
        self._item.hide()

    def show(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        window: QRectF,
        numbers: NDArray[np.int64],
        colours: Sequence[QColor],
    ) -> None:
        """Count the points in `window`; every cell with a point can be seen.

        `numbers` say which of `colours` each point has; a cell takes that of its last point.
        """
        columns, rows = (max(int(px / _CELL_PX), 1) for px in self._canvas.size_px)
        column = ((x - window.left()) / window.width() * columns).astype(np.int64)
        row = ((y - window.top()) / window.height() * rows).astype(np.int64)
        inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        cells = row[inside] * columns + column[inside]
        self.counts = np.bincount(cells, minlength=rows * columns).reshape(rows, columns)
        most = np.log1p(max(int(self.counts.max()), 1))
        share = _FAINTEST + (1 - _FAINTEST) * np.log1p(self.counts) / most
        pixels = np.empty((rows, columns, 4), dtype=np.uint8)
        last = np.zeros(rows * columns, dtype=np.int64)
        last[cells] = numbers[inside]
        palette = np.array(
            [(colour.red(), colour.green(), colour.blue()) for colour in colours], dtype=np.uint8
        )
        pixels[..., :3] = palette[last.reshape(rows, columns)]
        pixels[..., 3] = np.where(self.counts > 0, share * 255, 0)
        self.pixels = pixels
        self._item.setImage(pixels, autoLevels=False, levels=(0, 255))
        self._item.setRect(window)
        self._item.show()

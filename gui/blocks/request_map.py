"""One map of requests, a caption over offset against time; and how large they were."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from modelmon.core.units import duration_text, request_text, size_text
from modelmon.gui.blocks.figures_column import FiguresText
from modelmon.gui.blocks.requests import MOST_COLOURS, RequestPoints, reader_colours
from modelmon.gui.language import tr
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.items import Area, Grid
from modelmon.gui.plots.pens import pen
from modelmon.gui.plots.readout import Row, UnderPointer
from modelmon.gui.plots.scale import data_unit, linear
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from modelmon.gui.blocks.block_places import Piece
    from modelmon.gui.blocks.requests import Requests
    from modelmon.gui.plots.readout import Told
    from modelmon.gui.session.notices import ArmLabel


_MOST_SHARDS = 24
_WIDTH_PX = 216
_BAR_PX = 64
_REACH_PX = 12


class RequestMap(QWidget):
    """Requests as points over the offset in the model; `clicked` carries the offset in bytes."""

    clicked = Signal(float)

    def __init__(self, label: ArmLabel) -> None:
        super().__init__()
        self.label: ArmLabel = label
        self.requests: Requests | None = None
        self.live = False
        self.unit = ""
        """What the left axis figures."""
        self.end_s = 0.0
        self.block_at: Callable[[float], str] | None = None
        self.caption = QLabel()
        self.caption.setProperty("role", "heading")
        self.detail = ElidedLabel("hint")
        self.legend = QLabel()
        self.legend.setProperty("role", "hint")
        self.legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.canvas = Chart(tr("time since start"), selects_ranges=True)
        self.readout = UnderPointer(self.canvas, self._told_at)
        self.points = RequestPoints(self.canvas, label)
        self._scale = linear(data_unit(1e6), 1e6)
        self._selected: tuple[Piece, ...] = ()
        self.bands = Area(z=-50)
        self._shards = Grid()
        self._shards.setZValue(-90)
        for item in (self._shards, self.bands):
            self.canvas.add(item)
        self._lay_out(label)
        self.canvas.laid_out.connect(self._draw)
        self.canvas.clicked.connect(lambda _, y: self.clicked.emit(y * self._scale.unit.size))

    def show_requests(self, requests: Requests, end_s: float, *, live: bool = False) -> None:
        """Show what was requested until then; `live` keeps drawing cheap."""
        self.requests = requests
        self.live = live
        self.end_s = end_s
        self._scale = linear(data_unit(requests.total_bytes), requests.total_bytes)
        self.unit = tr("offset, {unit}", unit=self._scale.unit.name)
        # Laying out draws, whether the range is another one or not.
        self.canvas.set_x_range(0.0, end_s)
        self.canvas.set_y_axis(self._scale.low, self._scale.high, self._scale.ticks())
        # Other requests lie there by now.
        self.readout.again()

    def select(self, pieces: Sequence[Piece]) -> None:
        """Mark the offsets of a block."""
        self._selected = tuple(pieces)
        self._draw_behind()

    def _lay_out(self, label: ArmLabel) -> None:
        badge = self.badge = QLabel(label)
        badge.setProperty("role", "badge")
        badge.setProperty("arm", label)
        badge.setFixedSize(18, 18)
        row = in_row(badge, self.caption, (self.detail, 1), margins=(8, 0, 8, 0), spacing=8)
        below = in_row(self.legend, margins=(8, 0, 8, 0))
        in_column(row, below, (self.canvas, 1), on=self, spacing=0)

    def _draw(self) -> None:
        requests = self.requests
        if requests is None:
            return
        self._name_colours(requests)
        dense = self.points.show(requests, self._scale, live=self.live)
        name = tr("Whole load")
        self.caption.setText(tr("{name}, density", name=name) if dense else name)
        self._draw_behind()

    def _draw_behind(self) -> None:
        """Where shards meet, and the selected block."""
        requests = self.requests
        if requests is None:
            return
        starts = requests.shard_starts[1:] if len(requests.shard_starts) <= _MOST_SHARDS else ()
        unit, (low, high) = self._scale.unit.size, self.canvas.x_range
        self._shards.setPen(pen(manager().theme.border, 1, (4, 3)))
        self.bands.filling = QBrush(manager().theme.focus_soft)
        # A band is seen by its edges however low it is.
        self.bands.setPen(pen(manager().theme.focus, 1))
        window = QRectF(low, 0.0, high - low, self._scale.high)
        self._shards.set_lines(window, [], [start / unit for start in starts])
        spans = [(each.start_bytes / unit, each.end_bytes / unit) for each in self._selected]
        self.bands.set_rects(QRectF(low, at, high - low, end - at) for at, end in spans)

    def _name_colours(self, requests: Requests) -> None:
        """A square and a number for each reader; of many, which ones share a shade."""
        readers, colours = requests.reader_numbers, reader_colours(manager().theme, self.label)
        shades = [colours[reader % MOST_COLOURS].name() for reader in readers[:MOST_COLOURS]]
        squares = [
            f"<span style='color:{shade}'>■</span>&nbsp;{reader + 1}"
            for shade, reader in zip(shades, readers, strict=False)
        ]
        few = len(readers) <= MOST_COLOURS
        if not few:
            squares.append(escape(tr("and so on, {count} readers", count=len(readers))))
        self.legend.setText(" &nbsp;".join([escape(tr("Reader")), *squares]))
        self.legend.setToolTip(
            tr("A point's shade shows which reader made the request")
            if few
            else tr("Readers share shades: every {step} look the same.", step=MOST_COLOURS)
        )

    def _told_at(self, x: float, y: float) -> Told | None:
        """The request that is nearest."""
        found, requests = self._nearest(x, y), self.requests
        if found is None or requests is None:
            return None
        offset = float(requests.positions[found])
        texts = (
            "–" if manager().alone else str(int(requests.readers[found]) + 1),
            size_text(offset),
            request_text(requests.nbytes[found]),
            duration_text(requests.durations_s[found] * 1e9),
            (self.block_at(offset) if self.block_at else "") or "–",
        )
        columns = [tr("reader"), tr("offset"), tr("size"), tr("took"), tr("block")]
        heading = duration_text(requests.seconds[found] * 1e9)
        return heading, columns, [Row(manager().arm_text(self.label), texts)]

    def _nearest(self, x: float, y: float) -> int | None:
        requests = self.requests
        if requests is None or not len(requests):
            return None
        low, high = self.canvas.x_range
        width_px, height_px = self.canvas.size_px
        across = (requests.seconds - x) / (high - low) * width_px
        up = (requests.positions / self._scale.unit.size - y) / self._scale.high * height_px
        far = across**2 + up**2
        nearest = int(far.argmin())
        return nearest if far[nearest] <= _REACH_PX**2 else None


class RequestSizes(FiguresText):
    """Numbers of requests by size, the largest first."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[ArmLabel, dict[int, int]] = {}
        self.setFixedWidth(round(_WIDTH_PX * manager().scale))
        self.setAccessibleName(tr("Request sizes"))
        self.setToolTip(tr("Numbers of requests by size, rounded down to a power of two"))

    def show_requests(self, requests: Mapping[ArmLabel, Requests]) -> None:
        """Show the requests of these arms."""
        self.counts = {label: each.size_counts for label, each in requests.items()}
        self.show_html(self._table)

    def _table(self) -> str:
        sizes = sorted({size for counts in self.counts.values() for size in counts}, reverse=True)
        most = max((max(counts.values()) for counts in self.counts.values() if counts), default=1)
        rows = "".join(
            self._row(request_text(2**size), label, count, most)
            for size in sizes
            for label, counts in self.counts.items()
            if (count := counts.get(size, 0))
        )
        grey = f"style='color:{manager().theme.text_2.name()}'"
        title = tr("Requests by size")
        return f"<p {grey}>{escape(title)}</p><table cellspacing=1 cellpadding=0>{rows}</table>"

    def _row(self, size: str, label: ArmLabel, count: int, most: int) -> str:
        colour = manager().theme.arm(label).name()
        width_px = max(round(count / most * _BAR_PX * manager().scale), 1)
        drawn = f"<table cellspacing=0 cellpadding=0><tr><td width={width_px} bgcolor='{colour}'>"
        bar = f"{drawn}&nbsp;</td></tr></table>"
        return (
            f"<tr><td align=right style='white-space:nowrap'>{size}&nbsp;</td>"
            f"<td style='color:{colour}'>{manager().arm_text(label)}&nbsp;</td><td>{bar}</td>"
            f"<td style='white-space:nowrap'>&nbsp;{count:,}</td></tr>"
        )

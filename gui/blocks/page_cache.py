"""Page cache: what of the files is in memory along their length, now and around each load."""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import floor
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QFontMetricsF
from PySide6.QtWidgets import QToolButton

from modelmon.core.model.sharded import shard_names
from modelmon.gui.blocks.block_places import thinned
from modelmon.gui.blocks.block_table import STEPS
from modelmon.gui.blocks.cache_rows import (
    CacheRow,
    cache_csv,
    heading_at,
    look_row,
    row_at,
    run_rows,
    span_texts,
)
from modelmon.gui.language import tr
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.explanations import PAGE_CACHE
from modelmon.gui.plots.frame import RunsPlot
from modelmon.gui.plots.items import Area, Grid, Strokes, TextLabel
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.plots.readout import UnderPointer
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QGraphicsItem

    from modelmon.core.machine.page_cache import ResidencyMap
    from modelmon.gui.blocks.block_places import BlockPlaces, Piece
    from modelmon.gui.plots.chart import Ticks
    from modelmon.gui.plots.readout import Told
    from modelmon.gui.session.notices import ArmLabel

_LEAST_LINES = 4
"""A line has not more room than if there were so many."""
_LEAST_NAME_PX = 90
_INSET_PX = 6
_LEAST_PIECE_PX = 5


class CacheLines:
    """The drawing along the files: the shards, then a line for each row, in the room of `canvas`.

    x are offsets over all files. Line n is between −n and −n − 1; the shards are line 0.
    """

    def __init__(self, canvas: Chart) -> None:
        self.rows: tuple[CacheRow, ...] = ()
        self.shards: tuple[tuple[str, int], ...] = ()
        self.selected: tuple[Piece, ...] = ()
        self.places: BlockPlaces | None = None
        self._canvas = canvas
        self._made: list[QGraphicsItem] = []
        self._grounds, self._hatched, self._marked = (canvas.add(Area(z)) for z in (1, 4, 9))
        self._under = {arm: canvas.add(Strokes(4)) for arm in ARMS}
        self._meets, self._ends = canvas.add(Grid(3)), canvas.add(Grid(8))
        canvas.laid_out.connect(self.draw)

    @property
    def edges(self) -> list[int]:
        """Where the shards begin, and the last one ends."""
        return list(accumulate((nbytes for _, nbytes in self.shards), initial=0))

    def draw(self) -> None:
        """Draw what is in sight now."""
        theme, view, width_px = manager().theme, self._canvas.view, self._canvas.size_px[0]
        for item in self._made:
            self._canvas.remove(item)
        self._made = []
        grounds, hatched = self._name_shards(view, width_px), []
        pixels = max(1, round(width_px * self._canvas.devicePixelRatioF()))
        for number, row in enumerate(self.rows, start=1):
            whole = self._box(number, view.left(), view.right())
            if not row.looks:
                reason = QFontMetricsF(font(11)).elidedText(
                    row.reason, Qt.TextElideMode.ElideRight, width_px
                )
                words_px = self._write(reason, whole, 0.0) if reason else 0.0
                after = words_px * view.width() / max(width_px, 1.0)
                hatched.append(whole.adjusted(after, 0, 0, 0))
                continue
            grounds.append(whole)
            files = zip(row.looks[-1].files, pairwise(self.edges), strict=True)
            hatched += [self._box(number, *span) for file, span in files if not file.is_known]
            colour = theme.arm(row.arm) if row.arm else theme.neutral_1
            image = pg.ImageItem(
                row.image(pixels, colour, (view.left(), view.right())),
                axisOrder="row-major",
                levels=(0, 255),
                rect=whole,
            )
            image.setZValue(2)
            self._made.append(self._canvas.add(image))
        for arm, under in self._under.items():
            mine = [at for at, row in enumerate(self.rows, start=1) if row.arm == arm]
            under.setPen(pen(theme.arm(arm), 1))
            under.draw_lines(
                QLineF(view.left(), at, view.right(), at)
                for at in (self._box(at, 0.0, 0.0).top() for at in mine)
            )
        self._grounds.filling = QBrush(theme.hover)
        self._grounds.set_rects(grounds)
        self._hatched.filling = QBrush(theme.neutral_3, Qt.BrushStyle.BDiagPattern)
        self._hatched.set_rects(hatched)
        self._draw_marks(view, width_px)

    def _box(self, number: int, low: float, high: float) -> QRectF:
        """A part of a line, which leaves a little room to its neighbours."""
        px = self._canvas.view.height() / max(self._canvas.size_px[1], 1.0)
        return QRectF(low, -number - 1 + 2 * px, high - low, 1 - 3 * px)

    def _write(self, text: str, box: QRectF, side: float) -> float:
        """Words at a share of a box's width. Returns how wide they are."""
        words, theme = TextLabel(self._canvas, z=7), manager().theme
        words.setText(text)
        words.set_colours(theme.text_2, faded(theme.panel, 0.0))
        words.place(box.left() + side * box.width(), box.center().y(), (side, 0.5))
        words.show()
        self._made.append(words)
        return words.width_px

    def _name_shards(self, view: QRectF, width_px: float) -> list[QRectF]:
        """Write each shard's name or number over its part. Returns the place of every other one."""
        letters, per_px = QFontMetricsF(font(11)), view.width() / max(width_px, 1.0)
        seen = [
            (at, name, self._box(0, max(low, view.left()), min(high, view.right())))
            for at, ((name, _), (low, high)) in enumerate(
                zip(self.shards, pairwise(self.edges), strict=True)
            )
            if low < view.right() and high > view.left()
        ]
        rooms = [box.width() / per_px for _, _, box in seen]
        texts = [shard_text(*each[:2], px, letters) for each, px in zip(seen, rooms, strict=True)]
        middles = [(box.center().x() - view.left()) / per_px for _, _, box in seen]
        measure = letters.horizontalAdvance
        chosen = [at for at, text in enumerate(texts) if measure(text) <= rooms[at]]
        # Where there is room for none, every so many-th reaches over its neighbours.
        for at in chosen or thinned(texts, middles, measure, in_order=False):
            self._write(texts[at], seen[at][2], 0.5)
        return [box for at, _, box in seen if at % 2]

    def _draw_marks(self, view: QRectF, width_px: float) -> None:
        """Where blocks and shards meet, and around what is selected."""
        theme, height = manager().theme, len(self.rows) + 1.0
        places = self.places
        pieces = places.between(view.left(), view.right()) if places is not None else ()
        seen = len(pieces) * _LEAST_PIECE_PX <= width_px
        rows = QRectF(view.left(), -height, view.width(), height - 1)
        self._meets.setPen(pen(theme.panel, 1))
        self._meets.set_lines(rows, [each.start_bytes for each in pieces] if seen else (), ())
        self._ends.setPen(pen(theme.text_2, 1.5))
        self._ends.set_lines(rows.adjusted(0, 0, 0, 1), self.edges[1:-1], ())
        self._marked.setPen(pen(theme.focus, 1.5))
        self._marked.set_rects(
            QRectF(each.start_bytes, -height, each.end_bytes - each.start_bytes, height)
            for each in self.selected
        )


def shard_text(number: int, name: str, room_px: float, letters: QFontMetricsF) -> str:
    """The name where it has room, whole or shortened; else which of the shards it is."""
    room_px -= _INSET_PX
    if letters.horizontalAdvance(name) <= room_px:
        return name
    if room_px >= _LEAST_NAME_PX:
        return letters.elidedText(name, Qt.TextElideMode.ElideMiddle, room_px)
    return str(number + 1)


class PageCache(RunsPlot):
    """The last look at the open model, and of A and B what was cached before, during and after.

    `look_wanted` asks for a new look: it is taken outside this process, for a mount may hang.
    """

    look_wanted = Signal()
    block_selected = Signal(str)
    explained = PAGE_CACHE

    def __init__(self) -> None:
        super().__init__(
            tr("Page cache"), tr("Run A or B to see which parts of the files are in memory.")
        )
        self.selected = ""
        self._places: BlockPlaces | None = None
        self._look = look_row(None, "", "")
        self._of_runs: dict[ArmLabel, tuple[CacheRow, ...]] = {}
        self.canvas = Chart("")
        self.canvas.setAccessibleName(tr("Page cache by file position"))
        self.canvas.x_ticks = self._block_names
        self.lines = CacheLines(self.canvas)
        self.readout = UnderPointer(self.canvas, self._told_at)
        self.again = QToolButton()
        self.again.setText(tr("Refresh"))
        self.again.setToolTip(tr("Check which parts of the open model are in memory now"))
        self.again.setProperty("compact", True)
        self.header.add_entry(self.again)
        self.note = label("", "hint", wrap=True)
        in_column((self.canvas, 1), self.note, on=self.content)
        self.set_note("")
        self.again.clicked.connect(self.look_wanted)
        self.canvas.laid_out.connect(self._tell_part)
        self.canvas.clicked.connect(lambda x, _: self._choose(self._block_at(x)))
        self.canvas.key_pressed.connect(self._on_key)

    def set_places(self, places: BlockPlaces | None) -> None:
        """The blocks of the model that is open now."""
        self._places = places
        self._look = look_row(None, "", "")
        self.select_block("")
        self.renew()

    def set_look(self, found: ResidencyMap | None, clock: str = "", reason: str = "") -> None:
        """What was seen last of the open model, at a time of day; or why there is nothing."""
        self._look = look_row(found, clock, reason)
        self.renew()

    def set_looking(self, *, possible: bool, looking: bool) -> None:
        """Whether a look can be asked for, and whether one is under way."""
        self.again.setEnabled(possible and not looking)
        self.again.setText(tr("Checking…") if looking else tr("Refresh"))

    def set_note(self, text: str) -> None:
        """What of the caches below this storage cannot be seen; empty for nothing."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def select_block(self, name: str) -> None:
        """Mark a block and bring it into sight; an empty name stands for none."""
        self.selected = name
        places = self._places if self.isVisible() and name else None
        pieces = self.lines.selected = places.of(name) if places is not None else ()
        low, high = self.canvas.x_range
        if pieces and not any(_sees(low, high, each) for each in pieces):
            middle = (pieces[0].start_bytes + pieces[0].end_bytes) / 2
            self.canvas.zoom_to(middle - (high - low) / 2, middle + (high - low) / 2)
        self.lines.draw()

    def state(self) -> dict[str, object]:
        """What the lines of both runs depend on, and which of them are shown."""
        of_runs: dict[str, object] = {
            arm: record and (record, record.state, len(record.cache_maps))
            for arm, record in self.records.items()
        }
        return {**of_runs, "arms": self.visible_arms}

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while it was hidden."""
        super().showEvent(event)
        self.select_block(self.selected)

    @property
    def has_table(self) -> bool:
        """There is one row for each bucket of each look."""
        return True

    def csv_text(self) -> str:
        """A row for each bucket of each look: where it lies, and its cached pages."""
        return cache_csv(self.lines.rows)

    def _draw(self, stale: Collection[str]) -> None:
        for arm, record in self.records.items():
            if arm in stale:
                self._of_runs[arm] = run_rows(arm, record) if record is not None else ()
        lines, rows = self.lines, [self._look] if self._places is not None else []
        for arm in ARMS:
            if arm in self.visible_arms:
                rows += self._of_runs.get(arm, ())
        shards = tuple(self._shards())
        sizes = [nbytes for _, nbytes in shards]
        others = sizes != [nbytes for _, nbytes in lines.shards]
        lines.rows = tuple(_fitted(row, sizes) for row in rows)
        lines.shards, lines.places = shards, self._places
        self.show_empty(empty=not shards)
        self.canvas.set_x_range(0.0, float(max(sum(sizes), 1)))
        if others:
            self.canvas.reset_view()
        names = [tr("Shard") if len(shards) > 1 else tr("File")]
        names += [f"{row.name}   {row.summary}".rstrip() for row in lines.rows]
        count = max(len(names), _LEAST_LINES)
        ticks = [(-at - 0.5, name) for at, name in enumerate(names)]
        self.canvas.set_y_axis(-float(count), 0.0, ticks, headroom_share=0.0)
        # Other shares are cached there by now.
        self.readout.again()

    def _shards(self) -> list[tuple[str, int]]:
        """Names and bytes of the open model's files, else of those that a run has loaded."""
        if self._places is not None:
            names, sizes = self._places.shard_names, self._places.shard_bytes
            return list(zip(names, sizes, strict=True))
        for record in self.records.values():
            if record is not None and record.planned is not None:
                names = shard_names(record.planned.shard_paths)
                return list(zip(names, record.planned.shard_bytes, strict=True))
        return []

    def _block_names(self, low: float, high: float, width_px: float) -> Ticks:
        """Short names below the middle of what is seen of each block, as many as have room."""
        places = self._places
        if places is None:
            return []
        pieces = places.between(low, high)
        names = [places.short[piece.block] for piece in pieces]
        middles = [(max(at.start_bytes, low) + min(at.end_bytes, high)) / 2 for at in pieces]
        px = [(middle - low) / (high - low) * width_px for middle in middles]
        letters = QFontMetricsF(font(11)).horizontalAdvance
        return [(middles[at], names[at]) for at in thinned(names, px, letters, in_order=True)]

    def _tell_part(self) -> None:
        """What the axis has, and which part is shown where that is not everything."""
        title = tr("Block") if self._places is not None else ""
        if self.canvas.is_zoomed:
            low, high = span_texts(*self.canvas.x_range)
            title = f"{title}  {tr('{low} to {high}', low=low, high=high)}".strip()
        self.canvas.axes.set_title(title)

    def _told_at(self, x: float, y: float) -> Told | None:
        """The shares at an offset; of the line that is pointed at those of the look there."""
        rows, line, shards = self.lines.rows, floor(-y) - 1, self._shards()
        if not shards or not 0 <= x < self.canvas.whole_x_range[1]:
            return None
        texts = [
            row_at(row, x, -y % 1.0 if at == line else 1.0, manager().theme)
            for at, row in enumerate(rows)
            if row.looks
        ]
        columns = [tr("cached here"), tr("of the file")]
        return heading_at(shards, self._places, rows, x), columns, texts

    def _block_at(self, offset: float) -> str:
        return self._places.at(offset) if self._places is not None else ""

    def _choose(self, name: str) -> None:
        if name:
            self.select_block(name)
            self.block_selected.emit(name)

    def _on_key(self, key: int) -> None:
        step = STEPS.get(key)
        if step is not None and self._places is not None:
            self._choose(self._places.next_to(self.selected, step))


def _sees(low: float, high: float, piece: Piece) -> bool:
    """Whether half of a piece is seen, or half of what is seen belongs to it."""
    both = min(piece.end_bytes, high) - max(piece.start_bytes, low)
    return both > 0 and 2 * both >= min(piece.end_bytes - piece.start_bytes, high - low)


def _fitted(row: CacheRow, sizes_bytes: list[int]) -> CacheRow:
    """A line over files of these sizes; of others it says so, since it cannot be laid over them."""
    if not row.looks or [file.size_bytes for file in row.looks[-1].files] == sizes_bytes:
        return row
    if row.arm is None:
        reason = tr("The files have changed since the model was opened. Open it again.")
    else:
        reason = tr("This run loaded different files from the open ones.")
    return CacheRow(row.caption, row.arm, reason=reason)

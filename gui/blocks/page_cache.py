"""Page cache: what of the files is in memory along their length, now and around each load."""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QFontMetricsF
from PySide6.QtWidgets import QToolButton

from modelmon.core.model.sharded import shard_names
from modelmon.gui.blocks.block_places import thinned
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
from modelmon.gui.plots.frame import TabPlot
from modelmon.gui.plots.items import Drawn
from modelmon.gui.plots.pens import pen
from modelmon.gui.plots.readout import Readout, UnderPointer
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QImage, QPainter, QShowEvent, QTransform

    from modelmon.core.machine.page_cache import ResidencyMap
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.blocks.block_places import BlockPlaces, Piece
    from modelmon.gui.plots.chart import Ticks
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

_LEAST_LINES = 4
"""A line has not more room than if there were so many."""
_LEAST_NAME_PX = 90
_INSET_PX = 6
_LEAST_PIECE_PX = 5


class CacheLines(Drawn):
    """The drawing along the files: the shards, then a line for each row, in the room of `canvas`.

    x are offsets over all files. Line n lies between −n and −n − 1; the shards are line 0.
    """

    def __init__(self, canvas: Chart) -> None:
        super().__init__(z=1)
        self.rows: tuple[CacheRow, ...] = ()
        self.shards: tuple[tuple[str, int], ...] = ()
        self.selected: tuple[Piece, ...] = ()
        self.places: BlockPlaces | None = None
        self._canvas = canvas
        self._images: list[QImage | None] = []
        self._meets: list[float] = []
        canvas.add(self)
        canvas.laid_out.connect(self._make)

    @property
    def edges(self) -> list[int]:
        """Where the shards begin, and the last one ends."""
        return list(accumulate((nbytes for _, nbytes in self.shards), initial=0))

    def line_px(self, number: int, to_px: QTransform, span: tuple[float, float]) -> QRectF:
        """Where `to_px` draws a part of a line, as far as that is in sight."""
        seen = self.rect()
        low, high = max(span[0], seen.left()), min(span[1], seen.right())
        return to_px.mapRect(QRectF(low, -number - 1, high - low, 1)).adjusted(0, 1, 0, -2)

    def draw(self, painter: QPainter) -> None:
        """Draw in pixels: hatches and letters keep their size."""
        theme, to_px = manager().theme, painter.worldTransform()
        painter.save()
        painter.resetTransform()
        painter.setFont(font(11))
        whole = (self.rect().left(), self.rect().right())
        self._draw_shards(painter, to_px)
        for number, (row, image) in enumerate(zip(self.rows, self._images, strict=True), start=1):
            box = self.line_px(number, to_px, whole)
            if row.arm:
                painter.fillRect(
                    QRectF(box.left(), box.bottom(), box.width(), 1), theme.arm(row.arm)
                )
            if image is None:
                painter.fillRect(box, _hatched(theme))
                _write_reason(painter, row.reason, box)
                continue
            painter.fillRect(box, theme.hover)
            painter.drawImage(box, image)
            for file, span in zip(row.looks[-1].files, pairwise(self.edges), strict=True):
                if not file.is_known and self._sees(*span):
                    part = self.line_px(number, to_px, span)
                    painter.fillRect(part, theme.panel)
                    painter.fillRect(part, _hatched(theme))
            painter.setPen(pen(theme.panel, 1))
            for at in self._meets:
                x = to_px.map(QPointF(at, 0)).x()
                painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        self._draw_marks(painter, to_px)
        painter.restore()

    def _make(self) -> None:
        """What is to be drawn of the part that is in sight now."""
        view, theme = self._canvas.view, manager().theme
        width_px = self._canvas.size_px[0]
        pixels = max(1, round(width_px * self._canvas.devicePixelRatioF()))
        part = (view.left(), view.right())
        self._images = [
            row.image(pixels, theme.arm(row.arm) if row.arm else theme.neutral_1, part)
            if row.looks
            else None
            for row in self.rows
        ]
        pieces = self.places.between(*part) if self.places is not None else ()
        seen = len(pieces) * _LEAST_PIECE_PX <= width_px
        self._meets = [float(piece.start_bytes) for piece in pieces] if seen else []
        self._resize(view)

    def _sees(self, low: float, high: float) -> bool:
        return low < self.rect().right() and high > self.rect().left()

    def _draw_shards(self, painter: QPainter, to_px: QTransform) -> None:
        """Each shard's name or number over its part, on grounds that alternate."""
        theme = manager().theme
        letters = QFontMetricsF(painter.font())
        painter.setPen(theme.text_2)
        named = zip(self.shards, pairwise(self.edges), strict=True)
        seen = [(at, name, span) for at, ((name, _), span) in enumerate(named) if self._sees(*span)]
        boxes = [self.line_px(0, to_px, span) for _, _, span in seen]
        for (number, _, _), box in zip(seen, boxes, strict=True):
            painter.fillRect(box, theme.hover if number % 2 else theme.panel)
        texts = [
            shard_text(number, name, box.width(), letters)
            for (number, name, _), box in zip(seen, boxes, strict=True)
        ]
        width_px = letters.horizontalAdvance
        chosen = [at for at, text in enumerate(texts) if width_px(text) <= boxes[at].width()]
        middles = [box.center().x() for box in boxes]
        # Where there is room for none, every so many-th reaches over its neighbours.
        for at in chosen or thinned(texts, middles, width_px, in_order=False):
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
            painter.drawText(boxes[at], flags, texts[at])

    def _draw_marks(self, painter: QPainter, to_px: QTransform) -> None:
        """Over everything: where shards meet, and around what is selected."""
        theme, height = manager().theme, -len(self.rows) - 1
        painter.setPen(pen(theme.text_2, 1.5))
        for at in self.edges[1:-1]:
            painter.drawLine(to_px.map(QPointF(at, 0)), to_px.map(QPointF(at, height)))
        for each in self.selected:
            place = QRectF(each.start_bytes, height, each.end_bytes - each.start_bytes, -height)
            box = to_px.mapRect(place)
            box.setWidth(max(box.width(), 2))
            painter.setPen(pen(theme.focus, 1.5))
            painter.drawRect(box)


def shard_text(number: int, name: str, room_px: float, letters: QFontMetricsF) -> str:
    """The name where it has room, whole or shortened; else which of the shards it is."""
    room_px -= _INSET_PX
    if letters.horizontalAdvance(name) <= room_px:
        return name
    if room_px >= _LEAST_NAME_PX:
        return letters.elidedText(name, Qt.TextElideMode.ElideMiddle, room_px)
    return str(number + 1)


def _hatched(theme: Theme) -> QBrush:
    return QBrush(theme.neutral_3, Qt.BrushStyle.BDiagPattern)


def _write_reason(painter: QPainter, reason: str, box: QRectF) -> None:
    theme, letters = manager().theme, QFontMetricsF(painter.font())
    text = letters.elidedText(reason, Qt.TextElideMode.ElideRight, box.width() - 4 * _INSET_PX)
    width = letters.horizontalAdvance(text) + 2 * _INSET_PX
    ground = QRectF(box.left() + _INSET_PX, box.top(), width, box.height())
    painter.fillRect(ground, theme.panel)
    painter.setPen(theme.text_2)
    painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)


class PageCache(TabPlot):
    """The last look at the open model, and of A and B what was cached before, during and after.

    `look_wanted` asks for a new look: it is taken outside this process, for a mount may hang.
    """

    look_wanted = Signal()
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
        self.readout = Readout(self.canvas)
        self._under_pointer = UnderPointer(self.canvas, self.readout, self._tell_of)
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
        self.apply_theme(manager().theme)

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

    def set_visible_arms(self, arms: Collection[ArmLabel]) -> None:
        """Show only these arms."""
        self._drawn.clear()
        super().set_visible_arms(arms)

    def reset_view(self) -> None:
        """Show all of the files again."""
        self.canvas.reset_view()

    def select_block(self, name: str) -> None:
        """Mark a block and bring it into sight; an empty name stands for none."""
        self.selected = name
        places = self._places if self.isVisible() and name else None
        pieces = self.lines.selected = places.of(name) if places is not None else ()
        low, high = self.canvas.x_range
        if pieces and not any(_sees(low, high, each) for each in pieces):
            middle = (pieces[0].start_bytes + pieces[0].end_bytes) / 2
            self.canvas.zoom_to(middle - (high - low) / 2, middle + (high - low) / 2)
        self.lines.update()

    def refresh(self) -> None:
        """Draw what the records have gained; cheap when there is nothing."""
        if not self.isVisible():
            return
        wanted: dict[str, object] = {arm: _state(record) for arm, record in self.records.items()}
        if wanted != self._drawn:
            for arm, record in self.records.items():
                if record is None:
                    self._of_runs.pop(arm, None)
                elif wanted[arm] != self._drawn.get(arm):
                    self._of_runs[arm] = run_rows(arm, record)
            self._drawn = wanted
            self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while it was hidden."""
        super().showEvent(event)
        self.select_block(self.selected)

    def apply_theme(self, theme: Theme) -> None:
        """Redraw in the theme's colours."""
        super().apply_theme(theme)
        self.canvas.apply_theme(theme)
        self.canvas.lay_out()

    @property
    def has_table(self) -> bool:
        """There is one row for each bucket of each look."""
        return True

    def csv_text(self) -> str:
        """A row for each bucket of each look: where it lies, and its cached pages."""
        return cache_csv(self.lines.rows)

    def _draw(self) -> None:
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
        self._under_pointer.again()

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
        self.canvas.axes.set_title("bottom", title)

    def _tell_of(self, x: float, y: float) -> None:
        """The shares at an offset; of the line that is pointed at those of the look there."""
        rows, line = self.lines.rows, floor(-y) - 1
        texts = [
            row_at(row, x, -y % 1.0 if at == line else 1.0, manager().theme)
            for at, row in enumerate(rows)
            if row.looks
        ]
        shards = self._shards()
        if not shards or not 0 <= x < self.canvas.whole_x_range[1]:
            self.readout.hide()
            return
        heading = heading_at(shards, self._places, rows, x)
        columns = [tr("cached here"), tr("of the file")]
        at = self.canvas.to_px(x, floor(y))
        self.readout.show_rows(heading, columns, texts, at)

    def _block_at(self, offset: float) -> str:
        return self._places.at(offset) if self._places is not None else ""

    def _choose(self, name: str) -> None:
        if name:
            self.select_block(name)
            self.block_selected.emit(name)

    def _on_key(self, key: int) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(key))
        if step is not None and self._places is not None:
            self._choose(self._places.next_to(self.selected, step))


def _sees(low: float, high: float, piece: Piece) -> bool:
    """Whether half of a piece is seen, or half of what is seen belongs to it."""
    both = min(piece.end_bytes, high) - max(piece.start_bytes, low)
    return both > 0 and 2 * both >= min(piece.end_bytes - piece.start_bytes, high - low)


def _state(record: RunRecord | None) -> tuple[object, ...]:
    """What the lines of a run depend on."""
    return () if record is None else (record, record.state, len(record.cache_maps))


def _fitted(row: CacheRow, sizes_bytes: list[int]) -> CacheRow:
    """A line over files of these sizes; of others it says so, since it cannot be laid over them."""
    if not row.looks or [file.size_bytes for file in row.looks[-1].files] == sizes_bytes:
        return row
    if row.arm is None:
        reason = tr("The files have changed since the model was opened. Open it again.")
    else:
        reason = tr("This run loaded different files from the open ones.")
    return CacheRow(row.caption, row.arm, reason=reason)

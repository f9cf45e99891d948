"""Page cache: what of the files is in memory along their length, now and around each load."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Signal
from PySide6.QtWidgets import QToolButton

from modelmon.core.export.csv_tables import csv_table
from modelmon.core.model.sharded import shard_names
from modelmon.core.units import percent_text
from modelmon.gui.blocks.cache_pixels import bucket_at
from modelmon.gui.blocks.cache_rows import CacheRow, look_row, run_rows
from modelmon.gui.blocks.cache_strip import CacheStrip
from modelmon.gui.blocks.offset_view import span_texts
from modelmon.gui.language import tr
from modelmon.gui.plots.arms import ARMS
from modelmon.gui.plots.readout import Readout, Row
from modelmon.gui.plots.tab_plot import TabPlot
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QShowEvent

    from modelmon.core.machine.page_cache import ResidencyMap
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.blocks.block_places import BlockPlaces
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme


_NONE = "–"


def heading_at(
    shards: Sequence[tuple[str, int]],
    places: BlockPlaces | None,
    rows: Sequence[CacheRow],
    offset: float,
) -> str:
    """Shard, byte range of the part that was counted, block and number of tensors."""
    starts = [0, *accumulate(nbytes for _, nbytes in shards)]
    number = min(bisect_right(starts, offset), len(shards)) - 1
    (name, nbytes), start = shards[number], starts[number]
    first, last = _span(rows, offset - start, nbytes)
    low, high = span_texts(first, last)
    where = tr("{file}, {first} to {last}", file=name, first=low, last=high)
    block = places.at(offset) if places is not None else ""
    if places is None or not block:
        return where
    count = len(places.tensors_between(start + first, start + last))
    if count == 1:
        return tr("{where}: {block}, 1 tensor", where=where, block=block)
    return tr("{where}: {block}, {count} tensors", where=where, block=block, count=count)


def _span(rows: Sequence[CacheRow], offset: float, nbytes: int) -> tuple[int, int]:
    """From and to of the bucket at an offset in its file; the offset itself without a look."""
    bucket = next((row.looks[-1].bucket_bytes for row in rows if row.looks), 1)
    first = int(offset // bucket) * bucket
    return first, min(first + bucket, nbytes)


def row_at(row: CacheRow, offset: float, height: float, theme: Theme) -> Row:
    """One line's cached share and pages of the bucket at an offset, and of its whole file."""
    found = row.looks[row.number_at(height)]
    label = row.name_at(height)
    colour = theme.arm(row.arm).name() if row.arm else ""
    place = bucket_at(found, offset)
    if place is None:
        return Row(label, (_NONE, _NONE), colour)
    number, bucket = place
    cached, pages = found.files[number].cached_pages[bucket], found.pages_of(number)[bucket]
    share = found.residency_of(number).share
    here = tr(
        "{share} ({cached} of {pages} pages)",
        share=percent_text(cached / pages),
        cached=f"{cached:,}",
        pages=f"{pages:,}",
    )
    return Row(label, (here, _NONE if share is None else percent_text(share)), colour)


def cache_csv(rows: Sequence[CacheRow]) -> str:
    """A row for each bucket of each look: where it lies, and its pages."""
    return csv_table(
        ("run", "line", "t_s", "shard", "offset_bytes", "cached_pages", "pages", "page_bytes"),
        (
            (row.arm or "", row.caption, time_s, *values, found.page_bytes)
            for row in rows
            for time_s, found in zip(row.times_s, row.looks, strict=True)
            for values in _cells(found)
        ),
    )


def _cells(found: ResidencyMap) -> list[tuple[int, int, int, int]]:
    return [
        (number + 1, index * found.bucket_bytes, cached, pages)
        for number, file in enumerate(found.files)
        for index, (cached, pages) in enumerate(
            zip(file.cached_pages, found.pages_of(number), strict=False)
        )
    ]


class PageCache(TabPlot):
    """The last look at the open model, and of A and B what was cached before, during and after.

    `look_wanted` asks for a new look: it is taken outside this process, for a mount may hang.
    """

    look_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(
            tr("Page cache"), tr("Run A or B to see which parts of the files are in memory.")
        )
        self.selected = ""
        self._places: BlockPlaces | None = None
        self._look = look_row(None, "", "")
        self._of_runs: dict[ArmLabel, tuple[CacheRow, ...]] = {}
        self.strip = CacheStrip()
        self.strip.setAccessibleName(tr("Page cache by file position"))
        self.readout = Readout(self.strip)
        self.again = QToolButton()
        self.again.setText(tr("Refresh"))
        self.again.setToolTip(tr("Check which parts of the open model are in memory now"))
        self.again.setProperty("compact", True)
        self.header.add_entry(self.again)
        self.note = label("", "hint", wrap=True)
        in_column((self.strip, 1), self.note, on=self.content)
        self.set_note("")
        self.again.clicked.connect(self.look_wanted)
        self.strip.hovered.connect(self._on_hovered)
        self.strip.left.connect(self.readout.hide)
        self.strip.clicked.connect(self._on_clicked)
        self.strip.stepped.connect(self._on_stepped)
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
        self.strip.reset_view()

    def select_block(self, name: str) -> None:
        """Mark a block; an empty name stands for none."""
        self.selected = name
        places = self._places if self.isVisible() and name else None
        self.strip.select(places.of(name) if places is not None else ())

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
        self.strip.update()

    @property
    def has_table(self) -> bool:
        """There is one row for each bucket of each look."""
        return True

    def csv_text(self) -> str:
        """A row for each bucket of each look: where it lies, and its cached pages."""
        return cache_csv(self.strip.rows)

    def _draw(self) -> None:
        rows = [self._look] if self._places is not None else []
        for arm in ARMS:
            if arm in self.visible_arms:
                rows += self._of_runs.get(arm, ())
        shards = self._shards()
        fitting = [_fitted(row, [nbytes for _, nbytes in shards]) for row in rows]
        self.show_empty(empty=not shards)
        self.strip.show_rows(fitting, shards, self._places)
        # Other shares are cached there by now.
        self.strip.point_again()

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

    def _on_hovered(self, number: int, offset: float, height: float) -> None:
        theme = manager().theme
        rows = self.strip.rows
        texts = [
            row_at(row, offset, height if number == at else 1.0, theme)
            for at, row in enumerate(rows)
            if row.looks
        ]
        shards = self._shards()
        heading = heading_at(shards, self._places, rows, offset)
        columns = [tr("cached here"), tr("of the file")]
        boxes = self.strip.boxes()
        y = boxes[number].bottom() if number >= 0 else 0.0
        at = QPointF(self.strip.x_of(offset), y)
        self.readout.show_rows(heading, columns, texts, at)

    def _on_clicked(self, offset: float) -> None:
        name = self._places.at(offset) if self._places is not None else ""
        if name:
            self.select_block(name)
            self.block_selected.emit(name)

    def _on_stepped(self, step: int) -> None:
        name = self._places.next_to(self.selected, step) if self._places is not None else ""
        if name:
            self.select_block(name)
            self.block_selected.emit(name)


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

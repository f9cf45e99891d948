"""What the page cache strip says of the part under the pointer, and its lines as a table."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from modelmon.core.export.csv_tables import csv_table
from modelmon.core.units import percent_text
from modelmon.gui.look.language import tr
from modelmon.gui.plots.cache.cache_pixels import bucket_at
from modelmon.gui.plots.cache.offset_view import span_texts
from modelmon.gui.plots.readout import Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.machine.residency import ResidencyMap
    from modelmon.gui.look.theme import Theme
    from modelmon.gui.plots.access.block_places import BlockPlaces
    from modelmon.gui.plots.cache.cache_rows import CacheRow

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

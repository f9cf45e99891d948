"""What the page cache tab shows, line by line: the last look, and each run's looks."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, zip_longest
from math import floor, log10
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from modelmon.core.export.csv_tables import csv_table
from modelmon.core.machine.cached_pages import why_unknown
from modelmon.core.units import duration_text, percent_text, size_text
from modelmon.gui.language import tr
from modelmon.gui.plots.readout import Row
from modelmon.gui.plots.scale import data_unit
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from modelmon.core.machine.page_cache import ResidencyMap
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.blocks.block_places import BlockPlaces
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

_FAINTEST = 0.2
_FIGURES = 2
"""Significant figures of the distance between two offsets."""
_NONE = "–"
Moment = Literal["before", "during", "after"]


class RunningSums(NamedTuple):
    """Offsets of bucket edges over all files; cached and known bytes up to each of them."""

    edges: NDArray[np.float64]
    cached: NDArray[np.float64]
    known: NDArray[np.float64]


def shares_along(
    sums: RunningSums, pixels: int, part: tuple[float, float] | None = None
) -> NDArray[np.float64]:
    """The cached share of what each of `pixels` equal parts of all files stands for.

    `part` is from and to of another part of the files that is divided. nan where more is unknown
    than known. Buckets are taken to be filled evenly.
    """
    low, high = part or (0.0, float(sums.edges[-1]))
    at = np.linspace(low, high, pixels + 1)
    there = np.diff(np.interp(at, sums.edges, sums.known))
    cached = np.diff(np.interp(at, sums.edges, sums.cached))
    shares = np.full(pixels, np.nan)
    enough = there > 0.5 * (high - low) / pixels
    shares[enough] = cached[enough] / there[enough]
    return shares


def running_sums(found: ResidencyMap) -> RunningSums:
    """What `shares_along` needs of one look."""
    lengths: list[NDArray[np.float64]] = [np.zeros(1)]
    cached: list[NDArray[np.float64]] = [np.zeros(1)]
    known: list[NDArray[np.float64]] = [np.zeros(1)]
    for number, file in enumerate(found.files):
        if not file.is_known:
            lengths.append(np.array([file.size_bytes], dtype=float))
            cached.append(np.zeros(1))
            known.append(np.zeros(1))
            continue
        pages = np.array(found.pages_of(number), dtype=float)
        span = np.full(len(pages), float(found.bucket_bytes))
        span[-1] = file.size_bytes - found.bucket_bytes * (len(pages) - 1)
        lengths.append(span)
        cached.append(span * np.array(file.cached_pages, dtype=float) / pages)
        known.append(span)
    return RunningSums(
        np.cumsum(np.concatenate(lengths)),
        np.cumsum(np.concatenate(cached)),
        np.cumsum(np.concatenate(known)),
    )


@dataclass(frozen=True, eq=False)
class CacheRow:
    """One line: a look, or several of one load, equally high and the first at the top.

    Without any look, `reason` says why.
    """

    caption: str
    arm: ArmLabel | None = None
    looks: tuple[ResidencyMap, ...] = ()
    times_s: tuple[float, ...] = ()
    tells_times: bool = False
    reason: str = ""

    @cached_property
    def sums(self) -> tuple[RunningSums, ...]:
        """What the pixels of each look are made of, worked out once."""
        return tuple(running_sums(look) for look in self.looks)

    @property
    def summary(self) -> str:
        """Resident share and bytes of the latest look, as far as they are known."""
        return known_text(self.looks[-1]) if self.looks else ""

    def number_at(self, share_of_height: float) -> int:
        """Which look is drawn at a height, from 0 at the top to 1."""
        return min(int(share_of_height * len(self.looks)), len(self.looks) - 1)

    def name_at(self, share_of_height: float) -> str:
        """Arm and caption; during a load the time of the look at a height."""
        if self.tells_times:
            time_s = self.times_s[self.number_at(share_of_height)]
            arm = manager().arm_text(self.arm) if self.arm else ""
            return tr("{arm} at {time}", arm=arm, time=duration_text(time_s * 1e9))
        return self.name

    @property
    def name(self) -> str:
        """Arm and caption."""
        named = self.arm and not manager().alone
        return f"{self.arm}  {self.caption}" if named else self.caption

    def image(self, pixels: int, colour: QColor, part: tuple[float, float]) -> NDArray[np.uint8]:
        """A part of the files in `colour`, a line of pixels for each look, the first at the end:
        the more opaque the more is cached; clear where nothing is known.
        """
        shares = np.nan_to_num([shares_along(each, pixels, part) for each in self.sums[::-1]])
        rgba = np.zeros((*shares.shape, 4), dtype=np.uint8)
        rgba[..., :3] = colour.red(), colour.green(), colour.blue()
        rgba[..., 3] = np.round(np.where(shares > 0, _FAINTEST + (1 - _FAINTEST) * shares, 0) * 255)
        return rgba


def known_text(found: ResidencyMap) -> str:
    """`62%, 5.02 GB of 8.09 GB`, of the files of which it is known."""
    parts = [found.residency_of(number) for number in range(len(found.files))]
    known = [part for part in parts if part.resident_bytes is not None]
    total = sum(part.total_bytes for part in known)
    if not total:
        return ""
    cached = sum(part.resident_bytes or 0 for part in known)
    return tr(
        "{share}, {cached} of {total}",
        share=percent_text(cached / total),
        cached=size_text(cached),
        total=size_text(total),
    )


def look_row(found: ResidencyMap | None, clock: str, reason: str) -> CacheRow:
    """The look that was taken last, without any run; `clock` is the time of day."""
    caption = tr("At {time}", time=clock) if clock else tr("Now")
    if found is None:
        return CacheRow(caption, reason=reason or tr("Not checked yet."))
    return _row(caption, None, (found,))


def run_rows(label: ArmLabel, record: RunRecord) -> tuple[CacheRow, ...]:
    """Three lines of one run: before, during and after the load."""
    return (
        _row_of("before", tr("Before"), label, record),
        _row_of("during", tr("During"), label, record),
        _row_of("after", tr("After"), label, record),
    )


def _row_of(moment: Moment, caption: str, label: ArmLabel, record: RunRecord) -> CacheRow:
    looks = [each for each in record.cache_maps if each.moment == moment]
    if not looks:
        return CacheRow(caption, label, reason=_why_none(record, moment))
    row = _row(caption, label, tuple(each.map for each in looks))
    times_s = tuple(each.t_ns / 1e9 for each in looks)
    return replace(row, times_s=times_s, tells_times=moment == "during")


def _row(caption: str, arm: ArmLabel | None, looks: tuple[ResidencyMap, ...]) -> CacheRow:
    if not any(file.is_known for file in looks[-1].files):
        source = why_unknown(looks[-1].whole.source)
        return CacheRow(caption, arm, reason=tr("Unknown: {reason}.", reason=source))
    return CacheRow(caption, arm, looks)


def _why_no_during(record: RunRecord) -> str:
    if not record.cache_maps:
        return "" if record.ready is None else tr("Not recorded.")
    sources = {file.source for file in record.cache_maps[0].map.files if file.is_known}
    if not sources:
        return tr("Unknown.")
    if "mincore" in sources:
        return tr("Not checked: mincore takes too long during a load.")
    if record.done:
        return tr("The load ended before the next check.")
    return tr("Not checked yet.")


def _why_none(record: RunRecord, moment: Moment) -> str:
    if moment == "during":
        return _why_no_during(record)
    if record.failed is not None and (moment == "after" or record.ready is None):
        return tr("The load didn't finish.")
    if moment == "before":
        if record.ready is None:
            return tr("Shown once the load is ready.")
        share = record.ready.residency_share
    else:
        if record.finished is None:
            return tr("Shown once the load has finished.")
        share = record.finished.residency_after_share
    if share is None:
        return tr("Not recorded.")
    return tr("Not recorded: {share} of the bytes.", share=percent_text(share))


def bucket_at(found: ResidencyMap, offset_bytes: float) -> tuple[int, int] | None:
    """File and bucket at an offset over all files; None where that file is unknown, or none."""
    start = 0
    for number, file in enumerate(found.files):
        if start <= offset_bytes < start + file.size_bytes:
            if not file.is_known:
                return None
            return number, int((offset_bytes - start) // found.bucket_bytes)
        start += file.size_bytes
    return None


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
            for time_s, found in zip_longest(row.times_s[: len(row.looks)], row.looks)
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


def span_texts(low_bytes: float, high_bytes: float) -> tuple[str, str]:
    """From and to in the same unit, with as many decimals as their distance needs."""
    unit = data_unit(high_bytes)
    distance = (high_bytes - low_bytes) / unit.size
    decimals = _FIGURES - 1 - floor(log10(distance)) if distance > 0 else 0
    digits = min(max(decimals, 0), floor(log10(unit.size)))
    low, high = (f"{each / unit.size:,.{digits}f} {unit.name}" for each in (low_bytes, high_bytes))
    return low, high

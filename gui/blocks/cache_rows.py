"""What the page cache strip shows, line by line: the last look, and each run's looks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from modelmon.core.machine.cached_pages import why_unknown
from modelmon.core.units import percent_text, size_text, three_figures
from modelmon.gui.blocks.cache_pixels import RunningSums, running_sums
from modelmon.gui.language import tr
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.machine.page_cache import ResidencyMap
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.session.notices import ArmLabel


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
            return tr("{arm} at {seconds} s", arm=arm, seconds=three_figures(time_s))
        return self.name

    @property
    def name(self) -> str:
        """Arm and caption."""
        named = self.arm and not manager().alone
        return f"{self.arm}  {self.caption}" if named else self.caption


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
    return _row(caption, None, found, reason or tr("Not checked yet."))


def run_rows(label: ArmLabel, record: RunRecord) -> tuple[CacheRow, ...]:
    """Three lines of one run: before, during and after the load."""
    maps = {each.moment: each.map for each in record.cache_maps if each.moment != "during"}
    before = _row(tr("Before"), label, maps.get("before"), _why_no_before(record))
    after = _row(tr("After"), label, maps.get("after"), _why_no_after(record))
    return (before, _during(label, record), after)


def _during(label: ArmLabel, record: RunRecord) -> CacheRow:
    looks = [each for each in record.cache_maps if each.moment == "during"]
    if not looks:
        return CacheRow(tr("During"), label, reason=_why_no_during(record))
    return CacheRow(
        tr("During"),
        label,
        tuple(each.map for each in looks),
        tuple(each.t_ns / 1e9 for each in looks),
        tells_times=True,
    )


def _row(caption: str, arm: ArmLabel | None, found: ResidencyMap | None, missing: str) -> CacheRow:
    if found is None:
        return CacheRow(caption, arm, reason=missing)
    if not any(file.is_known for file in found.files):
        source = why_unknown(found.whole.source)
        return CacheRow(caption, arm, reason=tr("Unknown: {reason}.", reason=source))
    return CacheRow(caption, arm, (found,), (0.0,))


def _why_no_before(record: RunRecord) -> str:
    if record.ready is None:
        return tr("Shown once the load is ready.")
    share = record.ready.residency_share
    if share is None:
        return tr("This recording is older than the cache map.")
    return tr(
        "This recording is older than the cache map: {share} of the bytes.",
        share=percent_text(share),
    )


def _why_no_during(record: RunRecord) -> str:
    if not record.cache_maps:
        return "" if record.ready is None else tr("Not recorded.")
    sources = {file.source for file in record.cache_maps[0].map.files if file.is_known}
    if not sources:
        return tr("Unknown.")
    if "mincore" in sources:
        return tr("Not checked: mincore takes too long during a load.")
    if record.done:
        return tr("The load finished before the next check.")
    return tr("Not checked yet.")


def _why_no_after(record: RunRecord) -> str:
    if record.failed is not None:
        return tr("The load didn't finish.")
    if record.finished is None:
        return tr("Shown once the load has finished.")
    share = record.finished.residency_after_share
    if share is None:
        return tr("Not recorded.")
    return tr("Not recorded: {share} of the bytes.", share=percent_text(share))

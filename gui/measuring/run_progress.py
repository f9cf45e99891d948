"""What the slot says while a run is under way. Pure text, no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.units import duration_text, rate_text
from modelmon.gui.look.language import mark, tr
from modelmon.gui.measuring.narration import part_text, start_fact
from modelmon.gui.window.notices import ProgressView

if TYPE_CHECKING:
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.window.notices import ArmLabel, Square

_PHASES = {
    "prepare": mark("Preparing free memory"),
    "cache": mark("Setting the cache"),
    "warmup": mark("Warming up"),
    "load": mark("Loading"),
    "verify": mark("Verifying bytes"),
}
_CACHES = {
    "cold": mark("Evicting the file from the cache"),
    "warm": mark("Reading the file into the cache"),
}


@dataclass(frozen=True, slots=True)
class RunQueueView:
    """Where a queued run stands (`pair 6 of at most 11`, nothing where it is the only one);
    `cost` is what the whole queue will take.
    """

    place: str = ""
    time_left: str = ""
    cost: str = ""
    squares: tuple[Square, ...] = ()


def run_progress(
    record: RunRecord,
    label: ArmLabel,
    cache: Cache,
    queue: RunQueueView,
) -> ProgressView:
    """The slot while a queued run is under way."""
    lead = _lead(label, queue)
    progress = record.progress
    if record.state in ("new", "preparing") or record.planned is None:
        detail, share = tr("Starting a new process"), None
        if progress is not None and progress.total_bytes:
            done = part_text(progress.done_bytes, progress.total_bytes)
            detail = tr("{doing}: {part}", doing=_phase(progress.phase, cache), part=done)
            share = progress.done_bytes / progress.total_bytes
        return ProgressView(
            tr("{run} is preparing", run=lead),
            share,
            time_left=queue.time_left,
            detail=detail,
            fact=queue.cost,
            arm=label,
            squares=queue.squares,
        )
    return ProgressView(
        tr("{run} is loading", run=lead),
        record.delivered_share,
        time_left=queue.time_left,
        detail=_pace(record.delivered_bytes, record.planned.planned_bytes, record.t_ns),
        fact=start_fact(record, cache),
        arm=label,
        squares=queue.squares,
    )


def keeping_progress(label: ArmLabel, queue: RunQueueView) -> ProgressView:
    """The slot while a run that is over is entered into the history."""
    return ProgressView(
        tr("{run} has loaded", run=_lead(label, queue)),
        1.0,
        time_left=queue.time_left,
        detail=tr("Saving run: {way}", way=label),
        arm=label,
        squares=queue.squares,
    )


def _lead(label: ArmLabel, queue: RunQueueView) -> str:
    if not queue.place:
        return label
    return tr("Compare, {place}: {arm}", place=queue.place, arm=label)


def _pace(delivered_bytes: int, planned_bytes: int, t_ns: int) -> str:
    """How much has come, how fast, and how long the rest will take."""
    part = part_text(delivered_bytes, planned_bytes)
    if not delivered_bytes or not t_ns:
        return part
    rate = delivered_bytes * 1e9 / t_ns
    if delivered_bytes >= planned_bytes:
        return tr("{part} at {rate}", part=part, rate=rate_text(rate))
    left = duration_text(round((planned_bytes - delivered_bytes) / rate, 1) * 1e9)
    return tr(
        "{part} at {rate}, {time} left in this run", part=part, rate=rate_text(rate), time=left
    )


def _phase(phase: str, cache: Cache) -> str:
    return tr(_CACHES[cache] if phase == "cache" and cache in _CACHES else _PHASES[phase])

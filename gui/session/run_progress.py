"""How far a run under way is, as Compare, Find best and Watch show it in the slot."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modelmon.core.units import duration_text, rate_text
from modelmon.core.worker.command_words import taken_apart
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.run_words import part_text, start_fact
from modelmon.gui.session.watched_run import program_of

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord

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


def run_view(record: RunRecord, lead: str, name: str = "") -> ProgressView:
    """Where the run is that `lead` names; `name` is what its program is called, where that isn't
    known from its command.
    """
    progress, planned = record.progress, record.planned
    cache = record.hello.job.cache if record.hello is not None else "as-is"
    if record.state in ("new", "preparing") or planned is None:
        detail, share = tr("Starting a new process"), None
        if progress is not None and progress.total_bytes:
            phases = _CACHES if progress.phase == "cache" and cache in _CACHES else _PHASES
            doing = tr(phases[cache if phases is _CACHES else progress.phase])
            done = part_text(progress.done_bytes, progress.total_bytes)
            detail = tr("{doing}: {part}", doing=doing, part=done)
            share = progress.done_bytes / progress.total_bytes
        return ProgressView(tr("{run} is preparing", run=lead), share, detail=detail)
    return ProgressView(
        tr("{run} is loading", run=lead),
        record.delivered_share,
        detail=_detail(record, planned.planned_bytes, name),
        fact=start_fact(record, cache),
    )


def _detail(record: RunRecord, planned_bytes: int, name: str) -> str:
    """How far the load is; a program does other things, too, so its pace says nothing."""
    program, done_bytes = program_of(record), record.delivered_bytes
    if program is None:
        return _pace(done_bytes, planned_bytes, record.clock_ns(time.monotonic_ns()))
    name = name or taken_apart(program.command).name
    what = said(record.waiting) or _doing(name, done_bytes, planned_bytes)
    if not 0 < done_bytes < planned_bytes:
        return what
    return tr("{what}: {part}", what=what, part=part_text(done_bytes, planned_bytes))


def _doing(name: str, done_bytes: int, total_bytes: int) -> str:
    """What a program is at."""
    if not done_bytes:
        return tr("{program} hasn't read the model yet", program=name)
    if done_bytes < total_bytes:
        return tr("{program} is reading the model", program=name)
    return tr("The model is in memory; waiting until {program} is ready", program=name)


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

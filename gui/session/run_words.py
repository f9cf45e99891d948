"""What several parts of the window say of runs, settings, times and verdicts. Pure text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale

from modelmon.core.comparison.run_validity import spoiled, spoiling_of
from modelmon.core.load.config import SIZES
from modelmon.core.load.strategies import changed_settings
from modelmon.core.machine.page_cache import COLD_SHARE, WARM_SHARE
from modelmon.core.units import duration_text, percent_text, request_text, size_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.slot_page import Chip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from modelmon.core.comparison.result import Comparison, Confidence, StrategySummary
    from modelmon.core.explain.evidence import Bottleneck
    from modelmon.core.find_best.result import Recommendation, SearchResult
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunFigures, RunResult

CACHES: dict[Cache, str] = {
    "cold": mark("Cold"),
    "warm": mark("Warm"),
    "as-is": mark("As is"),
}
"""What the page cache is before each run, as choices say it."""
MOST_CHIPS = 3
CONFIDENCES: dict[Confidence, str] = {
    "high": mark("High confidence"),
    "medium": mark("Medium confidence"),
    "low": mark("Low confidence"),
}
_STARTS = {
    "cold": mark("Cold start"),
    "warm": mark("Warm start"),
    "mixed": mark("Partly cached start"),
    "unknown": mark("Cache state unknown"),
    "cold-here": mark("Cold start here, server state unknown"),
    "cached-below": mark("Cold here, cached below"),
}
IN_MEMORY = mark("Files in memory have no cold start")
"""Why a cold start cannot be chosen."""

_EVIDENCES = {"verified": mark("verified"), "inferred": mark("inferred")}


def cache_choices() -> list[tuple[Cache, str]]:
    """The states of the page cache that can be chosen, in the window's language."""
    return [(cache, tr(text)) for cache, text in CACHES.items()]


def part_text(done_bytes: int, total_bytes: int) -> str:
    """How much of a whole: `9.96 of 16.1 GB`."""
    done, total = size_text(done_bytes).split(), size_text(total_bytes).split()
    first = done[0] if done[1] == total[1] or done_bytes == 0 else " ".join(done)
    return tr("{done} of {total}", done=first, total=" ".join(total))


def model_share_text(run: RunFigures | RunRecord) -> str:
    """How much of the model was loaded; empty where that was all of it."""
    share = run.part_share
    return "" if share is None else tr("{share} of the model", share=percent_text(share))


def start_fact(record: RunRecord, cache: Cache) -> str:
    """How much of the file was cached when the load started, against what was asked."""
    if record.ready is None:
        return ""
    share = record.ready.residency_share
    if share is None:
        return tr("Cache state is unreadable here")
    if cache == "cold" and share < COLD_SHARE:
        text = tr("Cold start: {share} of the file was cached", share=percent_text(share))
    elif cache == "cold":
        text = tr("Not cold: {share} of the file was cached", share=percent_text(share))
    elif cache == "warm" and share >= WARM_SHARE:
        text = tr("Warm start: {share} of the file was cached", share=percent_text(share))
    elif cache == "warm":
        text = tr("Not warm: {share} of the file was cached", share=percent_text(share))
    else:
        text = tr("{share} of the file was cached at the start", share=percent_text(share))
    return text


def with_why_not(run: str, result: RunResult) -> str:
    """A line about a run, and why it does not count, if so; most reasons begin by saying that."""
    if result.counts:
        return run
    if result.why_not.startswith("Not counted"):
        return tr("{run}. {why}", run=run, why=result.why_not)
    return tr("{run}; not counted: {why}", run=run, why=result.why_not)


def time_text(result: RunResult) -> str:
    """How long a load took, and of how much of the model."""
    return time_of_part(duration_text(result.wall_ns), result)


def time_of_part(time: str, run: RunFigures | RunRecord) -> str:
    """A time of the run, and of how much of the model it is, where that is not all of it."""
    part = model_share_text(run)
    return tr("{time} for {part}", time=time, part=part) if part else time


def cache_text(result: RunFigures) -> str:
    """How the cache stood at the start, and how that is known."""
    state = tr(_STARTS[result.start])
    evidence = _EVIDENCES.get(result.cache_evidence)
    return tr("{start}, {evidence}", start=state, evidence=tr(evidence)) if evidence else state


def bottleneck_name(found: Bottleneck) -> str:
    """What held a load back, as a badge or the head of a line says it: `Storage latency`."""
    name = said(found.label)
    return f"{name[:1].upper()}{name[1:]}"


def other_file(found: Comparison | SearchResult) -> Iterator[Chip]:
    """That it was measured with another file, where it was."""
    if found.measured_with:
        told = said(found.measured_with)
        yield Chip(tr("Measured with another file"), "info", "focus", told)


def disturbed(runs: Sequence[RunResult]) -> Iterator[Chip]:
    """How many of the runs that count were disturbed, and by what; nothing where none was."""
    if count := spoiled(runs):
        kept = sum(run.counts for run in runs)
        text = tr("{count} of {all} runs disturbed", count=count, all=kept)
        warned = "\n".join(said(one.short) for one in spoiling_of(runs))
        yield Chip(text, "warn", "warn", warned)


_DAY_S = 86400


def when_text(unix_s: float, now_unix_s: float) -> str:
    """When something was: `today, 14:07`, `yesterday, 09:30`, `18 November`."""
    then, now = time.localtime(unix_s), time.localtime(now_unix_s)
    clock = time.strftime("%H:%M", then)
    if then[:3] == now[:3]:
        return tr("today, {clock}", clock=clock)
    if then[:3] == time.localtime(now_unix_s - _DAY_S)[:3]:
        return tr("yesterday, {clock}", clock=clock)
    form = tr("d MMMM") if then.tm_year == now.tm_year else tr("d MMMM yyyy")
    return QLocale.c().toString(QDate(then.tm_year, then.tm_mon, then.tm_mday), form)


AXIS_NAMES = {
    "access": mark("Access"),
    "order": mark("Order"),
    "readers": mark("Readers"),
    "reader_kind": mark("Reader kind"),
    "ranks": mark("Ranks"),
    "rank_share": mark("Each rank loads"),
    "descriptor": mark("Descriptor"),
    "chunk_bytes": mark("Request size"),
    "warmup": mark("Warm-up"),
    "prefetch_bytes": mark("Read ahead"),
    "advice": mark("Advice"),
    "deliver": mark("Delivery"),
    "huge_pages": mark("Huge pages"),
    "library": mark("Library"),
}
AXIS_HELP = {
    "access": mark(
        "mmap: maps the file. read: buffered reads. direct: direct I/O. auto: chooses by "
        "what is cached."
    ),
    "order": mark("file: by offset; model: block by block; random: the worst case (seeded)"),
    "readers": mark("How many readers share the work. Exactly one of them reads each byte."),
    "reader_kind": mark("Whether readers are threads of one process or separate processes"),
    "ranks": mark("How many processes load at once, like the workers of several GPUs"),
    "rank_share": mark("Whether each rank loads the whole model or its tensor-parallel slice"),
    "descriptor": mark("own: each reader opens the file; shared: all readers use one descriptor"),
    "chunk_bytes": mark(
        "Size of one request. Larger ones wait less often; smaller ones are shared out more evenly."
    ),
    "warmup": mark(
        "Fill the page cache first (timed). read: reads the file; populate: maps all pages."
    ),
    "prefetch_bytes": mark(
        "How far a second thread reads ahead of each reader. Helps readers that wait for storage."
    ),
    "advice": mark(
        "The access pattern announced to the kernel. sequential: it reads farther ahead; "
        "random: not at all."
    ),
    "deliver": mark(
        "usable: in memory; owned: private copy; streamed: small buffer; decoded: float32; "
        "untouched: perhaps unread. Must match in A and B."
    ),
    "huge_pages": mark("Whether private memory uses 2 MiB pages, which cost fewer page faults"),
    "library": mark("A library, called the way its users call it. It decides most other settings."),
}


def value_text(axis: str, value: object) -> str:
    """A value as people read it: `4 MiB`, `off`, `model`."""
    if axis in SIZES and isinstance(value, int):
        return request_text(value) if value else "off"
    return str(value)


def settings_chip(arms: Mapping[str, StrategySummary | Recommendation]) -> Iterator[Chip]:
    """What isn't the default of the strategies that were measured; nothing where all is."""
    settings = {at: _settings(arm) for at, arm in arms.items()}
    both = set.intersection(*map(set, settings.values()))
    texts = [each for each in next(iter(settings.values())) if each in both]
    if texts and len(arms) > 1:
        texts[-1] = tr("{value} (A and B)", value=texts[-1])
    for at, found in settings.items():
        texts += [tr("{arm}: {value}", arm=at, value=each) for each in found if each not in both]
    if texts:
        more = f" +{len(texts) - 1}" if len(texts) > 1 else ""
        told = tr("Not the default settings:")
        yield Chip(f"{texts[0]}{more}", "info", tool_tip="\n".join((told, *texts)))


def _settings(arm: StrategySummary | Recommendation) -> list[str]:
    return [
        tr(
            "{name}: {value}",
            name=tr(AXIS_NAMES[axis]),
            value=value_text(axis, getattr(arm.config, axis)),
        )
        for axis in changed_settings(arm.strategy, arm.config)
    ]

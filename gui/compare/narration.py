"""Sentences about runs: planned, over, stopped, refused. Pure text, no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from modelmon.core.comparison.decision import look_times
from modelmon.core.machine.page_cache import COLD_SHARE, WARM_SHARE
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.core.worker.result import memory_meaning
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.notices import Notice

if TYPE_CHECKING:
    from modelmon.core.comparison.estimate import Estimate
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.worker.events import Cache, Failed
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunFigures, RunResult
    from modelmon.gui.session.notices import ArmLabel, Choice


CACHES: dict[Cache, str] = {
    "cold": mark("Cold"),
    "warm": mark("Warm"),
    "as-is": mark("As is"),
}
"""What the page cache is before each run, as choices say it."""
_HINTS = {
    "cold": mark("Compare {a} (A) with {b} (B) from a cold cache"),
    "warm": mark("Compare {a} (A) with {b} (B) from a warm cache"),
    "as-is": mark("Compare {a} (A) with {b} (B), page cache unchanged"),
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


def hint(
    inspection: Inspection, names: dict[ArmLabel, str], obstacle: str, cache: Cache, repeats: int
) -> Notice:
    """The slot before anything has run; `obstacle` says why the arms cannot be compared."""
    if not inspection.fits:
        return does_not_fit(inspection)
    if obstacle:
        remedy = tr("Choose another strategy on one card, or change one of its settings.")
        return Notice(said(obstacle), remedy)
    runs = (
        tr("Up to {count} runs, alternating A and B, each in a new process.", count=2 * repeats)
        if len(look_times(repeats)) > 1
        else tr("{count} runs, alternating A and B, each in a new process.", count=2 * repeats)
    )
    return Notice(
        tr(_HINTS[cache], a=names["A"], b=names["B"]),
        tr("{runs} Shows the expected time and bytes to read first.", runs=runs),
        tr("To measure just one of them once, use Run A or Run B."),
    )


def does_not_fit(inspection: Inspection) -> Notice:
    """The refusal for a model that is larger than the memory there is."""
    memory = inspection.memory
    return Notice(
        tr(
            "{model} doesn't fit in memory: {size} of tensors, {memory} free.",
            model=inspection.model.name,
            size=size_text(inspection.model.nbytes),
            memory=size_text(memory.usable_bytes),
        ),
        tr("The cgroup limit applies. Raise it, or compare part of the model.")
        if memory.usable_bytes < memory.available_bytes
        else tr(
            "Available memory is the limit. Close other programs, or compare part of the model."
        ),
        tone="warn",
    )


def cost_text(estimate: Estimate, *, at_least: bool = False) -> str:
    """What a comparison will cost: runs, time and bytes; of programs only what loading takes."""
    runs, time = estimate.runs_text, duration_text(estimate.duration_ns)
    if at_least:
        return tr("{runs} take {time} or more, as programs do more than load", runs=runs, time=time)
    if not estimate.read_bytes:
        return tr("{runs} take about {time} and read nothing from storage", runs=runs, time=time)
    return tr(
        "{runs} take about {time} and read {size} from storage",
        runs=runs,
        time=time,
        size=size_text(estimate.read_bytes),
    )


def scaled(estimate: Estimate, share: float) -> Estimate:
    """The estimate for a part of the model."""
    return structs.replace(
        estimate,
        duration_ns=int(estimate.duration_ns * share),
        read_bytes=int(estimate.read_bytes * share),
    )


def part_button(estimate: Estimate) -> str:
    """What the button says that compares a part."""
    return tr("Compare a part ({size})", size=size_text(estimate.portion_bytes))


def offer(estimate: Estimate, cost: str, whole: Choice, part: Choice) -> Notice:
    """The question before a long comparison, with its `cost` in words."""
    headline = tr("Compare for about {time}?", time=duration_text(estimate.duration_ns))
    cost = tr("{cost}.", cost=cost)
    if not estimate.portion_bytes:
        return Notice(headline, cost, choices=(whole,))
    return Notice(
        headline,
        cost,
        tr(
            "{size} can represent the whole: quicker, and labeled as extrapolated.",
            size=size_text(estimate.portion_bytes),
        ),
        choices=(part, whole),
    )


def failure(failed: Failed, label: ArmLabel, place: str, choices: tuple[Choice, ...]) -> Notice:
    """The slot after a run that did not end well."""
    return Notice(
        said(failed.message),
        said(failed.remedy),
        tr("Comparison ended in {place}.", place=place)
        if place
        else tr("{arm} wasn't measured.", arm=label),
        tone="warn" if choices else "bad",
        choices=choices,
    )


def run_line(number: int, label: ArmLabel, result: RunResult) -> str:
    """One run as a line of the log."""
    text = tr(
        "Run {number}, {arm} {strategy}: {time}, {rate}, {start}",
        number=number,
        arm=label,
        strategy=result.strategy,
        time=time_text(result),
        rate=rate_text(result.bytes_per_s),
        start=cache_text(result).lower(),
    )
    return with_why_not(text, result)


def with_why_not(run: str, result: RunResult) -> str:
    """A line about a run, and why it does not count, if so; most reasons begin by saying that."""
    if result.counts:
        return run
    if result.why_not.startswith("Not counted"):
        return tr("{run}. {why}", run=run, why=result.why_not)
    return tr("{run}; not counted: {why}", run=run, why=result.why_not)


def single_result(label: ArmLabel, result: RunResult) -> Notice:
    """The slot after one run of one arm."""
    what = tr(
        "{arm} took {time}, {rate}.",
        arm=label,
        time=time_text(result),
        rate=rate_text(result.bytes_per_s),
    )
    if not result.counts:
        why = said(result.why_not) if result.why_not else tr("The run didn't start as requested.")
        return Notice(what, why, tone="warn")
    return Notice(
        what,
        tr(
            "{start}. One run shows no run-to-run variation. Use Compare to see whether A "
            "and B differ.",
            start=cache_text(result),
        ),
        said(memory_meaning(result)),
    )


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


def stopped(place: str) -> Notice:
    """The slot after Stop, in a single run or at a comparison's `place`."""
    if not place:
        return Notice(tr("Load stopped."), tr("Its result isn't counted."))
    return Notice(
        tr("Comparison stopped in {place}.", place=place),
        tr("No verdict. Earlier runs are listed under Runs."),
    )

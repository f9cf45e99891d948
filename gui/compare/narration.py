"""Sentences about runs: planned, over, stopped, refused. Pure text, no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.comparison.decision import look_times
from modelmon.core.units import duration_text, rate_text, size_text
from modelmon.core.worker.result import memory_meaning
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.notices import Notice
from modelmon.gui.session.run_words import cache_text, time_text

if TYPE_CHECKING:
    from modelmon.core.comparison.estimate import Estimate
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.session.notices import ArmLabel, Choice


_HINTS = {
    "cold": mark("Compare {a} (A) with {b} (B) from a cold cache"),
    "warm": mark("Compare {a} (A) with {b} (B) from a warm cache"),
    "as-is": mark("Compare {a} (A) with {b} (B), page cache unchanged"),
}


def hint(
    inspection: Inspection, names: dict[ArmLabel, str], obstacle: str, cache: Cache, repeats: int
) -> Notice:
    """The slot before anything has run; `obstacle` says why the arms cannot be compared."""
    if not inspection.can_stay:
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
            "{size} can represent the whole: quicker, with times for that part.",
            size=size_text(estimate.portion_bytes),
        ),
        choices=(part, whole),
    )


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

"""Sentences about runs: planned, over, stopped, refused. Pure text, no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from modelmon.core.experiment.statistics.decision import look_times
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.slot import Notice

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight.preflight import Estimate, Preflight
    from modelmon.core.experiment.result import RunResult
    from modelmon.core.worker.events import Cache, Failed
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.slot import ArmLabel, Choice

COLD_SHARE = 0.01
WARM_SHARE = 0.99

_HINTS = {
    "cold": mark("Compare A with B: {a} against {b}, from a cold cache."),
    "warm": mark("Compare A with B: {a} against {b}, from a warm cache."),
    "as-is": mark("Compare A with B: {a} against {b}, cache as it is."),
}
_STARTS = {
    "cold": mark("Cold start"),
    "warm": mark("Warm start"),
    "mixed": mark("Partly cached start"),
    "unknown": mark("Cache state unknown"),
    "cold-here": mark("Cold start here, server state unknown"),
}
_EVIDENCES = {"verified": mark("verified"), "inferred": mark("inferred")}


def part_text(done_bytes: int, total_bytes: int) -> str:
    """How much of a whole: `9.96 of 16.1 GB`."""
    done, total = size_text(done_bytes).split(), size_text(total_bytes).split()
    first = done[0] if done[1] == total[1] or done_bytes == 0 else " ".join(done)
    return tr("{done} of {total}", done=first, total=" ".join(total))


def start_fact(record: RunRecord, cache: Cache) -> str:
    """How much of the file was cached when the load started, against what was asked."""
    if record.ready is None:
        return ""
    share = record.ready.residency_share
    if share is None:
        return tr("How much of the file was cached cannot be known here")
    if cache == "cold" and share <= COLD_SHARE:
        text = tr("Cold start verified: {share} of the file was cached", share=percent_text(share))
    elif cache == "cold":
        text = tr("Not cold: {share} of the file was cached", share=percent_text(share))
    elif cache == "warm" and share >= WARM_SHARE:
        text = tr("Warm start verified: {share} of the file was cached", share=percent_text(share))
    elif cache == "warm":
        text = tr("Not warm: {share} of the file was cached", share=percent_text(share))
    else:
        text = tr("{share} of the file was cached at the start", share=percent_text(share))
    return text


def hint(
    preflight: Preflight, names: dict[ArmLabel, str], obstacle: str, cache: Cache, repeats: int
) -> Notice:
    """The slot before anything has run; `obstacle` says why the arms cannot be compared."""
    if not preflight.fits:
        return does_not_fit(preflight)
    if obstacle:
        remedy = tr("Choose another strategy in one card, or change one of its axes.")
        return Notice(said(obstacle), remedy)
    runs = (
        tr("At most {count} runs in turns, each in a fresh process.", count=2 * repeats)
        if len(look_times(repeats)) > 1
        else tr("{count} runs in turns, each in a fresh process.", count=2 * repeats)
    )
    return Notice(
        tr(_HINTS[cache], a=names["A"], b=names["B"]),
        tr("{runs} The expected time and the bytes to be read are shown first.", runs=runs),
        tr("Run A or Run B measures one arm once."),
    )


def does_not_fit(preflight: Preflight) -> Notice:
    """The refusal for a model that is larger than the memory there is."""
    memory = preflight.memory
    return Notice(
        tr(
            "{model} does not fit into memory: {size} of tensors, {memory} free.",
            model=preflight.model.name,
            size=size_text(preflight.model.nbytes),
            memory=size_text(memory.usable_bytes),
        ),
        tr("The cgroup's limit decides. Close other programs, or compare a part of the model.")
        if memory.usable_bytes < memory.available_bytes
        else tr(
            "The available memory decides. Close other programs, or compare a part of the model."
        ),
        tone="warn",
    )


def cost_text(estimate: Estimate) -> str:
    """What a comparison will cost: runs, time and bytes."""
    runs, time = estimate.runs_text, duration_text(estimate.duration_ns)
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


def offer(estimate: Estimate, whole: Choice, part: Choice) -> Notice:
    """The question before a long comparison."""
    headline = tr("Compare will take about {time}.", time=duration_text(estimate.duration_ns))
    cost = tr("{cost}.", cost=cost_text(estimate))
    if not estimate.portion_bytes:
        return Notice(headline, cost, choices=(whole,))
    return Notice(
        headline,
        cost,
        tr(
            "{size} can stand for the whole: quicker, and labelled as extrapolated.",
            size=size_text(estimate.portion_bytes),
        ),
        choices=(part, whole),
    )


def failure(failed: Failed, label: ArmLabel, place: str, choices: tuple[Choice, ...]) -> Notice:
    """The slot after a run that did not end well."""
    return Notice(
        said(failed.message),
        said(failed.remedy),
        tr("Compare ended in {place}.", place=place)
        if place
        else tr("{arm} was not measured.", arm=label),
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
        time=duration_text(result.wall_ns),
        rate=rate_text(result.bytes_per_s),
        start=cache_text(result).lower(),
    )
    return text if result.counts else tr("{run}; not counted: {why}", run=text, why=result.why_not)


def single_result(label: ArmLabel, result: RunResult) -> Notice:
    """The slot after one run of one arm."""
    what = tr(
        "{arm} took {time}, {rate}.",
        arm=label,
        time=duration_text(result.wall_ns),
        rate=rate_text(result.bytes_per_s),
    )
    if not result.counts:
        why = said(result.why_not) if result.why_not else tr("The run did not start as asked.")
        return Notice(what, why, tone="warn")
    return Notice(
        what,
        tr(
            "{start}. One run shows no spread: Compare tells whether A and B differ.",
            start=cache_text(result),
        ),
        memory_text(result.memory_kind),
    )


def cache_text(result: RunResult) -> str:
    """How the cache stood at the start, and how that is known."""
    state = tr(_STARTS[result.cache_state])
    evidence = _EVIDENCES.get(result.cache_evidence)
    return tr("{start}, {evidence}", start=state, evidence=tr(evidence)) if evidence else state


def memory_text(memory_kind: str) -> str:
    """Where the bytes are after a load, and what that means."""
    if memory_kind == "mapped":
        return tr("The bytes are mapped, evictable: the kernel may drop them and read them again.")
    if memory_kind == "streamed":
        return tr("The bytes passed through a small buffer: none of them are kept.")
    return tr("The bytes are owned: private memory, which the kernel cannot drop.")


def stopped(place: str) -> Notice:
    """The slot after Stop, in a single run or at a comparison's `place`."""
    if not place:
        return Notice(tr("The load was stopped."), tr("Nothing of it is counted."))
    return Notice(
        tr("Compare was stopped in {place}.", place=place),
        tr("There is no verdict. The runs before stand in Runs."),
    )

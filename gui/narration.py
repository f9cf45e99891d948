"""Sentences about runs: under way, over, stopped, refused. Pure text, no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import structs

from modelmon.core.experiment.decision import look_times
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.gui.slot import Notice, ProgressView

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight import Estimate, Preflight
    from modelmon.core.experiment.result import RunResult
    from modelmon.core.worker.events import Cache, Failed
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.slot import ArmLabel, Choice, Square

COLD_SHARE = 0.01
WARM_SHARE = 0.99

_PHASES = {
    "prepare": "Touching free memory",
    "cache": "Setting the cache",
    "warmup": "Warming up",
    "load": "Loading",
    "verify": "Checking the bytes",
}


@dataclass(frozen=True, slots=True)
class TrialView:
    """Where a run of a trial stands (`pair 6 of at most 11`, nothing where it is the only one);
    `cost` is what the whole trial will take.
    """

    place: str = ""
    time_left: str = ""
    cost: str = ""
    squares: tuple[Square, ...] = ()


def part_text(done_bytes: int, total_bytes: int) -> str:
    """How much of a whole: `9.96 of 16.1 GB`."""
    done, total = size_text(done_bytes).split(), size_text(total_bytes).split()
    first = done[0] if done[1] == total[1] or done_bytes == 0 else " ".join(done)
    return f"{first} of {' '.join(total)}"


def start_fact(record: RunRecord, cache: Cache) -> str:
    """How much of the file was cached when the load started, against what was asked."""
    if record.ready is None:
        return ""
    share = record.ready.residency_share
    if share is None:
        return "How much of the file was cached cannot be known here"
    cached = f"{percent_text(share)} of the file was cached"
    if cache == "cold":
        return f"{'Cold start verified' if share <= COLD_SHARE else 'Not cold'}: {cached}"
    if cache == "warm":
        return f"{'Warm start verified' if share >= WARM_SHARE else 'Not warm'}: {cached}"
    return f"{cached} at the start"


def run_progress(
    record: RunRecord,
    label: ArmLabel,
    cache: Cache,
    trial: TrialView,
) -> ProgressView:
    """The slot while a run of a trial is under way."""
    lead = f"Compare, {trial.place}: {label}" if trial.place else label
    progress = record.progress
    if record.state in ("new", "preparing") or record.planned is None:
        detail, share = "Starting a fresh worker", None
        if progress is not None and progress.total_bytes:
            done = part_text(progress.done_bytes, progress.total_bytes)
            detail = f"{_phase(progress.phase, cache)}: {done}"
            share = progress.done_bytes / progress.total_bytes
        return ProgressView(
            f"{lead} is being prepared",
            share,
            time_left=trial.time_left,
            detail=detail,
            fact=trial.cost,
            arm=label,
            squares=trial.squares,
        )
    delivered, t_ns = record.delivered_bytes, record.t_ns
    planned = record.planned.planned_bytes
    detail = part_text(delivered, planned)
    if delivered and t_ns:
        rate = delivered * 1e9 / t_ns
        left = duration_text(round((planned - delivered) / rate, 1) * 1e9)
        detail = f"{detail} at {rate_text(rate)}"
        if delivered < planned:
            detail = f"{detail}, {left} left in this run"
    return ProgressView(
        f"{lead} is loading",
        record.delivered_share,
        time_left=trial.time_left,
        detail=detail,
        fact=start_fact(record, cache),
        arm=label,
        squares=trial.squares,
    )


def _phase(phase: str, cache: Cache) -> str:
    return f"Making the cache {cache}" if phase == "cache" and cache != "as-is" else _PHASES[phase]


def hint(
    preflight: Preflight, names: dict[ArmLabel, str], obstacle: str, cache: Cache, repeats: int
) -> Notice:
    """The slot before anything has run; `obstacle` says why the arms cannot be compared."""
    if not preflight.fits:
        return does_not_fit(preflight)
    if obstacle:
        return Notice(obstacle, "Choose another strategy in one card, or change one of its axes.")
    most = "At most " if len(look_times(repeats)) > 1 else ""
    start = {"cold": "from a cold cache", "warm": "from a warm cache", "as-is": "cache as it is"}
    return Notice(
        f"Compare A with B: {names['A']} against {names['B']}, {start[cache]}.",
        f"{most}{2 * repeats} runs in turns, each in a fresh process. "
        "The expected time and the bytes to be read are shown first.",
        "Run A or Run B measures one arm once.",
    )


def does_not_fit(preflight: Preflight) -> Notice:
    """The refusal for a model that is larger than the memory there is."""
    memory = preflight.memory
    limit = "cgroup's limit" if memory.usable_bytes < memory.available_bytes else "available memory"
    return Notice(
        f"{preflight.model.name} does not fit into memory: "
        f"{size_text(preflight.model.nbytes)} of tensors, {size_text(memory.usable_bytes)} free.",
        f"The {limit} decides. Close other programs, or compare a part of the model.",
        tone="warn",
    )


def cost_text(estimate: Estimate) -> str:
    """What a comparison will cost: runs, time and bytes."""
    read = size_text(estimate.read_bytes) if estimate.read_bytes else "nothing"
    duration = duration_text(estimate.duration_ns)
    return f"{estimate.runs_text} take about {duration} and read {read} from storage"


def scaled(estimate: Estimate, share: float) -> Estimate:
    """The estimate for a part of the model."""
    return structs.replace(
        estimate,
        duration_ns=int(estimate.duration_ns * share),
        read_bytes=int(estimate.read_bytes * share),
    )


def part_button(estimate: Estimate) -> str:
    """What the button says that compares a part."""
    return f"Compare a part ({size_text(estimate.portion_bytes)})"


def offer(estimate: Estimate, whole: Choice, part: Choice) -> Notice:
    """The question before a long comparison."""
    headline = f"Compare will take about {duration_text(estimate.duration_ns)}."
    if not estimate.portion_bytes:
        return Notice(headline, f"{cost_text(estimate)}.", choices=(whole,))
    return Notice(
        headline,
        f"{cost_text(estimate)}.",
        f"{size_text(estimate.portion_bytes)} can stand for the whole: "
        "quicker, and labelled as extrapolated.",
        choices=(part, whole),
    )


def failure(failed: Failed, label: ArmLabel, place: str, choices: tuple[Choice, ...]) -> Notice:
    """The slot after a run that did not end well."""
    return Notice(
        failed.message,
        failed.remedy,
        f"Compare ended in {place}." if place else f"{label} was not measured.",
        tone="warn" if choices else "bad",
        choices=choices,
    )


def run_line(number: int, label: ArmLabel, result: RunResult) -> str:
    """One run as a line of the log."""
    took = f"{duration_text(result.wall_ns)}, {rate_text(result.bytes_per_s)}"
    counts = "" if result.counts else f"; not counted: {result.why_not}"
    return f"Run {number}, {label} {result.strategy}: {took}, {cache_text(result).lower()}{counts}"


def single_result(label: ArmLabel, result: RunResult) -> Notice:
    """The slot after one run of one arm."""
    what = f"{label} took {duration_text(result.wall_ns)}, {rate_text(result.bytes_per_s)}."
    if not result.counts:
        return Notice(what, result.why_not or "The run did not start as asked.", tone="warn")
    return Notice(
        what,
        f"{cache_text(result)}. One run shows no spread: Compare tells whether A and B differ.",
        memory_text(result.memory_kind),
    )


def cache_text(result: RunResult) -> str:
    """How the cache stood at the start, and how that is known."""
    state = {
        "mixed": "Partly cached start",
        "unknown": "Cache state unknown",
        "cold-here": "Cold start here, server state unknown",
    }.get(result.cache_state, f"{result.cache_state.capitalize()} start")
    return state if result.cache_evidence == "unknown" else f"{state}, {result.cache_evidence}"


def memory_text(memory_kind: str) -> str:
    """Where the bytes are after a load, and what that means."""
    if memory_kind == "mapped":
        return "The bytes are mapped, evictable: the kernel may drop them and read them again."
    return "The bytes are owned: private memory, which the kernel cannot drop."


def stopped(place: str) -> Notice:
    """The slot after Stop, in a single run or at a comparison's `place`."""
    if not place:
        return Notice("The load was stopped.", "Nothing of it is counted.")
    return Notice(
        f"Compare was stopped in {place}.",
        "There is no verdict. The runs before stand in Runs.",
    )

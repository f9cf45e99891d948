"""Makes an Outcome, which export writes, of a comparison, search, cluster or run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.cluster.summary import best_arm as best_way
from modelmon.core.comparison.decision import SAME_WITHIN, chosen
from modelmon.core.comparison.result import Comparison
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.find_best.result import SearchResult
from modelmon.core.history.origin import Machine, machine_of
from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.programs.outcome import Measured, Outcome, Stored
from modelmon.core.units import duration_text, percent_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.cluster.result import ClusterArm
    from modelmon.core.cluster.ways import Way
    from modelmon.core.comparison.decision import Label, Winner
    from modelmon.core.comparison.result import Verdict
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.storage import StorageStack
    from modelmon.core.model.tensors import Model
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult

_LABELS: tuple[Label, ...] = ("A", "B")
_STARTS: dict[Cache, Message] = {
    "cold": Message("from a cold start"),
    "warm": Message("from a warm start"),
    "as-is": Message("with the cache as it was"),
}

_EXPORT_COMMAND = Message("Export the command itself: modelmon export RESULT --for program.")


@dataclass(frozen=True, slots=True)
class OneRun:
    """A run of the model that was inspected, compared with nothing. `verdict` is what came of a
    watched program, or why this run was chosen; it's empty of other loads.
    """

    result: RunResult
    inspection: Inspection
    verdict: Message = NOTHING


Result: TypeAlias = Comparison | SearchResult | ClusterResult | OneRun


def best_arm(comparison: Comparison) -> Label:
    """The arm to export: the winner, or without one the arm that the verdict says to keep or use.

    A command that wins is nothing to store, and the arm that lost to it nothing to recommend.
    """
    winner = advised(comparison.verdict)
    configs = {label: comparison.arm(label).config for label in _LABELS}
    storable = [label for label in _LABELS if configs[label].library == NO_LIBRARY]
    if winner in storable or (winner in _LABELS and configs[winner].library == PROGRAM):
        return winner
    if len(storable) == len(_LABELS):
        return chosen(winner, configs)
    return storable[0] if storable else "A"


def outcome_of(
    result: Result, label: Label | None = None, stack: StorageStack | None = None
) -> Outcome:
    """One strategy of a result; without `label` the one that it recommends, or the best to store.

    Raises ConfigError where no start of a cluster came to its end.
    """
    if isinstance(result, OneRun):
        run = result.result
        found = outcome_of_run(
            run,
            measured_in(result),
            _storable(run.strategy, run.config, run.model_wall_ns, 1),
            result.verdict,
            result.inspection.model,
        )
    elif isinstance(result, SearchResult):
        found = _of_race(result)
    elif isinstance(result, ClusterResult):
        found = _of_cluster(result, label)
    else:
        found = _of_comparison(result, label or best_arm(result))
    return replace(found, stack=stack)


def measured_in(result: Result) -> Measured:
    """Which model a result is about, and where it was measured."""
    if isinstance(result, OneRun):
        run, inspection = result.result, result.inspection
        return Measured(
            inspection.reference,
            inspection.fingerprint,
            machine_of(inspection),
            run.cache_asked,
            run.started_unix_s,
        )
    if isinstance(result, ClusterResult):
        nodes = [each for each in result.nodes if not each.why_not and each.machine]
        machine, measured_with = Machine("Linux", 0, 0, ""), NOTHING
        if nodes and (first := nodes[0].machine) is not None:
            machine = Machine("Linux", first.cpu_count, first.ram_bytes, nodes[0].filesystem)
    else:
        machine, measured_with = result.machine, result.measured_with
    return Measured(
        result.path, result.model, machine, result.cache, result.created_unix_s, measured_with
    )


def _of_comparison(comparison: Comparison, label: Label) -> Outcome:
    verdict, arm = comparison.verdict, comparison.arm(label)
    other = comparison.arm("B" if label == "A" else "A")
    winner = advised(verdict)
    against = winner in _LABELS and winner != label
    wins = winner == label
    return Outcome(
        measured=measured_in(comparison),
        strategy=arm.strategy,
        config=arm.config,
        sentence=_against(label, verdict.sentence) if against else verdict.sentence,
        reasons=() if against else (verdict.reason, NOTHING if wins else verdict.caveat),
        caution=verdict.caveat if wins else NOTHING,
        effect=_effect(
            arm.strategy, arm.usual_ns, comparison.cache, other.strategy, other.usual_ns
        ),
        program=comparison.command(label),
        median_ns=arm.median_ns,
        storable=_storable_arm(comparison, label),
    )


def advised(verdict: Verdict) -> Winner:
    """The winner, or A, which is used now, where B saves too little to change that."""
    little = verdict.winner == "B" and (verdict.ratio or inf) < SAME_WITHIN
    return "A" if little else verdict.winner


def _against(label: Label, sentence: Message) -> Message:
    return Message(
        "The comparison doesn't recommend {arm}. {sentence}", arm=label, sentence=sentence
    )


def _storable_arm(comparison: Comparison, label: Label) -> Stored | ConfigError:
    """The arm, or why it can't be stored."""
    arm = comparison.arm(label)
    if arm.config.library == PROGRAM:
        return _of_a_command(label)
    # Of a part for the whole, as races and runs are stored.
    whole = [run.model_wall_ns for run in comparison.runs(label) if run.counts]
    return _storable(arm.strategy, arm.config, median(whole or [arm.median_ns]), arm.runs)


def _of_race(race: SearchResult) -> Outcome:
    """What a race recommends, which may be more than modelmon.toml can store."""
    found = race.recommendation
    best = race.standing(found.label)
    other = next((each for each in race.standings if each.label == found.runner_up), None)
    median_ns = best.median_ns or found.expected_ns
    warm = [each.other_median_ns for each in race.standings if each.other_median_ns is not None]
    return Outcome(
        measured=measured_in(race),
        strategy=found.label,
        config=found.config,
        sentence=found.sentence,
        reasons=tuple(filter(None, (found.to_set, *found.reasons))),
        caution=joined(found.contradictions),
        effect=_effect(
            found.label,
            found.expected_ns,
            race.cache,
            other.label if other else "",
            other.expected_ns if other else None,
        ),
        program=race.command,
        median_ns=median_ns,
        warm_ns=min(warm, default=None) if race.cache == "cold" else None,
        storable=_storable_standing(race),
    )


def _storable_standing(race: SearchResult) -> Stored | ConfigError:
    """What is recommended, or the best of those that load within one process."""
    found = race.recommendation
    if found.config.library == PROGRAM:
        return _of_a_command(found.label)
    if not found.exported:
        return ConfigError(
            Message("None of the strategies measured loads in one process with modelmon."),
            Message("Run Find best with a longer time limit."),
        )
    arm, instead = race.standing(found.exported), NOTHING
    if arm.label != found.label:
        instead = _stored_instead(arm.label, arm.expected_ns or 0, found.label)
    return Stored(arm.label, arm.config, arm.median_ns, arm.runs, instead)


def _of_cluster(result: ClusterResult, label: Label | None) -> Outcome:
    best = best_way(result)
    arm = next((each for each in result.arms if each.way.label == label and each.curve), best)
    others = [each for each in result.arms if each is not arm and each.curve]
    first, *reasons = result.recommendation or (NOTHING,)
    against = arm.way.label != best.way.label
    return Outcome(
        measured=measured_in(result),
        strategy=arm.way.strategy,
        config=arm.way.config,
        sentence=_against(arm.way.label, first) if against else first,
        reasons=() if against else tuple(reasons),
        effect=_cluster_effect(arm, others),
        median_ns=arm.curve[-1].last_ns,
        storable=_storable_way(arm.way, arm),
    )


def _storable_way(way: Way, arm: ClusterArm) -> Stored | ConfigError:
    """How one rank loads, without the figures of slices."""
    last = arm.curve[-1]
    sliced = way.copy_per == "cluster"
    return _storable(way.strategy, way.config, None if sliced else last.last_ns, last.runs)


def _cluster_effect(arm: ClusterArm, others: Sequence[ClusterArm]) -> Message:
    """At the largest number of nodes that both have: a node that was lost may be in one alone."""
    last = arm.curve[-1]
    both = [
        (point, each, other)
        for other in others
        for point in arm.curve
        for each in other.curve
        if point.nodes == each.nodes
    ]
    point, each, other = max(both, key=lambda found: found[0].nodes, default=(last, last, None))
    time = duration_text(point.last_ns)
    figures = {"strategy": arm.way.name, "nodes": point.nodes, "time": time}
    if other is None:
        return Message(
            "With {strategy} the last of {nodes} nodes was ready after {time}.", **figures
        )
    return Message(
        "With {strategy} the last of {nodes} nodes was ready after {time}, with {other}"
        " after {other_time}.",
        **figures,
        other=other.way.name,
        other_time=duration_text(each.last_ns),
    )


def outcome_of_run(
    run: RunResult,
    measured: Measured,
    storable: Stored | ModelmonError,
    why: Message = NOTHING,
    opened: Model | None = None,
) -> Outcome:
    """One run, and `why` it was chosen where others were compared with it."""
    compare = Message(
        "Nothing was compared, so no setting is recommended. Find best compares them."
    )
    alone = Message("Single run, no comparison.")
    if run.subset:
        share = percent_text(run.load_bytes / max(1, run.model_bytes))
        part = Message("It loaded {share} of the model: {subset}.", share=share, subset=run.subset)
        alone = joined([alone, part])
    whole_ns = run.model_wall_ns if run.portion else run.wall_ns
    return Outcome(
        measured=measured,
        strategy=run.strategy,
        config=run.config,
        sentence=why or alone,
        reasons=(run.why_not,) if run.why_not else (),
        caution=compare if run.is_program else NOTHING,
        effect=_effect(run.strategy, whole_ns, run.cache_asked),
        program=run.command,
        median_ns=whole_ns,
        storable=storable,
        opened=opened,
    )


def _storable(
    strategy: str, config: LoadConfig, median_ns: float | None, runs: int
) -> Stored | ConfigError:
    """How one process loads so, without the figures where `median_ns` isn't known or is of several;
    of a library or a program nothing.
    """
    if config.library != NO_LIBRARY:
        return ConfigError(
            Message(
                "{strategy} doesn't load in one process with modelmon: there is nothing to store.",
                strategy=strategy,
            ),
            Message("Run a strategy of modelmon that does, and export it."),
        )
    if config.loads_here and median_ns is not None:
        return Stored(strategy, config, median_ns, runs)
    instead = Message("Stored: the same for one process, which wasn't measured.")
    return Stored(strategy, config.in_process, None, None, instead)


def _stored_instead(stored: str, ns: float, found: str) -> Message:
    """That something else is stored than what a verdict is about, with its own time."""
    return Message(
        "Stored: {stored} ({time}), since load_model can't load like {found}.",
        stored=stored,
        time=duration_text(ns),
        found=found,
    )


def _of_a_command(label: str) -> ConfigError:
    return ConfigError(
        Message("{label} is a command, and modelmon.toml can't express it.", label=label),
        _EXPORT_COMMAND,
    )


def _effect(
    strategy: str, ns: float, cache: Cache, other: str = "", other_ns: float | None = None
) -> Message:
    took = {"strategy": strategy, "time": duration_text(ns), "start": _STARTS[cache]}
    if other_ns is None:
        return Message("With {strategy} it took {time} {start}.", **took)
    return Message(
        "With {strategy} it took {time} {start}, with {other} {other_time}.",
        **took,
        other=other,
        other_time=duration_text(other_ns),
    )

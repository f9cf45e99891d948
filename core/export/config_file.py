"""Writes `modelmon.toml` for an arm of a comparison or for what a race recommends.

core/load/config_file.py documents the schema and reads it back.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import tomlkit

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.errors import ConfigError
from modelmon.core.experiment.judge import preferred_arm
from modelmon.core.history.origin import Machine, machine_of
from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.load.config_file import CONFIG_SCHEMA
from modelmon.core.messages import NOTHING, Message, joined, to_text
from modelmon.core.units import duration_text, percent_text, rate_text

if TYPE_CHECKING:
    from tomlkit.items import Table

    from modelmon.core.cluster.result import ClusterArm, Way
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.experiment.race.result import Race, Standing
    from modelmon.core.experiment.result import ArmSummary, Comparison
    from modelmon.core.experiment.schedule import Label
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.fingerprint import ModelFingerprint
    from modelmon.core.worker.result import RunResult


_LABELS: tuple[Label, ...] = ("A", "B")


def of_one_run(run: RunResult) -> Message:
    """What there is to say of a run by itself."""
    alone = Message("One run, compared with nothing.")
    if not run.subset:
        return alone
    part = Message(
        "It loaded {share} of the model: {subset}.",
        share=percent_text(run.load_bytes / max(1, run.model_bytes)),
        subset=run.subset,
    )
    return joined([alone, part])


def stored_instead(stored: str, ns: float, found: str) -> Message:
    """That something else is stored than what a verdict is about, with its own time."""
    return Message(
        "Stored: {stored} ({time}), since load_model can't load like {found}.",
        stored=stored,
        time=duration_text(ns),
        found=found,
    )


NOT_MEASURED = Message("Stored: one rank that loads the whole model, which wasn't measured.")


def stored_of(way: Way) -> tuple[LoadConfig, bool]:
    """What is stored of a way of a cluster, and whether all nodes were measured so."""
    config = replace(way.config, ranks=1, rank_share="whole")
    return config, config == way.config and way.copy_per != "cluster"


def equivalent_of(comparison: Comparison, label: Label) -> ArmSummary | None:
    """What is stored in place of an arm, where its in-process equivalent is."""
    stored = comparison.exported_arm(label)
    return None if stored is comparison.arm(label) else stored


def best_arm(comparison: Comparison) -> Label:
    """The arm to export: the winner, or without one what a race of the same runs would recommend.

    What an export can store of a winner may be slower than it: threads in place of processes.
    Of that only medians are known, which decide then. A command that wins is nothing to store, and
    the arm that lost to it nothing to recommend.
    """
    winner = comparison.verdict.winner
    if winner in _LABELS and comparison.arm(winner).config.library == PROGRAM:
        return winner
    exported = {label: comparison.exported_arm(label) for label in _LABELS}
    own = [label for label in _LABELS if exported[label] is comparison.arm(label)]
    for label in own:
        if comparison.verdict.winner == label:
            return label
    if len(own) == len(_LABELS):
        configs = {label: comparison.arm(label).config for label in _LABELS}
        return preferred_arm(comparison.runs_a, comparison.runs_b, configs)
    stored = [arm for arm in exported.values() if arm is not None]
    # Threads may make of one arm what the other is: its own runs are the ones to tell of.
    if own and all(arm.config == comparison.arm(own[0]).config for arm in stored):
        return own[0]
    return min(stored, key=lambda arm: arm.median_ns).label if stored else "A"


def render(comparison: Comparison, label: Label) -> str:
    """The text of `modelmon.toml` for one arm of a comparison.

    Raises ConfigError for a library, and for an arm of processes whose in-process equivalent
    has no run.
    """
    arm = comparison.exported_arm(label)
    if arm is None:
        raise _nothing_to_store(comparison, label)
    return _config_text(
        comparison, arm.strategy, arm.config, _comparison_evidence(comparison, label, arm)
    )


def _nothing_to_store(comparison: Comparison, label: Label) -> ConfigError:
    library = comparison.arm(label).config.library
    others = comparison.arm("B" if label == "A" else "A").config.library
    if library == PROGRAM:
        return ConfigError(
            Message(
                "{label} is a command, and modelmon.toml can't express it: {command}",
                label=label,
                command=comparison.command(label),
            ),
            Message("Export the command itself: modelmon export RESULT --for program."),
        )
    if library == NO_LIBRARY:
        what = Message("The in-process equivalent of {label} has no run that counts.", label=label)
    elif others == NO_LIBRARY:
        what = Message(
            "{label} is {library}, which loads by itself: there is nothing to store.",
            label=label,
            library=library,
        )
    else:
        what = Message(
            "A and B are libraries ({library} and {others}), which load by themselves: there is"
            " nothing to store.",
            library=library,
            others=others,
        )
        return ConfigError(
            what, Message("Compare a strategy of modelmon with one of them, and export it.")
        )
    return ConfigError(what, Message("Export the other strategy, or compare again."))


def render_race(race: Race) -> str:
    """The text of `modelmon.toml` for what the race recommends.

    Where that takes worker processes or a library it is the best of those that load within
    one process. Raises ConfigError where there is none.
    """
    label = race.recommendation.exported
    if race.recommendation.config.library == PROGRAM:
        raise ConfigError(
            Message(
                "{label} is a command, and modelmon.toml can't express it.",
                label=race.recommendation.label,
            ),
            Message("Export the command itself: modelmon export RESULT --for program."),
        )
    if not label:
        raise ConfigError(
            Message("None of the strategies measured loads in one process with modelmon."),
            Message("Run Find best with a longer time limit."),
        )
    standing = race.standing(label)
    return _config_text(race, standing.label, standing.config, _race_evidence(race, standing))


def render_cluster(result: ClusterResult, arm: ClusterArm) -> str:
    """The text of `modelmon.toml` for how one rank loads in a way of a cluster.

    Raises ConfigError where that takes other processes, and where no node told its machine.
    """
    config, measured = stored_of(arm.way)
    if not config.loads_here:
        raise ConfigError(
            Message("{way} doesn't load in one process with modelmon.", way=arm.way.name),
            Message("Measure a strategy with threads, and export that."),
        )
    evidence = _cluster_evidence(result, arm, measured=measured)
    return _config_text(result, arm.way.strategy, config, evidence)


def render_run(run: RunResult, inspection: Inspection, why: Message = NOTHING) -> str:
    """The text of `modelmon.toml` for how one run loaded what was inspected, and `why` that run
    where there were others.

    Raises ConfigError for a library or a program, and for processes, whose threads have no run.
    """
    if run.config.library != NO_LIBRARY or not run.config.loads_here:
        raise ConfigError(
            Message(
                "{strategy} doesn't load in one process with modelmon: there is nothing to store.",
                strategy=run.strategy,
            ),
            Message("Compare it with another: its threads are measured then too, and stored.")
            if run.config.library == NO_LIBRARY
            else Message("Run a strategy of modelmon that does, and export it."),
        )
    return _config_text(
        _Measured(
            run.started_unix_s,
            inspection.fingerprint,
            machine_of(inspection),
            inspection.reference,
        ),
        run.strategy,
        run.config,
        _run_evidence(run, why or of_one_run(run)),
    )


class _Measured(NamedTuple):
    """When something was measured, of which model, and where; `path` is the model's."""

    created_unix_s: float
    model: ModelFingerprint
    machine: Machine
    path: str
    measured_with: Message = NOTHING


def _config_text(
    source: Comparison | Race | ClusterResult | _Measured,
    strategy: str,
    config: LoadConfig,
    evidence: Table,
) -> str:
    """The text of `modelmon.toml` for one way to load that was measured in `source`."""
    document = tomlkit.document()
    document.add(tomlkit.comment("How to load this model on this machine. Written by modelmon."))
    # What is streamed is not kept: there is nothing that load_model could return.
    call = "stream_model(path, consume" if config.deliver == "streamed" else "load_model(path"
    document.add(tomlkit.comment(f"Use it: modelmon.core.{call}, config=THIS_FILE)"))
    document.add(tomlkit.comment("    or: modelmon run PATH --config THIS_FILE"))
    document["schema"] = CONFIG_SCHEMA
    document["created"] = _utc(source.created_unix_s)
    if source.model is not None:
        document["model"] = _model(source.model)
    machine = cluster_machine(source) if isinstance(source, ClusterResult) else source.machine
    document["machine"] = _machine(machine)
    document["load"] = _load(strategy, config)
    other = NOTHING if isinstance(source, ClusterResult) else source.measured_with
    evidence["measured_with"] = to_text(other) or source.path
    document["evidence"] = evidence
    return tomlkit.dumps(document)


def _model(model: ModelFingerprint) -> Table:
    table = tomlkit.table()
    table["name"] = model.name
    table["format"] = model.format
    table["nbytes"] = model.nbytes
    table["tensors"] = model.tensors
    table["digest"] = model.digest
    if model.content:
        table["content"] = model.content
    return table


def _machine(machine: Machine) -> Table:
    table = tomlkit.table()
    table["platform"] = machine.platform
    table["cpu_count"] = machine.cpu_count
    table["ram_bytes"] = machine.ram_bytes
    table["filesystem"] = machine.filesystem
    if machine.device is not None:
        table["device"] = machine.device
    return table


def _load(strategy: str, config: LoadConfig) -> Table:
    table = tomlkit.table()
    table["strategy"] = strategy
    for axis, value in config.as_dict().items():
        table[axis] = value
    return table


def _comparison_evidence(comparison: Comparison, label: Label, arm: ArmSummary) -> Table:
    verdict = comparison.verdict
    table = tomlkit.table()
    is_own = equivalent_of(comparison, label) is None
    instead = stored_instead(f"{arm.strategy}, with threads", arm.median_ns, arm.strategy)
    table["sentence"] = verdict.sentence if is_own else to_text(instead)
    table["reason"] = verdict.reason if is_own else f"{verdict.sentence}. {verdict.reason}"
    table["caveat"] = verdict.caveat
    table["confidence"] = verdict.confidence if is_own else "low"
    table["cache"] = comparison.cache
    table["exported_arm"] = label
    table["median_s"] = _seconds(arm.median_ns)
    table["median_s"].comment(f"{duration_text(arm.median_ns)} at {rate_text(arm.bytes_per_s)}")
    table["fastest_s"] = _seconds(arm.fastest_ns)
    table["slowest_s"] = _seconds(arm.slowest_ns)
    table["runs"] = arm.runs
    if is_own and verdict.ratio_low is not None and verdict.ratio_high is not None:
        table["ratio_a_to_b"] = [round(verdict.ratio_low, 3), round(verdict.ratio_high, 3)]
        sure = verdict.coverage_share
        table["ratio_a_to_b"].comment(f"with {sure:.1%} confidence" if sure else "range seen")
    if comparison.portion_bytes is not None:
        table["portion_bytes"] = comparison.portion_bytes
        table["portion_bytes"].comment("only this part was loaded; extrapolate with care")
    table["a"] = _runs(comparison.arm_a, comparison.runs_a)
    table["b"] = _runs(comparison.arm_b, comparison.runs_b)
    return table


def cluster_machine(result: ClusterResult) -> Machine:
    """What a node of it is: the first that took part."""
    node = next((each for each in result.nodes if not each.why_not and each.machine), None)
    if node is None or node.machine is None:
        return Machine("Linux", 0, 0, "")
    return Machine("Linux", node.machine.cpu_count, node.machine.ram_bytes, node.filesystem)


def _cluster_evidence(result: ClusterResult, arm: ClusterArm, *, measured: bool) -> Table:
    said = result.recommendation if measured else (NOT_MEASURED, *result.recommendation)
    table = tomlkit.table()
    table["sentence"] = to_text(next(iter(said), NOTHING))
    table["reason"] = " ".join(said[1:])
    table["caveat"] = " ".join(result.notes)
    table["cache"] = result.cache
    table["exported_arm"] = arm.way.label
    table["copy_per"] = arm.way.copy_per
    table["start"] = arm.way.start.name
    if not (measured and arm.curve):
        return table
    table["runs"] = arm.counted
    last = arm.curve[-1]
    table["nodes"] = last.nodes
    table["last_ready_s"] = _seconds(last.last_ns)
    together = rate_text(last.bytes_per_s)
    table["last_ready_s"].comment(f"{duration_text(last.last_ns)}, {together} together")
    table["first_ready_s"] = _seconds(last.first_ns)
    if arm.extrapolated is not None:
        further = arm.extrapolated
        table["extrapolated_nodes"] = further.nodes
        table["extrapolated_last_ready_s"] = [
            _seconds(ns) for ns in (further.last_ns.low, further.last_ns.high)
        ]
        table["extrapolated_last_ready_s"].comment("by the fitted curve, not measured")
    return table


def _run_evidence(run: RunResult, sentence: Message) -> Table:
    table = tomlkit.table()
    table["sentence"] = to_text(sentence)
    table["reason"] = ""
    table["caveat"] = to_text(run.why_not)
    table["confidence"] = "low"
    table["cache"] = run.cache_asked
    for name in ("median_s", "fastest_s", "slowest_s"):
        table[name] = _seconds(run.model_wall_ns)
    table["median_s"].comment(f"{duration_text(run.wall_ns)} at {rate_text(run.bytes_per_s)}")
    table["runs"] = 1
    if run.portion:
        table["portion_bytes"] = run.load_bytes
        table["portion_bytes"].comment("only this part was loaded; times are extrapolated")
    return table


def _runs(arm: ArmSummary, runs: tuple[RunResult, ...]) -> Table:
    table = tomlkit.table()
    table["strategy"] = arm.strategy
    table["median_s"] = _seconds(arm.median_ns)
    table["runs_s"] = [_seconds(run.timed_ns) for run in runs if run.counts]
    return table


def _race_evidence(race: Race, stored: Standing) -> Table:
    found = race.recommendation
    table = tomlkit.table()
    is_own = stored.label == found.label
    instead = stored_instead(stored.label, stored.median_ns or 0, found.label)
    table["sentence"] = found.sentence if is_own else to_text(instead)
    table["reason"] = " ".join(found.reasons if is_own else (f"{found.sentence}.", *found.reasons))
    table["caveat"] = " ".join(found.contradictions)
    table["confidence"] = found.confidence if is_own else "low"
    table["objective"] = race.objective
    table["cache"] = race.cache
    table["median_s"] = _seconds(stored.median_ns or 0)
    table["fastest_s"] = _seconds(stored.fastest_ns or 0)
    table["slowest_s"] = _seconds(stored.slowest_ns or 0)
    table["runs"] = stored.runs
    if race.portion_bytes is not None:
        table["portion_bytes"] = race.portion_bytes
        table["portion_bytes"].comment("only this part was loaded; times are extrapolated")
    for number, standing in enumerate(race.standings, start=1):
        if standing.median_ns is not None:
            table[f"place_{number}"] = _place(standing)
    return table


def _place(standing: Standing) -> Table:
    table = tomlkit.table()
    table["strategy"] = standing.label
    table["median_s"] = _seconds(standing.median_ns or 0)
    table["median_s"].comment(duration_text(standing.median_ns or 0))
    table["runs"] = standing.runs
    alone = standing.label == standing.against
    if not alone and standing.ratio_low is not None and standing.ratio_high is not None:
        table["ratio_to_best"] = [round(standing.ratio_low, 3), round(standing.ratio_high, 3)]
        sure = standing.coverage_share
        table["ratio_to_best"].comment(
            f"with {percent_text(sure)} confidence" if sure else "a guess, for want of runs"
        )
    if standing.why:
        table["dropped"] = standing.why
    return table


def _seconds(ns: float) -> float:
    """Nanoseconds as seconds, to the microsecond."""
    return round(ns / 1e9, 6)


def _utc(unix_s: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(unix_s))

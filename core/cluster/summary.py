"""What all starts of a cluster say together: curves, what left the storage, what to use."""

from __future__ import annotations

from operator import itemgetter
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.cluster.local_disk import copying
from modelmon.core.cluster.result import (
    ClusterArm,
    ClusterResult,
    CurvePoint,
    Extrapolated,
)
from modelmon.core.cluster.scaling import Together, expected_ns, scaling_of
from modelmon.core.cluster.stragglers import stragglers_of
from modelmon.core.compare.arm_summary import scored, summarise_arm
from modelmon.core.compare.judge import preferred_arm
from modelmon.core.compare.spread import median_of_known
from modelmon.core.compare.verdict import judge
from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.explain.figures import AMPLIFIED
from modelmon.core.messages import Message
from modelmon.core.units import duration_text, rate_text, two_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.cluster.local_disk import Copying
    from modelmon.core.cluster.result import ClusterRun, Node, Way
    from modelmon.core.cluster.scaling import Scaling
    from modelmon.core.compare.result import ArmSummary, Verdict
    from modelmon.core.compare.schedule import Label
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult

TIMES_AS_MANY = 10
"""The curve is followed to so many times the nodes there are."""
MOST_SKEW_NS = 5_000_000
"""Starts that lie further apart are told."""
ONE_NODE = 1.05
"""A limit that is reached by fewer nodes is used up by one."""


def storage_bytes_of(run: RunResult) -> int | None:
    """What left the storage for one node's load; None where nothing tells.

    Some filesystems count nothing. What is asked for past the page cache comes from them all the
    same.
    """
    if run.device_bytes is not None:
        return run.device_bytes
    if run.config.access != "direct" or run.cut_off is not None:
        return None
    return run.asked_bytes * (run.config.ranks if run.config.rank_share == "whole" else 1)


def cluster_result(  # noqa: PLR0913  each by its name
    path: str,
    nodes: Sequence[Node],
    ways: Sequence[Way],
    runs: Sequence[ClusterRun],
    *,
    cache: Cache = "cold",
    created_unix_s: float = 0.0,
    stopped: bool = False,
) -> ClusterResult:
    """The result of these starts, whether or not all of them were made."""
    arms = tuple(_arm(way, [run for run in runs if run.label == way.label]) for way in ways)
    return ClusterResult(
        path=path,
        cache=cache,
        created_unix_s=created_unix_s,
        nodes=tuple(nodes),
        runs=tuple(runs),
        arms=arms,
        model=next((node.model for node in nodes if node.model is not None), None),
        verdict=(verdict := _verdict(arms, runs)),
        recommendation=tuple(_recommendation(arms, runs, verdict)),
        notes=tuple(_notes(nodes, arms, runs)),
        copying=_copying(nodes, arms, runs, verdict),
        stopped=stopped,
    )


def _arm(way: Way, runs: Sequence[ClusterRun]) -> ClusterArm:
    counted = [run for run in runs if run.counts]
    basis = counted or [run for run in runs if run.is_whole]
    by_size: dict[int, list[ClusterRun]] = {}
    for run in basis:
        by_size.setdefault(len(run.nodes), []).append(run)
    full = by_size[max(by_size)] if by_size else []
    slow = stragglers_of(full)
    names = frozenset(each.node for each in slow)
    rates = [Together(*run.bytes_per_s(names)) for run in basis]
    scaling = scaling_of(rates) if way.start.is_together else None
    skews = [run.skew_ns for run in basis if run.skew_ns is not None]
    return ClusterArm(
        way=way,
        counted=len(counted),
        discarded=len(runs) - len(counted),
        curve=tuple(_point(size, by_size[size]) for size in sorted(by_size)),
        skew_ns=round(median(skews)) if skews else None,
        # What copies on the nodes' own disks give did not leave the storage.
        amplification=0.0 if way.local else median_of_known(map(_amplification, full)),
        scaling=scaling,
        extrapolated=_extrapolated(way, scaling, full[0]) if scaling and full else None,
        stragglers=slow,
        summary=_summary(way, full),
    )


def _point(size: int, runs: Sequence[ClusterRun]) -> CurvePoint:
    ready = [run.ready_ns for run in runs]
    return CurvePoint(
        nodes=size,
        runs=len(runs),
        first_ns=median(each[0] for each in ready),
        median_ns=median(median(each) for each in ready),
        last_ns=median(each[-1] for each in ready),
        bytes_per_s=median(run.bytes_per_s()[1] for run in runs),
    )


def _amplification(run: ClusterRun) -> float | None:
    model_bytes = next((n.result.model_bytes for n in run.nodes if n.result is not None), 0)
    left = run.storage_bytes
    return left / model_bytes if left is not None and model_bytes else None


def _extrapolated(way: Way, scaling: Scaling, run: ClusterRun) -> Extrapolated:
    # Of all of them: the curve is fitted to those that don't lag behind.
    nodes = TIMES_AS_MANY * len(run.nodes)
    loaded = sum(node.result.load_bytes for node in run.nodes if node.result is not None)
    whole = loaded if way.copy_per == "cluster" else loaded * TIMES_AS_MANY
    return Extrapolated(nodes, expected_ns(scaling, nodes, whole))


def _summary(way: Way, full: Sequence[ClusterRun]) -> ArmSummary | None:
    return summarise_arm(
        way.label, way.name, way.config, scored(tuple(filter(None, map(_as_one, full))))
    )


def _as_one(run: ClusterRun) -> RunResult | None:
    """A start of all nodes as a run: that of its last node, until which all of them take."""
    done = [(node.ready_ns, node.result) for node in run.nodes if node.result and node.ready_ns]
    if not done or len(done) < len(run.nodes):
        return None
    ready_ns, last = max(done, key=itemgetter(0))
    return msgspec.structs.replace(
        last,
        wall_ns=ready_ns,
        load_bytes=sum(result.load_bytes for _, result in done),
        pair=run.round,
        counts=run.counts,
        why_not=run.why_not,
    )


def _most_of_both(arms: Sequence[ClusterArm]) -> int:
    """The most nodes that all ways have starts of, by which they are compared; 0 without any. One
    that was lost may be there in the first starts of one way alone.
    """
    sizes = [{point.nodes for point in arm.curve} for arm in arms]
    return max(set[int].intersection(*sizes), default=0) if sizes else 0


def _starts_of(arm: ClusterArm, runs: Sequence[ClusterRun], size: int) -> list[ClusterRun]:
    return [run for run in runs if run.label == arm.way.label and len(run.nodes) == size]


def _runs_as_one(arm: ClusterArm, runs: Sequence[ClusterRun], size: int) -> list[RunResult]:
    return [each for each in map(_as_one, _starts_of(arm, runs, size)) if each is not None]


def _verdict(arms: Sequence[ClusterArm], runs: Sequence[ClusterRun]) -> Verdict | None:
    """Of two ways that all nodes were started in; None for one, or where no pair counts."""
    size = _most_of_both(arms)
    if len(arms) == 1 or not size:
        return None
    arm_a, arm_b = arms
    summary_a, summary_b = (_summary_of(arm, runs, size) for arm in arms)
    if summary_a is None or summary_b is None:
        return None
    runs_a, runs_b = _runs_as_one(arm_a, runs, size), _runs_as_one(arm_b, runs, size)
    try:
        return judge(summary_a, summary_b, runs_a, runs_b)
    except LoadFailedError:
        return None


def _summary_of(arm: ClusterArm, runs: Sequence[ClusterRun], size: int) -> ArmSummary | None:
    if arm.curve[-1].nodes == size:
        return arm.summary
    starts = _starts_of(arm, runs, size)
    return _summary(arm.way, [run for run in starts if run.counts or not arm.counted])


def _recommendation(
    arms: Sequence[ClusterArm], runs: Sequence[ClusterRun], verdict: Verdict | None
) -> Iterator[Message]:
    measured = {arm.way.label: arm for arm in arms if arm.curve}
    if not measured:
        yield Message("No start of all nodes came to its end.")
        return
    best = next(iter(measured.values()))
    if verdict is not None:
        yield verdict.sentence
        yield verdict.reason
        best = measured.get(_preferred(arms, runs), best)
    point = best.curve[-1]
    figures = {
        "way": best.way.name,
        "last": duration_text(point.last_ns),
        "rate": rate_text(point.bytes_per_s),
    }
    yield (
        Message("{way}: one node is ready after {last}, with {rate}.", **figures)
        if point.nodes == 1
        else Message(
            "{way}, {start}: {nodes} nodes are ready after {last}, with {rate} in all.",
            **figures,
            start=best.way.start.text,
            nodes=f"{point.nodes:,}",
        )
    )
    yield from _of_the_curve(best)


def _preferred(arms: Sequence[ClusterArm], runs: Sequence[ClusterRun]) -> Label:
    """Of two ways that were compared the one to use."""
    runs_a, runs_b = (_runs_as_one(arm, runs, _most_of_both(arms)) for arm in arms)
    return preferred_arm(runs_a, runs_b, {arm.way.label: arm.way.config for arm in arms})


def best_arm(result: ClusterResult) -> ClusterArm:
    """What the recommendation is about. Raises ConfigError where no way was measured."""
    measured = {arm.way.label: arm for arm in result.arms if arm.curve}
    if not measured:
        raise ConfigError(
            Message("No start of all nodes came to its end."), Message("Measure the cluster again.")
        )
    best = next(iter(measured.values()))
    if result.verdict is None or [arm.way.label for arm in result.arms] != ["A", "B"]:
        return best
    return measured.get(_preferred(result.arms, result.runs), best)


def _copying(
    nodes: Sequence[Node],
    arms: Sequence[ClusterArm],
    runs: Sequence[ClusterRun],
    verdict: Verdict | None,
) -> Copying | None:
    """What copies on the nodes' own disks would cost, where these were measured, and the storage.

    For a copy each node reads all of the model once from the storage, as in the fastest way that
    does so; without one as the fitted curve has it.
    """
    disks = [node.local for node in nodes if not node.why_not and node.local is not None]
    measured = [arm for arm in arms if arm.curve]
    from_storage = [arm for arm in measured if not arm.way.local]
    loads = [node.result for run in runs for node in run.nodes if node.result is not None]
    if not disks or not from_storage or not loads:
        return None
    label = _preferred(arms, runs) if verdict is not None else from_storage[0].way.label
    now = next((arm for arm in from_storage if arm.way.label == label), from_storage[0])
    model_bytes = loads[0].model_bytes
    whole = [arm.curve[-1].last_ns for arm in from_storage if arm.way.copy_per == "node"]
    if whole:
        fetched_ns = min(whole)
    elif now.scaling is not None:
        fetched_ns = expected_ns(now.scaling, len(disks), model_bytes * len(disks)).value
    else:
        return None
    return copying(disks, model_bytes, fetched_ns, now.curve[-1].last_ns)


def _of_the_curve(arm: ClusterArm) -> Iterator[Message]:
    scaling, further = arm.scaling, arm.extrapolated
    if scaling is None or further is None:
        return
    if scaling.shared is None or scaling.knee is None:
        yield Message(
            "No shared limit up to {nodes} nodes: each gets {rate}.",
            nodes=f"{scaling.nodes:,}",
            rate=rate_text(scaling.per_node.value),
        )
    else:
        figures = {
            "rate": rate_text(scaling.shared.value),
            "low": rate_text(scaling.shared.low),
            "high": rate_text(scaling.shared.high),
        }
        knee = scaling.knee.value
        yield (
            Message("All nodes share {rate} ({low} to {high}), which one alone uses up.", **figures)
            if knee < ONE_NODE
            else Message(
                "All nodes share {rate} ({low} to {high}), which {knee} of them use up.",
                **figures,
                knee=two_figures(knee),
            )
        )
        if arm.way.copy_per != "cluster":
            yield Message(
                "Only fewer bytes from that storage help: slices, copies on local disks, or a"
                " cache between them."
            )
    if scaling.falls:
        yield Message("Many nodes get less together than fewer: let them start one after another.")
    yield Message(
        "For {nodes} nodes expect {value} ({low} to {high}): extrapolated, not measured.",
        nodes=f"{further.nodes:,}",
        value=duration_text(further.last_ns.value),
        low=duration_text(further.last_ns.low),
        high=duration_text(further.last_ns.high),
    )


def _notes(
    nodes: Sequence[Node], arms: Sequence[ClusterArm], runs: Sequence[ClusterRun]
) -> Iterator[Message]:
    shared = one_machine(nodes)
    if shared:
        yield Message(
            "{count} of {nodes} nodes are one machine: they share its page cache, disks and"
            " processors, so this doesn't show what several machines get.",
            count=f"{len(shared):,}",
            nodes=f"{len(nodes):,}",
        )
    nice = [node.niceness for node in nodes if node.niceness]
    if nice:
        yield Message(
            "On {count} nodes loads run at niceness {niceness}, so that other programs come first."
            " Start Ray there with RAY_worker_niceness=0.",
            count=f"{len(nice):,}",
            niceness=max(nice),
        )
    for node in nodes:
        if node.why_not:
            yield Message("{node} was left out: {why}", node=node.name, why=node.why_not)
    skew_ns = max((run.skew_ns or 0 for run in runs if run.counts), default=0)
    if skew_ns > MOST_SKEW_NS:
        yield Message("Starts lay up to {skew} apart.", skew=duration_text(skew_ns))
    compared, most = _most_of_both(arms), max((p.nodes for a in arms for p in a.curve), default=0)
    if len(arms) > 1 and 0 < compared < most:
        yield Message(
            "The ways are compared with {nodes} of {all} nodes: more never loaded in both.",
            nodes=f"{compared:,}",
            all=f"{most:,}",
        )
    for arm in arms:
        told = {run.why_not: None for run in runs if run.label == arm.way.label and run.why_not}
        for why in told:
            yield Message("{way}: {why}", way=arm.way.name, why=why)
        copies = _copies(arm)
        if arm.amplification is not None and arm.amplification > AMPLIFIED * copies:
            yield Message(
                "{way}: {ratio}× the model left the storage, where {copies}× would do.",
                way=arm.way.name,
                ratio=two_figures(arm.amplification),
                copies=copies,
            )


def _copies(arm: ClusterArm) -> int:
    """How many copies of the model all nodes load together."""
    if arm.way.copy_per == "cluster" or not arm.curve:
        return 1
    ranks = arm.way.config.ranks if arm.way.copy_per == "rank" else 1
    return arm.curve[-1].nodes * ranks


def typical(runs: Sequence[ClusterRun]) -> ClusterRun | None:
    """Of the starts with the most nodes that all were ready in the one in the middle; one that
    counts, if there is one. Without any, one that lost nodes.
    """
    runs = [run for run in runs if run.is_whole] or runs
    most = max((len(run.nodes) for run in runs), default=0)
    full = [run for run in runs if len(run.nodes) == most]
    full = [run for run in full if run.counts] or full
    return (
        sorted(full, key=lambda run: max(run.ready_ns, default=0))[len(full) // 2] if full else None
    )


def one_machine(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Names of nodes that are one machine with another one of them."""
    kernels = [node.kernel for node in nodes if node.kernel and not node.why_not]
    return tuple(
        node.name
        for node in nodes
        if not node.why_not and node.kernel and kernels.count(node.kernel) > 1
    )

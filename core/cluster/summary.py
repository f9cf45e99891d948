"""Sums up all starts of a cluster: curve over nodes, stragglers, bytes read, recommendation.

Pure, except for the functions at the end, which keep results in the history and read them back.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from operator import itemgetter
from pathlib import PurePath
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.cluster.result import (
    ClusterArm,
    ClusterResult,
    CurvePoint,
    Extrapolated,
    Straggler,
)
from modelmon.core.cluster.scaling import expected_ns, scaling_of
from modelmon.core.comparison.decision import preferred_arm
from modelmon.core.comparison.result import summarize_strategy
from modelmon.core.comparison.spread import OUTLIER_SCORE, median_of_known, modified_z_scores
from modelmon.core.comparison.verdict import judge
from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.evidence import AMPLIFIED, waiting_share
from modelmon.core.history.rows import ClusterRow, stored_value
from modelmon.core.messages import NOTHING, Message, to_wire
from modelmon.core.units import duration_text, percent_text, rate_text, two_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.cluster.result import ClusterRun, Node, StragglerCause
    from modelmon.core.cluster.ways import Way
    from modelmon.core.comparison.result import StrategySummary, Verdict
    from modelmon.core.explain.evidence import BottleneckKind
    from modelmon.core.history.history import History
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult

LEAST_RATIO = 1.25
"""A node is a straggler that takes a quarter longer than the one in the middle."""
_LEAST_NODES = 3
_LEAST_SCORED = 5
"""From so many nodes on their own spread tells which of them lie outside."""
_LESS_CACHED = 0.1
_WAITS_MORE = 0.1

_OF_PROCESSORS: frozenset[BottleneckKind] = frozenset(
    {"busy-processors", "computing", "decode", "faults", "page-cache", "per-tensor"}
)
_OF_STORAGE: frozenset[BottleneckKind] = frozenset(
    {"device-bandwidth", "device-latency", "amplification"}
)


def stragglers_of(runs: Sequence[ClusterRun]) -> tuple[Straggler, ...]:
    """Those of starts of all nodes, by the median over `runs` of what each takes beside the others;
    the slowest first.
    """
    ratios: dict[str, list[float]] = {}
    for run in runs:
        walls = {node.node: node.result.wall_ns for node in run.nodes if node.result is not None}
        if len(walls) < _LEAST_NODES or not min(walls.values()):
            continue
        middle_ns = median(walls.values())
        for name, wall_ns in walls.items():
            ratios.setdefault(name, []).append(wall_ns / middle_ns)
    usual = {name: median(each) for name, each in ratios.items()}
    scores = dict(zip(usual, modified_z_scores(list(usual.values())), strict=True)) if usual else {}
    slow = sorted(
        (
            name
            for name, ratio in usual.items()
            if ratio >= LEAST_RATIO and (len(usual) < _LEAST_SCORED or scores[name] > OUTLIER_SCORE)
        ),
        key=lambda name: -usual[name],
    )
    return tuple(_straggler(name, usual[name], runs, frozenset(slow)) for name in slow)


def _straggler(
    name: str, ratio: float, runs: Sequence[ClusterRun], slow: frozenset[str]
) -> Straggler:
    # Beside those that are no stragglers, in the start in the middle.
    seen = []
    for run in runs:
        loads = {node.node: node.result for node in run.nodes if node.result is not None}
        others = [load for other, load in loads.items() if other not in slow]
        if name in loads and others:
            seen.append((loads[name], others))
    seen.sort(key=lambda each: each[0].wall_ns)
    cause, why = _cause(*seen[len(seen) // 2])
    figures = {"node": name, "ratio": two_figures(ratio)}
    sentence = (
        Message(
            "{node} takes {ratio}× as long as the node in the middle: {why}.", **figures, why=why
        )
        if why
        else Message("{node} takes {ratio}× as long as the node in the middle.", **figures)
    )
    return Straggler(name, ratio, cause, sentence)


def _cause(mine: RunResult, others: Sequence[RunResult]) -> tuple[StragglerCause, Message]:
    """What of the node it is that others don't have, the surest first."""
    cached = [
        run.residency_before_share for run in others if run.residency_before_share is not None
    ]
    own = mine.residency_before_share
    if cached and own is not None and own < median(cached) - _LESS_CACHED:
        figures = {"own": percent_text(own), "others": percent_text(median(cached))}
        return "cache", Message(
            "{own} of the model was in its page cache, {others} in the others'", **figures
        )
    if any(warning.kind == "throttled" for warning in mine.warnings):
        return "processors", Message("its processors were slowed down")
    found = bottleneck_of(mine)
    usual = {bottleneck_of(run).kind for run in others}
    if found.kind == "memory":
        return "memory", Message("it {clause}", clause=found.clause)
    if found.kind in _OF_PROCESSORS and found.kind not in usual:
        return "processors", Message("it {clause}", clause=found.clause)
    waits, waited = median_of_known(map(waiting_share, others)), waiting_share(mine)
    waits_more = waits is not None and waited is not None and waited > waits + _WAITS_MORE
    if found.kind in _OF_STORAGE or waits_more:
        return (
            ("disk", Message("its own disk is slower"))
            if mine.storage_kind == "local-disk"
            else ("network", Message("its way to the storage is slower"))
        )
    return "unknown", NOTHING


TIMES_AS_MANY = 10
"""The curve is followed to so many times the nodes there are."""
MOST_SKEW_NS = 5_000_000
"""Starts that lie further apart are told."""
_NO_START = Message("No run finished on all nodes.")
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
    pair = _pair_of(arms, runs)
    verdict, best = _verdict(arms, pair), _best(arms, pair)
    return ClusterResult(
        path=path,
        cache=cache,
        created_unix_s=created_unix_s,
        nodes=tuple(nodes),
        runs=tuple(runs),
        arms=arms,
        model=next((node.model for node in nodes if node.model is not None), None),
        verdict=verdict,
        recommendation=tuple(_recommendation(best, verdict)),
        notes=tuple(_notes(nodes, arms, runs, pair)),
        stopped=stopped,
    )


def _arm(way: Way, runs: Sequence[ClusterRun]) -> ClusterArm:
    basis = _basis(runs)
    by_size: dict[int, list[ClusterRun]] = {}
    for run in basis:
        by_size.setdefault(len(run.nodes), []).append(run)
    full = by_size[max(by_size)] if by_size else []
    slow = stragglers_of(full)
    names = frozenset(each.node for each in slow)
    rates = [run.bytes_per_s(names) for run in basis]
    scaling = scaling_of(rates) if way.start.is_together else None
    skews = [run.skew_ns for run in basis if run.skew_ns is not None]
    loads = [node.result for run in full[:1] for node in run.nodes if node.result is not None]
    model_bytes = loads[0].model_bytes if loads else 0
    left = [
        run.storage_bytes / model_bytes if run.storage_bytes is not None and model_bytes else None
        for run in full
    ]
    extrapolated = None
    if scaling and full:
        # Of all of them: the curve is fitted to those that don't lag behind.
        most = TIMES_AS_MANY * len(full[0].nodes)
        loaded = sum(load.load_bytes for load in loads)
        whole = loaded if way.copy_per == "cluster" else loaded * TIMES_AS_MANY
        extrapolated = Extrapolated(most, expected_ns(scaling, most, whole))
    return ClusterArm(
        way=way,
        counted=(counted := sum(run.counts for run in runs)),
        discarded=len(runs) - counted,
        curve=tuple(_point(size, by_size[size]) for size in sorted(by_size)),
        skew_ns=round(median(skews)) if skews else None,
        amplification=median_of_known(left),
        scaling=scaling,
        extrapolated=extrapolated,
        stragglers=slow,
        summary=_summary(way, _as_ones(full)),
    )


def _basis(runs: Sequence[ClusterRun]) -> list[ClusterRun]:
    """The starts that figures are of: those that count, or all where none does."""
    counted = [run for run in runs if run.counts]
    return counted or [run for run in runs if run.is_whole]


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


def _summary(way: Way, runs: Sequence[RunResult]) -> StrategySummary | None:
    return summarize_strategy(way.label, way.name, way.config, tuple(runs))


def _as_ones(runs: Sequence[ClusterRun]) -> list[RunResult]:
    """Each start of all nodes as a run: that of its last node, until which all of them take."""
    found = []
    for run in runs:
        done = [(node.ready_ns, node.result) for node in run.nodes if node.result and node.ready_ns]
        if done and len(done) == len(run.nodes):
            ready_ns, last = max(done, key=itemgetter(0))
            one = msgspec.structs.replace(
                last,
                wall_ns=ready_ns,
                load_bytes=sum(result.load_bytes for _, result in done),
                pair=run.round,
                counts=run.counts,
                why_not=run.why_not,
            )
            found.append(one)
    return found


class _Pair(NamedTuple):
    """Two ways by their starts of the most `nodes` that both have: one that was lost may be in the
    first starts of one way alone.
    """

    nodes: int
    runs_a: list[RunResult]
    runs_b: list[RunResult]


def _pair_of(arms: Sequence[ClusterArm], runs: Sequence[ClusterRun]) -> _Pair | None:
    """What two ways are compared by; None for one, or where they have nothing in common."""
    if [arm.way.label for arm in arms] != ["A", "B"]:
        return None
    sizes = ({point.nodes for point in arm.curve} for arm in arms)
    nodes = max(set.intersection(*sizes), default=0)
    counted = [run for run in runs if run.counts and len(run.nodes) == nodes]
    runs_a, runs_b = (_as_ones([run for run in counted if run.label == each]) for each in "AB")
    return _Pair(nodes, runs_a, runs_b) if runs_a and runs_b else None


def _verdict(arms: Sequence[ClusterArm], pair: _Pair | None) -> Verdict | None:
    """Of two ways that all nodes were started in; None for one, or where no pair counts."""
    if pair is None:
        return None
    each = zip(arms, (pair.runs_a, pair.runs_b), strict=True)
    summary_a, summary_b = (_summary(arm.way, runs) for arm, runs in each)
    with suppress(LoadFailedError):
        if summary_a is not None and summary_b is not None:
            return judge(summary_a, summary_b, pair.runs_a, pair.runs_b).verdict
    return None


def _best(arms: Sequence[ClusterArm], pair: _Pair | None) -> ClusterArm | None:
    """The way to use: of two that were compared the one that a comparison prefers."""
    if pair is None:
        measured = sorted(arms, key=lambda arm: not arm.counted)
        return next((arm for arm in measured if arm.curve), None)
    configs = {arm.way.label: arm.way.config for arm in arms}
    label = preferred_arm(pair.runs_a, pair.runs_b, configs)
    return next(arm for arm in arms if arm.way.label == label)


def best_arm(result: ClusterResult) -> ClusterArm:
    """What the recommendation is about. Raises ConfigError where no way was measured."""
    best = _best(result.arms, _pair_of(result.arms, result.runs))
    if best is None:
        raise ConfigError(_NO_START, Message("Measure the cluster again."))
    return best


def _recommendation(best: ClusterArm | None, verdict: Verdict | None) -> Iterator[Message]:
    if best is None:
        yield _NO_START
        return
    if not best.counted:
        yield Message("Not counted: no run started as asked.")
    if verdict is not None:
        yield verdict.sentence
        yield verdict.reason
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
        who = Message("All but the slow nodes") if arm.stragglers else Message("All nodes")
        figures = {
            "who": who,
            "rate": rate_text(scaling.shared.value),
            "low": rate_text(scaling.shared.low),
            "high": rate_text(scaling.shared.high),
        }
        knee = scaling.knee.value
        yield (
            Message("{who} share {rate} ({low} to {high}), which one alone uses up.", **figures)
            if knee < ONE_NODE
            else Message(
                "{who} share {rate} ({low} to {high}), which {knee} of them use up.",
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
    nodes: Sequence[Node],
    arms: Sequence[ClusterArm],
    runs: Sequence[ClusterRun],
    pair: _Pair | None,
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
            "On {count} nodes, other programs come first: loads run at niceness {niceness}."
            " Start Ray there with RAY_worker_niceness=0.",
            count=f"{len(nice):,}",
            niceness=max(nice),
        )
    for node in nodes:
        if node.why_not:
            yield Message("{node} was left out: {why}", node=node.name, why=node.why_not)
    skew_ns = max((run.skew_ns or 0 for run in runs if run.counts), default=0)
    if skew_ns > MOST_SKEW_NS:
        yield Message("Nodes started up to {skew} apart.", skew=duration_text(skew_ns))
    most = max((arm.curve[-1].nodes for arm in arms if arm.curve), default=0)
    if pair is not None and pair.nodes < most:
        yield Message(
            "Compared on {nodes} of {all} nodes: no larger number finished in both.",
            nodes=f"{pair.nodes:,}",
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


def keep(history: History, result: ClusterResult) -> str:
    """Enter a result; returns its reference, such as `c12`. Raises HistoryError."""
    nodes = [node for node in result.nodes if not node.why_not]
    model, best = result.model, _best(result.arms, _pair_of(result.arms, result.runs))
    last = best.curve[-1] if best is not None and best.counted else None
    row = ClusterRow(
        created_unix_s=result.created_unix_s,
        path=result.path,
        model_name=model.name if model is not None else PurePath(result.path).name,
        model_digest=model.digest if model is not None else "",
        cluster_id=cluster_id(nodes),
        nodes=len(nodes),
        machines=len(_machines(nodes)),
        ways=tuple(arm.way.name for arm in result.arms),
        last_ns=round(last.last_ns) if last is not None else 0,
        bytes_per_s=last.bytes_per_s if last is not None else 0.0,
        sentence=next(iter(result.recommendation), NOTHING),
    )
    return f"c{history.add_cluster(row, msgspec.json.encode(result, enc_hook=to_wire))}"


def kept(history: History, number: int) -> ClusterResult:
    """A result of before. Raises HistoryError."""
    return stored_value(history.cluster_result(number).decode(), ClusterResult)


def cluster_id(nodes: Sequence[Node]) -> str:
    """What the same machines have in common, however their nodes are called."""
    return sha256("\0".join(sorted(_machines(nodes))).encode()).hexdigest()[:16]


def _machines(nodes: Sequence[Node]) -> set[str]:
    return {node.machine.id if node.machine is not None else node.name for node in nodes}

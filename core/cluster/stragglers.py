"""Nodes that keep all others waiting, and what of them it is."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from modelmon.core.cluster.result import Straggler
from modelmon.core.comparison.spread import (
    OUTLIER_SCORE,
    median_of_known,
    modified_z_scores,
)
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.figures import waiting_share
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import percent_text, two_figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.cluster.result import ClusterRun, StragglerCause
    from modelmon.core.explain.figures import BottleneckKind
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

"""Sentences and rows about many nodes: what they take, which lag behind, how far they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.cluster.summary import ONE_NODE
from modelmon.core.units import (
    duration_text,
    rate_text,
    two_figures,
)
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.session.notices import Notice, ProgressView
from modelmon.gui.session.run_words import part_text
from modelmon.gui.widgets.tables import TextRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.cluster.result import (
        ClusterArm,
        ClusterResult,
    )
    from modelmon.core.cluster.scaling import Between
    from modelmon.core.cluster.ways import CopyPer
    from modelmon.gui.session.measured import Clusters, LiveCluster
    from modelmon.gui.session.notices import Choice

COPIES: dict[CopyPer, str] = {
    "node": mark("one copy per node"),
    "cluster": mark("a slice per node"),
    "rank": mark("one copy per rank"),
}
"""Who loads one whole copy of the model."""
ARM_COLUMNS = (
    *(mark("All nodes"), mark("First"), mark("Median"), mark("Last ready")),
    *(mark("Together (× one)"), mark("From storage"), mark("Shared limit")),
    mark("10× nodes, extrapolated"),
)
ARM_FIGURES = ARM_COLUMNS[1:6]
_DASH = "–"


def nodes_text(count: int) -> str:
    """`1 node`, `1,024 nodes`."""
    return tr("1 node") if count == 1 else tr("{count} nodes", count=f"{count:,}")


def arm_headings(arms: Sequence[ClusterArm]) -> list[str]:
    """The columns of `arm_rows`, with the numbers of nodes that they are of."""
    names = [tr(each) for each in ARM_COLUMNS]
    if most := max((arm.curve[-1].nodes for arm in arms if arm.curve), default=0):
        names[0] = tr("With {nodes}", nodes=nodes_text(most))
    if far := max((arm.extrapolated.nodes for arm in arms if arm.extrapolated), default=0):
        names[-1] = tr("{count} nodes, extrapolated", count=f"{far:,}")
    return names


def arm_rows(arms: Sequence[ClusterArm]) -> list[TextRow]:
    """A row for each way, with all nodes; it says how many where those are fewer than of others."""
    most = max((arm.curve[-1].nodes for arm in arms if arm.curve), default=0)
    return [TextRow(tuple(_arm_cells(arm, most))) for arm in arms]


def _arm_cells(arm: ClusterArm, most: int) -> Iterator[str]:
    name = f"{arm.way.label}  {arm.way.name}"
    nodes = arm.curve[-1].nodes if arm.curve else most
    yield name if nodes == most else tr("{way} ({nodes})", way=name, nodes=nodes_text(nodes))
    if not arm.curve:
        yield from [_DASH] * (len(ARM_COLUMNS) - 1)
        return
    last, first = arm.curve[-1], arm.curve[0]
    yield duration_text(last.first_ns)
    yield duration_text(last.median_ns)
    yield duration_text(last.last_ns)
    alone = first.nodes == 1 and first.bytes_per_s > 0 and last.nodes > 1
    times = f" ({two_figures(last.bytes_per_s / first.bytes_per_s)}×)" if alone else ""
    yield f"{rate_text(last.bytes_per_s)}{times}"
    yield f"{two_figures(arm.amplification)}×" if arm.amplification is not None else _DASH
    yield limit_text(arm)
    further = arm.extrapolated
    yield _span_text(further.last_ns) if further is not None else _DASH


def limit_text(arm: ClusterArm) -> str:
    """What all nodes share: `3.1 GB/s from 2.8 nodes (2.5–3.1)`."""
    scaling = arm.scaling
    if scaling is None:
        return _DASH
    if scaling.shared is None or scaling.knee is None:
        return tr("none up to {nodes}", nodes=f"{scaling.nodes:,}")
    rate = rate_text(scaling.shared.value)
    if scaling.knee.value < ONE_NODE:
        return tr("{rate}, by 1 node", rate=rate)
    knee, low, high = map(two_figures, (scaling.knee.value, scaling.knee.low, scaling.knee.high))
    return tr("{rate} from {nodes} nodes ({low}–{high})", rate=rate, nodes=knee, low=low, high=high)


def counted_text(arm: ClusterArm) -> str:
    """How many of its starts count."""
    if not arm.counted:
        return tr("no start counts")
    return tr("{count} of {all} starts count", count=arm.counted, all=arm.counted + arm.discarded)


def _span_text(span: Between) -> str:
    value, low, high = (duration_text(ns) for ns in (span.value, span.low, span.high))
    figure, _, unit = low.rpartition(" ")
    # A unit that both have stands once.
    return f"{value} ({figure if unit == high.rpartition(' ')[2] else low}–{high})"


def progress(live: LiveCluster) -> ProgressView:
    """How far the nodes are."""
    begun, standing = live.begun, live.standing
    if begun is None:
        return ProgressView(
            tr("Connecting to the cluster"),
            detail=tr("Waiting for a slot on each node, then reading the headers there"),
        )
    total = max(live.starts, 1)
    if standing is None:
        return ProgressView(tr("Preparing the nodes"), 0.0)
    have, all_bytes = sum(standing.delivered), standing.planned_bytes
    part, nodes = have / all_bytes if all_bytes else 0.0, nodes_text(len(standing.names))
    headline = (
        tr("Loading on {nodes}: {way}", nodes=nodes, way=standing.way)
        if standing.t_ns is not None
        else tr("Preparing {nodes}: {way}", nodes=nodes, way=standing.way)
    )
    ready = tr("{done} of {nodes} ready", done=len(standing.ready), nodes=nodes)
    rate = (
        tr("{rate} together", rate=rate_text(have * 1e9 / standing.t_ns))
        if standing.t_ns and have
        else ""
    )
    size = part_text(have, all_bytes) if all_bytes else ""
    return ProgressView(
        headline,
        min(1.0, (live.starts_done + part) / total),
        detail=" · ".join(filter(None, (ready, size, rate))),
        fact=tr(
            "Round {round} of {repeats}, start {start} of {starts}",
            round=standing.round + 1,
            repeats=standing.repeats,
            start=min(live.starts_done + 1, total),
            starts=total,
        ),
        arm=standing.label,
    )


def notice(result: ClusterResult, dated: str, choices: tuple[Choice, ...]) -> Notice:
    """The slot's words: what to do, why, and what is to be known first."""
    first, *others = map(said, result.recommendation) if result.recommendation else ("",)
    open_ = result.verdict is not None and result.verdict.winner == "undecided"
    whole = any(arm.counted for arm in result.arms) and not open_
    stopped = tr("Stopped early.") if result.stopped else ""
    return Notice(
        first,
        sentences(dated, stopped, *others),
        sentences(*map(said, result.notes)),
        "good" if whole and not result.stopped else "warn",
        choices,
    )


def place_text(clusters: Clusters) -> str:
    """`8 nodes · cluster`; empty until they are known."""
    reached = sum(not each.why_not for each in clusters.nodes)
    return tr("{nodes} · cluster", nodes=nodes_text(reached)) if clusters.nodes else ""

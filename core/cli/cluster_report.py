"""What was measured on a cluster, for reading in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.cli.layout import Column, Facts, Listing
from modelmon.core.cli.output import console
from modelmon.core.cluster.summary import typical
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    size_text,
    two_figures,
    wait_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.cluster.result import ClusterArm, ClusterResult, ClusterRun

_MOST_LINES = 16
"""Of a table of nodes."""


def show(result: ClusterResult) -> None:
    """Print all of it for a person."""
    out = console()
    for number, sentence in enumerate(result.recommendation):
        out.print(sentence, style="bold" if number == 0 else "")
    for arm in result.arms:
        out.print()
        out.print(f"{arm.way.name}, {arm.way.start.text}", style="dim")
        out.print(_curve(arm))
        out.print(Facts(_facts(arm)))
        runs = [run for run in result.runs if run.label == arm.way.label]
        if full := typical(runs):
            out.print(_nodes(full))
            if len(full.nodes) > _MOST_LINES:
                out.print(f"Of {len(full.nodes)} nodes the {_MOST_LINES} slowest.", style="dim")
        for straggler in arm.stragglers:
            out.print(straggler.sentence, style="yellow")
    if result.copying is not None:
        out.print(result.copying.sentence)
    for note in result.notes:
        out.print(f"Note: {note}", style="yellow")
    if result.stopped:
        out.print("Stopped early: these are fewer starts than asked for.", style="yellow")


def _curve(arm: ClusterArm) -> Listing:
    table = Listing(
        Column("Nodes", right=True, lead=True),
        Column("First ready", right=True, named=True),
        Column("Median", right=True, named=True),
        Column("Last ready", right=True, named=True),
        Column("All together", right=True, named=True),
        Column("Times one", right=True, named=True),
        Column("Runs", right=True, named=True),
        Column(""),
    )
    one = arm.curve[0].bytes_per_s if arm.curve and arm.curve[0].nodes == 1 else 0.0
    knee = arm.scaling.knee.value if arm.scaling and arm.scaling.knee else None
    marked = next((point.nodes for point in arm.curve if knee and point.nodes >= knee), None)
    for point in arm.curve:
        table.add_row(
            f"{point.nodes}",
            duration_text(point.first_ns),
            duration_text(point.median_ns),
            duration_text(point.last_ns),
            rate_text(point.bytes_per_s),
            f"{two_figures(point.bytes_per_s / one)}×" if one else "",
            f"{point.runs}",
            "storage is at its limit" if point.nodes == marked else "",
        )
    return table


def _facts(arm: ClusterArm) -> Iterator[tuple[str, str]]:
    if not arm.counted:
        yield "Counted", "no start: the figures are of starts that don't count"
    elif arm.discarded:
        yield "Counted", f"{arm.counted} of {arm.counted + arm.discarded} starts"
    if arm.skew_ns is not None and arm.curve[-1].nodes > 1:
        yield "Starts", f"within {wait_text(arm.skew_ns)} of each other, by the nodes' own clocks"
    if arm.amplification is not None:
        yield "From storage", f"{two_figures(arm.amplification)}× the model for all nodes"
    elif arm.curve:
        yield "From storage", "unknown: this storage doesn't count what it delivers"
    if arm.summary is not None and arm.summary.bottleneck is not None:
        found = arm.summary.bottleneck
        yield "Bottleneck", f"{found.label}: {found.sentence}"


def _nodes(run: ClusterRun) -> Listing:
    table = Listing(
        Column("Node", lead=True),
        Column("Ready", right=True, lead=True),
        Column("Rate", right=True),
        Column("From storage", right=True, named=True),
        Column("Was cached", right=True, named=True),
        Column("Started late", right=True, named=True),
        Column("Problem"),
    )
    slow = sorted(run.nodes, key=lambda node: (not node.problem, -(node.ready_ns or 0)))
    for node in slow[:_MOST_LINES]:
        result = node.result
        cached = result.residency_before_share if result is not None else None
        table.add_row(
            node.node,
            duration_text(node.ready_ns) if node.ready_ns is not None else "–",
            rate_text(result.bytes_per_s) if result is not None else "",
            size_text(node.storage_bytes) if node.storage_bytes is not None else "",
            percent_text(cached) if cached is not None else "",
            wait_text(node.late_ns) if node.late_ns is not None else "",
            node.problem or (result.why_not if result is not None else ""),
            style="red" if node.problem else "",
        )
    return table

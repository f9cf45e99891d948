"""What is said of a measurement on a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.cluster.summary import typical
from modelmon.core.export.items import Column, Paragraph, colon, facts, known, note, table
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    size_text,
    two_figures,
    wait_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.cluster.result import (
        ClusterArm,
        ClusterResult,
        ClusterRun,
        NodeRun,
        Straggler,
    )
    from modelmon.core.export.items import Printed, Table

_MOST_LINES = 16
"""Of a table of nodes."""


def cluster_items(result: ClusterResult) -> Iterator[Printed]:
    """All of it for a person."""
    for number, sentence in enumerate(result.recommendation):
        yield Paragraph(sentence, "strong" if number == 0 else "")
    for arm in result.arms:
        yield Paragraph(NOTHING)
        names = {"way": arm.way.name, "start": arm.way.start.text}
        yield Paragraph(Message("{way}, {start}", **names), "quiet")
        yield _curve(arm)
        yield facts(_facts(arm))
        runs = [run for run in result.runs if run.label == arm.way.label]
        if full := typical(runs):
            yield nodes_table(full, most=_MOST_LINES)
            if len(full.nodes) > _MOST_LINES:
                shown = {"count": len(full.nodes), "most": _MOST_LINES}
                yield Paragraph(Message("Of {count} nodes the {most} slowest.", **shown), "quiet")
        for straggler in arm.stragglers:
            yield Paragraph(straggler.sentence, "warn")
    for each in result.notes:
        yield from note(each, "")
    if result.stopped:
        early = Message("Stopped early: these are fewer starts than asked for.")
        yield Paragraph(early, "warn")


def _curve(arm: ClusterArm) -> Table:
    one = arm.curve[0].bytes_per_s if arm.curve and arm.curve[0].nodes == 1 else 0.0
    knee = arm.scaling.knee.value if arm.scaling and arm.scaling.knee else None
    limit = next((point.nodes for point in arm.curve if knee and point.nodes >= knee), None)
    return table(
        arm.curve,
        Column(Message("Nodes"), lambda at: f"{at.nodes}", "right lead"),
        Column(Message("First ready"), lambda at: duration_text(at.first_ns), "right named"),
        Column(Message("Median"), lambda at: duration_text(at.median_ns), "right named"),
        Column(Message("Last ready"), lambda at: duration_text(at.last_ns), "right named"),
        Column(Message("All together"), lambda at: rate_text(at.bytes_per_s), "right named"),
        Column(
            Message("Times one"),
            lambda at: f"{two_figures(at.bytes_per_s / one)}×" if one else "",
            "right named",
        ),
        Column(Message("Runs"), lambda at: f"{at.runs}", "right named"),
        Column("", lambda at: Message("storage is at its limit") if at.nodes == limit else ""),
    )


def _facts(arm: ClusterArm) -> Iterator[tuple[str, str]]:
    if not arm.counted:
        none = Message("no start: the figures are of starts that don't count")
        yield Message("Counted"), none
    elif arm.discarded:
        counts = {"done": arm.counted, "total": arm.counted + arm.discarded}
        yield Message("Counted"), Message("{done} of {total} starts", **counts)
    if arm.skew_ns is not None and arm.curve[-1].nodes > 1:
        yield (
            Message("Starts"),
            Message(
                "within {time} of each other, by the nodes' own clocks", time=wait_text(arm.skew_ns)
            ),
        )
    from_storage = Message("From storage")
    if arm.amplification is not None:
        times = two_figures(arm.amplification)
        yield from_storage, Message("{times}× the model for all nodes", times=times)
    elif arm.curve:
        unknown = Message("unknown: this storage doesn't count what it delivers")
        yield from_storage, unknown
    if arm.summary is not None and arm.summary.bottleneck is not None:
        found = arm.summary.bottleneck
        yield Message("Bottleneck"), colon(found.label, found.sentence)


def nodes_table(
    run: ClusterRun, stragglers: Sequence[Straggler] = (), most: int | None = None
) -> Table:
    """The nodes of a start, those that failed first, then the slowest; of many so many. Of
    `stragglers` it says why they lag behind.
    """
    slow = {each.node: each.sentence for each in stragglers}

    def why(each: NodeRun) -> str:
        counts = each.result.why_not if each.result is not None else ""
        return each.problem or slow.get(each.node) or counts

    order = sorted(run.nodes, key=lambda node: (not node.problem, -(node.ready_ns or 0)))
    return table(
        order[:most],
        Column(Message("Node"), lambda each: each.node, "lead"),
        Column(
            Message("Ready"), lambda each: known(duration_text, each.ready_ns, "–"), "right lead"
        ),
        Column(
            Message("Rate"),
            lambda each: rate_text(each.result.bytes_per_s) if each.result else "",
            "right",
        ),
        Column(
            Message("From storage"),
            lambda each: known(size_text, each.storage_bytes),
            "right named",
        ),
        Column(
            Message("Was cached"),
            lambda each: known(
                percent_text, each.result.residency_before_share if each.result else None
            ),
            "right named",
        ),
        Column(Message("Started late"), lambda each: known(wait_text, each.late_ns), "right named"),
        Column(Message("Reason"), why),
        tone=lambda each: "bad" if each.problem else "warn" if each.node in slow else "",
    )

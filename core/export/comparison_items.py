"""What is said of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.comparison.verdict import arm_names, phases_of_programs, time_goes
from modelmon.core.export.items import (
    STARTS,
    UNKNOWN,
    Code,
    Column,
    Paragraph,
    confidence_text,
    known,
    of_all,
    table,
)
from modelmon.core.export.run_items import left_out, warnings_items
from modelmon.core.load.strategies import strategy_text
from modelmon.core.messages import Message
from modelmon.core.units import duration_text, percent_text, rate_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.comparison.decision import Label
    from modelmon.core.comparison.result import Comparison
    from modelmon.core.export.items import Printed


def comparison_items(comparison: Comparison) -> Iterator[Printed]:
    """The verdict, both arms, and what has to be known of single runs."""
    verdict = comparison.verdict
    yield Paragraph(verdict.sentence, "strong")
    yield Paragraph(verdict.reason)
    yield Paragraph(verdict.caveat, "quiet")
    yield table(
        (comparison.arm_a, comparison.arm_b),
        Column("", lambda arm: arm.label, "lead"),
        Column(Message("Strategy"), lambda arm: strategy_text(arm.strategy, arm.config), "lead"),
        Column(Message("Estimate"), lambda arm: duration_text(arm.usual_ns), "right lead"),
        Column(Message("Median"), lambda arm: duration_text(arm.median_ns), "right named"),
        Column(
            Message("Range"),
            lambda arm: f"{duration_text(arm.fastest_ns)}–{duration_text(arm.slowest_ns)}",
            "right",
        ),
        Column(Message("Rate"), lambda arm: rate_text(arm.bytes_per_s), "right"),
        Column(
            Message("I/O wait"),
            lambda arm: known(percent_text, arm.io_wait_share, UNKNOWN),
            "right named",
        ),
        Column(
            Message("Peak memory"),
            lambda arm: known(size_text, arm.peak_rss_bytes, UNKNOWN),
            "right named",
        ),
        Column(Message("Runs"), lambda arm: of_all(arm.runs, arm.discarded), "right named"),
    )
    labels: tuple[Label, ...] = ("A", "B")
    for label in labels:
        if line := comparison.command(label):
            yield Code(f"{label}: {line}", "quiet")
    arms = (comparison.arm_a, comparison.arm_b)
    for name, arm in zip(arm_names(*arms), arms, strict=True):
        yield Paragraph(time_goes(name, arm))
    if phases := phases_of_programs(comparison):
        yield table(
            phases,
            Column(Message("Phase (median)"), lambda phase: phase.name, "lead"),
            Column("A", lambda phase: phase.times[0], "right lead"),
            Column("B", lambda phase: phase.times[1], "right lead"),
        )
    if comparison.lost_its_model and verdict.winner != "undecided":
        yield Paragraph(Message("The model was changed or removed meanwhile."), "bad")
    runs = [(label, run) for label in labels for run in comparison.runs(label)]
    yield from left_out(runs)
    yield from warnings_items(run for _, run in runs)
    yield Paragraph(confidence_text(verdict.confidence, verdict.confidence_reason))
    if verdict.sensitivity:
        yield Paragraph(verdict.sensitivity, "quiet")
    figures = {"model": comparison.model.name, "start": STARTS[comparison.cache]}
    yield Paragraph(Message("{model}, {start} starts.", **figures), "quiet")

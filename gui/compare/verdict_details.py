"""What stands behind a verdict: all runs, and one `label: value` a line, to read and to copy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from modelmon.core.comparison.run_validity import spoiling_of
from modelmon.core.comparison.verdict import arm_names, notes_of, time_goes
from modelmon.core.units import (
    duration_text,
    percent_text,
    range_texts,
    rate_text,
    size_text,
    three_figures,
)
from modelmon.gui.compare import verdict_chips
from modelmon.gui.language import said, tr
from modelmon.gui.runs.run_strip import RunStrip
from modelmon.gui.runs.strip_rows import rows_of_comparison, title_of
from modelmon.gui.session.session import LABELS
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.markdown import markdown_table
from modelmon.gui.widgets.styling import push_button

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from modelmon.core.comparison.result import Comparison, Verdict


class VerdictDetails(TextDialog):
    """The details of one comparison."""

    def __init__(self, comparison: Comparison, parent: QWidget) -> None:
        super().__init__(tr("Comparison details"), details_text(comparison), parent)
        self.strip = RunStrip()
        self.strip.show_rows(rows_of_comparison(comparison), title_of(comparison))
        self.column.insertWidget(0, self.strip)
        self.markdown = push_button(tr("Copy as Markdown"), "copy")
        self.markdown.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(markdown_text(comparison))
        )
        self.row.insertWidget(self.row.indexOf(self.copy), self.markdown)


def details_text(comparison: Comparison) -> str:
    """The verdict and the model of a comparison, then what stands behind it, a line for each."""
    verdict = comparison.verdict
    answer = (said(verdict.sentence), said(verdict.reason), *_model_lines(comparison))
    return "\n".join((*filter(None, answer), "", *_lines(comparison)))


def _lines(comparison: Comparison) -> tuple[str, ...]:
    return (*_figures(comparison), *_bottlenecks(comparison), *_conditions(comparison))


def _model_lines(comparison: Comparison) -> Iterator[str]:
    model, arms = comparison.model, {"A": comparison.arm_a, "B": comparison.arm_b}
    yield f"{model.name}, {model.format}, {size_text(model.nbytes)}"
    for chip in (*verdict_chips.other_file(comparison), *verdict_chips.settings_chip(arms)):
        yield from chip.tool_tip.splitlines()


def markdown_text(comparison: Comparison) -> str:
    """A verdict to be pasted into an issue or a page: the answer, a table of both, and what stands
    behind it.
    """
    arms = (comparison.arm_a, comparison.arm_b)
    headings = ("", tr("Strategy"), tr("Median"), tr("Range"), tr("Throughput"), tr("Counted"))
    rows = [
        (
            arm.label,
            arm.strategy,
            duration_text(arm.median_ns),
            f"{duration_text(arm.fastest_ns)} – {duration_text(arm.slowest_ns)}",
            rate_text(arm.bytes_per_s),
            tr("{count} of {all}", count=arm.runs, all=arm.runs + arm.discarded),
        )
        for arm in arms
    ]
    return "\n".join(
        (
            f"**{said(comparison.verdict.sentence)}**\n",
            f"{said(comparison.verdict.reason)}\n",
            markdown_table(headings, rows, range(2, len(headings))),
            *(f"- {line}" for line in (*_model_lines(comparison), *_lines(comparison))),
            "",
        )
    )


def _figures(comparison: Comparison) -> Iterator[str]:
    verdict, arms = comparison.verdict, (comparison.arm_a, comparison.arm_b)
    a, b = arm_names(*arms)
    if verdict.ratio is not None:
        fast, slow = (a, b) if verdict.winner == "A" else (b, a)
        ratio = 1 / verdict.ratio if verdict.winner == "A" else verdict.ratio
        # Without a winner the support has the range; this would be a second answer.
        if verdict.winner != "undecided":
            speedup = three_figures(ratio)
            yield tr(
                "Speedup: {fast} is {speedup}× as fast as {slow}",
                fast=fast,
                speedup=speedup,
                slow=slow,
            )
        if interval := interval_text(verdict):
            yield interval
    for name, time_ns in zip((a, b), (verdict.time_a_ns, verdict.time_b_ns), strict=True):
        if time_ns is not None:
            yield tr("{name}: usually {time}", name=name, time=duration_text(time_ns))
    for name, arm in zip((a, b), arms, strict=True):
        yield tr(
            "{name}: median {median}, {fastest} to {slowest}",
            name=name,
            median=duration_text(arm.median_ns),
            fastest=duration_text(arm.fastest_ns),
            slowest=duration_text(arm.slowest_ns),
        )
    if verdict.sensitivity and verdict.winner in ("undecided", "no-difference"):
        yield said(verdict.sensitivity)


def interval_text(verdict: Verdict) -> str:
    """`Likely (95%): 1.05–1.63×, 9 pairs`: how many times as fast the winner is, or B
    where there is none; empty where that is not known.
    """
    if verdict.ratio_low is None or verdict.ratio_high is None:
        return ""
    bounds = (verdict.ratio_low, verdict.ratio_high)
    if verdict.winner == "A":
        bounds = (1 / verdict.ratio_high, 1 / verdict.ratio_low)
    low, high = range_texts(*bounds)
    pairs = tr("1 pair") if verdict.pairs == 1 else tr("{count} pairs", count=verdict.pairs)
    if not verdict.coverage_share:
        return tr("Range: {low}–{high}×, {pairs}", low=low, high=high, pairs=pairs)
    return tr(
        "Likely ({coverage}): {low}–{high}×, {pairs}",
        coverage=percent_text(verdict.coverage_share),
        low=low,
        high=high,
        pairs=pairs,
    )


def _bottlenecks(comparison: Comparison) -> Iterator[str]:
    arms = (comparison.arm_a, comparison.arm_b)
    for name, arm in zip(arm_names(*arms), arms, strict=True):
        if arm.bottleneck is not None:
            # As the card's badge says it.
            head = verdict_chips.bottleneck_name(arm.bottleneck)
            yield tr("{name}: {value}", name=head, value=said(time_goes(name, arm)))


def _conditions(comparison: Comparison) -> Iterator[str]:
    verdict = comparison.verdict
    for label in LABELS:
        if command := comparison.command(label):
            yield f"{label}: {command}"
    yield tr(
        "{confidence}: {reason}",
        confidence=tr(verdict_chips.CONFIDENCES[verdict.confidence]),
        reason=verdict.confidence_reason,
    )
    for warned in spoiling_of((*comparison.runs_a, *comparison.runs_b)):
        yield tr("Warning: {warning}", warning=warned.short)
    runs = (*comparison.runs_a, *comparison.runs_b)
    for why, count in Counter(said(run.why_not) for run in runs if not run.counts).items():
        yield tr("{count} of {all} runs: {why}", count=count, all=len(runs), why=why)
    for _, note in notes_of(comparison):
        yield tr("Note: {note}", note=note)

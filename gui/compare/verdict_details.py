"""What stands behind a verdict: all runs, and one `label: value` a line, to read and to copy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from modelmon.core.comparison.run_validity import spoiling_of
from modelmon.core.comparison.verdict import arm_names, notes_of, time_goes
from modelmon.core.units import (
    duration_text,
    rate_text,
    size_text,
    three_figures,
)
from modelmon.gui.language import said, tr
from modelmon.gui.plots.run_strip import RunStrip
from modelmon.gui.plots.strip_rows import rows_of_comparison, title_of
from modelmon.gui.session import run_words
from modelmon.gui.session.run_words import interval_text
from modelmon.gui.session.session import LABELS
from modelmon.gui.session.setting_words import settings_chip
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.markdown import markdown_table
from modelmon.gui.widgets.styling import push_button

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from modelmon.core.comparison.result import Comparison


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
    for chip in (*run_words.other_file(comparison), *settings_chip(arms)):
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


def _bottlenecks(comparison: Comparison) -> Iterator[str]:
    arms = (comparison.arm_a, comparison.arm_b)
    for name, arm in zip(arm_names(*arms), arms, strict=True):
        if arm.bottleneck is not None:
            # As the card's badge says it.
            head = run_words.bottleneck_name(arm.bottleneck)
            yield tr("{name}: {value}", name=head, value=said(time_goes(name, arm)))


def _conditions(comparison: Comparison) -> Iterator[str]:
    verdict = comparison.verdict
    for label in LABELS:
        if command := comparison.command(label):
            yield f"{label}: {command}"
    yield tr(
        "{confidence}: {reason}",
        confidence=tr(run_words.CONFIDENCES[verdict.confidence]),
        reason=verdict.confidence_reason,
    )
    for warned in spoiling_of((*comparison.runs_a, *comparison.runs_b)):
        yield tr("Warning: {warning}", warning=warned.short)
    runs = (*comparison.runs_a, *comparison.runs_b)
    for why, count in Counter(said(run.why_not) for run in runs if not run.counts).items():
        yield tr("{count} of {all} runs: {why}", count=count, all=len(runs), why=why)
    for _, note in notes_of(comparison):
        yield tr("Note: {note}", note=note)

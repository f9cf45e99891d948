"""How the terminal shows a finished comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from modelmon.core.cli.output import console, print_warnings
from modelmon.core.experiment.arm_summary import outliers
from modelmon.core.experiment.verdict import arm_names, time_goes
from modelmon.core.units import duration_text, percent_text, rate_text, size_text

if TYPE_CHECKING:
    from modelmon.core.experiment.result import ArmSummary, Comparison
    from modelmon.core.worker.result import RunResult


def show(comparison: Comparison) -> None:
    """The verdict, both arms, and what has to be known of single runs."""
    out = console()
    verdict = comparison.verdict
    out.print(verdict.sentence, style="bold")
    out.print(verdict.reason)
    out.print(verdict.caveat, style="dim")
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("Strategy")
    for heading in ("Median ± MAD", "Range", "Rate", "I/O wait", "Peak memory", "Runs"):
        table.add_column(heading, justify="right")
    for arm in (comparison.arm_a, comparison.arm_b):
        table.add_row(*_row(arm))
    out.print(table)
    arms = (comparison.arm_a, comparison.arm_b)
    for name, arm in zip(arm_names(*arms), arms, strict=True):
        out.print(time_goes(name, arm))
    for label, runs in (("A", comparison.runs_a), ("B", comparison.runs_b)):
        for run in runs:
            if not run.counts:
                out.print(f"Not counted: {label}, {run.why_not}", style="yellow")
        for run in outliers(runs):
            out.print(f"Outlier (counted): {label}, {_outlier(run)}", style="yellow")
    print_warnings(out, (*comparison.runs_a, *comparison.runs_b))
    out.print(f"Confidence: {verdict.confidence} ({verdict.confidence_reason}).")
    if verdict.sensitivity:
        out.print(verdict.sensitivity, style="dim")
    out.print(f"{comparison.model.name}, {comparison.cache} starts.", style="dim")


def _outlier(run: RunResult) -> str:
    score = f"modified Z-score {run.modified_z:.1f}" if run.modified_z is not None else ""
    return f"pair {run.pair + 1} took {duration_text(run.wall_ns)} ({score})."


def _row(arm: ArmSummary) -> tuple[str, ...]:
    spread = f"{duration_text(arm.fastest_ns)} to {duration_text(arm.slowest_ns)}"
    wait = percent_text(arm.io_wait_share) if arm.io_wait_share is not None else "unknown"
    peak = size_text(arm.peak_rss_bytes) if arm.peak_rss_bytes is not None else "unknown"
    kept = f"{arm.runs}" if not arm.discarded else f"{arm.runs} of {arm.runs + arm.discarded}"
    rate = rate_text(arm.bytes_per_s)
    middle = f"{duration_text(arm.median_ns)} ± {duration_text(arm.mad_ns)}"
    return arm.label, arm.strategy, middle, spread, rate, wait, peak, kept

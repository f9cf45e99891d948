"""`modelmon compare`: A against B, interleaved, judged and exported."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from rich.table import Table

from modelmon.core.cli import options
from modelmon.core.cli.ask import agree_to_disturb
from modelmon.core.cli.output import console, print_json
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.errors import ConfigError
from modelmon.core.experiment.arm_summary import outliers
from modelmon.core.experiment.compare import Arm, CompareSession, Conditions
from modelmon.core.experiment.decision import DEFAULT_PAIRS
from modelmon.core.experiment.estimate import LONG_NS, estimate
from modelmon.core.experiment.preflight import look_at
from modelmon.core.export.atomic import check_target, write_text_atomic
from modelmon.core.export.config_file import best_arm, render
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.presets import preset_name
from modelmon.core.machine.awake import keep_awake
from modelmon.core.units import duration_text, percent_text, rate_text, request_text, size_text
from modelmon.core.worker.client import run_job

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight import Estimate, Preflight
    from modelmon.core.experiment.result import ArmSummary, Comparison, RunResult
    from modelmon.core.experiment.schedule import Label
    from modelmon.core.worker.events import Cache


@click.command("compare")
@options.path_argument
@click.option("name_a", "--a", type=options.strategy_choice, help="Strategy A.  [default: mmap]")
@click.option(
    "name_b", "--b", type=options.strategy_choice, help="Strategy B.  [default: parallel]"
)
@click.option("set_a", "--set-a", multiple=True, metavar="AXIS=VALUE", help="Change an axis of A.")
@click.option("set_b", "--set-b", multiple=True, metavar="AXIS=VALUE", help="Change an axis of B.")
@click.option("json_a", "--config-a", hidden=True, help="A as a JSON object of axes.")
@click.option("json_b", "--config-b", hidden=True, help="B as a JSON object of axes.")
@click.option(
    "--repeats",
    type=click.IntRange(1, 100),
    default=DEFAULT_PAIRS,
    show_default=True,
    help="Most pairs of runs; from 5 on it ends when decided, under 5 no winner is named.",
)
@click.option("--fixed", is_flag=True, help="Run all pairs, decided or not.")
@options.cache_option
@options.deliver_option
@options.portion_option
@click.option("--seed", type=int, default=0, help="Of the order of runs.  [default: 0]")
@click.option("dry_run", "--dry-run", is_flag=True, help="Only say how long it would take.")
@click.option("out_path", "--out", type=click.Path(path_type=Path), help="Save the result as JSON.")
@click.option(
    "export_path",
    "--export",
    type=click.Path(path_type=Path),
    help="Write the better arm as modelmon.toml.",
)
@options.fresh_option
@options.yes_option
@options.json_option
def command(  # noqa: PLR0913, PLR0917  one parameter per option
    path: Path,
    name_a: str | None,
    name_b: str | None,
    set_a: tuple[str, ...],
    set_b: tuple[str, ...],
    json_a: str | None,
    json_b: str | None,
    repeats: int,
    fixed: bool,
    cache: Cache,
    deliver: str,
    portion_bytes: int | None,
    seed: int,
    dry_run: bool,
    out_path: Path | None,
    export_path: Path | None,
    fresh_memory: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Run two strategies in turns and say which is better, by how much and why."""
    for target in (out_path, export_path):
        if target is not None:
            check_target(target)
    preflight = look_at(path)
    arm_a = _arm("A", name_a or "mmap", set_a, json_a, deliver)
    arm_b = _arm("B", name_b or "parallel", set_b, json_b, deliver)
    if preflight.users and not dry_run:
        agree_to_disturb(preflight.users, path, yes=yes)
        yes = True
    conditions = Conditions(
        path=preflight.model.path,
        cache=cache,
        max_pairs=repeats,
        early_stop=not fixed,
        seed=seed,
        portion_bytes=portion_bytes,
        allow_busy=yes,
        condition_memory=not fresh_memory,
    )
    session = CompareSession(arm_a, arm_b, conditions)
    cost = estimate(preflight, (arm_a, arm_b), conditions, len(session.steps))
    if dry_run and as_json:
        print_json(cost)
        return
    long = cost.duration_ns > LONG_NS and portion_bytes is None
    _announce(cost, long=long)
    if dry_run:
        return
    if long and cost.portion_bytes and sys.stdin.isatty():
        part = request_text(cost.portion_bytes)
        if click.confirm(f"Compare with a part of {part} instead?", default=True, err=True):
            conditions = replace(conditions, portion_bytes=cost.portion_bytes)
            session = CompareSession(arm_a, arm_b, conditions)
    with keep_awake("modelmon compares two ways to load a model"), ProgressBar() as bar:
        _run_all(session, bar)
    comparison = session.comparison(preflight)
    if out_path is not None:
        write_text_atomic(out_path, msgspec.json.format(msgspec.json.encode(comparison)).decode())
    if as_json:
        print_json(comparison)
    else:
        _show(comparison, preflight)
    if export_path is not None:
        label = best_arm(comparison)
        write_text_atomic(export_path, render(comparison, label))
        click.echo(f"Wrote {label} to {export_path}.", err=True)


def _arm(
    label: Label, name: str, settings: tuple[str, ...], as_json: str | None, deliver: str
) -> Arm:
    if as_json is None:
        return Arm(label, *options.chosen_config(name, None, settings, deliver))
    try:
        config = msgspec.json.decode(as_json, type=LoadConfig)
    except msgspec.DecodeError as error:
        raise ConfigError(f"Arm {label} cannot be understood: {error}") from error
    return Arm(label, preset_name(config), config)


def _announce(cost: Estimate, *, long: bool) -> None:
    text = (
        f"{cost.runs_text}, about {duration_text(cost.duration_ns)},"
        f" {size_text(cost.read_bytes)} to be read at {rate_text(cost.rate_bytes_per_s)}."
    )
    click.echo(text, err=True)
    if long and cost.portion_bytes:
        hint = request_text(cost.portion_bytes).replace(" ", "")
        click.echo(
            f"That is long. A part that stands for the whole model: --portion {hint}", err=True
        )


def _run_all(session: CompareSession, bar: ProgressBar) -> None:
    while (step := session.next_job()) is not None:
        label, job = step
        prefix = f"{session.place.capitalize()}: {label} "
        record = run_job(job, partial(bar.follow, prefix))
        session.add(record)


def _show(comparison: Comparison, preflight: Preflight) -> None:
    out = console()
    verdict = comparison.verdict
    out.print(verdict.sentence, style="bold")
    out.print(verdict.reason)
    out.print(verdict.caveat, style="dim")
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("Strategy")
    for heading in ("Median", "Range", "Rate", "IO-wait", "Peak RSS", "Runs"):
        table.add_column(heading, justify="right")
    for arm in (comparison.arm_a, comparison.arm_b):
        table.add_row(*_row(arm))
    out.print(table)
    for label, runs in (("A", comparison.runs_a), ("B", comparison.runs_b)):
        for run in runs:
            if not run.counts:
                out.print(f"Not counted: {label}, {run.why_not}", style="yellow")
        for run in outliers(runs):
            out.print(f"Outlier, counted: {label}, {_outlier(run)}", style="yellow")
    out.print(f"Confidence: {verdict.confidence} ({verdict.confidence_reason}).")
    if verdict.winner in ("A", "B") and verdict.sensitivity:
        out.print(verdict.sensitivity, style="dim")
    out.print(f"{preflight.model.name}, {comparison.cache} starts.", style="dim")


def _outlier(run: RunResult) -> str:
    score = f"modified Z-score {run.modified_z:.1f}" if run.modified_z is not None else ""
    return f"pair {run.pair + 1} took {duration_text(run.wall_ns)} ({score})."


def _row(arm: ArmSummary) -> tuple[str, ...]:
    spread = f"{duration_text(arm.fastest_ns)} to {duration_text(arm.slowest_ns)}"
    wait = percent_text(arm.io_wait_share) if arm.io_wait_share is not None else "not known"
    peak = size_text(arm.peak_rss_bytes) if arm.peak_rss_bytes is not None else "not known"
    kept = f"{arm.runs}" if not arm.discarded else f"{arm.runs} of {arm.runs + arm.discarded}"
    rate = rate_text(arm.bytes_per_s)
    return arm.label, arm.strategy, duration_text(arm.median_ns), spread, rate, wait, peak, kept

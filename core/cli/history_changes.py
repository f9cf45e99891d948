"""`modelmon history changes`: is what was fast last month still as fast?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.table import Table

from modelmon.core.cli.history_options import SinceType, here_option
from modelmon.core.cli.history_texts import when_text
from modelmon.core.cli.options import json_option
from modelmon.core.cli.output import console, print_json
from modelmon.core.experiment.changes import changes
from modelmon.core.history.history import History
from modelmon.core.machine.origin import this_machine
from modelmon.core.units import duration_text, percent_text, three_figures

if TYPE_CHECKING:
    from modelmon.core.experiment.changes import Change, Finding

_TEXTS: dict[Finding, str] = {
    "faster": "faster now",
    "slower": "slower now",
    "no-difference": "no clear change",
    "undecided": "no clear change",
    "too-few": "too few experiments",
}
_STYLES: dict[Finding, str] = {"faster": "green", "slower": "bold red"}


@click.command("changes")
@click.option(
    "--since",
    type=SinceType(),
    default="30d",
    show_default=True,
    help="The day between before and since: 30d, 12h, 2026-11-21.",
)
@here_option
@json_option
def command(since: float, only_here: bool | None, as_json: bool) -> None:
    """Compare the same loads before and after a day, on the same machine and disk.

    Each experiment counts once, by its median run. A clear result needs about 5 experiments on
    each side. Shows only this machine's, unless --all is given.
    """
    machine_id = this_machine().id
    found = changes(History(), since, None if only_here is False else machine_id)
    if as_json:
        print_json({"machine_id": machine_id, "since_unix_s": since, "changes": found})
    else:
        _show(found, since, machine_id)


def _show(found: list[Change], since: float, machine_id: str) -> None:
    out = console()
    if not found:
        out.print(f"No load was measured both before and after {when_text(since)}.")
        return
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("Model", "Strategy", "Start", "Where"):
        table.add_column(heading)
    for heading in ("Before", "Since", "Speed vs. before"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for change in found:
        table.add_row(*_cells(change, machine_id), style=_STYLES.get(change.finding, ""))
    out.print(table)
    for change in found:
        if change.also_changed:
            what = "; ".join(change.also_changed)
            out.print(f"{change.model_name}, {change.strategy}, {change.cache_state}: {what}")
    out.print(
        f"Before and since {when_text(since)}; number of experiments in parentheses.", style="dim"
    )


def _cells(change: Change, machine_id: str) -> tuple[str, ...]:
    elsewhere = "" if change.machine_id == machine_id else f"another machine ({change.cpu_model}), "
    times = f"{three_figures(change.ratio)}×"
    low, high, coverage = change.ratio_low, change.ratio_high, change.coverage_share
    if low is not None and high is not None and coverage is not None:
        times += f" ({percent_text(coverage)}: {three_figures(low)}–{three_figures(high)})"
    return (
        change.model_name,
        change.strategy,
        change.cache_state,
        f"{elsewhere}{change.storage}",
        f"{duration_text(change.before_ns)} ({change.before_experiments})",
        f"{duration_text(change.since_ns)} ({change.since_experiments})",
        times,
        _TEXTS[change.finding],
    )

"""`modelmon history compare`: kept runs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.table import Table

from modelmon.core.cli.history_options import references_argument, runs_called
from modelmon.core.cli.options import json_option
from modelmon.core.cli.output import console, print_json
from modelmon.core.experiment.history.groups import is_follow_up, side_by_side
from modelmon.core.experiment.history.history import History
from modelmon.core.units import counted, duration_text, rate_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.experiment.history.groups import Group
    from modelmon.core.experiment.history.rows import RunRow


@click.command("compare")
@references_argument
@json_option
def command(references: tuple[str, ...], as_json: bool) -> None:
    """Set runs, experiments or arms side by side: medians, and how many times as fast.

    What was measured on another machine or disk, with another model, part, delivery or start
    state gets no ratio, and says why. Arms of one comparison or race took turns: their ratio is
    that of their pairs. For a decision use modelmon compare.
    """
    history = History()
    named = [group for reference in references for group in _groups(history, reference)]
    if len(named) < 2:
        raise click.UsageError("Give two or more IDs, or an experiment with two arms.")
    groups = side_by_side(named)
    if as_json:
        print_json({"groups": groups})
    else:
        _show(groups)


def _groups(history: History, reference: str) -> Iterator[tuple[str, list[RunRow]]]:
    """What a reference stands for; an experiment for each of its arms."""
    arms: dict[str, list[RunRow]] = {}
    whole = reference.startswith("x")
    for row in runs_called(history, reference):
        if not whole or (row.position is not None and not is_follow_up(row)):
            arms.setdefault(row.label, []).append(row)
    for _, rows in sorted(arms.items()):
        yield rows[0].experiment if whole else reference, rows


def _show(groups: list[Group]) -> None:
    out = console()
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("ID", "Model", "Strategy", "Start"):
        table.add_column(heading)
    for heading in ("Median", "Range", "Rate", "Runs", "As fast as the first"):
        table.add_column(heading, justify="right")
    for group in groups:
        table.add_row(*_cells(group), style="yellow" if group.differs else "")
    out.print(table)
    for group in groups:
        if group.differs:
            text = f"{group.name} cannot be compared with the first: {', '.join(group.differs)}."
            out.print(text, style="bold yellow")
    for text in _turns(groups):
        out.print(text, style="dim")


def _turns(groups: Sequence[Group]) -> Iterator[str]:
    """How the ratios were made: by pairs, or by medians of runs that did not take turns."""
    first, *others = groups
    for group in others:
        if group.pairs:
            pairs = counted(group.pairs, "pair")
            yield f"{group.name} took turns with {first.name}: the ratio is the median of {pairs}."
    apart = [group.name for group in others if not group.pairs and group.times_as_fast]
    if apart:
        names = ", ".join(apart)
        yield (
            f"{names} did not take turns with {first.name}: the ratio is that of"
            " medians, and whatever else changed in between is in it."
        )
    yield (
        "No interval is given here; the verdict of a comparison has one (modelmon history show,"
        " modelmon compare)."
    )


def _cells(group: Group) -> tuple[str, ...]:
    middle, rate, spread, times = "none", "", "", "not comparable"
    if group.median_ns is not None and group.bytes_per_s is not None:
        middle, rate = duration_text(group.median_ns), rate_text(group.bytes_per_s)
    if group.fastest_ns is not None and group.slowest_ns is not None:
        spread = f"{duration_text(group.fastest_ns)} to {duration_text(group.slowest_ns)}"
    if group.times_as_fast is not None:
        times = f"{three_figures(group.times_as_fast)} times"
    total = group.runs + group.discarded
    runs = f"{group.runs} of {total}" if group.discarded else f"{group.runs}"
    head = (group.name, group.model_name, group.strategy, group.cache_state)
    return (*head, middle, spread, rate, runs, times)

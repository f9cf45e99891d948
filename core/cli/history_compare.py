"""`modelmon history compare`: kept runs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.cli.history_options import references_argument, runs_called
from modelmon.core.cli.layout import Column, Listing
from modelmon.core.cli.options import json_option
from modelmon.core.cli.output import console, print_json
from modelmon.core.comparison.judge import usual_ratio
from modelmon.core.history.groups import side_by_side, without_follow_ups
from modelmon.core.history.history import History
from modelmon.core.units import counted, duration_text, percent_text, rate_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.history.groups import Group
    from modelmon.core.history.rows import RunRow


@click.command("compare")
@references_argument
@json_option
def command(references: tuple[str, ...], as_json: bool) -> None:
    """Compare runs, experiments, or their A and B: medians and speedups.

    Runs from another machine or disk, or with another model, part, delivery, or start state get
    no speedup, and the reason is shown. The strategies of one experiment alternated, so their
    speedup is taken from pairs. For a decision, use modelmon compare.
    """
    history = History()
    named = [group for reference in references for group in _groups(history, reference)]
    if len(named) < 2:
        raise click.UsageError("Give two or more IDs, or an experiment with two arms.")
    groups = side_by_side(named, usual_ratio)
    if as_json:
        print_json({"groups": groups})
    else:
        _show(groups)


def _groups(history: History, reference: str) -> Iterator[tuple[str, list[RunRow]]]:
    """What a reference stands for; an experiment for each of its arms."""
    arms: dict[str, list[RunRow]] = {}
    rows, whole = runs_called(history, reference), reference.startswith("x")
    for row in without_follow_ups(rows) if whole else rows:
        arms.setdefault(row.label, []).append(row)
    for _, rows in sorted(arms.items()):
        yield rows[0].experiment if whole else reference, rows


def _show(groups: list[Group]) -> None:
    out = console()
    table = Listing(
        Column("ID", lead=True),
        Column("Model"),
        Column("Strategy", lead=True),
        Column("Start"),
        Column("Median", right=True, lead=True),
        Column("Range", right=True),
        Column("Part", right=True, lead=True),
        Column("Rate", right=True),
        Column("Runs", right=True, named=True),
        Column("Speedup", right=True, named=True),
    )
    for group in groups:
        table.add_row(*_cells(group), style="yellow" if group.differs else "")
    out.print(table)
    first, *others = groups
    for group in others:
        if group.differs:
            text = f"{group.name} can't be compared with {first.name}: {', '.join(group.differs)}."
            out.print(text, style="bold yellow")
    for text in _turns(groups):
        out.print(text, style="dim")


def _turns(groups: Sequence[Group]) -> Iterator[str]:
    """How the ratios were made: by pairs, or by medians of runs that did not take turns."""
    first, *others = groups
    for group in others:
        if group.pairs:
            pairs = counted(group.pairs, "pair")
            yield (f"{group.name} alternated with {first.name}: the speedup is that of {pairs}.")
    apart = [group.name for group in others if not group.pairs and group.times_as_fast]
    if apart:
        names = ", ".join(apart)
        yield (
            f"{names} didn't alternate with {first.name}, so the speedup of the medians includes"
            " whatever else changed in between."
        )
    yield (
        "For a confidence interval, see the verdict of a comparison (modelmon history show,"
        " modelmon compare)."
    )


def _cells(group: Group) -> tuple[str, ...]:
    middle, rate, spread, part, times = "none", "", "", "", "not comparable"
    if group.median_ns is not None and group.bytes_per_s is not None:
        middle, rate = duration_text(group.median_ns), rate_text(group.bytes_per_s)
    if group.fastest_ns is not None and group.slowest_ns is not None:
        spread = f"{duration_text(group.fastest_ns)} to {duration_text(group.slowest_ns)}"
    if group.times_as_fast is not None:
        times = f"{three_figures(group.times_as_fast)}×"
    total = group.runs + group.discarded
    runs = f"{group.runs} of {total}" if group.discarded else f"{group.runs}"
    if group.part_share is not None:
        # What a part took stands in no column of whole loads.
        part = f"{middle} for {percent_text(group.part_share)} of the model"
        part += f", {spread}" if group.runs > 1 else ""
        middle = spread = ""
    head = (group.name, group.model_name, group.strategy, group.cache_state)
    return (*head, middle, spread, part, rate, runs, times)

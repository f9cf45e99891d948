"""`modelmon history`: what was measured before, on this machine and on others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from modelmon.core.cli import (
    history_changes,
    history_compare,
    history_edit,
    history_show,
)
from modelmon.core.cli.history_options import SinceType, here_option
from modelmon.core.cli.history_texts import (
    model_text,
    start_text,
    time_texts,
    when_text,
    where_text,
)
from modelmon.core.cli.layout import Column, Listing
from modelmon.core.cli.options import json_option
from modelmon.core.cli.output import console, print_document, print_json, tell
from modelmon.core.export.atomic import write_text_atomic
from modelmon.core.export.csv_tables import runs_csv
from modelmon.core.history.history import History
from modelmon.core.history.rows import RunFilter, Sort
from modelmon.core.machine.origin import this_machine
from modelmon.core.units import rate_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.history.rows import RunRow

_STANDARD_OUTPUT = "-"
_MOST_ROWS = 50
_MOST_LIMIT = 10**9


@click.group("history", invoke_without_command=True)
@click.option("--model", help="Only models with this text in their name.")
@click.option("--strategy", help="Only strategies with this text in their name.")
@click.option("--since", type=SinceType(), help="Only runs since this time: 30d, 12h, 2026-11-21.")
@click.option(
    "--cache", type=click.Choice(("cold", "warm", "mixed", "unknown")), help="Start state."
)
@click.option("--starred", is_flag=True, help="Only starred runs.")
@here_option
@click.option("--sort", type=click.Choice(get_args(Sort)), default="when", show_default=True)
@click.option(
    "--limit",
    type=click.IntRange(min=1, max=_MOST_LIMIT),
    help=f"Most rows.  [default: {_MOST_ROWS}; files: all]",
)
@click.option(
    "csv_path",
    "--csv",
    type=click.Path(),
    help="Write the runs as CSV; - is standard output.",
)
@json_option
@click.pass_context
def command(  # noqa: PLR0913, PLR0917  one parameter per option
    context: click.Context,
    model: str | None,
    strategy: str | None,
    since: float | None,
    cache: str | None,
    starred: bool,
    only_here: bool | None,
    sort: Sort,
    limit: int | None,
    csv_path: str | None,
    as_json: bool,
) -> None:
    """List saved runs; those from another machine are marked.

    An ID is a run's number; x7 is an experiment with all its runs, x7A only its A; c3 is a
    measurement on a cluster, which `clusters` lists.
    """
    if context.invoked_subcommand is not None:
        return
    if as_json and csv_path == _STANDARD_OUTPUT:
        raise click.UsageError("Standard output is for one of them: --json, or --csv -.")
    machine_id = this_machine().id
    everything = as_json or csv_path is not None
    wanted = RunFilter(
        model=model,
        strategy=strategy,
        cache=cache,
        since_unix_s=since,
        machine_id=machine_id if only_here else None,
        starred=True if starred else None,
        sort=sort,
        limit=limit or (-1 if everything else _MOST_ROWS),
    )
    rows = History().runs(wanted)
    if csv_path == _STANDARD_OUTPUT:
        print_document(runs_csv(rows))
    elif csv_path is not None:
        write_text_atomic(Path(csv_path), runs_csv(rows))
        tell(f"Wrote {len(rows)} runs to {csv_path}.")
    if as_json:
        print_json({"machine_id": machine_id, "runs": rows})
    elif csv_path is None:
        _show(rows, machine_id)


for _command in (
    history_show.show,
    history_show.events,
    history_show.clusters,
    history_compare.command,
    history_changes.command,
    history_edit.import_files,
    history_edit.delete,
    history_edit.star,
    history_edit.name,
):
    command.add_command(_command)


def _show(rows: Sequence[RunRow], machine_id: str) -> None:
    out = console()
    if not rows:
        out.print("No runs found. modelmon run, compare, and best save theirs here.")
        return
    table = Listing(
        Column("ID", right=True, lead=True),
        Column("", lead=True),
        Column("When"),
        Column("Model"),
        Column("Strategy", lead=True),
        Column("Start"),
        Column("Time", right=True, lead=True),
        Column("Part", right=True, lead=True),
        Column("Rate", right=True, lead=True),
        Column("Experiment"),
        Column("Where"),
        Column("Name"),
    )
    for row in rows:
        table.add_row(
            str(row.id),
            "★" if row.starred else "",
            when_text(row.started_unix_s),
            model_text(row),
            row.strategy_text,
            start_text(row),
            *time_texts(row, row.wall_ns),
            rate_text(row.bytes_per_s),
            row.experiment,
            where_text(row, machine_id),
            row.name,
            style="yellow" if row.machine_id != machine_id else "" if row.counts else "dim",
        )
    out.print(table)

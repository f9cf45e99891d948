"""`modelmon history import`, `delete`, `star` and `name`: what is kept, and as what.

Recordings made elsewhere are kept apart from this machine's runs.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from modelmon.core.cli.history_options import ids_called, references_argument
from modelmon.core.cli.options import source_path
from modelmon.core.cli.output import tell
from modelmon.core.cluster.kept import number_called
from modelmon.core.history.history import History
from modelmon.core.history.importing import import_recording
from modelmon.core.units import counted

if TYPE_CHECKING:
    from pathlib import Path


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=source_path, metavar="FILE...")
def import_files(files: tuple[Path, ...]) -> None:
    """Import .jsonl recordings into the history.

    A recording can't prove which machine and disk it is from, so each run is listed as imported,
    with the origin it states, and is never compared with others.
    """
    history = History()
    for path in files:
        run_id = import_recording(history, path)
        tell(f"Imported {path} as run {run_id}.")


@click.command("delete")
@references_argument
@click.option("--yes", is_flag=True, help="Don't ask.")
def delete(references: tuple[str, ...], yes: bool) -> None:
    """Delete runs with their recordings; x7 deletes an experiment, c3 a cluster measurement."""
    history = History()
    clusters = [number for each in references if (number := number_called(each)) is not None]
    for number in clusters:
        history.cluster_result(number)  # says if there is none
    runs = tuple(each for each in references if number_called(each) is None)
    ids = ids_called(history, runs)
    what = [counted(len(ids), "run")] if ids or not clusters else []
    what += [counted(len(clusters), "cluster measurement")] if clusters else []
    told = " and ".join(what)
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError(f"This deletes {told}: add --yes where nobody can be asked.")
        click.confirm(f"Delete {told}?", abort=True, err=True)
    history.delete(ids)
    history.delete_clusters(clusters)
    tell(f"Deleted {told}.")


@click.command("star")
@references_argument
@click.option("--off", is_flag=True, help="Remove the star.")
def star(references: tuple[str, ...], off: bool) -> None:
    """Star runs to find them again; their recordings are kept longest."""
    history = History()
    history.star(ids_called(history, references), starred=not off)


@click.command("name")
@click.argument("run_id", type=int, metavar="ID")
@click.argument("text", metavar="NAME")
def name(run_id: int, text: str) -> None:
    """Name a run; an empty name removes it."""
    history = History()
    (known,) = ids_called(history, (str(run_id),))
    history.rename(known, text)

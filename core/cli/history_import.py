"""`modelmon history import`: recordings made elsewhere, kept apart from this machine's runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.cli.options import source_path
from modelmon.core.history.history import History
from modelmon.core.history.importing import import_recording

if TYPE_CHECKING:
    from pathlib import Path


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=source_path, metavar="FILE...")
def command(files: tuple[Path, ...]) -> None:
    """Import .jsonl recordings into the history.

    A recording can't prove which machine and disk it is from, so each run is listed as imported,
    with the origin it states, and is never compared with others.
    """
    history = History()
    for path in files:
        run_id = import_recording(history, path)
        click.echo(f"Imported {path} as run {run_id}.", err=True)

"""`modelmon history import`: recordings made elsewhere, kept apart from this machine's runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.cli.options import source_path
from modelmon.core.experiment.history.history import History
from modelmon.core.experiment.history.importing import import_recording

if TYPE_CHECKING:
    from pathlib import Path


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=source_path, metavar="FILE...")
def command(files: tuple[Path, ...]) -> None:
    """Take .jsonl recordings into the history.

    A recording does not say for sure which machine and disk it is of, so each run is listed as
    imported, with what it says of its origin, and is never set against others.
    """
    history = History()
    for path in files:
        run_id = import_recording(history, path)
        click.echo(f"Took {path} into the history as run {run_id}.", err=True)

"""`modelmon replay`: a recorded run, in the window."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from modelmon.core.cli.options import source_path
from modelmon.core.worker.record import read_record

if TYPE_CHECKING:
    from pathlib import Path


@click.command("replay")
@click.argument("recording", type=source_path)
def command(recording: Path) -> int:
    """Show RECORDING, saved by `modelmon run --record`, in the window."""
    read_record(recording)
    # By name: the engine knows no window, and without Qt every other command still works.
    try:
        window = import_module("modelmon.__main__")
    except ImportError as error:
        raise click.ClickException(f"The window cannot start: {error}") from error
    code: int = window.open_window([str(recording)])
    return code

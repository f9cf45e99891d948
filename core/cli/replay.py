"""`modelmon replay`: a recorded run, in the window."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from modelmon.core.worker.record import read_record


@click.command("replay")
@click.argument("recording", type=click.Path(path_type=Path))
def command(recording: Path) -> int:
    """Show RECORDING, a file that `modelmon run --record` saved, in the window."""
    read_record(recording)
    # By name: the engine knows no window, and without Qt every other command still works.
    try:
        window = import_module("modelmon.__main__")
    except ImportError as error:
        raise click.ClickException(f"The window cannot start: {error}") from error
    code: int = window.open_window([str(recording)])
    return code

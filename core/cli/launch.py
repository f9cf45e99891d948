"""`modelmon launch`: a program, and beside it a reader that is ahead of it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli import argument, declared, option
from modelmon.core.errors import ConfigError
from modelmon.core.load.config import PRESETS
from modelmon.core.machine.processes import start_companion
from modelmon.core.messages import Message
from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOT_FOUND, _NOT_RUN = 127, 126
"""Exit codes of a command that is not there, and of one that cannot be run, as shells have them."""

STRATEGY = option(
    "--strategy",
    type=click.Choice([name for name, each in PRESETS.items() if each.config.access == "read"]),
    help="Strategy.  [default: as many readers as are fastest]",
)
QUIET = option("--quiet", "-q", is_flag=True, help="Print errors only.")


@click.command("launch")
@declared
def command(
    path: Path = argument(type=click.Path(path_type=Path)),
    command: tuple[str, ...] = argument(
        nargs=-1, required=True, type=click.Path(readable=False), metavar="-- COMMAND..."
    ),
    warm_first: bool = option(help="Fill the page cache before the program starts."),
    strategy: str | None = STRATEGY,
    quiet: bool = QUIET,
) -> int:
    """Start a program and read its model ahead.

    Fills the page cache with the model while the program starts. modelmon becomes the program: it
    has the same process, input, output, exit code and signals. Reading ahead ends with it.
    """
    if sys.platform != "linux":
        raise ConfigError(Message("Programs can be launched on Linux only."))
    beside = None if warm_first else os.getpid()

    def read_ahead() -> None:
        # Imported beside the program, which need not wait for it.
        from modelmon.core.cli import read_ahead  # noqa: PLC0415

        read_ahead.read_ahead(beside, path, strategy, quiet=quiet)

    if shutil.which(command[0]) is not None:
        try:
            # Said by this process: the other one ends with the program, which may end at once.
            path.stat()
            if warm_first:
                read_ahead()
            else:
                start_companion(read_ahead)
        except OSError as error:
            # The program is what was asked for.
            _say(f"modelmon: {path.name} isn't warmed: {error.strerror}.")
    return _become(command)


def _become(command: Sequence[str]) -> int:
    """Go on as this command; returns where that cannot be."""
    # Python ignores them, and a program inherits what is ignored.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], list(command))
    except FileNotFoundError:
        _say(f"There's no command called {command[0]} here.")
        return _NOT_FOUND
    except OSError as error:
        _say(f"Couldn't start {command[0]}: {error.strerror}.")
        return _NOT_RUN


def _say(text: str) -> None:
    """Without what `output.tell` imports: the program is waiting."""
    click.echo(one_line(text), err=True)

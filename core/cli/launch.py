"""`modelmon launch`: a program, and beside it a reader that is ahead of it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import click

from modelmon.core.cli.options import path_argument
from modelmon.core.cli.warming import quiet_option, strategy_option, warming_of
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.machine.companion import start_companion
from modelmon.core.machine.process_tree import descendants
from modelmon.core.machine.users import reads_directly
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from modelmon.core.load.warming import Warming

_NOT_FOUND, _NOT_RUN = 127, 126
"""Exit codes of a command that is not there, and of one that cannot be run, as shells have them."""
_LOOK_S = 0.5


@click.command("launch")
@path_argument
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
@strategy_option
@quiet_option
def command(path: Path, command: tuple[str, ...], strategy: str | None, quiet: bool) -> int:
    """Start a program, and fill the page cache with its model ahead of it.

    modelmon becomes the program: it keeps its process, its input and output and its exit code, and
    gets its signals. What reads ahead ends with it.
    """
    if sys.platform != "linux":
        raise ConfigError(Message("Programs can be launched on Linux only."))

    def say(text: str) -> None:
        if not quiet:
            click.echo(f"modelmon: {text}", err=True)

    if shutil.which(command[0]) is not None:
        try:
            with closing(warming_of(path, strategy)) as warming:
                say(f"{path.name}: {warming.plan}")
                if not warming.obstacle:
                    pid = os.getpid()
                    start_companion(lambda: _warm(warming, pid, say))
        except (ModelmonError, OSError) as error:
            # Whatever keeps the model from being warmed, the program is what was asked for.
            click.echo(f"modelmon: {path.name} isn't warmed. {error}", err=True)
    return _become(command)


def _warm(warming: Warming, pid: int, say: Callable[[str], None]) -> None:
    """Read ahead of process `pid`; says what speaks against it, and nothing where all goes well."""
    threading.Thread(target=_look_for_direct_reads, args=(warming, pid, say), daemon=True).start()
    try:
        notes = warming.run(lambda _: None).notes
        for note in notes:
            if note != warming.limit:
                say(note)
    except ModelmonError as error:
        say(str(error))


def _look_for_direct_reads(warming: Warming, pid: int, say: Callable[[str], None]) -> None:
    while True:
        time.sleep(_LOOK_S)
        if reads_directly([pid, *descendants(pid)], warming.paths):
            say("The program uses direct I/O, which the page cache doesn't help: warming ends.")
            os._exit(0)


def _become(command: Sequence[str]) -> int:
    """Go on as this command; returns where that cannot be."""
    # Python ignores them, and a program inherits what is ignored.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], list(command))
    except FileNotFoundError:
        click.echo(f"There's no command called {command[0]} here.", err=True)
        return _NOT_FOUND
    except OSError as error:
        click.echo(f"Couldn't start {command[0]}: {error.strerror}.", err=True)
        return _NOT_RUN

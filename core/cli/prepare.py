"""Before a measurement: whom it disturbs is asked about, and the user's own command is run.

With `--prepare` whoever can drop a server's cache, remount a filesystem or stop a service does
it before each run, from here and never later. The worker runs no commands: a recording or a job
that comes from elsewhere cannot start one.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli.output import tell
from modelmon.core.comparison.commands import command_words, recorded_commands
from modelmon.core.errors import BusyError, ConfigError, ModelmonError
from modelmon.core.messages import Message
from modelmon.core.terminal_safe import plain, without_controls
from modelmon.core.worker.admission import busy_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.comparison.commands import Commands
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.history.rows import ArmOf

_MOST_OUTPUT_LINES = 20

prepare_option = click.option(
    "prepare",
    "--prepare",
    metavar="CMD",
    default="",
    help="Run this shell command before each run, before the cache is set and checked.",
)


class PrepareFailedError(ModelmonError):
    """The command of --prepare ended with an error; nothing was measured after it."""


def agree_to_disturb(inspection: Inspection, *, yes: bool) -> bool:
    """Return if there is nobody to disturb, or the user agrees: by --yes, or when asked, which then
    counts as --yes. What is known of the choice of files is noted before.

    Raises BusyError where nobody can be asked, click.Abort where the answer is no.
    """
    for note in inspection.model.notes:
        tell(f"Note: {note}")
    if not inspection.users or yes:
        return yes
    error = busy_error(inspection.users, Path(inspection.model.path).name)
    if not sys.stdin.isatty():
        raise BusyError(
            error.message, Message("{remedy} Go ahead anyway with --yes.", remedy=error.remedy)
        )
    return click.confirm(f"{error.message} Measure anyway?", abort=True, err=True)


def agree_to_run(arms: Sequence[ArmOf], given: Commands) -> Commands:
    """The commands of a stored experiment's arms, by their labels, that may be run again.

    What a stored file holds is run only where the person sees it in full and agrees, or gives the
    same again: raises ConfigError where it is another, or nobody can be asked, click.Abort where
    the answer is no. --yes is no answer to that: it is about who else uses the model.
    """
    stored = recorded_commands(arms)
    other = next((label for label in given if shlex.join(given[label]) != stored.get(label)), None)
    if other is not None:
        raise ConfigError(
            Message("{label} of the experiment isn't this command.", label=other),
            Message("Leave it out to see which it was."),
        )
    open_still = {label: text for label, text in stored.items() if label not in given}
    if not open_still:
        return given
    for label, text in open_still.items():
        click.echo(f"{label}: {without_controls(text)}", err=True)
    if not sys.stdin.isatty():
        raise ConfigError(
            Message("Resuming runs the commands above, and nobody is here to agree."),
            Message("Resume in a terminal, or give the same commands again."),
        )
    click.confirm("Resuming runs this again. Go on?", abort=True, err=True)
    return {label: command_words(text) for label, text in stored.items()}


def check_prepare(command: str, server: str) -> None:
    """Raise ConfigError where the command of --prepare would not run where the model is."""
    if command and server:
        raise ConfigError(
            Message("--prepare runs commands here, and the model is on {server}.", server=server),
            Message("Leave it out, or run modelmon on the server."),
        )


def run_prepare(command: str) -> None:
    """Run the command and wait for it; nothing if it is empty.

    What it prints is only shown if it fails, which raises PrepareFailedError.
    """
    if not command:
        return
    done = subprocess.run(
        command,
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if not done.returncode:
        return
    lines = done.stdout.splitlines()
    sys.stderr.writelines(f"{plain(line)}\n" for line in lines[-_MOST_OUTPUT_LINES:])
    raise PrepareFailedError(
        Message(
            "The --prepare command failed with exit code {returncode}: {command}",
            returncode=done.returncode,
            command=command,
        ),
        Message("See its output above. Run it on its own until it succeeds."),
    )

"""Before a measurement: whom it disturbs is asked about, and the user's own command is run.

With `--prepare` whoever can drop a server's cache, remount a filesystem or stop a service does
it before each run, from here and never later. The worker runs no commands: a recording or a job
that comes from elsewhere cannot start one.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import click

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import Message
from modelmon.core.worker.admission import BusyError, busy_error

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.machine.users import FileUser

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


def agree_to_disturb(users: Sequence[FileUser], path: Path, *, yes: bool) -> None:
    """Return if there is nobody to disturb, or the user agrees: by --yes, or when asked.

    Raises BusyError where nobody can be asked, click.Abort where the answer is no.
    """
    if not users or yes:
        return
    error = busy_error(users, path.name)
    if not sys.stdin.isatty():
        raise BusyError(
            error.message, Message("{remedy} Go ahead anyway with --yes.", remedy=error.remedy)
        )
    click.confirm(f"{error.message} Measure anyway?", abort=True, err=True)


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
    sys.stderr.writelines(f"{line}\n" for line in lines[-_MOST_OUTPUT_LINES:])
    raise PrepareFailedError(
        Message(
            "The --prepare command failed with exit code {returncode}: {command}",
            returncode=done.returncode,
            command=command,
        ),
        Message("See its output above. Run it on its own until it succeeds."),
    )

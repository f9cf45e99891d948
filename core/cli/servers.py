"""Models on servers for subcommands: connects first, while ssh can ask the person."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import click

from modelmon.core.cli.options import given_options
from modelmon.core.cli.output import asks_for_messages
from modelmon.core.doctor.inspection import inspect_at
from modelmon.core.errors import EXIT_CANCELLED
from modelmon.core.export.places import check_place
from modelmon.core.machine.processes import descendants
from modelmon.core.messages import MESSAGES, TYPED
from modelmon.core.worker.child_process import program

if TYPE_CHECKING:
    from collections.abc import Collection

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.remote import Place


def reach(server: str) -> None:
    """Open the connection to a server, if there is one; where it has no modelmon, offer to copy it.

    Raises ModelmonError where it cannot be used, click.Abort where the answer is no.
    """
    if not server:
        return
    from modelmon.core.remote import connection  # noqa: PLC0415  most models are here

    try:
        connection.reach(server)
    except connection.NotInstalledError as error:
        if not sys.stdin.isatty():
            raise
        click.confirm(
            f"{error.message} Copy it to ~/.cache/modelmon/remote there?",
            default=True,
            abort=True,
            err=True,
        )
        connection.install(server)


def inspect_reached(place: Place, ignored_pids: Collection[int] = ()) -> Inspection:
    """Open a model's headers and look at what it lies on, on its server if it has one.

    Here `ignored_pids` are none of its users.
    """
    if place.server and not place.path:
        raise click.UsageError(f"Say which model: {place.server}/PATH.")
    reach(place.server)
    return inspect_at(place, ignored_pids)


def check_reached(place: Place | None) -> None:
    """Raise ModelmonError if results can't be written there, on its server if it has one; where
    none are to be, it's fine.
    """
    if place is not None:
        reach(place.server)
        check_place(place)


def run_there(server: str, *paths: str) -> int:
    """Run this subcommand on a server, with its options and the paths there, and show here what it
    prints; returns its exit code.

    For those that say all there is to say by themselves.
    """
    reach(server)
    context = click.get_current_context()
    _, *words = context.command_path.split()
    for name, spelled in given_options().items():
        if spelled.startswith("-"):
            value = context.params[name]
            words += [spelled] if value is True else [spelled, str(value)]
    with subprocess.Popen(
        program("modelmon", *words, "--", *filter(None, paths), server=server),
        env=os.environ | {MESSAGES: TYPED if asks_for_messages() else "text"},
        # Ends when this process does, however it ends: then the command there is ended, too.
        stdin=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        try:
            return child.wait()
        except KeyboardInterrupt:
            child.terminate()
            child.wait()
            return EXIT_CANCELLED


def window_pids() -> set[int]:
    """The window that started this process, and all that it started: none of them is another user
    of its model. A worker that ends may have that open yet.
    """
    return {os.getppid(), *descendants(os.getppid())} if asks_for_messages() else set()

"""How runs of the terminal get into the history, and what is said when they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.history.history import History

if TYPE_CHECKING:
    from modelmon.core.history.recorder import Recorder

no_history_option = click.option(
    "no_history", "--no-history", is_flag=True, help="Don't save this in the history."
)


def history_unless(no_history: bool) -> History | None:
    """The user's history; None where nothing is to be kept."""
    return None if no_history else History()


def tell_problem(recorder: Recorder) -> None:
    """Say why something was not kept, if so; the measurement is whole all the same."""
    if recorder.problem:
        click.echo(f"Not saved in the history: {recorder.problem}", err=True)

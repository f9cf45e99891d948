"""Asks before a measurement disturbs another process, or is disturbed by it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from modelmon.core.messages import Message
from modelmon.core.worker.admission import BusyError, busy_error

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.machine.users import FileUser


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

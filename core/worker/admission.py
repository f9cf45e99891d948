"""Who else uses the file: asked before a load, which would disturb them and be disturbed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from modelmon.core.errors import BusyError
from modelmon.core.machine.file_users import FileUser, users_of
from modelmon.core.machine.processes import descendants
from modelmon.core.messages import Message, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


def check_users(paths: Sequence[Path], allow_busy: bool, known_pid: int | None) -> list[FileUser]:
    """Other processes that use the files, but for those that descend from a known one and itself;
    raises BusyError unless that was agreed to.
    """
    known = [] if known_pid is None else [known_pid, *descendants(known_pid)]
    users = users_of(paths, {os.getpid(), os.getppid(), *known})
    if users and not allow_busy:
        raise busy_error(users, paths[0].name)
    return users


def busy_error(users: Sequence[FileUser], name: str) -> BusyError:
    """The error that says who uses the file `name`."""
    return BusyError(
        Message("{name} is in use: {users}.", name=name, users=describe_users(users)),
        Message("Measuring would slow it down, and the other way round."),
    )


def describe_users(users: Iterable[FileUser]) -> Message:
    """The users as a clause: `llama-server (process 4711) has it mapped`."""
    by_process: dict[tuple[int, str], set[str]] = {}
    for user in users:
        by_process.setdefault((user.pid, user.name), set()).add(user.how)
    clauses = (
        Message("{name} (process {pid}) maps it", name=name, pid=pid)
        if "mapped" in how
        else Message("{name} (process {pid}) has it open", name=name, pid=pid)
        for (pid, name), how in by_process.items()
    )
    return joined(clauses, ", ")

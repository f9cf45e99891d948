"""Runs that were set aside: nobody sees them, until they are brought back or deleted.

They belong to the process that set them aside, which alone can bring them back. Once it is gone,
also if it was killed, whoever writes next deletes them; so does a program on another machine
that shares the file, where no process of this one is known.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from modelmon.core.history.change import is_alive, owner

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection


def delete(connection: sqlite3.Connection, run_ids: Collection[int]) -> None:
    """Hide runs on behalf of this process."""
    me = owner()
    connection.executemany(
        "UPDATE runs SET aside_pid = :owner_pid,"
        " aside_started_unix_s = :owner_started_unix_s WHERE id = :id",
        [me | {"id": run_id} for run_id in run_ids],
    )


def restore(connection: sqlite3.Connection, run_ids: Collection[int]) -> list[int]:
    """Show runs again; returns those that were still there."""
    found = []
    for run_id in run_ids:
        changed = connection.execute(
            "UPDATE runs SET aside_pid = NULL, aside_started_unix_s = NULL WHERE id = ?", (run_id,)
        )
        found += [run_id] * changed.rowcount
    return found


def abandoned(connection: sqlite3.Connection) -> list[int]:
    """The runs that nobody can bring back any more."""
    rows = connection.execute(
        "SELECT id, aside_pid, aside_started_unix_s FROM runs WHERE aside_pid IS NOT NULL"
    )
    return [
        int(run_id)
        for run_id, pid, started_unix_s in rows
        if pid != os.getpid() and not is_alive(pid, started_unix_s)
    ]

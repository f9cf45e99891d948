"""How runs and experiments are entered, changed and deleted, in a transaction of the caller."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import psutil

import modelmon
from modelmon.core.history.file import HistoryError
from modelmon.core.messages import Message, to_wire

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

    from modelmon.core.history.origin import Origin
    from modelmon.core.history.rows import ArmOf, ExperimentRow, Kind, State
    from modelmon.core.worker.result import RunResult


# Two clocks tell when a process began; they agree to about this.
_SAME_START_S = 2.0

# What of a result has a column too, to be sorted, chosen and grouped by.
_REPEATED = (
    *("pair", "strategy", "started_unix_s", "cache_asked", "cache_state", "counts", "wall_ns"),
    *("bytes_per_s", "load_bytes", "model_bytes", "subset", "library_version"),
    *("peak_rss_bytes", "io_wait_share", "device_bytes"),
)


class NewRun(NamedTuple):
    """A run to be entered; `events` are the name and the size of its file."""

    experiment_id: int
    origin: Origin
    label: str
    result: RunResult
    events: tuple[str, int] | None = None


def insert_experiment(
    connection: sqlite3.Connection,
    kind: Kind,
    origin: Origin,
    arms: Collection[ArmOf],
    conditions: object,
) -> int:
    """A new experiment of this process, with its machine, storage and model."""
    machine, storage, model = origin.machine, origin.storage, origin.model
    _put_once(connection, "machines", msgspec.structs.asdict(machine))
    _put_once(connection, "storages", msgspec.structs.asdict(storage) | {"machine_id": machine.id})
    _put_once(
        connection,
        "models",
        {
            "digest": model.digest,
            "format": model.format,
            "nbytes": model.nbytes,
            "tensors": model.tensors,
        },
    )
    return _put(
        connection,
        "experiments",
        {
            "kind": kind,
            "state": "running",
            "created_unix_s": time.time(),
            "path": origin.path,
            "model_name": model.name,
            "model_digest": model.digest,
            "model_content": model.content,
            "storage_id": storage.id,
            "arms": stored_text(tuple(arms)),
            "conditions": stored_text(conditions),
            **_owner(),
        },
    )


def insert_run(connection: sqlite3.Connection, run: NewRun) -> int:
    """A finished run, as the next one of its experiment."""
    result, origin = run.result, run.origin
    (position,) = connection.execute(
        "SELECT coalesce(max(position) + 1, 0) FROM runs WHERE experiment_id = ?",
        (run.experiment_id,),
    ).fetchone()
    name, nbytes = run.events or (None, None)
    # What was said of the runs before isn't said of this one.
    connection.execute("UPDATE experiments SET verdict = NULL WHERE id = ?", (run.experiment_id,))
    return _put(
        connection,
        "runs",
        {
            "experiment_id": run.experiment_id,
            "position": position,
            "label": run.label,
            **{name: getattr(result, name) for name in _REPEATED},
            "config": stored_text(result.config),
            "deliver": result.config.deliver,
            "conditioned": result.conditioned_bytes > 0,
            "kernel": origin.kernel,
            "readahead_bytes": origin.readahead_bytes,
            "mount_options": origin.mount_options,
            "modelmon_version": modelmon.__version__,
            "result": stored_text(result),
            "events_file": name,
            "events_bytes": nbytes,
        },
    )


def end_experiment(
    connection: sqlite3.Connection, experiment_id: int, state: State, verdict: object
) -> None:
    """Its last state; nobody is at it any more. Without a new verdict it keeps the one it has."""
    connection.execute(
        "UPDATE experiments SET state = ?, verdict = coalesce(?, verdict), owner_pid = NULL"
        " WHERE id = ?",
        (state, None if verdict is None else stored_text(verdict), experiment_id),
    )


def take_over(connection: sqlite3.Connection, experiment_id: int, used_runs: int) -> None:
    """Make this process its owner; runs after the first `used_runs` are not its own any more."""
    row = connection.execute(
        "SELECT owner_pid, owner_started_unix_s FROM experiments WHERE id = ?", (experiment_id,)
    ).fetchone()
    if row is not None and row[0] is not None and _is_alive(int(row[0]), float(row[1])):
        raise HistoryError(
            Message(
                "Process {row} is still at experiment x{experiment_id}.",
                row=row[0],
                experiment_id=experiment_id,
            ),
            Message("Let it finish, or stop it."),
        )
    connection.execute(
        "UPDATE experiments SET state = 'running', owner_pid = :owner_pid,"
        " owner_started_unix_s = :owner_started_unix_s WHERE id = :id",
        _owner() | {"id": experiment_id},
    )
    connection.execute(
        "UPDATE runs SET position = NULL WHERE experiment_id = ? AND position >= ?",
        (experiment_id, used_runs),
    )


def update_runs(
    connection: sqlite3.Connection,
    run_ids: Collection[int],
    column: Literal["starred", "name"],
    value: object,
) -> None:
    """Set one column of runs."""
    connection.executemany(
        f"UPDATE runs SET {column} = ? WHERE id = ?", [(value, run_id) for run_id in run_ids]
    )


def delete_runs(connection: sqlite3.Connection, run_ids: Collection[int]) -> list[str]:
    """Delete runs, and experiments without any; returns the names of their events' files."""
    names: list[str] = []
    for run_id in run_ids:
        row = connection.execute("SELECT events_file FROM runs WHERE id = ?", (run_id,)).fetchone()
        names += [row[0]] if row is not None and row[0] else []
        connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
    connection.execute(
        "DELETE FROM experiments WHERE state <> 'running'"
        " AND id NOT IN (SELECT experiment_id FROM runs)"
    )
    return names


def set_aside(connection: sqlite3.Connection, run_ids: Collection[int]) -> None:
    """Hide runs until they are brought back or deleted.

    They belong to this process, which alone can bring them back. Once it is gone, also if it was
    killed, whoever writes next deletes them; so does a program on another machine that shares
    the file, where no process of this one is known.
    """
    me = _owner()
    connection.executemany(
        "UPDATE runs SET aside_pid = :owner_pid,"
        " aside_started_unix_s = :owner_started_unix_s WHERE id = :id",
        [me | {"id": run_id} for run_id in run_ids],
    )


def bring_back(connection: sqlite3.Connection, run_ids: Collection[int]) -> list[int]:
    """Show runs again; returns those that were still there."""
    found = []
    for run_id in run_ids:
        changed = connection.execute(
            "UPDATE runs SET aside_pid = NULL, aside_started_unix_s = NULL WHERE id = ?", (run_id,)
        )
        found += [run_id] * changed.rowcount
    return found


def abandoned(connection: sqlite3.Connection) -> list[int]:
    """The runs set aside that nobody can bring back any more."""
    rows = connection.execute(
        "SELECT id, aside_pid, aside_started_unix_s FROM runs WHERE aside_pid IS NOT NULL"
    )
    return [
        int(run_id)
        for run_id, pid, started_unix_s in rows
        if pid != os.getpid() and not _is_alive(pid, started_unix_s)
    ]


def forget_events(connection: sqlite3.Connection, kept_bytes: int) -> list[str]:
    """Forget the events of the oldest runs beyond `kept_bytes`, of starred ones last; returns
    the names of their files.
    """
    rows = connection.execute(
        "SELECT id, events_file, events_bytes FROM runs WHERE events_file IS NOT NULL"
        " ORDER BY starred DESC, id DESC"
    ).fetchall()
    names, total = [], 0
    for run_id, name, nbytes in rows:
        total += nbytes
        if total > kept_bytes:
            names.append(str(name))
            connection.execute(
                "UPDATE runs SET events_file = NULL, events_bytes = NULL WHERE id = ?", (run_id,)
            )
    return names


def events_files(connection: sqlite3.Connection) -> frozenset[str]:
    """The names of all files of events that runs have."""
    rows = connection.execute("SELECT events_file FROM runs WHERE events_file IS NOT NULL")
    return frozenset(str(name) for (name,) in rows)


def _put(connection: sqlite3.Connection, table: str, values: dict[str, object]) -> int:
    """Insert a row; returns its number."""
    return _insert(connection, table, values).lastrowid or 0


def _put_once(connection: sqlite3.Connection, table: str, values: dict[str, object]) -> None:
    """Insert a row, unless there is one with its key."""
    _insert(connection, table, values, "ON CONFLICT DO NOTHING")


def _insert(
    connection: sqlite3.Connection, table: str, values: dict[str, object], conflict: str = ""
) -> sqlite3.Cursor:
    names, holders = ", ".join(values), ", ".join(f":{name}" for name in values)
    return connection.execute(
        f"INSERT INTO {table} ({names}) VALUES ({holders}) {conflict}", values
    )


def _owner() -> dict[str, object]:
    """This process, as the one that is at an experiment."""
    me = psutil.Process()
    return {"owner_pid": me.pid, "owner_started_unix_s": me.create_time()}


def _is_alive(pid: int, started_unix_s: float) -> bool:
    """Whether the process that began then is still there, and is another than this."""
    if pid == os.getpid():
        return False
    try:
        return abs(psutil.Process(pid).create_time() - started_unix_s) < _SAME_START_S
    except psutil.Error:
        return False


def is_at_work(experiment: ExperimentRow) -> bool:
    """Whether another process than this is at it."""
    pid, started_unix_s = experiment.owner_pid, experiment.owner_started_unix_s
    return pid is not None and started_unix_s is not None and _is_alive(pid, started_unix_s)


def stored_text(value: object) -> str:
    """A value as the JSON that is stored of it."""
    return msgspec.json.encode(value, enc_hook=to_wire).decode()

"""How runs and experiments are entered, in a transaction that the caller holds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import msgspec

import modelmon
from modelmon.core.history.change import owner, stored_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

    from modelmon.core.history.origin import Origin
    from modelmon.core.history.rows import ArmOf, Kind
    from modelmon.core.worker.result import RunResult


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
            "storage_id": storage.id,
            "arms": stored_text(tuple(arms)),
            "conditions": stored_text(conditions),
            **owner(),
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
            "modelmon_version": modelmon.__version__,
            "result": stored_text(result),
            "events_file": name,
            "events_bytes": nbytes,
        },
    )


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

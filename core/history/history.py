"""The history: every run and experiment on this machine, for the terminal and the window.

Each call is a transaction of its own, so that an instance can be used from any thread. All of
them raise HistoryError where the file cannot be read or written.
"""

from __future__ import annotations

import contextlib
import os
import time
import zlib
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
import psutil

import modelmon
from modelmon.core.data_folder import data_folder
from modelmon.core.history.events import KEPT_BYTES, EventsFolder
from modelmon.core.history.file import SEE_RUNS, HistoryError, HistoryFile
from modelmon.core.history.rows import (
    ClusterRow,
    ExperimentRow,
    RunFilter,
    RunRow,
    Sort,
    stored_text,
    stored_value,
)
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.machine.processes import began_ticks
from modelmon.core.messages import Message, from_wire
from modelmon.core.worker.result import RunResult

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from modelmon.core.history.origin import Origin
    from modelmon.core.history.rows import Entrant, Kind, State
    from modelmon.core.worker.record import RunRecord

_Stored = TypeVar("_Stored")
_Row = TypeVar("_Row", RunRow, ExperimentRow, ClusterRow)
_EVERY_RUN = RunFilter()

# Two clocks tell when a process began; they agree to about this.
_SAME_START = 2.0
_ASIDE_S = 86_400.0
_MOST_CLUSTER_BYTES = 2**31
"""Of a cluster's result, unpacked."""

# What of a result has a column too, to be sorted, chosen and grouped by.
_REPEATED = (
    *("pair", "strategy", "started_unix_s", "cache_asked", "cache_state", "counts", "wall_ns"),
    *("bytes_per_s", "load_bytes", "model_bytes", "subset", "library_version"),
    *("peak_rss_bytes", "io_wait_share", "device_bytes"),
)
# What a part took or held says nothing beside wholes.
_PART = "(runs.subset <> '' OR coalesce(json_extract(runs.result, '$.portion'), 0))"
_ORDERS: dict[Sort, str] = {
    "when": "runs.started_unix_s DESC",
    "time": f"{_PART}, runs.wall_ns",
    "rate": "runs.bytes_per_s DESC",
    "model": "experiments.model_name COLLATE NOCASE",
    "strategy": "runs.strategy",
    "memory": f"{_PART}, runs.peak_rss_bytes IS NULL, runs.peak_rss_bytes",
    "wait": "runs.io_wait_share IS NULL, runs.io_wait_share",
    "name": "runs.name = '', runs.name COLLATE NOCASE",
}
# Only a run that was made for itself was ever asked to verify its bytes.
_VERIFIED = "coalesce(json_extract(experiments.conditions, '$.verify'), 0)"
# What was asked for: not each load has memory to touch, and for some that was in use before.
_CONDITIONED = "coalesce(json_extract(experiments.conditions, '$.condition_memory'), 1)"
# Its figures are in its result; the columns that repeat some are there to be sorted and chosen by.
_RUN_COLUMNS = f"""
    runs.id, runs.experiment_id, experiments.kind, experiments.state, runs.position, runs.label,
    runs.name, runs.starred, experiments.path, experiments.model_name,
    models.digest AS model_digest, experiments.model_content, runs.config AS config_json,
    runs.deliver, runs.bytes_per_s, runs.counts, {_CONDITIONED} AS condition_memory,
    machines.id AS machine_id, machines.cpu_model,
    machines.cpu_count, machines.ram_bytes, storages.id AS storage_id,
    storages.source AS storage_source, storages.device, storages.device_model,
    storages.filesystem, runs.kernel, runs.readahead_bytes, runs.mount_options,
    runs.modelmon_version, runs.events_file, {_VERIFIED} AS verified, runs.result"""
_TABLES = """
    FROM kept_runs AS runs JOIN experiments ON experiments.id = runs.experiment_id
    JOIN models ON models.digest = experiments.model_digest
    JOIN storages ON storages.id = experiments.storage_id
    JOIN machines ON machines.id = storages.machine_id"""
_WANTED = """
    WHERE (:model IS NULL OR instr(lower(experiments.model_name), lower(:model))
        OR length(:model) >= 8 AND substr(models.digest, 1, length(:model)) = :model)
    AND (:strategy IS NULL OR instr(runs.strategy, :strategy))
    AND (:cache IS NULL OR runs.cache_state IN (:cache, :cache || '-here'))
    AND (:since_unix_s IS NULL OR runs.started_unix_s >= :since_unix_s)
    AND (:machine_id IS NULL OR machines.id = :machine_id)
    AND (:storage_id IS NULL OR storages.id = :storage_id)
    AND (:experiment_id IS NULL OR experiments.id = :experiment_id)
    AND (:label IS NULL OR runs.label = :label)
    AND (:starred IS NULL OR runs.starred = :starred)
    AND (:counts IS NULL OR runs.counts = :counts)
    AND (:ids IS NULL OR runs.id IN (SELECT value FROM json_each(:ids)))"""
_EXPERIMENTS = """
    SELECT experiments.id, experiments.kind, experiments.state, experiments.created_unix_s,
        experiments.path, experiments.model_digest, experiments.model_content,
        experiments.model_name,
        storages.machine_id, storages.id AS storage_id, experiments.arms AS arms_json,
        experiments.conditions AS conditions_json, experiments.verdict AS verdict_json,
        experiments.owner_pid, experiments.owner_started_unix_s, count(*) AS runs
    FROM experiments JOIN storages ON storages.id = experiments.storage_id
    JOIN kept_runs AS runs ON runs.experiment_id = experiments.id
    WHERE (:id IS NULL OR experiments.id = :id)
    AND (:digest IS NULL OR experiments.model_digest = :digest)
    GROUP BY experiments.id ORDER BY experiments.id DESC"""
_LATEST = f"""
    SELECT * FROM (
        SELECT *, row_number() OVER (
            PARTITION BY path, state = 'done' ORDER BY id DESC) AS place
        FROM ({_EXPERIMENTS})
        WHERE kind <> 'single' AND machine_id = :machine_id AND storage_id = :storage_id)
    WHERE place <= :most ORDER BY id DESC"""


class History:
    """Runs and experiments in `history.sqlite` of a folder, their events in `runs/` beside it."""

    def __init__(self, folder: Path | None = None, *, kept_bytes: int = KEPT_BYTES) -> None:
        """`folder` is by default the user's; it is made when something is written."""
        self.folder = folder or data_folder()
        self._file = HistoryFile(self.folder / "history.sqlite")
        self._events = EventsFolder(self.folder / "runs")
        self._kept_bytes = kept_bytes

    def runs(self, wanted: RunFilter = _EVERY_RUN) -> list[RunRow]:
        """The wanted runs, sorted; of two equal ones the newer first."""
        values = msgspec.structs.asdict(wanted)
        values["ids"] = None if wanted.ids is None else msgspec.json.encode(wanted.ids).decode()
        order = f"ORDER BY {_ORDERS[wanted.sort]}, runs.id DESC LIMIT :limit"
        rows = self._rows(f"SELECT {_RUN_COLUMNS} {_TABLES} {_WANTED} {order}", values)
        return [_converted(row, RunRow, "result") for row in rows]

    def result(self, run_id: int) -> RunResult:
        """The whole result of a run."""
        found = self._rows("SELECT result FROM kept_runs WHERE id = ?", (run_id,))
        if not found:
            raise no_such_run(run_id)
        return stored_value(found[0]["result"], RunResult)

    def record(self, run_id: int) -> RunRecord:
        """The record of a run, to be shown over others."""
        record = self._events.record(self._events_file(run_id))
        record.source = str(run_id)
        return record

    def event_lines(self, run_id: int) -> bytes:
        """The lines of a run's events, as `modelmon replay` reads them."""
        return self._events.lines(self._events_file(run_id))

    def experiments(self) -> list[ExperimentRow]:
        """All experiments that have runs, the newest first."""
        rows = self._rows(_EXPERIMENTS, {"id": None, "digest": None})
        return [_converted(row, ExperimentRow) for row in rows]

    def latest_experiments(self, origin: Origin, most: int) -> list[ExperimentRow]:
        """The newest comparisons and searches of a model's layout on its disk and machine: of each
        path `most` finished ones, and as many others.
        """
        wanted = {
            "id": None,
            "digest": origin.model.digest,
            "machine_id": origin.machine.id,
            "storage_id": origin.storage.id,
            "most": most,
        }
        return [_converted(row, ExperimentRow) for row in self._rows(_LATEST, wanted)]

    def experiment(self, experiment_id: int) -> ExperimentRow:
        """One experiment."""
        found = self._rows(_EXPERIMENTS, {"id": experiment_id, "digest": None})
        if not found:
            raise HistoryError(
                Message("There's no experiment x{experiment_id}.", experiment_id=experiment_id),
                SEE_RUNS,
            )
        return _converted(found[0], ExperimentRow)

    def verdict(self, experiment_id: int, as_type: type[_Stored]) -> _Stored | None:
        """What a finished comparison said, read as the type it was ended with; None for others."""
        text = self.experiment(experiment_id).verdict_json
        return stored_value(text, as_type) if text else None

    def model_format(self, digest: str) -> str:
        """The format of a model that has runs: `safetensors` or `gguf`."""
        (found,) = self._rows("SELECT format FROM models WHERE digest = ?", (digest,))
        return str(found["format"])

    def results_of(self, experiment_id: int) -> list[RunResult]:
        """The results that an experiment has so far, in its order."""
        rows = self._rows(
            "SELECT result FROM kept_runs WHERE experiment_id = ? AND position IS NOT NULL"
            " ORDER BY position",
            (experiment_id,),
        )
        return [stored_value(row["result"], RunResult) for row in rows]

    def begin(
        self, kind: Kind, origin: Origin, arms: Collection[Entrant], conditions: object
    ) -> int:
        """Enter an experiment that runs from now on in this process; returns its number.

        `conditions` is anything that msgspec can encode.
        """
        machine, storage, model = origin.machine, origin.storage, origin.model
        machine_of = msgspec.structs.asdict(machine)
        storage_of = msgspec.structs.asdict(storage) | {"machine_id": machine.id}
        model_of = {
            name: getattr(model, name) for name in ("digest", "format", "nbytes", "tensors")
        }
        experiment = {
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
        }
        with self._file.writing() as connection:
            for table, row in (
                ("machines", machine_of),
                ("storages", storage_of),
                ("models", model_of),
            ):
                _insert(connection, table, row, "ON CONFLICT DO NOTHING")
            return _insert(connection, "experiments", experiment)

    def add_run(
        self, experiment_id: int, origin: Origin, label: str, result: RunResult, lines: bytes = b""
    ) -> int:
        """Enter a finished run, as the next one of its experiment, with its events, if there are
        any; returns its number.
        """
        name, nbytes = self._events.save(lines) if lines else (None, None)
        run = {
            "experiment_id": experiment_id,
            "label": label,
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
        }
        with self._file.writing() as connection:
            run["position"], *_ = connection.execute(
                "SELECT coalesce(max(position) + 1, 0) FROM runs WHERE experiment_id = ?",
                (experiment_id,),
            ).fetchone()
            # What was said of the runs before isn't said of this one.
            connection.execute(
                "UPDATE experiments SET verdict = NULL WHERE id = ?", (experiment_id,)
            )
            run_id = _insert(connection, "runs", run)
            dropped = self._forget_events(connection)
        self._events.remove(dropped)
        return run_id

    def end(self, experiment_id: int, state: State, verdict: object = None) -> None:
        """Note how an experiment ended: nobody is at it any more. Without a new verdict it keeps
        the one it has. What killed programs have left is swept.
        """
        with self._file.writing() as connection:
            connection.execute(
                "UPDATE experiments SET state = ?, verdict = coalesce(?, verdict),"
                " owner_pid = NULL WHERE id = ?",
                (state, None if verdict is None else stored_text(verdict), experiment_id),
            )
            names = _delete_runs(connection, _abandoned(connection))
            known = connection.execute("SELECT events_file FROM runs WHERE events_file IS NOT NULL")
            kept = frozenset(str(name) for (name,) in known)
        self._events.remove(names)
        self._events.sweep(kept)

    def take_over(self, experiment_id: int, used_runs: int) -> None:
        """Make this process the one that resumes an experiment with its first `used_runs`; those
        after them are not its own any more.

        Raises HistoryError where another process is still at it.
        """
        with self._file.writing() as connection:
            owner = connection.execute(
                "SELECT owner_pid, owner_started_unix_s FROM experiments WHERE id = ?",
                (experiment_id,),
            ).fetchone()
            if owner is not None and _is_alive(*owner):
                raise HistoryError(
                    Message(
                        "Process {row} is still running experiment x{experiment_id}.",
                        row=owner[0],
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

    def star(self, run_ids: Collection[int], *, starred: bool = True) -> None:
        """Mark runs; the events of marked runs are kept longest."""
        self._update(run_ids, "starred", starred)

    def rename(self, run_id: int, name: str) -> None:
        """Give a run a name; an empty one takes it away."""
        self._update([run_id], "name", name.strip())

    def delete(self, run_ids: Collection[int]) -> None:
        """Delete runs with their events, and experiments that have none left."""
        with self._file.writing() as connection:
            names = _delete_runs(connection, run_ids)
        self._events.remove(names)

    def soft_delete(self, run_ids: Collection[int]) -> None:
        """Hide runs until they are restored, for a day at least."""
        now_unix_s = time.time()
        with self._file.writing() as connection:
            connection.executemany(
                "UPDATE runs SET aside_pid = 0, aside_started_unix_s = ? WHERE id = ?",
                [(now_unix_s, run_id) for run_id in run_ids],
            )

    def restore(self, run_ids: Collection[int]) -> list[int]:
        """Show runs again that were set aside; returns those that were still there."""
        query = "UPDATE runs SET aside_pid = NULL, aside_started_unix_s = NULL WHERE id = ?"
        with self._file.writing() as connection:
            return [each for each in run_ids if connection.execute(query, (each,)).rowcount]

    def add_cluster(self, row: ClusterRow, result: bytes) -> int:
        """Enter what was measured on a cluster, with its result as JSON; returns its number."""
        values = msgspec.structs.asdict(row) | {
            "id": None,
            "ways": stored_text(row.ways),
            "sentence": stored_text(row.sentence),
            "result": zlib.compress(result),
        }
        with self._file.writing() as connection:
            return _insert(connection, "clusters", values)

    def clusters(self, path: str | None = None) -> list[ClusterRow]:
        """All measurements on clusters, or those of a model by its path there; the newest first."""
        columns = ", ".join(ClusterRow.__struct_fields__)
        rows = self._rows(
            f"SELECT {columns} FROM clusters WHERE :path IS NULL OR path = :path"
            " ORDER BY created_unix_s DESC, id DESC",
            {"path": path},
        )
        return [_converted(row, ClusterRow, "ways", "sentence") for row in rows]

    def cluster_result(self, cluster_id: int) -> bytes:
        """The result of one as JSON. Raises HistoryError also where what is there is damaged."""
        found = self._rows("SELECT result FROM clusters WHERE id = ?", (cluster_id,))
        if not found:
            raise HistoryError(
                Message("There's no cluster measurement c{id}.", id=cluster_id),
                Message("See modelmon history clusters."),
            )
        try:
            return zlib.decompressobj().decompress(found[0]["result"], _MOST_CLUSTER_BYTES)
        except zlib.error as error:
            raise HistoryError(
                Message("Couldn't read a stored value: {reason}", reason=error),
                Message("Delete it: modelmon history delete c{id}.", id=cluster_id),
            ) from error

    def delete_clusters(self, ids: Collection[int]) -> None:
        """Delete measurements on clusters."""
        with self._file.writing() as connection:
            connection.executemany("DELETE FROM clusters WHERE id = ?", [(each,) for each in ids])

    def _events_file(self, run_id: int) -> str:
        row = next(iter(self.runs(RunFilter(ids=(run_id,)))), None)
        if row is None:
            raise no_such_run(run_id)
        if row.events_file is None:
            raise HistoryError(
                Message(
                    "Run {run_id} has no recording: it was too large, or deleted to save space.",
                    run_id=run_id,
                ),
                Message("The newest runs and starred ones keep theirs."),
            )
        return row.events_file

    def _rows(self, query: str, values: Mapping[str, object] | tuple[object, ...]) -> list[Any]:
        with self._file.reading() as connection:
            return [dict(row) for row in connection.execute(query, values)]

    def _update(
        self, run_ids: Collection[int], column: Literal["starred", "name"], value: object
    ) -> None:
        with self._file.writing() as connection:
            connection.executemany(
                f"UPDATE runs SET {column} = ? WHERE id = ?", [(value, each) for each in run_ids]
            )

    def _forget_events(self, connection: sqlite3.Connection) -> list[str]:
        """Forget the events of the oldest runs beyond what is kept, of starred ones last; returns
        the names of their files.
        """
        rows = connection.execute(
            "SELECT id, events_file, events_bytes FROM runs WHERE events_file IS NOT NULL"
            " ORDER BY starred DESC, id DESC"
        ).fetchall()
        names, total = [], 0
        for run_id, name, nbytes in rows:
            total += nbytes
            if total > self._kept_bytes:
                names.append(str(name))
                connection.execute(
                    "UPDATE runs SET events_file = NULL, events_bytes = NULL WHERE id = ?",
                    (run_id,),
                )
        return names


def no_such_run(run_id: int) -> HistoryError:
    """The error for a number that no run has."""
    return HistoryError(
        Message("There's no run {run_id} in the history.", run_id=run_id),
        SEE_RUNS,
    )


def is_at_work(experiment: ExperimentRow) -> bool:
    """Whether another process than this is at it."""
    return _is_alive(experiment.owner_pid, experiment.owner_started_unix_s)


def _delete_runs(connection: sqlite3.Connection, run_ids: Collection[int]) -> list[str]:
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


def _abandoned(connection: sqlite3.Connection) -> list[int]:
    """The runs set aside that nobody will restore any more."""
    rows = connection.execute(
        "SELECT id FROM runs WHERE aside_pid IS NOT NULL AND aside_started_unix_s < ?",
        (time.time() - _ASIDE_S,),
    )
    return [int(run_id) for (run_id,) in rows]


def _insert(
    connection: sqlite3.Connection, table: str, values: dict[str, Any], conflict: str = ""
) -> int:
    """Insert a row; returns its number."""
    names, holders = ", ".join(values), ", ".join(f":{name}" for name in values)
    query = f"INSERT INTO {table} ({names}) VALUES ({holders}) {conflict}"
    return connection.execute(query, values).lastrowid or 0


def _owner() -> dict[str, object]:
    """This process, as the one that is at an experiment."""
    pid = os.getpid()
    return {"owner_pid": pid, "owner_started_unix_s": _began(pid)}


def _began(pid: int) -> float | None:
    """When a process began; None where there is none. On Linux in clock ticks since the system did:
    a time of the day would be another one when somebody sets the clock.
    """
    ticks = began_ticks(pid)
    return _created(pid) if ticks is None else ticks


def _created(pid: int) -> float | None:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).create_time()
    return None


def _is_alive(pid: int | None, began: float | None) -> bool:
    """Whether the process that began then is still there, and is another than this. An older
    version that runs has noted the time of the day.
    """
    if pid in (None, os.getpid()) or began is None:
        return False
    known = filter(None, (_began(pid), _created(pid)))
    return any(abs(now - began) < _SAME_START for now in known)


def _converted(values: dict[str, Any], kind: type[_Row], *as_json: str) -> _Row:
    """A row whose columns `as_json` are decoded first; a `result` has further figures of it."""
    try:
        values |= {name: msgspec.json.decode(values[name]) for name in as_json}
        values = values.pop("result", {}) | values
        return msgspec.convert(values, kind, strict=False, dec_hook=from_wire)
    except (*UNDECODABLE, TypeError) as error:
        raise HistoryError(
            Message(
                "Couldn't read row {row} of the history: {reason}.",
                row=values["id"],
                reason=error,
            ),
            Message("Use the version of modelmon that wrote it."),
        ) from error

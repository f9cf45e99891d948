"""How runs and experiments are read from the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from modelmon.core.history.file import HistoryError
from modelmon.core.history.rows import ExperimentRow, RunFilter, RunRow, Sort
from modelmon.core.messages import Message, from_wire

if TYPE_CHECKING:
    import sqlite3

    from modelmon.core.history.origin import Origin

_Row = TypeVar("_Row", RunRow, ExperimentRow)

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
# Only a run that was made for itself was ever asked to verify its bytes; before they were marked,
# such runs were stored as if they counted.
_VERIFIED = "coalesce(json_extract(experiments.conditions, '$.verify'), 0)"
_COUNTS = f"(runs.counts AND NOT {_VERIFIED})"
# Its figures are in its result; the columns that repeat some are there to be sorted and chosen by.
_RUN_COLUMNS = f"""
    runs.id, runs.experiment_id, experiments.kind, experiments.state, runs.position, runs.label,
    runs.name, runs.starred, experiments.path, experiments.model_name,
    models.digest AS model_digest, experiments.model_content, runs.config AS config_json,
    runs.deliver, runs.bytes_per_s, {_COUNTS} AS counts, runs.conditioned,
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
_WANTED = f"""
    WHERE (:model IS NULL OR instr(lower(experiments.model_name), lower(:model))
        OR length(:model) >= 8 AND substr(models.digest, 1, length(:model)) = :model)
    AND (:strategy IS NULL OR instr(runs.strategy, :strategy))
    AND (:cache IS NULL OR runs.cache_state = :cache)
    AND (:since_unix_s IS NULL OR runs.started_unix_s >= :since_unix_s)
    AND (:machine_id IS NULL OR machines.id = :machine_id)
    AND (:storage_id IS NULL OR storages.id = :storage_id)
    AND (:experiment_id IS NULL OR experiments.id = :experiment_id)
    AND (:label IS NULL OR runs.label = :label)
    AND (:starred IS NULL OR runs.starred = :starred)
    AND (:counts IS NULL OR {_COUNTS} = :counts)
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


def select_runs(connection: sqlite3.Connection, wanted: RunFilter) -> list[RunRow]:
    """The wanted runs, sorted; of two equal ones the newer first."""
    values = msgspec.structs.asdict(wanted)
    values["ids"] = None if wanted.ids is None else msgspec.json.encode(wanted.ids).decode()
    order = f"ORDER BY {_ORDERS[wanted.sort]}, runs.id DESC LIMIT :limit"
    rows = connection.execute(f"SELECT {_RUN_COLUMNS} {_TABLES} {_WANTED} {order}", values)
    return [_run(row) for row in rows]


def select_experiments(
    connection: sqlite3.Connection, experiment_id: int | None = None
) -> list[ExperimentRow]:
    """The experiments that have runs, the newest first; or one of them."""
    rows = connection.execute(_EXPERIMENTS, {"id": experiment_id, "digest": None})
    return [_converted(dict(row), ExperimentRow) for row in rows]


def select_latest(connection: sqlite3.Connection, origin: Origin, most: int) -> list[ExperimentRow]:
    """Comparisons and races of a model's layout on its disk and machine, the newest first: of each
    path at the `most` so many that are finished, and as many others.
    """
    wanted = {
        "id": None,
        "digest": origin.model.digest,
        "machine_id": origin.machine.id,
        "storage_id": origin.storage.id,
        "most": most,
    }
    return [_converted(dict(row), ExperimentRow) for row in connection.execute(_LATEST, wanted)]


def _run(row: sqlite3.Row) -> RunRow:
    values = dict(row)
    return _converted(msgspec.json.decode(values.pop("result")) | values, RunRow)


def _converted(values: dict[str, object], kind: type[_Row]) -> _Row:
    try:
        return msgspec.convert(values, kind, strict=False, dec_hook=from_wire)
    except msgspec.ValidationError as error:
        raise HistoryError(
            Message(
                "Couldn't read row {row} of the history: {reason}.",
                row=values["id"],
                reason=error,
            ),
            Message("Use the version of modelmon that wrote it."),
        ) from error

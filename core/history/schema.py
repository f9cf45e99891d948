"""The history's tables, as numbered steps from nothing to the newest schema.

A step that was published is never changed; a new one is added. The number of steps done is
kept in `user_version`, and changes in the same transaction as the tables do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

Migration = tuple[str, ...]

_FIRST: Migration = (
    """CREATE TABLE machines (
        id TEXT PRIMARY KEY, cpu_model TEXT NOT NULL, cpu_count INTEGER NOT NULL,
        ram_bytes INTEGER NOT NULL)""",
    """CREATE TABLE storages (
        id TEXT PRIMARY KEY, machine_id TEXT NOT NULL REFERENCES machines,
        source TEXT NOT NULL, device TEXT NOT NULL, device_model TEXT NOT NULL,
        filesystem TEXT NOT NULL, kind TEXT NOT NULL)""",
    """CREATE TABLE models (
        digest TEXT PRIMARY KEY, format TEXT NOT NULL, nbytes INTEGER NOT NULL,
        tensors INTEGER NOT NULL)""",
    """CREATE TABLE experiments (
        id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, state TEXT NOT NULL,
        created_unix_s REAL NOT NULL, path TEXT NOT NULL, model_name TEXT NOT NULL,
        model_digest TEXT NOT NULL REFERENCES models, storage_id TEXT NOT NULL REFERENCES storages,
        arms TEXT NOT NULL, conditions TEXT NOT NULL, verdict TEXT,
        owner_pid INTEGER, owner_started_unix_s REAL)""",
    # `position` is the place in the order of the experiment, NULL for a run it does not use.
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        experiment_id INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,
        position INTEGER, label TEXT NOT NULL, pair INTEGER NOT NULL,
        strategy TEXT NOT NULL, config TEXT NOT NULL, deliver TEXT NOT NULL,
        started_unix_s REAL NOT NULL, cache_asked TEXT NOT NULL, cache_state TEXT NOT NULL,
        counts INTEGER NOT NULL, wall_ns INTEGER NOT NULL, bytes_per_s REAL NOT NULL,
        load_bytes INTEGER NOT NULL, model_bytes INTEGER NOT NULL, subset TEXT NOT NULL,
        library_version TEXT NOT NULL,
        conditioned INTEGER NOT NULL, peak_rss_bytes INTEGER, io_wait_share REAL,
        device_bytes INTEGER, kernel TEXT NOT NULL, readahead_bytes INTEGER,
        modelmon_version TEXT NOT NULL, result TEXT NOT NULL, events_file TEXT,
        events_bytes INTEGER, starred INTEGER NOT NULL DEFAULT 0, name TEXT NOT NULL DEFAULT '')""",
    "CREATE INDEX runs_by_time ON runs (started_unix_s)",
    "CREATE INDEX runs_by_experiment ON runs (experiment_id, position)",
)

# Runs that were set aside are kept, and seen by none that reads `kept_runs`.
_ASIDE: Migration = (
    "ALTER TABLE runs ADD COLUMN aside_pid INTEGER",
    "ALTER TABLE runs ADD COLUMN aside_started_unix_s REAL",
    "CREATE VIEW kept_runs AS SELECT * FROM runs WHERE aside_pid IS NULL",
)

_MOUNT_OPTIONS: Migration = ("ALTER TABLE runs ADD COLUMN mount_options TEXT NOT NULL DEFAULT ''",)

# A thousand nodes are no runs of this machine: they are kept whole, and apart.
_CLUSTERS: Migration = (
    """CREATE TABLE clusters (
        id INTEGER PRIMARY KEY AUTOINCREMENT, created_unix_s REAL NOT NULL, path TEXT NOT NULL,
        model_name TEXT NOT NULL, model_digest TEXT NOT NULL, cluster_id TEXT NOT NULL,
        nodes INTEGER NOT NULL, machines INTEGER NOT NULL, ways TEXT NOT NULL,
        last_ns INTEGER NOT NULL, bytes_per_s REAL NOT NULL, sentence TEXT NOT NULL,
        result BLOB NOT NULL)""",
    "CREATE INDEX clusters_by_model ON clusters (model_digest, created_unix_s)",
)

_MODEL_CONTENT: Migration = (
    "ALTER TABLE experiments ADD COLUMN model_content TEXT NOT NULL DEFAULT ''",
)

MIGRATIONS: tuple[Migration, ...] = (
    *(_FIRST, _ASIDE, _MOUNT_OPTIONS, _CLUSTERS),
    _MODEL_CONTENT,
)


def schema_of(connection: sqlite3.Connection) -> int:
    """How many steps this database has behind it; 0 for an empty one."""
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    return int(number)


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Do the steps that are missing; the caller holds the write transaction around them."""
    for statements in migrations[schema_of(connection) :]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(migrations)}")

"""The SQLite file of the history: opened for each transaction, and closed again.

Nothing is held between two of them, so that any number of programs and threads share it, also on
several machines, and a program that is killed leaves nothing half done. Its tables are numbered
steps from nothing to the newest schema; a step that was published is never changed, a new one is
added.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from functools import cache
from typing import TYPE_CHECKING

from modelmon.core.errors import EXIT_USAGE, ModelmonError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


Migration = tuple[str, ...]

SEE_RUNS = Message("See the list of runs{terminal}.", terminal=": modelmon history")

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

# Runs that were set aside (`aside_pid` is any number) are seen by none that reads `kept_runs`.
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


def _statements(connection: sqlite3.Connection) -> dict[str, str]:
    """What a database's tables, views and triggers are made by, by their names."""
    what = "type IN ('table', 'view', 'trigger')"
    return dict(connection.execute(f"SELECT name, sql FROM sqlite_master WHERE {what}"))


@cache
def _statements_of(migrations: tuple[Migration, ...]) -> dict[str, str]:
    with contextlib.closing(_connect(":memory:")) as connection:
        migrate(connection, migrations)
        return _statements(connection)


def _is_as_made(connection: sqlite3.Connection, migrations: tuple[Migration, ...]) -> bool:
    """Whether what is read here is made by these steps; tables beside it are not looked at."""
    own = _statements_of(migrations)
    return not any(
        sql != own.get(name, sql) or sql.upper().startswith("CREATE TRIGGER")
        for name, sql in _statements(connection).items()
    )


_BUSY_S = 15.0


class HistoryError(ModelmonError):
    """The history cannot be read or written as asked; no measurement depends on it."""

    exit_code = EXIT_USAGE


class HistoryFile:
    """One database file, brought up to the newest schema where it can be written."""

    def __init__(self, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        self.path = path
        self._migrations = migrations

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to read with; an empty database where there is no file yet.

        Raises HistoryError, also for what SQLite reports inside of the context.
        """
        with self._explained():
            connection = self._open_to_read()
            if schema_of(connection) < len(self._migrations):
                connection.close()
                with self.writing():
                    pass  # which brings it up to date
                connection = self._open_to_read()
            with contextlib.closing(connection):
                self._refuse_others(connection)
                yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a write transaction: committed whole at the end, or not at all.

        Raises HistoryError, also for what SQLite reports inside of the context.
        """
        with self._explained():
            self._make_folder()
            with contextlib.closing(_connect(self.path.absolute().as_uri())) as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    self._refuse_others(connection)
                    migrate(connection, self._migrations)
                    yield connection
                except BaseException:
                    # After some errors, a full disk for one, SQLite has done so already.
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise HistoryError(
                Message(
                    "Couldn't create the history's folder {parent}: {reason}.",
                    parent=self.path.parent,
                    reason=error.strerror,
                ),
                Message("Choose another one with MODELMON_DATA_DIR."),
            ) from error

    def _open_to_read(self) -> sqlite3.Connection:
        if not self._is_there():
            connection = _connect(":memory:")
            migrate(connection, self._migrations)
            return connection
        # Not to read only: what a killed writer left half done is undone by the next who opens it.
        return _connect(f"{self.path.absolute().as_uri()}?mode=rw")

    def _is_there(self) -> bool:
        try:
            self.path.stat()
        except FileNotFoundError:
            return False
        except OSError as error:
            # A folder that nobody may look into, or a file there, is none without a history.
            raise HistoryError(*self._shut(error.strerror or str(error))) from error
        return True

    def _refuse_others(self, connection: sqlite3.Connection) -> None:
        schema = schema_of(connection)
        if schema > len(self._migrations):
            raise HistoryError(
                Message(
                    "The history {path} has schema {schema}; this version of modelmon knows"
                    " {count}.",
                    path=self.path,
                    schema=schema,
                    count=len(self._migrations),
                ),
                Message("Use the newer version, or keep another history with MODELMON_DATA_DIR."),
            )
        # A view or column of a stranger's can reckon for ever, or make text of any length.
        if not _is_as_made(connection, tuple(self._migrations[:schema])):
            raise HistoryError(*self._damaged(Message("its tables aren't modelmon's")))

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise HistoryError(*self._explanation(error)) from error

    def _explanation(self, error: sqlite3.Error) -> tuple[Message, Message]:
        code = _code_of(error)
        if os.path.isdir(self.path):  # noqa: PTH112 (Path.is_dir raises where one may not look)
            return (
                Message("The history {path} is a folder.", path=self.path),
                Message("Move it away: modelmon begins a history there."),
            )
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return self._damaged(error)
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return self._shut(str(error))
        if _is_busy(error):
            return (
                Message("Another program is using the history {path}.", path=self.path),
                Message("Try again when it's done."),
            )
        if code == sqlite3.SQLITE_FULL:
            return (
                Message(
                    "Couldn't write the history {path}: {reason}.", path=self.path, reason=error
                ),
                Message("Free space on that disk."),
            )
        return (
            Message("Couldn't use the history {path}: {reason}.", path=self.path, reason=error),
            Message("Check that disk, and the space on it.")
            if code == sqlite3.SQLITE_IOERR
            else Message("Keep another one with MODELMON_DATA_DIR."),
        )

    def _damaged(self, reason: object) -> tuple[Message, Message]:
        return (
            Message("The history {path} is damaged: {reason}.", path=self.path, reason=reason),
            Message("Move it away: modelmon begins a new one."),
        )

    def _shut(self, why: str) -> tuple[Message, Message]:
        return (
            Message("Couldn't open or write the history {path}: {why}.", path=self.path, why=why),
            Message("Check the folder's rights, or choose another one with MODELMON_DATA_DIR."),
        )


def _code_of(error: sqlite3.Error) -> int:
    # Extended codes keep the primary one in their lowest byte; Python's own errors have none.
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def _is_busy(error: sqlite3.Error) -> bool:
    return _code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _connect(place: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        place, timeout=_BUSY_S, isolation_level=None, uri=place.startswith("file:")
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    return connection

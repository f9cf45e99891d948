"""Measurements on clusters in the history: rows to choose from, and each result whole."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.history.file import HistoryError
from modelmon.core.history.rows import stored_value
from modelmon.core.history.write import stored_text
from modelmon.core.messages import Message

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

_COLUMNS = (
    *("created_unix_s", "path", "model_name", "model_digest", "cluster_id", "nodes", "machines"),
    *("ways", "last_ns", "bytes_per_s", "sentence"),
)
_MOST_BYTES = 2**31
"""Of a result, unpacked."""


class ClusterRow(msgspec.Struct, frozen=True):
    """A measurement on so many `nodes` of a cluster, which are so many `machines`.

    Two have a `cluster_id` in common if the same machines took part. `last_ns` is when the last
    node was ready in the recommended way, `bytes_per_s` what all had together.
    """

    created_unix_s: float
    path: str
    model_name: str
    model_digest: str
    cluster_id: str
    nodes: int
    machines: int
    ways: tuple[str, ...]
    last_ns: int
    bytes_per_s: float
    sentence: Message
    id: int = 0

    @property
    def reference(self) -> str:
        """How it is called: `c12`."""
        return f"c{self.id}"


def insert_cluster(connection: sqlite3.Connection, row: ClusterRow, result: bytes) -> int:
    """Enter a measurement with its result as JSON; returns its number."""
    values = {name: getattr(row, name) for name in _COLUMNS}
    values |= {"ways": stored_text(row.ways), "sentence": stored_text(row.sentence)}
    holders = ", ".join(f":{name}" for name in (*_COLUMNS, "result"))
    cursor = connection.execute(
        f"INSERT INTO clusters ({', '.join(_COLUMNS)}, result) VALUES ({holders})",
        values | {"result": zlib.compress(result)},
    )
    return cursor.lastrowid or 0


def select_clusters(connection: sqlite3.Connection, path: str | None) -> list[ClusterRow]:
    """All, or those of a model by its path; the newest first."""
    found = connection.execute(
        f"SELECT {', '.join(_COLUMNS)}, id FROM clusters"
        " WHERE :path IS NULL OR path = :path ORDER BY created_unix_s DESC, id DESC",
        {"path": path},
    )
    return [_row(values) for values in found]


def _row(values: tuple[object, ...]) -> ClusterRow:
    named = dict(zip((*_COLUMNS, "id"), values, strict=True))
    named["ways"] = stored_value(str(named["ways"]), tuple[str, ...])
    named["sentence"] = stored_value(str(named["sentence"]), Message)
    return msgspec.convert(named, ClusterRow, dec_hook=lambda _, value: value)


def select_result(connection: sqlite3.Connection, cluster_id: int) -> bytes:
    """The result as JSON. Raises HistoryError where there is none, or what is there is damaged."""
    row = connection.execute("SELECT result FROM clusters WHERE id = ?", (cluster_id,)).fetchone()
    if row is None:
        raise HistoryError(
            Message("There's no cluster measurement c{id}.", id=cluster_id),
            Message("See modelmon history clusters."),
        )
    try:
        return zlib.decompressobj().decompress(row[0], _MOST_BYTES)
    except zlib.error as error:
        raise HistoryError(
            Message("Couldn't read a stored value: {reason}", reason=error),
            Message("Delete it: modelmon history delete c{id}.", id=cluster_id),
        ) from error


def delete_clusters(connection: sqlite3.Connection, ids: Collection[int]) -> None:
    """Delete these."""
    connection.executemany("DELETE FROM clusters WHERE id = ?", [(each,) for each in ids])

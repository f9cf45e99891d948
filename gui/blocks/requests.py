"""The requests of a run as points: when each was made, and where in the model it read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from array import array

    from numpy.typing import NDArray

    from modelmon.core.worker.record import RunRecord


@dataclass(frozen=True, eq=False)
class Requests:
    """Requests in the order in which they were made.

    `positions` are offsets in the whole model, its shards laid end to end. `descriptors`
    tells which requests went through one file descriptor: one number per reader and shard,
    or per shard where the readers share it.
    """

    seconds: NDArray[np.float64]
    durations_s: NDArray[np.float64]
    positions: NDArray[np.float64]
    nbytes: NDArray[np.float64]
    readers: NDArray[np.int64]
    descriptors: NDArray[np.int64]
    shared: bool
    merged: float
    total_bytes: int
    shard_starts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.seconds)

    @property
    def lines(self) -> NDArray[np.int64]:
        """Which requests one line joins: a reader's, or all through a shared descriptor."""
        return np.zeros(len(self), dtype=np.int64) if self.shared else self.readers

    @cached_property
    def jumps(self) -> NDArray[np.bool_]:
        """Which requests do not continue where their descriptor's last one ended.

        Inferred from the offsets: only the storage itself knows its own streams.
        """
        order = np.argsort(self.descriptors, kind="stable")
        descriptor = self.descriptors[order]
        start, stop = self.positions[order], (self.positions + self.nbytes)[order]
        found = np.zeros(len(self), dtype=np.bool_)
        found[order[1:]] = (descriptor[1:] == descriptor[:-1]) & (start[1:] != stop[:-1])
        return found

    @cached_property
    def reader_numbers(self) -> list[int]:
        """The readers that have made a request, in order."""
        # `np.unique` takes ten times as long, and this is wanted for each frame.
        found: list[int] = np.flatnonzero(np.bincount(self.readers)).tolist()
        return found

    @cached_property
    def size_counts(self) -> dict[int, int]:
        """How many requests had each size, rounded down to a power of two, by the exponent."""
        return size_counts(self.nbytes)

    @property
    def restarts(self) -> int:
        """How many of them jump."""
        return int(np.count_nonzero(self.jumps))

    def joined(self, part: slice, unit: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The lines through a part of the requests, parted by nan."""
        lines = self.lines[part]
        order = np.argsort(lines, kind="stable")
        x = self.seconds[part][order]
        y = self.positions[part][order] / unit
        parts = np.flatnonzero(np.diff(lines[order])) + 1
        return np.insert(x, parts, np.nan), np.insert(y, parts, np.nan)


def size_counts(nbytes: NDArray[np.float64]) -> dict[int, int]:
    """How many of these sizes there are, rounded down to a power of two, by the exponent."""
    counts = np.bincount(np.frexp(np.maximum(nbytes, 1))[1] - 1)
    return {exponent: int(counts[exponent]) for exponent in np.flatnonzero(counts).tolist()}


def requests_of(record: RunRecord) -> Requests:
    """The requests that `record` knows so far."""
    planned, chunks = record.planned, record.chunks
    shard_bytes = planned.shard_bytes if planned else ()
    starts = np.concatenate([[0], np.cumsum(shard_bytes, dtype=np.int64)]).astype(np.int64)
    shards = _column(chunks.shard)
    order = np.argsort(_column(chunks.start_ns), kind="stable")
    shared = record.hello is not None and record.hello.job.config.descriptor == "shared"
    readers = _column(chunks.reader)[order]
    shards = shards[order]
    made_ns = _column(chunks.start_ns)[order]
    return Requests(
        seconds=made_ns / 1e9,
        durations_s=(_column(chunks.end_ns)[order] - made_ns) / 1e9,
        positions=(starts[shards] + _column(chunks.offset_bytes)[order]).astype(float),
        nbytes=_column(chunks.nbytes)[order].astype(float),
        readers=readers,
        descriptors=shards if shared else readers * (len(shard_bytes) + 1) + shards,
        shared=shared,
        merged=chunks.merged,
        total_bytes=int(starts[-1]),
        shard_starts=tuple(starts[:-1].tolist()),
    )


def _column(values: array[int]) -> NDArray[np.int64]:
    # A copy: an array that lends its memory out could not grow while the run goes on.
    return np.array(values, dtype=np.int64)

"""A run that is over, as its record was at any moment of the load: what replay shows."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

from modelmon.core.worker.record import ChunkTable, RunRecord
from modelmon.core.worker.samples import BlockTiming

if TYPE_CHECKING:
    from modelmon.core.worker.events import Sample

MOST_SAMPLES = 4_000
"""Of longer runs evenly chosen samples are replayed; plots draw fewer stretches than these."""

_COLUMNS = ("reader", "shard", "offset_bytes", "nbytes", "start_ns", "end_ns")


class Rewind:
    """Gives the record of a run until any moment; forwards it grows, as a live one does.

    A request is known when it has ended. A block is known when its last byte has come, with its
    final figures; before that only when its bytes arrived, for what its requests tell besides is
    not recorded. At the end the whole record itself is given.
    """

    def __init__(self, whole: RunRecord) -> None:
        self.whole = whole
        self.step = max(1, -(-len(whole.samples) // MOST_SAMPLES))
        """Every how many samples one is replayed."""
        self._samples: list[Sample] = whole.samples[:: self.step]
        self._sample_ns = [sample.t_ns for sample in self._samples]
        self._chunks = _by_end(whole.chunks)
        self._record = RunRecord()
        self._at_ns = -1

    @property
    def end_ns(self) -> int:
        """The time that the record covers."""
        return self.whole.t_ns

    def until(self, t_ns: int) -> RunRecord:
        """The record at `t_ns` since the start; another object than before where that is back."""
        if t_ns >= self.end_ns:
            self._at_ns = self.end_ns
            return self.whole
        if t_ns < self._at_ns or self._at_ns < 0:
            self._record = self._begun()
        self._at_ns = t_ns
        self._grow(t_ns)
        return self._record

    def _begun(self) -> RunRecord:
        made, whole = RunRecord(), self.whole
        made.hello, made.planned, made.ready = whole.hello, whole.planned, whole.ready
        made.warnings = whole.warnings
        made.chunks.merged = whole.chunks.merged
        made.state = "loading"
        return made

    def _grow(self, t_ns: int) -> None:
        record = self._record
        last = bisect_right(self._sample_ns, t_ns)
        record.samples.extend(self._samples[len(record.samples) : last])
        stop = bisect_right(self._chunks.end_ns, t_ns)
        first = len(record.chunks)
        for name in _COLUMNS:
            column: array[int] = getattr(record.chunks, name)
            column.extend(getattr(self._chunks, name)[first:stop])
        record.cache_maps = [
            each for each in self.whole.cache_maps if each.t_ns <= t_ns and each.moment != "after"
        ]
        record.phases = [phase for phase in self.whole.phases if phase.t_ns <= t_ns]
        known = (_known_block(block, t_ns) for block in self.whole.blocks)
        record.blocks = tuple(block for block in known if block is not None)


def _known_block(block: BlockTiming, t_ns: int) -> BlockTiming | None:
    """What is known of a block at a moment; nothing before its first request."""
    if block.ready_ns is not None and block.ready_ns <= t_ns:
        return block
    begun = tuple((start, min(end, t_ns)) for start, end in block.arrivals_ns if start < t_ns)
    return BlockTiming(block.name, 0, 0, 0, arrivals_ns=begun) if begun else None


def _by_end(chunks: ChunkTable) -> ChunkTable:
    """The requests in the order in which they ended."""
    order = sorted(range(len(chunks)), key=chunks.end_ns.__getitem__)
    made = ChunkTable()
    for name in _COLUMNS:
        column: array[int] = getattr(chunks, name)
        setattr(made, name, array("q", [column[at] for at in order]))
    return made

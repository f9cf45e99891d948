"""What a load did over time and in a range of it, by its requests' own times rather than samples.

Only what no request tells (memory, pressure, waiting) comes from samples. Needs numpy.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from modelmon.core.worker.events import Sample
    from modelmon.core.worker.record import ChunkTable, RunRecord


# A bin should hold several requests, or the curve shows each request instead of the rate.
_BIN_NS = 20_000_000
_FEWEST_BINS, _MOST_BINS = 20, 60
_SHORTEST_BIN_NS = 500_000
_AVERAGED = 5
"""Looks at threads: of one thread each is all or nothing."""


def delivered_rate(
    chunks: ChunkTable, wall_ns: int, bins: int | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Throughput over the load: bin edges in seconds (n + 1) and bytes per second (n).

    Each request's bytes are spread evenly over its duration, so the area under the curve
    is the delivered bytes however short the load was, and what lay between slices. Without
    `bins` there are as many as show the load's course.
    """
    if bins is None:
        bins = min(max(wall_ns // _BIN_NS, _FEWEST_BINS), _MOST_BINS)
        bins = max(1, min(bins, wall_ns // _SHORTEST_BIN_NS))
    edges_ns = np.linspace(0, max(wall_ns, 1), bins + 1)
    if not len(chunks):
        return edges_ns / 1e9, np.zeros(bins)
    start = np.frombuffer(chunks.start_ns, dtype=np.int64).astype(np.float64)
    end = np.maximum(np.frombuffer(chunks.end_ns, dtype=np.int64), start + 1)
    nbytes = np.frombuffer(chunks.nbytes, dtype=np.int64).astype(np.float64)
    slope = nbytes / (end - start)
    # Bytes delivered by time t are a sum of ramps; each ramp is two kinks of the slope.
    kinks = np.concatenate([start, end])
    steps = np.concatenate([slope, -slope])
    order = np.argsort(kinks, kind="stable")
    times, rates = kinks[order], np.cumsum(steps[order])
    totals = np.concatenate([[0.0], np.cumsum(rates[:-1] * np.diff(times))])
    delivered = np.interp(edges_ns, times, totals, left=0.0, right=totals[-1])
    # The sums round, so that a stall may come out a little below nothing.
    rate = np.maximum(np.diff(delivered) / (np.diff(edges_ns) / 1e9), 0.0)
    return edges_ns / 1e9, rate


def averaged(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shares of threads that waited when looked at, each with its neighbors, where known."""
    if len(shares) < _AVERAGED:
        return shares
    known, weights = np.isfinite(shares), np.ones(_AVERAGED)
    sums = np.convolve(np.where(known, shares, 0.0), weights, "same")
    counts = np.convolve(known, weights, "same")
    return np.where(known, sums / np.maximum(counts, 1), np.nan)


def is_exact(record: RunRecord) -> bool:
    """Whether all requests are known: not of a run under way, a program that is seen by counters
    alone, or more requests than the history keeps.
    """
    if record.finished is not None:
        return len(record.chunks) > 0
    # Of a worker that was killed the last requests never came, but samples tell of them.
    return record.done and sum(record.chunks.nbytes) >= max(record.delivered_bytes, 1)


class RangeFigures(NamedTuple):
    """Figures of a run between two moments, of which only the part with the run under way counts.

    Each request's bytes are spread evenly over its duration, as in the curve (curves.py); where not
    all requests are known, `loaded_bytes` is by samples. What happens at a moment belongs to the
    range that ends with it, so that ranges next to each other add up to what they are together.
    `requests` ended there. `io_pressure_share` is the mean of PSI io, `waiting_share` that of the
    loaders' threads in D state, as samples saw them: each for the time since the one before, and
    one alone tells nothing. What is not known is None.
    """

    duration_ns: int
    loaded_bytes: int
    requests: int | None
    blocks_ready: int | None
    memory_growth_bytes: int | None
    io_pressure_share: float | None
    waiting_share: float | None

    @property
    def bytes_per_s(self) -> float:
        """Loaded bytes per second."""
        return self.loaded_bytes * 1e9 / self.duration_ns


def range_figures(record: RunRecord, start_ns: int, end_ns: int) -> RangeFigures | None:
    """The figures of a run from `start_ns` to `end_ns`; None where it was not under way."""
    start_ns, end_ns = max(start_ns, 0), min(end_ns, record.t_ns)
    if end_ns <= start_ns:
        return None
    pairs = zip(_totals(record, start_ns), _totals(record, end_ns), strict=True)
    loaded, requests, ready, memory = (
        None if before is None or until is None else until - before for before, until in pairs
    )
    moments_ns = [0, *(sample.t_ns for sample in record.samples)]
    pressures = [sample.psi_io_share for sample in record.samples]
    looks = [sample.waiting_share for sample in record.samples]
    return RangeFigures(
        duration_ns=end_ns - start_ns,
        loaded_bytes=loaded or 0,
        requests=requests,
        blocks_ready=ready,
        memory_growth_bytes=memory,
        io_pressure_share=mean_between(pairwise(moments_ns), pressures, start_ns, end_ns),
        waiting_share=(
            mean_between(pairwise(moments_ns), looks, start_ns, end_ns) if len(looks) > 1 else None
        ),
    )


def _totals(record: RunRecord, t_ns: int) -> tuple[int, int | None, int | None, int | None]:
    """Bytes, requests, ready blocks and memory since the start: a range is the difference of two,
    so that ranges add up.
    """
    chunks = record.chunks
    begun, over = t_ns > 0, t_ns >= record.t_ns
    # What was seen before the start or after the end happened then.
    ended = len(chunks) if over else int(np.count_nonzero(_column(chunks.end_ns) <= t_ns))
    ready = [block.ready_ns for block in record.blocks if block.ready_ns is not None]
    blocks = len(ready) if over else sum(each <= t_ns for each in ready)
    return (
        _loaded_bytes(record, t_ns) if begun else 0,
        (ended if begun else 0) if len(chunks) else None,
        (blocks if begun else 0) if record.blocks else None,
        _memory_bytes(record, t_ns),
    )


def _loaded_bytes(record: RunRecord, t_ns: int) -> int:
    chunks = record.chunks
    if not is_exact(record):
        known = [(0, 0), *((each.t_ns, each.delivered_bytes) for each in record.samples)]
        return _between(t_ns, [*known, (record.t_ns, record.delivered_bytes)])
    if t_ns >= record.t_ns:
        return sum(chunks.nbytes)
    starts, ends = _column(chunks.start_ns), _column(chunks.end_ns)
    shares = np.clip((t_ns - starts) / np.maximum(ends - starts, 1), 0.0, 1.0)
    return round(float(shares @ _column(chunks.nbytes)))


def _memory_bytes(record: RunRecord, t_ns: int) -> int | None:
    """Resident memory at a moment, between two looks on the way from one to the other."""
    samples = record.samples
    later = bisect_right(samples, t_ns, key=lambda sample: sample.t_ns)
    around = samples[max(later - 1, 0) : later + 1]
    known = [(each.t_ns, amount) for each in around if (amount := resident_bytes(each)) is not None]
    if later == 0 and record.ready is not None:
        known.insert(0, (0, record.ready.loader_rss_bytes))
    return _between(t_ns, known) if known else None


def _between(t_ns: int, known: Sequence[tuple[int, int]]) -> int:
    moments_ns, amounts_bytes = zip(*known, strict=True)
    return round(float(np.interp(t_ns, moments_ns, amounts_bytes)))


def resident_bytes(sample: Sample) -> int | None:
    """Memory of the loading processes, as far as its kinds are known."""
    kinds = (sample.rss_anon_bytes, sample.rss_file_bytes, sample.rss_shared_bytes)
    known = [kind for kind in kinds if kind is not None]
    return sum(known) if known else None


def mean_between(
    stretches: Iterable[tuple[float, float]],
    values: Iterable[float | None],
    start: float,
    end: float,
) -> float | None:
    """Mean over time, from `start` to `end`, of values that each hold for a stretch of it."""
    total = known = 0.0
    for (first, last), value in zip(stretches, values, strict=True):
        length = min(last, end) - max(first, start)
        if value is not None and length > 0:
            total += value * length
            known += length
    return total / known if known else None


def _column(values: array[int]) -> NDArray[np.int64]:
    return np.frombuffer(values, dtype=np.int64)

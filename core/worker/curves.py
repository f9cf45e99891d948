"""Curves over time, computed from chunk records rather than from samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from modelmon.core.worker.record import ChunkTable

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

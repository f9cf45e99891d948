"""Measure how fast memory is filled by copying: fresh pages and pages in use, by some threads."""

from __future__ import annotations

import ctypes
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from modelmon.core.machine.anonymous_memory import HUGE_PAGE_BYTES, OwnedBuffer
from modelmon.core.messages import Message
from modelmon.core.probe.probe import CopyRate, MemoryFigures
from modelmon.core.probe.reads import together
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_BYTES = 256 * MIB
_MOST_SHARE = 0.1
_LEAST_COPY_BYTES = 8 * MIB
_MOST_THREADS = 8
_LEAST_REPEATS, _MOST_REPEATS = 3, 15


def copied_bytes(usable_bytes: int) -> int:
    """Size of one copy: source and destination take 256 MiB or a tenth of what is usable."""
    room = min(_MOST_BYTES, int(usable_bytes * _MOST_SHARE))
    return room // 2 // HUGE_PAGE_BYTES * HUGE_PAGE_BYTES


def measure_copies(
    usable_bytes: int, cpus: int, most_ns: int, should_stop: Callable[[], bool]
) -> MemoryFigures:
    """Rates with one, two and `cpus` threads (eight at the most), or none and why."""
    nbytes = copied_bytes(usable_bytes)
    if nbytes < _LEAST_COPY_BYTES:
        return MemoryFigures(reason=Message("Too little free memory to measure it."))
    counts = [n for n in (1, 2, min(cpus, _MOST_THREADS)) if n <= max(1, cpus)]
    kinds = [(count, fresh) for fresh in (True, False) for count in dict.fromkeys(counts)]
    source = OwnedBuffer(nbytes)
    try:
        # Untouched source pages would all be the one page of zeros.
        ctypes.memset(source.address, 1, nbytes)
        found = []
        for threads, fresh in kinds:
            copy = partial(_copy, source.address, nbytes, threads)
            until_ns = time.monotonic_ns() + most_ns // len(kinds)

            def over(until_ns: int = until_ns) -> bool:
                return time.monotonic_ns() >= until_ns or should_stop()

            took = _into_fresh(copy, nbytes, over) if fresh else _into_used(copy, nbytes, over)
            best, middle = nbytes * 1e9 / min(took), nbytes * 1e9 / median(took)
            found.append(CopyRate(threads, fresh, nbytes, len(took), best, middle))
    finally:
        source.close()
    return MemoryFigures(tuple(found))


def _into_fresh(copy: Callable[[int], int], nbytes: int, over: Callable[[], bool]) -> list[int]:
    """What each of several copies took, each into memory of its own."""
    took: list[int] = []
    while len(took) < _LEAST_REPEATS or (len(took) < _MOST_REPEATS and not over()):
        target = OwnedBuffer(nbytes)
        try:
            took.append(copy(target.address))
        finally:
            target.close()
    return took


def _into_used(copy: Callable[[int], int], nbytes: int, over: Callable[[], bool]) -> list[int]:
    """What each of several copies took, all into memory that was written to before."""
    took: list[int] = []
    target = OwnedBuffer(nbytes)
    try:
        ctypes.memset(target.address, 1, nbytes)
        while len(took) < _LEAST_REPEATS or (len(took) < _MOST_REPEATS and not over()):
            took.append(copy(target.address))
    finally:
        target.close()
    return took


def _copy(source: int, nbytes: int, threads: int, target: int) -> int:
    """Nanoseconds from the first thread's start to the last one's end."""
    step = -(-nbytes // threads // HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES
    times: list[tuple[int, int]] = []

    def work(number: int) -> None:
        offset = number * step
        size = min(step, nbytes - offset)
        begun = time.monotonic_ns()
        if size > 0:
            ctypes.memmove(target + offset, source + offset, size)
        times.append((begun, time.monotonic_ns()))

    together(threads, work)
    return max(1, max(end for _, end in times) - min(begun for begun, _ in times))

"""Measure how fast memory is filled by copying: fresh pages and pages in use, by some threads."""

from __future__ import annotations

import ctypes
import time
from contextlib import ExitStack, closing
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
    found = []
    with closing(_written(nbytes)) as source:
        for threads, fresh in kinds:
            copy = partial(_copy, source.address, nbytes, threads)
            until_ns = time.monotonic_ns() + most_ns // len(kinds)
            took: list[int] = []
            with ExitStack() as stack:
                used = None if fresh else stack.enter_context(closing(_written(nbytes)))
                while len(took) < _LEAST_REPEATS or not (
                    len(took) >= _MOST_REPEATS or time.monotonic_ns() >= until_ns or should_stop()
                ):
                    with ExitStack() as each:
                        target = used or each.enter_context(closing(OwnedBuffer(nbytes)))
                        took.append(copy(target.address))
            best, middle = nbytes * 1e9 / min(took), nbytes * 1e9 / median(took)
            found.append(CopyRate(threads, fresh, nbytes, len(took), best, middle))
    return MemoryFigures(tuple(found))


def _written(nbytes: int) -> OwnedBuffer:
    """Memory in use: untouched pages would all be the one page of zeros."""
    buffer = OwnedBuffer(nbytes)
    ctypes.memset(buffer.address, 1, nbytes)
    return buffer


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

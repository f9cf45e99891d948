"""What is read into the page cache for a load: all of it before, or a window ahead of a reader."""

from __future__ import annotations

import ctypes
import mmap
import sys
import threading
import time
from typing import TYPE_CHECKING

from modelmon.core.load.extents import split, total_bytes
from modelmon.core.load.files import HINT_BYTES
from modelmon.core.load.threads import Account, Stopwatch, start
from modelmon.core.machine.cached_pages import (
    cachestat_pages,
    libc,
    mincore_answers,
    mincore_pages,
    page_counter,
)
from modelmon.core.machine.direct_io import give_advice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.load.config import Warmup
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.load.progress import Progress
    from modelmon.core.machine.cached_pages import CountPages

    Report = Callable[[int], None]

_POLL_S = 0.002
_POLL_PAUSES = 5
_TURN_S = 0.0005
# After this long without progress the rest was dropped, or could not be read.
_STALL_S = 0.5


def warm_up(
    kind: Warmup,
    files: OpenFiles,
    extents: Sequence[Extent],
    chunk_bytes: int,
    report: Report,
) -> Account:
    """Fill the page cache with `extents`, in file order; `report` gets the bytes so far.

    Hints return at once; the warm-up is over when their pages are there, which is looked up
    where it can be known, and else when the last hint was given.
    """
    watch = Stopwatch()
    if kind == "read":
        _read(files, extents, chunk_bytes, report)
    else:
        hint(kind, files, extents)
        _await_pages(files, extents, report)
    return watch.stop()


def await_warm_up(progress: Progress) -> None:
    """Return when the loader that warms up for all has done so."""
    while not progress.warmup_done_ns:
        time.sleep(_TURN_S)


def _read(files: OpenFiles, extents: Sequence[Extent], chunk_bytes: int, report: Report) -> None:
    largest = max((extent.nbytes for extent in extents), default=0)
    scratch = memoryview(bytearray(min(chunk_bytes, largest)))
    done = 0
    for extent in extents:
        for request in split(extent, chunk_bytes):
            files.read_into(scratch[: request.nbytes], request)
            done += request.nbytes
            report(done)


def hint(kind: Warmup, files: OpenFiles, extents: Sequence[Extent]) -> None:
    """Tell the kernel (Linux) by `readahead` or `willneed` what to read; it goes on by itself."""
    for extent in extents:
        descriptor = files.descriptors[extent.shard]
        for request in split(extent, HINT_BYTES):
            if sys.platform != "linux":
                return
            if kind == "willneed":
                give_advice(descriptor, kind, request.offset_bytes, request.nbytes)
                continue
            libc().readahead(
                ctypes.c_int(descriptor),
                ctypes.c_int64(request.offset_bytes),
                ctypes.c_size_t(request.nbytes),
            )


def _await_pages(files: OpenFiles, extents: Sequence[Extent], report: Report) -> None:
    """Return when the pages' contents are there, or no more of them come.

    cachestat(2) counts pages that are still being read, mincore(2) does not. What the kernel
    dropped of the hints is in neither, and is not waited for. Where cachestat cannot be asked,
    it shows by no more pages coming.
    """
    descriptors = files.descriptors.values()
    counters = {page_counter(descriptor)[0] for descriptor in descriptors}
    if None in counters or not all(map(mincore_answers, descriptors)):
        return
    expected = sum(map(_pages, extents))
    most = total_bytes(extents)
    seen, moved_s = -1, time.monotonic()
    while time.monotonic() - moved_s < _STALL_S:
        before_s = time.monotonic()
        if counters == {cachestat_pages}:
            expected = _count(cachestat_pages, files, extents)
        found = _count(mincore_pages, files, extents)
        if found > seen:
            seen, moved_s = found, time.monotonic()
            report(min(seen * mmap.PAGESIZE, most))
        if found >= expected:
            return
        # Looking at a large file takes a while, and must not take the processor.
        time.sleep(max(_POLL_S, _POLL_PAUSES * (time.monotonic() - before_s)))


def _count(count: CountPages, files: OpenFiles, extents: Sequence[Extent]) -> int:
    return sum(
        count(files.descriptors[extent.shard], extent.offset_bytes, extent.nbytes)
        for extent in extents
    )


def _pages(extent: Extent) -> int:
    return -(-extent.end_bytes // mmap.PAGESIZE) - extent.offset_bytes // mmap.PAGESIZE


class Prefetch:
    """Reads a reader's requests before it does, never more than a window ahead.

    It reads into a buffer that is used again, through a descriptor of its own, since hints
    (readahead, WILLNEED) are cut short by the kernel and ignored by some mounts. A request
    that the reader has passed already is left out.
    """

    def __init__(
        self, files: OpenFiles, extents: Sequence[Extent], chunk_bytes: int, window_bytes: int
    ) -> None:
        self._files = files
        self._extents = extents
        self._chunk_bytes = chunk_bytes
        self._window = max(1, window_bytes // chunk_bytes)
        self._passed = 0
        self._stopped = False
        self._moved = threading.Condition()
        self._problem: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin to read ahead."""
        start(self._thread)

    def passed(self, requests: int) -> None:
        """Tell that the reader has finished so many requests."""
        with self._moved:
            self._passed = requests
            self._moved.notify()

    def stop(self) -> None:
        """End the thread; after this the descriptors are no longer used."""
        with self._moved:
            self._stopped = True
            self._moved.notify()
        if self._thread.is_alive():
            self._thread.join()

    def take_problem(self) -> Exception | None:
        """What ended the reading ahead early, once; known after `stop`."""
        problem, self._problem = self._problem, None
        return problem

    def _run(self) -> None:
        number = 0
        try:
            largest = max((extent.nbytes for extent in self._extents), default=0)
            scratch = memoryview(bytearray(min(self._chunk_bytes, largest)))
            for extent in self._extents:
                for request in split(extent, self._chunk_bytes):
                    if not self._wait(number):
                        return
                    if number >= self._passed:
                        self._files.read_into(scratch[: request.nbytes], request)
                    number += 1
        except Exception as error:
            # Raised where the load is waited for: out of a thread it would be lost.
            self._problem = error

    def _wait(self, number: int) -> bool:
        with self._moved:
            self._moved.wait_for(lambda: self._stopped or number < self._passed + self._window)
            return not self._stopped

"""What is read into the page cache for a load: all of it before, or a window ahead of a reader."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from modelmon.core.load.extents import split
from modelmon.core.load.files import HINT_BYTES
from modelmon.core.load.threads import Account, Stopwatch, start
from modelmon.core.machine.direct_io import give_advice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.load.progress import Progress

    Report = Callable[[int], None]

_TURN_S = 0.0005


def warm_up(
    files: OpenFiles, extents: Sequence[Extent], chunk_bytes: int, report: Report
) -> Account:
    """Read `extents` into the page cache, in file order; `report` gets the bytes so far."""
    watch = Stopwatch()
    largest = max((extent.nbytes for extent in extents), default=0)
    scratch = memoryview(bytearray(min(chunk_bytes, largest)))
    done = 0
    for extent in extents:
        for request in split(extent, chunk_bytes):
            files.read_into(scratch[: request.nbytes], request)
            done += request.nbytes
            report(done)
    return watch.stop()


def await_warm_up(progress: Progress) -> None:
    """Return when the loader that warms up for all has done so."""
    while not progress.warmup_done_ns:
        time.sleep(_TURN_S)


def hint(files: OpenFiles, extents: Sequence[Extent]) -> None:
    """Tell the kernel what to read; it goes on by itself."""
    for extent in extents:
        descriptor = files.descriptors[extent.shard]
        for request in split(extent, HINT_BYTES):
            give_advice(descriptor, "willneed", request.offset_bytes, request.nbytes)


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

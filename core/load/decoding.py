"""Reading and decoding at once: a reader fills a few slots, a second thread empties them."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.load.accounts import Account, RequestTimes, Stopwatch
from modelmon.core.load.threads import start

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.load.buffers import PassingDestination
    from modelmon.core.load.decode_units import TensorValues
    from modelmon.core.load.readers import Reader, Record

    Decode = Callable[[memoryview, TensorValues], None]

SLOTS = 3
"""One that is read into, one that is decoded, one between them."""

THREAD_NAME = "decoder"
"""What Linux calls the threads that decode: their processor time is read from outside."""


class DecodingReader:
    """One reader and its decoder; requests end when their values are decoded.

    `parts` holds for each extent what is in it. What the reader waits for a free slot is
    no part of its account: that is the decoder's time, which `decode_ns` sums up. The account
    tells nothing of waiting for storage.
    """

    def __init__(
        self,
        reader: Reader,
        parts: Sequence[Sequence[TensorValues]],
        slots: PassingDestination,
        decode: Decode,
    ) -> None:
        """`reader` delivers into `slots`; its `consume` sees the bytes before they are decoded."""
        self.number = reader.number
        self.extents = reader.extents
        self.source = reader.source
        self.decode_ns = 0
        self._parts = parts
        self._slots = slots
        self._decode = decode
        self._consume = reader.consume
        self._free = threading.Semaphore(slots.slots)
        self._filled: queue.SimpleQueue[tuple[int, int, memoryview] | None] = queue.SimpleQueue()
        self._problems: list[BaseException] = []

    def run(self, chunk_bytes: int, record: Record, stop: threading.Event) -> Account:
        """Read all extents, each as one request, while the decoder follows."""
        del chunk_bytes
        watch = Stopwatch()
        self.source.begin(self.extents)
        decoder = threading.Thread(target=self._follow, args=(record, stop))
        start(decoder)
        try:
            self._read(watch, stop)
        finally:
            self._filled.put(None)
            before_ns = time.monotonic_ns()
            decoder.join()
            watch.leave_out(time.monotonic_ns() - before_ns)
        if self._problems:
            # Taken out: an error that its own frames can reach would keep all that they hold.
            raise self._problems.pop()
        # The reader also waits for the interpreter, which the decoders hold: how much of its
        # time was storage's cannot be told.
        return watch.stop()._replace(run_queue_ns=None)

    def _read(self, watch: Stopwatch, stop: threading.Event) -> None:
        for number, extent in enumerate(self.extents):
            before_ns = time.monotonic_ns()
            self._free.acquire()
            start_ns = time.monotonic_ns()
            watch.leave_out(start_ns - before_ns)
            if stop.is_set() or self._problems:
                return
            self._slots.turn(number)
            self.source.deliver(extent)
            self._filled.put((number, start_ns, self.source.delivered(extent)))

    def _follow(self, record: Record, stop: threading.Event) -> None:
        name_this_thread()
        try:
            while (item := self._filled.get()) is not None:
                if not stop.is_set():
                    self._take(*item, record)
                self._free.release()
        except BaseException as error:
            self._problems.append(error)
            self._free.release()
        self.decode_ns = time.thread_time_ns()

    def _take(self, number: int, start_ns: int, view: memoryview, record: Record) -> None:
        extent = self.extents[number]
        if self._consume is not None:
            self._consume(extent, view)
        decoding_ns = time.monotonic_ns()
        for part in self._parts[number]:
            self._decode(view[part.start_bytes : part.start_bytes + part.nbytes], part)
        end_ns = time.monotonic_ns()
        times = RequestTimes(start_ns, end_ns, end_ns - decoding_ns)
        record(self.number, number, times, extent.nbytes)


def name_this_thread() -> None:
    """Source: proc_tid_comm(5). Other platforms have no such file, and need no name."""
    with contextlib.suppress(OSError):
        Path("/proc/thread-self/comm").write_bytes(THREAD_NAME.encode())

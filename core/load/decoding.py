"""Reads and decodes at once: one thread fills a few slots of memory, others decode from them.

A request ends when its values are decoded, not when it was read. How values are decoded is in
decode.py.
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.accounts import Account, RequestTimes, Stopwatch, beside
from modelmon.core.load.threads import allowed_processors, start

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.load.buffers import PassingDestination
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.plan import TensorValues
    from modelmon.core.load.readers import Reader, Record

    Decode = Callable[[memoryview, TensorValues], None]

SPARE_SLOTS = 2
"""Besides one for each decoder: one that is read into, one between them."""

MOST_DECODERS = 8
"""Of one process: each holds a request and its values, and the interpreter between two tensors."""

THREAD_NAME = "decoder"
"""What Linux calls the threads that decode: their processor time is read from outside."""


def usable_processors() -> int:
    """How many of them its control groups let it use at once; a part of one is one."""
    # Loaders that decode nothing start sooner without it.
    from modelmon.core.machine.cgroup import cgroup_limits  # noqa: PLC0415

    processors = allowed_processors()
    quotas = (each.amount for each in cgroup_limits() or () if each.kind == "processors")
    return max(1, min(processors, math.ceil(min(quotas, default=processors))))


def decoders_each(config: LoadConfig, processors: int) -> int:
    """How many decoders each of a load's readers has: together at least one a processor, as long
    as none of its processes has more than MOST_DECODERS.
    """
    readers = config.readers * config.ranks
    together = readers // config.processes
    return max(1, min(-(-processors // readers), MOST_DECODERS // together))


class _Filled(NamedTuple):
    """A request that was read: its number, its slot, when it began and was read, its bytes."""

    number: int
    slot: int
    start_ns: int
    read_ns: int
    view: memoryview


class DecodingReader:
    """One reader and its decoders; requests end when their values are decoded.

    `parts` holds for each extent what is in it. As many requests are under way as there are slots:
    one is read, one is between, and each other one has its decoder. The account has what the
    reader waits for a free slot, and for the decoders at the end, as theirs, but for what these
    wait for a processor. The little that it waits for the interpreter, while a decoder has that,
    counts as waiting for storage.
    """

    def __init__(
        self,
        reader: Reader,
        parts: Sequence[Sequence[TensorValues]],
        count: int,
        slots: PassingDestination | None,
        decode: Decode,
    ) -> None:
        """`reader` delivers into `count` slots, or into none where its bytes stay where they come
        to; its `consume` sees them before they are decoded.
        """
        self.number = reader.number
        self.extents = reader.extents
        self.source = reader.source
        self.decode_ns = 0
        self._parts = parts
        self._count = count
        self._slots = slots
        self._decode = decode
        self._consume = reader.consume
        self._free: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._filled: queue.SimpleQueue[_Filled | None] = queue.SimpleQueue()
        self._problems: list[BaseException] = []
        self._accounts: list[Account] = []
        self._turn = threading.Lock()
        self._requests = reader.requests

    def begin(self, record: Record) -> bool:
        """Look at what is to be read. There is more to do than to copy, whatever is cached."""
        del record
        self.source.begin(self.extents)
        return False

    def run(self, record: Record, stop: threading.Event) -> Account:
        """Read all extents, each as one request, while the decoders follow."""
        watch = Stopwatch()
        for slot in range(self._count):
            self._free.put(slot)
        decoders: list[threading.Thread] = []
        try:
            for _ in range(self._count - SPARE_SLOTS):
                decoder = threading.Thread(target=self._follow, args=(record, stop))
                start(decoder)
                decoders.append(decoder)
            self._read(watch, stop)
        except BaseException:
            # Decoders may be waiting for what will not be read any more.
            stop.set()
            raise
        finally:
            with watch.waiting_for_decoders():
                for _ in decoders:
                    self._filled.put(None)
                for decoder in decoders:
                    decoder.join()
        if self._problems:
            # Taken out: an error that its own frames can reach would keep all that they hold.
            del self._problems[1:]
            raise self._problems.pop()
        return beside(watch.stop(), self._accounts)

    def _read(self, watch: Stopwatch, stop: threading.Event) -> None:
        for number, extent in enumerate(self.extents):
            if self._free.empty():
                with watch.waiting_for_decoders():
                    slot = self._free.get()
            else:
                slot = self._free.get()
            start_ns = time.monotonic_ns()
            if stop.is_set():
                return
            if self._slots is not None:
                self._slots.turn(slot)
            self.source.deliver(extent)
            view = self.source.delivered(extent)
            if self._consume is not None:
                self._consume(extent, view)
            self._filled.put(_Filled(number, slot, start_ns, time.monotonic_ns(), view))

    def _follow(self, record: Record, stop: threading.Event) -> None:
        name_this_thread()
        watch = Stopwatch()
        while (filled := self._filled.get()) is not None:
            try:
                if not stop.is_set():
                    self._take(filled, record)
            except BaseException as error:
                self._problems.append(error)
                stop.set()
            self._free.put(filled.slot)
        account = watch.stop()
        with self._turn:
            self._accounts.append(account)
            self.decode_ns += account.on_cpu_ns

    def _take(self, filled: _Filled, record: Record) -> None:
        number, _, start_ns, read_ns, view = filled
        began_ns = time.monotonic_ns()
        for part in self._parts[number]:
            data = view[part.start_bytes : part.start_bytes + part.nbytes]
            self._decode(data, part)
        self.source.done(self.extents[number])
        end_ns = time.monotonic_ns()
        times = RequestTimes(start_ns, end_ns, end_ns - began_ns, began_ns - read_ns)
        self._requests.ended(record, number, times, self.extents[number].nbytes)


def name_this_thread() -> None:
    """Source: proc_tid_comm(5). Other platforms have no such file, and need no name."""
    with contextlib.suppress(OSError):
        Path("/proc/thread-self/comm").write_bytes(THREAD_NAME.encode())

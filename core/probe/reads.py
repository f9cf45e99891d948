"""Timed reads by one or several readers at once, and the rate that follows from them."""

from __future__ import annotations

import threading
import time
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.files import read_at
from modelmon.core.load.touch import touch
from modelmon.core.machine.anonymous_memory import OwnedBuffer, address_of
from modelmon.core.probe.probe import Latency, Reads
from modelmon.core.probe.together import together

if TYPE_CHECKING:
    import mmap
    from collections.abc import Callable, Mapping, Sequence

    from modelmon.core.load.extents import Extent
    from modelmon.core.probe.probe import ReadAccess

# Fewer tell of one request's luck, not of a rate; of slow storage less is enough.
_LEAST_RATE_BYTES = 4 * 1024**2
_LEAST_RATE_NS = 50_000_000
_LEAST_SLOW_BYTES = 64 * 1024
_LEAST_P99_SAMPLES = 100


class Request(NamedTuple):
    """One read: when it began and ended (monotonic clock), and how much it brought."""

    start_ns: int
    end_ns: int
    nbytes: int


class ReadShare(NamedTuple):
    """What one reader reads: its own descriptors by file, and its spans in this order.

    Offsets and sizes of its requests are multiples of `block_bytes`. With `maps` of the files it
    touches their pages instead.
    """

    descriptors: Mapping[int, int]
    spans: Sequence[Extent]
    block_bytes: int
    maps: Mapping[int, mmap.mmap] = MappingProxyType({})

    def fetch(self, view: memoryview, file: int, offset: int) -> int:
        """Have this much of a file in memory; how much it is."""
        if file not in self.maps:
            return read_at(self.descriptors[file], view, offset)
        nbytes = min(len(view), len(self.maps[file]) - offset)
        touch(address_of(self.maps[file]) + offset, nbytes)
        return nbytes


def read_together(
    shares: Sequence[ReadShare], request_bytes: int, most_ns: int, should_stop: Callable[[], bool]
) -> list[list[Request]]:
    """All hands at once, a thread each, until `most_ns` are over; the requests of each.

    Destinations are reused buffers in huge pages. Raises OSError if a read fails.
    """
    buffers = [OwnedBuffer(request_bytes) for _ in shares]
    begun_ns: list[int] = []
    done: list[list[Request]] = [[] for _ in shares]
    failed = threading.Event()

    def over(number: int) -> bool:
        # Each reads once: a thread that gets a processor late would else have no rate at all.
        late = time.monotonic_ns() - begun_ns[0] >= most_ns and bool(done[number])
        return late or failed.is_set() or should_stop()

    def work(number: int) -> None:
        begun_ns.append(time.monotonic_ns())
        try:
            _read(shares[number], buffers[number].view, partial(over, number), done[number])
        except OSError:
            failed.set()
            raise

    try:
        together(len(shares), work)
    finally:
        for buffer in buffers:
            buffer.close()
    return done


def _read(
    share: ReadShare, buffer: memoryview, over: Callable[[], bool], done: list[Request]
) -> None:
    """Whole buffers, so that direct reads stay aligned; the end of a file answers with less."""
    for file, offset, nbytes in share.spans:
        at = 0
        while at < nbytes:
            if over():
                return
            begun = time.monotonic_ns()
            # A file may end within the last block that is asked for.
            wanted = min(len(buffer), -(-(nbytes - at) // share.block_bytes) * share.block_bytes)
            # Released also where the read fails, since the error would keep it.
            with buffer[:wanted] as view:
                came = share.fetch(view, file, offset + at)
            if came:
                done.append(Request(begun, time.monotonic_ns(), came))
            if came < wanted:
                break
            at += came


def rate_of(
    done: Sequence[Sequence[Request]],
    request_bytes: int,
    access: ReadAccess = "direct",
    *,
    shared: bool = False,
) -> Reads | None:
    """The rate while every reader was at work; None where too little was read to tell.

    A request that was under way when the first reader ended counts for the part of its time
    before that: the last ones would else be timed with less company than all others.
    """
    if not done or not all(done):
        return None
    begin = min(requests[0].start_ns for requests in done)
    end = min(requests[-1].end_ns for requests in done)
    nbytes = sum(_share_before(request, end) for requests in done for request in requests)
    elapsed = end - begin
    least_bytes = _LEAST_SLOW_BYTES if elapsed >= _LEAST_RATE_NS else _LEAST_RATE_BYTES
    if elapsed <= 0 or nbytes < least_bytes:
        return None
    every = [request for requests in done for request in requests if request.start_ns < end]
    wait = sum(request.end_ns - request.start_ns for request in every) / len(every)
    total = sum(request.nbytes for requests in done for request in requests)
    rate = nbytes * 1e9 / elapsed
    starts = (requests[0].end_ns - requests[0].start_ns - wait for requests in done)
    start = max(0.0, sum(starts) / len(done))
    return Reads(
        len(done), request_bytes, len(every), total, rate, wait, start, access, shared=shared
    )


def _share_before(request: Request, end_ns: int) -> float:
    if request.end_ns <= end_ns:
        return request.nbytes
    took = request.end_ns - request.start_ns
    return request.nbytes * max(0, end_ns - request.start_ns) / took


def latency_of(requests: Sequence[Request], request_bytes: int) -> Latency | None:
    """Median and 99th percentile (nearest rank) of single requests; None of none."""
    waits = sorted(request.end_ns - request.start_ns for request in requests)
    if not waits:
        return None
    count = len(waits)
    p99 = waits[-(-count * 99 // 100) - 1] if count >= _LEAST_P99_SAMPLES else None
    return Latency(request_bytes, count, waits[(count - 1) // 2], p99)

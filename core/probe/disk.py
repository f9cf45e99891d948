"""Measure a model's storage: latency, rates by one and more readers, through and past the cache.

Only the model's own files are read. Direct reads leave the page cache as it is. What is read
through the cache are places of which nothing is cached, and they are dropped again.
"""

from __future__ import annotations

import mmap
import os
import random
import sys
import time
from contextlib import closing
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.load.extents import Extent, distinct, partition, split, total_bytes
from modelmon.core.load.files import populate, touch
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.machine.host import is_virtual_machine
from modelmon.core.machine.memory import free_bytes
from modelmon.core.machine.procfs import SECTOR_BYTES
from modelmon.core.messages import Message
from modelmon.core.probe.probe import StorageFigures
from modelmon.core.probe.reads import Manner, latency_of, rate_of, read_together
from modelmon.core.units import GIB, KIB, MIB
from modelmon.core.worker.figures import SystemReader
from modelmon.core.worker.preparation import touched_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.probe.probe import ReadAccess, Reads
    from modelmon.core.probe.reads import ProbeFiles, Request

RUN_BYTES = 4 * MIB
"""The least that is taken or left: what is cached of a file is asked of so much at a time."""


class Places:
    """Hands out one stretch of the files after another, from a random place on, round and round.

    Where something is handed out again, `repeated` says so: caches outside of this system may
    then serve what was read before.
    """

    def __init__(self, sizes_bytes: Sequence[int], block_bytes: int, seed: int) -> None:
        """`block_bytes` is what offsets are multiples of; `seed` decides where it begins."""
        self.total_bytes = sum(sizes_bytes)
        self.repeated = False
        self._block_bytes = block_bytes
        self._sizes = tuple(sizes_bytes)
        self._random = random.Random(seed)
        files = [Extent(file, 0, size) for file, size in enumerate(sizes_bytes)]
        self._runs = [run for file in files for run in split(file, RUN_BYTES)]
        self._handed_out = [False] * len(self._runs)
        self._next = self._random.randrange(max(1, len(self._runs)))

    def take(self, nbytes: int, accept: Callable[[Extent], bool] | None = None) -> list[Extent]:
        """The next about `nbytes` in file order, neighbours as one, no place twice.

        Seeks would else count as reading. Only what `accept` agrees to; less where the files have
        no more.
        """
        taken: list[Extent] = []
        have = 0
        for _ in self._runs:
            if have >= nbytes:
                break
            number, self._next = self._next, (self._next + 1) % len(self._runs)
            run = self._runs[number]
            if accept is None or accept(run):
                self.repeated |= self._handed_out[number]
                self._handed_out[number] = True
                taken.append(run)
                have += run.nbytes
        return distinct(taken)

    def blocks(self, most: int) -> list[Extent]:
        """Up to `most` single blocks at random places, no place twice."""
        counts = [-(-size // self._block_bytes) for size in self._sizes]
        numbers = self._random.sample(range(sum(counts)), min(most, sum(counts)))
        return [self._block(number, counts) for number in numbers]

    def _block(self, number: int, counts: Sequence[int]) -> Extent:
        file = 0
        while number >= counts[file]:
            number -= counts[file]
            file += 1
        offset = number * self._block_bytes
        return Extent(file, offset, min(self._block_bytes, self._sizes[file] - offset))


# Shares of the time. The rest is for memory, for opening, and for requests that end late.
# One reader reads the same past the cache and through it, for as long.
_LATENCY_SHARE, _IN_ORDER_SHARE, _STEP_SHARE, _REREAD_SHARE = 0.08, 0.1, 0.06, 0.03
_LOAD_SHARE = 0.07

_STEPS = (1, 2, 4, 8)
_IN_ORDER_REQUEST_BYTES = 4 * MIB
# What loaders that read in parallel ask for at a time.
_STEP_REQUEST_BYTES = 2 * MIB
# What small requests cost more shows best by much smaller ones.
_SMALL_REQUEST_BYTES = 256 * KIB
# As strategies read through the cache: access, readers, bytes at a time.
_LOADS: tuple[tuple[ReadAccess, int, int], ...] = (
    ("read", 4, 1 * MIB),
    ("mmap", 1, 256 * KIB),
    ("mmap", 4, 256 * KIB),
    ("prefetch", 1, 1 * MIB),
)
_LEAST_REQUEST_BYTES = 64 * KIB
_LEAST_REQUESTS = 2
_MOST_SAMPLES = 4000
_MOST_PHASE_BYTES = 1 * GIB
# Of a fast disk less takes a tenth of a second, in which several readers hardly begin and end.
_LEAST_PHASE_BYTES = 512 * MIB
# Five phases take a stretch, and there is room: so none has to read what another has read.
_PHASE_SHARE = 1 / 8
_TRIAL_BYTES = 256 * KIB
_LEAST_MAPPED_BYTES = 4 * MIB
_LEAST_REREAD_BYTES = 16 * MIB


class DiskProbe:
    """One probe of some files; call `measure` once."""

    def __init__(
        self, files: ProbeFiles, duration_ns: int, should_stop: Callable[[], bool]
    ) -> None:
        """All phases take about four fifths of `duration_ns` or less."""
        self._files = files
        self._duration_ns = duration_ns
        self._should_stop = should_stop
        seed = int.from_bytes(os.urandom(8), "little")
        self._places = Places(files.sizes_bytes, files.block_bytes, seed)
        total = self._places.total_bytes
        share = max(_LEAST_PHASE_BYTES, min(_MOST_PHASE_BYTES, int(total * _PHASE_SHARE)))
        self._phase_bytes = min(share, total)
        self._in_order: list[Extent] = []
        self._found = StorageFigures(files.way, files.way_reason)
        self._usual = Manner(files.way)
        self._access: ReadAccess = "read" if files.way == "cache" else "direct"

    def measure(self) -> StorageFigures:
        """Every phase that is possible; raises OSError if a read fails."""
        found = self._found
        try:
            if found.way == "direct":
                with closing(_TrafficOfOthers(self._files.devices)) as others:
                    self._reads()
                    found.direct_bytes = found.read_bytes
                    found.others_bytes = others.end(found.direct_bytes)
            elif found.way != "none":
                self._reads()
            found.repeated_places = self._places.repeated
            self._buffered()
            if not found.buffered_reason:
                for load in _LOADS:
                    self._load(*load)
            if found.mapped_bytes_per_s is None:
                self._map(self._places.take(self._phase_bytes, accept=self._files.is_cached))
        finally:
            self._drop()
        return found

    def _reads(self) -> None:
        """By the probe's way: at random, in order, by more and more readers."""
        found, files = self._found, self._files
        blocks = self._places.blocks(_MOST_SAMPLES)
        if found.way == "cache":
            blocks = [block for block in blocks if files.is_uncached(block, ahead=False)]
        size = files.block_bytes
        done = self._timed([blocks], size, _LATENCY_SHARE, Manner(found.way, random=True))
        found.latency = latency_of(done[0], size) if done else None
        size = self._fitting(_IN_ORDER_REQUEST_BYTES, _IN_ORDER_SHARE)
        # What can be read through the cache as well, if there is any.
        uncached = self._take(self._phase_bytes, uncached=True)
        self._in_order = uncached or self._take(self._phase_bytes)
        done = self._timed([self._in_order], size, _IN_ORDER_SHARE)
        found.sequential = rate_of(done, size, self._access)
        if found.way == "direct" and done:
            again = self._timed([self._in_order[:1]], size, _REREAD_SHARE)
            found.reread_ratio = _speed_up(done[0], again[0]) if again else None
        for readers in _STEPS:
            size = self._fitting(_STEP_REQUEST_BYTES, _STEP_SHARE, _STEPS[-1])
            found.readers += self._step(readers, size)
            if readers == 1 and size > _SMALL_REQUEST_BYTES:
                found.loads += self._step(readers, _SMALL_REQUEST_BYTES)

    def _step(self, readers: int, request_bytes: int) -> tuple[Reads, ...]:
        """As loads by several readers have it: each reads one stretch."""
        dealt = partition(self._take(self._phase_bytes), readers, request_bytes)
        done = self._timed(dealt, request_bytes, _STEP_SHARE)
        reads = rate_of(done, request_bytes, self._access)
        return (reads,) if reads is not None else ()

    def _load(self, access: ReadAccess, readers: int, request_bytes: int) -> None:
        """As a strategy reads through the cache, of which nothing is there."""
        request_bytes = self._fitting(request_bytes, _LOAD_SHARE, readers)
        dealt = partition(self._take(self._phase_bytes, uncached=True), readers, request_bytes)
        mapped = 0 if access == "read" else readers
        if access == "prefetch":
            dealt *= 2
        done = self._timed(dealt, request_bytes, _LOAD_SHARE, Manner("cache", mapped=mapped))
        reads = rate_of(done[:readers], request_bytes, access)
        if reads is not None:
            self._found.loads += (self._with_what_is_ahead(reads, dealt[:readers]),)

    def _with_what_is_ahead(self, reads: Reads, dealt: Sequence[Sequence[Extent]]) -> Reads:
        """With what the kernel has read ahead of the readers when they ended: a load would get to
        it, and the first request waits for more than itself.
        """
        ready = self._files.ready_bytes(span for spans in dealt for span in spans)
        factor = max(1.0, ready / reads.read_bytes)
        rate = reads.bytes_per_s * factor
        ahead_ns = (factor - 1) * reads.read_bytes * 1e9 / rate
        return msgspec.structs.replace(
            reads,
            bytes_per_s=rate,
            mean_wait_ns=reads.mean_wait_ns / factor,
            start_ns=max(0.0, reads.start_ns - ahead_ns),
        )

    def _buffered(self) -> None:
        """What was read in order, through the cache; then how fast it is mapped there."""
        found, spans = self._found, self._in_order
        if found.way == "memory" or self._files.cache_reason:
            found.buffered_reason = found.way_reason or self._files.cache_reason
            return
        self._drop()
        if not all(map(self._files.is_uncached, spans)):
            found.buffered_reason = Message("The file is cached, and measuring leaves it so.")
            return
        request_bytes = self._fitting(_IN_ORDER_REQUEST_BYTES, _IN_ORDER_SHARE)
        # Below a hypervisor new memory costs more than a fast disk; runs touch theirs before, too.
        if is_virtual_machine() is not False:
            need = min(total_bytes(spans), free_bytes() // 2)
            if memory := touched_memory(need, lambda _: None, self._should_stop):
                memory.close()
        done = self._timed([spans], request_bytes, _IN_ORDER_SHARE, Manner("cache"))
        reads = rate_of(done, request_bytes, "read")
        if reads is not None:
            found.buffered = self._with_what_is_ahead(reads, [spans])
        else:
            found.buffered_reason = Message("Too little was read for a rate.")
        self._map(spans)

    def _map(self, spans: Sequence[Extent]) -> None:
        """How fast cached places get into a page table: the middle one of them."""
        runs = [run for span in spans for run in split(span, RUN_BYTES)]
        cached = [run for run in runs if self._files.is_cached(run)]
        if total_bytes(cached) >= _LEAST_MAPPED_BYTES:
            rates = (median(self._map_rate(run, by) for run in cached) for by in (touch, populate))
            self._found.mapped_bytes_per_s, self._found.populated_bytes_per_s = rates

    def _map_rate(self, run: Extent, bring_in: Callable[[int, int], None]) -> float:
        descriptor, (_, offset, nbytes) = self._files.map_of(run.shard), run
        with mmap.mmap(descriptor, nbytes, access=mmap.ACCESS_READ, offset=offset) as mapping:
            begun_ns = time.monotonic_ns()
            bring_in(address_of(mapping), nbytes)
            return nbytes * 1e9 / (time.monotonic_ns() - begun_ns)

    def _timed(
        self,
        dealt: Sequence[Sequence[Extent]],
        request_bytes: int,
        share: float,
        manner: Manner | None = None,
    ) -> list[list[Request]]:
        """The requests of each hand, by the probe's way unless told otherwise; none at all where
        there is nothing to read.
        """
        if not all(dealt) or self._should_stop():
            return []
        with self._files.shares(dealt, manner or self._usual) as shares:
            most_ns = round(share * self._duration_ns)
            done = read_together(shares, request_bytes, most_ns, self._should_stop)
        self._found.read_bytes += sum(request.nbytes for requests in done for request in requests)
        return done if all(done) else []

    def _take(self, nbytes: int, *, uncached: bool = False) -> list[Extent]:
        """Places that may be read; of what was read before nothing is cached any more."""
        self._drop()
        uncached |= self._found.way == "cache"
        return self._places.take(nbytes, self._files.is_uncached if uncached else None)

    def _drop(self) -> None:
        left = self._files.drop_what_was_read()
        if left is not None:
            self._found.left_cached_bytes = (self._found.left_cached_bytes or 0) + left

    @cached_property
    def _trial_ns(self) -> int:
        """What a small request takes; 0 where none can be made."""
        # The first one waits for what only a start takes.
        most = 2 * _TRIAL_BYTES
        spans = [span._replace(nbytes=min(most, span.nbytes)) for span in self._take(1)]
        done = self._timed([spans], _TRIAL_BYTES, _LATENCY_SHARE)
        return min(r.end_ns - r.start_ns for r in done[0]) if done else 0

    def _fitting(self, request_bytes: int, share: float, readers: int = 1) -> int:
        """The request's size, or less: each of the `readers` makes several of them in the share
        of the time and of the file.
        """
        longest_ns = share * self._duration_ns / _LEAST_REQUESTS
        while (
            request_bytes > _LEAST_REQUEST_BYTES
            and self._trial_ns * request_bytes / _TRIAL_BYTES > longest_ns
        ):
            request_bytes //= 2
        block_bytes = self._files.block_bytes
        blocks = self._phase_bytes // (_LEAST_REQUESTS * readers) // block_bytes
        return min(request_bytes, max(1, blocks) * block_bytes)


class _TrafficOfOthers:
    """What others move on the devices meanwhile, which makes rates too low; for direct reads only.

    Through the cache the kernel reads ahead, which cannot be told from what others read.
    """

    def __init__(self, devices: Sequence[str]) -> None:
        """`devices` are the kernel names of those at the bottom of the files."""
        linux = sys.platform == "linux"
        self._readers = [SystemReader(name) for name in devices] if linux else []
        self._before = self._moved()

    def end(self, own_bytes: int) -> int | None:
        """Bytes that the devices read and wrote beside the `own_bytes` of the probe.

        None where a device does not count.
        """
        now = self._moved()
        if now is None or self._before is None:
            return None
        return max(0, now - self._before - own_bytes)

    def close(self) -> None:
        """Close the files of the counters."""
        for reader in self._readers:
            reader.close()

    def _moved(self) -> int | None:
        disks = [reader.counters().disk for reader in self._readers]
        if not disks or None in disks:
            return None
        sectors = sum(disk.sectors_read + disk.sectors_written for disk in disks if disk)
        return sectors * SECTOR_BYTES


def _speed_up(first: Sequence[Request], again: Sequence[Request]) -> float | None:
    """How much faster the same requests went the second time; None where too few tell."""
    count = min(len(first), len(again))
    before = sum(request.end_ns - request.start_ns for request in first[:count])
    after = sum(request.end_ns - request.start_ns for request in again[:count])
    if sum(request.nbytes for request in again[:count]) < _LEAST_REREAD_BYTES:
        return None
    return before / after

"""What a load should take here, before it is made: by terms, from what a probe measured.

The terms are the time of the load's readers, as a run that was measured accounts for it. What
processors do (faults, copies) counts whole where one reader does it and waits in turn; of the wait
that is left, the storage's best rate explains a part, and round trips the rest. What overlaps with
something longer counts nothing, so that the terms add up to the time: copies by some readers while
others keep the storage busy, or the shorter of reading and decoding.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, log, log2
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.load.rules import conflict_of
from modelmon.core.load.turns import LONG_NS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from modelmon.core.explain.evidence import BottleneckKind
    from modelmon.core.load.config import Access, LoadConfig
    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.probe import CopyRate, Limits, ReadAccess, Reads
    from modelmon.core.worker.events import Cache

Way = TypeVar("Way")

PAGE_BYTES = 4096
WORTH_SHARE = 0.05
"""Of a load's time: what saves less is not worth a change."""
PER_TENSOR_NS = 40_000
"""Libraries take 30 to 55 µs a tensor."""

# How far a load is from what was measured, as the ratio that its time may be off by: 1.25 is 25%.
_MEASURED = 1.25
_ANOTHER_ACCESS = 1.6
_EACH_DOUBLING = 1.15
_GUESSED_SHARE = 1.5
_DECODED = 2.0
_WITH_OTHERS = 1.5
_TYPICAL = 3.0

# Maps are made, threads start; what is cached is looked up.
_START_NS = 3_000_000.0

# Common figures of processors, where none was measured.
_COPY_BYTES_PER_S = {True: 4e9, False: 9e9}
_MAPPED_BYTES_PER_S = 5e9
_POPULATE_GAIN = 1.5
_DECODE_BYTES_PER_S = 1.5e9
_LATENCY_NS = 100_000.0
# Of fresh memory that one of several readers fills, so much happens while others wait.
_OVERLAP_SHARE = 0.5
# A long load by `auto` tries whether one reader is faster, and gives others some rounds before.
_TRIED_NS = LONG_NS / 2
_SUBSTITUTES: dict[ReadAccess, tuple[ReadAccess, ...]] = {
    "direct": ("direct", "read", "mmap"),
    "read": ("read", "direct", "mmap"),
    "mmap": ("mmap", "read", "direct"),
    "prefetch": ("prefetch", "read", "mmap", "direct"),
}


class Term(NamedTuple):
    """What a part of a load's time goes to."""

    kind: BottleneckKind
    ns: float


class LoadSize(NamedTuple):
    """What a load moves. `jumps`: how often its model's order doesn't go on where the file does."""

    nbytes: int
    tensors: int = 1
    files: int = 1
    jumps: int = 0


class Predicted(NamedTuple):
    """The time of a load and its range; `terms` add up to `ns`, without those that take none.
    `measured`: by figures of this storage, else by common ones of its type.
    """

    config: LoadConfig
    terms: tuple[Term, ...]
    ns: float
    low_ns: float
    high_ns: float
    measured: bool

    @property
    def largest(self) -> Term:
        """What most of the time goes to."""
        return max(self.terms, key=lambda term: term.ns)


AS_FAST = 1.03
"""What takes less than so many times as long is as fast."""
# Of strategies that are as fast, the one that suits most starts; None stands for all others.
_PREFERRED = (
    *("auto", "sequential", "parallel", "prefetch", "warm-then-map", "populate", None),
    "shared-fd",
)


def preference(strategy: str) -> int:
    """How many strategies are preferred, of those that are as fast."""
    return _PREFERRED.index(strategy if strategy in _PREFERRED else None)


def simplest(
    ways: Iterable[Way], ns: Callable[[Way], float], rank: Callable[[Way], tuple[int, ...]]
) -> Way | None:
    """The fastest by its time, or of those that take hardly longer the lowest by its rank."""
    every = list(ways)
    least_ns = min(map(ns, every), default=0.0)
    return min((each for each in every if ns(each) <= AS_FAST * least_ns), key=rank, default=None)


def is_possible(config: LoadConfig, limits: Limits) -> bool:
    """Whether storage like this can be read so."""
    return (limits.past_cache or config.access != "direct") and conflict_of(config) is None


def size_of(model: Model) -> LoadSize:
    """All of a model."""
    jumps, at = 0, (-1, 0)
    for block in model.blocks:
        for index in block.tensors:
            tensor = model.tensors[index]
            jumps += not 0 <= tensor.offset_bytes - at[1] <= PAGE_BYTES or tensor.shard != at[0]
            at = (tensor.shard, tensor.offset_bytes + tensor.nbytes)
    return LoadSize(model.nbytes, len(model.tensors), len(model.shards), jumps)


def predict(config: LoadConfig, size: LoadSize, limits: Limits, cache: Cache) -> Predicted | None:
    """The time of a load from a cold or warm start; None for a program's, whose reads nobody knows,
    for a start with the cache as it is, and where `limits` have no rate for it.
    """
    if config.library == PROGRAM or cache == "as-is":
        return None
    if not limits.rates and (cache == "cold" or config.access == "direct"):
        return None
    load = _Load(config, size, limits)
    work = load.cold() if cache == "cold" else load.warm()
    ns = work.ns + _START_NS
    factor = work.doubt * (_TYPICAL if limits.typical else 1.0)
    if limits.met_others:
        factor *= _WITH_OTHERS
    terms = tuple(term for term in _terms(work, ns) if term.ns > 0)
    return Predicted(config, terms, ns, ns / factor, ns * factor, not limits.typical)


class _Work(NamedTuple):
    """A load's time and what is in it: of processors, of the storage at its best rate."""

    ns: float
    faults_ns: float = 0.0
    copies_ns: float = 0.0
    tensors_ns: float = 0.0
    decode_ns: float = 0.0
    device_ns: float = 0.0
    again_ns: float = 0.0
    doubt: float = _MEASURED

    def then(self, other: _Work) -> _Work:
        """One after the other."""
        sums = (one + another for one, another in zip(self, other, strict=True))
        return _Work(*sums)._replace(doubt=max(self.doubt, other.doubt))


def _terms(work: _Work, ns: float) -> Iterable[Term]:
    """In this order each takes what is left of the time, and round trips the rest."""
    every: tuple[tuple[BottleneckKind, float], ...] = (
        ("decode", work.decode_ns),
        ("per-tensor", work.tensors_ns),
        ("faults", work.faults_ns),
        ("page-cache", work.copies_ns),
        ("device-bandwidth", work.device_ns),
        ("amplification", work.again_ns),
    )
    left = ns
    for kind, wanted_ns in every:
        taken = min(left, wanted_ns)
        left -= taken
        yield Term(kind, taken)
    last: BottleneckKind = "faults" if work.faults_ns >= work.copies_ns else "page-cache"
    yield Term("device-latency" if work.device_ns else last, left)


class _Load:
    """One load on this storage: its bytes, readers and processors."""

    def __init__(self, config: LoadConfig, size: LoadSize, limits: Limits) -> None:
        self._config = config
        self._size = size
        self._limits = limits
        self._is_library = config.library != NO_LIBRARY
        whole_ranks = config.ranks if config.rank_share == "whole" else 1
        # Ranks that load the same through the page cache read it once.
        self._delivered_bytes = size.nbytes * whole_ranks
        self._whole_ranks = whole_ranks
        self._lanes = config.readers * (1 if whole_ranks > 1 else config.ranks)
        self._hands = max(1, min(config.readers * config.ranks, limits.processors))
        self._keeps = config.deliver in ("usable", "owned")

    def cold(self) -> _Work:
        """Nothing is cached."""
        config = self._config
        if config.deliver == "untouched":
            return self._finished(_Work(0.0, doubt=_GUESSED_SHARE))
        if config.warmup != "none" and config.access != "direct":
            return self._warming().then(self.warm())
        access: ReadAccess | Access = "mmap" if self._is_library else config.access
        if access == "auto":
            access = "direct" if self._limits.past_cache else "read"
        if config.prefetch_bytes:
            access = "prefetch" if access == "mmap" else "read"
        found = self._finished(self._from_storage(access))
        if config.access == "auto" and config.processes == 1 and config.readers > 1:
            alone = _Load(replace(config, readers=1), self._size, self._limits).cold()
            ns = alone.ns + _TRIED_NS
            return found if found.ns <= max(LONG_NS, ns) else alone._replace(ns=ns)
        return found

    def warm(self) -> _Work:
        """All is cached."""
        config = self._config
        if config.access == "direct":
            return self.cold()
        if config.access == "mmap" or self._is_library:
            mapped = 0.0 if config.deliver == "untouched" else self._faults_ns(populate=False)
            if config.warmup == "populate":
                mapped = self._faults_ns(populate=True)
            work = _Work(mapped, faults_ns=mapped)
            if self._keeps and config.deliver == "owned" and not self._is_library:
                work = work.then(self._copies(fresh=True))
        elif config.access == "auto" and config.deliver != "owned" and self._limits.keeps_files:
            mapped = self._faults_ns(populate=True)
            work = _Work(mapped, faults_ns=mapped)
        else:
            work = self._copies(fresh=self._keeps)
        return self._finished(work)

    def _from_storage(self, access: ReadAccess) -> _Work:
        """Read by all readers at once, in chunks or by page faults."""
        config, limits = self._config, self._limits
        shared = config.descriptor == "shared"
        rate, beside_ns, doubt = _rate(limits, access, self._lanes, config.chunk_bytes, shared)
        again = self._whole_ranks - 1 if access == "direct" else 0
        best = max(rate, *(each.bytes_per_s for each in limits.rates))
        reading_ns = self._size.nbytes * (1 + again) * 1e9 / rate + beside_ns + self._jumps_ns()
        faults_ns, used_ns, fresh_ns = self._busy_ns(access)
        busy_ns = faults_ns + used_ns + fresh_ns
        share = 1.0 if self._lanes == 1 else 1 - _OVERLAP_SHARE
        ns = max(reading_ns + fresh_ns * share, busy_ns)
        device_ns = self._size.nbytes * 1e9 / best
        if self._lanes > 1 and device_ns * (1 + again) > busy_ns > 0:
            # Others read meanwhile: only what they don't wait for counts.
            seen = min(1.0, (ns - device_ns * (1 + again)) / busy_ns)
            faults_ns, used_ns, fresh_ns = faults_ns * seen, used_ns * seen, fresh_ns * seen
        if self._is_library or config.rank_share == "slice":
            doubt *= _GUESSED_SHARE
        return _Work(
            ns,
            faults_ns=faults_ns,
            copies_ns=used_ns + fresh_ns,
            device_ns=device_ns,
            again_ns=device_ns * again,
            doubt=doubt,
        )

    def _busy_ns(self, access: ReadAccess) -> tuple[float, float, float]:
        """What processors do for the reads: page faults, copies as those that were timed have them
        as well, and what it costs besides to fill fresh memory.
        """
        fresh_ns, used_ns = (self._copies(fresh=fresh).ns for fresh in (True, False))
        if access in ("mmap", "prefetch"):
            copied = self._config.deliver == "owned" and not self._is_library
            return self._faults_ns(populate=False), 0.0, fresh_ns if copied else 0.0
        more_ns = max(0.0, fresh_ns - used_ns) if self._config.memory_kind == "owned" else 0.0
        return 0.0, used_ns if access == "read" else 0.0, more_ns

    def _warming(self) -> _Work:
        """The page cache is filled first, by one reader."""
        config, limits, nbytes = self._config, self._limits, self._size.nbytes
        best = max(each.bytes_per_s for each in limits.rates)
        access: ReadAccess = "mmap" if config.warmup == "populate" else "read"
        rate, start_ns, doubt = _rate(limits, access, 1, config.chunk_bytes, shared=False)
        copied_ns = self._copies(fresh=False).ns if config.warmup == "read" else 0.0
        ns = start_ns + nbytes * 1e9 / rate
        return _Work(ns, 0.0, copied_ns, 0.0, 0.0, nbytes * 1e9 / max(best, rate), doubt=doubt)

    def _jumps_ns(self) -> float:
        """Round trips where a reader doesn't go on at the place where it was."""
        config, size = self._config, self._size
        jumps = float(size.files)
        if config.order == "random":
            jumps = size.nbytes / config.chunk_bytes
        elif config.order == "model":
            jumps = float(max(size.jumps, size.files))
        if config.advice == "random" and config.access == "mmap":
            jumps = size.nbytes / PAGE_BYTES
        return max(0.0, jumps - 1) * (self._limits.latency_ns or _LATENCY_NS) / self._lanes

    def _faults_ns(self, *, populate: bool) -> float:
        """All pages get into the page tables, a part at a time or at once."""
        rate = self._limits.mapped_bytes_per_s or _MAPPED_BYTES_PER_S
        if populate:
            rate = self._limits.populated_bytes_per_s or rate * _POPULATE_GAIN
        return self._delivered_bytes * 1e9 / rate / self._hands

    def _copies(self, *, fresh: bool) -> _Work:
        """All is copied out of the page cache, to memory that is fresh or in use."""
        rate = _copy_rate(self._limits.copies, self._hands, fresh=fresh)
        if fresh and self._config.huge_pages == "off":
            rate /= _GUESSED_SHARE
        ns = self._delivered_bytes * 1e9 / rate
        return _Work(ns, copies_ns=ns)

    def _finished(self, work: _Work) -> _Work:
        """With what goes on beside reading, or after each tensor."""
        if self._is_library:
            tensors_ns = float(self._size.tensors * PER_TENSOR_NS)
            return work.then(_Work(tensors_ns, tensors_ns=tensors_ns, doubt=_GUESSED_SHARE))
        if self._config.deliver != "decoded":
            return work
        processors = max(1, self._limits.processors)
        decode_ns = self._delivered_bytes * 1e9 / _DECODE_BYTES_PER_S / processors
        busy_ns = decode_ns + (work.faults_ns + work.copies_ns) * self._hands / processors
        if busy_ns <= work.ns:
            return work
        return work._replace(ns=busy_ns, decode_ns=decode_ns, doubt=max(work.doubt, _DECODED))


def _rate(
    limits: Limits, access: ReadAccess, readers: int, request_bytes: int, shared: bool
) -> tuple[float, float, float]:
    """Bytes per second of so many readers, what their start and end take, and how much that is in
    doubt: between the nearest numbers of readers that were timed, by requests of the nearest size.
    """
    known, doubt = _timed(limits.rates, access)
    if shared:
        # Readers of one descriptor take turns at best, and seek between their places at worst.
        ways = [_rate(limits, access, count, request_bytes, False) for count in (1, readers)]
        rate, beside_ns, doubt = min(ways)
        return rate, beside_ns, doubt * _GUESSED_SHARE
    counts = sorted({each.readers for each in known})
    below = max((count for count in counts if count <= readers), default=counts[0])
    above = min((count for count in counts if count >= readers), default=counts[-1])
    ends = [_nearest(known, count, request_bytes) for count in (below, above)]
    per_request = 0.0 if access == "mmap" else _per_request_ns(known)
    rates = [_steady(each, request_bytes, per_request) for each in ends]
    share = log(readers / below) / log(above / below) if below < readers < above else 0.0
    off = min(abs(log2(readers / each.readers)) for each in ends)
    if access != "mmap":
        off += min(abs(log2(request_bytes / each.request_bytes)) for each in ends) / 2
    rate = exp((1 - share) * log(rates[0]) + share * log(rates[1]))
    beside = [each.start_ns + _ending_ns(each) for each in ends]
    return rate, (1 - share) * beside[0] + share * beside[1], doubt * _EACH_DOUBLING**off


def _timed(rates: Sequence[Reads], access: ReadAccess) -> tuple[Sequence[Reads], float]:
    """Reads of this access, or of what comes nearest."""
    doubt = _MEASURED
    for each in _SUBSTITUTES[access]:
        if known := [one for one in rates if one.access == each]:
            return known, doubt
        doubt = _ANOTHER_ACCESS
    return rates, doubt


def _nearest(known: Sequence[Reads], readers: int, request_bytes: int) -> Reads:
    same = [each for each in known if each.readers == readers]
    return min(same, key=lambda each: abs(log2(each.request_bytes / request_bytes)))


def _steady(reads: Reads, request_bytes: int, per_request_ns: float) -> float:
    """The rate once all have started, by requests of another size."""
    took_ns = reads.requests * reads.mean_wait_ns / reads.readers
    started = max(0.5, 1 - reads.start_ns / took_ns) if took_ns else 1.0
    each_ns = reads.readers * 1e9 / reads.bytes_per_s * started
    change = per_request_ns * (1 / request_bytes - 1 / reads.request_bytes)
    return reads.readers * 1e9 / max(each_ns / 4, each_ns + change)


def _ending_ns(reads: Reads) -> float:
    """Readers end apart: in the middle by half a request, in which others do less and less."""
    return reads.mean_wait_ns * (1 - 1 / reads.readers) / 2


def _per_request_ns(known: Sequence[Reads]) -> float:
    """What a request costs beside its bytes, by one reader's requests of two sizes."""
    alone = sorted((one for one in known if one.readers == 1), key=lambda one: one.request_bytes)
    if len(alone) < 2 or alone[0].request_bytes == alone[-1].request_bytes:
        return 0.0
    small, large = alone[0], alone[-1]
    more = 1e9 / small.bytes_per_s - 1e9 / large.bytes_per_s
    return max(0.0, more / (1 / small.request_bytes - 1 / large.request_bytes))


def _copy_rate(copies: Sequence[CopyRate], threads: int, *, fresh: bool) -> float:
    known = [copy for copy in copies if copy.fresh == fresh]
    if not known:
        return _COPY_BYTES_PER_S[fresh] * threads
    return min(known, key=lambda copy: abs(copy.threads - threads)).median_bytes_per_s

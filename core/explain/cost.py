"""What a load should take here, before it is made: by terms, from what a probe measured.

The terms are the time of the load's readers, as a run that was measured accounts for it. What
processors do (faults, copies) counts whole where one reader does it and waits in turn; of the wait
that is left, the storage's best rate explains a part, and round trips the rest. What overlaps with
something longer counts nothing, so that the terms add up to the time: copies by some readers while
others keep the storage busy, or the shorter of reading and decoding.
"""

from __future__ import annotations

from math import exp, inf, log, log2
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.doctor.diagnosis import Expected, ExpectedTime
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.doctor.storage_type import StorageType, rule_of_thumb, storage_type_of
from modelmon.core.errors import ModelFileError
from modelmon.core.load.config import NO_LIBRARY, PRESETS, PROGRAM
from modelmon.core.load.rules import conflict_of
from modelmon.core.load.threads import allowed_processors
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.model.open import open_model
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits, Reads, limits_of
from modelmon.core.units import KIB, MIB, duration_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.explain.figures import BottleneckKind
    from modelmon.core.load.config import Access, LoadConfig
    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.probe import CopyRate, Probe, ReadAccess
    from modelmon.core.worker.events import Cache

PAGE_BYTES = 4096
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
        return self._finished(self._from_storage(access))

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
        """The page cache is filled first, by one reader or by what the kernel is asked for."""
        config, limits, nbytes = self._config, self._limits, self._size.nbytes
        best = max(each.bytes_per_s for each in limits.rates)
        access: ReadAccess = "mmap" if config.warmup == "populate" else "read"
        rate, start_ns, doubt = _rate(limits, access, 1, config.chunk_bytes, shared=False)
        if config.warmup in ("readahead", "willneed"):
            rate, doubt = max(rate, best), doubt * _GUESSED_SHARE
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
    known, doubt = _timed(limits.rates, access, shared)
    if shared and not known[0].shared:
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


def _timed(
    rates: Sequence[Reads], access: ReadAccess, shared: bool
) -> tuple[Sequence[Reads], float]:
    """Reads of this access, or of what comes nearest."""
    doubt = _MEASURED
    for each in _SUBSTITUTES[access]:
        for kind in (shared, False):
            if known := [one for one in rates if one.access == each and one.shared == kind]:
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


class _Common(NamedTuple):
    """A random read in µs, and MB/s: mapped by 1 and 4 readers, through the cache by 1 and 4, past
    it by 1 and 8.
    """

    latency_us: float
    mapped: tuple[float, float]
    read: tuple[float, float]
    direct: tuple[float, float]


_COMMON: dict[StorageType, _Common] = {
    # A drive on PCIe 3.0 × 4 or better.
    "flash": _Common(90, (900, 2000), (1600, 2600), (1900, 3000)),
    # 7,200 rpm: readers at several places have it seek between them.
    "hard-disk": _Common(12_000, (110, 40), (140, 50), (140, 70)),
    "network": _Common(1000, (60, 150), (200, 400), (250, 600)),
    "object-store": _Common(40_000, (20, 60), (80, 250), (80, 400)),
    "fuse": _Common(1000, (60, 150), (200, 350), (250, 500)),
    "memory": _Common(2, (2500, 5000), (4000, 8000), (4000, 8000)),
    "unknown": _Common(300, (300, 700), (500, 1000), (600, 1500)),
}


def limits_here(inspection: Inspection, diagnosis: Diagnosis | None = None) -> Limits:
    """What predictions go by: the last probe's figures, else common ones of such storage."""
    probes = (inspection.probe, diagnosis.probe if diagnosis is not None else None)
    last = max(filter(None, probes), key=lambda probe: probe.probed_unix_s, default=None)
    limits = limits_of(last) if last is not None else known_limits(inspection)
    return limits_or_typical(limits, inspection.storage, diagnosis)


def limits_or_typical(limits: Limits, storage: Storage, diagnosis: Diagnosis | None) -> Limits:
    """`limits`, or where nothing was measured common ones of such storage."""
    if not limits.rates:
        storage_type = storage_type_of(storage, diagnosis)
        thumb = rule_of_thumb(storage, storage_type)
        most = thumb.bytes_per_s if thumb is not None else inf
        limits = typical_limits(storage_type, allowed_processors(), most)
    return msgspec.structs.replace(limits, keeps_files=storage.kind in ("local-disk", "memory"))


def typical_limits(
    storage_type: StorageType, processors: int, most_bytes_per_s: float = inf
) -> Limits:
    """The common figures of a type of storage, of which none gives more than that."""
    common = _COMMON[storage_type]
    rates = [
        *_rates("mmap", common.mapped, (1, 4), 256 * KIB),
        *_rates("read", common.read, (1, 4), 2 * MIB),
        *_rates("direct", common.direct, (1, 8), 2 * MIB),
    ]
    rates = [
        msgspec.structs.replace(each, bytes_per_s=min(each.bytes_per_s, most_bytes_per_s))
        for each in rates
    ]
    return Limits(
        latency_ns=common.latency_us * 1e3,
        rates=tuple(rates),
        processors=processors,
        typical=True,
    )


def _rates(
    access: ReadAccess, rates: tuple[float, float], readers: tuple[int, int], request_bytes: int
) -> list[Reads]:
    return [
        Reads(
            readers=count,
            request_bytes=request_bytes,
            requests=1,
            read_bytes=request_bytes,
            bytes_per_s=rate * 1e6,
            mean_wait_ns=count * request_bytes / rate * 1e3,
            access=access,
        )
        for count, rate in zip(readers, rates, strict=True)
    ]


WORTH_TRYING = 1.05
"""Less than 5% of a load's time is worth no change."""

_AS_FAST = 1.03
# Of strategies that are as fast, the one that suits most starts.
_PREFERRED = ("auto", "sequential", "parallel", "prefetch", "warm-then-map", "populate")


def with_expected(found: Diagnosis, path: Path) -> Diagnosis:
    """The diagnosis with the times of all strategies, where `path` is a model."""
    if found.no_model or found.file is None:
        return found
    try:
        size = size_of(open_model(path))
    except ModelFileError:
        return found
    limits = limits_of(found.probe) if found.probe is not None else UNKNOWN_LIMITS
    limits = limits_or_typical(limits, found.storage, found)
    every = sorted(_expected(size, limits), key=lambda each: each.cold.ns)
    return msgspec.structs.replace(found, expected=tuple(every))


def _expected(size: LoadSize, limits: Limits) -> Iterator[Expected]:
    for name, preset in PRESETS.items():
        if conflict_of(preset.config) is not None:
            continue
        cold, warm = (predict(preset.config, size, limits, start) for start in ("cold", "warm"))
        if cold is not None and warm is not None:
            yield Expected(name, cold.measured, _time(cold), _time(warm))


def fastest_ns(model: Model, probe: Probe, cache: Cache) -> int | None:
    """The least time of all strategies, as a probe predicts it; None where it measured nothing."""
    size, limits = size_of(model), limits_of(probe)
    if not (limits.rates if cache == "cold" else limits.copies):
        return None
    times = [
        found.ns
        for preset in PRESETS.values()
        if conflict_of(preset.config) is None
        and (found := predict(preset.config, size, limits, cache)) is not None
    ]
    return round(min(times)) if times else None


def fastest_text(model: Model, probe: Probe) -> Message:
    """`about 3.10 s cold, 400 ms warm`; "" where nothing was measured."""
    cold_ns, warm_ns = (fastest_ns(model, probe, cache) for cache in ("cold", "warm"))
    parts = []
    if cold_ns is not None:
        parts.append(Message("{cold} cold", cold=duration_text(cold_ns)))
    if warm_ns is not None:
        parts.append(Message("{warm} warm", warm=duration_text(warm_ns)))
    return Message("about {times}", times=joined(parts, ", ")) if parts else NOTHING


def _time(one: Predicted) -> ExpectedTime:
    times = (round(one.ns), round(one.low_ns), round(one.high_ns))
    return ExpectedTime(*times, one.largest.kind)


def likeliest(
    configs: Iterable[tuple[str, LoadConfig]], size: LoadSize, limits: Limits, cache: Cache
) -> tuple[str, Predicted] | None:
    """The name that should be fastest, and its time; None where nothing is known of any. Those that
    take hardly longer count as well: of them the simplest.
    """
    times = [
        (name, found)
        for name, config in configs
        if conflict_of(config) is None
        and (found := predict(config, size, limits, cache)) is not None
    ]
    least_ns = min((found.ns for _, found in times), default=0.0)
    near = [each for each in times if each[1].ns <= _AS_FAST * least_ns]
    places = {name: place for place, name in enumerate(_PREFERRED)}
    return min(near, key=lambda each: places.get(each[0], len(places)), default=None)

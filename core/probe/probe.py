"""What a probe of a model's storage and of this machine's memory found, and what follows: its
limits, and the class of the storage. Records, no I/O.

Rates are those of one short look. `Reads` and `CopyRate` say how much they rest on.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.limited_numbers import Amount, Number
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.mounts import StorageKind
from modelmon.core.machine.storage import SATA_BYTES_PER_S
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import rate_text, wait_text

if TYPE_CHECKING:
    from modelmon.core.machine.storage import Storage, StorageStack

SCHEMA = 3
"""Of a stored probe: another one is not read. Rates of the second had no access."""

DEFAULT_SECONDS = 5.0
LEAST_SECONDS = 1.0
MOST_SECONDS = 60.0

OTHERS_SHARE = 0.1
"""Others that move more than this share of what a probe reads take noticeably of its rates."""

REREAD_GAIN = 2.0
"""A second read that is so much faster comes from a cache out of sight."""

Way = Literal["direct", "cache", "memory", "none"]
"""How the file was read: past the page cache, through it where nothing of it was cached (and
dropped again), from a filesystem in memory, or not at all."""

ReadAccess = Literal["direct", "read", "mmap", "prefetch"]
"""How reads that were timed got their bytes: the same names as a load's access has, and a reader
that faults pages in behind one that reads ahead of it."""

StorageClass = Literal["hard-disk", "sata", "nvme", "network", "object-store", "memory", "unknown"]


class Reads(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reads that were timed together, over the time in which all `readers` were at work.

    `mean_wait_ns` is what one request took. By Little's law `bytes_per_s` × `mean_wait_ns` is
    `readers` × `request_bytes`, for all come from the same requests. `start_ns` is how much longer
    a reader's first request took than its others.
    """

    readers: int
    request_bytes: int
    requests: int
    read_bytes: int
    bytes_per_s: float
    mean_wait_ns: float
    start_ns: float = 0.0
    access: ReadAccess = "direct"


class Latency(msgspec.Struct, frozen=True, omit_defaults=True):
    """Single requests of `request_bytes` at random places, one after another.

    `p99_ns` is None below a hundred samples, which cannot tell it.
    """

    request_bytes: int
    samples: int
    p50_ns: int
    p99_ns: int | None = None


class CopyRate(msgspec.Struct, frozen=True):
    """memcpy of `nbytes` by `threads`, `repeats` times.

    `fresh`: into memory that is touched for the first time (huge pages where the system gives
    them), which costs page faults; else into memory that was in use.
    """

    threads: int
    fresh: bool
    nbytes: int
    repeats: int
    best_bytes_per_s: float
    median_bytes_per_s: float


class StorageFigures(msgspec.Struct, omit_defaults=True):
    """What was measured of the storage; None is what was left out.

    `read_bytes` came from it. `sequential` is one reader with large requests, `readers` one to
    eight with smaller ones, both by `way`; `buffered` is one reader through the page
    cache, of what `sequential` read before; `loads` are other reads through it, as strategies make
    them.
    `reread_ratio` is the rate of a second read of the same places over that of the first.
    `repeated_places`: the file is so small that places were read more than once.
    `left_cached_bytes`: what stayed in the page cache of all that was read through it.
    `mapped_bytes_per_s`: how fast cached pages get into a page table by touching them;
    `populated_bytes_per_s` by asking the kernel for all of them.
    `others_bytes`: what the devices read and wrote for others while `direct_bytes` were read
    past the cache; None where that cannot be told.
    """

    way: Way
    way_reason: Message = NOTHING
    read_bytes: int = 0
    latency: Latency | None = None
    sequential: Reads | None = None
    readers: tuple[Reads, ...] = ()
    buffered: Reads | None = None
    buffered_reason: Message = NOTHING
    loads: tuple[Reads, ...] = ()
    reread_ratio: float | None = None
    repeated_places: bool = False
    left_cached_bytes: int | None = None
    mapped_bytes_per_s: float | None = None
    populated_bytes_per_s: float | None = None
    direct_bytes: int = 0
    others_bytes: int | None = None

    @property
    def met_others(self) -> bool:
        """Whether others kept the devices so busy that the rates are too low to be limits."""
        return (self.others_bytes or 0) > self.direct_bytes * OTHERS_SHARE

    @property
    def best_reads(self) -> Reads | None:
        """The fastest way in which it was read; None where it was not. Reads through the page cache
        count where they came from the storage, not from a cache out of sight.
        """
        fresh = (self.reread_ratio or 1.0) < REREAD_GAIN
        cached = (self.buffered, *self.loads) if fresh else ()
        every = filter(None, (self.sequential, *self.readers, *cached))
        return max(every, key=lambda reads: reads.bytes_per_s, default=None)

    @property
    def every_rate(self) -> tuple[Reads, ...]:
        """All reads that were timed."""
        return (*filter(None, (self.sequential, self.buffered)), *self.readers, *self.loads)

    @property
    def readers_gain(self) -> float | None:
        """Rate of the most readers over that of one; None where only one could be tried.

        Of the most, not of the best: what parallel readers cost must show as well.
        """
        if len(self.readers) < 2 or self.readers[0].readers != 1:
            return None
        return self.readers[-1].bytes_per_s / self.readers[0].bytes_per_s


class MemoryFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Copies within memory; `reason` says why there are none."""

    copies: tuple[CopyRate, ...] = ()
    reason: Message = NOTHING

    def fill(self) -> float | None:
        """Best rate into fresh memory, of any number of threads."""
        rates = (copy.best_bytes_per_s for copy in self.copies if copy.fresh)
        return max(rates, default=None)


class Probe(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `modelmon doctor PATH --probe` measured.

    `machine_id` and `storage_id` say where it holds (origin.py), `mounting` while which mount is
    there (machine/storage.py). `device_limit_bytes_per_s` is
    what the devices can do at most by how they are attached, None with none in sight. `throttles`
    are the limits that control groups put on reads meanwhile: with others it holds no more.
    """

    schema: int
    path: str
    model_bytes: int
    machine_id: str
    storage_id: str
    probed_unix_s: float
    duration_ns: int
    storage: StorageFigures
    memory: MemoryFigures
    storage_class: StorageClass
    class_evidence: Message
    device_limit_bytes_per_s: float | None = None
    throttles: tuple[CgroupLimit, ...] = ()
    mounting: str = ""


class DecodeRate(msgspec.Struct, frozen=True):
    """Stored bytes per second that `threads` threads turn into float32 together: the median of some
    rounds, and the quartiles below and above it.
    """

    dtype: str
    decoder: Literal["compiled", "gguf", "numpy"]
    threads: Amount
    bytes_per_s: Number
    low_bytes_per_s: Number
    high_bytes_per_s: Number


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the place of a model can do at best, as a probe measured it; None is *not measured*.

    `device_bytes_per_s` is the highest rate of reads past the cache, with any number of readers;
    `memory_bytes_per_s` that of copies into fresh memory; `latency_ns` one small random read.
    What is `seen` is the most that a load here has reached, from the device and from the page
    cache: it is no limit, but what stays far below it is not at one.

    For predictions: `rates` of all reads that were timed, `copies` within memory,
    `mapped_bytes_per_s` and `populated_bytes_per_s` of cached pages.
    `keeps_files`: files here can be mapped safely; `past_cache`: they can be read directly.
    `met_others`: others used the storage meanwhile. `typical`: no figure was measured here, all are
    common ones of such storage.
    """

    device_bytes_per_s: float | None = None
    memory_bytes_per_s: float | None = None
    latency_ns: float | None = None
    seen_device_bytes_per_s: float | None = None
    seen_cache_bytes_per_s: float | None = None
    rates: tuple[Reads, ...] = ()
    copies: tuple[CopyRate, ...] = ()
    mapped_bytes_per_s: float | None = None
    populated_bytes_per_s: float | None = None
    processors: int = 1
    keeps_files: bool = True
    past_cache: bool = True
    met_others: bool = False
    typical: bool = False


UNKNOWN_LIMITS = Limits()


def limits_of(probe: Probe) -> Limits:
    """The probe's rates, of which none is more than its control group may read: a short look gets
    more at first.

    What it read from memory says nothing of a device, nor does what it shared with others say
    what the device can do.
    """
    storage = probe.storage
    told = storage.way in {"direct", "cache"} and not storage.met_others
    reads = storage.best_reads if told else None
    allowed = _allowed_bytes_per_s(probe)
    return Limits(
        device_bytes_per_s=min(reads.bytes_per_s, allowed) if reads else None,
        memory_bytes_per_s=probe.memory.fill(),
        latency_ns=storage.latency.p50_ns if reads and storage.latency else None,
        rates=tuple(_held_to(each, allowed) for each in storage.every_rate)
        if storage.way != "memory"
        else (),
        copies=probe.memory.copies,
        mapped_bytes_per_s=storage.mapped_bytes_per_s,
        populated_bytes_per_s=storage.populated_bytes_per_s,
        processors=max((copy.threads for copy in probe.memory.copies), default=1),
        keeps_files=probe.storage_class not in ("network", "object-store"),
        past_cache=storage.way == "direct",
        met_others=storage.met_others,
    )


def _allowed_bytes_per_s(probe: Probe) -> float:
    """What its control groups may read from all devices that they limit."""
    allowed: dict[str, float] = {}
    for limit in probe.throttles:
        if limit.kind == "read-rate":
            allowed[limit.device] = min(limit.amount, allowed.get(limit.device, inf))
    return sum(allowed.values()) or inf


def _held_to(reads: Reads, bytes_per_s: float) -> Reads:
    factor = max(1.0, reads.bytes_per_s / bytes_per_s)
    return msgspec.structs.replace(
        reads, bytes_per_s=reads.bytes_per_s / factor, mean_wait_ns=reads.mean_wait_ns * factor
    )


# Half a turn at 15,000 rpm takes 2 ms, at 7,200 rpm 4.2 ms; the seek comes on top. A bed with a
# seek of 10 ms answers 89 to 95 random requests a second.
_SEEK_NS = 2_000_000
# A flash chip takes 40 to 100 us to read a page; a queue on the way to it makes it a few hundred.
_FLASH_NS = 500_000
# A copy within RAM and a system call; no drive comes near.
_MEMORY_NS = 5_000
# Amazon's S3 guide names 100 to 200 ms for a small object, the test beds have 50 ms; no disk
# seeks for so long.
_OBJECT_NS = 25_000_000
# Round trips overlap (sshfs at 10 ms: 21 MB/s by one reader, 77 by four), seeks add up (a seek
# cost of 10 ms: 124 MB/s by one reader, 20 by four).
OVERLAPPING_GAIN = 1.5

_FAST: frozenset[StorageClass] = frozenset({"nvme", "memory"})
_LABELS: dict[StorageClass, Message] = {
    "hard-disk": Message("hard disk"),
    "sata": Message("SATA class: flash, or a disk that is capped"),
    "nvme": Message("NVMe class"),
    "network": Message("network"),
    "object-store": Message("object store"),
    "memory": Message("memory"),
    "unknown": Message("unknown"),
}


class StorageHints(msgspec.Struct, frozen=True):
    """What the system says of the storage: only its kind, and what a FUSE mount serves."""

    kind: StorageKind
    filesystem: str
    serves: str | None = None

    @property
    def told_class(self) -> Literal["memory", "object-store", "network"] | None:
        """Where the filesystem is the storage itself; None where only figures tell the class."""
        if self.kind == "memory":
            return "memory"
        if self.serves == "object-store":
            return "object-store"
        return "network" if self.kind == "network" or self.serves == "server" else None


def class_text(kind: StorageClass) -> Message:
    """The class as people call it."""
    return _LABELS[kind]


def short_class_text(kind: StorageClass) -> Message:
    """The same without what else it may be."""
    return Message("SATA class") if kind == "sata" else _LABELS[kind]


def storage_hints(storage: Storage, stack: StorageStack | None = None) -> StorageHints:
    """What is known of a path; the lowest filesystem is what really holds it."""
    lowest = stack.lowest if stack is not None else None
    if lowest is None:
        return StorageHints(storage.kind, storage.filesystem)
    serves = lowest.fuse.serves if lowest.fuse is not None else None
    return StorageHints(lowest.kind, lowest.filesystem, serves)


def classify(
    around: StorageHints,
    p50_ns: float | None,
    bytes_per_s: float | None,
    readers_gain: float | None,
    *,
    shared: bool = False,
) -> tuple[StorageClass, Message]:
    """The class, and the figures that it follows from: how storage behaves. The filesystem decides
    only where it is the storage, since virtual disks call themselves what they like.

    `p50_ns` is the median wait for random 4 KiB, `bytes_per_s` the best rate, `readers_gain`
    the rate of many readers over that of one; None what was not measured. On a disk that was
    `shared` with others these are too low, and only what is fast all the same can be told.
    """
    where = Message("the filesystem is {filesystem}", filesystem=around.filesystem)
    if around.told_class == "object-store":
        where = Message("{where}, which fetches from an object store", where=where)
    elif around.told_class == "network":
        where = Message("{where}, from another machine or the host", where=where)
    if around.told_class is not None:
        return around.told_class, where
    if p50_ns is None or bytes_per_s is None:
        return "unknown", Message("too few measurements")
    seen = Message(
        "random 4 KiB {p50}, at most {bytes_rate}",
        p50=wait_text(p50_ns),
        bytes_rate=rate_text(bytes_per_s),
    )
    if readers_gain is not None:
        seen = Message(
            "{seen}, many readers {factor}× as fast as one", seen=seen, factor=f"{readers_gain:.2g}"
        )
    kind = _by_figures(around, p50_ns, bytes_per_s, readers_gain or 1.0)
    if shared and kind not in _FAST:
        return "unknown", Message("others used the disk meanwhile; {seen}", seen=seen)
    return kind, seen


def _by_figures(
    around: StorageHints, p50_ns: float, bytes_per_s: float, readers_gain: float
) -> StorageClass:
    overlaps = readers_gain >= OVERLAPPING_GAIN
    if p50_ns <= _MEMORY_NS:
        return "memory"
    if p50_ns >= _OBJECT_NS and around.kind == "fuse":
        return "object-store"
    if p50_ns >= _SEEK_NS:
        return "network" if overlaps or bytes_per_s > SATA_BYTES_PER_S else "hard-disk"
    # A disk in the network behind a block device (EBS, Persistent Disk, iSCSI).
    if p50_ns >= _FLASH_NS and overlaps:
        return "network"
    return "nvme" if bytes_per_s > SATA_BYTES_PER_S else "sata"

"""What follows from a probe: the most that a place did, and what a load takes at that rate."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.probe.probe import BestTimes, CopyRate, Reads

if TYPE_CHECKING:
    from modelmon.core.probe.probe import MemoryFigures, Probe, StorageFigures


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the place of a model can do at best, as a probe measured it; None is *not measured*.

    `device_bytes_per_s` is the highest rate of reads past the cache, with any number of readers;
    `memory_bytes_per_s` that of copies into fresh memory; `latency_ns` one small random read.
    `others_known`: whether what others read meanwhile was counted; else the device may do more.
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
    others_known: bool = True
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
        others_known=storage.others_bytes is not None,
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
        reads,
        bytes_per_s=reads.bytes_per_s / factor,
        mean_wait_ns=reads.mean_wait_ns * factor,
    )


def best_times(model_bytes: int, storage: StorageFigures, memory: MemoryFigures) -> BestTimes:
    """What `model_bytes` take at the best rates; None what no rate was measured for.

    A cold load can be no faster than its storage, nor than fresh memory can be filled; a warm
    one that owns its bytes no faster than copies into fresh memory; a mapped one no faster than
    cached pages get into the page table. Of copies the best repeat counts.
    What lies in memory has no cold state.
    """
    reads = storage.best_reads if storage.way != "memory" else None
    return BestTimes(
        model_bytes=model_bytes,
        cold_ns=_slower_ns(model_bytes, reads, memory.fill()),
        warm_owned_ns=_time_ns(model_bytes, memory.fill()),
        warm_mapped_ns=_time_ns(model_bytes, storage.mapped_bytes_per_s),
    )


def _slower_ns(nbytes: int, reads: Reads | None, fill: float | None) -> int | None:
    """By the slower of storage and memory; without a rate of the storage nothing is known."""
    if reads is None:
        return None
    return _time_ns(nbytes, min(reads.bytes_per_s, fill or reads.bytes_per_s))


def _time_ns(nbytes: int, bytes_per_s: float | None) -> int | None:
    return None if bytes_per_s is None else round(nbytes * 1e9 / bytes_per_s)

"""What a probe says that the place of a model can do at best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.probe.store import recent_probe

if TYPE_CHECKING:
    from modelmon.core.machine.storage import Storage
    from modelmon.core.probe.probe import Probe


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the place of a model can do at best, as a probe measured it; None is *not measured*.

    `device_bytes_per_s` is the highest rate of reads past the cache, with any number of readers;
    `memory_bytes_per_s` that of copies into fresh memory; `latency_ns` one small random read.
    `others_known`: whether what others read meanwhile was counted; else the device may do more.
    """

    device_bytes_per_s: float | None = None
    memory_bytes_per_s: float | None = None
    latency_ns: float | None = None
    others_known: bool = True


UNKNOWN_LIMITS = Limits()


def limits_of(probe: Probe) -> Limits:
    """The probe's best rates.

    What it read from memory says nothing of a device, nor does what it shared with others say
    what the device can do.
    """
    storage = probe.storage
    told = storage.way in {"direct", "cache"} and not storage.met_others
    reads = storage.best_reads if told else None
    return Limits(
        device_bytes_per_s=reads.bytes_per_s if reads else None,
        memory_bytes_per_s=probe.memory.fill(),
        latency_ns=storage.latency.p50_ns if reads and storage.latency else None,
        others_known=storage.others_bytes is not None,
    )


def known_limits(storage: Storage) -> Limits:
    """Those of the last probe of this storage, if there is a recent one."""
    probe = recent_probe(storage)
    return limits_of(probe) if probe is not None else UNKNOWN_LIMITS

"""What a probe says that the place of a model can do at best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.bottleneck.kinds import UNKNOWN_LIMITS, Limits
from modelmon.core.experiment.probe.store import recent_probe

if TYPE_CHECKING:
    from modelmon.core.experiment.probe.probe import Probe
    from modelmon.core.machine.storage import Storage


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
    )


def known_limits(storage: Storage) -> Limits:
    """Those of the last probe of this storage, if there is a recent one."""
    probe = recent_probe(storage)
    return limits_of(probe) if probe is not None else UNKNOWN_LIMITS

"""Figures that each type of storage commonly has, for a guess where nothing was measured."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.diagnose.inspection import known_limits
from modelmon.core.diagnose.storage_type import StorageType, rule_of_thumb, storage_type_of
from modelmon.core.load.threads import allowed_processors
from modelmon.core.probe.limits import Limits, limits_of
from modelmon.core.probe.probe import Reads
from modelmon.core.units import KIB, MIB

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.machine.storage import Storage
    from modelmon.core.probe.probe import ReadAccess


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

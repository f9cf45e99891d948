"""What each strategy should take for a model where it lies, and which two to compare first.

prediction.py predicts one load. By the figures of the last probe, else by common ones of such
storage, which is said. A guess that a comparison tests: nothing is read or measured here but
headers.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.doctor.diagnosis import Expected, ExpectedTime
from modelmon.core.doctor.findings import spins
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.errors import ModelFileError
from modelmon.core.explain.prediction import (
    AS_FAST,
    WORTH_SHARE,
    is_possible,
    predict,
    preference,
    simplest,
    size_of,
)
from modelmon.core.load.config import PRESETS, with_value
from modelmon.core.load.threads import allowed_processors
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.model.open import open_model
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits, Reads, limits_of, storage_hints
from modelmon.core.units import KIB, MIB, duration_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.explain.prediction import LoadSize, Predicted
    from modelmon.core.load.config import Deliver, LoadConfig
    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.probe import Probe, ReadAccess
    from modelmon.core.worker.events import Cache

StorageType = Literal[
    "memory", "hard-disk", "network", "object-store", "fuse", "nvme", "sata", "flash", "unknown"
]
"""What the file lies on, as the system tells: where nothing was measured, what decides. Flash is
that of virtual disks, which can be anything."""

TODAY = "mmap"
"""What loaders of safetensors and GGUF do unless told otherwise: they map the file."""

_CACHED_SHARE = 0.95


_COMMON_ALIKE: frozenset[StorageType] = frozenset({"hard-disk", "sata", "nvme"})
"""Of these one is much like another: the others can be anything."""


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
    "nvme": _Common(90, (900, 2000), (1600, 2600), (1900, 3000)),
    "flash": _Common(90, (900, 2000), (1600, 2600), (1900, 3000)),
    "sata": _Common(90, (550, 550), (550, 550), (550, 550)),
    # 7,200 rpm: readers at several places have it seek between them.
    "hard-disk": _Common(12_000, (110, 40), (140, 50), (140, 70)),
    "network": _Common(1000, (60, 150), (200, 400), (250, 600)),
    "object-store": _Common(40_000, (20, 60), (80, 250), (80, 400)),
    "fuse": _Common(1000, (60, 150), (200, 350), (250, 500)),
    "memory": _Common(2, (2500, 5000), (4000, 8000), (4000, 8000)),
    "unknown": _Common(300, (300, 700), (500, 1000), (600, 1500)),
}
_TIMED: tuple[tuple[ReadAccess, tuple[int, int], int], ...] = (
    ("mmap", (1, 4), 256 * KIB),
    ("read", (1, 4), 2 * MIB),
    ("direct", (1, 8), 2 * MIB),
)
"""What the rates of `_Common` are of, in its order."""


def storage_type_of(storage: Storage, diagnosis: Diagnosis | None = None) -> StorageType:
    """What the file lies on; a `diagnosis` sees below overlays and volumes."""
    hints = storage_hints(storage, diagnosis.storage_stack if diagnosis is not None else None)
    if hints.told_class is not None:
        return hints.told_class
    if hints.kind != "local-disk":
        return "fuse" if hints.kind == "fuse" else "unknown"
    if diagnosis is None:
        rotates = bool(storage.rotational_reported) and (storage.device or "").startswith("sd")
    else:
        disks = (layer.disk for layer in diagnosis.storage_stack.layers())
        rotates = any(disk and spins(disk, diagnosis.host.is_virtual) for disk in disks)
    if rotates:
        return "hard-disk"
    name = storage.device or ""
    return "nvme" if name.startswith("nvme") else "sata" if name.startswith("sd") else "flash"


def typical_limits(storage_type: StorageType, processors: int) -> Limits:
    """The common figures of a type of storage."""
    latency_us, *rates = _COMMON[storage_type]
    reads = (
        Reads(
            readers=count,
            request_bytes=size,
            requests=1,
            read_bytes=size,
            bytes_per_s=rate * 1e6,
            mean_wait_ns=count * size / rate * 1e3,
            access=access,
        )
        for (access, counts, size), each in zip(_TIMED, rates, strict=True)
        for count, rate in zip(counts, each, strict=True)
    )
    latency_ns = latency_us * 1e3
    return Limits(latency_ns=latency_ns, rates=tuple(reads), processors=processors, typical=True)


def limits_here(inspection: Inspection, diagnosis: Diagnosis | None = None) -> Limits:
    """What predictions go by: the last probe's figures, else common ones of such storage."""
    probes = (inspection.probe, diagnosis.probe if diagnosis is not None else None)
    last = max(filter(None, probes), key=lambda probe: probe.probed_unix_s, default=None)
    limits = limits_of(last) if last is not None else known_limits(inspection)
    return limits_or_typical(limits, inspection.storage, diagnosis)


def limits_or_typical(limits: Limits, storage: Storage, diagnosis: Diagnosis | None) -> Limits:
    """`limits`, or where nothing was measured common ones of such storage."""
    if not limits.rates:
        typical = typical_limits(storage_type_of(storage, diagnosis), allowed_processors())
        limits = msgspec.structs.replace(typical, past_cache=limits.past_cache)
    return msgspec.structs.replace(limits, keeps_files=storage.kind in ("local-disk", "memory"))


def _predictions(
    ways: Iterable[tuple[str, LoadConfig]], size: LoadSize, limits: Limits, cache: Cache
) -> Iterator[tuple[str, Predicted]]:
    """By name, of those that can load and of which something is known."""
    for name, config in ways:
        found = predict(config, size, limits, cache) if is_possible(config, limits) else None
        if found is not None:
            yield name, found


def _of_presets(size: LoadSize, limits: Limits, cache: Cache) -> dict[str, Predicted]:
    ways = ((name, preset.config) for name, preset in PRESETS.items())
    return dict(_predictions(ways, size, limits, cache))


def likeliest(
    ways: Iterable[tuple[str, LoadConfig]], size: LoadSize, limits: Limits, cache: Cache
) -> tuple[str, Predicted] | None:
    """The name that should be fastest, and its time; None where nothing is known of any."""
    times = _predictions(ways, size, limits, cache)
    return simplest(times, lambda each: each[1].ns, lambda each: (preference(each[0]),))


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
    if found.idle is not None and found.idle.has_busy_processors:
        limits = msgspec.structs.replace(limits, met_others=True)
    warm = _of_presets(size, limits, "warm")
    # Files in memory have no cold start.
    cold = _of_presets(size, limits, "cold") if found.storage.kind != "memory" else {}
    every = (
        Expected(name, one.measured, _time(cold[name]) if name in cold else None, _time(one))
        for name, one in warm.items()
    )
    return msgspec.structs.replace(found, expected=tuple(sorted(every, key=_rank)))


def _rank(each: Expected) -> tuple[int, int]:
    """The fastest first; of those that are as fast the preferred."""
    return round(log((each.cold or each.warm).ns, AS_FAST)), preference(each.strategy)


def _time(one: Predicted) -> ExpectedTime:
    return ExpectedTime(round(one.ns), round(one.low_ns), round(one.high_ns), one.largest.kind)


def fastest_ns(model: Model, probe: Probe, cache: Cache) -> int | None:
    """The least time of all strategies, as a probe predicts it; None where it measured nothing."""
    limits = limits_of(probe)
    if not (limits.rates if cache == "cold" else limits.copies):
        return None
    return _least_ns(model, limits, cache)


def typical_fastest_ns(
    model: Model, storage: Storage, diagnosis: Diagnosis | None = None
) -> int | None:
    """The least time of a cold start on such storage; None where that can be anything, as on
    virtual disks and networks.
    """
    if storage_type_of(storage, diagnosis) not in _COMMON_ALIKE:
        return None
    return _least_ns(model, limits_or_typical(UNKNOWN_LIMITS, storage, diagnosis), "cold")


def _least_ns(model: Model, limits: Limits, cache: Cache) -> int | None:
    every = _of_presets(size_of(model), limits, cache).values()
    return min((round(found.ns) for found in every), default=None)


def fastest_text(model: Model, probe: Probe) -> Message:
    """`about 3.10 s cold, 400 ms warm`; "" where nothing was measured."""
    cold_ns, warm_ns = (fastest_ns(model, probe, cache) for cache in ("cold", "warm"))
    parts = []
    if cold_ns is not None:
        parts.append(Message("{cold} cold", cold=duration_text(cold_ns)))
    if warm_ns is not None:
        parts.append(Message("{warm} warm", warm=duration_text(warm_ns)))
    return Message("about {times}", times=joined(parts, ", ")) if parts else NOTHING


class FirstPair(NamedTuple):
    """Names of two presets, why the second may be faster in one sentence, and what to deliver."""

    a: str
    b: str
    reason: Message
    deliver: Deliver = "usable"


def first_pair(
    inspection: Inspection, diagnosis: Diagnosis | None = None, cache: Cache = "cold"
) -> FirstPair:
    """What to compare first for this model where it lies, from this start: what runtimes do today,
    and what should be fastest.
    """
    deliver: Deliver = "usable" if inspection.can_stay else "streamed"
    start: Cache = "warm" if cache == "warm" or inspection.storage.kind == "memory" else "cold"
    size, limits = size_of(inspection.model), limits_here(inspection, diagnosis)
    configs = {
        name: with_value(preset.config, "deliver", deliver)
        for name, preset in PRESETS.items()
        if preset.config.loads_here
    }
    today = predict(configs.pop(TODAY), size, limits, start)
    found = likeliest(configs.items(), size, limits, start)
    if today is None or found is None:
        return FirstPair(TODAY, "auto", Message("Nothing is known about this storage."), deliver)
    reason = _reason(*found, today)
    if deliver == "streamed":
        why = Message("The model is larger than free memory: stream it, since it can't stay there.")
        reason = joined((why, reason))
    elif start == "cold" and (inspection.cached_share or 0.0) >= _CACHED_SHARE:
        warm = Message("The file is cached now: choose Warm to compare warm starts.")
        reason = joined((reason, warm))
    return FirstPair(TODAY, found[0], reason, deliver)


def second_strategy(inspection: Inspection, first: str, cache: Cache) -> str:
    """The preset that is compared with the strategy `first` where none is named."""
    guess = first_pair(inspection, cache=cache).b
    return guess if guess != first else TODAY


def _reason(name: str, found: Predicted, today: Predicted) -> Message:
    times = {"time": duration_text(found.ns), "today": duration_text(today.ns)}
    text = Message("{name} is predicted to take {time} instead of {today}.", name=name, **times)
    if abs(today.ns - found.ns) < WORTH_SHARE * today.ns:
        text = Message(
            "{name} ({time}) is predicted to be about as fast as mmap ({today}).",
            name=name,
            **times,
        )
    typical = Message("Typical values of such storage: measure the disk to be sure.")
    return text if found.measured else joined((text, typical))

"""Which two ways to load to compare first: what runtimes do today, and a guess for this storage.

A guess, not a recommendation: it rests on what the storage is and, where a probe was taken, on
what that measured. The comparison that follows is what tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from modelmon.core.experiment.probe.storage_class import OVERLAPPING_GAIN
from modelmon.core.load.presets import preset
from modelmon.core.load.rules import conflict_of
from modelmon.core.machine.disk import rotational_doubt

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight.diagnosis import Diagnosis
    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.core.experiment.probe.probe import Probe

Ground = Literal["memory", "hard-disk", "network", "object-store", "fuse", "flash", "unknown"]
"""What the file lies on, as far as it decides how to load it."""

TODAY = "mmap"
"""What loaders of safetensors and GGUF do unless told otherwise: they map the file."""

_CACHED_SHARE = 0.95


class FirstArms(NamedTuple):
    """Names of two presets, and why the second may be faster: one sentence."""

    a: str
    b: str
    reason: str


_BY_GROUND: dict[Ground, tuple[str, str]] = {
    "memory": (
        "populate",
        "The file lies in memory already: mapping it at once saves a page fault for every page.",
    ),
    "hard-disk": (
        "sequential",
        "A hard disk is fastest front to back: several readers, or page faults, make it seek.",
    ),
    "network": (
        "parallel",
        "The storage is far away: several readers hide its round trips, which page faults wait"
        " for one by one.",
    ),
    "object-store": (
        "parallel",
        "An object store answers large requests of readers with their own descriptors best; page"
        " faults look random to it.",
    ),
    "fuse": (
        "parallel",
        "Each page fault goes through another program here: large requests of several readers"
        " need fewer of them.",
    ),
    "flash": (
        "auto",
        "Disks that do not rotate want many large requests at once: eight readers past the cache,"
        " cached parts from it.",
    ),
    "unknown": (
        "parallel",
        "What the storage is cannot be seen: several readers with large requests are fast on most.",
    ),
}


def first_arms(preflight: Preflight, diagnosis: Diagnosis | None = None) -> FirstArms:
    """What to compare first for this model where it lies.

    `diagnosis` makes the guess better: it sees below overlays and volumes, and may hold a probe.
    """
    probe = diagnosis.probe if diagnosis is not None else None
    b, reason = _guess(preflight, diagnosis, probe)
    if conflict_of(preset(b).config) is not None:
        b, reason = _BY_GROUND["unknown"][0], _BY_GROUND[ground_of(preflight, diagnosis)][1]
    return FirstArms(TODAY, b, reason)


def ground_of(preflight: Preflight, diagnosis: Diagnosis | None = None) -> Ground:
    """What the file lies on: by a probe's figures where there are some, else by the system."""
    probe = diagnosis.probe if diagnosis is not None else None
    if probe is not None and probe.storage_class != "unknown":
        measured: dict[str, Ground] = {
            "hard-disk": "hard-disk",
            "network": "network",
            "object-store": "object-store",
            "memory": "memory",
        }
        return measured.get(probe.storage_class, "flash")
    lowest = diagnosis.foundation.lowest if diagnosis is not None else None
    storage = preflight.storage
    kind = lowest.kind if lowest is not None else storage.kind
    serves = lowest.fuse.serves if lowest is not None and lowest.fuse is not None else None
    if serves == "object-store":
        return "object-store"
    if kind == "network" or serves == "server":
        return "network"
    if kind in ("memory", "fuse"):
        return kind
    return _of_disk(preflight, diagnosis) if kind == "local-disk" else "unknown"


def _of_disk(preflight: Preflight, diagnosis: Diagnosis | None) -> Ground:
    """Virtual disks repeat a `rotational` that means nothing, so only real ones are believed."""
    if diagnosis is None:
        name = preflight.storage.device or ""
        spins = bool(preflight.storage.rotational_reported) and name.startswith("sd")
        return "hard-disk" if spins else "flash"
    disks = [layer.disk for layer in diagnosis.foundation.layers() if layer.disk is not None]
    spinning = any(
        disk.rotational_reported and not rotational_doubt(disk, diagnosis.host.is_virtual)
        for disk in disks
    )
    return "hard-disk" if spinning else "flash"


def _guess(
    preflight: Preflight, diagnosis: Diagnosis | None, probe: Probe | None
) -> tuple[str, str]:
    cached = preflight.cached_share
    if not preflight.fits:
        return (
            "prefetch",
            "The model is larger than the memory that is free: mapped pages can be dropped again,"
            " and one thread reads just ahead of them.",
        )
    gain = probe.storage.readers_gain if probe is not None else None
    ground = ground_of(preflight, diagnosis)
    if ground in ("network", "unknown") and gain is not None and gain < OVERLAPPING_GAIN:
        return (
            "prefetch",
            "Several readers brought nothing here when it was probed: one that reads ahead of the"
            " map keeps the link busy.",
        )
    b, reason = _BY_GROUND[ground]
    if cached is not None and cached >= _CACHED_SHARE and ground == "flash":
        return b, f"{reason} Now the file is cached: choose Warm to compare it so."
    return b, reason

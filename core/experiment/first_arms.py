"""Which two ways to load to compare first: what runtimes do today, and a guess for this storage.

A guess, not a recommendation: it rests on what the storage is and, where a probe was taken, on
what that measured. The comparison that follows is what tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.diagnose.storage_type import StorageType, storage_type_of
from modelmon.core.load.presets import preset
from modelmon.core.load.rules import conflict_of
from modelmon.core.messages import Message, joined
from modelmon.core.probe.storage_class import OVERLAPPING_GAIN

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.probe.probe import Probe

TODAY = "mmap"
"""What loaders of safetensors and GGUF do unless told otherwise: they map the file."""

_CACHED_SHARE = 0.95


class FirstArms(NamedTuple):
    """Names of two presets, and why the second may be faster: one sentence."""

    a: str
    b: str
    reason: Message


_BY_STORAGE_TYPE: dict[StorageType, tuple[str, Message]] = {
    "memory": (
        "populate",
        Message(
            "The file lies in memory already: mapping it at once saves a page fault for every page."
        ),
    ),
    "hard-disk": (
        "sequential",
        Message(
            "A hard disk is fastest front to back: several readers, or page faults, make it seek."
        ),
    ),
    "network": (
        "parallel",
        Message(
            "The storage is far away: several readers hide its round trips, which"
            " page faults wait for one by one."
        ),
    ),
    "object-store": (
        "parallel",
        Message(
            "An object store answers large requests of readers with their own"
            " descriptors best; page faults look random to it."
        ),
    ),
    "fuse": (
        "parallel",
        Message(
            "Each page fault goes through another program here: large requests of"
            " several readers need fewer of them."
        ),
    ),
    "flash": (
        "auto",
        Message("SSDs are fastest with many large parallel reads: 8 direct I/O readers."),
    ),
    "unknown": (
        "parallel",
        Message(
            "What the storage is cannot be seen: several readers with large requests"
            " are fast on most."
        ),
    ),
}


def first_arms(inspection: Inspection, diagnosis: Diagnosis | None = None) -> FirstArms:
    """What to compare first for this model where it lies.

    `diagnosis` makes the guess better: it sees below overlays and volumes, and may hold a probe.
    """
    probe = diagnosis.probe if diagnosis is not None else None
    b, reason = _guess(inspection, diagnosis, probe)
    if conflict_of(preset(b).config) is not None:
        b, reason = (
            _BY_STORAGE_TYPE["unknown"][0],
            _BY_STORAGE_TYPE[storage_type_of(inspection, diagnosis)][1],
        )
    return FirstArms(TODAY, b, reason)


def _guess(
    inspection: Inspection, diagnosis: Diagnosis | None, probe: Probe | None
) -> tuple[str, Message]:
    cached = inspection.cached_share
    if not inspection.fits:
        return (
            "prefetch",
            Message(
                "The model is larger than the memory that is free: mapped pages can be"
                " dropped again, and one thread reads just ahead of them."
            ),
        )
    gain = probe.storage.readers_gain if probe is not None else None
    storage_type = storage_type_of(inspection, diagnosis)
    if storage_type in ("network", "unknown") and gain is not None and gain < OVERLAPPING_GAIN:
        return (
            "prefetch",
            Message(
                "Several readers brought nothing here when it was probed: one that reads"
                " ahead of the map keeps the link busy."
            ),
        )
    b, reason = _BY_STORAGE_TYPE[storage_type]
    if cached is not None and cached >= _CACHED_SHARE and storage_type == "flash":
        return b, joined((reason, Message("Now the file is cached: choose Warm to compare it so.")))
    return b, reason

"""Which two ways to load to compare first: what runtimes do today, and a guess for this storage.

A guess, not a recommendation: it rests on what the storage is and, where a probe was taken, on
what that measured. The comparison that follows is what tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.diagnose.storage_type import StorageType, storage_type_of
from modelmon.core.messages import Message, joined
from modelmon.core.probe.storage_class import OVERLAPPING_GAIN

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.load.config import Deliver
    from modelmon.core.probe.probe import Probe
    from modelmon.core.worker.events import Cache

TODAY = "mmap"
"""What loaders of safetensors and GGUF do unless told otherwise: they map the file."""

_CACHED_SHARE = 0.95


class FirstArms(NamedTuple):
    """Names of two presets, why the second may be faster in one sentence, and what to deliver."""

    a: str
    b: str
    reason: Message
    deliver: Deliver = "usable"


_CACHED = (
    "auto",
    Message("The file is cached: auto maps large parts at once, which saves page faults."),
)
_BY_STORAGE_TYPE: dict[StorageType, tuple[str, Message]] = {
    "memory": _CACHED,
    "hard-disk": (
        "sequential",
        Message(
            "Hard disks are fastest front to back: several readers or page faults make them seek."
        ),
    ),
    "network": (
        "parallel",
        Message(
            "Network storage needs several readers: page faults wait for one round trip at a time."
        ),
    ),
    "object-store": (
        "parallel",
        Message(
            "Object stores are fastest with large requests, each reader with its own descriptor."
        ),
    ),
    "fuse": (
        "parallel",
        Message(
            "Each page fault goes through another program (FUSE): several readers"
            " with large requests need fewer."
        ),
    ),
    "flash": (
        "auto",
        Message("SSDs are fastest with many large parallel reads: 8 direct I/O readers."),
    ),
    "unknown": (
        "auto",
        Message("Storage type unknown: several readers with large requests are fast on most."),
    ),
}


def first_arms(
    inspection: Inspection, diagnosis: Diagnosis | None = None, cache: Cache = "cold"
) -> FirstArms:
    """What to compare first for this model where it lies, from this start.

    `diagnosis` makes the guess better: it sees below overlays and volumes, and may hold a probe.
    """
    probe = diagnosis.probe if diagnosis is not None else None
    b, reason = _CACHED if cache == "warm" else _guess(inspection, diagnosis, probe)
    if not inspection.can_stay:
        return FirstArms(
            TODAY,
            b,
            Message("The model is larger than free memory: stream it, since it can't stay there."),
            "streamed",
        )
    return FirstArms(TODAY, b, reason)


def second_arm(inspection: Inspection, first: str, cache: Cache) -> str:
    """The preset that is compared with the strategy `first` where none is named."""
    guess = first_arms(inspection, cache=cache).b
    return guess if guess != first else TODAY


def _guess(
    inspection: Inspection, diagnosis: Diagnosis | None, probe: Probe | None
) -> tuple[str, Message]:
    cached = inspection.cached_share
    gain = probe.storage.readers_gain if probe is not None else None
    storage_type = storage_type_of(inspection, diagnosis)
    if storage_type in ("network", "unknown") and gain is not None and gain < OVERLAPPING_GAIN:
        return (
            "prefetch",
            Message(
                "Several readers gained nothing when this storage was measured: one"
                " reader ahead of the map keeps the link busy."
            ),
        )
    b, reason = _BY_STORAGE_TYPE[storage_type]
    if storage_type == "flash" and gain is not None and gain < 1:
        reason = Message(
            "Direct reads save a copy; several readers gained nothing when this disk was measured."
        )
    if cached is not None and cached >= _CACHED_SHARE and storage_type == "flash":
        return b, joined(
            (reason, Message("The file is cached now: choose Warm to compare warm starts."))
        )
    return b, reason

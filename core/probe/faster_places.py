"""Other disks of this machine that a probe found faster for a model than the one it lies on."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.machine.origin import storage_origin, this_machine
from modelmon.core.probe.limits import best_times
from modelmon.core.probe.probe import StorageClass
from modelmon.core.probe.store import recent_probes

if TYPE_CHECKING:
    from modelmon.core.machine.storage import Storage
    from modelmon.core.probe.probe import Probe

# The others are no faster than a local disk, and asking a mount for its room may hang.
_LOCAL_DISKS = frozenset({"sata", "nvme"})


class FasterPlace(msgspec.Struct, frozen=True):
    """A folder with room for the model, and the time of a cold load at its disk's best rate."""

    folder: str
    storage_class: StorageClass
    bytes_per_s: float
    best_cold_ns: int
    probed_unix_s: float


def faster_places(model_bytes: int, here: Storage, beside: Probe | None) -> tuple[FasterPlace, ...]:
    """Places whose limit is below that of the probe `beside` the model, the fastest first.

    Without such a probe all that were probed in the last seven days: what a load takes here
    has to tell whether they are worth it.
    """
    limit_ns = None
    if beside is not None:
        limit_ns = best_times(model_bytes, beside.storage, beside.memory).cold_ns
    id_here = storage_origin(here, this_machine()).id
    places = [
        place
        for probe in recent_probes()
        if probe.storage_id != id_here and (place := _place(probe, model_bytes)) is not None
    ]
    faster = [place for place in places if limit_ns is None or place.best_cold_ns < limit_ns]
    return tuple(sorted(faster, key=lambda place: place.best_cold_ns))


def _place(probe: Probe, model_bytes: int) -> FasterPlace | None:
    """The folder that was probed; None where it is no local disk, is gone, or has no room."""
    reads = probe.storage.best_reads
    cold_ns = best_times(model_bytes, probe.storage, probe.memory).cold_ns
    if probe.storage_class not in _LOCAL_DISKS or reads is None or cold_ns is None:
        return None
    folder = Path(probe.path).parent
    try:
        free_bytes = shutil.disk_usage(folder).free
    except OSError:
        return None
    if free_bytes < model_bytes:
        return None
    return FasterPlace(
        str(folder), probe.storage_class, reads.bytes_per_s, cold_ns, probe.probed_unix_s
    )

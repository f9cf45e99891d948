"""What kind of storage a file lies on, and the rate that such storage commonly gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from modelmon.core.machine.block_devices import rotational_doubt
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.machine.storage import Storage


StorageType = Literal["memory", "hard-disk", "network", "object-store", "fuse", "flash", "unknown"]
"""What the file lies on, as far as it decides how to load it."""


class Thumb(NamedTuple):
    """A rate that such storage commonly gives, and what such storage is."""

    bytes_per_s: float
    of: Message


# A 7,200 rpm disk gives 100 to 250 MB/s from its inner to its outer tracks.
_HARD_DISK = Thumb(150e6, Message("a hard disk"))
# Serial ATA 3.0 carries 600 MB/s; what drives reach is somewhat below.
_SATA = Thumb(550e6, Message("a SATA SSD"))
# A drive on PCIe 3.0 × 4, whose link carries 3.9 GB/s; newer ones are faster.
_NVME = Thumb(3e9, Message("an NVMe drive"))


def storage_type_of(storage: Storage, diagnosis: Diagnosis | None = None) -> StorageType:
    """What the file lies on, as the system tells."""
    lowest = diagnosis.storage_stack.lowest if diagnosis is not None else None
    kind = lowest.kind if lowest is not None else storage.kind
    serves = lowest.fuse.serves if lowest is not None and lowest.fuse is not None else None
    if serves == "object-store":
        return "object-store"
    if kind == "network" or serves == "server":
        return "network"
    if kind in ("memory", "fuse"):
        return kind
    return _of_disk(storage, diagnosis) if kind == "local-disk" else "unknown"


def _of_disk(storage: Storage, diagnosis: Diagnosis | None) -> StorageType:
    """Virtual disks repeat a `rotational` that means nothing, so only real ones are believed."""
    if diagnosis is None:
        name = storage.device or ""
        spins = bool(storage.rotational_reported) and name.startswith("sd")
        return "hard-disk" if spins else "flash"
    disks = [layer.disk for layer in diagnosis.storage_stack.layers() if layer.disk is not None]
    spinning = any(
        disk.rotational_reported and not rotational_doubt(disk, diagnosis.host.is_virtual)
        for disk in disks
    )
    return "hard-disk" if spinning else "flash"


def rule_of_thumb(storage: Storage, storage_type: StorageType) -> Thumb | None:
    """The rate to expect; None for virtual disks, networks and whatever else can be anything."""
    if storage_type == "hard-disk":
        return _HARD_DISK
    if storage_type != "flash" or storage.device is None:
        return None
    if storage.device.startswith("nvme"):
        return _NVME
    return _SATA if storage.device.startswith("sd") else None

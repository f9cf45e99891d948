"""How long a cold load takes at best on storage of its kind, where nothing was measured yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight.first_arms import Ground
    from modelmon.core.machine.storage import Storage


class Thumb(NamedTuple):
    """A rate that such storage commonly gives, and what such storage is."""

    bytes_per_s: float
    of: str


# A 7,200 rpm disk gives 100 to 250 MB/s from its inner to its outer tracks.
_HARD_DISK = Thumb(150e6, "a hard disk")
# Serial ATA 3.0 carries 600 MB/s; what drives reach is somewhat below.
_SATA = Thumb(550e6, "a SATA SSD")
# A drive on PCIe 3.0 × 4, whose link carries 3.9 GB/s; newer ones are faster.
_NVME = Thumb(3e9, "an NVMe drive")


def rule_of_thumb(storage: Storage, ground: Ground) -> Thumb | None:
    """The rate to expect; None for virtual disks, networks and whatever else can be anything."""
    if ground == "hard-disk":
        return _HARD_DISK
    if ground != "flash" or storage.device is None:
        return None
    if storage.device.startswith("nvme"):
        return _NVME
    return _SATA if storage.device.startswith("sd") else None

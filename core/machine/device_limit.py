"""How fast the devices below a path can be by how they are attached."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modelmon.core.machine.disk import Disk
    from modelmon.core.machine.storage_stack import StorageStack

# Serial ATA 3.0: 6 Gbit/s with 8b/10b coding. No SATA disk can be faster.
SATA_BYTES_PER_S = 600e6
# PCI Express 5.0: 32 GT/s × 4 lanes with 128b/130b coding, the most that one drive is attached by.
DRIVE_BYTES_PER_S = 15.75e9


def device_limit(stack: StorageStack) -> float | None:
    """Bytes a second that the devices below a path can do by how they are attached.

    None where there is no device in sight. Virtual disks count as the fastest drive there is.
    """
    disks = {layer.name: layer.disk for layer in stack.layers() if layer.disk is not None}
    return sum(map(_limit_of, disks.values())) or None


def _limit_of(disk: Disk) -> float:
    if disk.usb_mbit_per_s is not None:
        return disk.usb_mbit_per_s / 8 * 1e6
    if disk.is_virtual:
        return DRIVE_BYTES_PER_S
    links = [link.possible_bytes_per_s for link in disk.pci_links]
    return min([*links, SATA_BYTES_PER_S if disk.bus == "sata" else DRIVE_BYTES_PER_S])

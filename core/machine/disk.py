"""A disk at the bottom of a chain of block devices: how it is attached, and what it claims.

Where it is attached is read from its path below /sys/devices, which names every bus on the way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.machine.pci_link import PciLink, pci_links
from modelmon.core.machine.sysfs import flag, number, value
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

# The first that fits a folder of the path decides; a USB disk is a SCSI disk too.
_BUSES = (
    (re.compile(r"usb[0-9]+"), "usb"),
    (re.compile(r"mmc_host"), "mmc"),
    (re.compile(r"nvme.*"), "nvme"),
    (re.compile(r"session[0-9]+"), "iscsi"),
    (re.compile(r"rport-.*"), "fibre-channel"),
    (re.compile(r"virtio[0-9]+"), "virtio"),
    (re.compile(r"vbd-.*"), "xen"),
    (re.compile(r"ata[0-9]+"), "sata"),
    (re.compile(r"end_device-.*"), "sas"),
    (re.compile(r"host[0-9]+"), "scsi"),
)
_VIRTUAL_BUSES = frozenset({"virtio", "xen"})
_VIRTUAL_MODELS = (
    "amazon elastic block store",
    "google persistentdisk",
    "nvme_card-pd",
    "msft virtual disk",
    "virtual disk",
    "vmware virtual",
    "qemu",
    "vbox",
)


class Disk(msgspec.Struct, frozen=True, omit_defaults=True):
    """A disk that nothing on this machine lies below.

    `bus` is how it is attached (`nvme`, `sata`, `virtio`, ...), `transport` how an NVMe
    controller is reached (`pcie`, `tcp`, ...). `is_virtual` is True where bus or model say
    that a hypervisor made it, and False does not prove the opposite. `rotational_reported`
    is the kernel's claim, which virtual disks get wrong.
    """

    model: str | None = None
    bus: str | None = None
    transport: str | None = None
    is_virtual: bool = False
    rotational_reported: bool | None = None
    usb_mbit_per_s: int | None = None
    pci_links: tuple[PciLink, ...] = ()


def bus_of(folders: tuple[str, ...]) -> str | None:
    """How a disk is attached, from the folders of its path below /sys/devices."""
    for pattern, bus in _BUSES:
        if any(pattern.fullmatch(folder) for folder in folders):
            return bus
    return None


def is_virtual_disk(bus: str | None, model: str | None) -> bool:
    """Whether bus or model say that a hypervisor made this disk."""
    name = " ".join((model or "").lower().split())
    return bus in _VIRTUAL_BUSES or any(known in name for known in _VIRTUAL_MODELS)


def rotational_doubt(disk: Disk, on_virtual_machine: bool | None) -> str:
    """Why the kernel's claim that a disk rotates, or does not, proves nothing; "" if it does."""
    if disk.is_virtual:
        return Message("a virtual disk repeats what its host was told to say")
    if on_virtual_machine:
        return Message("on a virtual machine the host decides what a disk says")
    if disk.bus == "usb":
        return Message("USB bridges often do not pass on what the disk says")
    return ""


def read_disk(folder: Path) -> Disk:
    """What /sys says of a disk; `folder` is its resolved folder there."""
    bus = bus_of(folder.parts)
    model = _model(folder)
    controller = _nvme_controller(folder) if bus == "nvme" else None
    return Disk(
        model=model,
        bus=bus,
        transport=(value(controller / "transport") or None) if controller else None,
        is_virtual=is_virtual_disk(bus, model),
        rotational_reported=flag(folder / "queue/rotational"),
        usb_mbit_per_s=_usb_speed(folder) if bus == "usb" else None,
        pci_links=pci_links(controller or folder),
    )


def _model(folder: Path) -> str | None:
    """Maker and model as the disk gives them; MMC cards have a name instead."""
    maker = value(folder / "device/vendor")
    # PCI's number of the maker, and what every SATA disk says.
    if maker.startswith("0x") or maker == "ATA":
        maker = ""
    model = value(folder / "device/model") or value(folder / "device/name")
    return " ".join(f"{maker} {model}".split()) or None


def _nvme_controller(folder: Path) -> Path | None:
    """The controller's folder; with multipath the disk lies in a subsystem that links to it."""
    device = (folder / "device").resolve()
    if (device / "transport").exists():
        return device
    controllers = sorted(device.glob("nvme[0-9]*"))
    with_transport = [link.resolve() for link in controllers if (link / "transport").exists()]
    return with_transport[0] if with_transport else None


def _usb_speed(folder: Path) -> int | None:
    """Mbit/s that the USB device itself agreed on: the nearest folder above that says so."""
    for above in folder.parents:
        if (above / "busnum").exists():
            return number(above / "speed")
    return None

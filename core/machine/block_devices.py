"""Block devices: what one is made of, down to the disks, and how these are attached.

All is read from /sys. Sources: Documentation/ABI/stable/sysfs-block and ABI/testing/sysfs-block-dm,
sysfs-block-loop, sysfs-bus-pci and sysfs-class-bdi, admin-guide/md.rst and blockdev/zram.rst of the
kernel; the prefixes of dm/uuid are those that cryptsetup, LVM, multipath-tools and kpartx give.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.machine.procfs import SECTOR_BYTES, chosen, flag, number, value
from modelmon.core.messages import Message
from modelmon.core.units import KIB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.procfs import Mount

LayerKind = Literal[
    "disk", "partition", "lvm", "luks", "crypt", "verity", "multipath", "mapped",
    "md", "loop", "zram",
]  # fmt: skip

_DM_KINDS: tuple[tuple[str, LayerKind], ...] = (
    ("CRYPT-LUKS", "luks"),
    ("CRYPT-VERITY", "verity"),
    ("CRYPT-", "crypt"),
    ("LVM-", "lvm"),
    ("mpath-", "multipath"),
    ("part", "partition"),
)
# The first that fits a folder of a disk's path decides; a USB disk is a SCSI disk too.
_BUSES = (
    (r"usb[0-9]+", "usb"),
    (r"mmc_host", "mmc"),
    (r"nvme.*", "nvme"),
    (r"session[0-9]+", "iscsi"),
    (r"rport-.*", "fibre-channel"),
    (r"virtio[0-9]+", "virtio"),
    (r"vbd-.*", "xen"),
    (r"ata[0-9]+", "sata"),
    (r"end_device-.*", "sas"),
    (r"host[0-9]+", "scsi"),
)
_VIRTUAL_BUSES = frozenset({"virtio", "xen"})
_VIRTUAL_MODELS = (
    "amazon elastic block store", "google persistentdisk", "nvme_card-pd", "msft virtual disk",
    "virtual disk", "vmware virtual", "qemu", "vbox",
)  # fmt: skip
_PCI_ADDRESS = re.compile(r"[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_PCI_SPEED = re.compile(r"([0-9]+(?:\.[0-9]+)?) GT/s")
_MOST_LANES = 32
"""An unknown width reads 255."""


class PciLink(msgspec.Struct, frozen=True, omit_defaults=True):
    """A PCIe link as it runs now, and the most that both of its ends can do.

    `device_*` is what the device alone could do in a better slot. Rates are GT/s per lane.
    """

    address: str
    gt_per_s: float
    lanes: int
    max_gt_per_s: float
    max_lanes: int
    device_max_gt_per_s: float
    device_max_lanes: int

    @property
    def bytes_per_s(self) -> float:
        """What the link carries each way now, before the overhead of packets."""
        return _link_bytes_per_s(self.gt_per_s, self.lanes)

    @property
    def possible_bytes_per_s(self) -> float:
        """What it would carry at the most that both ends can do."""
        return _link_bytes_per_s(self.max_gt_per_s, self.max_lanes)


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


class BlockLayer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One block device and what it lies on.

    `title` is what people call it: a volume's name, an array's level. A loop device lies on
    `backing_file`; `direct_io` tells whether it bypasses that file's own page cache.
    """

    name: str
    kind: LayerKind
    title: str | None = None
    size_bytes: int | None = None
    readahead_bytes: int | None = None
    scheduler: str | None = None
    backing_file: str | None = None
    direct_io: bool | None = None
    disk: Disk | None = None
    below: tuple[BlockLayer, ...] = ()

    def walk(self) -> Iterator[BlockLayer]:
        """This layer and all below it, each device once, from the top."""
        seen = set()
        pending = [self]
        while pending:
            layer = pending.pop(0)
            if layer.name not in seen:
                seen.add(layer.name)
                yield layer
                pending = [*layer.below, *pending]


def rotational_doubt(disk: Disk, on_virtual_machine: bool | None) -> str:
    """Why the kernel's claim that a disk rotates, or does not, proves nothing; "" if it does."""
    if disk.is_virtual:
        return Message("a virtual disk reports what its host configured")
    if on_virtual_machine:
        return Message("on a virtual machine the host decides what a disk says")
    if disk.bus == "usb":
        return Message("USB bridges often do not pass on what the disk says")
    return ""


def device_folder(mount: Mount, root: Path = Path("/")) -> Path | None:
    """The folder below /sys/devices of what the filesystem is on; None without one in sight.

    Btrfs and its like have no device number of their own; then it is the (first) device
    they were mounted from. `root` is where /sys and /dev are found.
    """
    if mount.major:
        link = root / f"sys/dev/block/{mount.major}:{mount.minor}"
    elif mount.source.startswith("/dev/"):
        # Several devices are joined by colons; links such as /dev/mapper/data lead to dm-0.
        node = root / mount.source.partition(":")[0].lstrip("/")
        link = root / "sys/class/block" / node.resolve().name
    else:
        return None
    return link.resolve() if link.exists() else None


def stored_on(folder: Path) -> Path:
    """The folder in /sys of a partition's disk, or of what is no partition itself."""
    return folder.parent if (folder / "partition").exists() else folder


def readahead_bytes(mount: Mount, root: Path = Path("/")) -> int | None:
    """How far the kernel reads ahead on this mount, at most; None where it does not say.

    A mount without a disk (FUSE, NFS) has a setting of its own, and so has btrfs.
    """
    places = [root / f"sys/class/bdi/{mount.major}:{mount.minor}"]
    folder = device_folder(mount, root)
    if folder is not None:
        if mount.filesystem == "btrfs":
            pools = (root / "sys/fs/btrfs").glob(f"*/devices/{folder.name}")
            places += [device.parent.parent / "bdi" for device in pools]
        places.append(stored_on(folder) / "queue")
    sizes = (_scaled(place / "read_ahead_kb", KIB) for place in places)
    return next((nbytes for nbytes in sizes if nbytes is not None), None)


def block_layer(folder: Path) -> BlockLayer:
    """The device whose resolved folder in /sys this is, with all that it lies on."""
    if (folder / "partition").exists():
        below = block_layer(folder.parent)
        return BlockLayer(
            folder.name,
            "partition",
            size_bytes=_scaled(folder / "size", SECTOR_BYTES),
            readahead_bytes=below.readahead_bytes,
            scheduler=below.scheduler,
            below=(below,),
        )
    kind, title = _kind_and_title(folder)
    slaves = sorted(link.resolve() for link in (folder / "slaves").glob("*"))
    return BlockLayer(
        folder.name,
        kind,
        title,
        size_bytes=_scaled(folder / "size", SECTOR_BYTES),
        readahead_bytes=_scaled(folder / "queue/read_ahead_kb", KIB),
        scheduler=chosen(folder / "queue/scheduler"),
        backing_file=(value(folder / "loop/backing_file") or None) if kind == "loop" else None,
        direct_io=flag(folder / "loop/dio") if kind == "loop" else None,
        disk=_disk(folder) if kind == "disk" else None,
        below=tuple(block_layer(slave) for slave in slaves),
    )


def _kind_and_title(folder: Path) -> tuple[LayerKind, str | None]:
    if (folder / "dm").is_dir():
        uuid = value(folder / "dm/uuid")
        kinds = (kind for prefix, kind in _DM_KINDS if uuid.startswith(prefix))
        return next(kinds, "mapped"), value(folder / "dm/name") or None
    if (folder / "md").is_dir():
        return "md", value(folder / "md/level") or None
    if (folder / "loop").is_dir():
        return "loop", None
    if (folder / "comp_algorithm").exists():
        return "zram", chosen(folder / "comp_algorithm")
    return "disk", None


def _disk(folder: Path) -> Disk:
    """What /sys says of a disk. Its path below /sys/devices names every bus on the way."""
    buses = (
        bus
        for pattern, bus in _BUSES
        if any(re.fullmatch(pattern, above) for above in folder.parts)
    )
    bus = next(buses, None)
    maker = value(folder / "device/vendor")
    # PCI's number of the maker, and what every SATA disk says.
    maker = "" if maker.startswith("0x") or maker == "ATA" else maker
    # MMC cards have a name in place of a model.
    words = f"{maker} {value(folder / 'device/model') or value(folder / 'device/name')}".split()
    model = " ".join(words)
    controller = _nvme_controller(folder) if bus == "nvme" else None
    # A USB disk: the nearest folder above that tells what the device agreed on.
    ports = [above for above in folder.parents if (above / "busnum").exists()]
    return Disk(
        model=model or None,
        bus=bus,
        transport=(value(controller / "transport") or None) if controller else None,
        is_virtual=bus in _VIRTUAL_BUSES
        or any(known in model.lower() for known in _VIRTUAL_MODELS),
        rotational_reported=flag(folder / "queue/rotational"),
        usb_mbit_per_s=number(ports[0] / "speed") if bus == "usb" and ports else None,
        pci_links=_pci_links(controller or folder),
    )


def _nvme_controller(folder: Path) -> Path | None:
    """The controller's folder; with multipath the disk lies in a subsystem that links to it."""
    device = (folder / "device").resolve()
    places = (device, *sorted(device.glob("nvme[0-9]*")))
    return next((place.resolve() for place in places if (place / "transport").exists()), None)


def _pci_links(folder: Path) -> tuple[PciLink, ...]:
    """The PCIe links above a device's folder in /sys, its own first; empty without any in sight.

    A link joins two functions: a device and the port above it, then (where that port is a
    switch's) the switch and the next port. What lies between them is inside the switch. A virtual
    machine often shows none, or one that only the host knows the truth of.
    """
    functions = [at for at in (folder, *folder.parents) if _PCI_ADDRESS.fullmatch(at.name)]
    links = []
    for lower, upper in zip_longest(functions[0::2], functions[1::2]):
        speed, lanes = _speed_and_lanes(lower, "current")
        max_speed, max_lanes = _speed_and_lanes(lower, "max")
        if not (speed and lanes and max_speed and max_lanes):
            continue
        above_speed, above_lanes = _speed_and_lanes(upper, "max") if upper else (None, None)
        links.append(
            PciLink(
                address=lower.name,
                gt_per_s=speed,
                lanes=lanes,
                max_gt_per_s=min(max_speed, above_speed or max_speed),
                max_lanes=min(max_lanes, above_lanes or max_lanes),
                device_max_gt_per_s=max_speed,
                device_max_lanes=max_lanes,
            )
        )
    return tuple(links)


def _speed_and_lanes(function: Path, which: str) -> tuple[float | None, int | None]:
    """GT/s and lanes, `current` or `max`; None for `Unknown`, and a link that is down has none."""
    speed = _PCI_SPEED.match(value(function / f"{which}_link_speed"))
    lanes = number(function / f"{which}_link_width") or 0
    return float(speed[1]) if speed else None, lanes if 0 < lanes <= _MOST_LANES else None


def _link_bytes_per_s(gt_per_s: float, lanes: int) -> float:
    """Bytes a link carries each way: transfers times the share that its line code leaves.

    Source: PCI Express Base Specification: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s,
    and 236 of 256 bytes of a flit at 64 GT/s.
    """
    share = 8 / 10 if gt_per_s <= 5 else 128 / 130 if gt_per_s <= 32 else 236 / 256
    return gt_per_s * 1e9 * share / 8 * lanes


def _scaled(path: Path, unit_bytes: int) -> int | None:
    """A number of units as bytes."""
    count = number(path)
    return None if count is None else count * unit_bytes

"""Block devices: what one is made of, down to the disks, and how these are attached.

All is read from /sys. Sources: Documentation/ABI/stable/sysfs-block and ABI/testing/sysfs-block-dm,
sysfs-block-loop, sysfs-bus-pci and sysfs-class-bdi, admin-guide/md.rst and blockdev/zram.rst of the
kernel; the prefixes of dm/uuid are those that cryptsetup, LVM, multipath-tools and kpartx give.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.machine.procfs import SECTOR_BYTES, chosen, flag, number, value
from modelmon.core.messages import Message
from modelmon.core.units import KIB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.procfs import Mount

_ADDRESS = re.compile(r"[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_SPEED = re.compile(r"([0-9]+(?:\.[0-9]+)?) GT/s")
_WIDEST = 32


class PciEnd(NamedTuple):
    """One end of a link: rates in GT/s and numbers of lanes; None where it does not say."""

    address: str
    gt_per_s: float | None
    lanes: int | None
    max_gt_per_s: float | None
    max_lanes: int | None


class PciLink(msgspec.Struct, frozen=True, omit_defaults=True):
    """A link as it runs now, and the most that both of its ends can do.

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
        return link_bytes_per_s(self.gt_per_s, self.lanes)

    @property
    def possible_bytes_per_s(self) -> float:
        """What it would carry at the most that both ends can do."""
        return link_bytes_per_s(self.max_gt_per_s, self.max_lanes)


def parse_link_speed(text: str) -> float | None:
    """GT/s of `16.0 GT/s PCIe`; None for `Unknown`."""
    match = _SPEED.match(text)
    return float(match[1]) if match else None


def link_bytes_per_s(gt_per_s: float, lanes: int) -> float:
    """Bytes a link carries each way: transfers times the share that its line code leaves.

    Source: PCI Express Base Specification: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s,
    and 236 of 256 bytes of a flit at 64 GT/s.
    """
    share = 8 / 10 if gt_per_s <= 5 else 128 / 130 if gt_per_s <= 32 else 236 / 256
    return gt_per_s * 1e9 * share / 8 * lanes


def links_between(ends: list[PciEnd]) -> tuple[PciLink, ...]:
    """The links on the way up from a device, given its PCI functions, the device's first.

    A link joins two functions: a device and the port above it, then (where that port is a
    switch's) the switch and the next port. What lies between them is inside the switch.
    """
    links = []
    for lower, upper in zip_longest(ends[0::2], ends[1::2]):
        speed, lanes = lower.gt_per_s, lower.lanes
        if not (speed and lanes and lower.max_gt_per_s and lower.max_lanes):
            continue
        links.append(
            PciLink(
                address=lower.address,
                gt_per_s=speed,
                lanes=lanes,
                max_gt_per_s=_lesser(lower.max_gt_per_s, upper and upper.max_gt_per_s),
                max_lanes=int(_lesser(lower.max_lanes, upper and upper.max_lanes)),
                device_max_gt_per_s=lower.max_gt_per_s,
                device_max_lanes=lower.max_lanes,
            )
        )
    return tuple(links)


def pci_links(folder: Path) -> tuple[PciLink, ...]:
    """The PCIe links above a device's folder in /sys, its own first; empty without any in sight.

    A virtual machine often shows none, or one that only the host knows the truth of.
    """
    functions = [place for place in (folder, *folder.parents) if _ADDRESS.fullmatch(place.name)]
    return links_between([_end(function) for function in functions])


def _end(function: Path) -> PciEnd:
    return PciEnd(
        function.name,
        parse_link_speed(value(function / "current_link_speed")),
        _lanes(function / "current_link_width"),
        parse_link_speed(value(function / "max_link_speed")),
        _lanes(function / "max_link_width"),
    )


def _lanes(path: Path) -> int | None:
    """A link that is down has no lanes, and an unknown width reads 255."""
    count = number(path)
    return count if count and count <= _WIDEST else None


def _lesser(one: float, other: float | None) -> float:
    return min(one, other) if other else one


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


def dm_kind(uuid: str) -> LayerKind:
    """What made a device-mapper device, by the prefix of its dm/uuid."""
    for prefix, kind in _DM_KINDS:
        if uuid.startswith(prefix):
            return kind
    return "mapped"


def block_layer(folder: Path) -> BlockLayer:
    """The device whose resolved folder in /sys this is, with all that it lies on."""
    if (folder / "partition").exists():
        below = block_layer(folder.parent)
        return BlockLayer(
            folder.name,
            "partition",
            size_bytes=_size_bytes(folder),
            readahead_bytes=below.readahead_bytes,
            scheduler=below.scheduler,
            below=(below,),
        )
    kind, title = _kind_and_title(folder)
    slaves = sorted(link.resolve() for link in (folder / "slaves").glob("*"))
    readahead_kib = number(folder / "queue/read_ahead_kb")
    return BlockLayer(
        folder.name,
        kind,
        title,
        size_bytes=_size_bytes(folder),
        readahead_bytes=readahead_kib * KIB if readahead_kib is not None else None,
        scheduler=chosen(folder / "queue/scheduler"),
        backing_file=(value(folder / "loop/backing_file") or None) if kind == "loop" else None,
        direct_io=flag(folder / "loop/dio") if kind == "loop" else None,
        disk=read_disk(folder) if kind == "disk" else None,
        below=tuple(block_layer(slave) for slave in slaves),
    )


def _kind_and_title(folder: Path) -> tuple[LayerKind, str | None]:
    if (folder / "dm").is_dir():
        return dm_kind(value(folder / "dm/uuid")), value(folder / "dm/name") or None
    if (folder / "md").is_dir():
        return "md", value(folder / "md/level") or None
    if (folder / "loop").is_dir():
        return "loop", None
    if (folder / "comp_algorithm").exists():
        return "zram", chosen(folder / "comp_algorithm")
    return "disk", None


def _size_bytes(folder: Path) -> int | None:
    sectors = number(folder / "size")
    return sectors * SECTOR_BYTES if sectors is not None else None


class BlockDevice(NamedTuple):
    """A disk by its kernel name, the partition if the filesystem is on one, and its claims."""

    name: str
    partition: str | None
    model: str | None
    rotational: bool | None


def block_device(mount: Mount, root: Path = Path("/")) -> BlockDevice | None:
    """The disk that holds the mounted filesystem; None without one in sight.

    Btrfs and its like have no device number of their own; then it is the (first) device
    they were mounted from. `root` is where /sys and /dev are found.
    """
    folder = device_folder(mount, root)
    if folder is None:
        return None
    is_partition = (folder / "partition").exists()
    disk = folder.parent if is_partition else folder
    rotational = value(disk / "queue/rotational")
    return BlockDevice(
        name=disk.name,
        partition=folder.name if is_partition else None,
        model=_own_model(disk),
        rotational=rotational == "1" if rotational else None,
    )


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
        disk = folder.parent if (folder / "partition").exists() else folder
        places.append(disk / "queue")
    for place in places:
        size_kib = number(place / "read_ahead_kb")
        if size_kib is not None:
            return size_kib * KIB
    return None


def device_folder(mount: Mount, root: Path = Path("/")) -> Path | None:
    """The folder below /sys/devices of what the filesystem is on; None without one in sight."""
    if mount.major:
        link = root / f"sys/dev/block/{mount.major}:{mount.minor}"
    elif mount.source.startswith("/dev/"):
        # Several devices are joined by colons; links such as /dev/mapper/data lead to dm-0.
        node = root / mount.source.partition(":")[0].lstrip("/")
        link = root / "sys/class/block" / node.resolve().name
    else:
        return None
    return link.resolve() if link.exists() else None


def _own_model(disk: Path) -> str | None:
    """The drive's name for itself; of a mapped volume (LVM, LUKS), that of its only disk."""
    if model := value(disk / "device/model"):
        return model
    below = [link.resolve() for link in (disk / "slaves").glob("*")]
    if len(below) != 1:
        return None
    (folder,) = below
    return _own_model(folder.parent if (folder / "partition").exists() else folder)

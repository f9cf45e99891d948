"""What a path stands on, all the way down: mounts, filesystems, volumes, images, disks.

`storage_of` tells in one record what a load has to know of it, `storage_stack_of` every layer as
`doctor` shows them. No file is opened, and nothing is written.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import shutil
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import msgspec
import psutil

from modelmon.core.machine.block_devices import (
    BlockLayer,
    block_layer,
    device_folder,
    readahead_bytes,
    stored_on,
)
from modelmon.core.machine.cached_pages import mount_number
from modelmon.core.machine.host import machine_key
from modelmon.core.machine.mounts import (
    FuseMount,
    NetworkMount,
    PlacedMount,
    StorageKind,
    TellingOption,
    accounts_reads,
    command_of,
    fuse_mount,
    is_block_backed,
    is_windows_drive,
    kind_of,
    mounts_under,
    network_mount,
    options_of,
    telling_options,
)
from modelmon.core.machine.procfs import flag, process_stat, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.block_devices import Disk
    from modelmon.core.machine.procfs import Mount

SATA_BYTES_PER_S = 600e6
"""Serial ATA 3.0: 6 Gbit/s with 8b/10b coding. No SATA disk can be faster."""
DRIVE_BYTES_PER_S = 15.75e9
"""PCI Express 5.0: 32 GT/s × 4 lanes with 128b/130b coding, the most for one drive."""
# An image within an image within an image is as deep as anyone goes.
_DEEPEST = 4


class Storage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a path lies on; None is *not available on this platform or filesystem*.

    `device` is the block device's kernel name (`nvme0n1`), `partition` the one that holds
    the filesystem. `rotational_reported` is the kernel's claim, which virtual disks get
    wrong. `counts_device_bytes` tells whether `/proc/PID/io` accounts what is fetched from
    this filesystem's storage (false for FUSE, tmpfs and the like). `apart_by` tells this mount from
    others of its source, "" for a plain disk; `mounting` this mounting from earlier ones, "" where
    nothing tells.
    """

    path: str
    mount_point: str
    filesystem: str
    source: str
    kind: StorageKind
    options: str = ""
    device: str | None = None
    partition: str | None = None
    device_model: str | None = None
    rotational_reported: bool | None = None
    readahead_bytes: int | None = None
    free_bytes: int | None = None
    counts_device_bytes: bool = False
    apart_by: str = ""
    mounting: str = ""


class MountLayer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One mounted filesystem under a path.

    `bind_root` is the folder of the filesystem that is seen at `mount_point`, where that is not
    its top: a bind mount, a container's volume, a subvolume. `readahead_bytes` is this mount's,
    and `bdi` the number under which /sys/class/bdi has it. `layers_hidden`: an overlay whose
    layers lie outside of this container. `image` is the file that it is mounted from without a
    device between (erofs, FUSE).
    """

    mount_point: str
    filesystem: str
    source: str
    kind: StorageKind
    bind_root: str | None = None
    options: tuple[TellingOption, ...] = ()
    readahead_bytes: int | None = None
    bdi: str | None = None
    layers_hidden: bool = False
    image: str | None = None
    network: NetworkMount | None = None
    fuse: FuseMount | None = None
    devices: tuple[BlockLayer, ...] = ()


class StorageStack(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a path stands on: `asked` is what was given, `path` where its links lead.

    `mounts` goes from the mount that is seen to the lowest (overlays have several), empty
    where no mount is in sight. `images` are the stacks of the files that loop devices and mounts
    below it are made of.
    """

    asked: str
    path: str
    mounts: tuple[MountLayer, ...] = msgspec.field(name="grounds", default=())
    images: tuple[StorageStack, ...] = ()

    @property
    def lowest(self) -> MountLayer | None:
        """The filesystem that really holds the file; None without one in sight."""
        return self.mounts[-1] if self.mounts else None

    def all_mounts(self) -> Iterator[MountLayer]:
        """Every mount below the path, those of images included."""
        yield from self.mounts
        for image in self.images:
            yield from image.all_mounts()

    def layers(self) -> Iterator[BlockLayer]:
        """Every block device below the path, those below loop devices included."""
        for mount in self.all_mounts():
            for device in mount.devices:
                yield from device.walk()

    def whole_devices(self) -> tuple[str, ...]:
        """Kernel names of all devices below the path but partitions: those that can be limited."""
        names = [layer.name for layer in self.layers() if layer.kind != "partition"]
        return tuple(dict.fromkeys(names))

    def bottom_devices(self) -> tuple[str, ...]:
        """Kernel names of the devices that have nothing below them but a medium."""
        bottom = [layer.name for layer in self.layers() if not layer.below and layer.kind != "loop"]
        return tuple(dict.fromkeys(bottom))


def existing(path: Path) -> Path:
    """`path` with its links followed, or the nearest folder above it that exists."""
    place = path.resolve()
    while not place.exists() and place != place.parent:
        place = place.parent
    return place


def storage_of(path: Path, root: Path = Path("/")) -> Storage:
    """What `path` lies on, links followed; of a path that does not exist, its nearest folder.

    `root` is where this machine's /proc, /sys and /dev are.
    """
    place = existing(path)
    try:
        free_bytes = shutil.disk_usage(place).free
    except OSError:
        free_bytes = None
    stack = mounts_under(place, root) if sys.platform == "linux" else ()
    if not stack:
        found = _storage_elsewhere(place)
        return msgspec.structs.replace(found, path=str(place), free_bytes=free_bytes)
    seen, lowest = stack[0].mount, stack[-1].mount
    # Layers out of sight lie on a disk of the host as good as always.
    hidden = lowest.filesystem == "overlay"
    kind = "unknown" if hidden else kind_of(lowest.filesystem, is_block_backed(lowest))
    folder = device_folder(lowest, root)
    disk = stored_on(folder) if folder is not None and kind == "local-disk" else None
    fuse = fuse_mount(lowest, root) if kind == "fuse" else None
    return Storage(
        path=str(place),
        mount_point=seen.mount_point,
        filesystem=seen.filesystem,
        source=seen.source,
        kind=kind,
        options=",".join(dict.fromkeys(f"{seen.options},{seen.super_options}".split(","))),
        device=disk.name if disk else None,
        partition=folder.name if folder and disk and folder != disk else None,
        device_model=_drive_model(disk) if disk else None,
        rotational_reported=flag(disk / "queue/rotational") if disk else None,
        readahead_bytes=None if hidden else readahead_bytes(lowest, root),
        free_bytes=free_bytes,
        counts_device_bytes=hidden or accounts_reads(lowest.filesystem, kind),
        apart_by=" ".join(_apart_by(lowest, folder, fuse, root)),
        mounting=_mounting(stack[-1], fuse, root),
    )


def _storage_elsewhere(place: Path) -> Storage:
    """Without Linux's list of mounts: what psutil lists."""
    found = None
    for partition in psutil.disk_partitions(all=True) if sys.platform != "linux" else ():
        point = PurePath(partition.mountpoint)
        if place.is_relative_to(point) and (
            found is None or len(point.parts) >= len(PurePath(found.mountpoint).parts)
        ):
            found = partition
    if found is None:
        # Links of a drive that Windows has from a server lead to \\server\share.
        is_served = re.match(r"\\\\[^?.]", place.drive)
        return Storage("", "", "", "", "network" if is_served else "unknown")
    options = found.opts.split(",")
    on_device = found.device.startswith("/dev/") or "fixed" in options
    kind = "network" if "remote" in options else kind_of(found.fstype, on_device)
    return Storage("", found.mountpoint, found.fstype, found.device, kind, found.opts)


def _drive_model(disk: Path) -> str | None:
    """The drive's name for itself; of a mapped volume (LVM, LUKS), that of its only disk."""
    if model := value(disk / "device/model"):
        return model
    below = [link.resolve() for link in (disk / "slaves").glob("*")]
    return _drive_model(stored_on(below[0])) if len(below) == 1 else None


def _apart_by(
    mount: Mount, folder: Path | None, fuse: FuseMount | None, root: Path
) -> Iterator[str]:
    """The folder that is mounted, options that change loads, and what serves it."""
    if mount.root != "/":
        yield f"root={mount.root}"
    yield from (told.option for told in telling_options(mount))
    # The machine that a server's name led to (nfs(5), mount.cifs(8)).
    if address := options_of(mount.super_options).get("addr"):
        yield f"addr={address}"
    for layer in block_layer(folder).walk() if folder is not None else ():
        if layer.backing_file is not None:
            yield f"image={layer.backing_file}"
    command = command_of(fuse.pid, root) if fuse is not None and fuse.pid is not None else ()
    if any(command):
        # Kept as a digest, for it may hold passwords.
        words = "\0".join(command).encode(errors="surrogateescape")
        key = machine_key(root).encode()
        yield f"served-by={hmac.new(key, words, hashlib.sha256).hexdigest()[:16]}"


def _mounting(placed: PlacedMount, fuse: FuseMount | None, root: Path) -> str:
    """The mount's own number since boot, and the process that serves it."""
    number = mount_number(placed.place) if root == Path("/") else None
    known = [] if number is None else [f"{number}"]
    if fuse is not None and fuse.pid is not None:
        server = process_stat(fuse.pid, root)
        known += [f"{fuse.pid}", f"{server.began_ticks}"] if server is not None else []
    boot = value(root / "proc/sys/kernel/random/boot_id")
    return " ".join([boot, *known]) if known else ""


def storage_stack_of(path: Path, root: Path = Path("/"), depth: int = _DEEPEST) -> StorageStack:
    """What `path`, or the nearest folder above it that exists, stands on, through so many images.

    `root` is where this machine's /proc, /sys and /dev are.
    """
    place = existing(path)
    stack = mounts_under(place, root) if sys.platform == "linux" else ()
    mounts = tuple(_mount_layer(placed.mount, placed is stack[-1], root) for placed in stack)
    files = [Path(mount.image) for mount in mounts if mount.image]
    for mount in mounts:
        for device in mount.devices:
            files += [Path(layer.backing_file) for layer in device.walk() if layer.backing_file]
    # A deleted image, or one outside of this container, has no stack in sight.
    images = [storage_stack_of(file, root, depth - 1) for file in files if depth and file.exists()]
    return StorageStack(str(path.absolute()), str(place), mounts, tuple(images))


def _mount_layer(mount: Mount, is_lowest: bool, root: Path) -> MountLayer:
    kind = kind_of(mount.filesystem, is_block_backed(mount))
    windows = is_windows_drive(mount)
    number = f"{mount.major}:{mount.minor}"
    return MountLayer(
        mount_point=mount.mount_point,
        filesystem=mount.filesystem,
        source=mount.source,
        kind="network" if windows else kind,
        bind_root=mount.root if mount.root != "/" else None,
        options=telling_options(mount),
        readahead_bytes=readahead_bytes(mount, root),
        bdi=number if (root / "sys/class/bdi" / number).exists() else None,
        layers_hidden=mount.filesystem == "overlay" and is_lowest,
        image=mount.source if mount.source[:1] == "/" and Path(mount.source).is_file() else None,
        network=network_mount(mount) if kind == "network" or windows else None,
        fuse=fuse_mount(mount, root) if kind == "fuse" else None,
        devices=_devices(mount, root),
    )


def _devices(mount: Mount, root: Path) -> tuple[BlockLayer, ...]:
    """The device that the filesystem is on; of btrfs all devices of its pool."""
    folder = device_folder(mount, root)
    if folder is None:
        return ()
    if mount.filesystem == "btrfs":
        for pool in (root / "sys/fs/btrfs").glob(f"*/devices/{folder.name}"):
            return tuple(block_layer(link.resolve()) for link in sorted(pool.parent.iterdir()))
    return (block_layer(folder),)


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

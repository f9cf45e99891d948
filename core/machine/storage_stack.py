"""What a path stands on, all the way down: mounts, filesystems, volumes, images, disks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.machine.block_device import device_folder, readahead_bytes
from modelmon.core.machine.device_chain import BlockLayer, block_layer
from modelmon.core.machine.fuse import FuseMount, fuse_mount
from modelmon.core.machine.mount_options import TellingOption, telling_options
from modelmon.core.machine.mounts import (
    PlacedMount,
    StorageKind,
    is_block_backed,
    kind_of,
    mounts_under,
)
from modelmon.core.machine.network_mount import NetworkMount, is_windows_drive, network_mount
from modelmon.core.machine.storage import existing
from modelmon.core.machine.sysfs import value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.procfs_disk import Mount

# An image within an image within an image is as deep as anyone goes.
_DEEPEST = 4


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


def storage_stack_of(path: Path, root: Path = Path("/")) -> StorageStack:
    """What `path`, or the nearest folder above it that exists, stands on. Nothing is opened.

    `root` is where this machine's /proc, /sys and /dev are.
    """
    return _storage_stack(path, root, _DEEPEST)


def _storage_stack(path: Path, root: Path, depth: int) -> StorageStack:
    place = existing(path)
    asked = str(path.absolute())
    if sys.platform != "linux":
        return StorageStack(asked, str(place))
    stack = mounts_under(place, root)
    mounts = tuple(_mount_layer(placed, placed is stack[-1], root) for placed in stack)
    files = [Path(mount.image) for mount in mounts if mount.image]
    files += [
        Path(layer.backing_file)
        for mount in mounts
        for device in mount.devices
        for layer in device.walk()
        if layer.backing_file
    ]
    # A deleted image, or one outside of this container, has no stack in sight.
    images = [_storage_stack(file, root, depth - 1) for file in files if depth and file.exists()]
    return StorageStack(asked, str(place), mounts, tuple(images))


def _mount_layer(placed: PlacedMount, is_lowest: bool, root: Path) -> MountLayer:
    mount = placed.mount
    hidden = mount.filesystem == "overlay" and is_lowest
    kind = kind_of(mount.filesystem, is_block_backed(mount))
    windows = is_windows_drive(mount)
    from_afar = kind == "network" or windows
    mountstats = value(root / "proc/self/mountstats") if mount.filesystem[:3] == "nfs" else ""
    return MountLayer(
        mount_point=mount.mount_point,
        filesystem=mount.filesystem,
        source=mount.source,
        kind="network" if windows else kind,
        bind_root=mount.root if mount.root != "/" else None,
        options=telling_options(mount),
        readahead_bytes=readahead_bytes(mount, root),
        bdi=_bdi(mount, root),
        layers_hidden=hidden,
        image=mount.source if mount.source[:1] == "/" and Path(mount.source).is_file() else None,
        network=network_mount(mount, mountstats) if from_afar else None,
        fuse=fuse_mount(mount, root) if kind == "fuse" else None,
        devices=_devices(mount, root),
    )


def _bdi(mount: Mount, root: Path) -> str | None:
    number = f"{mount.major}:{mount.minor}"
    return number if (root / "sys/class/bdi" / number).exists() else None


def _devices(mount: Mount, root: Path) -> tuple[BlockLayer, ...]:
    """The device that the filesystem is on; of btrfs all devices of its pool."""
    folder = device_folder(mount, root)
    if folder is None:
        return ()
    if mount.filesystem == "btrfs":
        for pool in (root / "sys/fs/btrfs").glob(f"*/devices/{folder.name}"):
            return tuple(block_layer(link.resolve()) for link in sorted(pool.parent.iterdir()))
    return (block_layer(folder),)

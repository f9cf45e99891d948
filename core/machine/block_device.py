"""What /sys says of the block device under a mount.

Sources: Documentation/ABI/stable/sysfs-block and ABI/testing/sysfs-class-bdi of the kernel.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.machine.sysfs import number, value
from modelmon.core.units import KIB

if TYPE_CHECKING:
    from modelmon.core.machine.procfs_disk import Mount


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
        model=_model(disk),
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


def _model(disk: Path) -> str | None:
    """The drive's name for itself; of a mapped volume (LVM, LUKS), that of its only disk."""
    if model := value(disk / "device/model"):
        return model
    below = [link.resolve() for link in (disk / "slaves").glob("*")]
    if len(below) != 1:
        return None
    (folder,) = below
    return _model(folder.parent if (folder / "partition").exists() else folder)

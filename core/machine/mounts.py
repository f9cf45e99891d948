"""Mounts: which lie under a path, of what kind they are, what is mounted over what."""

from __future__ import annotations

import os
import platform
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, NamedTuple

from modelmon.core.machine.procfs_disk import Mount, parse_mountinfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.machine.procfs_disk import Mount


StorageKind = Literal["local-disk", "network", "fuse", "memory", "unknown"]

_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"})
_NETWORK = frozenset(
    {
        "9p",
        "afpfs",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "glusterfs",
        "gpfs",
        "lustre",
        "nfs",
        "nfs4",
        "orangefs",
        "smb3",
        "smbfs",
        "virtiofs",
        "webdav",
        "wekafs",
    }
)
# Made of disks of their own that the kernel does not show as the mount's block device.
_POOLS = frozenset({"bcachefs", "btrfs", "zfs"})
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", platform.node()})


def mount_of(path: PurePosixPath, device: int, mounts: Sequence[Mount]) -> Mount | None:
    """The mount that holds `path`, whose `st_dev` is `device`; the path has no links in it.

    The deepest one wins, and of several at one point the last, which hides the others. One
    with the file's own device goes before any other: a mount may hide what was mounted
    deeper. Btrfs and overlayfs give their files devices that no mount has.
    """
    numbers = (os.major(device), os.minor(device))
    found: tuple[bool, int] = (False, -1)
    best = None
    for mount in mounts:
        point = PurePosixPath(mount.mount_point)
        fit = ((mount.major, mount.minor) == numbers, len(point.parts))
        if path.is_relative_to(point) and fit >= found:
            found, best = fit, mount
    return best


def kind_of(filesystem: str, on_block_device: bool) -> StorageKind:
    """What sort of storage a filesystem type is, by its name and by what it is mounted from."""
    if filesystem in _MEMORY:
        return "memory"
    if filesystem.startswith("fuse") or filesystem == "macfuse":
        return "fuse"
    if filesystem in _NETWORK:
        return "network"
    if on_block_device or filesystem in _POOLS:
        return "local-disk"
    return "unknown"


def is_block_backed(mount: Mount) -> bool:
    """Whether the filesystem reads a block device of this machine."""
    return mount.major != 0 or mount.source.startswith("/dev/")


def is_served_here(source: str) -> bool:
    """Whether a mount's source (`host:/folder`) names a server or tunnel of this machine."""
    host, colon, _ = source.partition(":")
    return bool(colon) and host.rpartition("@")[2] in _THIS_MACHINE


def accounts_reads(filesystem: str, kind: StorageKind) -> bool:
    """Whether `read_bytes` of /proc/PID/io counts what is fetched from this filesystem.

    It counts requests to block devices, and NFS counts its own. FUSE, 9p, virtiofs and CIFS
    fetch in other processes or not through the block layer, and ZFS in threads of its own.
    """
    return (kind == "local-disk" and filesystem != "zfs") or filesystem in {"nfs", "nfs4"}


def caches_elsewhere(filesystem: str, kind: StorageKind) -> bool:
    """Whether a server, another process or the filesystem itself keeps a cache of its own.

    Emptying this machine's page cache leaves it as it is. ZFS has its ARC.
    """
    return kind in {"network", "fuse"} or filesystem == "zfs"


def overlay_layer(mount: Mount, path: PurePosixPath) -> PurePosixPath | None:
    """Where a file of an overlay really lies; None if that is out of sight, as in a container.

    Source: Documentation/filesystems/overlayfs.rst: the upper folder hides the lower ones,
    which are named from top to bottom.
    """
    upper, lower = [], []
    for option in mount.super_options.split(","):
        name, _, value = option.partition("=")
        if name == "upperdir":
            upper.append(value)
        elif name in {"lowerdir", "lowerdir+"}:
            lower.extend(value.split(":"))
    inside = path.relative_to(mount.mount_point)
    for folder in (*upper, *lower):
        candidate = PurePosixPath(folder, inside)
        if candidate.is_absolute() and os.path.lexists(candidate):
            return candidate
    return None


class PlacedMount(NamedTuple):
    """A mount, and where the path lies on it."""

    mount: Mount
    place: Path


def mounts_under(place: Path, root: Path = Path("/")) -> tuple[PlacedMount, ...]:
    """The mounts that hold an existing `place`, from the one that is seen to the lowest.

    Empty where no mount is in sight. If the last one is an overlay, then its layers are out
    of sight, as in a container. `root` is where /proc is found.
    """
    try:
        text = (root / "proc/self/mountinfo").read_text(errors="surrogateescape")
    except OSError:
        return ()
    mounts = parse_mountinfo(text)
    stack: list[PlacedMount] = []
    below: Path | None = place
    while below is not None:
        mount = mount_of(PurePosixPath(below), below.stat().st_dev, mounts)
        if mount is None or any(mount.mount_id == above.mount.mount_id for above in stack):
            break
        stack.append(PlacedMount(mount, below))
        layer = None
        if mount.filesystem == "overlay":
            layer = overlay_layer(mount, PurePosixPath(below))
        below = Path(layer) if layer else None
    return tuple(stack)

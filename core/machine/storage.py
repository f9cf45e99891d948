"""Where a path lies: mount, filesystem, block device and what the kernel says of them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path, PurePath

import msgspec
import psutil

from modelmon.core.machine.block_device import block_device, readahead_bytes
from modelmon.core.machine.mount_identity import mount_identity
from modelmon.core.machine.mounts import (
    StorageKind,
    accounts_reads,
    is_block_backed,
    kind_of,
    mounts_under,
)


class Storage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a path lies on; None is *not available on this platform or filesystem*.

    `device` is the block device's kernel name (`nvme0n1`), `partition` the one that holds
    the filesystem. `rotational_reported` is the kernel's claim, which virtual disks get
    wrong. `counts_device_bytes` tells whether `/proc/PID/io` accounts what is fetched from
    this filesystem's storage (false for FUSE, tmpfs and the like). `apart_by` and `mounting` are
    what mount_identity.py tells of its mount.
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


def storage_of(path: Path, root: Path = Path("/")) -> Storage:
    """What `path` lies on, links followed; of a path that does not exist, its nearest folder.

    The file itself is not opened. `root` is where this machine's /proc, /sys and /dev are.
    """
    place = existing(path)
    if sys.platform != "linux":
        return _from_partitions(place)
    return _from_mountinfo(place, root)


def existing(path: Path) -> Path:
    """`path` with its links followed, or the nearest folder above it that exists."""
    place = path.resolve()
    while not place.exists() and place != place.parent:
        place = place.parent
    return place


def _from_mountinfo(place: Path, root: Path) -> Storage:
    stack = mounts_under(place, root)
    if not stack:
        return Storage(str(place), "", "", "", "unknown", free_bytes=_free_bytes(place))
    mount, lowest = stack[0].mount, stack[-1].mount
    # Layers out of sight lie on a disk of the host as good as always.
    hidden = lowest.filesystem == "overlay"
    kind = "unknown" if hidden else kind_of(lowest.filesystem, is_block_backed(lowest))
    device = block_device(lowest, root) if kind == "local-disk" else None
    identity = mount_identity(stack[-1], root)
    return Storage(
        path=str(place),
        mount_point=mount.mount_point,
        filesystem=mount.filesystem,
        source=mount.source,
        kind=kind,
        options=_joined(mount.options, mount.super_options),
        device=device.name if device else None,
        partition=device.partition if device else None,
        device_model=device.model if device else None,
        rotational_reported=device.rotational if device else None,
        readahead_bytes=None if hidden else readahead_bytes(lowest, root),
        free_bytes=_free_bytes(place),
        counts_device_bytes=hidden or accounts_reads(lowest.filesystem, kind),
        apart_by=identity.apart_by,
        mounting=identity.mounting,
    )


def _from_partitions(place: Path) -> Storage:
    """macOS and Windows: what psutil lists."""
    found = None
    for partition in psutil.disk_partitions(all=True):
        point = PurePath(partition.mountpoint)
        if place.is_relative_to(point) and (
            found is None or len(point.parts) >= len(PurePath(found.mountpoint).parts)
        ):
            found = partition
    if found is None:
        return Storage(str(place), "", "", "", "unknown", free_bytes=_free_bytes(place))
    options = found.opts.split(",")
    kind = kind_of(found.fstype, found.device.startswith("/dev/") or "fixed" in options)
    return Storage(
        path=str(place),
        mount_point=found.mountpoint,
        filesystem=found.fstype,
        source=found.device,
        kind="network" if "remote" in options else kind,
        options=found.opts,
        free_bytes=_free_bytes(place),
    )


def _joined(options: str, super_options: str) -> str:
    """The mount's and the filesystem's options, each once, in this order."""
    return ",".join(dict.fromkeys(f"{options},{super_options}".strip(",").split(",")))


def _free_bytes(place: Path) -> int | None:
    """What an unprivileged user can still write there."""
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return None

"""Where a path lies: mount, filesystem, block device and what the kernel says of them."""

from __future__ import annotations

from typing import Literal

import msgspec

StorageKind = Literal["local-disk", "network", "fuse", "memory", "unknown"]


class Storage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a path lies on; None is *not available on this platform or filesystem*.

    `device` is the block device's kernel name (`nvme0n1`), `partition` the one that holds
    the filesystem. `rotational_reported` is the kernel's claim, which virtual disks get
    wrong. `counts_device_bytes` tells whether `/proc/PID/io` accounts what is fetched from
    this filesystem's storage (false for FUSE, tmpfs and the like).
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

"""What a block device is made of: partitions, volumes and arrays down to the disks.

Sources: Documentation/ABI/testing/sysfs-block-dm and sysfs-block-loop, admin-guide/md.rst and
admin-guide/blockdev/zram.rst of the kernel; the prefixes of dm/uuid are those that cryptsetup,
LVM, multipath-tools and kpartx give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.machine.disk import Disk, read_disk
from modelmon.core.machine.procfs_disk import SECTOR_BYTES
from modelmon.core.machine.sysfs import chosen, flag, number, value
from modelmon.core.units import KIB

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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

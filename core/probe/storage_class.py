"""Which class of storage a file lies on, by how it behaves; never by what it is said to be.

The filesystem decides only where it is the storage: memory, a network, a known object store.
Everything else is told apart by figures, since virtual disks call themselves what they like and
repeat a `rotational` that means nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.machine.mounts import StorageKind
from modelmon.core.machine.storage import SATA_BYTES_PER_S
from modelmon.core.messages import Message
from modelmon.core.units import rate_text, wait_text

if TYPE_CHECKING:
    from modelmon.core.machine.storage import StorageStack
    from modelmon.core.probe.probe import StorageClass

# Half a turn at 15,000 rpm takes 2 ms, at 7,200 rpm 4.2 ms; the seek comes on top. A bed with a
# seek of 10 ms answers 89 to 95 random requests a second.
_SEEK_NS = 2_000_000
# A flash chip takes 40 to 100 us to read a page; a queue on the way to it makes it a few hundred.
_FLASH_NS = 500_000
# A copy within RAM and a system call; no drive comes near.
_MEMORY_NS = 5_000
# Amazon's S3 guide names 100 to 200 ms for a small object, the test beds have 50 ms; no disk
# seeks for so long.
_OBJECT_NS = 25_000_000
# Round trips overlap (sshfs at 10 ms: 21 MB/s by one reader, 77 by four), seeks add up (a seek
# cost of 10 ms: 124 MB/s by one reader, 20 by four).
OVERLAPPING_GAIN = 1.5

_FAST: frozenset[StorageClass] = frozenset({"nvme", "memory"})
_LABELS: dict[StorageClass, Message] = {
    "hard-disk": Message("hard disk"),
    "sata": Message("SATA class: flash, or a disk that is capped"),
    "nvme": Message("NVMe class"),
    "network": Message("network"),
    "object-store": Message("object store"),
    "memory": Message("memory"),
    "unknown": Message("unknown"),
}


class StorageHints(msgspec.Struct, frozen=True):
    """What the system says of the storage: only its kind, and what a FUSE mount serves."""

    kind: StorageKind
    filesystem: str
    serves: str | None = None


def class_text(kind: StorageClass) -> Message:
    """The class as people call it."""
    return _LABELS[kind]


def short_class_text(kind: StorageClass) -> Message:
    """The same without what else it may be."""
    return Message("SATA class") if kind == "sata" else _LABELS[kind]


def surroundings_of(stack: StorageStack, kind: StorageKind, filesystem: str) -> StorageHints:
    """What is known of a path; the lowest filesystem is what really holds it."""
    lowest = stack.lowest
    if lowest is None:
        return StorageHints(kind, filesystem)
    return StorageHints(
        lowest.kind, lowest.filesystem, lowest.fuse.serves if lowest.fuse is not None else None
    )


def classify(
    around: StorageHints,
    p50_ns: float | None,
    bytes_per_s: float | None,
    readers_gain: float | None,
    *,
    shared: bool = False,
) -> tuple[StorageClass, Message]:
    """The class and the figures that it follows from.

    `p50_ns` is the median wait for random 4 KiB, `bytes_per_s` the best rate, `readers_gain`
    the rate of many readers over that of one; None what was not measured. On a disk that was
    `shared` with others these are too low, and only what is fast all the same can be told.
    """
    where = Message("the filesystem is {filesystem}", filesystem=around.filesystem)
    if around.kind == "memory":
        return "memory", where
    if around.serves == "object-store":
        return "object-store", Message("{where}, which fetches from an object store", where=where)
    if around.kind == "network" or around.serves == "server":
        return "network", Message("{where}, from another machine or the host", where=where)
    if p50_ns is None or bytes_per_s is None:
        return "unknown", Message("too little was measured to tell")
    seen = Message(
        "random 4 KiB {p50}, at most {bytes_rate}",
        p50=wait_text(p50_ns),
        bytes_rate=rate_text(bytes_per_s),
    )
    if readers_gain is not None:
        seen = Message(
            "{seen}, many readers {factor}× as fast as one",
            seen=seen,
            factor=f"{readers_gain:.2g}",
        )
    kind = _by_figures(around, p50_ns, bytes_per_s, readers_gain or 1.0)
    if shared and kind not in _FAST:
        return "unknown", Message("others used the disk meanwhile; {seen}", seen=seen)
    return kind, seen


def _by_figures(
    around: StorageHints, p50_ns: float, bytes_per_s: float, readers_gain: float
) -> StorageClass:
    overlaps = readers_gain >= OVERLAPPING_GAIN
    if p50_ns <= _MEMORY_NS:
        return "memory"
    if p50_ns >= _OBJECT_NS and around.kind == "fuse":
        return "object-store"
    if p50_ns >= _SEEK_NS:
        return "network" if overlaps or bytes_per_s > SATA_BYTES_PER_S else "hard-disk"
    # A disk in the network behind a block device (EBS, Persistent Disk, iSCSI).
    if p50_ns >= _FLASH_NS and overlaps:
        return "network"
    return "nvme" if bytes_per_s > SATA_BYTES_PER_S else "sata"

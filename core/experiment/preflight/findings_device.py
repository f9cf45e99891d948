"""Findings about the block devices below a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.preflight.diagnosis import Diagnosis, Finding
from modelmon.core.machine.disk import rotational_doubt
from modelmon.core.units import MIB, percent_text, rate_text, request_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.device_chain import BlockLayer
    from modelmon.core.machine.disk import Disk
    from modelmon.core.machine.pci_link import PciLink

_FULL_SHARE = 0.95
_BUSY_SHARE = 0.2
_SLOW_USB_MBIT_PER_S = 480
_SMALL_READAHEAD_BYTES = 1 * MIB
_SLOW_BUSES = frozenset({"usb", "mmc", "iscsi"})


def device_findings(found: Diagnosis) -> Iterator[Finding]:
    """What the chain of devices, and what others do on it, mean for a load."""
    for layer in found.foundation.layers():
        if layer.direct_io is False:
            yield Finding(
                "cached-twice",
                "note",
                f"{layer.name} is a file: what is read is cached both of it and of its image.",
                f"loop device without direct I/O on {layer.backing_file}",
                f"As root: losetup --direct-io=on /dev/{layer.name}",
                "losetup(8)",
            )
        if layer.disk is not None:
            spins = _spins(layer.disk, found.host.is_virtual)
            yield from _of_disk(layer, layer.disk, spins=spins)
    yield from _of_activity(found)


def _spins(disk: Disk, is_virtual: bool | None) -> bool:
    return disk.rotational_reported is True and not rotational_doubt(disk, is_virtual)


def _of_disk(layer: BlockLayer, disk: Disk, *, spins: bool) -> Iterator[Finding]:
    if spins:
        yield Finding(
            "hard-disk",
            "note",
            f"{layer.name} is a hard disk: every jump to another place costs milliseconds.",
            f"rotational, {disk.bus or 'bus unknown'}",
            "Read with one reader front to back (sequential), or move the model to an SSD.",
            "kvcache-ai/ktransformers#471: about a minute a block from a hard disk",
        )
    slow = spins or disk.bus in _SLOW_BUSES
    size = layer.readahead_bytes
    if slow and size is not None and size < _SMALL_READAHEAD_BYTES:
        yield Finding(
            "small-readahead",
            "note",
            f"The kernel reads little ahead on {layer.name}, where each request takes long.",
            request_text(size),
            f"As root: blockdev --setra 8192 /dev/{layer.name} (4 MiB)",
            "a device with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB",
        )
    if disk.usb_mbit_per_s is not None and disk.usb_mbit_per_s <= _SLOW_USB_MBIT_PER_S:
        yield Finding(
            "slow-usb",
            "problem",
            f"{layer.name} runs at the speed of USB 2 or below.",
            f"{disk.usb_mbit_per_s} Mbit/s, which is {rate_text(disk.usb_mbit_per_s / 8 * 1e6)}"
            " at most",
            "Use a USB 3 port and cable.",
        )
    if not disk.is_virtual:
        for link in disk.pci_links:
            yield _of_link(layer.name, link)


def _of_link(name: str, link: PciLink) -> Finding:
    now = link_text(link.gt_per_s, link.lanes, link.bytes_per_s)
    most = link_text(link.max_gt_per_s, link.max_lanes, link.possible_bytes_per_s)
    if link.bytes_per_s < link.possible_bytes_per_s * _FULL_SHARE:
        return Finding(
            "slow-link",
            "problem",
            f"A PCIe link above {name} runs below what both of its ends can do.",
            f"{link.address}: {now}, possible {most}",
            "Look again during a load, for some links slow down when idle. Else seat the drive"
            " anew, try another slot, and check the firmware's PCIe settings.",
        )
    if (link.device_max_gt_per_s, link.device_max_lanes) > (link.max_gt_per_s, link.max_lanes):
        could = f"{link.device_max_gt_per_s:g} GT/s × {link.device_max_lanes} lanes"
        return Finding(
            "slow-slot",
            "note",
            f"A slot above {name} is slower than what is in it.",
            f"{link.address}: {now}, could do {could}",
            "A faster slot, if there is one, raises the limit.",
        )
    return Finding(
        "full-link",
        "ok",
        f"A PCIe link above {name} runs as fast as it can.",
        f"{link.address}: {now}",
    )


def link_text(gt_per_s: float, lanes: int, bytes_per_s: float) -> str:
    """A link as `16 GT/s × 4 lanes (7.88 GB/s)`."""
    return f"{gt_per_s:g} GT/s × {lanes} lanes ({rate_text(bytes_per_s)})"


def _of_activity(found: Diagnosis) -> Iterator[Finding]:
    for look in found.idle.devices if found.idle else ():
        busy, writes = look.activity.busy_share, look.activity.write_bytes_per_s
        if busy is not None and busy >= _BUSY_SHARE:
            written = f", writes {rate_text(writes)}" if writes is not None else ""
            yield Finding(
                "busy-device",
                "note",
                f"Something else keeps {look.device} busy, which slows every load.",
                f"{percent_text(busy)} busy, reads {rate_text(look.activity.read_bytes_per_s)}"
                f"{written}, while modelmon did nothing",
                "Find it with iotop or pidstat -d 1, and wait or end it before measuring.",
            )

"""Findings about the block devices below a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.diagnosis import Diagnosis, Finding, as_root
from modelmon.core.machine.disk import rotational_doubt
from modelmon.core.messages import Message, verbatim
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
    for layer in found.storage_stack.layers():
        if layer.direct_io is False:
            yield Finding(
                "cached-twice",
                "note",
                Message(
                    "{name} is an image file: reads are cached twice.",
                    name=layer.name,
                ),
                Message(
                    "loop device without direct I/O on {backing_file}",
                    backing_file=layer.backing_file,
                ),
                as_root(f"losetup --direct-io=on /dev/{layer.name}"),
                Message("losetup(8)"),
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
            Message(
                "{name} is a hard disk: every seek costs milliseconds.",
                name=layer.name,
            ),
            Message("rotational, {bus}", bus=disk.bus or Message("bus unknown")),
            Message("Use sequential (one reader, front to back), or move the model to an SSD."),
            Message("kvcache-ai/ktransformers#471: about a minute a block from a hard disk"),
        )
    slow = spins or disk.bus in _SLOW_BUSES
    size = layer.readahead_bytes
    if slow and size is not None and size < _SMALL_READAHEAD_BYTES:
        yield Finding(
            "small-readahead",
            "note",
            Message(
                "Readahead on {name} is small, and each request takes long.",
                name=layer.name,
            ),
            verbatim(request_text(size)),
            as_root(f"blockdev --setra 8192 /dev/{layer.name}"),
            Message("a device with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB"),
        )
    if disk.usb_mbit_per_s is not None and disk.usb_mbit_per_s <= _SLOW_USB_MBIT_PER_S:
        yield Finding(
            "slow-usb",
            "problem",
            Message("{name} runs at USB 2 speed or below.", name=layer.name),
            Message(
                "{usb_mbit_rate} Mbit/s, which is {usb_mbit_rate2} at most",
                usb_mbit_rate=disk.usb_mbit_per_s,
                usb_mbit_rate2=rate_text(disk.usb_mbit_per_s / 8 * 1000000.0),
            ),
            Message("Use a USB 3 port and cable."),
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
            Message("A PCIe link to {name} runs slower than both of its ends support.", name=name),
            Message("{address}: {now}, possible {most}", address=link.address, now=now, most=most),
            Message(
                "Check again during a load: some links slow down when idle. If it stays,"
                " reseat the drive, try another slot, and check the firmware's PCIe"
                " settings."
            ),
        )
    if (link.device_max_gt_per_s, link.device_max_lanes) > (link.max_gt_per_s, link.max_lanes):
        could = Message(
            "{device_max_gt_rate} GT/s × {device_max_lanes} lanes",
            device_max_gt_rate=f"{link.device_max_gt_per_s:g}",
            device_max_lanes=link.device_max_lanes,
        )
        return Finding(
            "slow-slot",
            "note",
            Message("A slot of {name} is slower than the drive in it.", name=name),
            Message(
                "{address}: {now}, could do {could}", address=link.address, now=now, could=could
            ),
            Message("Use a faster slot, if there is one."),
        )
    return Finding(
        "full-link",
        "ok",
        Message("The PCIe link to {name} runs at full speed.", name=name),
        Message("{address}: {now}", address=link.address, now=now),
    )


def link_text(gt_per_s: float, lanes: int, bytes_per_s: float) -> str:
    """A link as `16 GT/s × 4 lanes (7.88 GB/s)`."""
    return Message(
        "{gt_rate} GT/s × {lanes} lanes ({bytes_rate})",
        gt_rate=f"{gt_per_s:g}",
        lanes=lanes,
        bytes_rate=rate_text(bytes_per_s),
    )


def _of_activity(found: Diagnosis) -> Iterator[Finding]:
    for look in found.idle.devices if found.idle else ():
        busy, writes = look.activity.busy_share, look.activity.write_bytes_per_s
        if busy is not None and busy >= _BUSY_SHARE:
            read = rate_text(look.activity.read_bytes_per_s)
            evidence = (
                Message(
                    "{busy} busy, reads {read}, writes {written}, while modelmon did nothing",
                    busy=percent_text(busy),
                    read=read,
                    written=rate_text(writes),
                )
                if writes is not None
                else Message(
                    "{busy} busy, reads {read}, while modelmon did nothing",
                    busy=percent_text(busy),
                    read=read,
                )
            )
            yield Finding(
                "busy-device",
                "note",
                Message(
                    "Another program is using {device}, so loads are slower.",
                    device=look.device,
                ),
                evidence,
                Message("Find it with iotop or pidstat -d 1, then close it or wait."),
            )

"""What `modelmon doctor` prints of the devices below a path, and of what they do now."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from modelmon.core.experiment.preflight.findings_device import link_text
from modelmon.core.machine.disk import rotational_doubt
from modelmon.core.units import duration_text, percent_text, rate_text, request_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.experiment.preflight.diagnosis import Diagnosis
    from modelmon.core.machine.device_chain import BlockLayer
    from modelmon.core.machine.disk import Disk
    from modelmon.core.machine.foundation import Foundation

Rows = list[tuple[str, str]]

_LAYERS = {
    "lvm": "LVM volume",
    "luks": "LUKS, decrypted by the CPU",
    "crypt": "dm-crypt, decrypted by the CPU",
    "verity": "dm-verity, checked by the CPU",
    "mapped": "device mapper",
    "md": "array (md)",
    "loop": "loop device",
    "zram": "compressed memory (zram)",
}


def device_rows(found: Diagnosis) -> Rows:
    """The chain of devices, a layer a row, each below what lies on it."""
    rows = list(_chain(found.foundation, found.host.is_virtual, 0))
    if not rows and found.storage.kind == "local-disk":
        reason = "the kernel shows none" if sys.platform == "linux" else f"not on {sys.platform}"
        rows.append(("Chain", f"not available: {reason}"))
    return rows


def _chain(
    foundation: Foundation, on_virtual: bool | None, depth: int
) -> Iterator[tuple[str, str]]:
    for ground in foundation.grounds:
        for device in ground.devices:
            yield from _layer_rows(device, on_virtual, depth)
    for image in foundation.images:
        yield "  " * (depth + 1) + "└ image", image.path
        yield from _chain(image, on_virtual, depth + 2)


def _layer_rows(
    layer: BlockLayer, on_virtual: bool | None, depth: int
) -> Iterator[tuple[str, str]]:
    name = "  " * depth + ("└ " if depth else "") + layer.name
    parts = [" ".join(filter(None, (_LAYERS.get(layer.kind, layer.kind), layer.title)))]
    if layer.size_bytes is not None:
        parts.append(size_text(layer.size_bytes))
    if layer.disk is not None:
        parts += _disk_parts(layer.disk, on_virtual)
    if layer.kind != "partition":
        if layer.readahead_bytes is not None:
            parts.append(f"readahead {request_text(layer.readahead_bytes)}")
        if layer.scheduler is not None:
            parts.append(f"scheduler {layer.scheduler}")
    if layer.backing_file is not None:
        parts.append(f"of {layer.backing_file}")
    yield name, ", ".join(parts)
    if layer.disk is not None:
        yield "  " * depth + "  PCIe link", _links_text(layer.disk)
    for below in layer.below:
        yield from _layer_rows(below, on_virtual, depth + 1)


def _disk_parts(disk: Disk, on_virtual: bool | None) -> list[str]:
    bus = " over ".join(filter(None, (disk.bus, disk.transport)))
    parts = [disk.model or "model not told", f"on {bus}" if bus else "bus not told"]
    if disk.usb_mbit_per_s is not None:
        parts.append(f"{disk.usb_mbit_per_s:,} Mbit/s")
    if disk.rotational_reported is not None:
        claim = "rotating" if disk.rotational_reported else "not rotating"
        doubt = rotational_doubt(disk, on_virtual)
        parts.append(f"reported as {claim}" + (f" (not to be believed: {doubt})" if doubt else ""))
    return parts


def _links_text(disk: Disk) -> str:
    if disk.is_virtual:
        return "not available: a virtual disk has none of its own"
    if not disk.pci_links:
        return "not available: the kernel names no speed for it"
    links = (
        f"{link_text(link.gt_per_s, link.lanes, link.bytes_per_s)} of possible"
        f" {link_text(link.max_gt_per_s, link.max_lanes, link.possible_bytes_per_s)}"
        for link in disk.pci_links
    )
    return "; above it ".join(links)


def idle_rows(found: Diagnosis) -> Rows:
    """What others do on the devices, as `iostat -x` puts it."""
    if found.idle is None:
        return []
    rows = []
    for look in found.idle.devices:
        seen = look.activity
        parts = [f"{seen.reads_per_s:.0f} reads/s", rate_text(seen.read_bytes_per_s)]
        if seen.mean_request_bytes is not None:
            parts.append(f"mean request {request_text(seen.mean_request_bytes)}")
        if seen.read_await_ns is not None:
            parts.append(f"mean wait {duration_text(seen.read_await_ns)}")
        if seen.writes_per_s is not None and seen.write_bytes_per_s is not None:
            parts.append(f"{seen.writes_per_s:.0f} writes/s")
            parts.append(rate_text(seen.write_bytes_per_s))
        if seen.queue_depth is not None:
            parts.append(f"queue {seen.queue_depth:.2f}")
        if seen.busy_share is not None:
            parts.append(f"{percent_text(seen.busy_share)} busy")
        rows.append((look.device, ", ".join(parts)))
    return rows

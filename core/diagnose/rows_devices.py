"""What `modelmon doctor` prints of the devices below a path, and of what they do now."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from modelmon.core.diagnose.findings_device import link_text
from modelmon.core.machine.disk import rotational_doubt
from modelmon.core.messages import Message, joined
from modelmon.core.units import duration_text, percent_text, rate_text, request_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.machine.cgroup_limits import CgroupLimit
    from modelmon.core.machine.device_chain import BlockLayer
    from modelmon.core.machine.disk import Disk
    from modelmon.core.machine.storage_stack import StorageStack

Rows = list[tuple[str, str]]

_LAYERS = {
    "lvm": Message("LVM volume"),
    "luks": Message("LUKS, decrypted by the CPU"),
    "crypt": Message("dm-crypt, decrypted by the CPU"),
    "verity": Message("dm-verity, checked by the CPU"),
    "mapped": Message("device mapper"),
    "md": Message("array (md)"),
    "loop": Message("loop device"),
    "zram": Message("compressed memory (zram)"),
}


def device_rows(found: Diagnosis) -> Rows:
    """The chain of devices, a layer a row, each below what lies on it."""
    rows = list(_chain(found.storage_stack, found.host.is_virtual, 0))
    if not rows and found.storage.kind == "local-disk":
        reason = (
            Message("the kernel shows none")
            if sys.platform == "linux"
            else Message("not on {platform}", platform=sys.platform)
        )
        rows.append((Message("Chain"), Message("not available: {reason}", reason=reason)))
    return [*rows, *read_limit_rows(found.limits)]


def read_limit_rows(limits: Iterable[CgroupLimit] | None) -> Rows:
    """What the control groups allow to be read, a limit a row."""
    return [
        (
            Message("Read limit"),
            Message("{amount} ({where})", amount=limit.amount_text, where=limit.where),
        )
        for limit in limits or ()
        if limit.device
    ]


def _chain(stack: StorageStack, on_virtual: bool | None, depth: int) -> Iterator[tuple[str, str]]:
    for mount in stack.mounts:
        for device in mount.devices:
            yield from _layer_rows(device, on_virtual, depth)
    for image in stack.images:
        yield _below(depth + 1, Message("image")), image.path
        yield from _chain(image, on_virtual, depth + 2)


def _layer_rows(
    layer: BlockLayer, on_virtual: bool | None, depth: int
) -> Iterator[tuple[str, str]]:
    name = _below(depth, layer.name) if depth else layer.name
    kind: str = _LAYERS.get(layer.kind, layer.kind)
    parts: list[str] = [joined(filter(None, (kind, layer.title)))]
    if layer.size_bytes is not None:
        parts.append(size_text(layer.size_bytes))
    if layer.disk is not None:
        parts += _disk_parts(layer.disk, on_virtual)
    if layer.kind != "partition":
        if layer.readahead_bytes is not None:
            parts.append(
                Message("readahead {readahead}", readahead=request_text(layer.readahead_bytes))
            )
        if layer.scheduler is not None:
            parts.append(Message("scheduler {scheduler}", scheduler=layer.scheduler))
    if layer.backing_file is not None:
        parts.append(Message("of {file}", file=layer.backing_file))
    yield name, joined(parts, ", ")
    if layer.disk is not None:
        indent = "  " * (depth + 1)
        yield Message("{indent}PCIe link", indent=indent), _links_text(layer.disk)
    for below in layer.below:
        yield from _layer_rows(below, on_virtual, depth + 1)


def _below(depth: int, name: str) -> Message:
    return Message("{indent}└ {name}", indent="  " * depth, name=name)


def _disk_parts(disk: Disk, on_virtual: bool | None) -> list[str]:
    bus = joined(filter(None, (disk.bus, disk.transport)), " over ")
    parts = [
        disk.model or Message("model unknown"),
        Message("on {bus}", bus=bus) if bus else Message("bus unknown"),
    ]
    if disk.usb_mbit_per_s is not None:
        parts.append(f"{disk.usb_mbit_per_s:,} Mbit/s")
    if disk.rotational_reported is not None:
        claim = (
            Message("reported as rotational")
            if disk.rotational_reported
            else Message("reported as non-rotational")
        )
        doubt = rotational_doubt(disk, on_virtual)
        if doubt:
            claim = Message("{claim} (unreliable: {doubt})", claim=claim, doubt=doubt)
        parts.append(claim)
    return parts


def _links_text(disk: Disk) -> str:
    if disk.is_virtual:
        return Message("not available: a virtual disk has none of its own")
    if not disk.pci_links:
        return Message("not available: the kernel names no speed for it")
    links = (
        Message(
            "{now} of possible {most}",
            now=link_text(link.gt_per_s, link.lanes, link.bytes_per_s),
            most=link_text(link.max_gt_per_s, link.max_lanes, link.possible_bytes_per_s),
        )
        for link in disk.pci_links
    )
    return joined(links, "; above it ")


def idle_rows(found: Diagnosis) -> Rows:
    """What others do on the devices, as `iostat -x` puts it."""
    if found.idle is None:
        return []
    rows: Rows = []
    for look in found.idle.devices:
        seen = look.activity
        parts = [
            Message("{reads_rate} reads/s", reads_rate=f"{seen.reads_per_s:.0f}"),
            rate_text(seen.read_bytes_per_s),
        ]
        if seen.mean_request_bytes is not None:
            parts.append(
                Message(
                    "mean request {mean_request}",
                    mean_request=request_text(seen.mean_request_bytes),
                )
            )
        if seen.read_await_ns is not None:
            parts.append(
                Message("mean wait {read_await}", read_await=duration_text(seen.read_await_ns))
            )
        if seen.writes_per_s is not None and seen.write_bytes_per_s is not None:
            parts.append(Message("{writes_rate} writes/s", writes_rate=f"{seen.writes_per_s:.0f}"))
            parts.append(rate_text(seen.write_bytes_per_s))
        if seen.queue_depth is not None:
            parts.append(Message("queue {queue_depth}", queue_depth=f"{seen.queue_depth:.2f}"))
        if seen.busy_share is not None:
            parts.append(Message("{busy} busy", busy=percent_text(seen.busy_share)))
        rows.append((look.device, joined(parts, ", ")))
    return rows

"""The PCIe links between a device and the processor: what they agreed on and what they could.

Source: Documentation/ABI/testing/sysfs-bus-pci of the kernel (current_link_speed and its like).
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.machine.sysfs import number, value

if TYPE_CHECKING:
    from pathlib import Path

_ADDRESS = re.compile(r"[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_SPEED = re.compile(r"([0-9]+(?:\.[0-9]+)?) GT/s")
_WIDEST = 32


class PciEnd(NamedTuple):
    """One end of a link: rates in GT/s and numbers of lanes; None where it does not say."""

    address: str
    gt_per_s: float | None
    lanes: int | None
    max_gt_per_s: float | None
    max_lanes: int | None


class PciLink(msgspec.Struct, frozen=True, omit_defaults=True):
    """A link as it runs now, and the most that both of its ends can do.

    `device_*` is what the device alone could do in a better slot. Rates are GT/s per lane.
    """

    address: str
    gt_per_s: float
    lanes: int
    max_gt_per_s: float
    max_lanes: int
    device_max_gt_per_s: float
    device_max_lanes: int

    @property
    def bytes_per_s(self) -> float:
        """What the link carries each way now, before the overhead of packets."""
        return link_bytes_per_s(self.gt_per_s, self.lanes)

    @property
    def possible_bytes_per_s(self) -> float:
        """What it would carry at the most that both ends can do."""
        return link_bytes_per_s(self.max_gt_per_s, self.max_lanes)


def parse_link_speed(text: str) -> float | None:
    """GT/s of `16.0 GT/s PCIe`; None for `Unknown`."""
    match = _SPEED.match(text)
    return float(match[1]) if match else None


def link_bytes_per_s(gt_per_s: float, lanes: int) -> float:
    """Bytes a link carries each way: transfers times the share that its line code leaves.

    Source: PCI Express Base Specification: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s,
    and 236 of 256 bytes of a flit at 64 GT/s.
    """
    share = 8 / 10 if gt_per_s <= 5 else 128 / 130 if gt_per_s <= 32 else 236 / 256
    return gt_per_s * 1e9 * share / 8 * lanes


def links_between(ends: list[PciEnd]) -> tuple[PciLink, ...]:
    """The links on the way up from a device, given its PCI functions, the device's first.

    A link joins two functions: a device and the port above it, then (where that port is a
    switch's) the switch and the next port. What lies between them is inside the switch.
    """
    links = []
    for lower, upper in zip_longest(ends[0::2], ends[1::2]):
        speed, lanes = lower.gt_per_s, lower.lanes
        if not (speed and lanes and lower.max_gt_per_s and lower.max_lanes):
            continue
        links.append(
            PciLink(
                address=lower.address,
                gt_per_s=speed,
                lanes=lanes,
                max_gt_per_s=_lesser(lower.max_gt_per_s, upper and upper.max_gt_per_s),
                max_lanes=int(_lesser(lower.max_lanes, upper and upper.max_lanes)),
                device_max_gt_per_s=lower.max_gt_per_s,
                device_max_lanes=lower.max_lanes,
            )
        )
    return tuple(links)


def pci_links(folder: Path) -> tuple[PciLink, ...]:
    """The PCIe links above a device's folder in /sys, its own first; empty without any in sight.

    A virtual machine often shows none, or one that only the host knows the truth of.
    """
    functions = [place for place in (folder, *folder.parents) if _ADDRESS.fullmatch(place.name)]
    return links_between([_end(function) for function in functions])


def _end(function: Path) -> PciEnd:
    return PciEnd(
        function.name,
        parse_link_speed(value(function / "current_link_speed")),
        _lanes(function / "current_link_width"),
        parse_link_speed(value(function / "max_link_speed")),
        _lanes(function / "max_link_width"),
    )


def _lanes(path: Path) -> int | None:
    """A link that is down has no lanes, and an unknown width reads 255."""
    count = number(path)
    return count if count and count <= _WIDEST else None


def _lesser(one: float, other: float | None) -> float:
    return min(one, other) if other else one

"""Swap of this machine: its areas, and what is held compressed in memory."""

from __future__ import annotations

from pathlib import Path

import msgspec

from modelmon.core.machine.procfs import parse_meminfo
from modelmon.core.machine.sysfs import flag, value


class SwapArea(msgspec.Struct, frozen=True):
    """One place that is swapped to; `kind` is `partition`, `file` or `zram`."""

    name: str
    kind: str
    size_bytes: int
    used_bytes: int


class Zswap(msgspec.Struct, frozen=True, omit_defaults=True):
    """A compressed store in front of the swap areas: what it holds and what that takes."""

    enabled: bool
    compressor: str | None = None
    held_bytes: int | None = None
    memory_bytes: int | None = None


class Swap(msgspec.Struct, frozen=True, omit_defaults=True):
    """All swap of this machine; None where the platform does not tell.

    `zram_held_bytes` were written to zram devices and take `zram_memory_bytes` of RAM.
    """

    areas: tuple[SwapArea, ...] | None = None
    zswap: Zswap | None = None
    zram_held_bytes: int | None = None
    zram_memory_bytes: int | None = None


def parse_swaps(text: str) -> tuple[SwapArea, ...]:
    """/proc/swaps: one line an area, sizes in KiB."""
    areas = []
    for line in text.splitlines()[1:]:
        fields = line.split()
        if len(fields) < 4 or not (fields[2].isdecimal() and fields[3].isdecimal()):
            continue
        name, kind = fields[0], fields[1]
        if name.startswith("/dev/zram"):
            kind = "zram"
        areas.append(SwapArea(name, kind, int(fields[2]) * 1024, int(fields[3]) * 1024))
    return tuple(areas)


def read_swap(root: Path = Path("/")) -> Swap:
    """Swap areas and compressed memory now; `root` is where /proc and /sys are found."""
    if not (root / "proc/swaps").exists():
        return Swap()
    held, taken = _zram(root)
    return Swap(
        areas=parse_swaps(value(root / "proc/swaps")),
        zswap=_zswap(root),
        zram_held_bytes=held,
        zram_memory_bytes=taken,
    )


def _zswap(root: Path) -> Zswap | None:
    parameters = root / "sys/module/zswap/parameters"
    enabled = flag(parameters / "enabled")
    if enabled is None:
        return None
    sizes = parse_meminfo(value(root / "proc/meminfo"))
    return Zswap(
        enabled,
        value(parameters / "compressor") or None,
        held_bytes=sizes.get("Zswapped"),
        memory_bytes=sizes.get("Zswap"),
    )


def _zram(root: Path) -> tuple[int | None, int | None]:
    """Bytes that zram devices hold and the memory they take; None without one in use."""
    held = taken = None
    for device in (root / "sys/block").glob("zram*"):
        fields = value(device / "mm_stat").split()
        # Its fields: original size, compressed size, memory used in total, ...
        if len(fields) >= 3 and value(device / "disksize") not in ("", "0"):
            held = (held or 0) + int(fields[0])
            taken = (taken or 0) + int(fields[2])
    return held, taken

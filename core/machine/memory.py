"""Memory of this machine: RAM and its limit, swap, huge pages, and kills where it ran out."""

from __future__ import annotations

import mmap
import os
import re
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.machine.cgroup import cgroup_limits, cgroup_memory, controller_folders
from modelmon.core.machine.procfs import chosen, flag, number, parse_meminfo, parse_vmstat, value
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import KIB, size_text

if TYPE_CHECKING:
    from pathlib import Path

_MOST_BYTES = 2**53 - 1
_HIGH = r"(?m)^\s+high\s+([0-9]+)$"


class Memory(msgspec.Struct, frozen=True, omit_defaults=True):
    """Memory of this machine now, in bytes; the cgroup's figures are None where it has none."""

    total_bytes: int
    available_bytes: int
    swap_total_bytes: int = 0
    swap_used_bytes: int = 0
    cgroup_limit_bytes: int | None = None
    cgroup_used_bytes: int | None = None

    @property
    def is_sound(self) -> bool:
        """Whether the figures can be those of a machine, where another one tells them."""
        known = (getattr(self, name) for name in self.__struct_fields__)
        return self.total_bytes > 0 and all(
            figure is None or 0 <= figure <= _MOST_BYTES for figure in known
        )

    @property
    def usable_bytes(self) -> int:
        """What a new load can have: available RAM, or less where the cgroup's limit is lower."""
        if self.cgroup_limit_bytes is None:
            return self.available_bytes
        room = self.cgroup_limit_bytes - (self.cgroup_used_bytes or 0)
        return max(0, min(self.available_bytes, room))


def read_memory(root: str | Path = "") -> Memory:
    """RAM, swap and the cgroup's limit now; `root` is where /proc and /sys are found."""
    ram = parse_meminfo(value(f"{root}/proc/meminfo"))
    if not {"MemTotal", "MemAvailable", "SwapTotal", "SwapFree"} <= ram.keys():
        ram = _seen_by_psutil()
    cgroup = cgroup_memory(root)
    return Memory(
        total_bytes=ram["MemTotal"],
        # Some containers show their own total beside the machine's figures.
        available_bytes=min(ram["MemAvailable"], ram["MemTotal"]),
        swap_total_bytes=ram["SwapTotal"],
        swap_used_bytes=ram["SwapTotal"] - ram["SwapFree"],
        cgroup_limit_bytes=cgroup.limit_bytes if cgroup else None,
        cgroup_used_bytes=cgroup.used_bytes if cgroup else None,
    )


def _seen_by_psutil() -> dict[str, int]:
    """What other platforms tell, in bytes and by the names of /proc/meminfo."""
    import psutil  # noqa: PLC0415  loads start sooner without it

    ram, swap = psutil.virtual_memory(), psutil.swap_memory()
    return {
        "MemTotal": ram.total,
        "MemAvailable": ram.available,
        "MemFree": ram.free,
        "SwapTotal": swap.total,
        "SwapFree": swap.free,
    }


def free_bytes(root: str | Path = "") -> int:
    """Memory that can be taken now without anything that is cached being dropped for it."""
    text = value(f"{root}/proc/meminfo")
    free = parse_meminfo(text).get("MemFree")
    free = _seen_by_psutil()["MemFree"] if free is None else free
    # Below its high watermarks the kernel begins to look for more.
    kept_pages = sum(int(pages) for pages in re.findall(_HIGH, value(f"{root}/proc/zoneinfo")))
    free = max(0, free - kept_pages * mmap.PAGESIZE)
    group = cgroup_memory(root)
    left = group.free_bytes if group is not None else None
    return free if left is None else min(free, left)


def oom_kills(root: str | Path = "") -> int | None:
    """How often the kernel has killed a process because memory ran out: in this process's
    memory cgroup, else on the whole machine.

    None where nothing tells. Sources: `oom_kill` of memory.events (cgroup-v2.rst), of
    memory.oom_control (cgroup-v1/memory.rst) and of /proc/vmstat (since Linux 4.13).
    """
    own = controller_folders("memory", root)[:1]
    names = ("memory.events", "memory.oom_control")
    for path in (*(f"{own[0]}/{name}" for name in names if own), f"{root}/proc/vmstat"):
        kills = parse_vmstat(value(path)).get("oom_kill")
        if kills is not None:
            return kills
    return None


def ran_out(kills_before: int | None) -> Message:
    """Whose memory it was that the kernel has killed a process for since `oom_kills` said this, as
    the end of a sentence; empty where it killed none.
    """
    kills = oom_kills()
    if kills is None or kills_before is None or kills <= kills_before:
        return NOTHING
    least = read_memory().cgroup_limit_bytes
    for limit in cgroup_limits() or ():
        if limit.kind == "memory" and limit.amount == least:
            return Message(
                "its cgroup ran out of memory ({limit}: {where})",
                limit=size_text(limit.amount),
                where=limit.where,
            )
    return Message("the machine ran out of memory")


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


class HugePages(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the kernel is set to give huge pages; None where this one has no such setting.

    `private` is for private memory and `shared` for shared memory and tmpfs (`always`,
    `madvise` or `advise`: where a program asks for it, `never`); `defrag` says when the kernel
    makes room for one at once; `size_bytes` is that of the largest.
    """

    private: str | None = None
    shared: str | None = None
    defrag: str | None = None
    size_bytes: int | None = None


def read_huge_pages(root: str | Path = "") -> HugePages:
    """The settings now; `root` is where /sys is found."""
    folder = f"{root}/sys/kernel/mm/transparent_hugepage"
    return HugePages(
        private=chosen(f"{folder}/enabled"),
        shared=chosen(f"{folder}/shmem_enabled"),
        defrag=chosen(f"{folder}/defrag"),
        size_bytes=number(f"{folder}/hpage_pmd_size"),
    )


def read_swap(root: str | Path = "") -> Swap:
    """Swap areas and compressed memory now; `root` is where /proc and /sys are found."""
    lines = value(f"{root}/proc/swaps").splitlines()
    if not lines:
        return Swap()
    areas = []
    for name, kind, size_kib, used_kib, *_ in map(str.split, lines[1:]):
        known = "zram" if name.startswith("/dev/zram") else kind
        areas.append(SwapArea(name, known, int(size_kib) * KIB, int(used_kib) * KIB))
    parameters = f"{root}/sys/module/zswap/parameters"
    enabled = flag(f"{parameters}/enabled")
    sizes = parse_meminfo(value(f"{root}/proc/meminfo"))
    compressor = value(f"{parameters}/compressor") or None
    held, taken = _zram(root)
    return Swap(
        areas=tuple(areas),
        zswap=None
        if enabled is None
        else Zswap(enabled, compressor, sizes.get("Zswapped"), sizes.get("Zswap")),
        zram_held_bytes=held,
        zram_memory_bytes=taken,
    )


def _zram(root: str | Path) -> tuple[int | None, int | None]:
    """Bytes that zram devices hold and the memory they take; None without one in use."""
    held = taken = None
    devices = os.listdir(f"{root}/sys/block") if os.path.isdir(f"{root}/sys/block") else []
    for device in (f"{root}/sys/block/{name}" for name in devices if name.startswith("zram")):
        # Its fields: original size, compressed size, memory used in total, ...
        fields = value(f"{device}/mm_stat").split()
        if len(fields) >= 3 and value(f"{device}/disksize") not in ("", "0"):
            held = (held or 0) + int(fields[0])
            taken = (taken or 0) + int(fields[2])
    return held, taken

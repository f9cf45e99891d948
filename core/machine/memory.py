"""Memory of this machine: RAM and its limit, swap, huge pages, and kills where it ran out."""

from __future__ import annotations

import mmap
import re
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.machine.cgroup import cgroup_limits, cgroup_memory, controller_folders
from modelmon.core.machine.procfs import chosen, parse_meminfo, parse_vmstat, value
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import size_text

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


def huge_pages_mode(root: str | Path = "") -> str | None:
    """When private memory gets huge pages: `always`, `madvise` (where a program asks for them) or
    `never`; None where this kernel has none. `root` is where /sys is found.
    """
    return chosen(f"{root}/sys/kernel/mm/transparent_hugepage/enabled")

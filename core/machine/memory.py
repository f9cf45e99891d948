"""Memory that a load can use: RAM, swap and the cgroup's limit."""

from __future__ import annotations

from pathlib import Path

import msgspec
import psutil

from modelmon.core.machine.cgroup import cgroup_memory, memory_folders


class Memory(msgspec.Struct, frozen=True, omit_defaults=True):
    """Memory of this machine now, in bytes; the cgroup's figures are None where it has none."""

    total_bytes: int
    available_bytes: int
    swap_total_bytes: int = 0
    swap_used_bytes: int = 0
    cgroup_limit_bytes: int | None = None
    cgroup_used_bytes: int | None = None

    @property
    def usable_bytes(self) -> int:
        """What a new load can have: available RAM, or less where the cgroup's limit is lower."""
        if self.cgroup_limit_bytes is None:
            return self.available_bytes
        room = self.cgroup_limit_bytes - (self.cgroup_used_bytes or 0)
        return max(0, min(self.available_bytes, room))


def read_memory(root: Path = Path("/")) -> Memory:
    """RAM, swap and the cgroup's limit now; `root` is where /proc and /sys are found."""
    ram, swap = psutil.virtual_memory(), psutil.swap_memory()
    cgroup = cgroup_memory(memory_folders(root))
    return Memory(
        total_bytes=ram.total,
        available_bytes=ram.available,
        swap_total_bytes=swap.total,
        swap_used_bytes=swap.used,
        cgroup_limit_bytes=cgroup.limit_bytes if cgroup else None,
        cgroup_used_bytes=cgroup.used_bytes if cgroup else None,
    )

"""Memory that a load can use: RAM, swap and the cgroup's limit."""

from __future__ import annotations

import msgspec


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

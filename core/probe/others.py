"""What others did on the devices while a probe read from them: they make its rates too low."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from modelmon.core.machine.procfs_disk import SECTOR_BYTES
from modelmon.core.worker.system_figures import SystemReader

if TYPE_CHECKING:
    from collections.abc import Sequence


class TrafficOfOthers:
    """Counts from its making until `end`; use it for direct reads only.

    Through the cache the kernel reads ahead, which cannot be told from what others read.
    """

    def __init__(self, devices: Sequence[str]) -> None:
        """`devices` are the kernel names of those at the bottom of the files."""
        linux = sys.platform == "linux"
        self._readers = [SystemReader(name) for name in devices] if linux else []
        self._before = self._moved()

    def end(self, own_bytes: int) -> int | None:
        """Bytes that the devices read and wrote beside the `own_bytes` of the probe.

        None where a device does not count.
        """
        now = self._moved()
        if now is None or self._before is None:
            return None
        return max(0, now - self._before - own_bytes)

    def close(self) -> None:
        """Close the files of the counters."""
        for reader in self._readers:
            reader.close()

    def _moved(self) -> int | None:
        disks = [reader.counters().disk for reader in self._readers]
        if not disks or None in disks:
            return None
        sectors = sum(disk.sectors_read + disk.sectors_written for disk in disks if disk)
        return sectors * SECTOR_BYTES

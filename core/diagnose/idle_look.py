"""A short look at what the machine does while nothing of modelmon is loading."""

from __future__ import annotations

import mmap
import sys
import time
from typing import TYPE_CHECKING

from modelmon.core.diagnose.diagnosis import DeviceLook, IdleLook
from modelmon.core.machine.cpu import throttle_events
from modelmon.core.worker.system_figures import (
    SystemReader,
    device_activity,
    iowait_share,
    stalled_share,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOK_S = 1.0
"""Long enough that the counters, which step by milliseconds, give three figures."""


def look_at_idle(devices: Sequence[str], look_s: float = LOOK_S) -> IdleLook | None:
    """Watch these block devices (kernel names) and the machine; None where nothing is counted.

    The figures are those of `iostat -x`, computed as during a load.
    """
    if sys.platform != "linux":
        return None
    readers = {name: SystemReader(name) for name in devices}
    machine = SystemReader(None)
    try:
        disks = {name: reader.counters() for name, reader in readers.items()}
        before, memory, hot = machine.counters(), machine.memory(), throttle_events()
        time.sleep(look_s)
        after, memory_after, hot_after = machine.counters(), machine.memory(), throttle_events()
        looks = [
            DeviceLook(name, activity)
            for name, reader in readers.items()
            if (activity := device_activity(disks[name], reader.counters())) is not None
        ]
    finally:
        for reader in (machine, *readers.values()):
            reader.close()
    interval_ns = after.at_ns - before.at_ns
    return IdleLook(
        interval_ns=interval_ns,
        devices=tuple(looks),
        iowait_share=iowait_share(before, after),
        io_stalled_share=stalled_share(before.psi_io_us, after.psi_io_us, interval_ns),
        memory_stalled_share=stalled_share(memory.psi_us, memory_after.psi_us, interval_ns),
        swapped_in_bytes=_pages(memory.swapped_in_pages, memory_after.swapped_in_pages),
        swapped_out_bytes=_pages(memory.swapped_out_pages, memory_after.swapped_out_pages),
        throttle_events=hot_after - hot if hot is not None and hot_after is not None else None,
    )


def _pages(before: int | None, after: int | None) -> int | None:
    """Bytes of the pages counted between two readings."""
    return (after - before) * mmap.PAGESIZE if before is not None and after is not None else None

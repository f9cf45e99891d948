"""What a load's memory and device figures say against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.machine.host import is_virtual_machine
from modelmon.core.machine.storage import DRIVE_BYTES_PER_S
from modelmon.core.messages import Message, joined
from modelmon.core.units import percent_text, rate_text, size_text
from modelmon.core.worker.run_warnings import RunWarning, warned

if TYPE_CHECKING:
    from modelmon.core.worker.events import (
        DeviceActivity,
        Finished,
        Job,
        MemoryPressure,
        Planned,
        Ready,
    )

SWAPPED_SHARE = 0.01
"""From this share of the loaded bytes on, swapping is part of what was measured."""

STALLED_SHARE = 0.1
"""A tenth of the time stalled for memory is more than the noise of runs."""

LEAST_AVAILABLE_SHARE = 0.05
"""With less of the memory left the kernel is at work to find some."""

CGROUP_FULL_SHARE = 0.95
"""With more of its limit in use a cgroup's cached pages are dropped as they are read."""

LEAST_KEPT_SHARE = 0.9
"""The kernel drops single pages at any time; a tenth of a mapped model is no chance."""

REREAD_SHARE = 0.1
"""Readahead and alignment add some percent; more was dropped before it was used."""

SLOW_TOUCH_BYTES_PER_S = 1.5e9
"""Fresh memory in pages of 4 KiB took 1.65 GB/s, reported-free memory of a virtual machine 0.8
to 1.3 GB/s: below this the host had to provide it anew."""

LEAST_SWAPPED_BYTES = 1_000_000
"""Any program that slept for long swaps in a few pages when it wakes."""

_OVER_LIMIT = 1.05
_LEAST_TOUCHED_BYTES = 64_000_000
_OTHERS_IDLE_BYTES_PER_S = 10e6
_OTHERS_SHARE = 0.1
_LEAST_OTHERS_BYTES = 8_000_000


def pressure_warnings(
    job: Job,
    planned: Planned,
    ready: Ready,
    done: Finished,
    limit_bytes_per_s: float = DRIVE_BYTES_PER_S,
) -> list[RunWarning]:
    """All that speaks against a finished load; its devices give `limit_bytes_per_s` at most."""
    found = (
        swap_warning(done.memory, done.delivered_bytes),
        pressure_warning(done.memory),
        eviction_warning(job, planned, done),
        first_touch_warning(job, ready),
        reader_warning(ready.idle_device, done),
        too_fast_warning(planned, done, limit_bytes_per_s),
    )
    return [warning for warning in found if warning is not None]


def swap_warning(memory: MemoryPressure | None, delivered_bytes: int) -> RunWarning | None:
    """Memory was swapped during the load."""
    if memory is None:
        return None
    came, went = memory.swapped_in_bytes or 0, memory.swapped_out_bytes or 0
    if came + went < max(LEAST_SWAPPED_BYTES, SWAPPED_SHARE * delivered_bytes):
        return None
    text = Message("Not counted: memory was swapped during the load.")
    return warned(
        "swapped",
        text,
        Message("{came} in, {went} out", came=size_text(came), went=size_text(went)),
    )


def pressure_warning(memory: MemoryPressure | None) -> RunWarning | None:
    """The machine or the cgroup was short of memory."""
    if memory is None:
        return None
    signs = []
    if memory.stalled_share is not None and memory.stalled_share >= STALLED_SHARE:
        signs.append(
            Message(
                "tasks waited for memory {stalled} of the time",
                stalled=percent_text(memory.stalled_share),
            )
        )
    least, total = memory.least_available_bytes, memory.total_bytes
    if least is not None and total and least < LEAST_AVAILABLE_SHARE * total:
        signs.append(
            Message("{least} of {total} was left", least=size_text(least), total=size_text(total))
        )
    used, limit = memory.cgroup_used_bytes, memory.cgroup_limit_bytes
    if used is not None and limit and used >= CGROUP_FULL_SHARE * limit:
        signs.append(
            Message(
                "{used} of the cgroup's {limit} was in use",
                used=size_text(used),
                limit=size_text(limit),
            )
        )
    if not signs:
        return None
    return warned(
        "memory-pressure", Message("Memory ran short during the load."), joined(signs, ", ")
    )


def eviction_warning(job: Job, planned: Planned, done: Finished) -> RunWarning | None:
    """A mapped model did not stay in memory, so that it is not loaded; or it had to be read more
    than once.
    """
    if done.delivered_bytes < planned.planned_bytes:
        return None  # it was ended, or took a part: what it had not read was not dropped
    signs = []
    left = done.residency_after_share
    mapped_bytes = done.mapped_bytes or 0
    if done.memory_kind == "mapped":
        mapped_bytes = done.delivered_bytes
    kept = LEAST_KEPT_SHARE * mapped_bytes / max(1, done.delivered_bytes)
    gone = left is not None and left < kept and job.config.deliver != "untouched"
    if left is not None and gone:
        signs.append(Message("{left} of it was still cached at the end", left=percent_text(left)))
    # A program reads other files, too; what it read again of the model is told apart.
    again = done.memory.refaulted_bytes if done.memory and job.program is None else None
    wanted = planned.read_bytes or planned.file_bytes or planned.planned_bytes
    more = (done.device_bytes or 0) - wanted
    if again and min(again, more) >= REREAD_SHARE * wanted:
        signs.append(Message("{again} was read twice", again=size_text(again)))
    if not signs:
        return None
    evidence = joined(signs, ", ")
    if gone:
        text = Message(
            "Not counted: the model wasn't in memory at the end, since its pages were dropped"
            " during the load."
        )
        return warned("not-kept", text, evidence)
    text = Message("Pages of the model were dropped during the load and read again.")
    return warned("memory-pressure", text, evidence)


def first_touch_warning(job: Job, ready: Ready) -> RunWarning | None:
    """Free memory is slow to touch here, or nobody made sure that it was not."""
    if job.program is not None and job.program.pid is not None:
        return None  # it had its memory before
    if not job.condition_memory:
        if not is_virtual_machine():
            return None
        text = Message("Free memory wasn't conditioned first; on a virtual machine it may be slow.")
        return warned(
            "slow-first-touch", text, Message("a hypervisor runs below, --fresh-memory was asked")
        )
    if ready.conditioned_bytes < _LEAST_TOUCHED_BYTES or not ready.conditioning_ns:
        return None
    rate = ready.conditioned_bytes * 1e9 / ready.conditioning_ns
    if rate >= SLOW_TOUCH_BYTES_PER_S:
        return None
    text = Message("The host had taken back free memory, so it was conditioned before the load.")
    return warned(
        "slow-first-touch", text, Message("{rate} at the first touch", rate=rate_text(rate))
    )


def reader_warning(idle: DeviceActivity | None, done: Finished) -> RunWarning | None:
    """Somebody else used the device: read or wrote just before the load, or read during it."""
    signs = []
    if idle is not None and idle.read_bytes_per_s >= _OTHERS_IDLE_BYTES_PER_S:
        signs.append(
            Message("{read_rate} just before the start", read_rate=rate_text(idle.read_bytes_per_s))
        )
    written = idle.write_bytes_per_s if idle is not None else None
    if written is not None and written >= _OTHERS_IDLE_BYTES_PER_S:
        signs.append(Message("{written} written just before the start", written=rate_text(written)))
    if done.device_read_bytes is not None and done.device_bytes:
        others = done.device_read_bytes - done.device_bytes
        if others >= max(_LEAST_OTHERS_BYTES, _OTHERS_SHARE * done.device_bytes):
            signs.append(
                Message("{others} during the load, besides its own", others=size_text(others))
            )
    if not signs:
        return None
    return warned(
        "other-reader", Message("Another program used the same disk."), joined(signs, ", ")
    )


def too_fast_warning(
    planned: Planned, done: Finished, limit_bytes_per_s: float
) -> RunWarning | None:
    """A cold start whose bytes came faster than its device is attached; several together may."""
    name = planned.device_name
    if done.cache_state != "cold" or not done.wall_ns or not name or name.startswith("md"):
        return None
    fetched = done.device_bytes if done.device_bytes is not None else done.delivered_bytes
    rate = fetched * 1e9 / done.wall_ns
    if rate <= _OVER_LIMIT * limit_bytes_per_s:
        return None
    text = Message(
        "Not counted: faster than this disk can be. A cache below this machine's had the file."
    )
    evidence = Message(
        "{rate}; its connection carries {limit}",
        rate=rate_text(rate),
        limit=rate_text(limit_bytes_per_s),
    )
    return warned("served-from-cache", text, evidence)

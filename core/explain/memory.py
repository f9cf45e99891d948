"""Rule for loads that are short of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.explain.kinds import Bottleneck, figure
from modelmon.core.explain.storage import AMPLIFIED
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.messages import Message
from modelmon.core.units import percent_text, size_text
from modelmon.core.worker.memory_pressure import LEAST_KEPT_SHARE, STALLED_SHARE, SWAPPED_SHARE

if TYPE_CHECKING:
    from modelmon.core.explain.kinds import Confidence, Evidence
    from modelmon.core.probe.limits import Limits
    from modelmon.core.worker.events import MemoryPressure
    from modelmon.core.worker.result import RunResult

REFAULTED_SHARE = 0.05
"""Of the loaded bytes: what was dropped and read again, where the device gave more for it."""


def memory(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Memory was swapped, dropped pages were read again, or the load stalled for memory.

    It is told by signs of this load's own, for the whole machine's figures are others' as well;
    two of them make it sure. Some cost nothing by themselves, as a limit that was reached.
    """
    del limits
    pressure = run.memory
    if pressure is None:
        return None
    swapped_bytes, stalled = pressure.own_swapped_bytes or 0, pressure.own_stalled_share or 0.0
    swaps, stalls = swapped_bytes > SWAPPED_SHARE * run.load_bytes, stalled >= STALLED_SHARE
    again_bytes = _read_again_bytes(run, pressure)
    if swaps:
        clause = Message("makes the machine swap {swapped}", swapped=size_text(swapped_bytes))
    elif again_bytes:
        clause = Message("rereads {again} because memory is full", again=size_text(again_bytes))
    elif stalls:
        clause = Message(
            "waits for free memory {stalled} of the time", stalled=percent_text(stalled)
        )
    else:
        return None
    signs = [swaps, stalls, _was_dropped(run), bool(pressure.own_limit_hits)]
    if again_bytes:
        signs += [pressure.own_refaulted_bytes is not None, run.fetched_share is not None]
    alone: Confidence = "medium" if swaps or stalls else "low"
    return Bottleneck(
        "memory",
        Message("memory"),
        clause,
        _evidence(pressure, again_bytes),
        "high" if sum(signs) > 1 else alone,
        Message("Close other programs, raise the memory limit, load a part, or use direct I/O."),
    )


def _read_again_bytes(run: RunResult, pressure: MemoryPressure) -> int:
    """What was dropped and read again; 0 where that is little, or not known to be this load's.

    The kernel counts also what was dropped long ago and costs no more than its first read: the
    device's counter tells whether it came twice. Where others share the cgroup the kernel's count
    is theirs as well, and only what is left of the files' pages tells whether these were dropped.
    """
    again_bytes = pressure.own_refaulted_bytes or 0
    if run.fetched_share is not None:
        if run.fetched_share <= AMPLIFIED or run.config.access == "direct":
            return 0
        if pressure.own_refaulted_bytes is None and _was_dropped(run):
            again_bytes = pressure.refaulted_bytes or 0
        again_bytes = min(again_bytes, (run.device_bytes or 0) - run.asked_bytes)
    return again_bytes if again_bytes >= REFAULTED_SHARE * run.load_bytes else 0


def _was_dropped(run: RunResult) -> bool:
    """Whether pages that a load had read through the cache, or mapped, were not there any more at
    its end.
    """
    left, config = run.residency_after_share, run.config
    if left is None or config.library != NO_LIBRARY:
        return False
    cached = 1.0 if config.access in ("mmap", "read") else run.mapped_share or 0.0
    return left < LEAST_KEPT_SHARE * cached


def _evidence(pressure: MemoryPressure, again_bytes: int) -> tuple[Evidence, ...]:
    return (
        *figure(Message("swapped in"), pressure.swapped_in_bytes, size_text),
        *figure(Message("swapped out"), pressure.swapped_out_bytes, size_text),
        *figure(Message("read twice"), again_bytes or None, size_text),
        *figure(Message("least available"), pressure.least_available_bytes, size_text),
        *figure(Message("in the cgroup"), pressure.cgroup_used_bytes, size_text),
        *figure(Message("its limit"), pressure.cgroup_limit_bytes, size_text),
        *figure(Message("memory pressure (PSI)"), pressure.own_stalled_share, percent_text),
    )

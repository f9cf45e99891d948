"""Loads that are short of memory, by signs of their own: the machine's are others' as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.explain.figures import AMPLIFIED
from modelmon.core.explain.kinds import figure
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.messages import Message
from modelmon.core.units import percent_text, size_text
from modelmon.core.worker.memory_pressure import LEAST_KEPT_SHARE, STALLED_SHARE, SWAPPED_SHARE

if TYPE_CHECKING:
    from modelmon.core.explain.kinds import Confidence, Evidence
    from modelmon.core.worker.result import RunResult


def stalled_share(run: RunResult) -> float:
    """Share of the time in which the load waited for memory: as the kernel counts it for its
    control group, or by what of its own is in swap beside what it loaded.
    """
    pressure = run.memory
    if pressure is None:
        return 0.0
    stalled, swapped_bytes = pressure.own_stalled_share or 0.0, pressure.own_swapped_bytes or 0
    swapped = swapped_bytes / (swapped_bytes + run.load_bytes) if swapped_bytes > 0 else 0.0
    return min(
        1.0,
        max(
            stalled if stalled >= STALLED_SHARE else 0.0,
            swapped if swapped >= SWAPPED_SHARE else 0.0,
        ),
    )


def reread_bytes(run: RunResult) -> int:
    """What was dropped for want of memory and read again, where that is this load's; else 0.

    The kernel counts also what was dropped long ago and costs no more than its first read: the
    device's counter tells whether it came twice. Where others share the cgroup the kernel's count
    is theirs as well, and only what is left of the files' pages tells whether these were dropped.
    """
    pressure = run.memory
    if pressure is None:
        return 0
    again_bytes = pressure.own_refaulted_bytes or 0
    if run.fetched_share is None:
        return again_bytes
    if run.fetched_share <= AMPLIFIED or run.config.access == "direct":
        return 0
    if pressure.own_refaulted_bytes is None and was_dropped(run):
        again_bytes = pressure.refaulted_bytes or 0
    return min(again_bytes, (run.device_bytes or 0) - run.asked_bytes)


def was_dropped(run: RunResult) -> bool:
    """Whether pages that a load had read through the cache, or mapped, were not there any more at
    its end.
    """
    left, config = run.residency_after_share, run.config
    if left is None or config.library != NO_LIBRARY:
        return False
    cached = 1.0 if config.access in ("mmap", "read") else run.mapped_share or 0.0
    return left < LEAST_KEPT_SHARE * cached


def memory_clause(run: RunResult, share: float) -> Message:
    """What the shortage made the load do."""
    if again_bytes := reread_bytes(run):
        return Message("rereads {again} because memory is full", again=size_text(again_bytes))
    swapped_bytes = (run.memory.own_swapped_bytes if run.memory else None) or 0
    if swapped_bytes >= SWAPPED_SHARE * run.load_bytes:
        return Message("makes the machine swap {swapped}", swapped=size_text(swapped_bytes))
    return Message("waits for free memory {stalled} of the time", stalled=percent_text(share))


def memory_sureness(run: RunResult) -> Confidence:
    """Two signs make it sure; some cost nothing alone, as a limit that was reached."""
    pressure = run.memory
    if pressure is None:
        return "low"
    signs = (
        bool(pressure.own_swapped_bytes),
        (pressure.own_stalled_share or 0.0) >= STALLED_SHARE,
        bool(pressure.own_refaulted_bytes) and run.fetched_share is not None,
        was_dropped(run),
        bool(pressure.own_limit_hits),
    )
    return "high" if sum(signs) > 1 else "medium" if any(signs[:2]) else "low"


def memory_evidence(run: RunResult) -> tuple[Evidence, ...]:
    """How short of memory the machine and the load's control group were."""
    pressure = run.memory
    if pressure is None:
        return ()
    return (
        *figure(Message("swapped in"), pressure.swapped_in_bytes, size_text),
        *figure(Message("swapped out"), pressure.swapped_out_bytes, size_text),
        *figure(Message("read twice"), reread_bytes(run) or None, size_text),
        *figure(Message("least available"), pressure.least_available_bytes, size_text),
        *figure(Message("in the cgroup"), pressure.cgroup_used_bytes, size_text),
        *figure(Message("its limit"), pressure.cgroup_limit_bytes, size_text),
        *figure(Message("memory pressure (PSI)"), pressure.own_stalled_share, percent_text),
    )

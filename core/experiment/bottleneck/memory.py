"""Rule for loads that are short of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.bottleneck.kinds import Bottleneck, Evidence
from modelmon.core.experiment.bottleneck.storage import AMPLIFIED
from modelmon.core.units import percent_text, size_text
from modelmon.core.worker.strain import STALLED_SHARE, SWAPPED_SHARE

if TYPE_CHECKING:
    from modelmon.core.experiment.bottleneck.kinds import Limits
    from modelmon.core.experiment.result import RunResult
    from modelmon.core.worker.events import MemoryStrain

REFAULTED_SHARE = 0.05
"""Of the loaded bytes: what was dropped and read again, where the device gave more for it."""


def memory(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Memory was swapped, dropped pages were read again, or tasks stalled for memory."""
    del limits
    strain = run.memory
    if strain is None:
        return None
    clause = _clause(run, strain)
    if not clause:
        return None
    return Bottleneck(
        "memory",
        "memory",
        clause,
        _evidence(strain),
        "high",
        "Close other programs, raise the limit, load a part, or read past the page cache.",
    )


def _clause(run: RunResult, strain: MemoryStrain) -> str:
    swapped = (strain.swapped_in_bytes or 0) + (strain.swapped_out_bytes or 0)
    if swapped and swapped >= SWAPPED_SHARE * run.load_bytes:
        return f"makes the machine swap {size_text(swapped)}"
    again, factor = strain.refaulted_bytes or 0, run.fetched_share
    # Pages that were dropped long ago count as well: they cost nothing but their first read.
    twice = factor is None or factor > AMPLIFIED
    if again >= REFAULTED_SHARE * run.load_bytes and twice:
        return f"reads {size_text(again)} again that memory had no room to keep"
    if strain.stalled_share is not None and strain.stalled_share >= STALLED_SHARE:
        return f"waits for free memory {percent_text(strain.stalled_share)} of the time"
    return ""


def _evidence(strain: MemoryStrain) -> tuple[Evidence, ...]:
    sizes = (
        ("swapped in", strain.swapped_in_bytes),
        ("swapped out", strain.swapped_out_bytes),
        ("read again", strain.refaulted_bytes),
        ("least available", strain.least_available_bytes),
        ("in the cgroup", strain.cgroup_used_bytes),
        ("its limit", strain.cgroup_limit_bytes),
    )
    items = [Evidence(name, size_text(value)) for name, value in sizes if value is not None]
    if strain.stalled_share is not None:
        items.append(Evidence("stalled for memory", percent_text(strain.stalled_share)))
    return tuple(items)

"""What held a load back: the first rule that its figures meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.bottleneck import cpu, storage
from modelmon.core.experiment.bottleneck.figures import (
    storage_name,
    waiting_evidence,
    waiting_share,
)
from modelmon.core.experiment.bottleneck.kinds import UNKNOWN_LIMITS, Bottleneck, Evidence, Limits
from modelmon.core.experiment.bottleneck.memory import memory
from modelmon.core.units import duration_text, percent_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.result import RunResult

# What explains others comes before them: swapping makes readers wait, and reading twice makes
# the device busy. A load out of the cache is slow for a reason of its own, if there is one.
_RULES = (
    memory,
    cpu.decode,
    storage.amplification,
    storage.latency,
    storage.bandwidth,
    storage.held_up,
    cpu.page_cache,
    cpu.per_tensor,
    cpu.faults,
    cpu.out_of_cache,
)


def bottleneck_of(run: RunResult, limits: Limits = UNKNOWN_LIMITS) -> Bottleneck:
    """What held this load back; with a probe's `limits` it is told more surely."""
    for rule in _RULES:
        found = rule(run, limits)
        if found is not None:
            return found
    return _undecided(run, limits)


def typical_bottleneck(
    runs: Sequence[RunResult], limits: Limits = UNKNOWN_LIMITS
) -> Bottleneck | None:
    """That of the run in the middle of those that count, by time; None if none does."""
    kept = sorted((run for run in runs if run.counts), key=lambda run: run.wall_ns)
    return bottleneck_of(kept[len(kept) // 2], limits) if kept else None


def _undecided(run: RunResult, limits: Limits) -> Bottleneck:
    evidence = [*waiting_evidence(run), *storage.request_evidence(run)]
    for name, value in (("user CPU", run.cpu_user_ns), ("system CPU", run.cpu_system_ns)):
        if value is not None:
            evidence.append(Evidence(name, duration_text(value)))
    if limits.device_bytes_per_s:
        evidence.append(Evidence("device can", rate_text(limits.device_bytes_per_s)))
    waited = waiting_share(run)
    if waited is None:
        clause = f"took {duration_text(run.wall_ns)}; what for is not to be seen here"
    elif storage.waits_for_storage(run):
        clause = (
            f"waits for {storage_name(run)} {percent_text(waited)} of the time,"
            " for its bandwidth or for its answers"
        )
    else:
        clause = f"waits for {storage_name(run)} only {percent_text(waited)} of the time"
    remedy = ""
    if waited is not None and not limits.device_bytes_per_s:
        remedy = "Measure the disk to know what it can; in the terminal: modelmon doctor --probe."
    return Bottleneck("undecided", "no clear limit", clause, tuple(evidence), "low", remedy)

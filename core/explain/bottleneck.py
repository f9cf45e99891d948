"""What held a load back: the first rule that its figures meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.explain import control_group, cpu, storage
from modelmon.core.explain.figures import (
    limit_evidence,
    served_from_cache,
    storage_name,
    waiting_evidence,
    waiting_share,
)
from modelmon.core.explain.kinds import Bottleneck, figure, weaker
from modelmon.core.explain.memory import memory
from modelmon.core.explain.wait import outside_reading
from modelmon.core.messages import NOTHING, Message
from modelmon.core.probe.limits import UNKNOWN_LIMITS, Limits
from modelmon.core.units import duration_text, percent_text
from modelmon.core.worker.result import middle_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.worker.result import RunResult

# What explains others comes before them: swapping makes readers wait, and reading twice makes
# the device busy. A load out of the cache is slow for a reason of its own, if there is one.
_RULES = (
    memory,
    cpu.decode,
    control_group.held_to_a_limit,
    cpu.no_free_processor,
    storage.amplification,
    storage.latency,
    storage.bandwidth,
    storage.held_up,
    cpu.page_cache,
    cpu.per_tensor,
    cpu.faults,
    cpu.out_of_cache,
)
_BY_WAITING = frozenset({"amplification", "device-latency", "device-bandwidth", "per-tensor"})


def bottleneck_of(run: RunResult, limits: Limits = UNKNOWN_LIMITS) -> Bottleneck:
    """What held this load back; with a probe's `limits` it is told more surely.

    Without the readers' own accounts it is less sure what they waited for: what their CPU time
    leaves over may have been spent waiting for a processor that others had. A watched program is
    judged by its whole wait: by the part in which it read the model if no other is larger.
    """
    if (outside := outside_reading(run)) is not None:
        return outside
    run = msgspec.structs.replace(run, wall_ns=run.reading_ns)
    is_inferred = run.io_wait_share is None and not served_from_cache(run)
    for rule in _RULES:
        found = rule(run, limits)
        if found is not None:
            if found.kind in _BY_WAITING and is_inferred:
                return msgspec.structs.replace(found, confidence=weaker(found.confidence))
            return found
    return _undecided(run, limits)


def typical_bottleneck(
    runs: Sequence[RunResult], limits: Limits = UNKNOWN_LIMITS
) -> Bottleneck | None:
    """That of the run in the middle of those that count, by time; None if none does."""
    middle = middle_run(run for run in runs if run.counts)
    return bottleneck_of(middle, limits) if middle is not None else None


def _undecided(run: RunResult, limits: Limits) -> Bottleneck:
    evidence = (
        *waiting_evidence(run),
        *storage.request_evidence(run),
        *figure(Message("user CPU"), run.cpu_user_ns, duration_text),
        *figure(Message("system CPU"), run.cpu_system_ns, duration_text),
        *figure(Message("waiting for a processor"), run.run_queue_share or None, percent_text),
        *limit_evidence(limits),
    )
    waited = waiting_share(run)
    if waited is None:
        clause = Message(
            "took {wall}; cause not visible on this system", wall=duration_text(run.wall_ns)
        )
    elif storage.waits_for_storage(run):
        clause = Message(
            "waits for {storage_name} {waited} of the time, for bandwidth or latency",
            storage_name=storage_name(run),
            waited=percent_text(waited),
        )
    else:
        clause = Message(
            "waits for {storage_name} only {waited} of the time",
            storage_name=storage_name(run),
            waited=percent_text(waited),
        )
    remedy = NOTHING
    if waited is not None and not limits.device_bytes_per_s:
        remedy = Message(
            "Measure the disk to see its limit; in the terminal: modelmon doctor --probe."
        )
    return Bottleneck("undecided", Message("no clear bottleneck"), clause, evidence, "low", remedy)

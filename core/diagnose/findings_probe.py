"""Findings that rest on what a probe measured here; they take the place of rules of thumb."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.diagnose.diagnosis import Finding
from modelmon.core.messages import NOTHING, Message
from modelmon.core.probe.probe import REREAD_GAIN
from modelmon.core.units import (
    rate_text,
    size_text,
    two_figures,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.probe.probe import Probe

_OVER_LIMIT = 1.05
_SLOW_SHARE = 0.8
_SLOW_FRESH = 4.0


def probe_findings(probe: Probe) -> Iterator[Finding]:
    """What the measured figures mean for a load."""
    storage = probe.storage
    yield from _of_others(probe)
    # With others on the disk a rate depends on when it was taken, and says nothing of another.
    if not storage.met_others:
        for finding in _of_other_caches(probe):
            yield finding if storage.others_bytes is not None else _unsure(finding)
    yield from _of_memory(probe)


def _unsure(finding: Finding) -> Finding:
    """Where others are not counted, they may have made one rate higher than another."""
    evidence = Message(
        "{evidence}; whether others used it too is unknown", evidence=finding.evidence
    )
    return msgspec.structs.replace(finding, evidence=evidence)


def without_beaten(findings: Iterable[Finding], probe: Probe) -> list[Finding]:
    """The findings without those that the probe measured to be otherwise, or measured better."""
    storage = probe.storage
    beaten = set()
    if probe.storage_class not in ("unknown", "hard-disk"):
        beaten.add("hard-disk")
    buffered, other = storage.buffered, storage.sequential
    if buffered and other and buffered.bytes_per_s >= _SLOW_SHARE * other.bytes_per_s:
        beaten.add("small-readahead")
    return [
        finding for finding in findings if finding.kind not in beaten or not finding.rule_of_thumb
    ]


def _of_others(probe: Probe) -> Iterator[Finding]:
    storage = probe.storage
    if storage.met_others:
        yield Finding(
            "shared-probe",
            "note",
            Message("Another program used the disk while it was measured: loads may be faster."),
            Message(
                "others moved {others} while {direct} was measured",
                others=size_text(storage.others_bytes or 0),
                direct=size_text(storage.direct_bytes),
            ),
            Message(
                "Wait until the disk is idle, then measure again: modelmon doctor PATH --probe"
            ),
        )


def _of_other_caches(probe: Probe) -> Iterator[Finding]:
    fastest, limit = probe.storage.best_reads, probe.device_limit_bytes_per_s
    ratio = probe.storage.reread_ratio
    seen = NOTHING
    if fastest and limit and fastest.bytes_per_s > _OVER_LIMIT * limit:
        seen = Message(
            "{bytes_rate} measured, {limit} possible for this connection",
            bytes_rate=rate_text(fastest.bytes_per_s),
            limit=rate_text(limit),
        )
    elif ratio is not None and ratio >= REREAD_GAIN:
        seen = Message(
            "a second direct read of the same places was {ratio}× as fast",
            ratio=two_figures(ratio),
        )
    if seen:
        yield Finding(
            "cached-elsewhere",
            "note",
            Message(
                "A hidden cache (host, server or disk) answers reads: the disk itself may"
                " be slower."
            ),
            seen,
            Message("Read other large files before measuring cold starts."),
        )


def _of_memory(probe: Probe) -> Iterator[Finding]:
    """Fresh pages cost a fault and zeroing, on a virtual machine perhaps far more."""
    copies = {(copy.threads, copy.fresh): copy for copy in probe.memory.copies}
    fresh, used = copies.get((1, True)), copies.get((1, False))
    if fresh is None or used is None:
        return
    if fresh.median_bytes_per_s * _SLOW_FRESH < used.median_bytes_per_s:
        yield Finding(
            "slow-fresh-memory",
            "note",
            Message("New memory is slow to fill here."),
            Message(
                "{median_rate} into fresh pages, {used_median_rate} into pages in use"
                " (medians, one thread)",
                median_rate=rate_text(fresh.median_bytes_per_s),
                used_median_rate=rate_text(used.median_bytes_per_s),
            ),
            Message("Use mmap, or keep a process running: copying into new memory is slow."),
        )

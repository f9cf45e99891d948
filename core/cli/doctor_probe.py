"""What the terminal prints of a probe, and of whether a model fits into memory."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modelmon.core.experiment.preflight.findings_probe import best_times_of
from modelmon.core.experiment.probe.best_times import best_text
from modelmon.core.experiment.probe.storage_class import class_text
from modelmon.core.units import duration_text, rate_text, request_text, size_text, wait_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.preflight.diagnosis import Diagnosis
    from modelmon.core.experiment.preflight.fit import Fit
    from modelmon.core.experiment.probe.probe import (
        BestTimes,
        MemoryFigures,
        Probe,
        Reads,
        StorageFigures,
    )

Rows = list[tuple[str, str]]

_WAYS = {
    "direct": "past the page cache",
    "cache": "through the page cache, where nothing was cached",
    "memory": "from memory",
}
_DELIVERIES = {
    "mapped": "Mapped",
    "owned": "As a private copy",
    "decoded": "Decoded to float32, kept",
}
_JUST_NOW_S = 60


def fit_rows(fits: Sequence[Fit]) -> Rows:
    """For each delivery whether the model fits."""
    return [(_DELIVERIES[fit.delivery], fit.sentence) for fit in fits]


def probe_rows(found: Diagnosis) -> Rows:
    """What was measured of storage and memory, and the limits that follow."""
    probe = found.probe
    if probe is None:
        if found.probe_missing:
            return [("Figures", f"not available: {found.probe_missing}")]
        advice = "none of the last seven days; --probe takes a few seconds and reads the file"
        return [("Figures", advice)] if found.file is not None else []
    limits = best_times_of(found) or probe.best
    best = best_text(limits) or "not available: too little could be measured"
    if probe.storage.met_others:
        best += ", perhaps less: others used the disk"
    return [
        ("Taken", f"{age_text(probe)} of {probe.path}, in {duration_text(probe.duration_ns)}"),
        ("Class", f"{class_text(probe.storage_class)} ({probe.class_evidence})"),
        *_storage_rows(probe.storage),
        *_memory_rows(probe.memory),
        (f"Best for {size_text(limits.model_bytes)}", best),
        *_alone_rows(limits),
    ]


def age_text(probe: Probe) -> str:
    """How long ago a probe was taken: `just now`, `3 h 5 min ago`."""
    age_s = time.time() - probe.probed_unix_s
    return "just now" if age_s < _JUST_NOW_S else f"{duration_text(age_s * 1e9)} ago"


def _storage_rows(storage: StorageFigures) -> Rows:
    rows = []
    if storage.way in _WAYS:
        way = f"{size_text(storage.read_bytes)} {_WAYS[storage.way]}"
        rows.append(("Read", f"{way}. {storage.way_reason}" if storage.way_reason else way))
    else:
        rows.append(("Read", f"not available: {storage.way_reason or 'the file is empty'}"))
    if storage.latency is not None:
        latency = storage.latency
        waits = f"p50 {wait_text(latency.p50_ns)}"
        if latency.p99_ns is not None:
            waits += f", p99 {wait_text(latency.p99_ns)}"
        name = f"Random {request_text(latency.request_bytes)}"
        rows.append((name, f"{waits}, {latency.samples:,} samples"))
    if storage.sequential is not None:
        rows.append(("Front to back", _reads_text(storage.sequential)))
    if storage.buffered is not None:
        rows.append(("Through the cache", _reads_text(storage.buffered)))
    elif storage.buffered_reason:
        rows.append(("Through the cache", f"not measured: {storage.buffered_reason}"))
    for reads in storage.readers:
        plural = "" if reads.readers == 1 else "s"
        rows.append((f"{reads.readers} reader{plural}", _reads_text(reads)))
    if storage.met_others:
        others, own = size_text(storage.others_bytes or 0), size_text(storage.direct_bytes)
        rows.append(("Disk shared", f"others moved {others} during {own} of it: rates are too low"))
    if storage.repeated_places:
        rows.append(("Small file", "places were read more than once, which caches may speed up"))
    if storage.left_cached_bytes:
        rows.append(("Left in the cache", size_text(storage.left_cached_bytes)))
    return rows


def _reads_text(reads: Reads) -> str:
    request = f"{wait_text(reads.mean_wait_ns)} for {request_text(reads.request_bytes)}"
    return f"{rate_text(reads.bytes_per_s)}, {request}"


def _memory_rows(memory: MemoryFigures) -> Rows:
    if not memory.copies:
        return [("Memory copy", f"not available: {memory.reason}")]
    return [
        (
            f"Copy, {copy.threads} thread{'' if copy.threads == 1 else 's'}",
            f"into {'fresh pages' if copy.fresh else 'pages in use'}"
            f" {rate_text(copy.best_bytes_per_s)} at best,"
            f" {rate_text(copy.median_bytes_per_s)} median of {copy.repeats}",
        )
        for copy in memory.copies
    ]


def _alone_rows(best: BestTimes) -> Rows:
    """The same limits for a single reader."""
    parts = []
    if best.cold_one_reader_ns is not None:
        parts.append(f"{duration_text(best.cold_one_reader_ns)} cold")
    if best.warm_owned_one_reader_ns is not None:
        parts.append(f"{duration_text(best.warm_owned_one_reader_ns)} warm")
    return [("With one reader", f"at best {', '.join(parts)}")] if parts else []

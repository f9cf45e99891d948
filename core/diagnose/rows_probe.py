"""What the terminal prints of a probe, and of whether a model fits into memory."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modelmon.core.messages import Message, joined
from modelmon.core.probe.storage_class import class_text
from modelmon.core.units import duration_text, rate_text, request_text, size_text, wait_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.diagnose.fit import Fit
    from modelmon.core.probe.probe import (
        MemoryFigures,
        Probe,
        Reads,
        StorageFigures,
    )

Rows = list[tuple[str, str]]

_WAYS = {
    "direct": Message("direct I/O"),
    "cache": Message("buffered, cold"),
    "memory": Message("from memory"),
}
_DELIVERIES = {
    "mapped": Message("Mapped"),
    "owned": Message("As a private copy"),
    "decoded": Message("Decoded to float32, kept"),
}
_JUST_NOW_S = 60
_MOSTLY = {
    "device-bandwidth": Message("storage bandwidth"),
    "device-latency": Message("storage latency"),
    "amplification": Message("repeated reads"),
    "faults": Message("page faults"),
    "page-cache": Message("copying"),
    "decode": Message("decoding"),
    "per-tensor": Message("per-tensor overhead"),
}
_OTHER = Message("other")


def fit_rows(fits: Sequence[Fit]) -> Rows:
    """For each delivery whether the model fits."""
    return [(_DELIVERIES[fit.delivery], fit.sentence) for fit in fits]


def probe_rows(found: Diagnosis) -> Rows:
    """What was measured of storage and memory."""
    probe = found.probe
    if probe is None:
        if found.probe_missing:
            return [
                (
                    Message("Figures"),
                    Message("not available: {probe_missing}", probe_missing=found.probe_missing),
                )
            ]
        advice = Message("none in the last 7 days; it takes a few seconds and reads the file")
        return [(Message("Figures"), advice)] if found.file is not None else []
    return [
        (
            Message("Measured"),
            Message(
                "{probe} of {path}, in {duration}",
                probe=age_text(probe),
                path=probe.path,
                duration=duration_text(probe.duration_ns),
            ),
        ),
        (
            Message("Class"),
            Message(
                "{storage_class} ({evidence})",
                storage_class=class_text(probe.storage_class),
                evidence=probe.class_evidence,
            ),
        ),
        *_storage_rows(probe.storage),
        *_memory_rows(probe.memory),
    ]


def expected_rows(found: Diagnosis) -> Rows:
    """What each strategy should take from a cold and a warm start, and what for mostly."""
    rows: Rows = [
        (
            each.strategy,
            Message(
                "{cold} cold ({cold_term}), {warm} warm ({warm_term})",
                cold=duration_text(each.cold.ns),
                cold_term=_MOSTLY.get(each.cold.mostly, _OTHER),
                warm=duration_text(each.warm.ns),
                warm_term=_MOSTLY.get(each.warm.mostly, _OTHER),
            ),
        )
        for each in found.expected
    ]
    if found.expected and not found.expected[0].measured:
        rows.append((Message("Based on"), Message("typical values of such storage")))
    return rows


def age_text(probe: Probe) -> str:
    """How long ago a probe was taken: `just now`, `3 h 5 min ago`."""
    age_s = time.time() - probe.probed_unix_s
    return (
        Message("just now")
        if age_s < _JUST_NOW_S
        else Message("{age} ago", age=duration_text(age_s * 1000000000.0))
    )


def _storage_rows(storage: StorageFigures) -> Rows:
    rows: Rows = []
    if storage.way in _WAYS:
        way = Message("{size} {way}", size=size_text(storage.read_bytes), way=_WAYS[storage.way])
        if storage.way_reason:
            way = Message("{way}. {reason}", way=way, reason=storage.way_reason)
        rows.append((Message("Read"), way))
    else:
        rows.append(
            (
                Message("Read"),
                Message(
                    "not available: {way_reason}",
                    way_reason=storage.way_reason or Message("the file is empty"),
                ),
            )
        )
    if storage.latency is not None:
        latency = storage.latency
        waits = f"p50 {wait_text(latency.p50_ns)}"
        if latency.p99_ns is not None:
            waits += f", p99 {wait_text(latency.p99_ns)}"
        name = Message("Random {request}", request=request_text(latency.request_bytes))
        rows.append(
            (
                name,
                Message("{waits}, {samples} samples", waits=waits, samples=f"{latency.samples:,}"),
            )
        )
    if storage.sequential is not None:
        rows.append((Message("Sequential"), _reads_text(storage.sequential)))
    if storage.buffered is not None:
        rows.append((Message("Buffered"), _reads_text(storage.buffered)))
    elif storage.buffered_reason:
        rows.append(
            (
                Message("Buffered"),
                Message("not measured: {buffered_reason}", buffered_reason=storage.buffered_reason),
            )
        )
    for reads in storage.readers:
        name = (
            Message("1 reader")
            if reads.readers == 1
            else Message("{readers} readers", readers=reads.readers)
        )
        rows.append((name, _reads_text(reads)))
    if storage.met_others:
        others, own = size_text(storage.others_bytes or 0), size_text(storage.direct_bytes)
        rows.append(
            (
                Message("Other use"),
                Message(
                    "others moved {others} during {own} of it: rates are too low",
                    others=others,
                    own=own,
                ),
            )
        )
    if storage.repeated_places:
        rows.append(
            (
                Message("Small file"),
                Message("places were read more than once, which caches may speed up"),
            )
        )
    if storage.left_cached_bytes:
        rows.append((Message("Left in the cache"), size_text(storage.left_cached_bytes)))
    return rows


def _reads_text(reads: Reads) -> str:
    request = Message(
        "{mean_wait} for {request}",
        mean_wait=wait_text(reads.mean_wait_ns),
        request=request_text(reads.request_bytes),
    )
    return joined((rate_text(reads.bytes_per_s), request), ", ")


def _memory_rows(memory: MemoryFigures) -> Rows:
    if not memory.copies:
        return [(Message("Memory copy"), Message("not available: {reason}", reason=memory.reason))]
    return [
        (
            Message("Copy, 1 thread")
            if copy.threads == 1
            else Message("Copy, {threads} threads", threads=copy.threads),
            Message(
                "into {pages} {best_rate} at best, {median_rate} median of {repeats}",
                pages=Message("fresh pages") if copy.fresh else Message("pages in use"),
                best_rate=rate_text(copy.best_bytes_per_s),
                median_rate=rate_text(copy.median_bytes_per_s),
                repeats=copy.repeats,
            ),
        )
        for copy in memory.copies
    ]

"""Findings that rest on what a probe measured here; they take the place of rules of thumb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.preflight.diagnosis import Finding
from modelmon.core.experiment.probe.best_times import best_text, best_times
from modelmon.core.experiment.probe.storage_class import class_text
from modelmon.core.units import percent_text, rate_text, request_text, size_text, wait_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.experiment.preflight.diagnosis import Diagnosis
    from modelmon.core.experiment.probe.probe import BestTimes, Probe, StorageFigures

# Less is within what a short look scatters by.
_GAIN, _LOSS = 1.3, 0.7
_REREAD_GAIN = 2.0
_OVER_LIMIT = 1.05
_SLOW_SHARE = 0.8
_SMALL_READ_NS = 500_000
_SMALL_READ_SHARE = 0.1
_SLOW_FRESH = 4.0


def best_times_of(found: Diagnosis) -> BestTimes | None:
    """The limits for the file that was asked about, which the probe may not have read.

    Without one those of the file that the probe read; None without a probe.
    """
    probe = found.probe
    if probe is None or found.file is None or not found.file.size_bytes:
        return probe.best if probe is not None else None
    return best_times(found.file.size_bytes, probe.storage, probe.memory)


def probe_findings(probe: Probe, best: BestTimes | None = None) -> Iterator[Finding]:
    """What the measured figures mean for a load with the limits `best`, else the probe's own."""
    storage = probe.storage
    yield from _of_best(probe, best or probe.best)
    # With others on the disk a rate depends on when it was taken, and says nothing of another.
    if not storage.met_others:
        yield from _of_readers(storage)
        yield from _of_small_reads(storage)
        yield from _of_cache(storage)
        yield from _of_other_caches(probe)
    yield from _of_memory(probe)


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


def _of_best(probe: Probe, best: BestTimes) -> Iterator[Finding]:
    text, storage = best_text(best), probe.storage
    fastest = storage.best_reads
    if not text or fastest is None:
        return
    rate = f"{class_text(probe.storage_class)}, {rate_text(fastest.bytes_per_s)} at the most"
    size, text = size_text(best.model_bytes), text.removeprefix("at best ")
    if storage.met_others:
        yield Finding(
            "best-possible",
            "note",
            f"Others used the disk during the probe: a load of {size} may be faster than {text}.",
            f"{rate}; others moved {size_text(storage.others_bytes or 0)} while the probe read"
            f" {size_text(storage.direct_bytes)}",
            "Wait until the disk is quiet, then probe again: modelmon doctor PATH --probe",
        )
    else:
        limit = f"By the probe a load of {size} takes at least {text} here."
        yield Finding("best-possible", "ok", limit, rate)


def _of_readers(storage: StorageFigures) -> Iterator[Finding]:
    gain = storage.readers_gain
    if gain is None:
        return
    alone, most = storage.readers[0], storage.readers[-1]
    best = max(storage.readers, key=lambda reads: reads.bytes_per_s)
    evidence = ", ".join(
        f"{reads.readers}: {rate_text(reads.bytes_per_s)}" for reads in storage.readers
    )
    if gain <= _LOSS and best.bytes_per_s < _GAIN * alone.bytes_per_s:
        yield Finding(
            "readers-hurt",
            "note",
            f"{most.readers} readers at once are slower here than one.",
            f"measured by readers, {evidence}",
            "Read with one reader front to back (sequential).",
        )
    elif best.bytes_per_s >= _GAIN * alone.bytes_per_s:
        yield Finding(
            "readers-help",
            "note",
            f"{best.readers} readers at once get {best.bytes_per_s / alone.bytes_per_s:.2g} times"
            " the rate of one.",
            f"measured by readers, {evidence}",
            f"Load with several readers: --strategy parallel --set readers={best.readers}",
        )


def _of_small_reads(storage: StorageFigures) -> Iterator[Finding]:
    """Where one costs as much as a fault or a call does, it is the processor's matter."""
    latency, alone = storage.latency, storage.one_reader
    if latency is None or alone is None or latency.p50_ns < _SMALL_READ_NS:
        return
    rate = latency.request_bytes * 1e9 / latency.p50_ns
    if rate < _SMALL_READ_SHARE * alone.bytes_per_s:
        yield Finding(
            "small-reads",
            "note",
            f"Each small read at another place costs {wait_text(latency.p50_ns)} here.",
            f"random {request_text(latency.request_bytes)}: {rate_text(rate)}, front to back"
            f" {rate_text(alone.bytes_per_s)}; {latency.samples:,} samples",
            "Read in large requests in the file's order (sequential, parallel), not page by page.",
        )


def _of_cache(storage: StorageFigures) -> Iterator[Finding]:
    buffered, past = storage.buffered, storage.sequential
    if buffered is None or past is None or storage.way != "direct":
        return
    if buffered.bytes_per_s < _SLOW_SHARE * past.bytes_per_s:
        share = percent_text(1 - buffered.bytes_per_s / past.bytes_per_s)
        yield Finding(
            "cache-costs",
            "note",
            f"One reader through the page cache is {share} slower than past it.",
            f"{rate_text(buffered.bytes_per_s)} against {rate_text(past.bytes_per_s)}",
            "For cold starts try --strategy parallel, or direct, which leaves nothing cached.",
        )


def _of_other_caches(probe: Probe) -> Iterator[Finding]:
    fastest, limit = probe.storage.best_reads, probe.device_limit_bytes_per_s
    ratio = probe.storage.reread_ratio
    seen = ""
    if fastest and limit and fastest.bytes_per_s > _OVER_LIMIT * limit:
        seen = (
            f"{rate_text(fastest.bytes_per_s)} read, {rate_text(limit)} possible by how the"
            " device is attached"
        )
    elif ratio is not None and ratio >= _REREAD_GAIN:
        seen = f"a second direct read of the same places was {ratio:.2g} times as fast"
    if seen:
        yield Finding(
            "cached-elsewhere",
            "note",
            "A cache that this system does not see (a host's, a server's, the disk's) answers"
            " reads: the disk itself may be slower.",
            seen,
            "Before measuring cold loads, read other files than this one, or ask for a cold host.",
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
            "Memory that is used for the first time is filled slowly here.",
            f"{rate_text(fresh.median_bytes_per_s)} into fresh pages,"
            f" {rate_text(used.median_bytes_per_s)} into pages in use (medians, one thread)",
            "Loads that keep their memory, or map the file, start faster than those that copy.",
        )

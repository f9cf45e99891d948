"""What the window says of a probe: its phases, its figures, and the limits that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.cli.doctor_probe import age_text
from modelmon.core.experiment.best_times import best_text, best_times
from modelmon.core.experiment.storage_class import class_text
from modelmon.core.units import duration_text, rate_text, request_text, wait_text
from modelmon.gui.facts import Fact
from modelmon.gui.language import tr
from modelmon.gui.slot import Notice

if TYPE_CHECKING:
    from modelmon.core.experiment.probe import BestTimes, Latency, Probe

_PHASES = {
    "": "Starting",
    "opening": "Opening the files",
    "memory": "Copying within memory",
    "latency": "Reading single blocks at random places",
    "sequential": "Reading front to back",
    "buffered": "Reading through the page cache",
}


def phase_text(phase: str) -> str:
    """What a probe does in one of its phases."""
    kind, _, count = phase.partition(" ")
    if kind == "readers":
        return "Reading with one reader" if count == "1" else f"Reading with {count} readers"
    return _PHASES.get(phase, phase)


def probe_notice(probe: Probe, model_bytes: int) -> Notice:
    """The slot after a probe."""
    fastest, best = probe.storage.best_reads, best_text(_best(probe, model_bytes))
    kind = class_text(probe.storage_class).partition(":")[0]
    if fastest is None:
        reason = probe.storage.way_reason or "The file is empty."
        return Notice("The storage could not be measured.", reason, best, tone="warn")
    rate = rate_text(fastest.bytes_per_s)
    headline = f"Storage: {kind}, {rate} at the most."
    sentence = f"{best[0].upper()}{best[1:]} for this model." if best else ""
    return Notice(headline, sentence, f"Seen: {probe.class_evidence}.")


def probe_facts(probe: Probe, model_bytes: int) -> list[Fact]:
    """Class and rate, latency and best possible times, as rows of the side panel."""
    age = f"Probe, {age_text(probe)}"
    kind = class_text(probe.storage_class)
    fastest, latency = probe.storage.best_reads, probe.storage.latency
    rate = f"{rate_text(fastest.bytes_per_s)}, " if fastest is not None else ""
    facts = [Fact("Measured", f"{rate}{kind}", f"{probe.class_evidence}\n{_rates(probe)}{age}")]
    if latency is not None:
        facts.append(Fact("Latency", _waits(latency), _of(latency)))
    best = _best(probe, model_bytes)
    words = best_text(best)
    tip = tr("By the probe no load of this model is faster here: {best}.", best=words)
    if probe.storage.met_others:
        tip = tr("Others used the disk during the probe: {best}, perhaps less.", best=words)
    for name, ns in (("Best cold", best.cold_ns), ("Best warm", best.warm_owned_ns)):
        if ns is not None:
            facts.append(Fact(name, duration_text(ns), tip))
    return facts


def limit_text(probe: Probe) -> str:
    """The words on the limit line of a plot; "" where the probe tells no limit."""
    fastest = probe.storage.best_reads
    if fastest is None or probe.storage.way == "memory" or probe.storage.met_others:
        return ""
    return f"Disk limit {rate_text(fastest.bytes_per_s)} (probe)"


def _best(probe: Probe, model_bytes: int) -> BestTimes:
    """For this model: the probe may have been taken of another one on the same storage."""
    return best_times(model_bytes, probe.storage, probe.memory)


def _rates(probe: Probe) -> str:
    storage = probe.storage
    lines = []
    if storage.sequential is not None:
        lines.append(f"Front to back {rate_text(storage.sequential.bytes_per_s)}")
    lines += [
        f"{reads.readers} reader{'' if reads.readers == 1 else 's'} {rate_text(reads.bytes_per_s)}"
        for reads in storage.readers
    ]
    if storage.buffered is not None:
        lines.append(f"Through the cache {rate_text(storage.buffered.bytes_per_s)}")
    return "".join(f"{line}\n" for line in lines)


def _waits(latency: Latency) -> str:
    p99 = f", p99 {wait_text(latency.p99_ns)}" if latency.p99_ns is not None else ""
    return f"{wait_text(latency.p50_ns)}{p99}"


def _of(latency: Latency) -> str:
    size = request_text(latency.request_bytes)
    return f"Median of {latency.samples:,} reads of {size} at random places, one after another"

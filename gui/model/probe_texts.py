"""What the window says of a probe: its phases, its figures, and the limits that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.doctor.sections import age_text
from modelmon.core.explain.expected import fastest_ns, fastest_text
from modelmon.core.probe.probe import class_text, short_class_text
from modelmon.core.units import duration_text, rate_text, request_text, wait_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.notices import Notice
from modelmon.gui.widgets.fact_section import Fact

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.probe import Latency, Probe
    from modelmon.core.worker.events import Cache

_PHASES = {
    "": mark("Starting"),
    "opening": mark("Opening the files"),
    "memory": mark("Copying in memory"),
    "latency": mark("Reading at random offsets"),
    "sequential": mark("Reading sequentially"),
    "buffered": mark("Doing buffered reads"),
}

_STARTS: tuple[tuple[str, Cache], ...] = (
    (mark("Fastest cold start"), "cold"),
    (mark("Fastest warm start"), "warm"),
)


def phase_text(phase: str) -> str:
    """What a probe does in one of its phases."""
    kind, _, count = phase.partition(" ")
    if kind == "readers":
        if count == "1":
            return tr("Reading with one reader")
        return tr("Reading with {count} readers", count=count)
    return tr(_PHASES[phase]) if phase in _PHASES else phase


def probe_notice(probe: Probe, model: Model) -> Notice:
    """The slot after a probe."""
    fastest, best = probe.storage.best_reads, fastest_text(model, probe)
    kind = short_class_text(probe.storage_class)
    if fastest is None:
        way_reason = probe.storage.way_reason
        reason = said(way_reason) if way_reason else tr("The file is empty.")
        headline = tr("Couldn't measure the storage.")
        return Notice(headline, reason, said(best), tone="warn")
    rate = rate_text(fastest.bytes_per_s)
    return Notice(
        tr("Storage: {kind}, up to {rate}.", kind=kind, rate=rate),
        tr("{best} for this model.", best=_capital(said(best))) if best else "",
        tr("Evidence: {evidence}.", evidence=probe.class_evidence),
    )


def probe_facts(probe: Probe, model: Model) -> list[Fact]:
    """Class and rate, latency and best possible times, as rows of the side panel."""
    age = tr("Disk measurement, {age}", age=age_text(probe))
    kind = class_text(probe.storage_class)
    fastest, latency = probe.storage.best_reads, probe.storage.latency
    measured = (
        tr("{rate}, {kind}", rate=rate_text(fastest.bytes_per_s), kind=kind)
        if fastest is not None
        else said(kind)
    )
    about = "\n".join((said(probe.class_evidence), *_rates(probe), age))
    facts = [Fact(tr("Top speed"), measured, about)]
    if latency is not None:
        facts.append(Fact(tr("Latency"), _waits(latency), _of(latency)))
    words = fastest_text(model, probe)
    tip = tr("Predicted from the disk measurement: {best}.", best=words)
    if probe.storage.met_others:
        tip = tr(
            "Other programs used the disk during the measurement: {best}, perhaps less.", best=words
        )
    for name, cache in _STARTS:
        if (ns := fastest_ns(model, probe, cache)) is not None:
            facts.append(
                Fact(tr(name), tr("about {time} (predicted)", time=duration_text(ns)), tip)
            )
    return facts


def _rates(probe: Probe) -> list[str]:
    storage = probe.storage
    lines = []
    if storage.sequential is not None:
        rate = rate_text(storage.sequential.bytes_per_s)
        lines.append(tr("Sequential {rate}", rate=rate))
    for reads in storage.readers:
        rate = rate_text(reads.bytes_per_s)
        if reads.readers == 1:
            lines.append(tr("1 reader {rate}", rate=rate))
        else:
            lines.append(tr("{count} readers {rate}", count=reads.readers, rate=rate))
    if storage.buffered is not None:
        rate = rate_text(storage.buffered.bytes_per_s)
        lines.append(tr("Buffered {rate}", rate=rate))
    return lines


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _waits(latency: Latency) -> str:
    median = wait_text(latency.p50_ns)
    if latency.p99_ns is None:
        return median
    return tr("{median}, p99 {p99}", median=median, p99=wait_text(latency.p99_ns))


def _of(latency: Latency) -> str:
    return tr(
        "Median of {count} random reads of {size}, one at a time",
        count=f"{latency.samples:,}",
        size=request_text(latency.request_bytes),
    )

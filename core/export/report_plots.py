"""What a report draws: of a run its wait, throughput and blocks; of several the time of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.export.items import Mark, Plot
from modelmon.core.messages import NOTHING, Message, verbatim
from modelmon.core.units import duration_text, rate_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.comparison.runner import RunAnalysis
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult

_MOST_BLOCKS = 60
_CURVE_BINS = 150


def plots_of_run(told: RunAnalysis) -> Iterator[Plot]:
    """The wait by its phases, throughput, and when each block came."""
    record, end_ns = told.record, told.result.wall_ns
    if told.wait is not None:
        parts = (
            Mark(
                part.name,
                part.begin_ns,
                part.end_ns,
                Message("{name} {value}", name=part.name, value=part.text),
            )
            for part in told.wait.parts
        )
        yield Plot("bar", Message("The wait by phases"), tuple(parts), end_ns)
    if len(record.chunks):
        rates = tuple(_rates(record, end_ns))
        most = rate_text(max(each.value for each in rates))
        yield Plot("curve", Message("Throughput, at most {rate}", rate=most), rates, end_ns)
    if blocks := tuple(_blocks(record)):
        yield Plot("rows", Message("When each block was read"), blocks, end_ns)


def _rates(record: RunRecord, end_ns: int) -> Iterator[Mark]:
    from modelmon.core.worker.curves import delivered_rate  # noqa: PLC0415  numpy is slow to import

    edges_s, rates = delivered_rate(record.chunks, end_ns, _CURVE_BINS)
    for begin_s, until_s, rate in zip(edges_s, edges_s[1:], rates, strict=False):
        begin_ns, until_ns = float(begin_s) * 1e9, float(until_s) * 1e9
        text = f"{duration_text(round(begin_ns))}: {rate_text(float(rate))}"
        yield Mark(NOTHING, begin_ns, until_ns, verbatim(text), float(rate))


def _blocks(record: RunRecord) -> Iterator[Mark]:
    """In execution order; of many, neighbors share a row."""
    known = [each for each in record.blocks if each.ready_ns and each.requested_ns is not None]
    step = -(-len(known) // _MOST_BLOCKS) or 1
    for at in range(0, len(known), step):
        group = known[at : at + step]
        begin_ns = min(each.requested_ns or 0 for each in group)
        until_ns = max(each.ready_ns or 0 for each in group)
        name = group[0].name if len(group) == 1 else f"{group[0].name} – {group[-1].name}"
        size = size_text(sum(each.nbytes for each in group))
        text = Message(
            "{name}: {size}, {first} to {last}",
            name=name,
            size=size,
            first=duration_text(begin_ns),
            last=duration_text(until_ns),
        )
        yield Mark(verbatim(name), begin_ns, until_ns, text)


def plot_of_runs(runs: Iterable[tuple[str, RunResult]]) -> Plot:
    """A dot for each run that counts, in a row for each way to load."""
    counted = [(name, run) for name, run in runs if run.counts]
    marks = (
        Mark(
            verbatim(name),
            run.timed_ns,
            run.timed_ns,
            verbatim(f"{name}: {duration_text(run.timed_ns)}"),
        )
        for name, run in counted
    )
    end_ns = max((run.timed_ns for _, run in counted), default=0)
    return Plot("dots", Message("Time of each run that counts"), tuple(marks), 1.05 * end_ns)

"""What is said of one run, and of what keeps runs from counting."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from modelmon.core.comparison.run_validity import warnings_of
from modelmon.core.explain.program_report import is_unread, model_text
from modelmon.core.explain.terms import phase_rows
from modelmon.core.export.items import UNKNOWN, Paragraph, colon, facts, note, runs_text
from modelmon.core.load.libraries.registry import baseline, names
from modelmon.core.load.strategies import strategy_text
from modelmon.core.messages import NOTHING, Message, joined, verbatim
from modelmon.core.terminal_safe import plain
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    size_text,
    three_figures,
)
from modelmon.core.worker.command_words import taken_apart
from modelmon.core.worker.program_phases import variables_of
from modelmon.core.worker.result import memory_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.comparison.runner import RunAnalysis
    from modelmon.core.explain.evidence import Bottleneck
    from modelmon.core.explain.program_report import WaitVerdict
    from modelmon.core.export.items import Printed
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Planned
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunFigures, RunResult

START_WORDS = {
    "cold": Message("cold"),
    "warm": Message("warm"),
    "as-is": Message("as-is"),
    "mixed": Message("partly cached"),
    "unknown": UNKNOWN,
    "cold-here": Message("cold here, server state unknown"),
    "cached-below": Message("cold here, cached below"),
}
_SEEN_BY = {
    "trace": Message("the kernel's trace: each page and each direct read"),
    "residency": Message("pages that came into the page cache"),
    "counters": Message("the program's counters: a total, without blocks"),
}
_VERDICTS = {
    True: Message("matches the file"),
    False: Message("DIFFERS from the file"),
    None: Message("of the file only: the library doesn't show what it loaded"),
}


def run_items(told: RunAnalysis, *, whole: bool = False) -> Iterator[Printed]:
    """One finished run; of a watched program first what its whole wait comes to. With `whole` also
    notes that nobody has to act on.
    """
    result, wait = told.result, told.wait
    if wait is not None:
        yield Paragraph(wait.headline, "strong")
        yield from map(Paragraph, filter(None, (wait.reason, wait.next_step)))
        rows = [*wait_rows(wait), *_seen(result, told.record.planned)]
        if told.bottleneck.kind != "outside-reading" and not is_unread(result):
            rows += _bottleneck(told.bottleneck)
    else:
        yield Paragraph(
            Message(
                "{time} for {size}, {rate}, strategy {strategy}",
                time=duration_text(result.wall_ns),
                size=size_text(result.load_bytes),
                rate=rate_text(result.bytes_per_s),
                strategy=strategy_text(result.strategy, result.config),
            )
        )
        rows = [*_bottleneck(told.bottleneck)]
        if told.bottleneck.remedy:
            rows.append(("", told.bottleneck.remedy))
    yield facts([*rows, *result_rows(result), *_checksum(told.record)])
    for one in result.warnings:
        # Nobody sees curves here.
        if whole or one.kind != "few-samples":
            yield from note(one.text, one.remedy, "warn" if one.counts else "bad")


def result_rows(result: RunResult) -> list[tuple[str, str]]:
    """What a run started from, and what it took."""
    # The parts of a program's wait have what is timed.
    phases = phase_rows(result, timed=not result.is_program)
    return [*_conditions(result), *_figures(result), *phases]


def wait_rows(wait: WaitVerdict) -> Iterable[tuple[str, str]]:
    """Each part of the wait, what the program did in it, and what shortens it."""
    for part in wait.parts:
        name = Message("Wait") if part is wait.parts[0] else NOTHING
        yield name, Message("{name} {value}", name=part.name, value=part.text)
        is_told = part.shortened_by and part.shortened_by in wait.next_step
        if cure := part.tested if is_told else part.shortened:
            yield NOTHING, joined((verbatim(" "), cure))
    if wait.together:
        yield NOTHING, Message("{told}.", told=wait.together)


def _bottleneck(found: Bottleneck) -> Iterable[tuple[str, str]]:
    yield Message("Bottleneck"), colon(found.label, found.sentence)
    if found.evidence:
        yield "", found.evidence_text


def _seen(result: RunResult, planned: Planned | None) -> Iterable[tuple[str, str]]:
    yield Message("Program"), result.strategy
    told = variables_of(taken_apart(result.command).name)
    if told and any(part.program for part in result.parts):
        yield (
            Message("Set for it"),
            Message(
                "{variables}, unless set before: it prints its phases as they begin",
                variables=" ".join(f"{name}={value}" for name, value in told.items()),
            ),
        )
    model = model_text(result)
    yield (
        Message("Model"),
        colon(plain(planned.model_name), model) if planned is not None else model,
    )
    seen_by = _SEEN_BY.get(result.seen_by) or plain(result.seen_by)
    if result.why_no_trace:
        seen_by = Message("{how}; no trace: {why}", how=seen_by, why=result.why_no_trace)
    yield Message("Seen by"), seen_by
    if result.trace_remedy:
        yield "", result.trace_remedy
    if result.other_device_bytes:
        size = size_text(result.other_device_bytes)
        yield Message("Other reads"), Message("{size} from storage", size=size)


def start_text(result: RunResult) -> str:
    """What the page cache was at the start, and how that is known."""
    state = START_WORDS.get(result.start) or result.start
    if result.cache_evidence == "verified" and result.residency_before_share is not None:
        share = percent_text(result.residency_before_share)
        return Message("{state}, {share} was cached", state=state, share=share)
    if result.cache_evidence == "inferred":
        return Message("{state}, inferred from bytes read", state=state)
    return Message("cache state unknown")


def _conditions(result: RunResult) -> Iterable[tuple[str, str]]:
    yield Message("Start"), start_text(result)
    if result.prepared_with:
        yield Message("Prepared with"), result.prepared_with
    if result.subset and result.model_bytes:
        share = percent_text(result.file_bytes / result.model_bytes)
        part = Message("{part}, {share} of the model", part=result.subset, share=share)
        yield Message("Part"), part
    if result.read_bytes > result.file_bytes:
        size = size_text(result.read_bytes - result.file_bytes)
        yield Message("Extra bytes"), Message("{size} between the rows of slices", size=size)
    if result.library_version:
        library = f"{result.config.library} {result.library_version}"
        yield Message("Library"), joined((library, _touched_text(result.config)), ", ")
    if result.is_program:
        yield Message("Ready"), result.ready
    yield Message("Memory"), _memory_text(result)
    if result.extrapolated:
        whole = {
            "time": duration_text(result.model_wall_ns),
            "size": size_text(result.model_bytes),
        }
        around = result.read_around_share
        yield (
            Message("Whole model"),
            Message(
                "{time} for {size} or less, as {share} more than this came from storage,"
                " extrapolated from this part",
                share=percent_text(around),
                **whole,
            )
            if around
            else Message("{time} for {size}, extrapolated from this part", **whole),
        )


def _touched_text(config: LoadConfig) -> Message:
    if config.deliver == "untouched":
        return Message("untouched")
    # A run that was kept may be by a library that is no longer known.
    if config.library in names() and not baseline(config.library).shows_memory:
        return Message("all in memory when the call returned")
    return Message("every page read in")


def io_wait_text(run: RunFigures) -> str:
    """How much of which time a run waited for storage; empty where that is not known."""
    if run.io_wait_share is None:
        return ""
    return Message("{share} of the readers' time", share=percent_text(run.io_wait_share))


def _figures(result: RunResult) -> Iterable[tuple[str, str]]:
    if result.device_bytes is not None:
        yield Message("From storage"), size_text(result.device_bytes)
    if result.is_program:
        return  # the parts of its wait have the others
    if waited := io_wait_text(result):
        yield Message("I/O wait"), waited
    if result.config.ranks > 1:
        yield Message("Ranks"), _ranks_text(result)
    if result.cpu_user_ns is not None and result.cpu_system_ns is not None:
        user, system = duration_text(result.cpu_user_ns), duration_text(result.cpu_system_ns)
        yield Message("CPU"), Message("{user} user, {system} system", user=user, system=system)
    if result.major_faults is not None and result.minor_faults is not None:
        major, minor = f"{result.major_faults:,}", f"{result.minor_faults:,}"
        yield Message("Faults"), Message("{major} major, {minor} minor", major=major, minor=minor)


def _checksum(record: RunRecord) -> Iterable[tuple[str, str]]:
    done = record.finished
    if done is not None and done.checksum is not None:
        digest = f"SHA-256 {done.checksum[:16]}…"
        verdict = _VERDICTS[done.checksum_matches]
        text = Message("{verdict} ({digest})", verdict=verdict, digest=digest)
        yield Message("Checksum"), text


def _ranks_text(result: RunResult) -> str:
    text = (
        Message("{ranks} processes, each loads the whole model", ranks=result.config.ranks)
        if result.config.rank_share == "whole"
        else Message("{ranks} processes, each loads its slices", ranks=result.config.ranks)
    )
    if result.amplification is None:
        return text
    times = three_figures(result.amplification)
    again = Message("each byte was read {times}× from storage", times=times)
    return joined((text, again), "; ")


def _memory_text(result: RunResult) -> str:
    parts = [memory_text(result)]
    if result.peak_rss_bytes:
        parts.append(Message("peak {size}", size=size_text(result.peak_rss_bytes)))
    if result.conditioned_bytes:
        parts.append(Message("prepared before"))
    return joined(parts, ", ")


def left_out(runs: Iterable[tuple[str, RunResult]]) -> Iterator[Paragraph]:
    """Why runs of these labels don't count, each reason once."""
    told = Counter((label, run.why_not) for label, run in runs if not run.counts)
    for (label, why), count in told.items():
        text = colon(label, why)
        if count > 1:
            text = Message("{text} ({runs})", text=text, runs=runs_text(count))
        yield Paragraph(text, "warn")


def warnings_items(results: Iterable[RunResult]) -> Iterator[Paragraph]:
    """What was warned of in these runs, each kind once, and what to do about it."""
    for warned in warnings_of(results):
        yield from note(warned.text, warned.warning.remedy)

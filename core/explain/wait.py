"""A watched program's whole wait: which part of it is the largest, and what it did in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.explain.figures import HALF
from modelmon.core.explain.kinds import Bottleneck, Evidence, figure
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import duration_text, percent_text, size_text, two_figures
from modelmon.core.worker.wait_parts import AFTER, BEFORE, READING, WaitPart, parts_between

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.worker.result import RunResult

MINOR_SHARE = 0.25
"""Reading that takes no more of the wait is not what a person waits for."""
_SEEN_NS = 100_000_000
"""The kernel counts processor time in ticks of 10 ms, and samples are 50 ms apart."""
_NOTEWORTHY_SHARE = 0.05
_CONTENDED_SHARE = 0.1
"""Less is usual where processes run by turns."""
_ONE_CORE = (0.9, 1.1)
_NOTEWORTHY_BYTES = 32 << 20


def parts_of(run: RunResult) -> tuple[WaitPart, ...]:
    """The parts of its wait; those of results of earlier versions have no figures."""
    return run.parts or parts_between(run.first_byte_ns, run.last_byte_ns, run.wall_ns)


def share_of(part: WaitPart, run: RunResult) -> float:
    """The part's share of the wait."""
    return part.duration_ns / max(1, run.wall_ns)


def reading_share(run: RunResult) -> float:
    """Reading's share of the wait, 0 where it wasn't seen."""
    return sum(share_of(part, run) for part in parts_of(run) if part.name == READING)


def largest_part(run: RunResult) -> WaitPart:
    """What the program takes most of its time for; of equal parts reading."""
    return max(parts_of(run), key=lambda part: (part.duration_ns, part.name == READING))


def waits_for_storage(part: WaitPart) -> bool:
    """Whether most of a part is spent waiting for storage, also where the model isn't read."""
    return (part.waited_ns or 0) >= HALF * part.duration_ns > 0


def waits_for_processor(part: WaitPart) -> bool:
    """Whether others have the processors for most of a part."""
    return (part.queued_ns or 0) >= HALF * part.duration_ns > 0


def did_text(part: WaitPart) -> Message:
    """What the program did in a part: `one core busy, mostly in the kernel; fills 1.07 GB of new
    memory`. Empty where that wasn't seen.
    """
    if part.duration_ns < _SEEN_NS:
        return NOTHING
    return joined([*_processors(part), *_memory(part), *_waits(part)], "; ")


def _processors(part: WaitPart) -> Iterator[Message]:
    if part.cpu_user_ns is None or part.cpu_system_ns is None:
        return
    used_ns = part.cpu_user_ns + part.cpu_system_ns
    cores = used_ns / part.duration_ns
    low, high = _ONE_CORE
    if cores < _NOTEWORTHY_SHARE:
        if not any(_waits(part)):
            yield Message("idle: waits for a timer, the network or a device")
        return
    busy = (
        Message("{cores} cores busy", cores=two_figures(cores))
        if cores > high
        else Message("one core busy")
        if cores >= low
        else Message("{share} of a core busy", share=percent_text(cores))
    )
    in_kernel = part.cpu_system_ns >= HALF * used_ns
    yield Message("{busy}, mostly in the kernel", busy=busy) if in_kernel else busy


def _memory(part: WaitPart) -> Iterator[Message]:
    if (part.grown_bytes or 0) >= _NOTEWORTHY_BYTES:
        yield Message("fills {size} of new memory", size=size_text(part.grown_bytes or 0))


def _waits(part: WaitPart) -> Iterator[Message]:
    """For a processor, and for storage."""
    queued, waited = (
        min(1.0, (each or 0) / part.duration_ns) for each in (part.queued_ns, part.waited_ns)
    )
    if queued >= _CONTENDED_SHARE:
        yield Message("{share} waiting for a free processor", share=percent_text(queued))
    if waited >= _NOTEWORTHY_SHARE:
        yield Message("{share} waiting for storage", share=percent_text(waited))
    if part.name != READING and (part.device_bytes or 0) >= _NOTEWORTHY_BYTES:
        yield Message("reads {size} from storage", size=size_text(part.device_bytes or 0))


def outside_reading(run: RunResult) -> Bottleneck | None:
    """What a program is held back by where most of its wait isn't reading the model; None where it
    is, where that wasn't seen, and where the reading alone is compared.
    """
    part = largest_part(run)
    if run.timed == "reading" or part.name not in (BEFORE, AFTER):
        return None
    figures = {
        "share": percent_text(share_of(part, run)),
        "reading": percent_text(reading_share(run)),
    }
    is_before, is_minor = part.name == BEFORE, reading_share(run) <= MINOR_SHARE
    if is_minor:
        clause = (
            Message("spends {share} of the wait before it reads the model", **figures)
            if is_before
            else Message("spends {share} of the wait after it has read the model", **figures)
        )
        clause = Message("{clause}: load settings hardly change that", clause=clause)
    else:
        clause = (
            Message(
                "spends {share} of the wait before it reads the model, {reading} reading", **figures
            )
            if is_before
            else Message(
                "spends {share} of the wait after reading the model, {reading} reading", **figures
            )
        )
    label = Message("before reading") if is_before else Message("after reading")
    return Bottleneck("outside-reading", label, clause, tuple(_evidence(part)), "high")


def _evidence(part: WaitPart) -> Iterator[Evidence]:
    yield Evidence(Message("time"), duration_text(part.duration_ns))
    yield from figure(Message("user CPU"), part.cpu_user_ns, duration_text)
    yield from figure(Message("system CPU"), part.cpu_system_ns, duration_text)
    yield from figure(Message("waiting for a processor"), part.queued_ns or None, duration_text)
    yield from figure(Message("minor faults"), part.minor_faults, "{:,}".format)
    yield from figure(Message("major faults"), part.major_faults, "{:,}".format)

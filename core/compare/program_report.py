"""What a watched program's run comes to, in sentences: where its time went, and what of it a better
way to load could save at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import Message
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.core.worker.model_bytes import WHOLE_SHARE

if TYPE_CHECKING:
    from modelmon.core.worker.result import RunResult

_WORTHWHILE_SHARE = 0.1
"""Less of its reading is not called a gain: one run does not tell it from its noise."""
_NOTICED_SHARE = 0.05
"""Less of the wait is not worth a person's time."""


def is_unread(run: RunResult) -> bool:
    """Whether there is nothing to be said of how a program read the model: it didn't, as far as was
    seen, and that wasn't for all of it being in memory.
    """
    was_there = (run.residency_before_share or 0.0) >= WHOLE_SHARE
    is_late = run.cut_off is not None
    return run.is_program and not run.load_bytes and (is_late or not was_there)


def parts_text(run: RunResult) -> Message:
    """`11.8 s until ready: 2.10 s before it read the model, 6.30 s reading, 3.40 s after`."""
    wall = duration_text(run.wall_ns)
    waited = (
        Message("Not ready after {wall}", wall=wall)
        if run.cut_off
        else Message("{wall} until ready", wall=wall)
    )
    first, last = run.first_byte_ns, run.last_byte_ns
    if first is None or last is None:
        return Message("{waited}; when it read the model wasn't seen", waited=waited)
    return Message(
        "{waited}: {before} before it read the model, {reading} reading, {after} after",
        waited=waited,
        before=duration_text(first),
        reading=duration_text(run.reading_ns),
        after=duration_text(max(0, run.wall_ns - last)),
    )


def model_text(run: RunResult) -> Message:
    """How much of the model was read, and how fast; counters may miss what was mapped before."""
    if is_unread(run):
        return Message("nothing of it was seen to be read")
    if not run.load_bytes:
        return Message("in memory already; how much of it was used wasn't seen")
    amount = Message(
        "{size} ({share} of it) at {rate}",
        size=size_text(run.load_bytes),
        share=percent_text(run.load_bytes / max(1, run.model_bytes)),
        rate=rate_text(run.load_bytes * 1e9 / max(1, run.reading_ns)),
    )
    # What was cached before may have been used unseen.
    known_bytes = run.load_bytes + (run.residency_before_share or 0.0) * run.model_bytes
    if run.seen_by == "counters" and run.load_bytes < run.model_bytes:
        amount = Message("at least {amount}", amount=amount)
    elif run.cut_off is None and known_bytes < WHOLE_SHARE * run.model_bytes:
        return Message("{amount}; the rest was never read before it was ready", amount=amount)
    return amount


def saved_ns(run: RunResult, least_ns: int) -> int:
    """The most that a better way to load could save of its wait."""
    return max(0, run.reading_ns - least_ns)


def at_best_text(run: RunResult, least_ns: int) -> Message:
    """What it could read in here, and what that would save of the wait."""
    saved = saved_ns(run, least_ns)
    return Message(
        "{least} of reading here, which saves at most {saved} of the wait ({gain})",
        least=duration_text(least_ns),
        saved=duration_text(saved),
        gain=percent_text(saved / max(1, run.wall_ns)),
    )


def has_headroom(run: RunResult, least_ns: int | None) -> bool:
    """Whether so much of its reading could be saved that it is worth to look for it."""
    if least_ns is None:
        return False
    saved = saved_ns(run, least_ns)
    return saved >= _WORTHWHILE_SHARE * run.reading_ns and saved >= _NOTICED_SHARE * run.wall_ns


def headline(program: str, run: RunResult, least_ns: int | None) -> Message:
    """What to know of it first; it could have read in `least_ns` here."""
    wall, reading = duration_text(run.wall_ns), duration_text(run.reading_ns)
    if run.cut_off:
        return Message("{program} wasn't ready after {wall}", program=program, wall=wall)
    if run.first_byte_ns is None or run.last_byte_ns is None:
        return Message("{program} was ready after {wall}", program=program, wall=wall)
    gains = least_ns is not None and saved_ns(run, least_ns) >= _WORTHWHILE_SHARE * run.reading_ns
    if least_ns is None or (gains and not has_headroom(run, least_ns)):
        return Message(
            "{program} was ready after {wall}, {reading} of it reading the model",
            program=program,
            wall=wall,
            reading=reading,
        )
    if gains:
        return Message(
            "{program} reads the model in {reading}; {least} is possible here",
            program=program,
            reading=reading,
            least=duration_text(least_ns),
        )
    return Message(
        "{program} reads the model in {reading}, about as fast as is possible here",
        program=program,
        reading=reading,
    )

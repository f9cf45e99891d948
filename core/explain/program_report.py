"""The judgment of a watched program: its whole wait, the largest part first, and what could be
less of it. Terminal, window, JSON, export and history have it from `judge`.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.explain.bottleneck import (
    bottleneck_of,
    did_text,
    largest_part,
    parts_of,
    reads_briefly,
    share_of,
    waits_for,
    was_in_memory,
)
from modelmon.core.explain.cures import (
    NOTICED_SHARE,
    Cure,
    cure,
    known_name,
    program_called,
    search_options,
)
from modelmon.core.explain.evidence import (
    HALF,
    felt_limit,
    least_reading_ns,
    of_reading,
    served_from_cache,
    storage_name,
)
from modelmon.core.messages import NOTHING, Message, filled, joined, verbatim
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.core.worker.command_words import taken_apart
from modelmon.core.worker.program_phases import SILENCE
from modelmon.core.worker.wait_parts import AFTER, BEFORE, READING, UNSEEN
from modelmon.core.worker.watched import WHOLE_SHARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.explain.evidence import Bottleneck
    from modelmon.core.history.rows import RunRow
    from modelmon.core.probe.probe import Limits
    from modelmon.core.worker.result import RunResult
    from modelmon.core.worker.wait_parts import WaitPart

_WORTHWHILE_SHARE = 0.1
"""Less of its reading is not called a gain: one run does not tell it from its noise."""
_SHOWN_SHARE = 0.01
_BY_STORAGE = ("device-bandwidth", "device-latency", "amplification")
_MOSTLY = {
    "storage": Message("{where}, mostly waiting for storage"),
    "processor": Message("{where}, mostly waiting for a processor"),
    "lock": Message("{where}, mostly waiting for the lock of a file"),
    "network": Message("{where}, mostly waiting for the network"),
}
_SAMPLE = Message(
    "To see which functions take the time, sample what it does{terminal}.",
    terminal=": modelmon watch --sample",
)
_MEASURE = Message(
    "Measure the disk to see how fast it could read{terminal}.",
    terminal=": modelmon doctor MODEL --probe",
)


class JudgedPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the wait: its name for people, begin and end since the start, its share of the
    wait, and what the program did meanwhile, as far as that was seen. Of one that is worth a
    person's time also what shortens it and costs what, by which load settings of the program, and
    what these saved where they were tested here. `saves_ns` is the most that one of them saves.
    """

    name: Message
    begin_ns: int
    end_ns: int
    share: float
    did: Message = NOTHING
    shortened_by: Message = NOTHING
    settings: tuple[str, ...] = ()
    tested: Message = NOTHING
    saves_ns: int = 0

    @property
    def text(self) -> Message:
        """`4.30 s (80%): one core busy`."""
        time = Message(
            "{time} ({share})",
            time=duration_text(self.end_ns - self.begin_ns),
            share=percent_text(self.share),
        )
        return Message("{time}: {did}", time=time, did=self.did) if self.did else time

    @property
    def shortened(self) -> Message:
        """`Start it with --no-warmup: the first answer takes longer. --no-warmup: 2.61 s less…`."""
        tested = Message("{told}.", told=self.tested) if self.tested else NOTHING
        return joined(filter(None, (self.shortened_by, tested)))


class WaitVerdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a watched program's wait comes to.

    `tone` is `good` where most of the wait is reading, as fast as storage or memory here allow,
    `warn` where it is known that it could be shorter, or the run doesn't count, and else `plain`.
    `next_step` is empty where nothing is known to help. `saved_ns` is the most that faster reading
    could save; None where that isn't known. `together` says what settings of several parts could
    come to.
    """

    tone: Literal["good", "plain", "warn"]
    headline: Message
    reason: Message
    parts: tuple[JudgedPart, ...]
    next_step: Message = NOTHING
    saved_ns: int | None = None
    together: Message = NOTHING


class _Told(NamedTuple):
    """What the texts of a verdict need."""

    name: str
    run: RunResult
    found: Bottleneck
    largest: WaitPart
    least_ns: int | None
    gains: bool
    is_at_limit: bool
    tests: Sequence[RunRow]

    @property
    def figures(self) -> dict[str, object]:
        """By their names in the texts."""
        run, least_ns = self.run, self.least_ns
        return {
            "program": self.name,
            "wall": duration_text(run.wall_ns),
            "reading": duration_text(run.reading_ns),
            "share": percent_text(share_of(self.largest, run)),
            "time": duration_text(self.largest.duration_ns),
            "storage": Message("memory") if served_from_cache(run) else storage_name(run),
            "least": duration_text(least_ns or 0),
            "saved": duration_text(0 if least_ns is None else saved_ns(run, least_ns)),
        }


def judge(
    run: RunResult, limits: Limits, name: str = "", tests: Sequence[RunRow] = ()
) -> WaitVerdict:
    """The judgment of a watched program; `name` is what it is called here, `tests` are runs of it
    with its load settings here, the last one first.
    """
    least_ns = least_reading_ns(run, limits)
    gains = has_headroom(run, least_ns)
    if not gains and felt_limit(of_reading(run)) is not None:
        # A probe under the same limit measures no more than that allows.
        least_ns = None
    told = _Told(
        name or program_called(run.command, run.strategy),
        run,
        bottleneck_of(run, limits),
        largest_part(run),
        least_ns,
        gains,
        least_ns is not None and saved_ns(run, least_ns) < _WORTHWHILE_SHARE * run.reading_ns,
        tests,
    )
    headline, reason = _answer(told)
    parts = tuple(_judged(part, told) for part in parts_of(run))
    return WaitVerdict(
        _tone(told),
        headline,
        reason,
        parts,
        _next_step(told),
        None if least_ns is None else saved_ns(run, least_ns),
        _together(run.wall_ns, [each.saves_ns for each in parts if each.saves_ns]),
    )


def _together(wall_ns: int, saves_ns: Sequence[int]) -> Message:
    """What settings of several parts could come to; of one part its own text says that."""
    if len(saves_ns) < 2:
        return NOTHING
    least = duration_text(max(0, wall_ns - sum(saves_ns)))
    return Message("With these settings: {time} at best", time=least)


def _judged(part: WaitPart, told: _Told) -> JudgedPart:
    share = share_of(part, told.run)
    judged = JudgedPart(part.title, part.begin_ns, part.end_ns, share, did_text(part))
    if share < NOTICED_SHARE:
        return judged
    found = _cure(part, told)
    return msgspec.structs.replace(
        judged,
        shortened_by=found.setting or found.text,
        settings=found.settings,
        tested=found.tested,
        saves_ns=found.saves_ns,
    )


def _tone(told: _Told) -> Literal["good", "plain", "warn"]:
    if not told.run.counts or told.gains:
        return "warn"
    # What other parts take may be shortened: nobody knows.
    is_best = told.is_at_limit and told.largest.name == READING
    return "good" if is_best and share_of(told.largest, told.run) >= HALF else "plain"


def _answer(told: _Told) -> tuple[Message, Message]:
    """The headline, and the figures that it follows from."""
    run, figures = told.run, told.figures
    if run.cut_off:
        return Message("{program} wasn't ready after {wall}", **figures), _waited_for(told)
    if told.largest.name == READING:
        return _of_reading(told)
    if told.largest.name == UNSEEN:
        return Message("{program} was ready after {wall}", **figures), _waited_for(told)
    return _of_other(told), _waited_for(told)


def _of_reading(told: _Told) -> tuple[Message, Message]:
    """That most of the wait is reading: what could be saved, and what held it back."""
    figures, found = told.figures, told.found
    if told.gains:
        headline = (
            Message(
                "{program} waits for {storage}: up to {saved} of {wall} can be saved", **figures
            )
            if found.kind in _BY_STORAGE or (told.run.io_wait_share or 0.0) >= HALF
            else Message("{program} reads slowly: up to {saved} of {wall} can be saved", **figures)
        )
        reason = Message("Reading takes {reading}; {least} is possible here.", **figures)
    elif not told.is_at_limit or share_of(told.largest, told.run) < HALF:
        headline = Message("{share} of the wait is reading: {reading} of {wall}", **figures)
        limited = Message("That is as fast as {storage} allows.", **figures)
        reason = limited if told.is_at_limit else NOTHING
    else:
        headline = Message("{program} reads as fast as {storage} allows", **figures)
        reason = Message("Reading takes {reading}, {share} of the wait.", **figures)
    is_clear = found.kind != "undecided"
    cause = Message("While reading, it {clause}.", clause=found.clause) if is_clear else NOTHING
    return headline, joined(filter(None, (reason, cause)))


def _of_other(told: _Told) -> Message:
    """That most of the wait is before or after reading."""
    where = (
        Message("{share} of the wait comes before reading", **told.figures)
        if told.largest.name == BEFORE
        else Message("{share} of the wait comes after reading", **told.figures)
        if told.largest.name == AFTER
        else Message("{share} of the wait is {phase}", phase=told.largest.title, **told.figures)
    )
    if waits := waits_for(told.largest):
        return filled(_MOSTLY[waits], where=where)
    if reads_briefly(told.run):
        return Message("Storage isn't the problem: {where}", where=where)
    return where


def _waited_for(told: _Told) -> Message:
    """`4.30 s of 5.40 s: one core busy. Reading: 800 ms.`"""
    run, did = told.run, did_text(told.largest)
    time = Message("{time} of {wall}", **told.figures)
    sentences = [
        Message("{time}: {did}.", time=time, did=did) if did else Message("{time}.", time=time)
    ]
    if run.first_byte_ns is None:
        sentences = [Message("{did}.", did=did)] if did else []
        sentences.append(Message("The time of its reads is unknown."))
    elif told.gains:
        figures = told.figures
        sentences.append(
            Message("Reading: {reading}; faster reading saves up to {saved}.", **figures)
        )
    else:
        sentences.append(Message("Reading: {reading}.", **told.figures))
    return joined(sentences)


def _next_step(told: _Told) -> Message:
    """What to do about the largest part, or to know more of it."""
    run, part = told.run, told.largest
    found = _cure(part, told)
    if step := joined(filter(None, (found.text, found.test))):
        return step
    unknown = part.name != READING and not part.is_named_by_program
    return _SAMPLE if taken_apart(run.command).is_python and unknown else NOTHING


def _cure(part: WaitPart, told: _Told) -> Cure:
    """What makes a part shorter; of reading, faster reading or another bottleneck."""
    run, found = told.run, told.found
    if part.name != READING or (part.beside and waits_for(part) != "storage"):
        return cure(part, run, told.tests)
    if told.is_at_limit:
        return Cure(
            Message("Only a smaller file helps.")
            if served_from_cache(run)
            else Message("Only a faster disk or a smaller file helps.")
        )
    if told.least_ns is not None and not told.gains:
        # It can be read faster, which hardly shortens the wait.
        return Cure()
    if told.largest.name == READING and found.kind != "undecided" and found.remedy:
        return Cure(found.remedy)
    if told.least_ns is None:
        is_cached, is_largest = served_from_cache(run), told.largest.name == READING
        return Cure(_MEASURE if is_largest and not is_cached else NOTHING)
    program = known_name(run.command, run.strategy)
    compare = Message(
        "Find the best of its load settings{terminal}.",
        terminal=f": modelmon best MODEL --program {search_options(run, program)}",
    )
    return Cure(compare if program else NOTHING)


_Key = tuple[str, str, int]


class PhaseTimes(NamedTuple):
    """How long a phase took in the runs of one kind and in those of another: medians. Where that
    is none, it took less than the `shortest_ns` that would have been told apart there.
    """

    name: Message
    first_ns: int
    second_ns: int
    shortest_ns: tuple[int, int] = (0, 0)

    @property
    def times(self) -> tuple[Message | str, Message | str]:
        """`1.06 s` and `less than 110 ms`."""
        first, second = map(_time_text, (self.first_ns, self.second_ns), self.shortest_ns)
        return first, second

    @property
    def text(self) -> Message:
        """`1.06 s, then 110 ms`."""
        first, second = self.times
        return Message("{first}, then {second}", first=first, second=second)


def _time_text(took_ns: int, shortest_ns: int) -> Message | str:
    if took_ns or not shortest_ns:
        return duration_text(took_ns)
    return Message("less than {time}", time=duration_text(shortest_ns))


def phases_side_by_side(
    first: Sequence[RunResult], second: Sequence[RunResult]
) -> tuple[PhaseTimes, ...]:
    """What two programs, or two starts of one, took for each phase, in the order in which they
    come, without those that are short in both. Empty where one of them has no runs.
    """
    if not first or not second:
        return ()
    took = [[_phases_of(run) for run in runs] for runs in (first, second)]
    parts = {key: part for runs in took[::-1] for run in runs for key, (part, _) in run.items()}
    shortest_ns = _shortest_ns(first), _shortest_ns(second)
    found = (
        PhaseTimes(
            parts[key].title,
            _median_ns(key, took[0]),
            _median_ns(key, took[1]),
            shortest_ns if key[0] == SILENCE else (0, 0),
        )
        for key in _in_order(run for runs in took for run in runs)
    )
    least_ns = _SHOWN_SHARE * min(run.wall_ns for run in (*first, *second))
    return tuple(each for each in found if max(each.first_ns, each.second_ns) >= least_ns)


def _shortest_ns(runs: Sequence[RunResult]) -> int:
    """Which silences aren't told apart."""
    return round(NOTICED_SHARE * median(run.wall_ns for run in runs))


def _phases_of(run: RunResult) -> dict[_Key, tuple[WaitPart, int]]:
    """A run's phases, each once, and how long they took; of silences after lines that differ in
    numbers alone, the first, the second and so on.
    """
    found: dict[_Key, tuple[WaitPart, int]] = {}
    for part in parts_of(run):
        key = part.name, part.pattern, 0
        # A silence may go on after the reading.
        while part.pattern and key in found and found[key][0].line != part.line:
            key = *key[:2], key[2] + 1
        # What goes on while the model is read isn't the same phase in every run.
        own = msgspec.structs.replace(part, beside="", line=part.line if part.pattern else "")
        _, before_ns = found.get(key, (own, 0))
        found[key] = own, before_ns + part.duration_ns
    return found


def _in_order(runs: Iterable[Iterable[_Key]]) -> list[_Key]:
    """All keys, each after the one before it in its run."""
    found: list[_Key] = []
    for run in runs:
        after = 0
        for key in run:
            if key not in found:
                found.insert(after, key)
            after = found.index(key) + 1
    return found


def _median_ns(key: _Key, runs: Sequence[dict[_Key, tuple[WaitPart, int]]]) -> int:
    return round(median(run[key][1] if key in run else 0 for run in runs))


def is_unread(run: RunResult) -> bool:
    """Whether there is nothing to be said of how a program read the model: it didn't, as far as was
    seen, and that wasn't for all of it being in memory.
    """
    is_late = run.cut_off is not None
    return run.is_program and not run.load_bytes and (is_late or not was_in_memory(run))


def parts_text(run: RunResult) -> Message:
    """`11.8 s: before reading 2.10 s, reading 6.30 s, after reading 3.40 s`. Of many parts those
    that are worth a person's time.
    """
    wall = duration_text(run.wall_ns)
    waited = Message("Not ready after {wall}", wall=wall) if run.cut_off else verbatim(wall)
    each = (
        Message("{name} {time}", name=part.title, time=duration_text(part.duration_ns))
        for part in parts_of(run)
        if not part.is_named_by_program or share_of(part, run) >= NOTICED_SHARE
    )
    return Message("{waited}: {parts}", waited=waited, parts=joined(each, ", "))


def model_text(run: RunResult) -> Message:
    """How much of the model was read, and how fast; counters may miss what was mapped before."""
    if is_unread(run):
        return Message("no read of the model was detected")
    if not run.load_bytes:
        return Message("already in memory; how much was used is unknown")
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


def has_headroom(run: RunResult, least_ns: int | None) -> bool:
    """Whether so much of its reading could be saved that it is worth to look for it."""
    if least_ns is None:
        return False
    saved = saved_ns(run, least_ns)
    return saved >= _WORTHWHILE_SHARE * run.reading_ns and saved >= NOTICED_SHARE * run.wall_ns

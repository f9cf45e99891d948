"""The parts of a program's wait, from its start until it is ready, and what samples show of each.

Before it reads the model, reading it, and after; where the program prints what it does, its own
phases in place of the first and the last of these (program_phases.py).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.limited_numbers import Amount, Integer
from modelmon.core.messages import Message, verbatim
from modelmon.core.worker.events import Counters
from modelmon.core.worker.figures import BEGAN, WAITS
from modelmon.core.worker.program_phases import NAMES, SILENCE, WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.worker.events import Finished, Sample
    from modelmon.core.worker.program_phases import Printed, Program, Stretch
    from modelmon.core.worker.record import RunRecord

BEFORE, READING, AFTER, UNSEEN = "before-reading", "reading", "after-reading", "wait"
"""Names of parts. The whole wait is one part where nobody saw when the model was read."""

_QUIET_NS = 500_000_000
"""While it is watched, reading that paused for so long is drawn as over, until more comes."""
_MOST_QUOTED = 60
_CLOCK = re.compile(
    r"^\W{0,3}(?:(?:\w{1,40} pid=\d+\)\s)?(?:[A-Z]{4,8}:?\s+)?"
    r"(?:\d{2,4}[-/.]\d\d(?:[-/.]\d{2,4})?[\WT]{1,2})?\d\d?:\d\d:\d\d[\d.,:]*Z?[\s\])|-]{0,4}"
    r"|\d+\.\d\d\.\d{3}\.\d{3} [A-Z]\s+)"
)
"""Date and time at the begin of a line, with process and level, or llama.cpp's own clock."""
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+")
_SHORTEST_SHARE, _UNNAMED_SHARE = 0.005, 0.05
"""Less of the wait belongs to the phase before it; the second where no line gives it a name."""


_NAMES = {
    **NAMES,
    BEFORE: Message("before reading"),
    READING: Message("reading"),
    AFTER: Message("after reading"),
    UNSEEN: Message("start to ready"),
}


class WaitPart(Counters, frozen=True, omit_defaults=True):
    """One part of the wait: its name, begin and end since the start, and what the program did.

    The name is one of those above, or of a phase of the `program` (program_phases.py); `line` is
    what it printed last before a long silence, and `until` what ended that; of a part that has no
    name, `line` is its first, where silences divide it. `beside` is the phase that goes on while
    the model is read.

    Its counters are of all its processes, `device_bytes` of any file. `waited_ns` is how long a
    thread waited for storage, `queued_ns` how long one could run and had no processor, `lock_ns`
    and `network_ns` how long none ran and one waited for those; `processes` and `connections` to
    other machines are those it began that were seen; `grown_bytes` is by how much their own memory
    grew. None is *not available here*.
    """

    name: str
    begin_ns: Amount
    end_ns: Amount
    program: str = ""
    line: str = ""
    until: str = ""
    beside: str = ""
    waited_ns: Integer | None = None
    queued_ns: Integer | None = None
    lock_ns: Integer | None = None
    network_ns: Integer | None = None
    processes: Integer | None = None
    connections: Integer | None = None
    grown_bytes: Integer | None = None

    @property
    def duration_ns(self) -> int:
        """How long it took."""
        return self.end_ns - self.begin_ns

    @property
    def title(self) -> Message:
        """What it is called for people."""
        if self.beside in NAMES:
            return Message("reading, {phase}", phase=NAMES[self.beside])
        if self.name == SILENCE:
            return Message("after “{line}”", line=quoted(self.line))
        name = _NAMES.get(self.name) or verbatim(self.name)
        return (
            Message("{part} from “{line}”", part=name, line=quoted(self.line))
            if self.line
            else name
        )

    @property
    def pattern(self) -> str:
        """What is the same of its line in every start: times and process numbers aren't."""
        return _NUMBER.sub("0", self.line) if self.name == SILENCE else ""

    @property
    def is_named_by_program(self) -> bool:
        """Whether the program said what it did."""
        return self.name in NAMES


def quoted(line: str) -> str:
    """The begin of a printed line, without its time."""
    return (_CLOCK.sub("", line) or line)[:_MOST_QUOTED]


def wait_parts(record: RunRecord) -> tuple[WaitPart, ...]:
    """The parts so far, without figures. Reading is the last one while it may go on."""
    done = record.finished
    first_ns, last_ns = (
        (done.first_byte_ns, done.last_byte_ns) if done is not None else _reading_so_far(record)
    )
    if first_ns is None and not record.done:
        return _divided((WaitPart(BEFORE, 0, record.t_ns),), record.printed)
    return _divided(parts_between(first_ns, last_ns, record.t_ns), record.printed)


def _divided(parts: tuple[WaitPart, ...], printed: Printed) -> tuple[WaitPart, ...]:
    """The parts by what was printed in them; when the model was read was seen, and stays."""
    if not printed.lines or not parts[-1].end_ns:
        return parts
    end_ns, program = parts[-1].end_ns, printed.program
    stretches, found = printed.stretches(end_ns), list[WaitPart]()
    for part in parts:
        if part.name == READING:
            found.append(_with_what_goes_on(part, stretches, program))
            continue
        inside = []
        for each in stretches:
            begin_ns, until_ns = max(part.begin_ns, each.begin_ns), min(part.end_ns, each.end_ns)
            if until_ns > begin_ns:
                speaker = program.name if program is not None and each.phase in NAMES else ""
                name, line = each.phase or part.name, each.line
                if not each.phase and begin_ns > each.begin_ns:
                    line = ""  # that came before the model was read
                until = each.until if until_ns == each.end_ns else ""
                inside.append(WaitPart(name, begin_ns, until_ns, speaker, line, until))
        found += _without_short(inside, end_ns)
    return tuple(found)


def _without_short(parts: list[WaitPart], wait_ns: int) -> list[WaitPart]:
    """Those that are long, each with the short ones after it; the first with those before it too.
    Neighbours of the same name are one.
    """
    found: list[WaitPart] = []
    for part in parts:
        least_share = _SHORTEST_SHARE if part.is_named_by_program else _UNNAMED_SHARE
        is_short = part.duration_ns < least_share * wait_ns
        last = found[-1] if found else None
        if last is None:
            found.append(part)
        elif is_short or (part.name, part.line) == (last.name, last.line):
            found[-1] = msgspec.structs.replace(last, end_ns=part.end_ns)
        elif len(found) == 1 and last.duration_ns < _SHORTEST_SHARE * wait_ns:
            found[-1] = msgspec.structs.replace(part, begin_ns=last.begin_ns)
        else:
            found.append(part)
    return found


def _with_what_goes_on(
    reading: WaitPart, stretches: Sequence[Stretch], program: Program | None
) -> WaitPart:
    """The reading with the phase that most of it falls into, where that isn't reading as well."""

    def common_ns(each: Stretch) -> int:
        return min(each.end_ns, reading.end_ns) - max(each.begin_ns, reading.begin_ns)

    most = max(stretches, key=common_ns)
    if program is None or most.phase not in NAMES or most.phase == WEIGHTS:
        return reading
    if common_ns(most) < reading.duration_ns / 2:
        return reading
    return msgspec.structs.replace(reading, program=program.name, beside=most.phase)


def parts_between(first_ns: int | None, last_ns: int | None, end_ns: int) -> tuple[WaitPart, ...]:
    """The parts by when the model was read; reading that has not ended is the last one."""
    if first_ns is None:
        return (WaitPart(UNSEEN, 0, end_ns),)
    read_ns = end_ns if last_ns is None else min(last_ns, end_ns)
    first_ns = min(first_ns, read_ns)
    parts = (WaitPart(BEFORE, 0, first_ns), WaitPart(READING, first_ns, read_ns))
    return parts if last_ns is None else (*parts, WaitPart(AFTER, read_ns, end_ns))


def reading_of(parts: Iterable[WaitPart]) -> WaitPart | None:
    """That in which the model is read, if it was seen."""
    return next((part for part in parts if part.name == READING), None)


def measured_parts(record: RunRecord) -> tuple[WaitPart, ...]:
    """The parts of a run that has finished, with their figures."""
    assert record.finished is not None
    # The closing sample may have been taken long after it was ready, for want of a sign.
    samples = record.samples[:-1]
    return tuple(
        _as_finished(part, record.finished, samples)
        if part.name == READING
        else _sampled(part, samples)
        for part in wait_parts(record)
    )


def _reading_so_far(record: RunRecord) -> tuple[int | None, int | None]:
    """When samples show the first and the last byte; no last one while it seems to read."""
    first_ns = next((each.t_ns for each in record.samples if each.delivered_bytes), None)
    if first_ns is None:
        return None, None
    total = record.samples[-1].delivered_bytes
    last_ns = record.samples[-1].t_ns
    for sample in reversed(record.samples):
        if sample.delivered_bytes < total:
            break
        last_ns = sample.t_ns
    is_whole = record.planned is not None and total >= record.planned.planned_bytes
    is_over = record.done or is_whole or record.t_ns - last_ns > _QUIET_NS
    return first_ns, last_ns if is_over else None


def _as_finished(part: WaitPart, done: Finished, samples: Sequence[Sample]) -> WaitPart:
    """The last line of a run has most figures of its reading already."""
    waited, queued = done.io_wait_share, done.run_queue_share
    return msgspec.structs.replace(
        part,
        **{name: getattr(done, name) for name in Counters.__struct_fields__},
        **_grown_in(part, samples, ("lock_ns", "network_ns", *BEGAN)),
        waited_ns=None if waited is None else round(waited * part.duration_ns),
        queued_ns=None if queued is None else round(queued * part.duration_ns),
    )


def _sampled(part: WaitPart, samples: Sequence[Sample]) -> WaitPart:
    """The part with what its samples show, between two of them by straight lines."""
    return msgspec.structs.replace(
        part,
        **_grown_in(part, samples, (*Counters.__struct_fields__, *WAITS, *BEGAN)),
        waited_ns=_grown(_waited(samples), part),
        grown_bytes=_risen([*_known(samples, "rss_anon_bytes")], part),
    )


def _grown_in(
    part: WaitPart, samples: Sequence[Sample], names: Iterable[str]
) -> dict[str, int | None]:
    return {name: _grown([(0, 0), *_known(samples, name)], part) for name in names}


def _known(samples: Iterable[Sample], name: str) -> Iterable[tuple[int, float]]:
    values = ((sample.t_ns, getattr(sample, name)) for sample in samples)
    return ((t_ns, value) for t_ns, value in values if value is not None)


def _waited(samples: Iterable[Sample]) -> list[tuple[int, float]]:
    """How long it has waited by each sample: as long as both looks around a time saw it wait."""
    total, found = 0.0, [(0, 0.0)]
    for (begin_ns, before), (end_ns, now) in pairwise(
        [(0, 0.0), *_known(samples, "waiting_share")]
    ):
        total += (end_ns - begin_ns) * (before + now) / 2
        found.append((end_ns, total))
    return found


def _grown(points: Sequence[tuple[int, float]], part: WaitPart) -> int | None:
    """By how much a figure grew during the part; None of one that was not seen."""
    if len(points) < 2:
        return None
    return round(_at(points, part.end_ns) - _at(points, part.begin_ns))


def _risen(levels: Sequence[tuple[int, float]], part: WaitPart) -> int | None:
    """How far a level rose above where it was when the part began: who ends has no memory."""
    mine = [level for t_ns, level in levels if part.begin_ns < t_ns <= part.end_ns]
    return round(max(mine) - _at(levels, part.begin_ns)) if mine else None


def _at(points: Sequence[tuple[int, float]], t_ns: int) -> float:
    """The figure at a time; before the first and after the last point, what these have."""
    after = bisect_left(points, t_ns, key=lambda point: point[0])
    if after in (0, len(points)):
        return points[min(after, len(points) - 1)][1]
    (begin_ns, low), (end_ns, high) = points[after - 1 : after + 1]
    return low + (high - low) * (t_ns - begin_ns) / (end_ns - begin_ns)

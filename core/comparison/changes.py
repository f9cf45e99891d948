"""What changed since a day: from when on like loads of one disk took longer, or less time.

Of each load the clearest place in its days is looked at once: the usual time before against the
one since, with one test. Loads of a disk that changed at once are told together.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime
from itertools import accumulate
from math import exp, inf, log, sqrt
from statistics import fmean, median, mode
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from modelmon.core.comparison.posterior import of_pairs
from modelmon.core.comparison.spread import COVERAGE_SHARE, mad, speed
from modelmon.core.history.file import HistoryError
from modelmon.core.history.groups import KNOWN_STARTS
from modelmon.core.history.rows import RunFilter
from modelmon.core.messages import NOTHING, Message, joined, verbatim
from modelmon.core.units import duration_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from modelmon.core.comparison.spread import Ratio
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import RunRow

    # By load and day, in ns.
    Times = Mapping[Any, Mapping[int, float]]

# So many days show what is usual, and one odd day is no change.
_LEAST_DAYS = (5, 2)
_FEWEST_DAYS = sum(_LEAST_DAYS)
_LEAST_STEP = log(1.05)
_FARTHEST = 5.0
# Of a step without its farthest day.
_LEFT = 0.5
# So many of all pairs of a day before and one since have to agree: else the level wanders.
_PARTED_SHARE = 0.9
_WRONG_SHARE = 0.02
# What else is another is looked for in the loads of so many days on either side.
_NEAR_DAYS = 3
_STARTS = {
    "cold": Message("cold start"),
    "cold-here": Message("cold start here"),
    "warm": Message("warm start"),
}
_MAY_CHANGE = {
    "kernel": Message("kernel"),
    "readahead_bytes": Message("readahead"),
    "mount_options": Message("mount options"),
    "modelmon_version": verbatim("modelmon"),
    "library_version": Message("library"),
    "path": Message("path"),
    "prepared_with": Message("prepared with"),
}


class ChangedLoad(msgspec.Struct, frozen=True):
    """One strategy with one model, and its usual times before and since."""

    model_name: str
    strategy: str
    before_ns: float
    since_ns: float


class Change(msgspec.Struct, frozen=True):
    """A step in the times of one disk's loads, cold or warm; of `loads`, which it has in common.

    It is between the last day before and the first since (ISO dates, of this clock). `ratio` is
    the time before ÷ since (above 1: faster now), bounded by `ratio_low` and `ratio_high` with
    the confidence `coverage_share`; `before_days` and `since_days` are how many days that rests
    on. `also_changed` is what else is another since, and `remedy` what to look at.
    """

    headline: Message
    reason: Message
    remedy: Message
    finding: Literal["faster", "slower"]
    loads: tuple[ChangedLoad, ...]
    cache_state: str
    machine_id: str
    cpu_model: str
    storage: str
    last_before: str
    first_since: str
    before_days: int
    since_days: int
    ratio: float
    ratio_low: float
    ratio_high: float
    coverage_share: float
    also_changed: tuple[Message, ...] = ()


class Changes(msgspec.Struct, frozen=True):
    """The changes since a day, the newest first, and how many other loads that ran since then show
    none, or ran on too few days to tell.
    """

    changes: tuple[Change, ...]
    steady_loads: int
    short_loads: int

    def summary(self, since: str) -> Message:
        """What there is to say of the loads without a change, since a day."""
        steady = Message(
            "No clear change since {since}: {loads}.", since=since, loads=_loads(self.steady_loads)
        )
        short = Message(
            "Too early to tell: {loads}, measured on fewer than {days} days.",
            loads=_loads(self.short_loads),
            days=_FEWEST_DAYS,
        )
        told = [steady] * bool(self.steady_loads) + [short] * bool(self.short_loads)
        if not told and not self.changes:
            return Message("No comparable loads since {since}.", since=since)
        return joined(told)


def changes(history: History, since_unix_s: float, machine_id: str | None = None) -> Changes:
    """What changed on one machine, or on each.

    Runs that do not count, or started neither cold nor warm, are left out. Runs are like where
    machine, disk, model, part, configuration and start state are the same.
    """
    disks: dict[object, dict[object, list[RunRow]]] = {}
    for row in history.runs(RunFilter(counts=True, machine_id=machine_id)):
        if row.cache_state in KNOWN_STARTS:
            loads = disks.setdefault((row.machine_id, row.storage_id, row.cache_state), {})
            loads.setdefault(_key(row), []).append(row)
    first = _day(since_unix_s)
    found: list[Change] = []
    steady = short = 0
    for loads in disks.values():
        times = {key: _by_day(rows) for key, rows in loads.items()}
        every = steps(times)
        moved = {step.load for step in every}
        long = {key for key, days in times.items() if len(days) >= _FEWEST_DAYS}
        still = [times[key] for key in long - moved]
        recent = [step for step in every if step.at >= first]
        found += [_change(alike, loads, still) for alike in _together(recent)]
        changed = {step.load for step in recent}
        told = [
            key in long
            for key, rows in loads.items()
            if key not in changed and rows[0].started_unix_s >= since_unix_s
        ]
        steady, short = steady + sum(told), short + len(told) - sum(told)
    found.sort(key=lambda change: change.first_since, reverse=True)
    return Changes(tuple(found), steady, short)


class Step(NamedTuple):
    """From the first day of `since` on, the times of a load are exp(`shift`) times as long as on
    the days `before`; `reach` is how far off that may be. The usual times are in ns, and their
    quotient is that of the step.
    """

    load: Any
    before: tuple[int, ...]
    since: tuple[int, ...]
    shift: float
    reach: float
    before_ns: float
    since_ns: float

    @property
    def at(self) -> int:
        """The first day on the new level."""
        return self.since[0]


def steps(times: Times) -> list[Step]:
    """The clear steps of one disk's loads, by load and day, in the order of days: one of a load at
    the most.
    """
    found = []
    for load, days in times.items():
        places = len(days) - _FEWEST_DAYS + 1
        if places < 1:
            continue
        ordered = sorted(days)
        levels = [log(days[day]) for day in ordered]
        at = _place(levels)
        wrong_share = _WRONG_SHARE / len(times) / places
        before, since = tuple(ordered[:at]), tuple(ordered[at:])
        pairs = of_pairs(*([days[day] for day in side] for side in (since, before)))
        ratio = pairs.ratio("A", "B")
        if _is_clear(ratio, levels[:at], levels[at:], wrong_share):
            usual = (pairs.time(label).middle_ns for label in "BA")
            found.append(Step(load, before, since, ratio.middle, ratio.reach(), *usual))
    return sorted(found, key=lambda step: step.at)


def _together(found: Sequence[Step]) -> list[list[Step]]:
    """Those of loads that changed at once, in the same direction; the surest first."""
    together: list[list[Step]] = []
    for step in found:
        last = together[-1][-1] if together else None
        if last and step.before[-1] < last.at and step.shift * last.shift > 0:
            together[-1].append(step)
        else:
            together.append([step])
    return [sorted(alike, key=lambda step: step.reach) for alike in together]


def _place(levels: Sequence[float]) -> int:
    """How many levels come before the clearest step: where the cumulative sum of what each is off
    is farthest from none. One far off weighs no more than five deviations.

    Source: Page, A Test for a Change in a Parameter Occurring at an Unknown Point, 1955.
    """
    middle, count = median(levels), len(levels)
    farthest = _FARTHEST * mad(levels) / 0.6745 or inf
    off = [min(max(level - middle, -farthest), farthest) for level in levels]
    sums, mean = list(accumulate(off)), fmean(off)
    return max(
        range(_LEAST_DAYS[0], count - _LEAST_DAYS[1] + 1),
        key=lambda at: abs(sums[at - 1] - at * mean) / sqrt(at * (count - at)),
    )


def _is_clear(
    found: Ratio, early: Sequence[float], late: Sequence[float], wrong_share: float
) -> bool:
    """Whether a step between levels of days is one beyond doubt: of 5% or more, and not for the day
    alone that is off the farthest.
    """
    others = sorted(late, reverse=found.middle < 0)[:-1]
    left = (median(others) - median(early)) / found.middle if found.middle and others else 0.0
    parted = fmean((now - then) * found.middle > 0 for now in late for then in early)
    beyond_doubt = abs(found.middle) > max(_LEAST_STEP, found.reach(wrong_share))
    return beyond_doubt and left > _LEFT and parted >= _PARTED_SHARE


def _loads(count: int) -> Message:
    return Message("1 load") if count == 1 else Message("{count} loads", count=count)


def _key(row: RunRow) -> object:
    # A program takes what it wants, each time a little more or less.
    load_bytes = None if row.is_program else row.load_bytes
    where = (row.machine_id, row.storage_id, row.model_digest, load_bytes, row.subset)
    how: tuple[object, ...] = (row.strategy, row.command, row.ready, row.condition_memory)
    with suppress(HistoryError):  # another version's: its runs alone are as it was
        return (*where, *how, row.cache_state, row.config)
    return (*where, *how, row.cache_state, row.config_json)


def _day(unix_s: float) -> int:
    """The day by the clock here, counted as `date.toordinal` does."""
    return datetime.fromtimestamp(unix_s, UTC).astimezone().date().toordinal()


def _by_day(rows: Sequence[RunRow]) -> dict[int, float]:
    """The median time of each day: runs of one day resemble one another."""
    walls: dict[int, list[int]] = {}
    for row in rows:
        walls.setdefault(_day(row.started_unix_s), []).append(row.wall_ns)
    return {day: median(each) for day, each in walls.items()}


def _change(
    alike: Sequence[Step],
    loads: Mapping[Any, Sequence[RunRow]],
    still: Sequence[Mapping[int, float]],
) -> Change:
    """The steps of some of a disk's loads, told by the surest, beside loads that are `still`."""
    step, slower = alike[0], alike[0].shift > 0
    row = loads[step.load][0]
    first_since, last_before = (
        date.fromordinal(day).isoformat() for day in (step.at, step.before[-1])
    )
    also_changed = tuple(
        dict.fromkeys(text for each in alike for text in _also_changed(each, loads[each.load]))
    )
    low, high = sorted(exp(max(0.0, abs(step.shift) + by)) for by in (-step.reach, step.reach))
    figures = {"low": three_figures(low), "high": three_figures(high)}
    instead = Message(
        "{since} instead of {before}.",
        since=duration_text(step.since_ns),
        before=duration_text(step.before_ns),
    )
    likely = (
        Message("Likely {low}× to {high}× as long.", **figures)
        if slower
        else Message("Likely {low}× to {high}× as fast.", **figures)
    )
    seen = Message(
        "Seen on {before} days up to {last_before}, and on {since} days since.",
        before=len(step.before),
        last_before=last_before,
        since=len(step.since),
    )
    is_one = len(alike) == 1
    what = (
        Message("{model}, {strategy}", model=row.model_name, strategy=row.strategy)
        if is_one
        else Message("{count} loads from {storage}", count=len(alike), storage=row.storage_text)
    )
    unmoved = any(min(days) < step.at <= max(days) for days in still)
    return Change(
        headline=Message(
            "{what}, {start}: {amount} since {day}",
            what=what,
            start=_STARTS[row.cache_state],
            amount=speed(exp(-step.shift)),
            day=first_since,
        ),
        reason=joined([*([instead] if is_one else []), likely, seen]),
        remedy=_remedy(step, also_changed, row, unmoved=unmoved),
        finding="slower" if slower else "faster",
        loads=tuple(
            ChangedLoad(first.model_name, first.strategy, each.before_ns, each.since_ns)
            for each in alike
            for first in loads[each.load][:1]
        ),
        cache_state=row.cache_state,
        machine_id=row.machine_id,
        cpu_model=row.cpu_model,
        storage=row.storage_text,
        last_before=last_before,
        first_since=first_since,
        before_days=len(step.before),
        since_days=len(step.since),
        ratio=exp(-step.shift),
        ratio_low=exp(-step.shift - step.reach),
        ratio_high=exp(-step.shift + step.reach),
        coverage_share=COVERAGE_SHARE,
        also_changed=also_changed,
    )


def _remedy(step: Step, also_changed: Sequence[Message], row: RunRow, *, unmoved: bool) -> Message:
    """What to look at; where loads became faster, what changed with it."""
    changed = joined(also_changed, "; ")
    if step.shift < 0:
        return Message("Changed with it: {changed}.", changed=changed) if changed else NOTHING
    if changed:
        return Message("Check first what changed with it: {changed}.", changed=changed)
    if unmoved:
        return Message(
            "Other loads from {storage} show no change: check the model's file and the strategy.",
            storage=row.storage_text,
        )
    if row.cache_state == "warm":
        return Message(
            "Warm loads don't read the disk: check memory, processors, and other programs."
        )
    return Message(
        "Measure the disk to see whether it became slower{terminal}.",
        terminal=": modelmon doctor MODEL --probe",
    )


def _also_changed(step: Step, rows: Sequence[RunRow]) -> Iterator[Message]:
    """What else of a load is usually another in the days after its step than in those before."""
    near = step.before[-_NEAR_DAYS:], step.since[:_NEAR_DAYS]
    for field, name in _MAY_CHANGE.items():
        then, now = (
            mode(getattr(row, field) for row in rows if _day(row.started_unix_s) in side)
            for side in near
        )
        if field == "mount_options":
            then, now = _apart(then, now)
        if then != now:
            yield Message("{name}: {then} → {now}", name=name, then=_told(then), now=_told(now))


def _apart(then: str, now: str) -> tuple[object, object]:
    """The options that only one of two mounts has; nothing where those of either aren't known."""
    if not then or not now:
        return None, None
    before, since = then.split(","), now.split(",")
    only_before = ",".join(option for option in before if option not in since)
    only_since = ",".join(option for option in since if option not in before)
    return only_before or Message("none"), only_since or Message("none")


def _told(value: object) -> Message:
    if isinstance(value, Message):
        return value
    return Message("unknown") if value in (None, "") else verbatim(str(value))

"""What changed since a day: from when on like loads of one disk took longer, or less time."""

from __future__ import annotations

from datetime import UTC, date, datetime
from itertools import accumulate
from math import exp, inf, log, sqrt
from statistics import fmean, median, mode
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from modelmon.core.comparison.spread import COVERAGE_SHARE, mad, speed
from modelmon.core.history.rows import RunFilter
from modelmon.core.messages import NOTHING, Message, joined, verbatim
from modelmon.core.units import duration_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
    """One strategy with one model, and its median times before and since."""

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
            return Message("Nothing was measured since {since}.", since=since)
        return joined(told)


def changes(history: History, since_unix_s: float, machine_id: str | None = None) -> Changes:
    """What changed on one machine, or on each.

    Runs that do not count, or started neither cold nor warm, are left out. Runs are like where
    machine, disk, model, part, configuration and start state are the same.
    """
    disks: dict[object, dict[object, list[RunRow]]] = {}
    for row in history.runs(RunFilter(counts=True, machine_id=machine_id)):
        if row.cache_state in ("cold", "warm"):
            loads = disks.setdefault((row.machine_id, row.storage_id, row.cache_state), {})
            loads.setdefault(_key(row), []).append(row)
    first = _day(since_unix_s)
    found: list[Change] = []
    steady = short = 0
    for loads in disks.values():
        times = {key: _by_day(rows) for key, rows in loads.items()}
        every = steps(times)
        still = {
            key: days
            for key, days in times.items()
            if len(days) >= _FEWEST_DAYS and not any(key in step.loads for step in every)
        }
        recent = [step for step in every if step.at >= first]
        found += [_change(step, loads, times, still) for step in recent]
        changed = {key for step in recent for key in step.loads}
        told = [
            len(times[key]) >= _FEWEST_DAYS
            for key, rows in loads.items()
            if key not in changed and rows[0].started_unix_s >= since_unix_s
        ]
        steady, short = steady + sum(told), short + len(told) - sum(told)
    found.sort(key=lambda change: change.first_since, reverse=True)
    return Changes(tuple(found), steady, short)


class Step(NamedTuple):
    """From the first day of `since` on the times of `loads` are exp(`shift`) times as long as on
    the days `before`; `reach` is how far off that may be.
    """

    loads: tuple[Any, ...]
    before: tuple[int, ...]
    since: tuple[int, ...]
    shift: float
    reach: float

    @property
    def at(self) -> int:
        """The first day on the new level."""
        return self.since[0]


def steps(times: Times) -> list[Step]:
    """The steps of one disk's loads, by load and day; loads that changed at once, in the same
    direction, share one.
    """
    wrong_share = _WRONG_SHARE / max(1, len(times))
    alone = [
        step
        for load, days in times.items()
        for step in _steps(load, {day: log(time) for day, time in days.items()}, wrong_share)
    ]
    together: list[list[Step]] = []
    for step in sorted(alone, key=lambda step: step.at):
        last = together[-1][-1] if together else None
        if last and step.before[-1] < last.at and step.shift * last.shift > 0:
            together[-1].append(step)
        else:
            together.append([step])
    return [each[0] if len(each) == 1 else _shared(each, times) for each in together]


def _shared(alike: Sequence[Step], times: Times) -> Step:
    """One step of several loads, by how far each is from its own middle, in the median of all."""
    levels: dict[int, list[float]] = {}
    loads = tuple(load for step in alike for load in step.loads)
    for step, load in zip(alike, loads, strict=True):
        middle = median(log(times[load][day]) for day in step.before) + step.shift / 2
        for day in (*step.before, *step.since):
            levels.setdefault(day, []).append(log(times[load][day]) - middle)
    days = {day: median(levels[day]) for day in sorted(levels)}
    before = tuple(day for day in days if day < alike[-1].at)
    since = tuple(day for day in days if day >= alike[-1].at)
    return Step(loads, before, since, *_tested(days, before, since, 1 - COVERAGE_SHARE)[:2])


def _steps(load: object, levels: Mapping[int, float], wrong_share: float) -> Iterator[Step]:
    """The steps of a load, in order; each is measured between its neighbors."""
    days = sorted(levels)
    ends = [0, *_clear_places(levels, days, wrong_share), len(days)]
    for first, at, end in zip(ends, ends[1:], ends[2:], strict=False):
        before, since = tuple(days[first:at]), tuple(days[at:end])
        shift, reach, _ = _tested(levels, before, since, wrong_share)
        yield Step((load,), before, since, shift, reach)


def _clear_places(
    levels: Mapping[int, float], days: Sequence[int], wrong_share: float
) -> list[int]:
    """How many of these days come before each step beyond doubt."""
    places = len(days) - _FEWEST_DAYS + 1
    if places < 1:
        return []
    at = _place([levels[day] for day in days])
    if not _tested(levels, days[:at], days[at:], wrong_share / places)[-1]:
        return []
    earlier = _clear_places(levels, days[:at], wrong_share)
    later = _clear_places(levels, days[at:], wrong_share)
    return [*earlier, at, *(at + each for each in later)]


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


def _tested(
    levels: Mapping[int, float], before: Sequence[int], since: Sequence[int], wrong_share: float
) -> tuple[float, float, bool]:
    """The step between days, how far off that may be, and whether it is one beyond doubt: of 5% or
    more, and not for the day alone that is off the farthest.
    """
    from modelmon.core.comparison.posterior import of_pairs  # noqa: PLC0415  numpy is slow to import

    early, late = [levels[day] for day in before], [levels[day] for day in since]
    found = of_pairs([exp(value) for value in late], [exp(value) for value in early]).log_ratio(
        "A", "B"
    )
    others = sorted(late, reverse=found.middle < 0)[:-1]
    left = (median(others) - median(early)) / found.middle if found.middle and others else 0.0
    parted = fmean((now - then) * found.middle > 0 for now in late for then in early)
    beyond_doubt = abs(found.middle) > max(_LEAST_STEP, found.reach(wrong_share))
    is_clear = beyond_doubt and left > _LEFT and parted >= _PARTED_SHARE
    return found.middle, found.reach(1 - COVERAGE_SHARE), is_clear


def _loads(count: int) -> Message:
    return Message("1 load") if count == 1 else Message("{count} loads", count=count)


def _key(row: RunRow) -> object:
    where = (row.machine_id, row.storage_id, row.model_digest, row.load_bytes, row.subset)
    how = (row.strategy, row.config, row.command, row.ready)
    return (*where, *how, row.cache_state, row.conditioned)


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
    step: Step, loads: Mapping[Any, Sequence[RunRow]], times: Times, still: Times
) -> Change:
    """A step of one disk's loads, beside those of them that are `still`."""
    concerned = [
        ChangedLoad(
            loads[key][0].model_name,
            loads[key][0].strategy,
            median(times[key][day] for day in step.before if day in times[key]),
            median(times[key][day] for day in step.since if day in times[key]),
        )
        for key in step.loads
    ]
    row = loads[step.loads[0]][0]
    slower = step.shift > 0
    day = date.fromordinal(step.at).isoformat()
    last_before = date.fromordinal(step.before[-1]).isoformat()
    also_changed = _also_changed(step, [loads[key] for key in step.loads])
    what = (
        Message("{model}, {strategy}", model=row.model_name, strategy=row.strategy)
        if len(concerned) == 1
        else Message("{count} loads from {storage}", count=len(concerned), storage=row.storage_text)
    )
    start = Message("cold start") if row.cache_state == "cold" else Message("warm start")
    bounds = sorted(exp(max(0.0, abs(step.shift) + by)) for by in (-step.reach, step.reach))
    figures = {"low": three_figures(bounds[0]), "high": three_figures(bounds[1])}
    seen = Message(
        "Seen on {before} days up to {last_before}, and on {since} days since.",
        before=len(step.before),
        last_before=last_before,
        since=len(step.since),
    )
    likely = (
        Message("Likely {low}× to {high}× as long.", **figures)
        if slower
        else Message("Likely {low}× to {high}× as fast.", **figures)
    )
    instead = Message(
        "{since} instead of {before}.",
        since=duration_text(concerned[0].since_ns),
        before=duration_text(concerned[0].before_ns),
    )
    unmoved = any(min(days) < step.at <= max(days) for days in still.values())
    return Change(
        headline=Message(
            "{what}, {start}: {amount} since {day}",
            what=what,
            start=start,
            amount=speed(exp(-step.shift)),
            day=day,
        ),
        reason=joined([*([instead] if len(concerned) == 1 else []), likely, seen]),
        remedy=_remedy(step, also_changed, row, unmoved=unmoved),
        finding="slower" if slower else "faster",
        loads=tuple(concerned),
        cache_state=row.cache_state,
        machine_id=row.machine_id,
        cpu_model=row.cpu_model,
        storage=row.storage_text,
        last_before=last_before,
        first_since=day,
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
        "Measure the disk to see whether it became slower; in the terminal: modelmon doctor"
        " --probe."
    )


def _also_changed(step: Step, loads: Sequence[Sequence[RunRow]]) -> tuple[Message, ...]:
    """What else is usually another in the days after a step than in those before it."""
    found = []
    for rows in loads:
        days = sorted({_day(row.started_unix_s) for row in rows})
        near = (
            [day for day in days if step.before[0] <= day < step.at][-_NEAR_DAYS:],
            [day for day in days if step.at <= day <= step.since[-1]][:_NEAR_DAYS],
        )
        for field, name in _MAY_CHANGE.items():
            then, now = (
                mode(getattr(row, field) for row in rows if _day(row.started_unix_s) in side)
                for side in near
            )
            if field == "mount_options":
                then, now = _apart(then, now)
            if then != now:
                figures = {"then": _told(then), "now": _told(now)}
                found.append(Message("{name}: {then} → {now}", name=name, **figures))
    return tuple(dict.fromkeys(found))


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

"""What changed: the same loads on the same machine and disk, before a day and since."""

from __future__ import annotations

from math import exp, log
from statistics import median
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.experiment.statistics.decision import outcome
from modelmon.core.experiment.statistics.rank_tests import rank_sum_bounds, rank_sum_depth
from modelmon.core.experiment.statistics.spread import FAMILY_ALPHA, RatioInterval
from modelmon.core.history.rows import RunFilter
from modelmon.core.messages import Message, joined, verbatim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.experiment.statistics.decision import Winner
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import RunRow

Finding = Literal["faster", "slower", "no-difference", "undecided", "too-few"]
# The time before stands where A's stands in a comparison.
_FINDINGS: dict[Winner, Finding] = {
    "A": "slower",
    "B": "faster",
    "no-difference": "no-difference",
    "undecided": "undecided",
}

# More of them make the interval no better worth its time.
_MOST_EXPERIMENTS = 40


class Change(msgspec.Struct, frozen=True):
    """One way to load one model, before and since.

    Each experiment counts once, by the median of its runs, since runs of one sitting resemble
    one another. `ratio` is the time before ÷ since (above 1: faster now), the median over all
    pairs of one before and one since; `ratio_low` and `ratio_high` bound it with the confidence
    `coverage_share`, and are None for too few experiments. `also_changed` is what else is
    another now.
    """

    model_name: str
    strategy: str
    cache_state: str
    machine_id: str
    cpu_model: str
    storage: str
    before_ns: float
    since_ns: float
    before_experiments: int
    since_experiments: int
    finding: Finding
    ratio: float
    ratio_low: float | None = None
    ratio_high: float | None = None
    coverage_share: float | None = None
    also_changed: tuple[Message, ...] = ()


def changes(history: History, since_unix_s: float, machine_id: str | None = None) -> list[Change]:
    """Every load that was measured both before and since; of one machine, or of each.

    Runs that do not count, or started neither cold nor warm, are left out. Runs are taken
    together only where machine, disk, model, part, configuration and start state are the same.
    """
    rows = history.runs(RunFilter(counts=True, machine_id=machine_id))
    groups: dict[object, list[RunRow]] = {}
    for row in rows:
        if row.cache_state in ("cold", "warm"):
            groups.setdefault(_key(row), []).append(row)
    found = (_change(group, since_unix_s) for group in groups.values())
    return [change for change in found if change is not None]


def _key(row: RunRow) -> object:
    where = (row.machine_id, row.storage_id, row.model_digest, row.load_bytes, row.subset)
    return (*where, row.strategy, row.config, row.cache_state, row.conditioned)


def _change(rows: Sequence[RunRow], since_unix_s: float) -> Change | None:
    older = [row for row in rows if row.started_unix_s < since_unix_s]
    newer = [row for row in rows if row.started_unix_s >= since_unix_s]
    if not older or not newer:
        return None
    before, since = _per_experiment(older), _per_experiment(newer)
    interval = _interval(before, since)
    known = interval.coverage_share is not None
    row = newer[0]
    return Change(
        model_name=row.model_name,
        strategy=row.strategy,
        cache_state=row.cache_state,
        machine_id=row.machine_id,
        cpu_model=row.cpu_model,
        storage=row.storage_text,
        before_ns=median(before),
        since_ns=median(since),
        before_experiments=len(before),
        since_experiments=len(since),
        finding=_FINDINGS[outcome(interval)] if known else "too-few",
        ratio=interval.ratio,
        ratio_low=interval.low if known else None,
        ratio_high=interval.high if known else None,
        coverage_share=interval.coverage_share,
        also_changed=_also_changed(older, newer),
    )


def _per_experiment(rows: Iterable[RunRow]) -> list[float]:
    """The median of each experiment, of the newest ones; rows come the newest first."""
    walls: dict[int, list[int]] = {}
    for row in rows:
        walls.setdefault(row.experiment_id, []).append(row.wall_ns)
    return [float(median(each)) for each in list(walls.values())[:_MOST_EXPERIMENTS]]


def _interval(before: Sequence[float], since: Sequence[float]) -> RatioInterval:
    """The shift of the logarithms, as a ratio; without coverage where there are too few."""
    logs = [log(each) for each in before], [log(each) for each in since]
    ratio = exp(median(one - other for one in logs[0] for other in logs[1]))
    pairs = min(len(before), len(since))
    inward = rank_sum_depth(len(before), len(since), FAMILY_ALPHA)
    if not inward:
        return RatioInterval(ratio, ratio, ratio, None, pairs)
    low, high = rank_sum_bounds(*logs, inward)
    return RatioInterval(ratio, exp(low), exp(high), 1 - FAMILY_ALPHA, pairs)


def _also_changed(older: Sequence[RunRow], newer: Sequence[RunRow]) -> tuple[Message, ...]:
    found = []
    for field, name in (
        ("kernel", Message("kernel")),
        ("readahead_bytes", Message("readahead")),
        ("modelmon_version", verbatim("modelmon")),
        ("library_version", Message("library")),
    ):
        then = {getattr(row, field) for row in older}
        now = {getattr(row, field) for row in newer}
        if then != now:
            found.append(
                Message("{name}: {then} → {now}", name=name, then=_listed(then), now=_listed(now))
            )
    return tuple(found)


def _listed(values: Iterable[object]) -> Message:
    return joined(
        sorted(Message("unknown") if value is None else str(value) for value in values), ", "
    )

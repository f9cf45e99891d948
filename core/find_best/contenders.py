"""The strategies of Find best: what the runs say of each, which one to use, how the others stand.

Whoever has a setting keeps it unless the runs show that another is faster: the `baseline` is
recommended where the range of its time ÷ that of the best includes 1, or the best saves hardly
anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Any

from msgspec import structs

from modelmon.core.comparison.commands import TOGETHER, combined
from modelmon.core.comparison.decision import SAME_WITHIN, preferred
from modelmon.core.comparison.posterior import Posterior, TimedRun
from modelmon.core.comparison.run_validity import is_discarded_by_chance, is_discarded_for
from modelmon.core.comparison.spread import (
    MIN_PAIRS_FOR_INTERVAL,
    Ratio,
    median_of_known,
    whole_median_of_known,
)
from modelmon.core.explain.bottleneck import typical_bottleneck
from modelmon.core.explain.cures import setting_group
from modelmon.core.explain.evidence import device_rate, limits_seen, raised_by
from modelmon.core.find_best.plan import changed_axes
from modelmon.core.find_best.result import Standing
from modelmon.core.history.rows import Entrant
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.redaction import recorded_command
from modelmon.core.units import MIB, three_figures
from modelmon.core.worker.command_words import recorded_words
from modelmon.core.worker.result import middle_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from modelmon.core.find_best.plan import SearchConditions
    from modelmon.core.find_best.result import SearchRun
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.probe.probe import Limits
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult


FAR_SLOWER = 3.0
"""What takes so many times as long as the fastest gets no second run, and its first one is ended
then."""

WORTH_FACTOR = 1.03
"""A strategy that is less than so many times as fast is no reason to go on."""

CHANCE_LEFT = 0.01
"""A race is decided once something better is no likelier than this, by five runs or more."""

MEMORY_TOLERANCE = 1.25
"""For the least memory a load may take so many times as long as the fastest."""

# What never starts as asked gets so many chances more than it has used.
_MOST_DISCARDED = 2
_COVERED = 0.95
_FEWEST, _MOST = 2, 5
"""Strategies of a round."""

# Interpreters and records of loaders differ by so much without a meaning.
_SAME_MEMORY_SHARE = 0.05
_SAME_MEMORY_BYTES = 16 * MIB


@dataclass(frozen=True, slots=True)
class Contender:
    """A strategy with its runs that count, `kept`, and those that don't. `failed` is why it cannot
    run; `far_slower` one's first run was ended at FAR_SLOWER times what the fastest takes.
    """

    told: Entrant
    kept: tuple[RunResult, ...] = ()
    discarded: tuple[RunResult, ...] = ()
    failed: Message = NOTHING
    far_slower: bool = False

    @property
    def label(self) -> str:
        """What it is called in the race."""
        return self.told.label

    @property
    def config(self) -> LoadConfig:
        """How it loads."""
        return self.told.config

    @property
    def median_ns(self) -> float:
        """Median time for the whole model; infinite without a run that counts."""
        return median(run.model_wall_ns for run in self.kept) if self.kept else inf

    @property
    def measured(self) -> bool:
        """Whether a run of it counts and it can run."""
        return bool(self.kept) and not self.failed

    @property
    def runs(self) -> int:
        """How many runs it had, without those that chance alone keeps from counting."""
        return len(self.kept) + self._misses

    @property
    def unfit(self) -> bool:
        """Whether it cannot run, takes far too long, or its runs do not start as asked."""
        return bool(
            self.failed or self.far_slower or self._misses >= len(self.kept) + _MOST_DISCARDED
        )

    @property
    def _misses(self) -> int:
        return sum(not is_discarded_by_chance(run) for run in self.discarded)

    @property
    def ended(self) -> list[RunResult]:
        """First runs that were ended for taking too long."""
        return [run for run in self.discarded if is_discarded_for(run, "cut-off")]

    @property
    def held_bytes(self) -> int | None:
        """Median memory that the system cannot take back; None where it was not seen."""
        return whole_median_of_known(map(held_bytes, self.kept))

    def holds_less(self, other: Contender) -> bool:
        """Whether it holds noticeably less memory."""
        mine, others = self.held_bytes, other.held_bytes
        if mine is None or others is None:
            return False
        return mine * (1 + _SAME_MEMORY_SHARE) + _SAME_MEMORY_BYTES < others


class Contenders:
    """All strategies by the runs until now, in the order in which they joined. It never changes:
    one more run makes another. `cache` is the state before the runs.
    """

    def __init__(
        self,
        arms: Iterable[Entrant],
        conditions: SearchConditions,
        runs: Sequence[SearchRun],
        failed: Mapping[tuple[str, Cache], Message],
        cache: Cache,
    ) -> None:
        self._conditions = conditions
        known = {arm.label: arm for arm in arms}
        results: dict[str, list[RunResult]] = {label: [] for label in known}
        for run in runs:
            known.setdefault(run.label, _variant(run.result))
            results.setdefault(run.label, []).append(run.result)
        plain = [
            _contender(arm, results[label], failed.get((label, cache), NOTHING))
            for label, arm in known.items()
        ]
        walls = [[run.wall_ns for run in each.kept] for each in plain if each.measured]
        self.far_slower_ns = round(FAR_SLOWER * min(median(of) for of in walls)) if walls else None
        self._scatters = any(max(of) >= FAR_SLOWER * min(of) for of in walls)
        self.all = [replace(each, far_slower=self._is_far_slower(each)) for each in plain]
        self.measured = [each for each in self.all if each.measured]

    def _is_far_slower(self, each: Contender) -> bool:
        """Whether it was ended for that; not where all got slower meanwhile, or runs of one
        strategy differ as much.
        """
        if self._scatters:
            return False
        ended_ns = 0 if each.kept else max((run.wall_ns for run in each.ended), default=0)
        return self.far_slower_ns is not None and ended_ns >= self.far_slower_ns > 0

    @cached_property
    def wants_memory(self) -> bool:
        """Whether the least memory is looked for, and seen on this platform."""
        seen = any(each.held_bytes is not None for each in self.measured)
        return seen and self._conditions.objective == "memory"

    @property
    def fit(self) -> list[Contender]:
        """Those that further runs may be made of."""
        return [each for each in self.all if not each.unfit]

    def called(self, label: str) -> Contender | None:
        """The one with this label."""
        return next((each for each in self.all if each.label == label), None)

    def has(self, config: LoadConfig) -> bool:
        """Whether one loads in this way."""
        return any(each.config == config for each in self.all)

    @cached_property
    def posterior(self) -> Posterior:
        """What the runs say of those that are measured. One that was ended took at least so long,
        which says something where the others were faster: without it a strategy would be known by
        its lucky runs alone.
        """
        timed = [
            TimedRun(each.label, run.pair, run.model_wall_ns, run.started_unix_s)
            for each in self.measured
            for run in (*each.kept, *each.ended)
            if run.counts or run.model_wall_ns > each.median_ns
        ]
        return Posterior(timed, seed=sum(len(each.kept) for each in self.measured))

    def relation(self, one: Contender, other: Contender) -> Ratio:
        """Time of `one` ÷ time of `other`; both are measured. Only runs that count make pairs, and
        bounds more than a guess.
        """
        found = self.posterior.ratio(one.label, other.label)
        mine, others = ({run.pair for run in each.kept} for each in (one, other))
        once = min(len(one.kept), len(other.kept)) == 1
        coverage = None if once else found.coverage_share
        return found._replace(pairs=len(mine & others), coverage_share=coverage)

    def by_speed(self) -> list[Contender]:
        """Those that are measured, the fastest first."""
        return sorted(self.measured, key=lambda each: self.posterior.log_time(each.label))

    def pick(self, among: Sequence[Contender]) -> Contender | None:
        """Of `among` the one that is expected to cost the least time, or a simpler one that costs
        hardly more; for the objective `memory` of those that hold as little as the least, within
        the tolerance of time. None if `among` is empty.
        """
        if not among:
            return None
        chosen = self._small_enough(among) if self.wants_memory else among
        by_label = {each.label: each for each in chosen}
        configs = {label: each.config for label, each in by_label.items()}
        return by_label[preferred(self.posterior, configs)]

    @property
    def baseline(self) -> Contender | None:
        """What the person has now, where it is measured."""
        return next((each for each in self.measured if self._is_baseline(each)), None)

    @cached_property
    def best(self) -> Contender | None:
        """The best by what is known now, whether or not that is sure."""
        return self.pick(self.measured)

    @cached_property
    def chosen(self) -> Contender | None:
        """The one to use: the best, unless it is not clearly faster than what the person has."""
        best, now = self.best, self.baseline
        if best is None or now is None or best is now or self.wants_memory:
            return best
        found = self.relation(now, best)
        return best if found.low > 1 and found.ratio >= SAME_WITHIN else now

    def together(self) -> Entrant | None:
        """The fastest setting of each group that saves time, all at once; None where less than two
        groups have one.
        """
        own, groups = self.baseline, dict[tuple[str, ...], Entrant]()
        if own is None or own.told.program is None:
            return None
        for each in self.by_speed():
            group = setting_group(each.label)
            saves = self.relation(own, each).ratio >= SAME_WITHIN
            if group is not None and saves and each.told.program is not None:
                groups.setdefault(group, each.told)
        if len(groups) < _FEWEST:
            return None
        first, *others = groups.values()
        names = (each.label.partition(" ")[2] for each in others)
        label = TOGETHER.join((first.label, *names))
        words = [recorded_words(each.program.command) for each in groups.values() if each.program]
        command = combined(recorded_words(own.told.program.command), words)
        program = structs.replace(own.told.program, command=recorded_command(command))
        to_set = joined([each.to_set for each in groups.values()])
        return structs.replace(first, label=label, strategy=label, program=program, to_set=to_set)

    def within(self, chosen: Contender) -> float:
        """How many times as fast another must be to be chosen instead; to change a setting takes
        more than to choose one.
        """
        return SAME_WITHIN if self._is_baseline(chosen) else WORTH_FACTOR

    def chance_of_better(self, chosen: Contender) -> float:
        """How probable it is that another one would have been worth choosing."""
        slower = self.posterior.chance_of_slower
        if not self.wants_memory:
            return slower(chosen.label, self.within(chosen))
        less = [each for each in self.measured if each.holds_less(chosen)]
        doubts = [1 - slower(each.label, MEMORY_TOLERANCE) for each in less]
        return max([slower(chosen.label, MEMORY_TOLERANCE), *doubts])

    @property
    def settled(self) -> bool:
        """Whether further runs would hardly change what is recommended. Four runs may be close to
        each other by luck: as in a comparison nothing is decided before the fifth.
        """
        if self.chosen is None:
            return True
        has_rivals = sum(not each.failed for each in self.all) > 1
        if has_rivals and self.chosen.runs < MIN_PAIRS_FOR_INTERVAL:
            return False
        return self.chance_of_better(self.chosen) <= CHANCE_LEFT

    def in_question(self) -> list[Contender]:
        """The one to use and those that may show to be better, likeliest first: two to five."""
        chosen, best = self.chosen, self.best
        fit = [each for each in self.measured if not each.unfit]
        if chosen is None or best is None:
            return []
        if self.wants_memory:
            return self._memory_in_question(chosen)
        chances = self.posterior.chances()
        found = list(dict.fromkeys((chosen, best)))
        # Whether to change anything is told first: by pairs of these two.
        if len(found) > 1:
            return found
        ordered = sorted(self.by_speed(), key=lambda each: -chances[each.label])
        for each in (each for each in ordered if each in fit):
            covered = sum(chances[one.label] for one in found)
            if len(found) >= _MOST or (covered >= _COVERED and len(found) >= _FEWEST):
                break
            if each not in found:
                found.append(each)
        return found

    def why_out(self, each: Contender) -> Message:
        """Why it is ruled out: it never starts as asked, or is surely slower than the chosen."""
        if each.far_slower:
            return Message("at least {ratio}× as long", ratio=f"{FAR_SLOWER:g}")
        if each.discarded and each.unfit and each is not self.chosen:
            why = each.discarded[-1].why_not or Message("its runs didn't start as requested.")
            return (
                Message("most of its runs don't count: {why}", why=why)
                if each.kept
                else Message("none of its runs counts: {why}", why=why)
            )
        if not each.measured or self.chosen is None or each is self.chosen:
            return NOTHING
        found = self.relation(each, self.chosen)
        if found.low <= 1:
            return NOTHING
        if found.coverage_share is None:
            return Message("{ratio}× as long", ratio=three_figures(found.ratio))
        low, high = three_figures(found.low), three_figures(found.high)
        return Message("{low}–{high}× as long", low=low, high=high)

    def _is_baseline(self, each: Contender) -> bool:
        return each.label == self._conditions.baseline

    def _memory_in_question(self, chosen: Contender) -> list[Contender]:
        """Whether one is fast enough is told by runs beside the fastest."""
        by_time = [each for each in self.by_speed() if not each.unfit]
        beside = by_time[:1] if self._may_be_too_slow(chosen) else []
        less = [
            each for each in by_time if self._may_be_too_slow(each) and not chosen.holds_less(each)
        ]
        return list(dict.fromkeys((chosen, *beside, *less)))[:_MOST]

    def _may_be_too_slow(self, each: Contender) -> bool:
        too_slow = self.posterior.chance_of_slower(each.label, MEMORY_TOLERANCE)
        return CHANCE_LEFT < too_slow < 1 - CHANCE_LEFT

    def _small_enough(self, among: Sequence[Contender]) -> list[Contender]:
        """Those that hold as little memory as the least, of those that are fast enough."""
        first = min(among, key=lambda each: self.posterior.log_time(each.label))
        quick = [each for each in among if self.relation(each, first).ratio <= MEMORY_TOLERANCE]
        known = [each for each in quick if each.held_bytes is not None]
        if not known:
            return quick
        least = min(known, key=lambda each: each.held_bytes or 0)
        return [each for each in known if not least.holds_less(each)]


def _contender(told: Entrant, runs: Sequence[RunResult], failed: Message) -> Contender:
    kept, discarded = (tuple(run for run in runs if run.counts == of) for of in (True, False))
    return Contender(told, kept, discarded, failed)


def _variant(result: RunResult) -> Entrant:
    """The strategy that a run is of, where the race did not begin with it."""
    return Entrant(result.strategy, result.strategy.partition(",")[0], result.config)


def held_bytes(result: RunResult) -> int | None:
    """Memory at the peak that the system cannot take back; None where it was not seen.

    Mapped pages of the file are in the RSS, but the kernel drops them when memory gets short
    and reads them again: they are taken off, by the bytes that were asked for where a result
    does not say how much was mapped.
    """
    if result.peak_rss_bytes is None:
        return None
    asked_bytes = result.asked_bytes if result.memory_kind == "mapped" else 0
    return max(0, result.peak_rss_bytes - max(asked_bytes, result.mapped_bytes or 0))


_ABOUT_AS_FAST = 0.9
_ITSELF = Ratio(0.0, 0.0, 1.0, 0, None)


def standings_of(now: Contenders, limits: Limits, after: Contenders | None) -> tuple[Standing, ...]:
    """All strategies: the one to use, the others by speed, those without a run that counts; with
    what the runs `after` the race, from the cache's other state, say of each.
    """
    chosen = now.chosen
    ordered = [chosen, *now.by_speed(), *now.all] if chosen is not None else now.all
    standings = []
    for each in dict.fromkeys(ordered):
        why = each.failed or now.why_out(each)
        other = after.called(each.label) if after is not None else None
        figures = _figures(now, each, chosen, limits) if chosen and each.measured else {}
        if other is not None and other.kept:
            figures |= {"other_median_ns": other.median_ns, "other_runs": len(other.kept)}
        standing = Standing(
            label=each.label,
            strategy=each.told.strategy,
            config=each.config,
            state="failed" if each.failed else "dropped" if why else "racing",
            runs=len(each.kept),
            discarded=len(each.discarded),
            changed=changed_axes(each.told.strategy, each.config),
            why=why,
            kept=each is chosen and each is not now.best,
            **figures,
        )
        standings.append(standing)
    return tuple(standings)


def _limits_for(arm: Contender, measured: Sequence[Contender], limits: Limits) -> Limits:
    """What the storage can do, by the probe or by faster runs here.

    Without a probe a strategy's own rate is no limit, however fast it is: only what another one has
    reached, if that is about as much or more.
    """
    limits = limits_seen(limits, (run for each in measured for run in each.kept))
    if limits.device_bytes_per_s is not None:
        return limits
    others = (
        run for each in measured if each.told.strategy != arm.told.strategy for run in each.kept
    )
    seen = raised_by(limits, others)
    own = max((device_rate(run) or 0.0 for run in arm.kept), default=0.0)
    return seen if (seen.device_bytes_per_s or 0.0) >= _ABOUT_AS_FAST * own else limits


def _figures(now: Contenders, each: Contender, chosen: Contender, limits: Limits) -> dict[str, Any]:
    """What its runs that count say."""
    expected, typical = now.posterior.time(each.label), middle_run(each.kept)
    found = now.relation(each, chosen) if each is not chosen else _ITSELF
    seen = [run for one in now.measured for run in one.kept]
    return {
        "median_ns": each.median_ns,
        "expected_ns": expected.middle_ns,
        "expected_low_ns": expected.low_ns,
        "expected_high_ns": expected.high_ns,
        "against": chosen.label,
        "ratio": found.ratio,
        "ratio_low": found.low,
        "ratio_high": found.high,
        "coverage_share": found.coverage_share,
        "pairs": found.pairs,
        "held_bytes": each.held_bytes,
        "io_wait_share": typical.io_wait_share if typical is not None else None,
        "left_cached_share": median_of_known(run.residency_after_share for run in each.kept),
        "bottleneck": typical_bottleneck(each.kept, _limits_for(each, now.measured, limits), seen),
    }

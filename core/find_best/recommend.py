"""What Find best recommends, in words: which strategy, why, how sure, what speaks against it.

Advice outside of the load (fill the cache) gives two times that were both measured.
"""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING, Literal

from modelmon.core.comparison.decision import SAME_WITHIN
from modelmon.core.comparison.run_validity import spoiled, unverified_text
from modelmon.core.comparison.spread import (
    by_chance,
    faster_than,
    level_shift,
    likely_gain,
    likely_time,
    speed,
)
from modelmon.core.find_best.contenders import MEMORY_TOLERANCE
from modelmon.core.find_best.result import Advice, Recommendation
from modelmon.core.load.config import PROGRAM
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import (
    duration_text,
    limit_text,
    percent_text,
    size_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.comparison.result import Confidence
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.find_best.contenders import Contender, Contenders
    from modelmon.core.find_best.plan import SearchConditions
    from modelmon.core.find_best.result import Ending, Objective, Standing
    from modelmon.core.worker.events import Cache


Lead = Literal["too-few", "kept", "best-so-far", "best"]

RUNS_TO_LEAD = 2
"""With fewer runs a strategy only happens to be ahead."""
_HIGH, _MEDIUM = 0.9, 0.7
# The posterior's log-odds against how often it was right in 1,120 simulated races of 14 kinds of
# noise: it doubts variants of the leader too much, and no claim held in more than 98.5 of 100.
_OFFSET, _SLOPE, _MOST = 0.1, 1.05, 0.985


def told_chance(chance: float) -> float:
    """A chance of the posterior as often as it holds (benchmarks/races.py); what is decided while
    a race runs takes the posterior's own.
    """
    if chance >= _MOST:
        return _MOST
    odds = math.exp(_OFFSET) * math.pow(chance / (1 - chance), _SLOPE)
    return min(_MOST, odds / (1 + odds))


def confidence_of(chance: float) -> Confidence:
    """High, medium or low, by the chance that nothing tested would have been worth choosing."""
    return "high" if chance >= _HIGH else "medium" if chance >= _MEDIUM else "low"


def lead_of(standings: Sequence[Standing], ending: Ending) -> Lead:
    """What the first of a ranking may be called: with one run it doesn't lead, and nothing leads
    while another preset was not tested; what is kept since nothing is clearly faster is not the
    best; only a race that was decided has a best one. Variants
    join because of what leads, so that they don't take that from it.
    """
    untested = any(
        not each.runs and each.state == "racing" and not each.changed for each in standings
    )
    if standings[0].runs < RUNS_TO_LEAD or untested:
        return "too-few"
    if standings[0].kept:
        return "kept"
    return "best" if ending == "decided" else "best-so-far"


_NOTEWORTHY = 1.5


def advice_outside(
    inspection: Inspection, best: Standing, objective: Objective
) -> Iterator[Advice]:
    """Advice by what was measured of the `best`."""
    # Of a program's time only a part is reading.
    if best.config.library == PROGRAM or objective == "warm":
        return
    cold_ns, warm_ns = best.expected_ns, best.other_median_ns
    if cold_ns is None or warm_ns is None or not inspection.fits:
        return
    if cold_ns <= warm_ns * _NOTEWORTHY:
        return
    yield Advice(
        kind="fill-cache",
        text=Message("Fill the page cache before the start, when the time for it is free."),
        expected=Message(
            "{warm} instead of {cold}.", warm=duration_text(warm_ns), cold=duration_text(cold_ns)
        ),
        source=Message(
            "{other_runs} warm starts with {label}", other_runs=best.other_runs, label=best.label
        )
        if best.other_runs > 1
        else Message("1 warm start with {label}", label=best.label),
        command=f"modelmon warm {shlex.quote(inspection.reference)}",
    )


_NOTEWORTHY_MEMORY_SHARE = 0.5
LEFT_SHARE = 0.9
"""With so much of the file in the page cache at the end of a load it is left there."""
# More than one in so many is no exception that turns and medians outweigh.
_MOST_DISTURBED = 5
# A time from few starts from the other state is another one from here on.
_CLEARLY_FASTER = 1.5


def recommend(  # noqa: PLR0913, PLR0917  all that a race knows
    now: Contenders,
    standings: Sequence[Standing],
    shared: SearchConditions,
    ending: Ending,
    more_ns: int,
    advice: tuple[Advice, ...] = (),
) -> Recommendation:
    """The recommendation by the standings so far, the one to use first; at least one run counts.
    `more_ns` is for how long to continue where it isn't settled.
    """
    chosen, mine = now.chosen, standings[0]
    assert chosen is not None
    others = [other for other in standings[1:] if other.median_ns is not None]
    runner_up = others[0] if others else None
    unsure = _too_few(now, chosen)
    chance = told_chance(1 - now.chance_of_better(chosen))
    expected = now.posterior.time(chosen.label)
    outcome = _Outcome(now, chosen, shared, standings, ending)
    return Recommendation(
        label=chosen.label,
        strategy=chosen.told.strategy,
        config=chosen.config,
        sentence=outcome.sentence(),
        reasons=(
            *outcome.reasons(),
            *_limited_by(mine, shared, ending),
            *outcome.still_open(limit_text(more_ns)),
        ),
        confidence="low" if unsure else confidence_of(chance),
        confidence_reason=unsure or _chance(now, chosen, chance),
        chance=None if unsure else chance,
        expected_ns=expected.middle_ns,
        expected_low_ns=expected.low_ns,
        expected_high_ns=expected.high_ns,
        extrapolated=all(run.extrapolated for run in chosen.kept),
        runner_up=runner_up.label if runner_up else "",
        runner_up_wins=_when_runner_up_wins(mine, runner_up, shared) if runner_up else NOTHING,
        contradictions=(
            *_doubts(now, chosen, shared),
            *_next_start(mine, others, shared.cache),
            *_memory(mine, others, shared),
        ),
        advice=advice,
        exported=_exported(now, chosen),
        to_set=chosen.told.to_set,
        baseline=now.baseline.label if now.baseline is not None else "",
    )


class _Outcome:
    """The headline and what supports it: whether to keep what the person has, or what to use."""

    def __init__(
        self,
        now: Contenders,
        chosen: Contender,
        shared: SearchConditions,
        standings: Sequence[Standing],
        ending: Ending,
    ) -> None:
        self._now, self._chosen, self._shared = now, chosen, shared
        self._is_decided = ending == "decided"
        self._is_sure = self._is_decided or now.settled
        # The headline and the ranking say alike.
        self._is_early = lead_of(standings, ending) == "too-few"
        self._baseline = now.baseline
        self._keeps = chosen is self._baseline
        self._is_warm = shared.cache == "warm"
        time = duration_text(now.posterior.time(chosen.label).middle_ns)
        streamed = Message("{label}, streamed", label=chosen.label)
        label = streamed if shared.why_streamed else chosen.label
        self._figures: dict[str, Message | str] = {"label": label, "time": time}

    def sentence(self) -> Message:
        """What to do."""
        if self._is_early:
            return (
                Message("Too early to tell: keep {label} for now", **self._figures)
                if self._keeps
                else Message("Too early to tell: {label} leads so far", **self._figures)
            )
        held_bytes = self._chosen.held_bytes
        if self._now.wants_memory and held_bytes is not None:
            return self._least_memory(held_bytes)
        return self._keep() if self._keeps else self._use()

    def reasons(self) -> Iterator[Message]:
        """Why, with figures."""
        if self._shared.why_streamed:
            yield Message(
                "Stream the model with {label} instead of loading it whole: {why_streamed}.",
                label=self._chosen.label,
                why_streamed=self._shared.why_streamed,
            )
        rival = self._rival
        if self._keeps and rival is not None:
            found = self._now.relation(self._chosen, rival)
            yield likely_time(rival.label, found)
            if found.pairs > 1 and found.low > 1 and found.ratio >= SAME_WITHIN:
                yield by_chance(found.pairs)
        elif self._baseline is not None and not self._keeps:
            yield self._gain(self._baseline)

    def still_open(self, more: Message | str) -> Iterator[Message]:
        """What so much more time would settle."""
        others = (each for each in self._now.in_question() if each is not self._chosen)
        close = [each.label for each in others if not self._now.why_out(each)]
        if close and not self._is_sure:
            # Names of variants have commas in them.
            names = joined(close, "; ")
            yield Message(
                "Still close: {names}. Continue the search for {time}.", names=names, time=more
            )

    @property
    def _rival(self) -> Contender | None:
        """What else would be chosen."""
        best = self._now.best
        if best is not self._chosen:
            return best
        return next((each for each in self._now.in_question() if each is not self._chosen), None)

    def _use(self) -> Message:
        if not self._is_decided and self._baseline is not None:
            change = self._change(self._baseline)
            return Message("Use {label}: {change}", change=change, **self._figures)
        if self._chosen is not self._now.by_speed()[0]:
            return Message("Use {label}: as fast as any, {time}", **self._figures)
        if not self._is_decided:
            return Message("Use {label} for now: fastest so far, {time}", **self._figures)
        if self._is_warm:
            return Message("Use {label}: fastest warm start, {time}", **self._figures)
        return Message("Use {label}: fastest cold start, {time}", **self._figures)

    def _least_memory(self, held_bytes: int) -> Message:
        if self._keeps:
            return Message("Keep {label}: nothing as fast uses less memory", **self._figures)
        figures = self._figures | {
            "held": _held_text(held_bytes, self._shared),
            "share": percent_text(MEMORY_TOLERANCE - 1),
        }
        return (
            Message(
                "Use {label}: lowest memory within {share} of the fastest, {held}, {time} from a"
                " warm start",
                **figures,
            )
            if self._is_warm
            else Message(
                "Use {label}: lowest memory within {share} of the fastest, {held}, {time} from a"
                " cold start",
                **figures,
            )
        )

    def _keep(self) -> Message:
        rival, leads = self._rival, self._chosen is self._now.best
        nothing_is_faster = Message("Keep {label}: nothing here is faster", **self._figures)
        if rival is None:
            return nothing_is_faster
        found, figures = self._now.relation(self._chosen, rival), {"rival": rival.label}
        if found.low > 1 and found.ratio < SAME_WITHIN:
            figures["saved"] = percent_text(1 - 1 / found.ratio)
            return Message("Keep {label}: {rival} saves only {saved}", **figures, **self._figures)
        if self._is_sure and leads:
            return nothing_is_faster
        if self._is_sure and found.low <= 1:
            return Message("Keep {label}: {rival} is just as fast", **figures, **self._figures)
        if leads and found.high < 1:
            return Message("Keep {label}: fastest so far, {time}", **self._figures)
        return Message("No clear winner yet: keep {label}", **self._figures)

    def _gain(self, baseline: Contender) -> Message:
        """What a change brings over what the person has."""
        found, label = self._now.relation(baseline, self._chosen), baseline.label
        if found.low <= 1:
            return likely_time(label, self._now.relation(self._chosen, baseline))
        other = duration_text(self._now.posterior.time(label).middle_ns)
        figures = self._figures | {"change": self._change(baseline), "other": other}
        likely = likely_gain(found)
        return Message("{change}: {time} instead of {other} ({likely}).", **figures, likely=likely)

    def _change(self, baseline: Contender) -> Message:
        """How much faster what is chosen is, with what it is compared."""
        return faster_than(baseline.label, self._now.relation(baseline, self._chosen).ratio)


def _too_few(now: Contenders, chosen: Contender) -> Message:
    """Why nothing can be said yet of how sure it is; empty where something can."""
    untested = sum(1 for each in now.all if not each.measured and not each.unfit)
    if untested:
        return Message(
            "{untested} of {count} strategies weren't tested",
            untested=untested,
            count=len(now.all),
        )
    if len(chosen.kept) < RUNS_TO_LEAD:
        return Message("{label} has only one run that counts", label=chosen.label)
    if chosen is not now.best and not now.settled:
        return Message("no strategy is clearly faster yet")
    return NOTHING


def _chance(now: Contenders, chosen: Contender, chance: float) -> Message:
    """How sure it is, as a chance that a person can use."""
    figures = {"chance": percent_text(chance)}
    if now.wants_memory:
        return Message("{chance} likely the lowest memory of those fast enough", **figures)
    share = percent_text(now.within(chosen) - 1)
    return Message("{chance} likely within {share} of the best", **figures, share=share)


def _limited_by(best: Standing, shared: SearchConditions, ending: Ending) -> Iterator[Message]:
    """Where its time goes, and what helps where nothing that was tested does."""
    found = best.bottleneck
    if found is None or found.kind == "undecided":
        return
    yield Message("It {clause}.", clause=found.clause)
    keeps = best.label == shared.baseline and not best.kept and ending == "decided"
    if keeps and found.kind == "device-bandwidth" and not found.saves_share:
        yield found.remedy


def _exported(now: Contenders, chosen: Contender) -> str:
    """What an export can store: the best that loads within one process, with modelmon."""
    loadable = [each for each in now.measured if each.config.loads_here]
    stored = chosen if chosen in loadable else now.pick(loadable)
    return stored.label if stored is not None else ""


def _doubts(now: Contenders, chosen: Contender, shared: SearchConditions) -> Iterator[Message]:
    """What the figures do not cover."""
    if any(run.cache_evidence == "unknown" for run in chosen.kept):
        yield unverified_text(shared.cache)
    if shared.portion_bytes is not None:
        yield Message("Measured on a part of the model: {why}.", why=shared.why_portion)
    if shared.objective == "memory" and not now.wants_memory:
        yield Message("Memory couldn't be measured: the ranking is by time alone.")
    every = [run for each in now.measured for run in each.kept]
    shift = level_shift([[*each.kept, *each.discarded] for each in now.all])
    if shift is not None:
        yield shift.text
    disturbed = spoiled(every)
    if disturbed * _MOST_DISTURBED > len(every):
        yield Message(
            "{disturbed} of {count} runs were disturbed.", disturbed=disturbed, count=len(every)
        )


def _when_runner_up_wins(best: Standing, runner_up: Standing, shared: SearchConditions) -> Message:
    """When the second would be the better choice, by what was measured."""
    left, left_best = runner_up.left_cached_share, best.left_cached_share
    if left is not None and left_best is not None and left - left_best > 1 - LEFT_SHARE:
        return Message(
            "If you load the model again soon: it leaves {left} of the file in the page cache.",
            left=percent_text(left),
        )
    if _holds_less(runner_up, best):
        held = _held_text(runner_up.held_bytes or 0, shared)
        return Message("If memory is short: it uses {held} of private memory.", held=held)
    low, high = runner_up.ratio_low, runner_up.ratio_high
    if low is not None and high is not None and low <= 1 <= high:
        return Message("It may be just as fast: no clear difference.")
    return NOTHING


def _next_start(best: Standing, others: Sequence[Standing], cache: Cache) -> Iterator[Message]:
    """What starts from the cache's other state take."""
    if best.other_median_ns is None:
        return
    mine = duration_text(best.other_median_ns)
    if cache == "warm":
        yield Message("This is a warm start; a cold start takes {other}.", other=mine)
        return
    left = best.left_cached_share
    if left is None or left >= LEFT_SHARE:
        yield Message(
            "The next start takes {other}, as long as the file stays in the page cache.", other=mine
        )
    else:
        yield Message(
            "It leaves {left} of the file in the page cache, so the next start reads the disk"
            " again.",
            left=percent_text(left),
        )
    for other in others:
        other_ns = other.other_median_ns
        if other_ns is not None and other_ns * _CLEARLY_FASTER < best.other_median_ns:
            yield Message(
                "Warm starts are faster with {label}: {time} instead of {mine}.",
                label=other.label,
                time=duration_text(other_ns),
                mine=mine,
            )


def _memory(
    best: Standing, others: Sequence[Standing], shared: SearchConditions
) -> Iterator[Message]:
    if shared.objective == "memory":
        return
    less = next((other for other in others if _holds_less(other, best)), None)
    if less is not None and less.ratio is not None:
        yield Message(
            "It uses {held} of private memory; {label} uses {held2} ({change}).",
            held=_held_text(best.held_bytes or 0, shared),
            label=less.label,
            held2=_held_text(less.held_bytes or 0, shared),
            change=speed(1 / less.ratio),
        )


def _held_text(held_bytes: int, shared: SearchConditions) -> Message | str:
    """Its private memory; unlike times, that of a part says nothing of the whole."""
    held = size_text(held_bytes)
    if shared.portion_bytes is None:
        return held
    part = size_text(shared.portion_bytes)
    return Message("{held} (for {part} of the model)", held=held, part=part)


def _holds_less(one: Standing, other: Standing) -> bool:
    if one.held_bytes is None or other.held_bytes is None:
        return False
    return one.held_bytes < other.held_bytes * _NOTEWORTHY_MEMORY_SHARE

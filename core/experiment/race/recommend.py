"""What a race recommends: which way to load, why, how sure, and what speaks against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.race.elimination import PLAIN
from modelmon.core.experiment.race.pick import by_speed, pick
from modelmon.core.experiment.race.recommend_words import (
    contradictions,
    reasons,
    sentence,
    when_runner_up_wins,
)
from modelmon.core.experiment.race.result import Recommendation
from modelmon.core.experiment.simplicity import simpler
from modelmon.core.experiment.statistics.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.experiment.warned_runs import spoiled
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.bottleneck.kinds import Confidence
    from modelmon.core.experiment.race.field import Field, RaceArm
    from modelmon.core.experiment.race.plan import RaceConditions
    from modelmon.core.experiment.race.result import Advice, Ending, Standing


# More than one in so many is no exception that turns and medians outweigh.
_MOST_DISTURBED = 5


def recommend(
    field: Field,
    standings: Sequence[Standing],
    shared: RaceConditions,
    ending: Ending,
    advice: tuple[Advice, ...] = (),
) -> Recommendation:
    """The recommendation by the standings so far, best first; at least one run counts.

    It never names an arm that a simpler one may be as fast as (race/pick.py).
    """
    mine = standings[0]
    best = next(arm for arm in field.measured if arm.label == mine.label)
    by_label = {standing.label: standing for standing in standings}
    others = [by_label[arm.label] for arm in by_speed(field, field.measured) if arm is not best]
    runner_up = others[0] if others else None
    confidence, why = _confidence(field, best, shared, ending)
    times_ns = best.times_ns.values()
    return Recommendation(
        label=best.label,
        strategy=best.strategy,
        config=best.config,
        sentence=sentence(mine, others, shared.objective),
        reasons=reasons(mine, others, shared.objective),
        confidence=confidence,
        confidence_reason=why,
        expected_ns=best.median_ns,
        expected_low_ns=min(times_ns),
        expected_high_ns=max(times_ns),
        extrapolated=any(result.extrapolated for result in best.kept),
        runner_up=runner_up.label if runner_up else "",
        runner_up_wins=when_runner_up_wins(mine, runner_up) if runner_up else NOTHING,
        contradictions=contradictions(mine, others, shared.objective),
        advice=advice,
        exported=_exported(field, best, shared),
    )


def _exported(field: Field, best: RaceArm, shared: RaceConditions) -> str:
    """What an export can store: the best that loads within one process, with modelmon."""
    loadable = [
        arm
        for arm in field.measured
        if arm.config == arm.config.in_process and arm.config.library == "none"
    ]
    if best in loadable:
        return best.label
    stored = pick(field, loadable, shared.objective)
    return stored.label if stored is not None else ""


def _confidence(
    field: Field, best: RaceArm, shared: RaceConditions, ending: Ending
) -> tuple[Confidence, Message]:
    rounds = len(best.times_ns)
    runs = Message("1 run") if rounds == 1 else Message("{rounds} runs", rounds=rounds)
    untried = sum(1 for arm in field.arms if not arm.measured and not arm.failed)
    unsure = any(result.cache_evidence == "unknown" for result in best.kept)
    guessed = next((arm for arm in field.measured if _guessed(field, arm, best)), None)
    every = [result for arm in field.measured for result in arm.kept]
    disturbed, counted_runs = spoiled(every), len(every)
    doubts: tuple[tuple[bool, Confidence, Message], ...] = (
        (
            rounds < MIN_PAIRS_FOR_INTERVAL,
            "low",
            Message(
                "{runs} of it; a confidence interval needs {min_pairs_for_interval}",
                runs=runs,
                min_pairs_for_interval=MIN_PAIRS_FOR_INTERVAL,
            ),
        ),
        (
            untried > 0,
            "low",
            Message(
                "{untried} of {count} strategies weren't tested",
                untried=untried,
                count=len(field.arms),
            ),
        ),
        (
            unsure,
            "medium",
            Message("{runs} of it; cold starts couldn't be verified", runs=runs)
            if shared.cache == "cold"
            else Message("{runs} of it; warm starts couldn't be verified", runs=runs),
        ),
        (
            shared.portion_bytes is not None,
            "medium",
            Message(
                "{runs} of it, on a part of the model: {why_portion}",
                runs=runs,
                why_portion=shared.why_portion,
            ),
        ),
        (
            ending != "decided",
            "medium",
            Message("{runs} of it, but testing wasn't finished", runs=runs),
        ),
        (
            guessed is not None,
            "medium",
            Message(
                "{runs} of it; too few to be sure it beats {label}",
                runs=runs,
                label=guessed.label if guessed else "",
            ),
        ),
        (
            disturbed * _MOST_DISTURBED > counted_runs,
            "medium",
            Message(
                "{runs} of it, but {disturbed} of {counted_runs} runs were disturbed",
                runs=runs,
                disturbed=disturbed,
                counted_runs=counted_runs,
            ),
        ),
        (
            bool(best.discarded),
            "medium",
            Message("{runs} of it, {count} not counted", runs=runs, count=len(best.discarded)),
        ),
    )
    for doubt, confidence, why in doubts:
        if doubt:
            return confidence, why
    return "high", Message(
        "{runs} of it, alternating with the others, all started as requested", runs=runs
    )


def _guessed(field: Field, arm: RaceArm, best: RaceArm) -> bool:
    """Whether `best` beats the simpler `arm` only by a guess, and not by far."""
    found = field.relation(arm, best)
    return simpler(arm.config, best.config) and found.coverage_share is None and found.low < PLAIN

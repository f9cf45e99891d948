"""What a race recommends: which strategy, why, how sure, and what speaks against it."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from modelmon.core.best.confidence import (
    RUNS_TO_LEAD,
    chance_text,
    confidence_of,
    told_chance,
)
from modelmon.core.best.field import FAR_SLOWER
from modelmon.core.best.follow_up import LEFT_SHARE
from modelmon.core.best.pick import (
    MEMORY_TOLERANCE,
    WORTH_FACTOR,
    chance_of_better,
    in_question,
    pick,
)
from modelmon.core.best.result import Recommendation
from modelmon.core.compare.level_shift import level_shift
from modelmon.core.compare.simplicity import simpler, why_simpler
from modelmon.core.compare.speed import speed
from modelmon.core.compare.starts import unverified_text
from modelmon.core.compare.step_cause import step_text
from modelmon.core.compare.warned_runs import spoiled
from modelmon.core.load.config import PROGRAM
from modelmon.core.load.strategies import strategy
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import duration_text, percent_text, size_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.best.field import Field, RaceArm
    from modelmon.core.best.plan import RaceConditions
    from modelmon.core.best.result import (
        Advice,
        Ending,
        MoreTime,
        Objective,
        Standing,
    )

_MOST_TOLD = 3
_NOTEWORTHY_MEMORY_SHARE = 0.5
# More than one in so many is no exception that turns and medians outweigh.
_MOST_DISTURBED = 5
_MOSTLY = 0.5


def recommend(  # noqa: PLR0913  all that a race knows
    field: Field,
    standings: Sequence[Standing],
    shared: RaceConditions,
    ending: Ending,
    *,
    after: Field,
    advice: tuple[Advice, ...] = (),
    more: tuple[MoreTime, ...] = (),
) -> Recommendation:
    """The recommendation by the standings so far, best first; at least one run counts. `after` has
    the runs from the cache's other state, `more` what more time would bring.
    """
    mine = standings[0]
    best = next(arm for arm in field.measured if arm.label == mine.label)
    others = [other for other in standings[1:] if other.median_ns is not None]
    runner_up = others[0] if others else None
    chance = told_chance(1 - chance_of_better(field, best, shared.objective))
    untested = sum(1 for arm in field.arms if not arm.measured and not arm.unfit)
    unsure = _too_few(mine, untested, len(field.arms))
    expected = field.posterior.time(best.label)
    return Recommendation(
        label=best.label,
        strategy=best.strategy,
        config=best.config,
        sentence=_sentence(mine, others, shared, ending),
        reasons=(
            *_streamed(mine, shared),
            *_reasons(mine, others, shared),
            *_before_reading(best),
            *_unsettled(field, best, shared, more),
        ),
        confidence="low" if unsure else confidence_of(chance),
        confidence_reason=unsure or _chance(chance, shared.objective),
        chance=None if unsure else chance,
        expected_ns=expected.middle_ns,
        expected_low_ns=expected.low_ns,
        expected_high_ns=expected.high_ns,
        extrapolated=all(result.extrapolated for result in best.kept),
        runner_up=runner_up.label if runner_up else "",
        runner_up_wins=_when_runner_up_wins(mine, runner_up, shared) if runner_up else NOTHING,
        contradictions=(
            *_doubts(field, best, shared),
            *_next_start(mine, others, shared.objective),
            *_other_best(mine, after, shared),
            *_memory(mine, others, shared),
        ),
        advice=advice,
        exported=_exported(field, best, shared),
        more_time=more,
        to_set=best.told.to_set,
    )


def _too_few(best: Standing, untested: int, count: int) -> Message:
    """Why nothing can be said yet of how sure it is; empty where something can."""
    if untested:
        return Message(
            "{untested} of {count} strategies weren't tested", untested=untested, count=count
        )
    if best.runs < RUNS_TO_LEAD:
        return Message("{label} has only one run that counts", label=best.label)
    return NOTHING


def _exported(field: Field, best: RaceArm, shared: RaceConditions) -> str:
    """What an export can store: the best that loads within one process, with modelmon."""
    loadable = [arm for arm in field.measured if arm.config.loads_here]
    stored = best if best in loadable else pick(field, loadable, shared.objective)
    return stored.label if stored is not None else ""


def _streamed(best: Standing, shared: RaceConditions) -> Iterator[Message]:
    """That the model is not to be loaded whole, and why."""
    if shared.why_streamed:
        yield Message(
            "Stream the model with {label} instead of loading it whole: {why_streamed}.",
            label=best.label,
            why_streamed=shared.why_streamed,
        )


def _sentence(
    best: Standing, others: Sequence[Standing], shared: RaceConditions, ending: Ending
) -> Message:
    """What to do."""
    assert best.expected_ns is not None
    objective = shared.objective
    figures = {"label": best.label, "time": duration_text(best.expected_ns)}
    if shared.why_streamed:
        figures["label"] = Message("{label}, streamed", label=best.label)
    if ending != "decided":
        return (
            Message("Use {label} for now: about {time} from a warm start", **figures)
            if shared.cache == "warm"
            else Message("Use {label} for now: about {time} from a cold start", **figures)
        )
    if objective == "memory" and best.held_bytes is not None:
        held = _held_text(best, shared)
        return (
            Message(
                "Use {label}: lowest memory, {held}, about {time} from a warm start",
                **figures,
                held=held,
            )
            if shared.cache == "warm"
            else Message(
                "Use {label}: lowest memory, {held}, about {time} from a cold start",
                **figures,
                held=held,
            )
        )
    if best.label == shared.baseline and others:
        return (
            Message("Keep {label}: no strategy is faster here, about {time}", **figures)
            if _is_held_by_disk(best)
            else Message("Keep {label}: nothing tested is clearly faster, about {time}", **figures)
        )
    return (
        Message("Use {label}: fastest warm start, about {time}", **figures)
        if shared.cache == "warm"
        else Message("Use {label}: fastest cold start, about {time}", **figures)
    )


def _chance(chance: float, objective: Objective) -> Message:
    """How sure it is, as a chance that a person can use."""
    if objective == "memory":
        return Message(
            "{chance} that nothing tested uses less memory and is fast enough",
            chance=chance_text(chance),
        )
    return Message(
        "{chance} that nothing tested is more than {share} faster",
        chance=chance_text(chance),
        share=percent_text(WORTH_FACTOR - 1),
    )


def _reasons(
    best: Standing, others: Sequence[Standing], shared: RaceConditions
) -> Iterator[Message]:
    """Why this one: what it beats, what it is preferred to, and where its time goes."""
    if shared.objective == "memory" and best.held_bytes is not None:
        yield Message(
            "It uses the least private memory of the strategies within"
            " {memory_tolerance}× the fastest time.",
            memory_tolerance=f"{MEMORY_TOLERANCE:g}",
        )
    yield from _beaten(best, others, shared.baseline)
    yield from _as_fast(best, others)
    is_ours = best.config.library != PROGRAM
    if is_ours and others and not any(simpler(other.config, best.config) for other in others):
        yield Message("It's the simplest strategy tested.")
    if best.bottleneck is not None and best.bottleneck.kind != "undecided":
        yield Message("It {clause}.", clause=best.bottleneck.clause)
    if best.label == shared.baseline and _is_held_by_disk(best):
        yield Message("Only a faster disk or a smaller file helps.")


def _is_held_by_disk(best: Standing) -> bool:
    """Whether it reads as fast as its storage gives."""
    return best.bottleneck is not None and best.bottleneck.kind == "device-bandwidth"


def _before_reading(best: RaceArm) -> Iterator[Message]:
    """That most of a program's wait is no load at all; of loads of ours none is."""
    shares = [run.first_byte_ns / run.wall_ns for run in best.kept if run.first_byte_ns]
    if shares and (share := median(shares)) >= _MOSTLY:
        yield Message(
            "{share} of the wait is before it reads the model: load settings don't change that.",
            share=percent_text(share),
        )


def _beaten(best: Standing, others: Sequence[Standing], baseline_label: str) -> Iterator[Message]:
    below = [other for other in others if simpler(other.config, best.config)]
    baseline = [other for other in others if other.label == baseline_label]
    told: set[str] = set()
    for other in (*baseline, *below[:1]):
        if other.ratio is None or other.ratio <= 1 or other.label in told:
            continue
        told.add(other.label)
        what = (
            Message("what the program does by itself")
            if other.config.library == PROGRAM
            else Message("the usual strategy")
            if other in baseline
            else Message("the fastest simpler strategy")
        )
        bounds = _bounds(other, other.ratio_low, other.ratio_high)
        figures = {"beaten": other.label, "what": what, "bounds": bounds}
        if other.ratio_low is not None and other.ratio_low <= 1:
            yield Message("No clear difference from {beaten}, {what} ({bounds}).", **figures)
        else:
            yield Message(
                "Compared with {beaten}, {what}: {change} ({bounds}).",
                change=speed(other.ratio),
                **figures,
            )


def _as_fast(best: Standing, others: Sequence[Standing]) -> Iterator[Message]:
    ahead = [(other, other.ratio) for other in others if other.ratio and other.ratio < 1]
    for other, ratio in ahead[:_MOST_TOLD]:
        low, high = (each and 1 / each for each in (other.ratio_high, other.ratio_low))
        figures = {
            "label": other.label,
            "change": speed(1 / ratio),
            "bounds": _bounds(other, low, high),
        }
        if why := why_simpler(best.config, other.config):
            yield Message(
                "{label}: {change} ({bounds}), but {best} is simpler: {why}.",
                **figures,
                best=best.label,
                why=why,
            )
        else:
            yield Message("{label}: {change} ({bounds}).", **figures)
    if others and not ahead:
        yield (
            Message("The other one wasn't faster.")
            if len(others) == 1
            else Message("None of the {count} others was faster.", count=len(others))
        )


def _bounds(standing: Standing, low: float | None, high: float | None) -> Message:
    """What bounds a speed."""
    if low is None or high is None:
        return Message("range unknown")
    figures = {"low": three_figures(low), "high": three_figures(high)}
    if standing.coverage_share is None:
        return Message("about {low}× to {high}×, too few runs", **figures)
    return Message("very likely {low}× to {high}×", **figures)


def _unsettled(
    field: Field, best: RaceArm, shared: RaceConditions, more: Sequence[MoreTime]
) -> Iterator[Message]:
    """What more time would bring."""
    close = [arm.label for arm in in_question(field, shared.objective) if arm is not best]
    if more and close:
        # Names of variants have commas in them.
        figures = {"names": joined(close, "; "), "time": duration_text(more[0].extra_ns)}
        yield (
            Message("Still close: {names}. About {time} more would settle it.", **figures)
            if more[0].gain_share < WORTH_FACTOR - 1
            else Message(
                "Still close: {names}. With {time} more, at most {share} would be left to gain.",
                **figures,
                share=percent_text(more[0].gain_share),
            )
        )


def _doubts(field: Field, best: RaceArm, shared: RaceConditions) -> Iterator[Message]:
    """What the figures do not cover."""
    if any(result.cache_evidence == "unknown" for result in best.kept):
        yield unverified_text(shared.cache)
    if shared.portion_bytes is not None:
        yield (
            Message("Measured on a part of the model: {why}.", why=shared.why_portion)
            if all(result.extrapolated for result in best.kept)
            else Message(
                "Most runs loaded a part of the model: {why}. Then loaded whole: {names}.",
                why=shared.why_portion,
                names="; ".join(
                    arm.label
                    for arm in field.measured
                    if any(not result.extrapolated for result in arm.kept)
                ),
            )
        )
    shift = level_shift([[*arm.kept, *arm.discarded] for arm in field.measured])
    every = [result for arm in field.measured for result in arm.kept]
    if shift is not None:
        yield step_text(shift, every)
    disturbed = spoiled(every)
    if disturbed * _MOST_DISTURBED > len(every):
        yield Message(
            "{disturbed} of {count} runs were disturbed.", disturbed=disturbed, count=len(every)
        )


def _when_runner_up_wins(best: Standing, runner_up: Standing, shared: RaceConditions) -> Message:
    """When the second would be the better choice: by what was measured, or as a rule of thumb."""
    left, left_best = runner_up.left_cached_share, best.left_cached_share
    if left is not None and left_best is not None and left - left_best > 1 - LEFT_SHARE:
        return Message(
            "If you load the model again soon: it leaves {left} of the file in the page cache.",
            left=percent_text(left),
        )
    if _holds_less(runner_up, best):
        return Message(
            "If memory is short: it uses {held} of private memory.",
            held=_held_text(runner_up, shared),
        )
    if runner_up.ratio_low is not None and runner_up.ratio_low <= 1:
        if runner_up.coverage_share is None:
            return Message("It may be as fast or faster: too few runs to tell.")
        return Message("It may be just as fast: no clear difference.")
    if simpler(runner_up.config, best.config):
        return Message(
            "If you prefer simpler: {why_simpler}.",
            why_simpler=why_simpler(runner_up.config, best.config),
        )
    return _rule_of_thumb(runner_up)


def _rule_of_thumb(arm: Standing) -> Message:
    """When it wins as a rule; of a program there is none."""
    if arm.config.library == PROGRAM:
        return NOTHING
    return Message("Rule of thumb: {rule}", rule=strategy(arm.strategy).when_it_wins)


def _next_start(
    best: Standing, others: Sequence[Standing], objective: Objective
) -> Iterator[Message]:
    if best.other_expected_ns is None:
        return
    assert best.median_ns is not None
    other = duration_text(best.other_expected_ns)
    if objective == "warm":
        yield Message("This is a warm start; a cold start takes {other}.", other=other)
        return
    left = best.left_cached_share
    if left is not None and left < LEFT_SHARE:
        text = Message(
            "It leaves {left} of the file in the page cache, so the next start reads"
            " the disk again",
            left=percent_text(left),
        )
        for arm in others:
            if arm.other_expected_ns is not None and (arm.left_cached_share or 0.0) >= LEFT_SHARE:
                text = Message(
                    "{text}; {label} leaves it cached and then starts in {time}",
                    text=text,
                    label=arm.label,
                    time=duration_text(arm.other_expected_ns),
                )
                break
        yield Message("{text}.", text=text)
    else:
        yield Message(
            "The next start takes {other}, as long as the file stays in the page cache.",
            other=other,
        )


def _other_best(best: Standing, after: Field, shared: RaceConditions) -> Iterator[Message]:
    """What is clearly faster from the cache's other state."""
    conditions = shared.from_other_start
    if conditions is None:
        return
    other = pick(after, after.measured, conditions.objective)
    mine = next((arm for arm in after.measured if arm.label == best.label), None)
    if other is None or mine is None or mine is other:
        return
    found = after.relation(mine, other)
    # Single runs tell no more than what is far slower, which has no second one.
    few = found.coverage_share is None and found.ratio < FAR_SLOWER
    if few or found.low <= 1:
        return
    figures = {
        "label": other.label,
        "time": duration_text(after.posterior.time(other.label).middle_ns),
        "mine": duration_text(after.posterior.time(mine.label).middle_ns),
    }
    yield (
        Message("Warm starts are faster with {label}: {time} instead of {mine}.", **figures)
        if conditions.cache == "warm"
        else Message("Cold starts are faster with {label}: {time} instead of {mine}.", **figures)
    )


def _memory(
    best: Standing, others: Sequence[Standing], shared: RaceConditions
) -> Iterator[Message]:
    if shared.objective == "memory":
        return
    less = next((other for other in others if _holds_less(other, best)), None)
    if less is not None and less.ratio is not None:
        yield (
            Message(
                "It uses {held} of private memory; {label} uses {held2} ({change}).",
                held=_held_text(best, shared),
                label=less.label,
                held2=_held_text(less, shared),
                change=speed(1 / less.ratio),
            )
        )


def _held_text(arm: Standing, shared: RaceConditions) -> Message | str:
    """Its private memory; unlike times, that of a part says nothing of the whole."""
    held = size_text(arm.held_bytes or 0)
    if shared.portion_bytes is None:
        return held
    part = size_text(shared.portion_bytes)
    return Message("{held} (for {part} of the model)", held=held, part=part)


def _holds_less(arm: Standing, other: Standing) -> bool:
    if arm.held_bytes is None or other.held_bytes is None:
        return False
    return arm.held_bytes < other.held_bytes * _NOTEWORTHY_MEMORY_SHARE

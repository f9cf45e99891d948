"""The sentences of a recommendation, each with its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.race.confidence import any_ahead, at_odds
from modelmon.core.experiment.race.follow_up import LEFT_SHARE
from modelmon.core.experiment.race.pick import MEMORY_TOLERANCE
from modelmon.core.experiment.simplicity import simpler, why_simpler
from modelmon.core.experiment.statistics.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.load.strategies import strategy
from modelmon.core.messages import Message
from modelmon.core.units import duration_text, percent_text, size_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.experiment.race.result import Objective, Standing

_BASELINE = "mmap"
_MOST_TOLD = 3
_NOTEWORTHY_MEMORY_SHARE = 0.5


def sentence(best: Standing, others: Sequence[Standing], objective: Objective) -> Message:
    """The answer; where the runs are too few for one, who leads, or is the simpler one that those
    that seem faster do not beat yet.
    """
    assert best.median_ns is not None
    few = best.runs < MIN_PAIRS_FOR_INTERVAL
    verb = Message("Use {label}", label=best.label)
    if (few and any_ahead(others)) or few:
        verb = Message("Use {label} for now", label=best.label)
    time = duration_text(best.median_ns)
    found = (
        Message("{time} from a warm start", time=time)
        if objective == "warm"
        else Message("{time} from a cold start", time=time)
    )
    if objective == "memory" and best.held_bytes is not None:
        found = Message(
            "{found}, {held} private memory", found=found, held=size_text(best.held_bytes)
        )
    if few:
        return Message("{verb}: {found}. Too few runs to rank.", verb=verb, found=found)
    return Message("{verb}: {found}.", verb=verb, found=found)


def reasons(
    best: Standing, others: Sequence[Standing], objective: Objective
) -> tuple[Message, ...]:
    """Why this one: what it beats, what it is preferred to, and where its time goes."""
    found = [*_beaten(best, others), *_inside_noise(best, others)]
    if objective == "memory" and best.held_bytes is not None:
        found.insert(
            0,
            Message(
                "It uses the least private memory of the strategies within"
                " {memory_tolerance}× the fastest time.",
                memory_tolerance=f"{MEMORY_TOLERANCE:g}",
            ),
        )
    if not any(simpler(other.config, best.config) for other in others) and others:
        found.append(Message("It's the simplest strategy tested."))
    if best.bottleneck is not None and best.bottleneck.kind != "undecided":
        found.append(Message("It {clause}.", clause=best.bottleneck.clause))
    return tuple(found)


def when_runner_up_wins(best: Standing, runner_up: Standing) -> Message:
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
            held=size_text(runner_up.held_bytes or 0),
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
    rule = strategy(runner_up.strategy).when_it_wins
    return Message("Rule of thumb: {rule}", rule=rule)


def contradictions(
    best: Standing, others: Sequence[Standing], objective: Objective
) -> tuple[Message, ...]:
    """What the objective does not see and the next start or another program will."""
    return (*_next_start(best, others, objective), *_memory(best, others, objective))


def _beaten(best: Standing, others: Sequence[Standing]) -> Iterator[Message]:
    below = [other for other in others if simpler(other.config, best.config)]
    baseline = [other for other in others if other.label == _BASELINE]
    told: set[str] = set()
    for other in (*below[:1], *baseline):
        if other.ratio is None or other.ratio <= 1 or other.label in told:
            continue
        told.add(other.label)
        what = (
            Message("the fastest simpler strategy")
            if other in below[:1]
            else Message("the usual strategy")
        )
        figures = {
            "ratio": three_figures(other.ratio),
            "beaten": other.label,
            "what": what,
            "bounds": _bounds(other),
        }
        # A few runs tell what was, and not what is.
        yield (
            Message("It's {ratio}× as fast as {beaten}, {what} ({bounds}).", **figures)
            if other.coverage_share is not None
            else Message("It was {ratio}× as fast as {beaten}, {what} ({bounds}).", **figures)
        )


def _inside_noise(best: Standing, others: Sequence[Standing]) -> Iterator[Message]:
    ahead = [other for other in others if other.ratio is not None and other.ratio < 1]
    for other in ahead[:_MOST_TOLD]:
        text = Message(
            "{label} took {ratio}× as long ({bounds})",
            label=other.label,
            ratio=three_figures(other.ratio or 0),
            bounds=_bounds(other),
        )
        if other.ratio_high is not None and other.ratio_high < 1:
            yield Message(
                "{text}, but a simpler strategy may be as fast.",
                text=text,
            )
        elif why := why_simpler(best.config, other.config):
            yield Message("{text}: no clear difference; it's simpler: {why}.", text=text, why=why)
        else:
            yield Message("{text}: no clear difference.", text=text)
    if others and not ahead:
        count = len(others)
        yield (
            Message("None of the {count} others was faster in the same rounds.", count=count)
            if any(at_odds(other, best) for other in others)
            else Message("None of the {count} others was faster.", count=count)
        )


def _bounds(standing: Standing) -> Message:
    low, high = standing.ratio_low, standing.ratio_high
    if low is None or high is None:
        return Message("range unknown")
    text = f"{three_figures(low)}-{three_figures(high)}"
    if standing.coverage_share is not None:
        sure = percent_text(standing.coverage_share)
        return Message("{sure}: {bounds}", sure=sure, bounds=text)
    return Message("about {text}, too few runs", text=text)


def _next_start(
    best: Standing, others: Sequence[Standing], objective: Objective
) -> Iterator[Message]:
    if best.other_median_ns is None:
        return
    assert best.median_ns is not None
    other = duration_text(best.other_median_ns)
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
        leaves_cached = next((arm for arm in others if arm.other_median_ns is not None), None)
        if leaves_cached is not None and leaves_cached.other_median_ns is not None:
            text = Message(
                "{text}; {label} leaves it cached and then starts in {time}",
                text=text,
                label=leaves_cached.label,
                time=duration_text(leaves_cached.other_median_ns),
            )
        yield Message("{text}.", text=text)
    else:
        yield Message(
            "The next start takes {other}, as long as the file stays in the page cache.",
            other=other,
        )


def _memory(best: Standing, others: Sequence[Standing], objective: Objective) -> Iterator[Message]:
    if objective == "memory":
        return
    less = next((other for other in others if _holds_less(other, best)), None)
    if less is not None and less.ratio is not None:
        yield (
            Message(
                "It uses {held} of private memory; {label} uses {held2} and takes"
                " {ratio}× as long.",
                held=size_text(best.held_bytes or 0),
                label=less.label,
                held2=size_text(less.held_bytes or 0),
                ratio=three_figures(less.ratio),
            )
        )


def _holds_less(arm: Standing, other: Standing) -> bool:
    if arm.held_bytes is None or other.held_bytes is None:
        return False
    return arm.held_bytes < other.held_bytes * _NOTEWORTHY_MEMORY_SHARE

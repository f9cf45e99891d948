"""The sentences of a recommendation, each with its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.race.follow_up import LEFT_SHARE
from modelmon.core.experiment.race.pick import MEMORY_TOLERANCE
from modelmon.core.experiment.race.simplicity import simpler, why_simpler
from modelmon.core.experiment.race.sureness import any_ahead, at_odds
from modelmon.core.experiment.statistics.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.experiment.verdict import times_text
from modelmon.core.load.strategies import strategy
from modelmon.core.units import duration_text, percent_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.experiment.race.result import Objective, Standing

_BASELINE = "mmap"
_MOST_TOLD = 3
_NOTEWORTHY_MEMORY_SHARE = 0.5


def sentence(best: Standing, others: Sequence[Standing], objective: Objective) -> str:
    """The answer; where the runs are too few for one, who leads, or is the simpler one that those
    that seem faster do not beat yet.
    """
    assert best.median_ns is not None
    start = "a restart" if objective == "warm" else "a first start"
    few = best.runs < MIN_PAIRS_FOR_INTERVAL
    verb = f"Load it with {best.label}"
    if few and any_ahead(others):
        verb = f"So far nothing beats {best.label} beyond the noise"
    elif few:
        verb = f"{best.label} leads so far"
    text = f"{verb}: {duration_text(best.median_ns)} for {start}"
    if objective == "memory" and best.held_bytes is not None:
        text += f", holding {size_text(best.held_bytes)}"
    doubt = ", but too few runs to rank" if few else ""
    return f"{text}{doubt}."


def reasons(best: Standing, others: Sequence[Standing], objective: Objective) -> tuple[str, ...]:
    """Why this one: what it beats, what it is preferred to, and where its time goes."""
    found = [*_beaten(best, others), *_inside_noise(best, others)]
    if objective == "memory" and best.held_bytes is not None:
        found.insert(
            0,
            f"It holds the least memory of those within {MEMORY_TOLERANCE:g} times the fastest;"
            " mapped pages of the file, which the system can take back, are not counted.",
        )
    if not any(simpler(other.config, best.config) for other in others) and others:
        found.append("No simpler one was measured.")
    if best.bottleneck is not None and best.bottleneck.kind != "undecided":
        found.append(f"It {best.bottleneck.clause}.")
    return tuple(found)


def when_runner_up_wins(best: Standing, runner_up: Standing) -> str:
    """When the second would be the better choice: by what was measured, or as a rule of thumb."""
    left, left_best = runner_up.left_cached_share, best.left_cached_share
    if left is not None and left_best is not None and left - left_best > 1 - LEFT_SHARE:
        return (
            "When the model is loaded again soon: it leaves"
            f" {percent_text(left)} of the file in the page cache."
        )
    if _holds_less(runner_up, best):
        return f"When memory is short: it holds {size_text(runner_up.held_bytes or 0)}."
    if runner_up.ratio_low is not None and runner_up.ratio_low <= 1:
        if runner_up.coverage_share is None:
            return "It may be as fast, or faster: too few runs to tell."
        return "It may be as fast: the race saw no difference beyond the noise."
    if simpler(runner_up.config, best.config):
        return f"When less is to be had: {why_simpler(runner_up.config, best.config)}."
    rule = strategy(runner_up.strategy).when_it_wins
    return f"By rule of thumb: {rule}"


def contradictions(
    best: Standing, others: Sequence[Standing], objective: Objective
) -> tuple[str, ...]:
    """What the objective does not see and the next start or another program will."""
    return (*_next_start(best, others, objective), *_memory(best, others, objective))


def _beaten(best: Standing, others: Sequence[Standing]) -> Iterator[str]:
    below = [other for other in others if simpler(other.config, best.config)]
    baseline = [other for other in others if other.label == _BASELINE]
    told: set[str] = set()
    for other in (*below[:1], *baseline):
        if other.ratio is None or other.ratio <= 1 or other.label in told:
            continue
        told.add(other.label)
        what = "the fastest of the simpler ones" if other in below[:1] else "the usual way"
        # A few runs tell what was, and not what is.
        verb = "is" if other.coverage_share is not None else "was"
        yield (
            f"It {verb} {times_text(other.ratio)} times as fast as {other.label}, {what}"
            f" ({_bounds(other)})."
        )


def _inside_noise(best: Standing, others: Sequence[Standing]) -> Iterator[str]:
    ahead = [other for other in others if other.ratio is not None and other.ratio < 1]
    for other in ahead[:_MOST_TOLD]:
        text = f"{other.label} took {times_text(other.ratio or 0)} times as long ({_bounds(other)})"
        if other.ratio_high is not None and other.ratio_high < 1:
            yield f"{text}, but a simpler one may be as fast as that, and none between was decided."
        elif why := why_simpler(best.config, other.config):
            yield f"{text}: inside the noise, and this one is simpler, for {why}."
        else:
            yield f"{text}: inside the noise."
    if others and not ahead:
        where = " in the same rounds" if any(at_odds(other, best) for other in others) else ""
        yield f"None of the {len(others)} others was faster{where}."


def _bounds(standing: Standing) -> str:
    low, high = standing.ratio_low, standing.ratio_high
    if low is None or high is None:
        return "bounds unknown"
    text = f"{times_text(low)}-{times_text(high)}"
    if standing.coverage_share is not None:
        return f"{percent_text(standing.coverage_share)}: {text}"
    return f"about {text}, for want of runs"


def _next_start(best: Standing, others: Sequence[Standing], objective: Objective) -> Iterator[str]:
    if best.other_median_ns is None:
        return
    assert best.median_ns is not None
    other = duration_text(best.other_median_ns)
    if objective == "warm":
        yield f"That is from a filled cache: a first start takes {other}."
        return
    left = best.left_cached_share
    if left is not None and left < LEFT_SHARE:
        text = (
            f"It leaves {percent_text(left)} of the file in the page cache, so the next start"
            " has to fetch it again"
        )
        keeper = next((arm for arm in others if arm.other_median_ns is not None), None)
        if keeper is not None and keeper.other_median_ns is not None:
            text += (
                f"; {keeper.label} leaves it there and then starts in"
                f" {duration_text(keeper.other_median_ns)}"
            )
        yield f"{text}."
    else:
        yield f"The next start takes {other}, as long as the file stays in the page cache."


def _memory(best: Standing, others: Sequence[Standing], objective: Objective) -> Iterator[str]:
    if objective == "memory":
        return
    less = next((other for other in others if _holds_less(other, best)), None)
    if less is not None and less.ratio is not None:
        yield (
            f"It holds {size_text(best.held_bytes or 0)} that the system cannot take back;"
            f" {less.label} holds {size_text(less.held_bytes or 0)}"
            f" and takes {times_text(less.ratio)} times as long."
        )


def _holds_less(arm: Standing, other: Standing) -> bool:
    if arm.held_bytes is None or other.held_bytes is None:
        return False
    return arm.held_bytes < other.held_bytes * _NOTEWORTHY_MEMORY_SHARE

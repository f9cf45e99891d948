"""A step in the times of all arms alike: storage that changed while it was measured.

A throttle, another reader or a drive whose fast cache is full show like this. Where all runs
before a moment are faster than all after it, by more than the noise of either, neighbours on both
sides of it are no neighbours.
"""

from __future__ import annotations

from math import exp, log
from operator import itemgetter
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.messages import Message
from modelmon.core.units import two_figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.worker.result import RunResult

_LEAST_RUNS = 4
"""On each side; of noise that a machine really has fewer are parted by chance."""
_LEAST_GAP = log(1.25)
"""Between the slowest run of the faster side and the fastest of the slower one."""
_MOST_APART = log(1.5)
"""Where one arm's times change by more than another's, it is not the storage alone."""


class LevelShift(NamedTuple):
    """From run number `run` on (from 1, of all runs) loads took `factor` times as long."""

    factor: float
    run: int
    started_unix_s: float

    def is_before(self, run: RunResult) -> bool:
        """Whether a run belongs to the time before it."""
        return run.started_unix_s < self.started_unix_s

    @property
    def text(self) -> Message:
        """What happened, as a sentence."""
        if self.factor > 1:
            return Message(
                "From run {run} on, all loads took {factor} times as long: the storage or the"
                " machine changed.",
                factor=two_figures(self.factor),
                run=self.run,
            )
        return Message(
            "From run {run} on, all loads were {factor} times as fast: the storage or the machine"
            " changed.",
            factor=two_figures(1 / self.factor),
            run=self.run,
        )


def level_shift(arms: Sequence[Sequence[RunResult]]) -> LevelShift | None:
    """The clearest step that the runs of all arms have in common; None where there is none.

    Runs that do not count are left out. An arm that has runs on one side only tells nothing of it.
    """
    runs = sorted(
        (
            (run.started_unix_s, log(run.wall_ns), arm)
            for arm, results in enumerate(arms)
            for run in results
            if run.counts and run.wall_ns
        ),
        key=itemgetter(0),
    )
    found: tuple[float, LevelShift] | None = None
    for at in range(_LEAST_RUNS, len(runs) - _LEAST_RUNS + 1):
        before, after = runs[:at], runs[at:]
        gap, shift = _parted(before, after)
        if gap >= _LEAST_GAP and (found is None or gap > found[0]):
            began_unix_s = after[0][0]
            earlier = sum(run.started_unix_s < began_unix_s for results in arms for run in results)
            found = gap, LevelShift(exp(shift), earlier + 1, began_unix_s)
    return found[1] if found is not None else None


def _parted(
    before: Sequence[tuple[float, float, int]], after: Sequence[tuple[float, float, int]]
) -> tuple[float, float]:
    """How far all runs of one side lie above all of the other, and by how much in the middle; logs.

    Each arm's runs are taken from the middle between its sides.
    """
    sides: tuple[list[float], list[float]] = ([], [])
    shifts = []
    for arm in {run[2] for run in before} & {run[2] for run in after}:
        early, late = ([log_ns for _, log_ns, of in side if of == arm] for side in (before, after))
        middle = (median(early) + median(late)) / 2
        shifts.append(median(late) - median(early))
        sides[0].extend(value - middle for value in early)
        sides[1].extend(value - middle for value in late)
    alike = len(shifts) > 1 and max(shifts) - min(shifts) <= _MOST_APART
    if not alike or min(map(len, sides)) < _LEAST_RUNS:
        return 0.0, 0.0
    slower, faster = (sides[1], sides[0]) if median(shifts) > 0 else (sides[0], sides[1])
    return min(slower) - max(faster), median(shifts)

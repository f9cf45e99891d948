"""A step in the times of all arms alike: storage that changed while it was measured.

A throttle, another reader or a drive whose fast cache is full show like this. Neighbors on both
sides of it are no neighbors.
"""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.compare.change_point import change_points
from modelmon.core.compare.speed import speed
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.worker.result import RunResult

_LEAST_RUNS = 4
"""On each side; of noise that a machine really has fewer are parted by chance."""
_LEAST_GAP = log(1.25)
"""Between the slowest run of the faster side and the fastest of the slower one: runs resemble
their neighbors, so that chance parts them more often than it does days."""


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
        return Message(
            "The storage or the machine changed. All loads from run {run} on: {change}.",
            change=speed(1 / self.factor),
            run=self.run,
        )


def level_shift(arms: Sequence[Sequence[RunResult]]) -> LevelShift | None:
    """The clearest step that the runs of all arms have in common; None where there is none.

    Runs that do not count are left out. An arm that has runs on one side only tells nothing of it.
    """
    runs = sorted(
        ((arm, run) for arm, results in enumerate(arms) for run in results),
        key=lambda each: each[1].started_unix_s,
    )
    times: dict[int, dict[int, float]] = {}
    for number, (arm, run) in enumerate(runs):
        if run.counts and run.timed_ns:
            times.setdefault(arm, {})[number] = run.timed_ns
    steps = [
        step
        for step in change_points(times, (_LEAST_RUNS, _LEAST_RUNS))
        if len(step.arms) > 1 and step.gap >= _LEAST_GAP
    ]
    if not steps:
        return None
    found = max(steps, key=lambda step: step.gap)
    return LevelShift(exp(found.shift), found.at + 1, runs[found.at][1].started_unix_s)

"""A step in the times of all strategies alike: storage that changed while it was measured.

A throttle, another reader or a drive whose fast cache is full show like this. Neighbors on both
sides of it are no neighbors. Its cause is named where the runs' records have it.
"""

from __future__ import annotations

from math import exp, log
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.comparison.spread import speed
from modelmon.core.explain.figures import changed_limit
from modelmon.core.messages import Message, joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from modelmon.core.worker.result import RunResult


_LEAST_ARMS = 2
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
    logs = {n: (arm, log(run.timed_ns)) for n, (arm, run) in enumerate(runs) if run.timed_ns}
    logs = {n: each for n, each in logs.items() if runs[n][1].counts}
    gap, at, shift = max((_step(logs, at) for at in logs), default=(0.0, 0, 0.0))
    if gap < _LEAST_GAP:
        return None
    return LevelShift(exp(shift), at + 1, runs[at][1].started_unix_s)


def _step(logs: Mapping[int, tuple[int, float]], at: int) -> tuple[float, int, float]:
    """How far all runs from `at` on are from all earlier ones, `at`, and the step between them; by
    the arm and log time of each run.
    """
    before, since = [], []
    shared = 0
    for arm in {arm for arm, _ in logs.values()}:
        early = [value for n, (of, value) in logs.items() if of == arm and n < at]
        late = [value for n, (of, value) in logs.items() if of == arm and n >= at]
        if early and late:
            middle = (median(early) + median(late)) / 2
            before += [value - middle for value in early]
            since += [value - middle for value in late]
            shared += 1
    if shared < _LEAST_ARMS or min(len(before), len(since)) < _LEAST_RUNS:
        return 0.0, at, 0.0
    gap = max(min(since) - max(before), min(before) - max(since))
    return gap, at, median(since) - median(before)


def step_text(shift: LevelShift, runs: Sequence[RunResult]) -> Message:
    """What happened at the step and, where a limit of the control group was changed, why."""
    kept = [run for run in runs if run.counts]
    before = [run for run in kept if shift.is_before(run)]
    since = [run for run in kept if not shift.is_before(run)]
    later = shift.factor > 1
    slower, faster = (since, before) if later else (before, since)
    cause = changed_limit(slower, faster, slower_is_later=later)
    return joined((shift.text, cause)) if cause else shift.text

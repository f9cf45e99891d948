"""A step in the times of all arms, told with its cause where the runs' records have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.explain.figures import changed_limit
from modelmon.core.messages import Message, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.comparison.level_shift import LevelShift
    from modelmon.core.worker.result import RunResult


def step_text(shift: LevelShift, runs: Sequence[RunResult]) -> Message:
    """What happened at the step and, where a limit of the control group was changed, why."""
    kept = [run for run in runs if run.counts]
    before = [run for run in kept if shift.is_before(run)]
    since = [run for run in kept if not shift.is_before(run)]
    later = shift.factor > 1
    slower, faster = (since, before) if later else (before, since)
    cause = changed_limit(slower, faster, slower_is_later=later)
    return joined((shift.text, cause)) if cause else shift.text

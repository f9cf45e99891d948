"""Which of several strategies to use, by what their runs say: one rule for Compare, for Find
best and for what is exported of either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from modelmon.core.compare.decision import NOTEWORTHY
from modelmon.core.compare.simplicity import complexity
from modelmon.core.load.config import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from modelmon.core.compare.posterior import Posterior
    from modelmon.core.compare.schedule import Label
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.result import RunResult

Name = TypeVar("Name", bound=str)

_SIMPLER_FOR = 0.01
"""A simpler strategy may cost so much of the time on average."""
_UNCHANGED_FOR = NOTEWORTHY - 1
"""So much may it cost to leave a program as it is."""


def preferred(posterior: Posterior, configs: Mapping[Name, LoadConfig]) -> Name:
    """Label of the one that is expected to cost the least time, or of a simpler one that costs
    hardly more. `configs` are by label, at least one; of programs the first is what is there.
    """
    losses = {label: posterior.loss(label) for label in configs}
    least = min(losses.values())
    if any(config.library == PROGRAM for config in configs.values()):
        first = next(iter(configs))
        keeps = losses[first] <= least + _UNCHANGED_FOR
        return first if keeps else min(losses, key=lambda label: losses[label])
    good = [label for label in configs if losses[label] <= least + _SIMPLER_FOR]
    return min(good, key=lambda label: (complexity(configs[label]), losses[label]))


def preferred_arm(
    runs_a: Sequence[RunResult], runs_b: Sequence[RunResult], configs: Mapping[Label, LoadConfig]
) -> Label:
    """The arm of a comparison that a race of the same runs would recommend; A where either has no
    run that counts.
    """
    posterior = posterior_of(runs_a, runs_b)
    return preferred(posterior, configs) if posterior is not None else "A"


def posterior_of(runs_a: Sequence[RunResult], runs_b: Sequence[RunResult]) -> Posterior | None:
    """What a comparison says of the times of A and B; None where either has no run that counts."""
    # Not needed by most commands, and slow to import, as numpy is.
    from modelmon.core.compare.posterior import (  # noqa: PLC0415
        Posterior,
        TimedRun,
    )

    timed = [
        TimedRun(label, run.pair, run.model_wall_ns, run.started_unix_s)
        for label, runs in (("A", runs_a), ("B", runs_b))
        for run in runs
        if run.counts and run.timed_ns
    ]
    return Posterior(timed) if len({run.label for run in timed}) > 1 else None

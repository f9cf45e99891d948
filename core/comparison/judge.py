"""Which of several strategies to use, by what their runs say: one rule for Compare, for Find
best and for what is exported of either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from modelmon.core.comparison.decision import is_clear, outcome, paired_runs
from modelmon.core.comparison.simplicity import complexity, simpler
from modelmon.core.load.config import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from modelmon.core.comparison.decision import Winner
    from modelmon.core.comparison.posterior import Posterior
    from modelmon.core.comparison.schedule import Label
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.result import RunResult

Name = TypeVar("Name", bound=str)

_SIMPLER_FOR = 0.01
"""A simpler strategy may cost so much of the time on average."""


def preferred(posterior: Posterior, configs: Mapping[Name, LoadConfig]) -> Name:
    """Label of the one that is expected to cost the least time, or of a simpler one that costs
    hardly more. `configs` are by label, at least one; of programs the first is what is there,
    which is kept unless another is clearly faster.
    """
    losses = {label: posterior.loss(label) for label in configs}
    quickest = min(losses, key=lambda label: losses[label])
    if any(config.library == PROGRAM for config in configs.values()):
        first = next(iter(configs))
        return quickest if is_clear(posterior.log_ratio(first, quickest)) else first
    good = [label for label in configs if losses[label] <= losses[quickest] + _SIMPLER_FOR]
    return min(good, key=lambda label: (complexity(configs[label]), losses[label]))


def chosen(winner: Winner, configs: Mapping[Label, LoadConfig]) -> Label:
    """The arm to use: A, which is what is used now, unless B is clearly faster, or as fast and
    simpler.
    """
    alike = winner == "no-difference" and simpler(configs["B"], configs["A"])
    return "B" if winner == "B" or alike else "A"


def preferred_arm(
    runs_a: Sequence[RunResult], runs_b: Sequence[RunResult], configs: Mapping[Label, LoadConfig]
) -> Label:
    """The arm to use by the runs of a comparison; A where no pair of them counts."""
    posterior = posterior_of(runs_a, runs_b)
    return "A" if posterior is None else chosen(outcome(posterior.log_ratio("A", "B")), configs)


def usual_ratio(times_a: Sequence[float], times_b: Sequence[float]) -> float:
    """A's usual time ÷ B's, by times of pairs."""
    from modelmon.core.comparison.posterior import of_pairs  # noqa: PLC0415  as below

    return of_pairs(times_a, times_b).ratio("A", "B").ratio


def posterior_of(runs_a: Sequence[RunResult], runs_b: Sequence[RunResult]) -> Posterior | None:
    """What a comparison says of the times of A and B; None where no pair of its runs counts."""
    # Not needed by most commands, and slow to import, as numpy is.
    from modelmon.core.comparison.posterior import Posterior, TimedRun  # noqa: PLC0415

    pairs = paired_runs(runs_a, runs_b)
    timed = [
        TimedRun(label, run.pair, run.timed_ns, run.started_unix_s)
        for pair in pairs
        for label, run in zip("AB", pair, strict=True)
    ]
    return Posterior(timed) if timed else None

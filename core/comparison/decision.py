"""What runs decide: when a comparison is looked at, who wins, and which strategy to use.

A winner is named at the first look at which the posterior leaves less than WRONG_SHARE ÷ pairs for
"the other one is as fast": stricter than its range of 95%, since there are many looks, and the
stricter the more pairs, since the early looks are the ones that save time. So wrong winners at all
looks up to 100 pairs together are at most 2 in 100, over all kinds of noise of benchmarks/noise.py
but the one that keeps step with the order of runs: `benchmarks/trust.py --simulate`, which the
constant was chosen by. Source: Jennison and Turnbull, Group Sequential Methods, 2000, chapter 7
(error spending). The same rule serves Compare, Find best and what is exported of either.
"""

from __future__ import annotations

from functools import lru_cache
from math import expm1, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, TypeVar

from modelmon.core.comparison.posterior import Posterior, TimedRun
from modelmon.core.comparison.spread import MIN_PAIRS_FOR_INTERVAL, level_shift
from modelmon.core.load.config import NO_LIBRARY, PRESETS, PROGRAM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from modelmon.core.comparison.spread import Ratio
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.result import RunResult


Label = Literal["A", "B"]
Winner = Literal["A", "B", "no-difference", "undecided"]

DEFAULT_PAIRS = 11
MOST_PAIRS = 100
"""At most so many pairs, where they are not decided before."""

SAME_WITHIN = 1.05
"""No difference is promised where the whole range is within this factor."""

NOTEWORTHY = 1.02
"""Who wins by less is no reason to change anything."""

WRONG_SHARE = 0.025
_POWER = 0.8
_MOST_PAIRS_TOLD = 1000
_PAIRS_BETWEEN_LOOKS = 2


def look_times(max_pairs: int, *, early_stop: bool = True) -> tuple[int, ...]:
    """After how many pairs a comparison may end: 5, 7, 9 and so on, and at its last pair.

    From twelve pairs on the steps grow by a quarter, since every look costs confidence. Without
    `early_stop` there is only the last.
    """
    looks = []
    pairs = MIN_PAIRS_FOR_INTERVAL
    while early_stop and pairs <= max_pairs - _PAIRS_BETWEEN_LOOKS:
        looks.append(pairs)
        pairs += max(_PAIRS_BETWEEN_LOOKS, pairs // 4)
    return (*looks, max_pairs)


def outcome(found: Ratio) -> Winner:
    """What is decided by what is known of A's time ÷ B's.

    A winner is named unless it wins by less than 2%, which is no reason to change anything.
    """
    if found.pairs < MIN_PAIRS_FOR_INTERVAL:
        return "undecided"
    if is_clear(found):
        return "B" if found.middle > 0 else "A"
    outside = abs(found.middle) + found.reach()
    return "no-difference" if outside <= log(SAME_WITHIN) else "undecided"


def is_settled(found: Ratio) -> bool:
    """Whether further pairs would hardly change what is decided, which ends a comparison."""
    if found.pairs < MIN_PAIRS_FOR_INTERVAL:
        return False
    outside = abs(found.middle) + found.reach(_wrong_share(found.pairs))
    # Between what is noteworthy and what is the same further pairs may still name a winner.
    is_same = abs(found.middle) < log(NOTEWORTHY) and outside <= log(SAME_WITHIN)
    return is_same or is_clear(found)


def is_clear(found: Ratio) -> bool:
    """Whether one time is longer than the other beyond doubt, and by enough to change anything."""
    beyond_doubt = found.reach(_wrong_share(found.pairs))
    return found.pairs >= MIN_PAIRS_FOR_INTERVAL and abs(found.middle) >= max(
        log(NOTEWORTHY), beyond_doubt
    )


def detectable_share(found: Ratio) -> float:
    """The smallest difference that such runs show in 80% of cases, as a share of the time."""
    power = NormalDist().inv_cdf(_POWER) * found.scale
    return expm1(min(found.reach(_wrong_share(found.pairs)) + power, log(_MOST_PAIRS_TOLD)))


def pairs_needed(found: Ratio, share: float) -> int | None:
    """About how many pairs show a difference of `share` in 80% of cases; None for over 1,000."""
    for pairs in look_times(_MOST_PAIRS_TOLD):
        times = pairs / found.pairs
        more = found._replace(
            scale=found.scale / sqrt(times), freedom=found.freedom * times, pairs=pairs
        )
        if pairs >= found.pairs and detectable_share(more) <= share:
            return pairs
    return None


def _wrong_share(pairs: int) -> float:
    return WRONG_SHARE / max(1, pairs)


def paired_runs(
    runs_a: Sequence[RunResult], runs_b: Sequence[RunResult]
) -> list[tuple[RunResult, RunResult]]:
    """The pairs in which both runs count, and the storage was the same."""
    by_pair_a, by_pair_b = (
        {run.pair: run for run in runs if run.counts and run.timed_ns} for runs in (runs_a, runs_b)
    )
    both = [(by_pair_a[at], by_pair_b[at]) for at in sorted(by_pair_a.keys() & by_pair_b.keys())]
    shift = level_shift((runs_a, runs_b))
    if shift is None:
        return both
    return [(a, b) for a, b in both if shift.is_before(a) == shift.is_before(b)]


_ACCESS = {"mmap": 0, "read": 0, "direct": 1, "auto": 2}
_MEMORY = {"streamed": 0, "mapped": 1, "owned": 2}

Complexity = tuple[int, ...]


@lru_cache(maxsize=1024)
def complexity(config: LoadConfig) -> Complexity:
    """How much there is to a configuration; compared from the left, less is simpler.

    No package beside modelmon, fewer readers, threads before processes, reads through the cache
    (`mmap`, `read`) before `direct` before `auto`, nothing that reads ahead of the load, memory
    that the kernel can take back before memory of its own, and last the axes as a preset has
    them before others. Two configurations may be equally simple.
    """
    return (
        int(config.library != NO_LIBRARY),
        config.readers * config.ranks,
        int(config.processes > 1),
        _ACCESS[config.access],
        int(config.warmup != "none") + int(config.prefetch_bytes > 0),
        _MEMORY[config.memory_kind],
        min(
            len(set(config.differs_from(preset.config)) - {"deliver"})
            for preset in PRESETS.values()
        ),
    )


def simpler(config: LoadConfig, other: LoadConfig) -> bool:
    """Whether `config` is simpler than `other`, and not merely as simple. How simple a program is
    nobody knows.
    """
    return PROGRAM not in {config.library, other.library} and complexity(config) < complexity(other)


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
        found = posterior.ratio(first, quickest)
        return quickest if found.low > 1 and found.ratio >= NOTEWORTHY else first
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
    return "A" if posterior is None else chosen(outcome(posterior.ratio("A", "B")), configs)


def posterior_of(runs_a: Sequence[RunResult], runs_b: Sequence[RunResult]) -> Posterior | None:
    """What a comparison says of the times of A and B; None where no pair of its runs counts."""
    pairs = paired_runs(runs_a, runs_b)
    timed = [
        TimedRun(label, run.pair, run.timed_ns, run.started_unix_s)
        for pair in pairs
        for label, run in zip("AB", pair, strict=True)
    ]
    return Posterior(timed) if timed else None

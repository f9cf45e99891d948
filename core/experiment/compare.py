"""Compare A/B as a state machine: says which run is next, takes its record, judges at the end.

It starts no process and waits for nothing, so that the terminal drives it in a loop and the
window from its event loop.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.experiment.fingerprint import machine_of, model_fingerprint
from modelmon.core.experiment.result import ArmSummary, Comparison, RunResult
from modelmon.core.experiment.schedule import Label, interleaved
from modelmon.core.experiment.statistics import mad
from modelmon.core.experiment.summary import summarise
from modelmon.core.experiment.verdict import judge
from modelmon.core.worker.events import Cache, Job

if TYPE_CHECKING:
    from modelmon.core.experiment.preflight import Preflight
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.record import RunRecord

DEFAULT_PAIRS = 5
# A run that did not start as asked is done again, but not for ever.
_MOST_REPEATS = 2


@dataclass(frozen=True, slots=True)
class Arm:
    """One side of a comparison: a label, a strategy's name and its configuration."""

    label: Label
    strategy: str
    config: LoadConfig


class Step(NamedTuple):
    """One run of the order. An `equivalent` one repeats a process arm with threads: that is
    what another program can load into its own memory, and so what an export stores.
    """

    label: Label
    equivalent: bool = False


@dataclass(frozen=True, slots=True)
class Conditions:
    """What both arms of a comparison share."""

    path: str
    cache: Cache
    pairs: int = DEFAULT_PAIRS
    seed: int = 0
    portion_bytes: int | None = None
    allow_busy: bool = False
    condition_memory: bool = True
    sample_hz: float = 20.0


class CompareSession:
    """The runs of one comparison, in order, and their results so far."""

    def __init__(self, arm_a: Arm, arm_b: Arm, conditions: Conditions) -> None:
        """Raises ConfigError if the arms deliver differently: that compares nothing."""
        if arm_a.config.deliver != arm_b.config.deliver:
            raise ConfigError(
                f"A delivers {arm_a.config.deliver} and B {arm_b.config.deliver} memory.",
                "Choose the same delivery for both.",
            )
        self.arms: dict[Label, Arm] = {"A": arm_a, "B": arm_b}
        self.conditions = conditions
        self.steps = _steps(self.arms, conditions)
        self._results: dict[Step, list[RunResult]] = {step: [] for step in self.steps}
        self._done = 0
        self._repeats_left = _MOST_REPEATS
        self._any_counts = False
        self._created_unix_s = time.time()

    @property
    def order(self) -> tuple[Label, ...]:
        """Labels of all runs, in order."""
        return tuple(step.label for step in self.steps)

    @property
    def done_runs(self) -> int:
        """How many runs of the order are done."""
        return self._done

    @property
    def done(self) -> bool:
        """Whether all runs are done."""
        return self._done >= len(self.steps)

    def next_job(self) -> tuple[Label, Job] | None:
        """Label and job of the next run, or None when all are done."""
        if self.done:
            return None
        step, shared = self.steps[self._done], self.conditions
        arm = self.arms[step.label]
        return step.label, Job(
            path=shared.path,
            config=arm.config.in_process if step.equivalent else arm.config,
            strategy=arm.strategy,
            cache=shared.cache,
            portion_bytes=shared.portion_bytes,
            sample_hz=shared.sample_hz,
            # Who uses the file is asked before the first run; whoever comes later is named.
            allow_busy=shared.allow_busy or self._done > 0,
            condition_memory=shared.condition_memory,
        )

    def go_on_busy(self) -> None:
        """Agree to measure although another process uses the file."""
        self.conditions = replace(self.conditions, allow_busy=True)

    def add(self, record: RunRecord) -> RunResult:
        """Take in the record of the run that `next_job` asked for.

        A run that did not start as asked is kept, marked, and asked for again, at most
        twice in a comparison. Raises the run's error if it did not finish.
        """
        # Runs of one pair are neighbours; only they are compared with one another.
        result = msgspec.structs.replace(summarise(record), pair=self._done // 2)
        self._results[self.steps[self._done]].append(result)
        self._any_counts = self._any_counts or result.counts
        if result.counts:
            self._done += 1
        elif self._repeats_left:
            self._repeats_left -= 1
        else:
            # Where no start was ever as asked, the next ones will not be either.
            self._done = self._done + 1 if self._any_counts else len(self.steps)
        return result

    def results(self, label: Label) -> tuple[RunResult, ...]:
        """All results of an arm, in order."""
        return tuple(self._results.get(Step(label), ()))

    def summary(self, label: Label) -> ArmSummary | None:
        """The arm's runs that count, summed up; None while there are none."""
        return summarise_arm(self.arms[label], self.results(label))

    def comparison(self, preflight: Preflight) -> Comparison:
        """What the finished runs say. Raises LoadFailedError if an arm has none that counts."""
        arms = {label: self.summary(label) for label in ("A", "B")}
        arm_a, arm_b = arms["A"], arms["B"]
        if arm_a is None or arm_b is None:
            label: Label = "A" if arm_a is None else "B"
            tried = (*self.results("A"), *self.results("B"))
            reasons = [result.why_not for result in tried if not result.counts]
            raise LoadFailedError(f"No run of {label} can be counted. {''.join(reasons[-1:])}")
        runs_a, runs_b = self.results("A"), self.results("B")
        return Comparison(
            model=model_fingerprint(preflight.model),
            machine=machine_of(preflight),
            path=preflight.model.path,
            cache=self.conditions.cache,
            created_unix_s=self._created_unix_s,
            order="".join(self.order),
            runs_a=runs_a,
            runs_b=runs_b,
            arm_a=arm_a,
            arm_b=arm_b,
            verdict=judge(arm_a, arm_b, runs_a, runs_b),
            portion_bytes=self.conditions.portion_bytes,
            equivalent_a=self._equivalent("A"),
            equivalent_b=self._equivalent("B"),
        )

    def _equivalent(self, label: Label) -> ArmSummary | None:
        arm = self.arms[label]
        in_process = replace(arm, config=arm.config.in_process)
        return summarise_arm(in_process, tuple(self._results.get(Step(label, equivalent=True), ())))


def _steps(arms: dict[Label, Arm], conditions: Conditions) -> tuple[Step, ...]:
    """The interleaved pairs, then the in-process equivalents of process arms."""
    pairs = [Step(label) for label in interleaved(conditions.pairs, conditions.seed)]
    equivalents = [
        Step(label, equivalent=True)
        for label, arm in arms.items()
        if arm.config.reader_kind == "process"
        for _ in range(conditions.pairs)
    ]
    return (*pairs, *equivalents)


def summarise_arm(arm: Arm, results: tuple[RunResult, ...]) -> ArmSummary | None:
    """Median and spread of an arm's runs that count; None if there are none."""
    kept = [result for result in results if result.counts]
    if not kept:
        return None
    walls = [result.wall_ns for result in kept]
    middle = median(walls)
    return ArmSummary(
        label=arm.label,
        strategy=arm.strategy,
        config=arm.config,
        runs=len(kept),
        discarded=len(results) - len(kept),
        median_ns=middle,
        mad_ns=mad(walls),
        fastest_ns=min(walls),
        slowest_ns=max(walls),
        bytes_per_s=kept[0].load_bytes * 1e9 / middle if middle else 0.0,
        peak_rss_bytes=_median_int([r.peak_rss_bytes for r in kept]),
        io_wait_share=_median([r.io_wait_share for r in kept]),
        device_bytes=_median_int([r.device_bytes for r in kept]),
    )


def _median(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _median_int(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return round(median(known)) if known else None

"""Compare A/B: which run is next, what the runs so far say. Starts no process, reads no file.

Runs are interleaved in pairs, until they decide it or the last pair is done.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.comparison.decision import (
    DEFAULT_PAIRS,
    Label,
    is_settled,
    look_times,
    paired_runs,
    posterior_of,
)
from modelmon.core.comparison.result import Comparison, scored, summarise_arm
from modelmon.core.comparison.run_validity import (
    Checks,
    is_discarded_by_chance,
    reading_unseen,
    with_warning,
)
from modelmon.core.comparison.verdict import judge
from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.explain.bottleneck import typical_bottleneck
from modelmon.core.explain.figures import limits_seen
from modelmon.core.history.origin import machine_of
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.load.planner import place_of_run
from modelmon.core.load.rules import check_possible
from modelmon.core.messages import Message
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits
from modelmon.core.remote import Place
from modelmon.core.worker.events import Cache, Job
from modelmon.core.worker.result import RunFailedError, Timed, summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.comparison.result import ArmSummary
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.history.rows import ArmOf as Arm
    from modelmon.core.history.rows import Kind
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult


class Step(NamedTuple):
    """One run of the order. An `equivalent` one repeats a process arm with threads: that is
    what another program can load into its own memory, and so what an export stores.
    """

    label: Label
    equivalent: bool = False


@dataclass(frozen=True, slots=True)
class Conditions:
    """What both arms of a comparison share.

    There are `max_pairs` pairs of runs; with `early_stop` fewer where they decide it.
    `prepared_with` is the command that whoever drives the session runs before each run. `timed` is
    the part of a program's run that is compared.
    """

    path: str
    cache: Cache
    max_pairs: int = DEFAULT_PAIRS
    early_stop: bool = True
    seed: int = 0
    portion_bytes: int | None = None
    allow_busy: bool = False
    condition_memory: bool = True
    sample_hz: float = 20.0
    prepared_with: str = ""
    timed: Timed = "ready"


def steps_of(arms: dict[Label, Arm], conditions: Conditions, pairs: int) -> tuple[Step, ...]:
    """The interleaved pairs, then the in-process equivalents of process arms."""
    paired = [Step(label) for label in interleaved(pairs, conditions.seed)]
    equivalents = [
        Step(label, equivalent=True)
        for label, arm in arms.items()
        if arm.config.processes > 1 and arm.config.library == NO_LIBRARY
        for _ in range(pairs)
    ]
    return (*paired, *equivalents)


def interleaved(pairs: int, seed: int) -> tuple[Label, ...]:
    """`pairs` pairs of runs, each pair one A and one B, as A B B A or B A A B.

    Neighbouring pairs mirror each other, so that a machine that slowly gets faster or slower
    favours neither arm; which of the two comes first is drawn for every two pairs.
    """
    draw = random.Random(seed)
    order: list[Label] = []
    while len(order) < 2 * pairs:
        first: Label = draw.choice(("A", "B"))
        second: Label = "B" if first == "A" else "A"
        order += [first, second, second, first]
    return tuple(order[: 2 * pairs])


# A run that did not start as asked is done again, but not for ever.
_MOST_REPEATS = 2
_ARMS = 2


class CompareSession:
    """The runs of one comparison, in order, and their results so far: an ExperimentSession."""

    kind: Kind = "compare"
    run_left_ns = None
    conclusive = False

    def __init__(
        self,
        arm_a: Arm,
        arm_b: Arm,
        conditions: Conditions,
        limits: Limits = UNKNOWN_LIMITS,
        others: Sequence[RunResult] = (),
    ) -> None:
        """`limits` are what a probe found at the model's place, `others` what more loads of it came
        to there.

        Raises ConfigError if the arms deliver differently, or nothing, which compares nothing, or
        if a command should load a part of the model. What a program delivers nobody chooses.
        """
        ours = [arm.config.deliver for arm in (arm_a, arm_b) if arm.program is None]
        if len(ours) < _ARMS and conditions.portion_bytes is not None:
            raise ConfigError(
                Message("A command loads as much of the model as it wants."),
                Message("Leave out --portion."),
            )
        for arm in (arm_a, arm_b):
            if arm.program is None and arm.config.deliver == "untouched":
                check_possible(arm.config)
                raise ConfigError(
                    Message(
                        "Untouched loads end before their bytes are in memory, so their times"
                        " can't be compared."
                    ),
                    Message(
                        "For an untouched time alone:"
                        " modelmon run MODEL --strategy {library} --deliver untouched",
                        library=arm.config.library,
                    ),
                )
        if len(set(ours)) > 1:
            raise ConfigError(
                Message("A delivers {a} memory, B {b}.", a=ours[0], b=ours[1]),
                Message(
                    "Use --deliver {other} for both, without --set-a or --set-b for it.",
                    other=next(each for each in ours if each != "usable"),
                ),
            )
        self.arms: dict[Label, Arm] = {"A": arm_a, "B": arm_b}
        self.conditions = conditions
        self.limits = limits
        self._others = others
        self.looks = look_times(conditions.max_pairs, early_stop=conditions.early_stop)
        # With a pair that is left out in between, one may be come to twice.
        self._looks_left = set(self.looks)
        self._pairs = conditions.max_pairs
        self.steps = steps_of(self.arms, conditions, self._pairs)
        self._results: dict[Step, list[RunResult]] = {step: [] for step in self.steps}
        self._done = 0
        self._repeats_left = _MOST_REPEATS
        self._checks = Checks(limits)
        self._created_unix_s = time.time()

    @property
    def history_arms(self) -> tuple[Arm, ...]:
        """Both arms, as the history holds them."""
        return tuple(self.arms.values())

    @property
    def order(self) -> tuple[Label, ...]:
        """Labels of all runs, in order; they get fewer when a comparison is decided early."""
        return tuple(step.label for step in self.steps)

    @property
    def done_runs(self) -> int:
        """How many runs of the order are done."""
        return self._done

    @property
    def done(self) -> bool:
        """Whether all runs are done."""
        return self._done >= len(self.steps)

    @property
    def stopped(self) -> bool:
        """Whether runs are still to come."""
        return not self.done

    def stop(self) -> None:
        """Nothing is judged before all runs are done, and nothing has to be put away."""

    @property
    def may_end_early(self) -> bool:
        """Whether runs of the order may turn out not to be needed."""
        return len(self.looks) > 1 and self._done < 2 * self._pairs

    @property
    def place(self) -> Message:
        """Where the next run stands: `pair 6 of at most 11`."""
        if self._done >= 2 * self._pairs:
            return Message(
                "run {done} of {count} (with threads, for exports)",
                done=self._done + 1,
                count=len(self.steps),
            )
        figures = {"number": self._done // 2 + 1, "pairs": self._pairs}
        if self.may_end_early:
            return Message("pair {number} of at most {pairs}", **figures)
        return Message("pair {number} of {pairs}", **figures)

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
            portion_place=place_of_run(self._done) if shared.cache == "cold" else 0.0,
            sample_hz=shared.sample_hz,
            # Who uses the file is asked before the first run; whoever comes later is named.
            allow_busy=shared.allow_busy or self._checks.any_started,
            looks_for_users=self._done % _ARMS == 0 or not self._checks.any_started,
            condition_memory=shared.condition_memory,
            prepared_with=shared.prepared_with,
            most_load_ns=arm.limit_ns,
            program=arm.program,
        )

    def go_on_busy(self) -> None:
        """Agree to measure although another process uses the file."""
        self.conditions = replace(self.conditions, allow_busy=True)

    def add(self, record: RunRecord) -> RunResult:
        """Take in the record of the run that `next_job` asked for.

        A run that did not start as asked is kept, marked, and asked for again, at most twice in a
        comparison, besides those that chance met. Once the model has changed there is no further
        run. Raises the run's error if it did not finish, or was a program that was not ready in
        time.
        """
        result = self._checks.checked(self.steps[self._done].label, self._summarised(record))
        if self.conditions.timed == "reading":
            result = with_warning(result, reading_unseen(result))
        return self._take(result)

    def _summarised(self, record: RunRecord) -> RunResult:
        """The result of a run; the error of a program names its arm."""
        arm = self.arms[self.steps[self._done].label]
        try:
            result = summarise(record)
        except RunFailedError as error:
            if arm.program is None:
                raise
            raise error.of(arm.label) from error
        if (late := result.cut_off) is not None:
            raise LoadFailedError(
                Message("{label}: {why}", label=arm.label, why=late.message), late.remedy
            )
        return result

    def resume(self, results: Sequence[RunResult]) -> int:
        """Take in what an earlier session with the same arms and conditions has measured, in
        its order, before the first run; returns how many results are used.

        Of a pair with only one run that run is not: the other would not be its neighbour.
        Raises ConfigError if these are results of other runs than this session asks for.
        """
        comparing = CompareSession(self.arms["A"], self.arms["B"], self.conditions, self.limits)
        used = 0
        for number, result in enumerate(results, start=1):
            comparing._check(result)
            comparing._take(result)
            if comparing.done_runs % 2 == 0 or comparing.done_runs > 2 * comparing._pairs:
                used = number
        for result in results[:used]:
            self._take(result)
        return used

    def _check(self, result: RunResult) -> None:
        step = self.next_job()
        job = step[1] if step is not None else None
        if job is None or (job.strategy, job.config, job.cache) != (
            result.strategy,
            result.config,
            result.cache_asked,
        ):
            raise ConfigError(
                Message("This version would have made other runs than those so far."),
                Message("Start a new comparison."),
            )

    def _take(self, result: RunResult) -> RunResult:
        # Runs of one pair are neighbours; only they are compared with one another.
        result = msgspec.structs.replace(result, pair=self._done // 2, timed=self.conditions.timed)
        self._checks.take(result)
        self._results[self.steps[self._done]].append(result)
        if result.counts:
            self._done += 1
        elif result.file_change is not None:
            self._done = len(self.steps)
        elif not is_discarded_by_chance(result):
            self._repeat_or_leave_out()
        self._look()
        return result

    def _repeat_or_leave_out(self) -> None:
        """The run did not start as asked: it is made again, as often as that may be."""
        if self._repeats_left:
            self._repeats_left -= 1
        else:
            # Where no start was ever as asked, the next ones will not be either.
            any_counts = any(run.counts for runs in self._results.values() for run in runs)
            self._done = self._done + 1 if any_counts else len(self.steps)

    def _look(self) -> None:
        """Leave out the pairs that are not needed any more."""
        pairs, half_done = divmod(self._done, 2)
        runs = self.results("A"), self.results("B")
        counted = len(paired_runs(*runs))
        if half_done or pairs >= self._pairs or counted not in self._looks_left:
            return
        self._looks_left.discard(counted)
        posterior = posterior_of(*runs)
        if posterior is not None and is_settled(posterior.log_ratio("A", "B")):
            self._pairs = pairs
            self.steps = steps_of(self.arms, self.conditions, pairs)

    def results(self, label: Label) -> tuple[RunResult, ...]:
        """All results of an arm, in order."""
        return tuple(self._results.get(Step(label), ()))

    def summary(self, label: Label, *, equivalent: bool = False) -> ArmSummary | None:
        """The arm's runs that count, or those of its `equivalent` in one process, summed up; None
        while there are none.
        """
        arm = self.arms[label]
        config = arm.config.in_process if equivalent else arm.config
        results = tuple(self._results.get(Step(label, equivalent), ()))
        seen = (*self._others, *self.results("A"), *self.results("B"))
        bottleneck = typical_bottleneck(results, limits_seen(self.limits, seen), seen)
        return summarise_arm(label, arm.strategy, config, results, bottleneck)

    def comparison(self, inspection: Inspection) -> Comparison:
        """What the finished runs say. Raises LoadFailedError if an arm has none that counts."""
        arm_a, arm_b = self.summary("A"), self.summary("B")
        if arm_a is None or arm_b is None:
            label: Label = "A" if arm_a is None else "B"
            tried = (*self.results("A"), *self.results("B"))
            reasons = [result.why_not for result in tried if not result.counts]
            raise LoadFailedError(
                Message(
                    "No run of {label} counts. {reasons}",
                    label=label,
                    reasons="".join(reasons[-1:]),
                )
            )
        runs_a, runs_b = scored(self.results("A")), scored(self.results("B"))
        return Comparison(
            model=inspection.fingerprint,
            machine=machine_of(inspection),
            path=str(Place(inspection.model.path, inspection.server)),
            cache=self.conditions.cache,
            created_unix_s=self._created_unix_s,
            order="".join(self.order),
            runs_a=runs_a,
            runs_b=runs_b,
            arm_a=arm_a,
            arm_b=arm_b,
            verdict=judge(arm_a, arm_b, runs_a, runs_b),
            portion_bytes=self.conditions.portion_bytes,
            equivalent_a=self.summary("A", equivalent=True),
            equivalent_b=self.summary("B", equivalent=True),
        )

"""Compare A/B: which run is next, what the runs so far say. Starts no process, reads no file.

Runs are interleaved in pairs, until they decide it or the last pair is done.
"""

from __future__ import annotations

import random
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
from modelmon.core.comparison.result import Comparison, summarize_strategy
from modelmon.core.comparison.run_validity import (
    is_discarded_by_chance,
    reading_unseen,
    with_warning,
)
from modelmon.core.comparison.runner import ExperimentSession
from modelmon.core.comparison.verdict import judge
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.explain.bottleneck import typical_bottleneck
from modelmon.core.explain.evidence import limits_seen
from modelmon.core.history.file import HistoryError
from modelmon.core.history.origin import machine_of
from modelmon.core.history.rows import stored_value
from modelmon.core.load.rules import check_possible
from modelmon.core.messages import Message
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits
from modelmon.core.remote import Place
from modelmon.core.worker.events import Cache, RunConditions
from modelmon.core.worker.result import RunFailedError, Timed, summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.comparison.result import StrategySummary
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.history.rows import Entrant, ExperimentRow, Kind
    from modelmon.core.worker.events import Job
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult


class Conditions(RunConditions, frozen=True):
    """What both strategies of a comparison share.

    There are `max_pairs` pairs of runs; with `early_stop` fewer where they decide it. `timed` is
    the part of a program's run that is compared.
    """

    path: str
    cache: Cache
    max_pairs: int = DEFAULT_PAIRS
    early_stop: bool = True
    timed: Timed = "ready"
    seed: int = 0

    @property
    def looks(self) -> tuple[int, ...]:
        """After how many pairs that count it may end."""
        return look_times(self.max_pairs, early_stop=self.early_stop)


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


class Progress(NamedTuple):
    """How far a comparison is, which follows from its results: `done` runs of those of so many
    `pairs`, which get fewer where they decide it early; `looked` are the looks that did not.
    """

    conditions: Conditions
    pairs: int
    done: int = 0
    repeats_left: int = _MOST_REPEATS
    looked: frozenset[int] = frozenset()
    results: tuple[tuple[Label, RunResult], ...] = ()

    @property
    def order(self) -> tuple[Label, ...]:
        """The strategies of all runs."""
        return interleaved(self.pairs, self.conditions.seed)

    @property
    def next(self) -> Label | None:
        """The strategy of the next run; None where all are done."""
        return self.order[self.done] if self.done < 2 * self.pairs else None

    def of(self, label: Label) -> tuple[RunResult, ...]:
        """All results of a strategy, in order."""
        return tuple(result for of, result in self.results if of == label)

    def after(self, result: RunResult) -> Progress:
        """How far it is with one more result. A run that did not start as asked is asked for again,
        at most twice, besides those that chance met. Once the model has changed no run follows.
        """
        label = self.next
        assert label is not None
        # Runs of one pair are neighbors; only they are compared with one another.
        result = msgspec.structs.replace(result, pair=self.done // 2, timed=self.conditions.timed)
        now = self._replace(results=(*self.results, (label, result)))
        end = 2 * now.pairs
        if result.counts:
            now = now._replace(done=now.done + 1)
        elif result.file_change is not None:
            now = now._replace(done=end)
        elif not is_discarded_by_chance(result):
            if now.repeats_left:
                now = now._replace(repeats_left=now.repeats_left - 1)
            else:
                # Where no start was ever as asked, the next ones will not be either.
                any_counts = any(run.counts for _, run in now.results)
                now = now._replace(done=now.done + 1 if any_counts else end)
        return now._looked_at()

    def _looked_at(self) -> Progress:
        """With fewer pairs where those that are done decide it."""
        pairs, half_done = divmod(self.done, 2)
        runs = self.of("A"), self.of("B")
        counted = len(paired_runs(*runs))
        # With a pair that is left out in between, one look may be come to twice.
        looks = set(self.conditions.looks) - self.looked
        if half_done or pairs >= self.pairs or counted not in looks:
            return self
        posterior = posterior_of(*runs)
        is_enough = posterior is not None and is_settled(posterior.ratio("A", "B"))
        return self._replace(
            pairs=pairs if is_enough else self.pairs, looked=self.looked | {counted}
        )


class CompareSession(ExperimentSession[Conditions]):
    """The runs of one comparison, in order, and their results so far."""

    kind: Kind = "compare"

    def __init__(
        self,
        arm_a: Entrant,
        arm_b: Entrant,
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
                Message("Compare the whole model{terminal}.", terminal=" (without --portion)"),
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
                        "Set delivery to usable or owned. A single run shows an untouched"
                        " time{terminal}.",
                        terminal=f": modelmon run MODEL --strategy {arm.config.library}"
                        " --deliver untouched",
                    ),
                )
        if len(set(ours)) > 1:
            raise ConfigError(
                Message("A delivers {a} memory, B {b}.", a=ours[0], b=ours[1]),
                Message(
                    "Choose {other} for both{terminal}.",
                    other=next(each for each in ours if each != "usable"),
                    terminal=" with --deliver, without --set-a or --set-b for it",
                ),
            )
        super().__init__(conditions, limits)
        self._arms: dict[Label, Entrant] = {"A": arm_a, "B": arm_b}
        self._others = others
        self._progress = Progress(conditions, conditions.max_pairs)

    @classmethod
    def begun(cls, experiment: ExperimentRow, inspection: Inspection) -> CompareSession:
        """A comparison as it was begun, before its runs are taken in."""
        try:
            first, second = experiment.arms
        except ValueError as error:
            raise HistoryError(
                Message("Couldn't read a stored value: {reason}", reason=error),
                Message("Use the version of modelmon that wrote it."),
            ) from error
        conditions = stored_value(experiment.conditions_json, Conditions)
        conditions = msgspec.structs.replace(conditions, allow_busy=False)
        return cls(first, second, conditions, known_limits(inspection))

    @property
    def arms(self) -> dict[Label, Entrant]:
        """Both."""
        return self._arms

    @property
    def order(self) -> tuple[Label, ...]:
        """Labels of all runs, in order; they get fewer when a comparison is decided early."""
        return self._progress.order

    @property
    def done_runs(self) -> int:
        """How many runs of the order are done."""
        return self._progress.done

    @property
    def stopped(self) -> bool:
        """Whether runs are still to come."""
        return self._progress.next is not None

    @property
    def may_end_early(self) -> bool:
        """Whether runs of the order may turn out not to be needed."""
        return len(self.conditions.looks) > 1 and self.done_runs < 2 * self._progress.pairs

    @property
    def place(self) -> Message:
        """Where the next run stands: `pair 6 of at most 11`."""
        pairs = self._progress.pairs
        figures = {"number": self.done_runs // 2 + 1, "pairs": pairs}
        if self.may_end_early:
            return Message("pair {number} of at most {pairs}", **figures)
        return Message("pair {number} of {pairs}", **figures)

    def next_job(self) -> tuple[Label, Job] | None:
        """Label and job of the next run, or None when all are done."""
        label = self._progress.next
        if label is None:
            return None
        arm, done = self.arms[label], self.done_runs
        return label, self._job(
            arm,
            done,
            begins_round=done % _ARMS == 0,
            path=self.conditions.path,
            strategy=arm.strategy,
            cache=self.conditions.cache,
            most_load_ns=arm.limit_ns,
        )

    def add(self, record: RunRecord) -> RunResult:
        """Take in the record of the run that `next_job` asked for.

        Raises the run's error if it did not finish, or was a program that was not ready in time;
        that of a program names which one.
        """
        label = self._progress.next
        assert label is not None
        try:
            result = summarise(record)
        except RunFailedError as error:
            if self.arms[label].program is None:
                raise
            raise error.of(label) from error
        if (late := result.cut_off) is not None:
            raise LoadFailedError(
                Message("{label}: {why}", label=label, why=late.message), late.remedy
            )
        result = self._checks.checked(label, result)
        if self.conditions.timed == "reading":
            result = with_warning(result, reading_unseen(result))
        self._checks.take(result)
        self._progress = self._progress.after(result)
        return self._progress.results[-1][1]

    def resume(self, results: Sequence[RunResult]) -> int:
        """Take in what an earlier session with the same strategies and conditions has measured, in
        its order, before the first run; returns how many results are used.

        Of a pair with only one run that run is not: the other would not be its neighbor. Older
        versions went on with runs of processes with threads, which aren't used.
        Raises ConfigError if these are results of other runs than this session asks for.
        """
        now = self._progress
        for result in results:
            if (label := now.next) is None:
                break
            arm = self.arms[label]
            asked = (arm.strategy, arm.config, self.conditions.cache)
            if asked != (result.strategy, result.config, result.cache_asked):
                raise ConfigError(
                    Message("This version of modelmon can't resume these runs."),
                    Message("Start a new comparison."),
                )
            now = now.after(result)
            if now.done % 2 == 0:
                self._progress = now
        for _, result in self._progress.results:
            self._checks.take(result)
        return len(self._progress.results)

    def results(self, label: Label) -> tuple[RunResult, ...]:
        """All results of a strategy, in order."""
        return self._progress.of(label)

    def summary(self, label: Label) -> StrategySummary | None:
        """The arm's runs that count, summed up; None while there are none."""
        arm, results = self.arms[label], self.results(label)
        seen = (*self._others, *self.results("A"), *self.results("B"))
        bottleneck = typical_bottleneck(results, limits_seen(self.limits, seen), seen)
        return summarize_strategy(label, arm.strategy, arm.config, results, bottleneck)

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
        runs_a, runs_b = self.results("A"), self.results("B")
        return Comparison(
            model=inspection.fingerprint,
            machine=machine_of(inspection),
            path=str(Place(inspection.model.path, inspection.server)),
            cache=self.conditions.cache,
            created_unix_s=self._created_unix_s,
            order="".join(self.order),
            runs_a=runs_a,
            runs_b=runs_b,
            **judge(arm_a, arm_b, runs_a, runs_b)._asdict(),
            portion_bytes=self.conditions.portion_bytes,
        )

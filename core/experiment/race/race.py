"""Find best as a state machine: says which run is next, takes its record, ranks at any time.

It is an ExperimentSession that may be stopped at any time: `standings` and, after a run that
counts, `race` tell the best so far. A run that takes longer than `run_left_ns` ends it: a way that
is much slower than predicted then does not break the budget.

A round runs each of its arms once, in an order drawn from the seed, so that all are compared with
neighbours in time. Who runs in the next one, and when it is decided (rounds.py), follows from
what all runs so far say of each arm (statistics/posterior.py, pick.py). No run is begun that
would not end within the budget (budget.py).
"""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.experiment.checks import checked
from modelmon.core.experiment.race.advice import advice_outside
from modelmon.core.experiment.race.budget import FOLLOW_UP_SHARE, Budget, costs_of
from modelmon.core.experiment.race.field import Field, RaceArm
from modelmon.core.experiment.race.recommend import recommend
from modelmon.core.experiment.race.result import Race, RaceRun
from modelmon.core.experiment.race.rounds import Rounds
from modelmon.core.experiment.race.standings import standings_of
from modelmon.core.history.origin import machine_of
from modelmon.core.history.rows import ArmOf
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import model_fingerprint
from modelmon.core.probe.limits import UNKNOWN_LIMITS, Limits
from modelmon.core.units import duration_text
from modelmon.core.worker.jobs import Job
from modelmon.core.worker.result import failure_of, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.experiment.race.candidates import Candidates
    from modelmon.core.experiment.race.plan import RaceConditions
    from modelmon.core.experiment.race.result import Ending, Standing
    from modelmon.core.history.rows import Kind
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult

# These end the race: no other way to load would do better.
_FOR_ALL = frozenset({"model", "busy", "cancelled"})
# Two rounds of the usual ten ways, and ten runs more of the fastest.
_RUNS_OF_A_RACE = 30


class RaceSession:
    """One race: its arms, their runs so far, and which run is next."""

    kind: Kind = "best"

    def __init__(
        self,
        candidates: Candidates,
        conditions: RaceConditions,
        admit: Callable[[LoadConfig], str] = lambda _config: "",
        limits: Limits = UNKNOWN_LIMITS,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`admit` says what keeps a variant from running here, "" if nothing does; `limits` are
        what a probe found at the model's place.

        Raises ConfigError if there is no candidate.
        """
        self.conditions = conditions
        arms = candidates.chosen
        self.field = Field(RaceArm(arm.label, arm.strategy, arm.config) for arm in arms)
        self.excluded = candidates.excluded
        if not self.field.arms:
            raise ConfigError(
                Message("No strategy for this model works here."), Message("See modelmon doctor.")
            )
        self.runs: list[RaceRun] = []
        self.limits = limits
        self._files_mark, self.why_stopped = "", NOTHING
        self._has_run = False
        self._budget = Budget(conditions.budget_ns, conditions.first_cost_ns, clock_ns)
        self._rounds = Rounds(self.field, conditions, self._budget, admit)
        self._created_unix_s = time.time()

    @property
    def done(self) -> bool:
        """Whether no run is left to do."""
        return self._rounds.next_step() is None

    @property
    def stopped(self) -> bool:
        """Whether it is neither decided nor its budget spent."""
        return self.ending in {"running", "stopped"}

    @property
    def conclusive(self) -> bool:
        """Whether any run counts."""
        return bool(self.field.measured)

    @property
    def history_arms(self) -> tuple[ArmOf, ...]:
        """All arms so far, as the history holds them."""
        return tuple(ArmOf(arm.label, arm.strategy, arm.config) for arm in self.field.arms)

    @property
    def ending(self) -> Ending:
        """Why the race ended, or that it is running."""
        return self._rounds.ending

    @property
    def time_left_ns(self) -> int:
        """Budget that is left now; negative when a run takes longer than predicted."""
        return self._budget.left_ns

    @property
    def run_left_ns(self) -> int:
        """What the run under way may still take; to end it takes the rest of the budget."""
        return self._budget.run_left_ns

    def spend(self, ns: int) -> None:
        """Take from the budget what was spent beside the runs: on the plan, on a look around."""
        self._budget.spend(ns)

    @property
    def expected_left_ns(self) -> float:
        """About how long the race still takes; 0 where that is about all of the budget."""
        return self._rounds.expected_left_ns()

    @property
    def place(self) -> str:
        """Where the race stands: `round 3, run 2 of 7`."""
        if self._rounds.over:
            if self.conditions.other_cache == "warm":
                return Message("warm starts of the best")
            return Message("cold starts of the best")
        return self._rounds.place

    def next_job(self) -> tuple[str, Job] | None:
        """Label and job of the next run, or None when the race is over."""
        step = self._rounds.next_step()
        if step is None:
            self._budget.abandon()
            return None
        (arm, cache), shared = step, self.conditions
        self._budget.begin()
        return arm.label, Job(
            path=shared.path,
            config=arm.config,
            strategy=arm.label,
            cache=cache,
            portion_bytes=shared.portion_bytes,
            sample_hz=shared.sample_hz,
            # Who uses the file is asked before the first run; whoever comes later is named.
            allow_busy=shared.allow_busy or self._has_run,
            condition_memory=shared.condition_memory,
            prepared_with=shared.prepared_with,
            most_load_ns=self._most_load_ns(arm),
        )

    def _most_load_ns(self, arm: RaceArm) -> int | None:
        """When to end a load of `arm`. One that has a run already is not ended: the slow ones
        among its runs would be left out.
        """
        far_slower_ns = self.field.far_slower_ns
        if self._rounds.over or arm.times_ns or far_slower_ns is None:
            return None
        beside_ns = median(run.cost_ns - run.result.wall_ns for run in self.runs)
        left_ns = self.run_left_ns - self._budget.total_ns * FOLLOW_UP_SHARE - beside_ns
        return max(1, round(min(far_slower_ns, left_ns)))

    def stop(self, why: Message = NOTHING) -> None:
        """End the race; what has been measured stands. `why` unless somebody asked for it."""
        self._budget.abandon()
        self.why_stopped = why
        if not self._rounds.over:
            self._rounds.finish("budget" if self.run_left_ns <= 0 else "stopped")
        self._rounds.queue = []

    def go_on_busy(self) -> None:
        """Agree to measure although another process uses the file."""
        self.conditions = msgspec.structs.replace(self.conditions, allow_busy=True)

    def add(self, record: RunRecord) -> RunResult | None:
        """Take in the record of the run that `next_job` asked for.

        A way that cannot be run drops out with its reason, and None is returned. Raises the
        error of a run that no other way would have avoided: the model, another user, a stop. A
        model that is lost after it was measured stops the race, with the best so far.
        """
        if record.finished is not None:
            self._has_run = True
            return self._take(checked(summarise(record), self._files_mark, self.limits))
        self._budget.abandon()
        if record.failed is not None and record.failed.kind in _FOR_ALL:
            if record.failed.kind != "model" or not self.field.measured:
                raise failure_of(record)
            self.stop(record.failed.message)
            return None
        arm, _ = self._rounds.queue.pop(0)
        if not self._rounds.over:
            arm.why, arm.failed = failure_of(record).message, True
        return None

    def resume(self, results: Sequence[RunResult]) -> int:
        """Take in what an earlier session of the same race has measured, in its order.

        Raises ConfigError if these are results of another race.
        """
        for result, cost_ns in zip(
            results, costs_of(results, self.conditions.first_cost_ns), strict=True
        ):
            _go_to(self._rounds, result.pair)
            _bring_forward(self._rounds, self.field, self.conditions, result)
            self._take(result, cost_ns)
        return len(results)

    def standings(self) -> tuple[Standing, ...]:
        """All arms, the best so far first, then by speed; those that dropped out last."""
        return standings_of(self.field, self.conditions.objective, self.limits)

    def results(self, label: str) -> tuple[RunResult, ...]:
        """All results of an arm in the race, in order."""
        return tuple(run.result for run in self.runs if run.label == label and run.round)

    def race(
        self,
        inspection: Inspection,
        diagnosis: Diagnosis | None = None,
    ) -> Race:
        """What the runs so far say. Raises LoadFailedError if none of them counts."""
        if not self.field.measured:
            raise _nothing_counts(self.field, self.runs, self.conditions)
        shared, standings = self.conditions, self.standings()
        advice = advice_outside(inspection, diagnosis, standings[0], shared.objective)
        return Race(
            model=model_fingerprint(inspection.model),
            machine=machine_of(inspection),
            path=inspection.model.path,
            objective=shared.objective,
            cache=shared.cache,
            created_unix_s=self._created_unix_s,
            budget_ns=shared.budget_ns,
            spent_ns=self._budget.spent_ns,
            rounds=self._rounds.number,
            ending=self.ending,
            runs=tuple(self.runs),
            standings=standings,
            recommendation=recommend(self.field, standings, shared, self.ending, advice),
            excluded=self.excluded,
            why_stopped=self.why_stopped,
            portion_bytes=shared.portion_bytes,
            why_portion=shared.why_portion,
        )

    def _take(self, result: RunResult, cost_ns: int | None = None) -> RunResult:
        arm, cache = self._rounds.queue.pop(0)
        cost_ns = self._budget.end((arm.label, cache), cost_ns)
        number = 0 if self._rounds.over else self._rounds.number
        result = msgspec.structs.replace(result, pair=number)
        self._files_mark = self._files_mark or result.files_mark
        self.runs.append(RaceRun(arm.label, number, cost_ns, result))
        if number:
            arm.take(number, result)
            self.field.judge_ended()
        elif result.counts:
            arm.other.append(result)
        if (changed := result.file_change) is not None:
            self.stop(changed.message)
        return result


def _go_to(rounds: Rounds, number: int) -> None:
    """Come to the round with this number, or to the runs after the race for 0.

    Whoever has no run in a round that is over had failed in it, or was left out. Raises
    ConfigError if the race cannot come there.
    """
    while not rounds.over and (number == 0 or rounds.number < number):
        if rounds.queue and not number:
            rounds.finish("budget")
            continue
        for arm, _ in rounds.queue:
            arm.why, arm.failed = Message("it ended before testing was stopped"), not arm.kept
        rounds.end_round()
    if rounds.over != (number == 0) or (number and rounds.number != number):
        raise _another_race()


def _bring_forward(
    rounds: Rounds, field: Field, conditions: RaceConditions, result: RunResult
) -> None:
    """Put the arm that `result` is of at the head of the queue; one that had joined, joins.

    Raises ConfigError if no arm of this race has such a run.
    """
    cache = conditions.other_cache if rounds.over else conditions.cache
    arm = next((arm for arm in field.arms if arm.label == result.strategy), None)
    if arm is None:
        arm = RaceArm(result.strategy, result.strategy.partition(",")[0], result.config)
        field.arms.append(arm)
    if cache is None or arm.config != result.config or cache != result.cache_asked:
        raise _another_race()
    arm.why = NOTHING
    if (arm, cache) in rounds.queue:
        rounds.queue.remove((arm, cache))
    rounds.queue.insert(0, (arm, cache))


def _another_race() -> ConfigError:
    return ConfigError(
        Message("This version would have made other runs than those so far."),
        Message("Run modelmon best again."),
    )


def _nothing_counts(
    field: Field, runs: Sequence[RaceRun], conditions: RaceConditions
) -> LoadFailedError:
    """The error of a race in which no run counts: the last reason, or that its time was up."""
    reasons = [arm.why for arm in field.arms if arm.why]
    reasons += [run.result.why_not for run in runs]
    against = [told.remedy for run in runs for told in run.result.warnings if not told.counts]
    if reasons:
        return LoadFailedError(
            Message("No run counts. {reasons}", reasons=reasons[-1]), *against[-1:]
        )
    each = conditions.first_cost_ns
    return LoadFailedError(
        Message(
            "The time limit of {budget} was reached before a run ended; each takes about {each}.",
            budget=duration_text(conditions.budget_ns),
            each=duration_text(each),
        ),
        Message(
            "Choose a longer time limit: testing everything takes about {each}.",
            each=duration_text(each * _RUNS_OF_A_RACE),
        ),
    )

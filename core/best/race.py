"""Find best as a state machine: says which run is next, takes its record, ranks at any time.

It is an ExperimentSession that may be stopped at any time: `standings` and, after a run that
counts, `race` tell the best so far. A run that takes longer than `run_left_ns` ends it: a way that
is much slower than predicted then does not break the budget.

A round runs each of its arms once, in an order drawn from the seed, so that all are compared with
neighbours in time. Who runs in the next one, and when it is decided (rounds.py), follows from
what all runs so far say of each arm (statistics/posterior.py, pick.py). No run is begun that
would not end within the budget (budget.py). Of what is left of it, as much as the race took goes to
rounds from the cache's other state (follow_up.py).
"""

from __future__ import annotations

import math
import time
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.best.advice import advice_outside
from modelmon.core.best.budget import FOLLOW_UP_SHARE, Budget, costs_of
from modelmon.core.best.field import Field, RaceArm
from modelmon.core.best.follow_up import FOLLOW_UP_CHANCE_LEFT, field_after
from modelmon.core.best.pick import in_question, pick
from modelmon.core.best.plan import runs_wanted
from modelmon.core.best.prospects import more_time
from modelmon.core.best.recommend import recommend
from modelmon.core.best.result import Race, RaceRun
from modelmon.core.best.rounds import Rounds
from modelmon.core.best.standings import standings_of
from modelmon.core.compare.checks import Checks
from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.history.origin import machine_of
from modelmon.core.history.rows import ArmOf
from modelmon.core.load.portion import place_of_run
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.probe.limits import UNKNOWN_LIMITS, Limits
from modelmon.core.remote.address import Place
from modelmon.core.units import duration_text, limit_text
from modelmon.core.worker.jobs import Job
from modelmon.core.worker.result import failure_of, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.best.candidates import Candidates
    from modelmon.core.best.plan import RaceConditions
    from modelmon.core.best.result import Ending, MoreTime, Standing
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.history.rows import Kind
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult

# These end the race: no other way to load would do better.
_FOR_ALL = frozenset({"model", "busy", "cancelled"})


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
        self.field = Field(map(RaceArm, candidates.chosen))
        self.excluded = candidates.excluded
        if not self.field.arms:
            raise ConfigError(
                Message("No strategy for this model works here."), Message("See modelmon doctor.")
            )
        self.runs: list[RaceRun] = []
        self.limits = limits
        self.why_stopped = NOTHING
        self._checks = Checks(limits)
        self._budget = Budget(conditions.budget_ns, conditions.first_cost_ns, clock_ns)
        self._race = Rounds(
            self.field, conditions, self._budget, admit, spare_share=FOLLOW_UP_SHARE
        )
        self._after: Rounds | None = None
        self._field_after = Field()
        self._created_unix_s = time.time()

    @property
    def done(self) -> bool:
        """Whether no run is left to do."""
        return self._next_step() is None

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
        return tuple(arm.told for arm in self.field.arms)

    @property
    def ending(self) -> Ending:
        """Why the race ended, or that it is running."""
        return self._race.ending

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
        place = self._rounds.place
        if self._rounds is self._race:
            return place
        if self.conditions.cache == "cold":
            return Message("warm starts, {place}", place=place)
        return Message("cold starts, {place}", place=place)

    @property
    def _rounds(self) -> Rounds:
        """Those under way: of the race, or after it."""
        return self._after or self._race

    def _next_step(self) -> tuple[RaceArm, Cache] | None:
        step = self._rounds.next_step()
        if step is None and self._after is None and not self.stopped and not self.why_stopped:
            self._begin_after()
            step = self._rounds.next_step()
        return step

    def _begin_after(self) -> None:
        """Go on from the cache's other state."""
        conditions = self.conditions.from_other_start
        if conditions is None or not self.field.measured:
            return
        field = field_after(self.field, self.conditions.objective)
        before = {arm.label: arm for arm in self._field_after.arms}
        field.arms = [before.get(arm.label, arm) for arm in field.arms]
        self._field_after = field
        self._after = Rounds(
            field,
            conditions,
            self._budget,
            None,
            after=self._race.number,
            chance_left=FOLLOW_UP_CHANCE_LEFT,
            spare_share=max(0.0, 1 - 2 * self._budget.spent_ns / self._budget.total_ns),
        )

    def go_on_racing(self) -> None:
        """Go on with the race where only its budget ended it, which is a longer one now."""
        if self._race.ending != "budget":
            return
        self._race.ending = "running"
        if self._after is not None:
            # Each round has a number of its own.
            self._race.number = self._after.number
            self._after = None

    def next_job(self) -> tuple[str, Job] | None:
        """Label and job of the next run, or None when the race is over."""
        step = self._next_step()
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
            portion_bytes=self._rounds.portion_bytes,
            portion_place=place_of_run(len(self.runs)) if cache == "cold" else 0.0,
            sample_hz=shared.sample_hz,
            # Who uses the file is asked before the first run; whoever comes later is named.
            allow_busy=shared.allow_busy or self._checks.any_started,
            looks_for_users=self._rounds.begins_round or not self._checks.any_started,
            condition_memory=shared.condition_memory,
            prepared_with=shared.prepared_with,
            most_load_ns=self._most_load_ns(arm),
            program=arm.told.program,
        )

    def _most_load_ns(self, arm: RaceArm) -> int | None:
        """When to end a load of `arm`: at its own limit. One that has no run yet is ended before
        where it is far slower; of others the slow runs would be left out.
        """
        limit_ns, far_slower_ns = arm.told.limit_ns, self._rounds.field.far_slower_ns
        if arm.times_ns or far_slower_ns is None:
            return limit_ns
        beside_ns = median(run.cost_ns - run.result.wall_ns for run in self.runs)
        left_ns = self.run_left_ns - self._budget.total_ns * self._rounds.spare_share - beside_ns
        most_ns = max(1, round(min(far_slower_ns, left_ns)))
        return most_ns if limit_ns is None else min(most_ns, limit_ns)

    def stop(self, why: Message = NOTHING) -> None:
        """End the race; what has been measured stands. `why` unless somebody asked for it."""
        self._budget.abandon()
        self.why_stopped = why
        if not self._race.over:
            self._race.finish("budget" if self.run_left_ns <= 0 else "stopped")
        if self._after is not None:
            self._after.finish("stopped")

    def go_on_busy(self) -> None:
        """Agree to measure although another process uses the file."""
        self.conditions = msgspec.structs.replace(self.conditions, allow_busy=True)

    def add(self, record: RunRecord) -> RunResult | None:
        """Take in the record of the run that `next_job` asked for.

        A way that cannot be run, or not within its own limit, drops out with its reason, and None
        is returned. Raises the
        error of a run that no other way would have avoided: the model, another user, a stop. A
        model that is lost after it was measured stops the race, with the best so far.
        """
        arm, late = self._rounds.queue[0][0], None
        if record.finished is not None:
            result = self._checks.checked(arm.label, summarise(record))
            late = result.cut_off
            if late is None or result.wall_ns < (arm.told.limit_ns or math.inf):
                return self._take(result)
        self._budget.abandon()
        if record.failed is not None and record.failed.kind in _FOR_ALL:
            if record.failed.kind != "model" or not self.field.measured:
                raise failure_of(record)
            self.stop(record.failed.message)
            return None
        self._rounds.queue.pop(0)
        failure = failure_of(record)
        # What a program said last is all that is known of it.
        why = failure.text if arm.told.program is not None else failure.message
        arm.why, arm.failed = why if late is None else joined((late.message, late.remedy)), True
        return None

    def resume(self, results: Sequence[RunResult]) -> int:
        """Take in what an earlier session of the same race has measured, in its order.

        It stands, whatever would be decided now: the time limit may be another, and what the runs
        cost is known less well. Raises ConfigError if these are results of another race.
        """
        for result, cost_ns in zip(
            results, costs_of(results, self.conditions.first_cost_ns), strict=True
        ):
            after = result.cache_asked != self.conditions.cache
            if after and self._after is None:
                _end(self._race)
                self._begin_after()
                if self._after is None:
                    raise _another_race()
            elif not after:
                self._after = None
            _go_to(self._rounds, self.conditions, result)
            _bring_forward(self._rounds, result)
            self._take(result, cost_ns)
        return len(results)

    def standings(self) -> tuple[Standing, ...]:
        """All arms, the best so far first, then by speed; those that dropped out last."""
        return standings_of(self.field, self.conditions.objective, self.limits, self._field_after)

    def results(self, label: str) -> tuple[RunResult, ...]:
        """All results of an arm in the race, in order."""
        cache = self.conditions.cache
        return tuple(
            run.result
            for run in self.runs
            if run.label == label and run.result.cache_asked == cache
        )

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
            model=inspection.fingerprint,
            machine=machine_of(inspection),
            path=str(Place(inspection.model.path, inspection.server)),
            objective=shared.objective,
            cache=shared.cache,
            created_unix_s=self._created_unix_s,
            budget_ns=shared.budget_ns,
            spent_ns=self._budget.spent_ns,
            rounds=self._race.number,
            ending=self.ending,
            runs=tuple(self.runs),
            standings=standings,
            recommendation=recommend(
                self.field,
                standings,
                shared,
                self.ending,
                after=self._field_after,
                advice=advice,
                more=() if self.ending == "decided" else self._more_time(),
            ),
            excluded=self.excluded,
            why_stopped=self.why_stopped,
            portion_bytes=shared.portion_bytes,
            why_portion=shared.why_portion,
            gain_share=self._gain_share,
        )

    @property
    def _gain_share(self) -> float | None:
        best = pick(self.field, self.field.measured, self.conditions.objective)
        return None if best is None else self.field.posterior.gain_share(best.label)

    def _more_time(self) -> tuple[MoreTime, ...]:
        objective, cache = self.conditions.objective, self.conditions.cache
        among = in_question(self.field, objective)
        round_ns = sum(self._budget.cost_ns((arm.label, cache)) for arm in among)
        return more_time(self.field, among, objective, round_ns)

    def _take(self, result: RunResult, cost_ns: int | None = None) -> RunResult:
        arm, cache = self._rounds.queue.pop(0)
        number = self._rounds.number
        state = f"{cache}, whole" if number in self._rounds.whole else cache
        cost_ns = self._budget.end((arm.label, state), cost_ns)
        result = msgspec.structs.replace(result, pair=number)
        self._checks.take(result)
        self.runs.append(RaceRun(arm.label, number, cost_ns, result))
        self._rounds.field.take(arm, result)
        if (changed := result.file_change) is not None:
            self.stop(changed.message)
        return result


def _end(rounds: Rounds) -> None:
    """End the rounds as a run after them says that they did."""
    if not rounds.queue:
        rounds.end_round()
    if not rounds.over:
        rounds.finish("budget")


def _go_to(rounds: Rounds, conditions: RaceConditions, result: RunResult) -> None:
    """Come to the round that `result` is of; runs of older versions after a race have none.

    Whoever has no run in a round that is over had failed in it, or was left out. Raises
    ConfigError where that round is over.
    """
    waiting = any(arm.label == result.strategy for arm, _ in rounds.queue)
    number = result.pair or (rounds.number if waiting else rounds.number + 1)
    while not rounds.over and rounds.number < number:
        for arm, _ in rounds.queue:
            arm.why, arm.failed = Message("it ended before testing was stopped"), not arm.kept
        rounds.end_round()
    if rounds.number > number:
        raise _another_race()
    rounds.ending, rounds.number = "running", number
    if conditions.confirm and not result.extrapolated:
        rounds.whole.add(number)


def _bring_forward(rounds: Rounds, result: RunResult) -> None:
    """Put the arm that `result` is of at the head of the queue; one that had joined, joins.

    Raises ConfigError if no arm of this race has such a run.
    """
    field, cache = rounds.field, result.cache_asked
    arm = next((arm for arm in field.arms if arm.label == result.strategy), None)
    if arm is None:
        name = result.strategy.partition(",")[0]
        arm = RaceArm(ArmOf(result.strategy, name, result.config))
        field.arms.append(arm)
    if arm.config != result.config:
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
            "No run ended within the time limit of {budget}; each takes about {each}, after a look"
            " at the model and its disk.",
            budget=limit_text(conditions.budget_ns),
            each=duration_text(each),
        ),
        Message(
            "Choose a longer time limit: testing everything takes about {each}.",
            each=duration_text(each * runs_wanted(len(field.arms))),
        ),
    )

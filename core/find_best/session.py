"""The session of Find best: drives next_step.py, takes in records, ranks at any time.

It may be stopped at any time: `standings` and, after a run that counts, `race` give the best so
far. Which run is next follows from the runs until now alone, so that one that was stopped resumes
once it has taken in its results. No run begins that would not end within the time limit, and one
that takes longer than `run_left_ns` is ended.
"""

from __future__ import annotations

import math
import time
from functools import cache
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.comparison.commands import TOGETHER
from modelmon.core.comparison.runner import ExperimentSession
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.explain.cures import needless
from modelmon.core.find_best.contenders import FAR_SLOWER, standings_of
from modelmon.core.find_best.next_step import Next, Search, costs_of, next_step
from modelmon.core.find_best.plan import SearchConditions, admission, runs_wanted
from modelmon.core.find_best.recommend import advice_outside, recommend
from modelmon.core.find_best.result import Excluded, SearchResult, SearchRun, more_ns
from modelmon.core.history.origin import machine_of
from modelmon.core.history.rows import stored_value
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits
from modelmon.core.remote import Place
from modelmon.core.units import duration_text, limit_text
from modelmon.core.worker.result import failure_of, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.find_best.contenders import Contenders
    from modelmon.core.find_best.next_step import Step
    from modelmon.core.find_best.result import Ending, Standing
    from modelmon.core.history.rows import Entrant, ExperimentRow, Kind
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Cache, Job
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult


# These end the race: no other way to load would do better.
_FOR_ALL = frozenset({"model", "busy", "cancelled"})
# To end a loader takes this long on a busy machine, its memory given back; never more of a short
# time limit than it has to give.
_STOPPING_NS = 500_000_000
_MOST_STOPPING_SHARE = 0.05


class SearchSession(ExperimentSession[SearchConditions]):
    """One race: its runs so far, which one is next, and what they say."""

    kind: Kind = "best"

    def __init__(
        self,
        arms: Sequence[Entrant],
        conditions: SearchConditions,
        admit: Callable[[LoadConfig], str] = lambda _config: "",
        limits: Limits = UNKNOWN_LIMITS,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`admit` says what keeps a variant from running here, "" if nothing does; `limits` are
        what a probe found at the model's place.

        Raises ConfigError if there is no candidate.
        """
        super().__init__(conditions, limits)
        self.excluded: tuple[Excluded, ...] = ()
        if not arms:
            raise ConfigError(
                Message("No strategy for this model works here."),
                Message("See the likely bottlenecks{terminal}.", terminal=" (modelmon doctor)"),
            )
        self._search = Search(tuple(arms), conditions, cache(admit))
        self.runs, self.failed = self._search.runs, self._search.failed
        self.why_stopped = NOTHING
        self._clock_ns = clock_ns
        self._past_ns = 0
        self._begun_ns: int | None = None
        self._stopped: Ending | None = None
        self._next: Next | None = None
        self._is_combined = False

    @classmethod
    def begun(
        cls, experiment: ExperimentRow, inspection: Inspection, budget_ns: int | None = None
    ) -> SearchSession:
        """A race as it was begun, before its runs are taken in; `budget_ns` is for all of it, with
        what is spent already, None leaves its own.
        """
        then = stored_value(experiment.conditions_json, SearchConditions)
        budget_ns = then.budget_ns if budget_ns is None else budget_ns
        conditions = msgspec.structs.replace(then, allow_busy=False, budget_ns=budget_ns)
        return search_session(inspection, experiment.arms, conditions)

    @property
    def stopped(self) -> bool:
        """Whether it is neither decided nor its time spent."""
        return self.ending in {"running", "stopped"}

    @property
    def conclusive(self) -> bool:
        """Whether any run counts."""
        return bool(self.contenders().measured)

    @property
    def arms(self) -> dict[str, Entrant]:
        """All so far."""
        return {each.label: each.told for each in self.contenders().all}

    @property
    def ending(self) -> Ending:
        """Why the race ended, or that it is running."""
        return self._stopped or self._now.ending

    @property
    def spent_ns(self) -> int:
        """Time spent so far, that of the run under way included."""
        running = self._clock_ns() - self._begun_ns if self._begun_ns is not None else 0
        return self._past_ns + running

    @property
    def time_left_ns(self) -> int:
        """Time that is left now; negative when a run takes longer than predicted."""
        return self.conditions.budget_ns - self.spent_ns

    @property
    def run_left_ns(self) -> int:
        """What the run under way may still take: what it takes to end it is kept back."""
        kept_back = min(_STOPPING_NS, round(self.conditions.budget_ns * _MOST_STOPPING_SHARE))
        return self.time_left_ns - kept_back

    def spend(self, ns: int) -> None:
        """Take from the time limit what was spent on other things, as on the plan."""
        self._past_ns += ns
        self._next = None

    @property
    def place(self) -> str:
        """Where the race stands: `round 3, run 2 of 7`."""
        step = self._step
        if step is None:
            return Message("{count} runs", count=len(self.runs))
        figures = {"active": step.place, "active2": step.in_round}
        if step.cache == self.conditions.cache:
            return Message("round {value}, run {active} of {active2}", value=step.round, **figures)
        if step.cache == "warm":
            return Message("warm starts, run {active} of {active2}", **figures)
        return Message("cold starts, run {active} of {active2}", **figures)

    def contenders(self, cache: Cache | None = None) -> Contenders:
        """All strategies by the runs so far from this state of the cache, or from the race's."""
        return self._search.contenders(cache=cache)

    @property
    def _now(self) -> Next:
        """What comes next; it stays so until a run has ended."""
        if self._next is None:
            self._next = next_step(self._search, self.run_left_ns)
        return self._next

    @property
    def _step(self) -> Step | None:
        return None if self._stopped else self._now.step

    def next_job(self) -> tuple[str, Job] | None:
        """Label and job of the next run, or None when the race is over."""
        self._combine_once_decided()
        step = self._step
        if step is None:
            self._pause()
            return None
        if self._begun_ns is None:
            self._begun_ns = self._clock_ns()
        return step.arm.label, self._job(
            step.arm,
            len(self.runs),
            begins_round=step.place == 1,
            path=self.conditions.path,
            strategy=step.arm.label,
            cache=step.cache,
            most_load_ns=self._most_load_ns(step),
        )

    def _most_load_ns(self, step: Step) -> int | None:
        """When to end a load: at its own limit. Of a strategy that has no run yet, before where it
        is far slower; of others the slow runs would be left out. What the person has is ended much
        later: no advice to change it rests on a single run that was disturbed.
        """
        limit_ns, now = step.arm.limit_ns, self.contenders()
        known = now.called(step.arm.label)
        is_first = step.cache == self.conditions.cache and not (known and known.kept)
        if now.far_slower_ns is None or not is_first:
            return limit_ns
        beside_ns = median(run.cost_ns - run.result.wall_ns for run in self.runs)
        is_baseline = step.arm.label == self.conditions.baseline
        far_slower_ns = now.far_slower_ns * (FAR_SLOWER if is_baseline else 1)
        most_ns = max(1, round(min(far_slower_ns, self.run_left_ns - beside_ns)))
        return most_ns if limit_ns is None else min(most_ns, limit_ns)

    def stop(self, why: Message = NOTHING) -> None:
        """End the race; what has been measured stands. `why` unless somebody asked for it."""
        self._pause()
        self.why_stopped = why
        if self.ending == "running":
            self._stopped = "budget" if self.run_left_ns <= 0 else "stopped"
        else:
            self._stopped = self.ending

    def add(self, record: RunRecord) -> RunResult | None:
        """Take in the record of the run that `next_job` asked for.

        A way that cannot be run, or not within its own limit, drops out with its reason, and None
        is returned. Raises the error of a run that no other way would have avoided: the model,
        another user, a stop. A model that is lost after it was measured stops the race, with the
        best so far.
        """
        step, late = self._step, None
        assert step is not None
        if record.finished is not None:
            result = self._checks.checked(step.arm.label, summarise(record))
            late = result.cut_off
            if late is None or result.wall_ns < (step.arm.limit_ns or math.inf):
                result = self._take(result, step.round, self._lap())
                self._combine_once_decided()
                return result
        self._pause()
        if record.failed is not None and record.failed.kind in _FOR_ALL:
            if record.failed.kind != "model" or not self.conclusive:
                raise failure_of(record)
            self.stop(record.failed.message)
            return None
        failure = failure_of(record)
        # What a program said last is all that is known of it.
        why = failure.text if step.arm.program is not None else failure.message
        self.failed[step.arm.label, step.cache] = (
            why if late is None else joined((late.message, late.remedy))
        )
        self._next = None
        return None

    def resume(self, results: Sequence[RunResult]) -> int:
        """Take in what an earlier session of the same race has measured, in its order.

        Raises ConfigError if these are results of another race.
        """
        known = {each.label: each.config for each in self._search.arms}
        if results and results[0].cache_asked != self.conditions.cache:
            raise _another_race()
        combined_then = any(TOGETHER in each.strategy for each in results)
        costs = costs_of(results, self.conditions.first_cost_ns)
        for result, cost_ns in zip(results, costs, strict=True):
            if known.setdefault(result.strategy, result.config) != result.config:
                raise _another_race()
            if TOGETHER in result.strategy and not self._is_combined:
                self._combine()  # the time that was left then may have been another
            last = self.runs[-1].round if self.runs else 0
            # In older versions what ran from the other state had no round.
            self._take(result, result.pair or last + 1, cost_ns)
            if combined_then:
                self._combine_once_decided()
        return len(results)

    def standings(self) -> tuple[Standing, ...]:
        """All arms, the best so far first, then by speed; those that dropped out last."""
        other = self.conditions.other_cache
        after = self.contenders(other) if other is not None else None
        return standings_of(self.contenders(), self.limits, after)

    def race(self, inspection: Inspection) -> SearchResult:
        """What the runs so far say. Raises LoadFailedError if none of them counts."""
        now = self.contenders()
        if not now.measured:
            raise self._nothing_counts()
        shared, standings = self.conditions, self.standings()
        return SearchResult(
            model=inspection.fingerprint,
            machine=machine_of(inspection),
            path=str(Place(inspection.model.path, inspection.server)),
            objective=shared.objective,
            cache=shared.cache,
            created_unix_s=self._created_unix_s,
            budget_ns=shared.budget_ns,
            spent_ns=self.spent_ns,
            rounds=len({run.round for run in self.runs if run.result.cache_asked == shared.cache}),
            ending=self.ending,
            runs=tuple(self.runs),
            standings=standings,
            recommendation=recommend(
                now,
                standings,
                shared,
                self.ending,
                more_ns(self.runs, shared.cache),
                tuple(advice_outside(inspection, standings[0], shared.objective)),
            ),
            excluded=self.excluded,
            why_stopped=self.why_stopped,
            portion_bytes=shared.portion_bytes,
            why_portion=shared.why_portion,
        )

    def _take(self, result: RunResult, number: int, cost_ns: int) -> RunResult:
        self._past_ns += cost_ns
        result = msgspec.structs.replace(result, pair=number)
        self._checks.take(result)
        self.runs.append(SearchRun(result.strategy, number, cost_ns, result))
        if result.strategy == self.conditions.baseline and result.counts:
            self._leave_out(result)
        self._next = None
        if (changed := result.file_change) is not None:
            self.stop(changed.message)
        return result

    def _combine_once_decided(self) -> None:
        """Let settings that saved time run together, once it's clear which do."""
        if not (self._is_combined or self._stopped) and self._now.ending == "decided":
            self._combine()

    def _combine(self) -> None:
        self._is_combined = True
        found = self.contenders().together()
        if found is not None:
            self._search.arms = (*self._search.arms, found)
            self._next = None

    def _leave_out(self, own: RunResult) -> None:
        """Settings that can't shorten the wait, by the first run of what the program does by
        itself.
        """
        if self.conditions.named:
            return
        tested = {run.label for run in self.runs}
        why = {arm.label: needless(arm.label, own) for arm in self._search.arms}
        left_out = {label for label in why if why[label] and label not in tested}
        self.excluded += tuple(Excluded(label, why[label]) for label in why if label in left_out)
        self._search.arms = tuple(arm for arm in self._search.arms if arm.label not in left_out)

    def _lap(self) -> int:
        """What the run that is over cost; what comes before the next one belongs to that."""
        now_ns = self._clock_ns()
        cost_ns = now_ns - self._begun_ns if self._begun_ns is not None else 0
        self._begun_ns = now_ns
        return cost_ns

    def _pause(self) -> None:
        """No run is under way or follows at once; the time of one without a result is spent."""
        self._past_ns, self._begun_ns = self.spent_ns, None

    def _nothing_counts(self) -> LoadFailedError:
        """The error of a race in which no run counts: the last reason, or that its time was up."""
        reasons = [*self.failed.values(), *(run.result.why_not for run in self.runs)]
        if reasons:
            warnings = [told for run in self.runs for told in run.result.warnings]
            against = [told.remedy for told in warnings if not told.counts]
            text = Message("No run counts. {reasons}", reasons=reasons[-1])
            return LoadFailedError(text, *against[-1:])
        each = self.conditions.first_cost_ns
        return LoadFailedError(
            Message(
                "No run finished within {budget}: each takes about {each}, plus preparation.",
                budget=limit_text(self.conditions.budget_ns),
                each=duration_text(each),
            ),
            Message(
                "Choose a longer time limit: testing everything takes about {each}.",
                each=duration_text(each * runs_wanted(len(self._search.arms))),
            ),
        )


def _another_race() -> ConfigError:
    return ConfigError(
        Message("These runs belong to another search."), Message("Start Find best again.")
    )


def search_session(
    inspection: Inspection,
    arms: Sequence[Entrant],
    conditions: SearchConditions,
    excluded: tuple[Excluded, ...] = (),
) -> SearchSession:
    """A session for what was inspected; `excluded` are who does not take part, and why.

    Raises ConfigError if nobody does.
    """
    memory = inspection.memory_elsewhere
    admit = admission(inspection.model, conditions.portion_bytes, memory, of_variants=True)
    session = SearchSession(arms, conditions, admit, known_limits(inspection))
    session.excluded = excluded
    return session

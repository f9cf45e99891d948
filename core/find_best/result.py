"""A race of many ways to load one model, as it is shown, saved and exported."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.comparison.result import Confidence
from modelmon.core.explain.evidence import Bottleneck
from modelmon.core.history.origin import Machine
from modelmon.core.limited_numbers import Amount, Duration, Number, UnixTime
from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.worker.events import Cache
from modelmon.core.worker.result import RunResult

if TYPE_CHECKING:
    from collections.abc import Sequence

RACE_SCHEMA = 1

_MORE_RUNS = 20
_MORE_NS = tuple(minutes * 60 * 10**9 for minutes in (1, 5, 15, 60))

Objective = Literal["cold", "warm", "memory"]
"""What is wanted: the shortest first start, the shortest restart, or the least memory that the
system cannot take back, of the ways that take at most 1.25 times as long as the fastest."""

StandingState = Literal["racing", "dropped", "failed"]
Ending = Literal["decided", "budget", "stopped", "running"]


class SearchRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """One run of a race. Those with the same `round` (from 1) were neighbours; 0 in races of older
    versions that are from the cache's other state. `cost_ns` is with preparing and ending.
    """

    label: str
    round: Amount
    cost_ns: Amount
    result: RunResult


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to load and how it stands.

    `ratio` is its time ÷ that of `against`, the one to use; `ratio_low`, `ratio_high` bound
    it with the confidence `coverage_share`; where that is None, for either ran only once, they
    are mostly a guess. `pairs` is the number of rounds in which both ran.
    `changed` are the axes that differ from the preset, `why` says why it was dropped.
    `expected_ns` is how long its loads take by all runs together, between `expected_low_ns` and
    `expected_high_ns`. `held_bytes` is memory that the system cannot take back; mapped pages of
    the file are left out. In a race on a part of the model it is what that part takes. What begins
    with `other` is from the cache's other state. `kept` is what the person has, which stands first
    although another may be faster: not by enough, or not surely.
    """

    label: str
    strategy: str
    config: LoadConfig
    state: StandingState
    runs: Amount
    discarded: Amount = 0
    changed: tuple[str, ...] = ()
    why: Message = NOTHING
    median_ns: Duration | None = None
    expected_ns: Number | None = None
    expected_low_ns: Number | None = None
    expected_high_ns: Number | None = None
    against: str = ""
    ratio: Number | None = None
    ratio_low: Number | None = None
    ratio_high: Number | None = None
    coverage_share: Number | None = None
    pairs: Amount = 0
    held_bytes: Amount | None = None
    io_wait_share: Number | None = None
    left_cached_share: Number | None = None
    other_median_ns: Number | None = None
    other_runs: Amount = 0
    bottleneck: Bottleneck | None = None
    kept: bool = False


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to do outside of the load. `expected` is what it should bring, by the figure of
    `source`.
    """

    kind: str
    text: Message
    expected: Message
    source: Message
    command: str = ""


class Recommendation(msgspec.Struct, frozen=True, omit_defaults=True):
    """What to do, why, and how sure it is.

    `expected_ns` is for the whole model, likely between `expected_low_ns` and
    `expected_high_ns`; `extrapolated` where only a part was loaded. `contradictions` tell what the
    objective does not see. `chance` is how probable it is that nothing that was tested would have
    been worth choosing instead; `confidence` follows from it. `exported` is the label of what
    modelmon.toml stores: the same, unless that takes worker processes, whose memory cannot
    become the caller's. `to_set` is what a person sets to have it, where it is a program;
    `baseline` is the label of what the person has now, where that was measured.
    """

    label: str
    strategy: str
    config: LoadConfig
    sentence: Message
    reasons: tuple[Message, ...]
    confidence: Confidence
    confidence_reason: Message
    expected_ns: Number
    expected_low_ns: Number
    expected_high_ns: Number
    extrapolated: bool = False
    runner_up: str = ""
    runner_up_wins: Message = NOTHING
    contradictions: tuple[Message, ...] = ()
    advice: tuple[Advice, ...] = ()
    exported: str = ""
    chance: Number | None = None
    to_set: Message = NOTHING
    baseline: str = ""


class Excluded(msgspec.Struct, frozen=True):
    """A strategy that did not race, and why."""

    strategy: str
    why: Message


class SearchResult(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="race"):
    """A race, over or stopped: everything needed to judge it again, go on with it or export it.

    `cache` is the state before its runs. `runs` are in order; `standings` best first. `why_stopped`
    is "" unless the model was lost or changed meanwhile. `measured_with` names what was loaded,
    where that is another file of the same layout.
    """

    model: ModelFingerprint
    machine: Machine
    path: str
    objective: Objective
    cache: Cache
    created_unix_s: UnixTime
    budget_ns: Amount
    spent_ns: Amount
    rounds: Amount
    ending: Ending
    runs: tuple[SearchRun, ...]
    standings: tuple[Standing, ...]
    recommendation: Recommendation
    excluded: tuple[Excluded, ...] = ()
    portion_bytes: Amount | None = None
    why_portion: Message = NOTHING
    why_stopped: Message = NOTHING
    measured_with: Message = NOTHING
    schema: Amount = RACE_SCHEMA

    @property
    def answer(self) -> Recommendation:
        """What the history keeps of it beside its runs."""
        return self.recommendation

    @property
    def more_ns(self) -> int:
        """For how long to continue, so that it may settle what is still open."""
        return more_ns(self.runs, self.cache)

    @property
    def lost_its_model(self) -> bool:
        """Whether the model was changed or removed meanwhile, which ends it."""
        return bool(self.why_stopped)

    @property
    def command(self) -> str:
        """The command line of what is recommended; empty for a strategy."""
        best = self.recommendation.label
        return next((run.result.command for run in self.runs if run.label == best), "")

    def standing(self, label: str) -> Standing:
        """One arm's standing."""
        return next(standing for standing in self.standings if standing.label == label)


def more_ns(runs: Sequence[SearchRun], cache: Cache) -> int:
    """For how long to continue a race with these runs."""
    costs = [run.cost_ns for run in runs if run.result.cache_asked == cache]
    needed_ns = _MORE_RUNS * median(costs) if costs else 0
    return next((each for each in _MORE_NS if each >= needed_ns), _MORE_NS[-1])

"""A race of many ways to load one model, as it is shown, saved and exported."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.experiment.bottleneck.kinds import Bottleneck, Confidence
from modelmon.core.experiment.result import Machine, ModelFingerprint, RunResult
from modelmon.core.load.config import LoadConfig
from modelmon.core.worker.events import Cache

RACE_SCHEMA = 1

Objective = Literal["cold", "warm", "memory"]
"""What is wanted: the shortest first start, the shortest restart, or the least memory that the
system cannot take back, of the ways that take at most 1.25 times as long as the fastest."""

StandingState = Literal["racing", "dropped", "failed"]
Ending = Literal["decided", "budget", "stopped", "running"]


class RaceRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """One run of a race. Those with the same `round` (from 1) were neighbours; 0 is for runs
    after the race, from the other state of the cache. `cost_ns` is with preparing and ending.
    """

    label: str
    round: int
    cost_ns: int
    result: RunResult


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to load and how it stands.

    `ratio` is its time ÷ that of `against`, the best so far; `ratio_low`, `ratio_high` bound
    it with the confidence `coverage_share`; where that is None, for want of runs, they are a
    guess from the noise of all arms. `pairs` is the number of rounds in which both ran.
    `changed` are the axes that differ from the preset, `why` says why it was dropped.
    `held_bytes` is memory that the system cannot take back; mapped pages of the file, which
    `peak_rss_bytes` has in it, are left out. `other_median_ns` is from the cache's other state.
    """

    label: str
    strategy: str
    config: LoadConfig
    state: StandingState
    runs: int
    discarded: int = 0
    changed: tuple[str, ...] = ()
    why: str = ""
    median_ns: float | None = None
    mad_ns: float | None = None
    fastest_ns: float | None = None
    slowest_ns: float | None = None
    against: str = ""
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    coverage_share: float | None = None
    pairs: int = 0
    peak_rss_bytes: int | None = None
    held_bytes: int | None = None
    io_wait_share: float | None = None
    device_bytes: int | None = None
    left_cached_share: float | None = None
    other_median_ns: float | None = None
    other_runs: int = 0
    bottleneck: Bottleneck | None = None


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to do outside of the load. `expected` is what it should bring.

    A `measured` one gives as `source` the figure it rests on. Of an `observed` one the source
    was seen here, but not what the remedy brings. A `rule of thumb` names where it comes from.
    """

    kind: str
    text: str
    expected: str
    basis: Literal["measured", "observed", "rule of thumb"]
    source: str
    command: str = ""


class Recommendation(msgspec.Struct, frozen=True, omit_defaults=True):
    """What to do, why, and how sure it is.

    `expected_ns` is for the whole model, `expected_low_ns` to `expected_high_ns` the range
    that was seen; `extrapolated` where only a part was loaded. `contradictions` tell what the
    objective does not see. `exported` is the label of what modelmon.toml stores: the same,
    unless that takes worker processes, whose memory cannot become the caller's.
    """

    label: str
    strategy: str
    config: LoadConfig
    sentence: str
    reasons: tuple[str, ...]
    confidence: Confidence
    confidence_reason: str
    expected_ns: float
    expected_low_ns: float
    expected_high_ns: float
    extrapolated: bool = False
    runner_up: str = ""
    runner_up_wins: str = ""
    contradictions: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    exported: str = ""

    def tells_of(self, label: str) -> bool:
        """Whether the reasons say how many times as fast it is as this arm."""
        return any(f"times as fast as {label}, " in reason for reason in self.reasons)


class Excluded(msgspec.Struct, frozen=True):
    """A strategy that did not race, and why."""

    strategy: str
    why: str


class Race(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="race"):
    """A race, over or stopped: everything needed to judge it again, go on with it or export it.

    `cache` is the state before its runs. `runs` are in order; `standings` best first.
    `why_stopped` is "" unless the model was lost or changed meanwhile.
    """

    model: ModelFingerprint
    machine: Machine
    path: str
    objective: Objective
    cache: Cache
    created_unix_s: float
    budget_ns: int
    spent_ns: int
    rounds: int
    ending: Ending
    runs: tuple[RaceRun, ...]
    standings: tuple[Standing, ...]
    recommendation: Recommendation
    excluded: tuple[Excluded, ...] = ()
    portion_bytes: int | None = None
    why_portion: str = ""
    looks: tuple[int, ...] = ()
    why_stopped: str = ""
    schema: int = RACE_SCHEMA

    def standing(self, label: str) -> Standing:
        """One arm's standing."""
        return next(standing for standing in self.standings if standing.label == label)

"""Results as they are compared, saved and exported."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.bounded import Amount, Duration, Integer, Number, Positive, UnixTime
from modelmon.core.compare.decision import Winner
from modelmon.core.explain.kinds import Bottleneck, Confidence
from modelmon.core.history.origin import Machine
from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.worker.events import Cache
from modelmon.core.worker.result import RunResult

RESULT_SCHEMA = 1


class ArmSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """One arm of a comparison: its runs that count, as median and spread.

    `outliers` of them are far from the others; they are counted. `bottleneck` and `io_wait_share`
    are those of the run in the middle. A program was ready after `ready_ns`, and read the model for
    `reading_ns` of that; one of them is what the median is of.
    """

    label: Literal["A", "B"]
    strategy: str
    config: LoadConfig
    runs: Positive
    discarded: Amount
    median_ns: Duration
    mad_ns: Number
    fastest_ns: Amount
    slowest_ns: Amount
    bytes_per_s: Number
    outliers: Amount = 0
    peak_rss_bytes: Amount | None = None
    io_wait_share: Number | None = None
    device_bytes: Integer | None = None
    bottleneck: Bottleneck | None = None
    ready_ns: Number | None = None
    reading_ns: Number | None = None


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a comparison says, in words and figures.

    `ratio` is time of A ÷ time of B (above 1: B is faster), median over pairs;
    `ratio_low`, `ratio_high` bound it with the confidence `coverage_share`, or are the range
    of what was seen where that is None. `estimate` is the same by all runs together, likely (95%)
    between `estimate_low` and `estimate_high`: less sure than what names a winner, and known
    where there is none. `sentence` is the answer, `reason` the evidence, `caveat` what it costs or
    what was not measured.

    `looks` are the numbers of pairs at which the comparison might have ended. A difference of
    `detectable_share` would have been seen in 80% of cases, which `sensitivity` says in words;
    `pairs_needed` would show one of 5%.
    """

    winner: Winner
    sentence: Message
    reason: Message
    caveat: Message
    confidence: Confidence
    confidence_reason: Message
    pairs: Amount
    ratio: Number | None = None
    ratio_low: Number | None = None
    ratio_high: Number | None = None
    coverage_share: Number | None = None
    estimate: Number | None = None
    estimate_low: Number | None = None
    estimate_high: Number | None = None
    looks: tuple[Amount, ...] = ()
    sensitivity: Message = NOTHING
    detectable_share: Number | None = None
    pairs_needed: Amount | None = None


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finished Compare A/B: everything needed to judge it again or to export it.

    `equivalent_a`, `equivalent_b` sum up an arm of worker processes run with threads.
    `measured_with` names what was loaded, where that is another file of the same layout.
    """

    model: ModelFingerprint
    machine: Machine
    path: str
    cache: Cache
    created_unix_s: UnixTime
    order: str
    runs_a: tuple[RunResult, ...]
    runs_b: tuple[RunResult, ...]
    arm_a: ArmSummary
    arm_b: ArmSummary
    verdict: Verdict
    portion_bytes: Amount | None = None
    equivalent_a: ArmSummary | None = None
    equivalent_b: ArmSummary | None = None
    measured_with: Message = NOTHING
    schema: Amount = RESULT_SCHEMA

    @property
    def answer(self) -> Verdict:
        """What the history keeps of it beside its runs."""
        return self.verdict

    def arm(self, label: Literal["A", "B"]) -> ArmSummary:
        """One arm's summary."""
        return self.arm_a if label == "A" else self.arm_b

    def command(self, label: Literal["A", "B"]) -> str:
        """The command line of an arm that is one; empty for a strategy."""
        runs = self.runs(label)
        return runs[0].command if runs else ""

    def runs(self, label: Literal["A", "B"]) -> tuple[RunResult, ...]:
        """One arm's runs."""
        return self.runs_a if label == "A" else self.runs_b

    @property
    def lost_its_model(self) -> bool:
        """Whether the model was changed or removed meanwhile, which ends it."""
        return any(run.file_change for run in (*self.runs_a, *self.runs_b))

    def exported_arm(self, label: Literal["A", "B"]) -> ArmSummary | None:
        """What an export of this arm stores: the arm, or its measured in-process equivalent;
        None for a library and a command, which `load_model` cannot be.
        """
        if self.arm(label).config.loads_here:
            return self.arm(label)
        return self.equivalent_a if label == "A" else self.equivalent_b

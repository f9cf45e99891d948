"""Results as they are compared, saved and exported."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.comparison.decision import Winner
from modelmon.core.explain.figures import Bottleneck, Confidence
from modelmon.core.history.origin import Machine
from modelmon.core.limited_numbers import Amount, Duration, Integer, Number, Positive, UnixTime
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

    `ratio` is time of A ÷ time of B (above 1: B is faster), likely between `ratio_low` and
    `ratio_high`: such a range holds in the share `coverage_share` of cases, or is mostly a guess
    where that is None. `time_a_ns` and `time_b_ns` are the times that it is the quotient of. All
    are of the pairs in which both runs count. `sentence` is the answer, `reason` the evidence,
    `caveat` what it costs or was not measured.

    `sensitivity` says which differences so many pairs can't show; `pairs_needed` would show one of
    5% in 80% of cases, where nothing was decided.
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
    time_a_ns: Number | None = None
    time_b_ns: Number | None = None
    sensitivity: Message = NOTHING
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

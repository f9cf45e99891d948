"""A comparison as it is judged, saved and exported, and the runs of one strategy summed up."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.comparison.decision import Winner
from modelmon.core.comparison.posterior import of_one
from modelmon.core.comparison.spread import mad, median_of_known, whole_median_of_known
from modelmon.core.explain.bottleneck import typical_bottleneck
from modelmon.core.explain.evidence import Bottleneck
from modelmon.core.history.origin import Machine
from modelmon.core.limited_numbers import Amount, Duration, Integer, Number, Positive, UnixTime
from modelmon.core.load.config import LoadConfig
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.worker.events import Cache
from modelmon.core.worker.result import RunResult, middle_run

if TYPE_CHECKING:
    from modelmon.core.comparison.decision import Label
    from modelmon.core.comparison.posterior import Time


RESULT_SCHEMA = 1

Confidence = Literal["high", "medium", "low"]


class StrategySummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """One arm of a comparison: its runs that count, as median and spread.

    `expected_ns` is how long its loads usually take, likely between `expected_low_ns` and
    `expected_high_ns`: by the posterior of both arms where they were compared. Headlines and
    ratios are of it. None in results of earlier versions. `bottleneck` and `io_wait_share` are
    those of the run in the middle. A program was ready after `ready_ns`, and read the model for
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
    expected_ns: Number | None = None
    expected_low_ns: Number | None = None
    expected_high_ns: Number | None = None
    peak_rss_bytes: Amount | None = None
    io_wait_share: Number | None = None
    device_bytes: Integer | None = None
    bottleneck: Bottleneck | None = None
    ready_ns: Number | None = None
    reading_ns: Number | None = None

    @property
    def usual_ns(self) -> float:
        """What its loads usually take: the figure to show beside a ratio."""
        return self.median_ns if self.expected_ns is None else self.expected_ns


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a comparison says, in words and figures.

    `ratio` is time of A ÷ time of B (above 1: B is faster), the quotient of their `expected_ns`,
    likely between `ratio_low` and `ratio_high`: such a range holds in the share `coverage_share` of
    cases, or is mostly a guess where that is None. All are of the pairs in which both runs count.
    `sentence` is the answer, `reason` the evidence, `caveat` what it costs or was not measured.

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
    sensitivity: Message = NOTHING
    pairs_needed: Amount | None = None


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finished Compare A/B: everything needed to judge it again or to export it.

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
    arm_a: StrategySummary
    arm_b: StrategySummary
    verdict: Verdict
    portion_bytes: Amount | None = None
    measured_with: Message = NOTHING
    schema: Amount = RESULT_SCHEMA

    @property
    def answer(self) -> Verdict:
        """What the history keeps of it beside its runs."""
        return self.verdict

    def arm(self, label: Literal["A", "B"]) -> StrategySummary:
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


def summarize_strategy(
    label: Label,
    strategy: str,
    config: LoadConfig,
    results: tuple[RunResult, ...],
    bottleneck: Bottleneck | None = None,
) -> StrategySummary | None:
    """Median and spread of an arm's runs that count; None if there are none. Its `bottleneck` is
    by these runs alone where none is given, and so is its usual time until `with_time` says more.
    """
    kept = [result for result in results if result.counts]
    if not kept:
        return None
    walls = [result.timed_ns for result in kept]
    middle = median(walls)
    programs = [result for result in kept if result.is_program]
    typical = middle_run(kept)
    read = [result for result in programs if result.first_byte_ns is not None]
    summary = StrategySummary(
        label=label,
        strategy=strategy,
        config=config,
        runs=len(kept),
        discarded=len(results) - len(kept),
        median_ns=middle,
        mad_ns=mad(walls),
        fastest_ns=min(walls),
        slowest_ns=max(walls),
        bytes_per_s=kept[0].load_bytes * 1e9 / middle if middle else 0.0,
        ready_ns=median_of_known(r.wall_ns for r in programs),
        reading_ns=median_of_known(r.reading_ns for r in read),
        peak_rss_bytes=whole_median_of_known(r.peak_rss_bytes for r in kept),
        # Of the run that the bottleneck is of: the two are read side by side.
        io_wait_share=typical.io_wait_share if typical is not None else None,
        device_bytes=whole_median_of_known(r.device_bytes for r in kept),
        bottleneck=bottleneck or typical_bottleneck(kept),
    )
    return with_time(summary, of_one(walls)) if min(walls) > 0 else summary


def with_time(summary: StrategySummary, time: Time) -> StrategySummary:
    """The same with what the posterior says of its time."""
    return msgspec.structs.replace(
        summary,
        expected_ns=time.middle_ns,
        expected_low_ns=time.low_ns,
        expected_high_ns=time.high_ns,
    )

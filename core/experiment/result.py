"""Results as they are compared, saved and exported."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.experiment.bottleneck.kinds import Bottleneck
from modelmon.core.load.config import LoadConfig
from modelmon.core.worker.events import Cache, DeviceActivity, MemoryStrain, Warned

RESULT_SCHEMA = 1

# Readahead and alignment add some percent.
_READ_AROUND_SHARE = 0.1


class RunResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """One load, summed up. Units are in the names; None is *not available here*.

    `load_bytes` is what was delivered, each rank's counted; `file_bytes` are the distinct
    bytes of the files among it; `read_bytes` are those that were asked for, with what lies
    between slices. A `portion` stands for the whole and is `extrapolated` to
    `model_bytes`; `subset` says what else was chosen of the model. `counts` is False for a run
    that must not be ranked, and `why_not` says so in a sentence. `conditioned_bytes` of free
    memory were touched before, and `prepared_with` is the command that was run before.
    `files_mark` differs when a file was replaced or written to.
    `pair` numbers the neighbours of a comparison. `modified_z` is how far the run lies from its
    arm's median, in robust standard deviations (statistics/spread.py); an outlier
    counts all the same.
    """

    strategy: str
    config: LoadConfig
    wall_ns: int
    warmup_ns: int
    load_bytes: int
    model_bytes: int
    memory_kind: str
    cache_asked: Cache
    cache_state: str
    cache_evidence: str
    counts: bool
    started_unix_s: float
    why_not: str = ""
    device_bytes: int | None = None
    io_wait_share: float | None = None
    cpu_user_ns: int | None = None
    cpu_system_ns: int | None = None
    minor_faults: int | None = None
    major_faults: int | None = None
    peak_rss_bytes: int | None = None
    residency_before_share: float | None = None
    residency_after_share: float | None = None
    conditioned_bytes: int = 0
    pair: int = 0
    modified_z: float | None = None
    samples: int = 0
    requests: int = 0
    warnings: tuple[Warned, ...] = ()
    file_bytes: int = 0
    read_bytes: int = 0
    portion: bool = False
    subset: str = ""
    library_version: str = ""
    open_ns: int = 0
    plan_ns: int = 0
    startup_ns: int = 0
    decode_ns: int | None = None
    cpu_count: int = 0
    cache_ns: int = 0
    conditioning_ns: int = 0
    prepared_with: str = ""
    tensors: int = 0
    storage_kind: str = ""
    files_mark: str = ""
    device: DeviceActivity | None = None
    memory: MemoryStrain | None = None

    @property
    def bytes_per_s(self) -> float:
        """Delivered bytes per second of wall time."""
        return self.load_bytes * 1e9 / self.wall_ns if self.wall_ns else 0.0

    @property
    def extrapolated(self) -> bool:
        """Whether a part stands for the whole model."""
        return self.portion

    @property
    def amplification(self) -> float | None:
        """Bytes from the device ÷ distinct wanted bytes of the files; None where either is
        unknown.
        """
        if self.device_bytes is None or not self.file_bytes:
            return None
        return self.device_bytes / self.file_bytes

    @property
    def asked_bytes(self) -> int:
        """Distinct bytes that were asked for, as far as the run tells them."""
        return self.read_bytes or self.file_bytes or self.load_bytes

    @property
    def fetched_share(self) -> float | None:
        """Bytes from the device ÷ distinct bytes asked for; None where either is unknown."""
        if self.device_bytes is None or not self.file_bytes:
            return None
        return self.device_bytes / self.asked_bytes

    @property
    def read_around_share(self) -> float:
        """What came from the device beside what was asked for of a portion, by its size: so much
        too long its time for the whole may be. 0 where that is little, or all was loaded. What
        lies between slices is asked for in the whole as well.
        """
        beside = (self.fetched_share or 1.0) - 1
        return beside if self.portion and beside > _READ_AROUND_SHARE else 0.0

    @property
    def model_wall_ns(self) -> float:
        """Time for the whole model; extrapolated by bytes where a part was loaded."""
        read = self.file_bytes or self.load_bytes
        return self.wall_ns * self.model_bytes / read if self.portion and read else self.wall_ns


class ArmSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """One arm of a comparison: its runs that count, as median and spread.

    `outliers` of them are far from the others; they are counted. `bottleneck` is that of the
    run in the middle.
    """

    label: Literal["A", "B"]
    strategy: str
    config: LoadConfig
    runs: int
    discarded: int
    median_ns: float
    mad_ns: float
    fastest_ns: int
    slowest_ns: int
    bytes_per_s: float
    outliers: int = 0
    peak_rss_bytes: int | None = None
    io_wait_share: float | None = None
    device_bytes: int | None = None
    bottleneck: Bottleneck | None = None


Winner = Literal["A", "B", "no-difference", "undecided"]


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a comparison says, in words and figures.

    `ratio` is time of A ÷ time of B (above 1: B is faster), median over pairs;
    `ratio_low`, `ratio_high` bound it with the confidence `coverage_share`, or are the range
    of what was seen where that is None. `sentence` is the answer, `reason` the
    evidence, `caveat` what it costs or what was not measured.

    `looks` are the numbers of pairs at which the comparison might have ended. A difference of
    `detectable_share` would have been seen in 80 % of cases, which `sensitivity` says in words;
    `pairs_needed` would show one of 5 %.
    """

    winner: Winner
    sentence: str
    reason: str
    caveat: str
    confidence: Literal["high", "medium", "low"]
    confidence_reason: str
    pairs: int
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    coverage_share: float | None = None
    looks: tuple[int, ...] = ()
    sensitivity: str = ""
    detectable_share: float | None = None
    pairs_needed: int | None = None


class Machine(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a result was measured."""

    platform: str
    cpu_count: int
    ram_bytes: int
    filesystem: str
    device: str | None = None


class ModelFingerprint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which model a result is about; `digest` is SHA-256 over tensor names, types, shapes,
    places and the shards' sizes, so that it changes with the layout and not with the path.
    """

    name: str
    format: str
    nbytes: int
    tensors: int
    digest: str


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finished Compare A/B: everything needed to judge it again or to export it.

    `equivalent_a`, `equivalent_b` sum up an arm of worker processes run with threads.
    """

    model: ModelFingerprint
    machine: Machine
    path: str
    cache: Cache
    created_unix_s: float
    order: str
    runs_a: tuple[RunResult, ...]
    runs_b: tuple[RunResult, ...]
    arm_a: ArmSummary
    arm_b: ArmSummary
    verdict: Verdict
    portion_bytes: int | None = None
    equivalent_a: ArmSummary | None = None
    equivalent_b: ArmSummary | None = None
    schema: int = RESULT_SCHEMA

    def arm(self, label: Literal["A", "B"]) -> ArmSummary:
        """One arm's summary."""
        return self.arm_a if label == "A" else self.arm_b

    def exported_arm(self, label: Literal["A", "B"]) -> ArmSummary | None:
        """What an export of this arm stores: the arm, or its measured in-process equivalent;
        None for a library, which `load_model` cannot be.
        """
        if self.arm(label).config.loads_here:
            return self.arm(label)
        return self.equivalent_a if label == "A" else self.equivalent_b

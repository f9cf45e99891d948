"""What is known before a load, as records: does the model fit, what will hurt, how long it takes.

Predicted times come from explain/expected.py; nothing here looks at the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.host import Cpu, Host
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.storage import Storage, StorageStack
from modelmon.core.messages import NOTHING, Message, argument
from modelmon.core.probe.probe import DecodeRate, Probe
from modelmon.core.units import size_text
from modelmon.core.worker.events import DeviceActivity

if TYPE_CHECKING:
    from modelmon.core.machine.mounts import StorageKind

FitDelivery = Literal["mapped", "owned", "decoded"]
FitAnswer = Literal["fits", "tight", "does-not-fit"]

COMFORTABLE_FACTOR = 1.5
"""A common recommendation: memory for 1.5 times the model. A rule of thumb, never a refusal."""

_FLOAT32_BYTES = 4


class Fit(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether a model fits when it is delivered so.

    `mapped` needs page cache, which the kernel can take back; `owned` a private copy;
    `decoded` all values as float32 at once. `usable_bytes` is available RAM, or what is left
    under the cgroup's limit where that is less (`limited_by` cgroup). `swap_free_bytes` is not
    counted: what lies there is read from a disk again.
    """

    delivery: FitDelivery
    answer: FitAnswer
    needed_bytes: int
    usable_bytes: int
    limited_by: Literal["ram", "cgroup"] = "ram"
    swap_free_bytes: int = 0

    @property
    def sentence(self) -> Message:
        """What to expect, with the figures."""
        needed, usable = size_text(self.needed_bytes), size_text(self.usable_bytes)
        figures = (
            Message("{needed} of {usable} under the cgroup's limit", needed=needed, usable=usable)
            if self.limited_by == "cgroup"
            else Message("{needed} of {usable} of RAM", needed=needed, usable=usable)
        )
        if self.answer == "fits":
            return Message("fits: {figures}", figures=figures)
        if self.answer == "tight":
            return Message("tight: {figures}, less than the usual 1.5× the model", figures=figures)
        return Message(
            "doesn't fit: {figures}; {shortage}", figures=figures, shortage=self._shortage()
        )

    def _shortage(self) -> Message:
        if self.delivery == "mapped":
            return Message("its pages would be dropped and reread")
        missing = self.needed_bytes - self.usable_bytes
        if not self.swap_free_bytes:
            return Message("and there is no swap free for the rest")
        if missing > self.swap_free_bytes:
            free = size_text(self.swap_free_bytes)
            return Message("and swap ({free} free) is too small for the rest", free=free)
        return Message("{missing} would go to swap", missing=size_text(missing))


def fits(
    model_bytes: int, parameters: int | None, memory: Memory, kind: StorageKind
) -> tuple[Fit, ...]:
    """One statement for each delivery; `decoded` only where the `parameters` are known, and
    `mapped` where the files of this kind of storage aren't in memory already.
    """
    usable = memory.usable_bytes
    needs: list[tuple[FitDelivery, int]] = [("mapped", model_bytes), ("owned", model_bytes)]
    if kind == "memory":
        del needs[0]
    if parameters is not None:
        needs.append(("decoded", parameters * _FLOAT32_BYTES))
    return tuple(
        Fit(
            delivery=delivery,
            answer=fit_answer(needed, usable),
            needed_bytes=needed,
            usable_bytes=usable,
            limited_by="cgroup" if usable < memory.available_bytes else "ram",
            swap_free_bytes=max(0, memory.swap_total_bytes - memory.swap_used_bytes),
        )
        for delivery, needed in needs
    )


def fit_answer(needed_bytes: int, usable_bytes: int) -> FitAnswer:
    """Whether so many bytes fit into what can be had, by the rule of thumb."""
    if needed_bytes > usable_bytes:
        return "does-not-fit"
    return "tight" if needed_bytes * COMFORTABLE_FACTOR > usable_bytes else "fits"


SCHEMA = 1
"""Of `modelmon doctor --json`: raised by every change that a reader of it would stumble over."""

Severity = Literal["problem", "note"]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something about the machine or the path that decides how a model loads.

    `evidence` is what was read or measured here. `rule_of_thumb` is "" where that alone
    carries the finding; else it names where the claim about loading comes from, for nothing was
    loaded here yet.
    """

    kind: str
    severity: Severity
    text: Message
    evidence: Message
    remedy: Message = NOTHING
    rule_of_thumb: Message = NOTHING

    @property
    def command(self) -> str:
        """The command that the remedy is; "" where it is none."""
        return str(argument(self.remedy, "command") or "")

    @property
    def rows_to_act(self) -> list[tuple[str, str]]:
        """What to do."""
        return [(name, text) for name, text in self.rows if text == self.remedy]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What it rests on, what to do, and whose figure it is that was not measured here."""
        rows = [
            (Message("Evidence"), self.evidence),
            (Message("Fix"), self.remedy),
            (Message("Typical value, not measured here"), self.rule_of_thumb),
        ]
        return [(name, text) for name, text in rows if text]


def as_root(command: str) -> Message:
    """A remedy that is one command, as `Finding.command` has it again."""
    return Message("As root: {command}", command=command)


class DeviceLook(msgspec.Struct, frozen=True):
    """What a block device did while nothing of modelmon was loading."""

    device: str
    activity: DeviceActivity


_BUSY_SHARE = 0.8
"""From here on a load of several readers waits for processors."""


class IdleLook(msgspec.Struct, frozen=True, omit_defaults=True):
    """The machine over `interval_ns`, before a load; None where it does not tell.

    `memory_stalled_share` is of wall time in which some task waited for memory (PSI),
    `cpu_busy_share` of all processors' time in which they worked.
    `throttle_events` counts cores and packages that got too hot meanwhile.
    """

    interval_ns: int
    devices: tuple[DeviceLook, ...] = ()
    memory_stalled_share: float | None = None
    cpu_busy_share: float | None = None
    swapped_in_bytes: int | None = None
    swapped_out_bytes: int | None = None
    throttle_events: int | None = None

    @property
    def has_busy_processors(self) -> bool:
        """Whether others leave hardly a processor free."""
        return (self.cpu_busy_share or 0.0) >= _BUSY_SHARE


class ExpectedTime(msgspec.Struct, frozen=True):
    """What a load by a strategy should take from one start, between `low_ns` and `high_ns`, and
    what most of it goes to.
    """

    ns: int
    low_ns: int
    high_ns: int
    mostly: str


class Expected(msgspec.Struct, frozen=True):
    """What a strategy should take for the model; `measured`: by the probe's figures, else by common
    ones of such storage. `cold` is None of files in memory.
    """

    strategy: str
    measured: bool
    cold: ExpectedTime | None
    warm: ExpectedTime


class Diagnosis(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything `modelmon doctor` tells, as its --json prints it.

    `file` is None where no file was named, `idle` where the platform counts nothing.
    `huge_pages` is when private memory gets them. `cgroup_version` is that of the memory limit,
    `limits` are what the control groups allow (None where none is seen). `fit` has a statement for
    each delivery that the size of the files alone tells, and none where `no_model` says why the
    file is no model of ours. `probe` is what was measured now, or by the last probe of this storage
    if that is recent; `probe_missing` says why there is none.
    `decode_rates` are empty where decoding was not asked for. `expected` are the strategies' times
    for the model, the fastest cold start first.
    """

    schema: int
    host: Host
    cpu: Cpu
    memory: Memory
    storage: Storage
    storage_stack: StorageStack = msgspec.field(name="foundation")
    huge_pages: str | None = None
    cgroup_version: int | None = None
    limits: tuple[CgroupLimit, ...] | None = None
    file: FileState | None = None
    idle: IdleLook | None = None
    fit: tuple[Fit, ...] = ()
    no_model: Message = NOTHING
    probe: Probe | None = None
    probe_missing: Message = NOTHING
    decode_rates: tuple[DecodeRate, ...] = ()
    findings: tuple[Finding, ...] = ()
    expected: tuple[Expected, ...] = ()

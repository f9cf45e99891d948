"""What is known of a machine and a path before anything is loaded: records, no I/O."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.diagnose.decoded_as import DecodedAs
from modelmon.core.diagnose.fit import Fit
from modelmon.core.machine.cgroup_limits import CgroupLimit
from modelmon.core.machine.cpu import Cpu
from modelmon.core.machine.file_state import FileState
from modelmon.core.machine.host import Host
from modelmon.core.machine.huge_pages import HugePages
from modelmon.core.machine.memory import Memory
from modelmon.core.machine.storage import Storage
from modelmon.core.machine.storage_stack import StorageStack
from modelmon.core.machine.swap import Swap
from modelmon.core.messages import NOTHING, Message, argument
from modelmon.core.probe.faster_places import FasterPlace
from modelmon.core.probe.probe import DecodeRate, Probe
from modelmon.core.worker.events import DeviceActivity

SCHEMA = 1
"""Of `modelmon doctor --json`: raised by every change that a reader of it would stumble over."""

Severity = Literal["problem", "note", "ok"]
FindingKind = Literal[
    "windows-drive",
    "network-filesystem",
    "fuse-object-store",
    "fuse-server",
    "nothing-cached",
    "small-requests",
    "small-readahead",
    "hard-disk",
    "slow-link",
    "slow-slot",
    "full-link",
    "slow-usb",
    "cached-twice",
    "in-memory",
    "hidden-layers",
    "busy-device",
    "file-with-holes",
    "file-in-use",
    "file-unused",
    "residency-unknown",
    "does-not-fit",
    "tight-memory",
    "fits",
    "no-model",
    "cgroup-limit",
    "swapping",
    "swap-in-use",
    "no-huge-pages",
    "slow-governor",
    "throttled",
    "cpu-quota",
    "io-limit",
    "shared-probe",
    "cached-elsewhere",
    "slow-fresh-memory",
]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something about the machine or the path that decides how a model loads.

    `evidence` is what was read or measured here. `rule_of_thumb` is "" where that alone
    carries the finding; else it names where the claim about loading comes from, for nothing was
    loaded here yet.
    """

    kind: FindingKind
    severity: Severity
    text: Message
    evidence: Message
    remedy: Message = NOTHING
    rule_of_thumb: Message = NOTHING

    @property
    def command(self) -> str:
        """The command that the remedy is; "" where it is none."""
        return str(argument(self.remedy, "command") or "")


def as_root(command: str) -> Message:
    """A remedy that is one command, as `Finding.command` has it again."""
    return Message("As root: {command}", command=command)


class DeviceLook(msgspec.Struct, frozen=True):
    """What a block device did while nothing of modelmon was loading."""

    device: str
    activity: DeviceActivity


class IdleLook(msgspec.Struct, frozen=True, omit_defaults=True):
    """The machine over `interval_ns`, before a load; None where it does not tell.

    The shares are those of wall time in which some task waited for I/O or memory (PSI), and of
    all CPUs' time that was idle with I/O pending. `throttle_events` counts cores and packages
    that got too hot meanwhile.
    """

    interval_ns: int
    devices: tuple[DeviceLook, ...] = ()
    iowait_share: float | None = None
    io_stalled_share: float | None = None
    memory_stalled_share: float | None = None
    swapped_in_bytes: int | None = None
    swapped_out_bytes: int | None = None
    throttle_events: int | None = None


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
    ones of such storage.
    """

    strategy: str
    measured: bool
    cold: ExpectedTime
    warm: ExpectedTime


class Diagnosis(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything `modelmon doctor` tells, as its --json prints it.

    `file` is None where no file was named, `idle` where the platform counts nothing.
    `cgroup_version` is that of the memory limit, `limits` are what the control groups allow (None
    where none is seen). `fit` has a statement for each delivery that
    the size of the files alone tells, and none where `no_model` says why the file is no model of
    ours. `probe` is what was measured now, or by the last probe of this storage if that is recent;
    `probe_missing` says why there is none. `faster_places` are other disks that were probed.
    `decode_rates` and `decoded_as` are empty where decoding was not asked for, the latter also
    where there is no model; `no_decoding` says why the model as it is can't be decoded. `expected`
    are the strategies' times for the model, the fastest cold start first.
    """

    schema: int
    host: Host
    cpu: Cpu
    memory: Memory
    swap: Swap
    huge_pages: HugePages
    storage: Storage
    storage_stack: StorageStack = msgspec.field(name="foundation")
    cgroup_version: int | None = None
    limits: tuple[CgroupLimit, ...] | None = None
    file: FileState | None = None
    idle: IdleLook | None = None
    fit: tuple[Fit, ...] = ()
    no_model: Message = NOTHING
    probe: Probe | None = None
    probe_missing: Message = NOTHING
    faster_places: tuple[FasterPlace, ...] = ()
    decode_rates: tuple[DecodeRate, ...] = ()
    decoded_as: tuple[DecodedAs, ...] = ()
    no_decoding: Message = NOTHING
    findings: tuple[Finding, ...] = ()
    expected: tuple[Expected, ...] = ()

"""Shares and rates that tell what held a load back, from a run's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.limited_numbers import Number
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import percent_text, size_text
from modelmon.core.worker.command_words import taken_apart
from modelmon.core.worker.environment_check import LEAST_KEPT_SHARE, STALLED_SHARE, SWAPPED_SHARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from modelmon.core.machine.cgroup import CgroupLimit
    from modelmon.core.probe.probe import Limits
    from modelmon.core.worker.result import RunResult

BottleneckKind = Literal[
    "device-bandwidth",
    "device-latency",
    "faults",
    "decode",
    "busy-processors",
    "per-tensor",
    "memory",
    "amplification",
    "page-cache",
    "outside-reading",
    "storage",
    "computing",
    "undecided",
]

WAITS_FOR_STORAGE: frozenset[BottleneckKind] = frozenset(
    {"device-bandwidth", "device-latency", "amplification", "storage"}
)


class Evidence(msgspec.Struct, frozen=True):
    """A figure with its unit, by name."""

    name: Message
    value: str


def figure(
    name: Message, value: float | None, text: Callable[[float], str]
) -> tuple[Evidence, ...]:
    """A figure in words, by its name; nothing where it isn't known."""
    return () if value is None else (Evidence(name, text(value)),)


class Bottleneck(msgspec.Struct, frozen=True, omit_defaults=True):
    """What holds a load back: in short words, as a clause about the load, and in figures.

    `clause` goes on from the load's name: "waits for the device 93% of the time". `remedy` is the
    change that gains most, by what was measured or predicted, and `saves_share` how much of the
    time that is; 0 where nothing is known to gain.
    """

    kind: BottleneckKind
    label: Message
    clause: Message
    evidence: tuple[Evidence, ...]
    remedy: Message = NOTHING
    saves_share: Number = 0.0

    @property
    def sentence(self) -> Message:
        """The clause about "the load", as a sentence."""
        return Message("The load {clause}.", clause=self.clause)

    @property
    def evidence_text(self) -> Message:
        """The figures in one line."""
        return joined(
            (Message("{name} {value}", name=item.name, value=item.value) for item in self.evidence),
            ", ",
        )


HALF = 0.5
"""What takes half of the time or more is what a load is held back by."""

LEAST_COUNTED_NS = 50_000_000
"""The kernel counts a device's busy time in timer ticks of up to 10 ms (CONFIG_HZ of 100)."""

_LEAST_SEEN_NS = 10 * LEAST_COUNTED_NS
"""Of a program's reading the device and the processors are known from one sample to another: a
twentieth of a second before and after it belongs to that.
"""

AMPLIFIED = 1.1
"""Readahead and alignment add some percent; a tenth more means that bytes came twice."""

OTHERS_SHARE = 0.1
"""Others that move more than this share of what the load reads take noticeably of its device."""

NOTHING_FETCHED_SHARE = 0.01
"""A load that got less from the device was served by the page cache."""


def of_reading(run: RunResult) -> RunResult:
    """The run as if it had lasted only while the model was read."""
    return msgspec.structs.replace(run, wall_ns=run.reading_ns)


def is_launched(run: RunResult) -> bool:
    """Whether `modelmon launch` reads the model ahead of a program."""
    return taken_apart(run.command).is_launched


def storage_name(run: RunResult) -> Message:
    """What is waited for, in a word."""
    return {"network": Message("the server"), "fuse": Message("the mount")}.get(
        run.storage_kind, Message("the disk")
    )


def readers(run: RunResult) -> int:
    """Readers of all ranks together."""
    return run.config.readers * run.config.ranks


def decoders(run: RunResult) -> int:
    """Decoders of all readers together, where values are decoded; each reader had one where the
    run does not tell.
    """
    return run.decoders or readers(run)


def at_once(run: RunResult, count: int) -> int:
    """How many of so many readers or decoders can be on a processor at once."""
    return min(count, run.cpu_count or count)


def cpu_ns(run: RunResult) -> int | None:
    """CPU time of the loaders."""
    if run.cpu_user_ns is None or run.cpu_system_ns is None:
        return None
    return run.cpu_user_ns + run.cpu_system_ns


def served_from_cache(run: RunResult) -> bool:
    """Whether a page cache had all of it."""
    if run.fetched_share is not None:
        return run.fetched_share <= NOTHING_FETCHED_SHARE
    return run.start in ("warm", "cached-below")


def fetched_factor(run: RunResult) -> float | None:
    """How often the bytes that were asked for came from the device. A program reads other files as
    well: only the trace tells how much of them.
    """
    if not run.is_program or run.fetched_share is None:
        return run.fetched_share
    if run.seen_by != "trace" or run.other_device_bytes is None:
        return None
    return run.fetched_share - run.other_device_bytes / run.asked_bytes


def waiting_share(run: RunResult) -> float | None:
    """Share of the time in which readers, or the warm-up before them, waited for storage.

    A warm-up reads and does nothing else. Where readers have no account of their time, it is
    what is left of it beside the loaders' CPU time; of a program not even its readers are known.
    """
    if not run.wall_ns or served_from_cache(run):
        return 0.0 if run.wall_ns else None
    waited = run.io_wait_share
    load_ns = run.wall_ns - run.warmup_ns
    if waited is None:
        used_ns = cpu_ns(run)
        if used_ns is None or not load_ns or run.decode_ns or run.is_program:
            return None
        waited = max(0.0, 1 - used_ns / (load_ns * at_once(run, readers(run))))
    return (run.warmup_ns + waited * load_ns) / run.wall_ns


def device_rate(run: RunResult) -> float | None:
    """Bytes from the device per second for this load; where it is not counted, what was read."""
    if not run.wall_ns:
        return None
    fetched = run.device_bytes
    if fetched is None:
        fetched = 0 if served_from_cache(run) else run.asked_bytes
    return fetched * 1e9 / run.wall_ns


def least_reading_ns(run: RunResult, limits: Limits) -> int | None:
    """The least time in which this disk and memory can give what the run loaded; None where they
    were not measured, or it wasn't seen when a program read. The slower of the two decides, and
    memory alone where all was cached. What several ranks load the disk gives once.
    """
    if run.is_program and run.first_byte_ns is None:
        return None
    needs = [(run.load_bytes, limits.memory_bytes_per_s)]
    if not served_from_cache(run):
        if limits.device_bytes_per_s is None:
            return None
        distinct_bytes = min(run.load_bytes, run.file_bytes or run.load_bytes)
        needs.append((distinct_bytes, limits.device_bytes_per_s))
    known = [nbytes * 1e9 / rate for nbytes, rate in needs if rate]
    return round(max(known)) if known else None


def raised_by(limits: Limits, runs: Iterable[RunResult]) -> Limits:
    """`limits` with the highest rate that the probe or any of these runs has reached: what was
    measured once can be done.
    """
    rates = [device_rate(run) or 0.0 for run in runs if run.counts]
    seen, probed = max(rates, default=0.0), limits.device_bytes_per_s or 0.0
    if seen <= probed:
        return limits
    return msgspec.structs.replace(limits, device_bytes_per_s=seen)


def limits_seen(limits: Limits, runs: Iterable[RunResult]) -> Limits:
    """What the probe found, or a run here that was faster; and what these have reached, which
    alone tells no limit.
    """
    counted = [run for run in runs if run.counts]
    cached = [run.bytes_per_s for run in counted if served_from_cache(run)]
    rates = [device_rate(run) or 0.0 for run in counted]
    limits = msgspec.structs.replace(
        limits,
        seen_device_bytes_per_s=max(rates, default=0.0) or None,
        seen_cache_bytes_per_s=max(cached, default=None),
    )
    return limits if limits.device_bytes_per_s is None else raised_by(limits, counted)


def busy_share(run: RunResult) -> float | None:
    """Share of the time in which the device had a request; None where that was not counted, or
    the load was so short that the counter's steps say more than the device.
    """
    if run.device is None or run.wall_ns < LEAST_COUNTED_NS or is_hardly_seen(run):
        return None
    return run.device.busy_share


def is_hardly_seen(run: RunResult) -> bool:
    """Whether a program read in so short a time that much of what is counted belongs to others."""
    return run.is_program and run.reading_ns < _LEAST_SEEN_NS


def is_shared(run: RunResult) -> bool | None:
    """Whether others used the device while the load did, so that its figures are theirs as well;
    None where nothing tells.
    """
    if any(warning.kind == "other-reader" for warning in run.warnings):
        return True
    device, own_bytes = run.device, run.device_bytes
    if device is None or own_bytes is None or device.write_bytes_per_s is None:
        return None
    moved = (device.read_bytes_per_s + device.write_bytes_per_s) * run.wall_ns / 1e9
    return moved - own_bytes > OTHERS_SHARE * own_bytes


def stalled_share(run: RunResult) -> float:
    """Share of the time in which the load waited for memory: as the kernel counts it for its
    control group, or by what of its own is in swap beside what it loaded.
    """
    pressure = run.memory
    if pressure is None:
        return 0.0
    stalled, swapped_bytes = pressure.own_stalled_share or 0.0, pressure.own_swapped_bytes or 0
    swapped = swapped_bytes / (swapped_bytes + run.load_bytes) if swapped_bytes > 0 else 0.0
    return min(
        1.0,
        max(
            stalled if stalled >= STALLED_SHARE else 0.0,
            swapped if swapped >= SWAPPED_SHARE else 0.0,
        ),
    )


def reread_bytes(run: RunResult) -> int:
    """What was dropped for want of memory and read again, where that is this load's; else 0.

    The kernel counts also what was dropped long ago and costs no more than its first read: the
    device's counter tells whether it came twice. Where others share the cgroup the kernel's count
    is theirs as well, and only what is left of the files' pages tells whether these were dropped.
    """
    pressure = run.memory
    if pressure is None:
        return 0
    again_bytes = pressure.own_refaulted_bytes or 0
    if run.fetched_share is None:
        return again_bytes
    if run.fetched_share <= AMPLIFIED or run.config.access == "direct":
        return 0
    if pressure.own_refaulted_bytes is None and was_dropped(run):
        again_bytes = pressure.refaulted_bytes or 0
    return min(again_bytes, (run.device_bytes or 0) - run.asked_bytes)


def was_dropped(run: RunResult) -> bool:
    """Whether pages that a load had read through the cache, or mapped, were not there any more at
    its end.
    """
    left, config = run.residency_after_share, run.config
    if left is None or config.library != NO_LIBRARY:
        return False
    cached = 1.0 if config.access in ("mmap", "read") else run.mapped_share or 0.0
    return left < LEAST_KEPT_SHARE * cached


def memory_clause(run: RunResult, share: float) -> Message:
    """What the shortage made the load do."""
    if again_bytes := reread_bytes(run):
        return Message("rereads {again} because memory is full", again=size_text(again_bytes))
    swapped_bytes = (run.memory.own_swapped_bytes if run.memory else None) or 0
    if swapped_bytes >= SWAPPED_SHARE * run.load_bytes:
        return Message("makes the machine swap {swapped}", swapped=size_text(swapped_bytes))
    return Message("waits for free memory {stalled} of the time", stalled=percent_text(share))


def memory_evidence(run: RunResult) -> tuple[Evidence, ...]:
    """How short of memory the machine and the load's control group were."""
    pressure = run.memory
    if pressure is None:
        return ()
    return (
        *figure(Message("swapped in"), pressure.swapped_in_bytes, size_text),
        *figure(Message("swapped out"), pressure.swapped_out_bytes, size_text),
        *figure(Message("read twice"), reread_bytes(run) or None, size_text),
        *figure(Message("least available"), pressure.least_available_bytes, size_text),
        *figure(Message("in the cgroup"), pressure.cgroup_used_bytes, size_text),
        *figure(Message("its limit"), pressure.cgroup_limit_bytes, size_text),
        *figure(Message("memory pressure (PSI)"), pressure.own_stalled_share, percent_text),
    )


AT_THE_LIMIT_SHARE = 0.85
ABOVE_THE_LIMIT_FACTOR = 1.3
"""Loads of 4 to 64 MiB under throttles of 10 to 200 MB/s read 0.85 to 1.18 times what these allow:
what comes at once in the beginning is more, and there are gaps. Others under a throttle that a
disk just reached read 0.4 times as much. Who reads much more was not held to it all the time."""


def felt_limit(run: RunResult) -> CgroupLimit | None:
    """The limit of a disk that readers waited for, since their group read as much as it may."""
    felt = (limit for limit in run.limits or () if limit.device and _is_felt(run, limit))
    return next(felt, None)


def _is_felt(run: RunResult, limit: CgroupLimit) -> bool:
    """Whether a run used what the limit allows, and waited for more."""
    if (waiting_share(run) or 0.0) < HALF:
        return False
    used: float | None
    if limit.counted is not None:
        # Of all that are in the group: what others of it take is not there for the load.
        used = limit.counted * 1e9 / run.wall_ns if run.wall_ns else None
    elif limit.kind == "read-rate":
        used = device_rate(run)
    else:
        used = run.device.reads_per_s if run.device and is_shared(run) is False else None
    if used is None:
        return False
    return AT_THE_LIMIT_SHARE * limit.amount <= used <= ABOVE_THE_LIMIT_FACTOR * limit.amount

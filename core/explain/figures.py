"""Shares and rates that tell what held a load back, from a run's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.messages import Message
from modelmon.core.worker.launched import launched, recorded_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.probe.limits import Limits
    from modelmon.core.worker.result import RunResult

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
    return bool(launched(recorded_words(run.command)))


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
    memory alone where all was cached.
    """
    if run.is_program and run.first_byte_ns is None:
        return None
    rates = [limits.memory_bytes_per_s]
    if not served_from_cache(run):
        if limits.device_bytes_per_s is None:
            return None
        rates.append(limits.device_bytes_per_s)
    known = [rate for rate in rates if rate]
    return round(run.load_bytes * 1e9 / min(known)) if known else None


def raised_by(limits: Limits, runs: Iterable[RunResult]) -> Limits:
    """`limits` with the highest rate that the probe or any of these runs has reached: what was
    measured once can be done. Runs alone say less surely what the most is.
    """
    rates = [device_rate(run) or 0.0 for run in runs if run.counts]
    seen, probed = max(rates, default=0.0), limits.device_bytes_per_s or 0.0
    if seen <= probed:
        return limits
    return msgspec.structs.replace(limits, device_bytes_per_s=seen, others_known=False)


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

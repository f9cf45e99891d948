"""Why a load waited for storage: its bandwidth, its latency, a limit, or too much that is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.explain.control_group import felt_limit
from modelmon.core.explain.figures import (
    HALF,
    busy_share,
    device_rate,
    fetched_factor,
    is_launched,
    is_shared,
    readers,
    storage_name,
    waiting_share,
)
from modelmon.core.explain.kinds import weaker
from modelmon.core.explain.memory import memory_clause, memory_sureness, reread_bytes
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    request_text,
    three_figures,
)

if TYPE_CHECKING:
    from modelmon.core.explain.kinds import BottleneckKind, Confidence
    from modelmon.core.probe.limits import Limits
    from modelmon.core.worker.result import RunResult

MOSTLY_AGAIN = 1.5
"""From here on a third of the wait and more is for bytes that had come before."""

SMALL_REQUEST_BYTES = 64 * 1024
"""At 100 µs a request, a tenth of a drive's usual 5 GB/s or less comes in pieces below this."""

NEAR_PROBED_SHARE = 0.8
"""A load has gaps between requests and between files that a probe has not."""

NEAR_SEEN_SHARE = 0.9
"""Of the best that a load here has reached, which had the same gaps."""

BUSY_SHARE = 0.75
"""Above this a device has a request nearly always (the look at it lasts a little longer than the
load); one that serves several at a time may still have room, which only a probe shows."""

IDLE_SHARE = 0.5
"""Below this part of what readers wait it rests longer than it works: their requests do not reach
it. Limits of containers and volumes hold requests back before the device sees them."""

LATE_NS = 5e6
READAHEAD_BYTES = 256 * 1024
"""One request at a time of at most this size, each for so long, is 50 MB/s: disks that are slower
are those that seek."""


class StorageCause(NamedTuple):
    """Why storage was waited for: in short words, as a clause, and how sure that is."""

    kind: BottleneckKind
    label: Message
    clause: Message
    sure: Confidence


def storage_cause(run: RunResult, limits: Limits) -> StorageCause:
    """The cause that the figures show: what explains others comes before them, as memory that is
    short explains repeated reads, and these explain a busy disk.
    """
    return (
        _memory(run)
        or _again(run)
        or _held_to_a_limit(run)
        or _by_bandwidth(run, limits)
        or _late(run, limits)
        or _held_up(run, limits)
        or _unclear(run, limits)
    )


def _waiting(run: RunResult) -> str:
    return percent_text(waiting_share(run) or 0.0)


def _memory(run: RunResult) -> StorageCause | None:
    again_bytes, fetched = reread_bytes(run), run.device_bytes or run.asked_bytes
    if again_bytes < (1 - 1 / MOSTLY_AGAIN) * fetched:
        return None
    clause = memory_clause(run, waiting_share(run) or 0.0)
    return StorageCause("memory", Message("memory"), clause, memory_sureness(run))


def _again(run: RunResult) -> StorageCause | None:
    """Much more came from the device than the files hold."""
    factor = fetched_factor(run)
    if factor is None or factor < MOSTLY_AGAIN:
        return None
    clause = Message(
        "reads the files {factor} times over and waits {waiting} of the time",
        factor=three_figures(factor),
        waiting=_waiting(run),
    )
    return StorageCause("amplification", Message("repeated reads"), clause, "high")


def _held_to_a_limit(run: RunResult) -> StorageCause | None:
    """The readers' control group reads as much as it may."""
    found = felt_limit(run)
    if found is None:
        return None
    clause = Message(
        "is held to {amount} by a limit of its control group, {where}, waiting {waiting}"
        " of the time",
        amount=found.amount_text,
        where=found.where,
        waiting=_waiting(run),
    )
    return StorageCause(
        "device-bandwidth" if found.kind == "read-rate" else "device-latency",
        Message("throttled storage"),
        clause,
        "high" if found.counted is not None else "medium",
    )


def known_rate(limits: Limits) -> float:
    """The most that the storage is known to give: by the probe, or to another load; else 0."""
    return max(limits.device_bytes_per_s or 0.0, limits.seen_device_bytes_per_s or 0.0)


def _gave_more(run: RunResult, limits: Limits) -> bool:
    """Whether the storage gave another load here clearly more, or a probe."""
    rate, seen = device_rate(run) or 0.0, limits.seen_device_bytes_per_s or 0.0
    return rate < max(
        NEAR_PROBED_SHARE * (limits.device_bytes_per_s or 0.0), NEAR_SEEN_SHARE * seen
    )


def _by_bandwidth(run: RunResult, limits: Limits) -> StorageCause | None:
    """It gave what it can. Where nobody knows what that is, it always had a request: it may still
    have room then.
    """
    if _gave_more(run, limits):
        return None
    probed, shared, busy = bool(limits.device_bytes_per_s), is_shared(run), busy_share(run)
    if not probed and (_late(run, limits) or shared or busy is None or busy < BUSY_SHARE):
        return None
    sure: Confidence = "high" if probed else "medium"
    if (run.device_bytes if probed else shared) is None or not limits.others_known:
        sure = weaker(sure)
    clause = Message(
        "is limited by {storage_name}'s bandwidth: {rate}, waiting {waiting} of the time",
        storage_name=storage_name(run),
        waiting=_waiting(run),
        # The storage's rate, which is the same for all loads.
        rate=rate_text(max(device_rate(run) or 0.0, limits.device_bytes_per_s or 0.0)),
    )
    return StorageCause("device-bandwidth", Message("storage bandwidth"), clause, sure)


def _late(run: RunResult, limits: Limits) -> StorageCause | None:
    """The device is asked in small pieces, or has pauses in between."""
    sign = _small_requests(run) or _far_from_the_limit(run, limits) or _one_at_a_time(run, limits)
    if not sign:
        return None
    sure: Confidence = "high" if limits.device_bytes_per_s else "medium"
    if is_shared(run) is None or not limits.others_known:
        sure = weaker(sure)
    clause = Message(
        "waits for responses {waiting} of the time: {sign}", waiting=_waiting(run), sign=sign
    )
    return StorageCause("device-latency", Message("storage latency"), clause, sure)


def _small_requests(run: RunResult) -> Message:
    """By a direct read's own requests, else by whoever used the device, if that was the load."""
    asked = None if is_shared(run) or not run.device else run.device.mean_request_bytes
    if run.config.access == "direct" and run.requests:
        asked = run.load_bytes / run.requests
    if asked is None or asked >= SMALL_REQUEST_BYTES:
        return NOTHING
    return Message("requests are only {size} each", size=request_text(asked))


def _far_from_the_limit(run: RunResult, limits: Limits) -> Message:
    """It gets less than half of what the storage can give, and nobody else took the rest."""
    rate, best = device_rate(run) or 0.0, known_rate(limits)
    if rate >= HALF * best or is_shared(run):
        return NOTHING
    got = Message(
        "it gets {share} of the {best} reached here",
        share=percent_text(rate / best),
        best=rate_text(best),
    )
    how = _turns(run) or _waiting_faults(run)
    return Message("{how}, and {got}", how=how, got=got) if how else got


def _one_at_a_time(run: RunResult, limits: Limits) -> Message:
    """Where nobody knows what the storage can give: how it is asked, and that answers are late."""
    if limits.device_bytes_per_s:
        return NOTHING
    if run.config.order == "random":
        return Message("it reads in random order")
    device = run.device
    if device and device.read_await_ns and device.mean_request_bytes and not is_shared(run):
        late = device.read_await_ns >= LATE_NS and (device.queue_depth or 0.0) < 2
        if late and device.mean_request_bytes <= READAHEAD_BYTES:
            each = duration_text(device.read_await_ns)
            return _waiting_faults(run) or Message("each request takes {each}", each=each)
    # A disk of this machine likes turns; what streams from a server begins anew each time.
    return _turns(run) if run.storage_kind in ("network", "fuse") else NOTHING


def _waiting_faults(run: RunResult) -> Message:
    waited_ns = (waiting_share(run) or 0.0) * run.wall_ns * readers(run)
    few = (run.major_faults or 0) * 4 * READAHEAD_BYTES < run.load_bytes
    if few or not waited_ns or run.config.access != "mmap":
        # What is read ahead is waited for without a fault of its own.
        return NOTHING
    return Message(
        "each of {faults} page faults waits {each}",
        faults=f"{run.major_faults:,}",
        each=duration_text(waited_ns / (run.major_faults or 1)),
    )


def _turns(run: RunResult) -> Message:
    """That a program's readers interrupt each other; empty where that is not seen, or where what
    is read ahead of it is among them.
    """
    if (run.traced_readers or 0) < 2 or (run.jump_share or 0.0) < HALF or is_launched(run):
        return NOTHING
    return Message("its {readers} readers take turns at distant places", readers=run.traced_readers)


def _held_up(run: RunResult, limits: Limits) -> StorageCause | None:
    """Most of the time the device has nothing to do, and no load got much more. A program that
    sleeps between two reads looks the same.
    """
    busy, waited = busy_share(run), waiting_share(run) or 0.0
    if run.is_program or busy is None or busy >= IDLE_SHARE * waited or _gave_more(run, limits):
        return None
    clause = Message(
        "is throttled to {device_rate} while the disk is mostly idle, waiting for"
        " {storage_name} {waiting} of the time",
        storage_name=storage_name(run),
        waiting=_waiting(run),
        device_rate=rate_text(device_rate(run) or 0),
    )
    return StorageCause("device-bandwidth", Message("throttled storage"), clause, "low")


def _unclear(run: RunResult, limits: Limits) -> StorageCause:
    figures = {"storage_name": storage_name(run), "waited": _waiting(run)}
    clause = Message(
        "waits for {storage_name} {waited} of the time; bandwidth or latency unclear", **figures
    )
    if is_shared(run) and not run.is_program:
        clause = Message(
            "waits for {storage_name} {waited} of the time; other programs use it too", **figures
        )
    elif _gave_more(run, limits):
        clause = Message(
            "waits for {storage_name} {waited} of the time, at {share} of the {best} reached here",
            share=percent_text((device_rate(run) or 0.0) / known_rate(limits)),
            best=rate_text(known_rate(limits)),
            **figures,
        )
    return StorageCause("storage", Message("storage"), clause, "medium")

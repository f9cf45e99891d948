"""Where the time of a load went: terms that add up to it, as its figures account for it.

The time of the readers is what is divided: what they waited for storage, for a processor, for
decoders, for memory, and what they and the kernel worked. A figure that is missing leaves its time
to `undecided`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.explain.evidence import (
    HALF,
    Bottleneck,
    at_once,
    busy_share,
    cpu_ns,
    decoders,
    device_rate,
    felt_limit,
    fetched_factor,
    is_hardly_seen,
    is_launched,
    is_shared,
    memory_clause,
    of_reading,
    readers,
    reread_bytes,
    served_from_cache,
    stalled_share,
    storage_name,
    waiting_share,
)
from modelmon.core.explain.prediction import Term
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.messages import NOTHING, Message, filled, joined
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.units import duration_text, percent_text, rate_text, request_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.explain.evidence import BottleneckKind
    from modelmon.core.probe.probe import Limits
    from modelmon.core.worker.result import RunResult

    Share = tuple[BottleneckKind, float]

MANY_TENSORS = 1000
SMALL_TENSOR_BYTES = 256 * 1024
"""Libraries take 30 to 55 µs a tensor; a drive of 5 GB/s fetches 256 KiB in that time."""

MANY_FAULTS_PER_MB = 10
"""Pages of 4 KiB, mapped 16 at a fault, are 15 faults a MB; large folios take less than one."""

FAULT_NS = 10_000
"""A fault takes 0.5 to 5 µs, on a shared virtual machine twice as long: where the kernel copies as
well, what is beyond that is copying."""


def terms_of(run: RunResult, limits: Limits = UNKNOWN_LIMITS) -> tuple[Term, ...]:
    """The largest first. They add up to the time in which the model was read."""
    run = of_reading(run)
    shares: dict[BottleneckKind, float] = {}
    for kind, share in _shares(run, limits) if run.wall_ns else ():
        shares[kind] = shares.get(kind, 0.0) + share
    ranked = sorted(shares.items(), key=lambda item: -item[1])
    return tuple(Term(kind, share * run.wall_ns) for kind, share in ranked if share > 0)


def _shares(run: RunResult, limits: Limits) -> Iterator[Share]:
    """Of the whole time: together 1."""
    waited = min(1.0, waiting_share(run) or 0.0)
    queued = min(1 - waited, others_queue_share(run))
    waited, decoding = _beside_decoders(run, waited, queued)
    stalled = stalled_share(run)
    left = 1.0
    if stalled > waited:
        # Reclaiming memory is work, too: it was part of all that is not waiting.
        left = (1 - stalled) / (1 - waited)
    yield "memory", stalled
    yield storage_cause(run, limits).kind, max(0.0, waited - stalled)
    yield "busy-processors", queued * left
    yield "decode", decoding * left
    for kind, share in _of_processors(run, max(0.0, 1 - waited - queued - decoding)):
        yield kind, share * left


def others_queue_share(run: RunResult) -> float:
    """Readers could run and others had the processors; those that take most of the processors
    themselves wait for one another, which is their work.
    """
    queued, used_ns, load_ns = run.run_queue_share, cpu_ns(run), run.wall_ns - run.warmup_ns
    if queued is None or used_ns is None or not run.cpu_count or load_ns <= 0:
        return 0.0
    is_their_own = used_ns >= HALF * load_ns * run.cpu_count
    return 0.0 if is_their_own else queued * load_ns / run.wall_ns


def _beside_decoders(run: RunResult, waited: float, queued: float) -> tuple[float, float]:
    """What readers waited for storage and for decoders. Where decoders were busy while storage was
    waited for, neither alone held the load back: each has its part.
    """
    load_ns = run.wall_ns - run.warmup_ns
    if not run.decode_ns or load_ns <= 0:
        return waited, 0.0
    busy = min(1.0, run.decode_ns / (run.wall_ns * at_once(run, decoders(run))))
    if run.io_wait_share is None:
        # Recordings of earlier versions have no account of readers beside decoders.
        requests = run.decoding_share or 0.0
        return waited, min(1 - waited - queued, max(busy, requests if requests >= HALF else 0.0))
    used_ns = max(0, (cpu_ns(run) or 0) - run.decode_ns)
    reading = used_ns / (run.wall_ns * at_once(run, readers(run)))
    held_up = 1 - waited - queued - reading
    if busy <= max(held_up, 1 - waited - queued):
        return waited, min(1 - waited - queued, max(held_up, busy))
    both = (1 - queued) / (waited + busy)
    return waited * both, busy * both


def _of_processors(run: RunResult, share: float) -> Iterator[Share]:
    """What is left: work in the kernel, work outside of it, and what nothing explains."""
    unknown: BottleneckKind = "page-cache" if served_from_cache(run) else "undecided"
    work = min(share, _working_share(run))
    yield unknown, share - work
    kernel_ns = run.cpu_system_ns or 0
    own_ns = max(0, (run.cpu_user_ns or 0) - (run.decode_ns or 0))
    kernel = kernel_ns / (kernel_ns + own_ns) if kernel_ns + own_ns else 0.0
    yield "page-cache" if copies_out(run) and not has_many_faults(run) else "faults", work * kernel
    yield _own_work(run), work * (1 - kernel)


def _working_share(run: RunResult) -> float:
    used_ns, load_ns = cpu_ns(run), run.wall_ns - run.warmup_ns
    if not used_ns or load_ns <= 0 or is_hardly_seen(run):
        return 0.0
    if run.is_program:
        return used_ns / run.wall_ns
    if run.io_wait_share is not None and not served_from_cache(run):
        # Their accounts are complete: what is neither is work.
        return 1.0
    return max(0, used_ns - (run.decode_ns or 0)) / (run.wall_ns * at_once(run, readers(run)))


def _own_work(run: RunResult) -> BottleneckKind:
    if run.is_program:
        return "computing"
    if run.config.library == NO_LIBRARY:
        return "page-cache"
    is_small = run.load_bytes < SMALL_TENSOR_BYTES * run.tensors
    return "per-tensor" if run.tensors >= MANY_TENSORS and is_small else "computing"


def copies_out(run: RunResult) -> bool:
    """Whether what the kernel does is copying what it has cached, rather than mapping that or
    giving memory to read to.
    """
    config = run.config
    if config.library != NO_LIBRARY:
        return True
    if run.memory_kind == "mapped" or config.access in ("mmap", "direct"):
        return False
    return config.access == "read" or served_from_cache(run)


def faults(run: RunResult) -> int:
    """Page faults of both kinds."""
    return (run.minor_faults or 0) + (run.major_faults or 0)


def has_many_faults(run: RunResult) -> bool:
    """Whether page faults rather than copies keep the kernel busy."""
    if faults(run) < MANY_FAULTS_PER_MB * run.load_bytes / 1e6:
        return False
    return not copies_out(run) or faults(run) * FAULT_NS >= HALF * (run.cpu_system_ns or 0)


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


def storage_cause(run: RunResult, limits: Limits) -> Bottleneck:
    """Why storage was waited for, without the figures that show it. What explains others comes
    before them, as memory that is short explains repeated reads, and these explain a busy disk.
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


def _memory(run: RunResult) -> Bottleneck | None:
    again_bytes, fetched = reread_bytes(run), run.device_bytes or run.asked_bytes
    if again_bytes < (1 - 1 / MOSTLY_AGAIN) * fetched:
        return None
    clause = memory_clause(run, waiting_share(run) or 0.0)
    return Bottleneck("memory", Message("memory"), clause, ())


def _again(run: RunResult) -> Bottleneck | None:
    """Much more came from the device than the files hold."""
    factor = fetched_factor(run)
    if factor is None or factor < MOSTLY_AGAIN:
        return None
    clause = Message(
        "reads the files {factor} times over and waits {waiting} of the time",
        factor=three_figures(factor),
        waiting=_waiting(run),
    )
    return Bottleneck("amplification", Message("repeated reads"), clause, ())


def _held_to_a_limit(run: RunResult) -> Bottleneck | None:
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
    return Bottleneck(
        "device-bandwidth" if found.kind == "read-rate" else "device-latency",
        Message("throttled storage"),
        clause,
        (),
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


def _by_bandwidth(run: RunResult, limits: Limits) -> Bottleneck | None:
    """It gave what it can. Where nobody knows what that is, it always had a request: it may still
    have room then.
    """
    if _gave_more(run, limits):
        return None
    probed, shared, busy = bool(limits.device_bytes_per_s), is_shared(run), busy_share(run)
    if not probed and (_late(run, limits) or shared or busy is None or busy < BUSY_SHARE):
        return None
    clause = Message(
        "is limited by {storage_name}'s bandwidth: {rate}, waiting {waiting} of the time",
        storage_name=storage_name(run),
        waiting=_waiting(run),
        # The storage's rate, which is the same for all loads.
        rate=rate_text(max(device_rate(run) or 0.0, limits.device_bytes_per_s or 0.0)),
    )
    return Bottleneck("device-bandwidth", Message("storage bandwidth"), clause, ())


def _late(run: RunResult, limits: Limits) -> Bottleneck | None:
    """The device is asked in small pieces, or has pauses in between."""
    sign = _small_requests(run) or _far_from_the_limit(run, limits) or _one_at_a_time(run, limits)
    if not sign:
        return None
    clause = Message(
        "waits for responses {waiting} of the time: {sign}", waiting=_waiting(run), sign=sign
    )
    return Bottleneck("device-latency", Message("storage latency"), clause, ())


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


def _held_up(run: RunResult, limits: Limits) -> Bottleneck | None:
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
    return Bottleneck("device-bandwidth", Message("throttled storage"), clause, ())


def _unclear(run: RunResult, limits: Limits) -> Bottleneck:
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
    return Bottleneck("storage", Message("storage"), clause, ())


def phase_rows(run: RunResult, *, timed: bool = True) -> Iterator[tuple[Message, Message]]:
    """What took any time, in words and in order: before the clock of the load, and under it.

    Reading is called faulting where the file is mapped. Decoding goes on beside it; its time is
    the decoders' CPU time, shared by as many of them as there are processors. Of a watched program
    what comes before and after its reading is told as well; where that was not seen, all of its
    time counts as reading.
    """
    load_ns = run.reading_ns - run.warmup_ns
    access = run.config.access
    all_mapped = access == "mmap" or (access == "auto" and run.memory_kind == "mapped")
    mapped = all_mapped and run.config.library == NO_LIBRARY
    setup = (
        (Message("open {time}"), run.open_ns),
        (Message("plan {time}"), run.plan_ns),
        (Message("start-up {time}"), run.startup_ns),
        (Message("preparing memory {time}"), run.conditioning_ns),
        (Message("page cache {time}"), run.cache_ns),
        (Message("other {time}"), run.other_setup_ns),
    )
    under_the_clock = (
        (Message("warm-up {time}"), run.warmup_ns),
        (Message("before reading {time}"), run.first_byte_ns or 0),
        (Message("fault {time}") if mapped else Message("read {time}"), load_ns),
        (Message("after reading {time}"), run.wall_ns - (run.last_byte_ns or run.wall_ns)),
        (
            Message("decode {time} in parallel"),
            min(load_ns, (run.decode_ns or 0) // at_once(run, decoders(run))),
        ),
    )
    for name, phases in (
        (Message("Setup (not timed)"), setup),
        (Message("Timed"), under_the_clock if timed else ()),
    ):
        texts = [filled(text, time=duration_text(ns)) for text, ns in phases if ns > 0]
        if texts:
            yield name, joined(texts, ", ")

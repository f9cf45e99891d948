"""Rules for loads that wait for storage: its bandwidth, its latency, or too much that is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.explain.figures import (
    HALF,
    busy_share,
    device_rate,
    is_shared,
    limit_evidence,
    storage_name,
    waiting_evidence,
    waiting_share,
)
from modelmon.core.explain.kinds import Bottleneck, Evidence, figure, weaker
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    request_text,
    size_text,
    three_figures,
)
from modelmon.core.worker.launched import launched, recorded_words

if TYPE_CHECKING:
    from modelmon.core.explain.kinds import Confidence
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.probe.limits import Limits
    from modelmon.core.worker.result import RunResult

AMPLIFIED = 1.1
"""Readahead and alignment add some percent; a tenth more means that bytes came twice."""

SMALL_REQUEST_BYTES = 64 * 1024
"""At 100 µs a request, a tenth of a drive's usual 5 GB/s or less comes in pieces below this."""

SMALL_REQUESTS_WAIT_SHARE = 0.1
"""Each small request costs the kernel about as long as a fast drive takes to answer it: fewer of
them save both, so that some waiting is enough."""

NEAR_LIMIT_SHARE = 0.7
"""Of the probed rate, or the best that a load here has reached: a load has gaps between requests
and between files that a probe has not. What gets less is not at the device's limit."""

FAR_FROM_LIMIT_SHARE = 0.5
BUSY_SHARE = 0.75
"""Above this a device has a request nearly always (the look at it lasts a little longer than the
load); one that serves several at a time may still have room, which only a probe shows."""

IDLE_SHARE = 0.5
"""Below this it rests longer than it works, although readers wait: their requests do not reach
it. Limits of containers and volumes hold requests back before the device sees them."""

_AT_THE_LIMIT = Message("Only a faster disk, a smaller file, or a warm cache helps.")


def waits_for_storage(run: RunResult) -> bool:
    """Whether storage takes half of the time or more."""
    return (waiting_share(run) or 0.0) >= HALF


def amplification(run: RunResult, limits: Limits) -> Bottleneck | None:
    """More came from the device than the files hold, and the load waited for it. A program reads
    other files as well: of these only the trace tells.
    """
    del limits
    factor, device_bytes = run.fetched_share, run.device_bytes or 0
    if factor is not None and run.is_program:
        if run.seen_by != "trace" or run.other_device_bytes is None:
            return None
        factor -= run.other_device_bytes / run.asked_bytes
        device_bytes -= run.other_device_bytes
    if factor is None or factor <= AMPLIFIED or not waits_for_storage(run):
        return None
    ranks = run.config.ranks
    figures = {"factor": three_figures(factor), "waiting": percent_text(waiting_share(run) or 0)}
    clause = (
        Message(
            "reads the files {factor} times over, by {ranks} ranks, and waits"
            " {waiting} of the time",
            ranks=ranks,
            **figures,
        )
        if ranks > 1
        else Message(
            "reads the file {factor} times over and waits {waiting} of the time",
            **figures,
        )
    )
    remedy = Message("Read the files once and share them, or slice them by rank.")
    if run.config.rank_share == "slice":
        remedy = Message(
            "Use buffered reads: the bytes between the ranks' rows are then read once."
        )
    if run.portion:
        remedy = Message("Part of this is read around a portion; load the whole model to be sure.")
    elif run.is_program:
        remedy = _read_ahead(run)
    elif ranks == 1:
        remedy = Message("Read in file order with larger requests, or use direct I/O.")
    return Bottleneck(
        "amplification",
        Message("repeated reads"),
        clause,
        (
            Evidence(Message("from storage"), size_text(device_bytes)),
            Evidence(Message("requested"), size_text(run.asked_bytes)),
            *waiting_evidence(run),
        ),
        "high",
        remedy,
    )


def latency(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Readers wait, and the device is asked in small pieces or has pauses in between."""
    if _near_limit(run, limits):
        return None
    sign = _small_requests(run) or (
        _late_requests(run, limits) if waits_for_storage(run) else NOTHING
    )
    if not sign:
        return None
    sure: Confidence = "high" if limits.device_bytes_per_s else "medium"
    if is_shared(run) is None or not limits.others_known:
        sure = weaker(sure)
    return Bottleneck(
        "device-latency",
        Message("storage latency"),
        Message(
            "waits for responses {waiting} of the time: {sign}",
            waiting=percent_text(waiting_share(run) or 0),
            sign=sign,
        ),
        (
            *waiting_evidence(run),
            *request_evidence(run),
            *limit_evidence(limits),
            *figure(Message("one random read"), limits.latency_ns, duration_text),
        ),
        sure,
        _read_ahead(run)
        or Message(
            "Use larger requests in file order, and more readers, each with its own descriptor."
        ),
    )


def _read_ahead(run: RunResult) -> Message:
    """What helps a program that nobody wants to change; empty where that is done already, or the
    program reads past the page cache.
    """
    if not run.is_program or _is_launched(run):
        return NOTHING
    if (run.residency_after_share or 0.0) < HALF:
        return NOTHING
    return Message(
        "Read the model ahead of it: start it by modelmon launch, or run modelmon warm first."
    )


def _is_launched(run: RunResult) -> bool:
    return bool(launched(recorded_words(run.command)))


def _small_requests(run: RunResult) -> Message:
    """The device is asked in small pieces; empty if it is not, or hardly waited for."""
    asked = _asked_bytes(run)
    if asked is None or asked >= SMALL_REQUEST_BYTES:
        return NOTHING
    if (waiting_share(run) or 0.0) < SMALL_REQUESTS_WAIT_SHARE:
        return NOTHING
    return Message("requests are only {size} each", size=request_text(asked))


def _asked_bytes(run: RunResult) -> float | None:
    """Mean size of a request to the device: of a direct read its own, else of whoever used it;
    None where somebody else used it as well.
    """
    if run.config.access == "direct" and run.requests:
        return run.load_bytes / run.requests
    if is_shared(run):
        return None
    return run.device.mean_request_bytes if run.device else None


def _late_requests(run: RunResult, limits: Limits) -> Message:
    """Why it is latency rather than bandwidth; empty if it is not, or others took the rest."""
    turns = _turns(run)
    rate, best = device_rate(run) or 0.0, limits.device_bytes_per_s
    seen = limits.seen_device_bytes_per_s
    if best and rate < FAR_FROM_LIMIT_SHARE * best and not is_shared(run):
        share = percent_text(rate / best)
        if turns:
            return Message(
                "{turns}, and get {share} of the storage's limit", turns=turns, share=share
            )
        return Message("it gets {share} of the storage's limit", share=share)
    if seen and rate < FAR_FROM_LIMIT_SHARE * seen and not is_shared(run):
        figures = {"share": percent_text(rate / seen), "rate": rate_text(seen)}
        if turns:
            return Message(
                "{turns}, and get {share} of the {rate} that another load reached",
                turns=turns,
                **figures,
            )
        return Message("it gets {share} of the {rate} that another load reached", **figures)
    if run.config.order == "random" and not best:
        return Message("it reads in random order")
    # A disk of this machine likes that; what streams from a server begins anew each time.
    return turns if not best and run.storage_kind in ("network", "fuse") else NOTHING


def _turns(run: RunResult) -> Message:
    """That a program's readers interrupt each other; empty where that is not seen, or where what
    is read ahead of it is among them.
    """
    if (run.traced_readers or 0) < 2 or (run.jump_share or 0.0) < HALF or _is_launched(run):
        return NOTHING
    return Message("its {readers} readers take turns at distant places", readers=run.traced_readers)


def _may_gain(config: LoadConfig) -> Message:
    if config.access in ("direct", "auto"):
        return Message("More readers may gain a little. {at_the_limit}", at_the_limit=_AT_THE_LIMIT)
    return Message(
        "More readers or direct I/O may gain a little. {at_the_limit}", at_the_limit=_AT_THE_LIMIT
    )


def bandwidth(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Readers wait, and the device gives about what it can."""
    if not waits_for_storage(run):
        return None
    near, busy, shared = _near_limit(run, limits), busy_share(run), is_shared(run)
    # A device that always has a request may still have room: what it has done shows that.
    unsure = _gave_more(run, limits) or busy is None or busy < BUSY_SHARE or shared
    if unsure and not near:
        return None
    sure: Confidence = "high" if near else "medium"
    if (run.device_bytes if near else shared) is None or not limits.others_known:
        sure = weaker(sure)
    rate, best = device_rate(run) or 0.0, limits.device_bytes_per_s
    seen = None if best else limits.seen_device_bytes_per_s
    return Bottleneck(
        "device-bandwidth",
        Message("storage bandwidth"),
        Message(
            "is limited by {storage_name}'s bandwidth: {rate}, waiting {waiting} of the time",
            storage_name=storage_name(run),
            waiting=percent_text(waiting_share(run) or 0),
            rate=rate_text(rate),
        ),
        (
            *waiting_evidence(run),
            *request_evidence(run),
            *limit_evidence(limits),
            *figure(Message("of the limit"), rate / best if best else None, percent_text),
            *figure(Message("best rate seen here"), seen, rate_text),
            *figure(Message("of the best"), rate / seen if seen else None, percent_text),
        ),
        sure,
        _AT_THE_LIMIT if near else _may_gain(run.config),
    )


def held_up(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Readers wait, most of the time the device has nothing to do, and no load got much more.

    Said of loads of ours alone: a program that sleeps between two reads looks the same.
    """
    busy = busy_share(run)
    if run.is_program or not waits_for_storage(run):
        return None
    if busy is None or busy >= IDLE_SHARE or _gave_more(run, limits):
        return None
    return Bottleneck(
        "device-bandwidth",
        Message("throttled storage"),
        Message(
            "is throttled to {device_rate} while the disk is mostly idle, waiting for"
            " {storage_name} {waiting} of the time",
            storage_name=storage_name(run),
            waiting=percent_text(waiting_share(run) or 0),
            device_rate=rate_text(device_rate(run) or 0),
        ),
        (*waiting_evidence(run), *request_evidence(run)),
        "low",
        Message("Check for an I/O limit on the container, service or volume, and for encryption."),
    )


def _near_limit(run: RunResult, limits: Limits) -> bool:
    best = limits.device_bytes_per_s
    return bool(best) and (device_rate(run) or 0.0) >= NEAR_LIMIT_SHARE * (best or 0.0)


def _gave_more(run: RunResult, limits: Limits) -> bool:
    """Whether the storage is known to give much more than this load got."""
    known = limits.device_bytes_per_s or (limits.seen_device_bytes_per_s or 0.0)
    return (device_rate(run) or 0.0) < NEAR_LIMIT_SHARE * known


def request_evidence(run: RunResult) -> tuple[Evidence, ...]:
    """How the device was asked, as far as it is known."""
    device = run.device
    if device is None:
        return ()
    return (
        *figure(Message("mean request"), device.mean_request_bytes, request_text),
        *figure(Message("latency"), device.read_await_ns, duration_text),
        *figure(Message("disk busy"), busy_share(run), percent_text),
    )

"""Rules for loads that wait for storage: its bandwidth, its latency, or too much that is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.bottleneck.figures import (
    HALF,
    busy_share,
    device_rate,
    storage_name,
    waiting_evidence,
    waiting_share,
)
from modelmon.core.experiment.bottleneck.kinds import Bottleneck, Evidence
from modelmon.core.units import duration_text, percent_text, rate_text, request_text, size_text

if TYPE_CHECKING:
    from modelmon.core.experiment.bottleneck.kinds import Confidence, Limits
    from modelmon.core.experiment.result import RunResult

AMPLIFIED = 1.1
"""Readahead and alignment add some percent; a tenth more means that bytes came twice."""

SMALL_REQUEST_BYTES = 64 * 1024
"""At 100 µs a request, a tenth of a drive's usual 5 GB/s or less comes in pieces below this."""

SMALL_REQUESTS_WAIT_SHARE = 0.1
"""Each small request costs the kernel about as long as a fast drive takes to answer it: fewer of
them save both, so that some waiting is enough."""

NEAR_LIMIT_SHARE = 0.7
"""Of the probed rate: a load has gaps between requests and between files that a probe has not."""

FAR_FROM_LIMIT_SHARE = 0.5
BUSY_SHARE = 0.75
"""Above this a device has a request nearly always (the look at it lasts a little longer than the
load); one that serves several at a time may still have room, which only a probe shows."""

IDLE_SHARE = 0.5
"""Below this it rests longer than it works, although readers wait: their requests do not reach
it. Limits of containers and volumes hold requests back before the device sees them."""

_BELOW_THE_LIMIT = "More readers or direct reads may get some more."
_AT_THE_LIMIT = "Only a faster disk, fewer bytes (another quantisation) or a warm cache help."


def waits_for_storage(run: RunResult) -> bool:
    """Whether storage takes half of the time or more."""
    return (waiting_share(run) or 0.0) >= HALF


def amplification(run: RunResult, limits: Limits) -> Bottleneck | None:
    """More came from the device than the files hold, and the load waited for it."""
    del limits
    factor = run.fetched_share
    if factor is None or factor <= AMPLIFIED or not waits_for_storage(run):
        return None
    ranks = run.config.ranks
    each = f" by {ranks} ranks" if ranks > 1 else ""
    remedy = "Read the files once and share them, or slice them by rank."
    if run.config.rank_share == "slice":
        remedy = "Read through the page cache: what lies between the ranks' rows then comes once."
    if run.portion:
        remedy = "Part of it is what lies around a portion; load the whole model to be sure."
    elif ranks == 1:
        remedy = "Read in file order with larger requests, or past the page cache."
    return Bottleneck(
        "amplification",
        "read more than once",
        f"fetches {factor:.2f} times the files' bytes{each} and waits for them"
        f" {percent_text(waiting_share(run) or 0)} of the time",
        (
            Evidence("from storage", size_text(run.device_bytes or 0)),
            Evidence("asked for", size_text(run.asked_bytes)),
            *waiting_evidence(run),
        ),
        "high",
        remedy,
    )


def latency(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Readers wait, and the device is asked in small pieces or has pauses in between."""
    if _near_limit(run, limits):
        return None
    sign = _small_requests(run) or (_late_requests(run, limits) if waits_for_storage(run) else "")
    if not sign:
        return None
    evidence = [*waiting_evidence(run), *request_evidence(run)]
    if limits.device_bytes_per_s:
        evidence.append(Evidence("device can", rate_text(limits.device_bytes_per_s)))
    if limits.latency_ns is not None:
        evidence.append(Evidence("one random read", duration_text(limits.latency_ns)))
    sure: Confidence = "high" if limits.device_bytes_per_s else "medium"
    return Bottleneck(
        "device-latency",
        "device latency",
        f"waits for answers {percent_text(waiting_share(run) or 0)} of the time: {sign}",
        tuple(evidence),
        sure,
        "Ask for more at a time: larger requests, file order, more readers, each with a"
        " descriptor of its own.",
    )


def _small_requests(run: RunResult) -> str:
    """The device is asked in small pieces; empty if it is not, or hardly waited for."""
    asked = _asked_bytes(run)
    if asked is None or asked >= SMALL_REQUEST_BYTES:
        return ""
    if (waiting_share(run) or 0.0) < SMALL_REQUESTS_WAIT_SHARE:
        return ""
    return f"the device is asked for {request_text(asked)} at a time"


def _asked_bytes(run: RunResult) -> float | None:
    """Mean size of a request to the device: of a direct read its own, else of whoever used it;
    None where somebody else used it as well.
    """
    if run.config.access == "direct" and run.requests:
        return run.load_bytes / run.requests
    if any(warning.kind == "other-reader" for warning in run.warnings):
        return None
    return run.device.mean_request_bytes if run.device else None


def _late_requests(run: RunResult, limits: Limits) -> str:
    """Why it is latency rather than bandwidth; empty if it is not."""
    rate, best = device_rate(run) or 0.0, limits.device_bytes_per_s
    if best and rate < FAR_FROM_LIMIT_SHARE * best:
        return f"it gets {percent_text(rate / best)} of what the device can"
    if run.config.order == "random" and not best:
        return "it asks in random order"
    return ""


def bandwidth(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Readers wait, and the device gives about what it can."""
    if not waits_for_storage(run):
        return None
    near, busy = _near_limit(run, limits), busy_share(run)
    if not near and (busy is None or busy < BUSY_SHARE):
        return None
    evidence = [*waiting_evidence(run), *request_evidence(run)]
    if limits.device_bytes_per_s:
        evidence.append(Evidence("device can", rate_text(limits.device_bytes_per_s)))
    rate = rate_text(device_rate(run) or 0)
    return Bottleneck(
        "device-bandwidth",
        "device bandwidth",
        f"waits for {storage_name(run)} {percent_text(waiting_share(run) or 0)} of the time,"
        f" which delivers {rate}",
        tuple(evidence),
        "high" if near else "medium",
        _AT_THE_LIMIT
        if near
        else f"More readers or direct reads may get some more. {_AT_THE_LIMIT}",
    )


def held_up(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Readers wait, and most of the time the device has nothing to do."""
    del limits
    busy = busy_share(run)
    if not waits_for_storage(run) or busy is None or busy >= IDLE_SHARE:
        return None
    return Bottleneck(
        "device-bandwidth",
        "limited bandwidth",
        f"waits for {storage_name(run)} {percent_text(waiting_share(run) or 0)} of the time and"
        f" gets {rate_text(device_rate(run) or 0)}, while the device itself rests: something in"
        " between holds requests back",
        (*waiting_evidence(run), *request_evidence(run)),
        "low",
        "Look for an I/O limit of the container, the service or the volume, and for encryption.",
    )


def _near_limit(run: RunResult, limits: Limits) -> bool:
    best = limits.device_bytes_per_s
    return bool(best) and (device_rate(run) or 0.0) >= NEAR_LIMIT_SHARE * (best or 0.0)


def request_evidence(run: RunResult) -> tuple[Evidence, ...]:
    """How the device was asked, as far as it is known."""
    device = run.device
    if device is None:
        return ()
    items = []
    if device.mean_request_bytes is not None:
        items.append(Evidence("mean request", request_text(device.mean_request_bytes)))
    if device.read_await_ns is not None:
        items.append(Evidence("answer after", duration_text(device.read_await_ns)))
    if (busy := busy_share(run)) is not None:
        items.append(Evidence("device busy", percent_text(busy)))
    return tuple(items)

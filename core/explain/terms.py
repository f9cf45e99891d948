"""Where the time of a load went: terms that add up to it, as its figures account for it.

The time of the readers is what is divided: what they waited for storage, for a processor, for
decoders, for memory, and what they and the kernel worked. A figure that is missing leaves its time
to `undecided`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.explain.cost import Term
from modelmon.core.explain.figures import (
    HALF,
    at_once,
    cpu_ns,
    decoders,
    is_hardly_seen,
    of_reading,
    readers,
    served_from_cache,
    waiting_share,
)
from modelmon.core.explain.memory import stalled_share
from modelmon.core.explain.storage import storage_cause
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.probe.limits import UNKNOWN_LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.explain.kinds import BottleneckKind
    from modelmon.core.probe.limits import Limits
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

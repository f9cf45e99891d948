"""Rules for loads that are busy rather than waiting: decoding, tensors, page faults, cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.bottleneck.figures import (
    HALF,
    busiest,
    cpu_ns,
    kernel_share,
    readers,
    served_from_cache,
    waiting_share,
)
from modelmon.core.experiment.bottleneck.kinds import Bottleneck, Evidence
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.units import duration_text, percent_text, rate_text, size_text

if TYPE_CHECKING:
    from modelmon.core.experiment.bottleneck.kinds import Limits
    from modelmon.core.experiment.result import RunResult

DECODERS_BUSY_SHARE = 0.7
"""Of two that work beside one another, the one that hardly ever waits is the slower."""

MANY_TENSORS = 1000
SMALL_TENSOR_BYTES = 256 * 1024
"""Libraries take 30 to 55 µs a tensor; a drive of 5 GB/s fetches 256 KiB in that time."""

MANY_FAULTS_PER_MB = 10
"""Pages of 4 KiB, mapped 16 at a fault, are 15 faults a MB; large folios take less than one."""

MEMORY_RATE_SHARE = 0.5
"""Of the rate of copies: a load writes what it reads, and looks at it once more."""

FASTER_THAN_DRIVES_BYTES_PER_S = 8e9
"""Above what a drive on four lanes of PCIe 4.0 gives (7.9 GB/s) no cold load can follow."""

_LESS_FAULTS = "Read into huge pages instead of mapping, or use more readers on more cores."
_LESS_COPIES = "Mapped memory copies nothing; else more readers help where cores are free."
_MORE_READERS = "More readers, if cores are free."
_LIBRARYS_COPIES = "A strategy of modelmon may copy less, or with more cores."


def _busy(run: RunResult) -> bool:
    waited = waiting_share(run)
    return waited is not None and waited < HALF and bool(cpu_ns(run))


def decode(run: RunResult, limits: Limits) -> Bottleneck | None:
    """The decoders, which work beside the readers, are the ones that never rest."""
    del limits
    load_ns = run.wall_ns - run.warmup_ns
    if not run.decode_ns or load_ns <= 0:
        return None
    share = min(1.0, run.decode_ns / (load_ns * busiest(run)))
    rate = run.load_bytes * 1e9 / run.decode_ns
    if share < DECODERS_BUSY_SHARE:
        return None
    return Bottleneck(
        "decode",
        "decoding",
        f"decodes {percent_text(share)} of the time, {rate_text(rate)} for each core",
        (
            Evidence("decoding", duration_text(run.decode_ns)),
            Evidence("decoders", f"{readers(run)}"),
            *_waited(run),
        ),
        "high",
        "More readers decode on more cores; or choose a type that needs no decoding.",
    )


def per_tensor(run: RunResult, limits: Limits) -> Bottleneck | None:
    """A library spends its time on each of many small tensors, in code of its own."""
    del limits
    if run.tensors < MANY_TENSORS or run.config.library == NO_LIBRARY or not _busy(run):
        return None
    mean_bytes = run.load_bytes / run.tensors
    kernel = kernel_share(run)
    if mean_bytes >= SMALL_TENSOR_BYTES or kernel is None or kernel >= HALF:
        return None
    each_ns = run.wall_ns * (1 - (waiting_share(run) or 0.0)) / run.tensors
    return Bottleneck(
        "per-tensor",
        "per-tensor overhead",
        f"spends {each_ns / 1000:.0f} µs on each of {run.tensors:,} tensors",
        (
            Evidence("tensors", f"{run.tensors:,}"),
            Evidence("mean size", size_text(mean_bytes)),
            Evidence("in the library", percent_text(1 - kernel)),
            *_waited(run),
        ),
        "high",
        "Read the file in large pieces and take the tensors as views of them.",
    )


def page_cache(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Nothing came from the device, and the load is as fast as memory."""
    if not served_from_cache(run):
        return None
    best = limits.memory_bytes_per_s
    enough = MEMORY_RATE_SHARE * best if best else FASTER_THAN_DRIVES_BYTES_PER_S
    if run.bytes_per_s < enough:
        return None
    evidence = [Evidence("delivered", rate_text(run.bytes_per_s)), *_fetched(run)]
    if best:
        evidence.append(Evidence("memory copies", rate_text(best)))
    return Bottleneck(
        "page-cache",
        "page cache",
        f"is served from the page cache at {rate_text(run.bytes_per_s)}: nothing to gain",
        tuple(evidence),
        "high" if best else "medium",
    )


def faults(run: RunResult, limits: Limits) -> Bottleneck | None:
    """The loaders are busy in the kernel: with page faults, or with copies and fresh memory."""
    del limits
    kernel = kernel_share(run)
    cores = (run.cpu_system_ns or 0) / run.wall_ns if run.wall_ns else 0.0
    if not _busy(run) or kernel is None or kernel < HALF or cores < HALF:
        return None
    taken = (run.minor_faults or 0) + (run.major_faults or 0)
    per_mb = taken / (run.load_bytes / 1e6) if run.load_bytes else 0.0
    many = per_mb >= MANY_FAULTS_PER_MB
    work = "page faults" if many else "copies"
    return Bottleneck(
        "faults",
        "page faults" if many else "kernel CPU",
        f"is busy in the kernel with {work} ({percent_text(cores)} of a core)",
        (
            Evidence("system CPU", duration_text(run.cpu_system_ns or 0)),
            Evidence("of the CPU time", percent_text(kernel)),
            Evidence("faults", f"{taken:,} ({per_mb:.1f} a MB)"),
            *_waited(run),
        ),
        "high" if many else "medium",
        _LESS_FAULTS if many else _LESS_COPIES,
    )


def out_of_cache(run: RunResult, limits: Limits) -> Bottleneck | None:
    """All came from the page cache, at whatever rate; no figure tells what the rest is."""
    del limits
    if not served_from_cache(run):
        return None
    return Bottleneck(
        "page-cache",
        "page cache",
        f"is served from the page cache at {rate_text(run.bytes_per_s)};"
        " a faster disk would change nothing",
        (
            Evidence("delivered", rate_text(run.bytes_per_s)),
            *_fetched(run),
            Evidence("readers", f"{readers(run)}"),
        ),
        "medium",
        _LIBRARYS_COPIES
        if run.config.library != NO_LIBRARY
        else "More readers, if cores are free.",
    )


def _waited(run: RunResult) -> tuple[Evidence, ...]:
    waited = waiting_share(run)
    return (Evidence("IO-wait", percent_text(waited)),) if waited is not None else ()


def _fetched(run: RunResult) -> tuple[Evidence, ...]:
    if run.device_bytes is None:
        return ()
    return (Evidence("from storage", size_text(run.device_bytes)),)

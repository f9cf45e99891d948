"""Rules for loads that are busy rather than waiting: decoding, tensors, page faults, cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.explain.figures import (
    HALF,
    at_once,
    cpu_ns,
    decoders,
    is_hardly_seen,
    kernel_share,
    readers,
    served_from_cache,
    waited_evidence,
    waiting_share,
)
from modelmon.core.explain.kinds import Bottleneck, Evidence, figure
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.messages import Message
from modelmon.core.units import duration_text, percent_text, rate_text, size_text

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.probe.limits import Limits
    from modelmon.core.worker.result import RunResult

DECODERS_BUSY_SHARE = 0.7
"""Of two that work beside one another, the one that hardly ever waits is the slower."""

MANY_TENSORS = 1000
SMALL_TENSOR_BYTES = 256 * 1024
"""Libraries take 30 to 55 µs a tensor; a drive of 5 GB/s fetches 256 KiB in that time."""

MANY_FAULTS_PER_MB = 10
"""Pages of 4 KiB, mapped 16 at a fault, are 15 faults a MB; large folios take less than one."""

MEMORY_RATE_SHARE = 0.5
"""Of the rate of copies: a load writes what it reads, and looks at it once more."""

AS_FAST_SHARE = 0.9
"""Of the best that a load here has reached from the page cache: what gets less can gain."""

FASTER_THAN_DRIVES_BYTES_PER_S = 8e9
"""Above what a drive on four lanes of PCIe 4.0 gives (7.9 GB/s) no cold load can follow."""

_LESS_FAULTS = Message("Use auto, which maps large parts at once, or more readers on more cores.")
_LESS_COPIES = Message(
    "Use auto with delivery usable, which copies nothing cached, or more readers if cores are free."
)
_LESS_COPIES_IN_PASSING = Message(
    "Use mmap, which copies nothing, or more readers if cores are free."
)
_MORE_READERS = Message("Use more readers if cores are free.")
_PROGRAMS_FAULTS = Message("Another setting of the program may take fewer page faults.")
_PROGRAMS_COPIES = Message("Another setting of the program may copy less.")
_LIBRARYS_COPIES = Message("A strategy of modelmon may copy less, or with more cores.")


def _busy(run: RunResult) -> bool:
    waited = waiting_share(run)
    return waited is not None and waited < HALF and bool(cpu_ns(run))


def decode(run: RunResult, limits: Limits) -> Bottleneck | None:
    """The decoders, which work beside the readers, are the ones that never rest; or what was read
    waits for them, which may wait for the interpreter and not only for processors.
    """
    del limits
    load_ns = run.wall_ns - run.warmup_ns
    if not run.decode_ns or load_ns <= 0:
        return None
    share = min(1.0, run.decode_ns / (load_ns * at_once(run, decoders(run))))
    rate = rate_text(run.load_bytes * 1e9 / run.decode_ns)
    if share >= DECODERS_BUSY_SHARE:
        clause = Message(
            "decodes {share} of the time, {rate} per core", share=percent_text(share), rate=rate
        )
    elif (run.decoding_share or 0.0) >= HALF:
        clause = Message(
            "decodes what it has read, or waits for that, {share} of the time, {rate} per core",
            share=percent_text(run.decoding_share or 0.0),
            rate=rate,
        )
    else:
        return None
    return Bottleneck(
        "decode",
        Message("decoding"),
        clause,
        (
            Evidence(Message("decoding"), duration_text(run.decode_ns)),
            Evidence(Message("decoders"), f"{decoders(run)}"),
            *waited_evidence(run),
        ),
        # Others that keep the processors busy make what was read wait as well.
        "high" if share >= DECODERS_BUSY_SHARE else "medium",
        Message("Use a type that decodes faster, or one that needs no decoding."),
    )


def no_free_processor(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Readers mostly wait for a processor, and the load itself has few of them."""
    del limits
    queued, waited, used_ns = run.run_queue_share, waiting_share(run), cpu_ns(run)
    load_ns = run.wall_ns - run.warmup_ns
    if queued is None or waited is None or used_ns is None or not run.cpu_count or load_ns <= 0:
        return None
    used = min(1.0, used_ns / (load_ns * run.cpu_count))
    # Readers that take most of the processors wait for one another.
    if queued <= max(waited, 1 - waited - queued) or used >= HALF:
        return None
    return Bottleneck(
        "busy-processors",
        Message("busy processors"),
        Message(
            "waits {queued} of the time for a free processor, using {used} of all",
            queued=percent_text(queued),
            used=percent_text(used),
        ),
        (
            Evidence(Message("waiting for a processor"), percent_text(queued)),
            Evidence(Message("CPU time"), duration_text(used_ns)),
            Evidence(Message("processors"), f"{run.cpu_count}"),
            *waited_evidence(run),
        ),
        "high",
        Message(
            "Close programs that keep the processors busy, or raise the container's CPU limit."
        ),
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
        Message("per-tensor overhead"),
        Message(
            "spends {each} µs on each of {tensors} tensors",
            each=f"{each_ns / 1000:.0f}",
            tensors=f"{run.tensors:,}",
        ),
        (
            Evidence(Message("tensors"), f"{run.tensors:,}"),
            Evidence(Message("mean size"), size_text(mean_bytes)),
            Evidence(Message("in the library"), percent_text(1 - kernel)),
            *waited_evidence(run),
        ),
        "high",
        Message("Read the file in large pieces and take the tensors as views of them."),
    )


def page_cache(run: RunResult, limits: Limits) -> Bottleneck | None:
    """Nothing came from the device, and the load is as fast as memory."""
    if not served_from_cache(run):
        return None
    best = limits.memory_bytes_per_s
    enough = MEMORY_RATE_SHARE * best if best else FASTER_THAN_DRIVES_BYTES_PER_S
    if run.bytes_per_s < max(enough, AS_FAST_SHARE * (limits.seen_cache_bytes_per_s or 0.0)):
        return None
    return Bottleneck(
        "page-cache",
        Message("page cache"),
        Message(
            "gets its bytes from memory at {bytes_rate}: nothing to gain",
            bytes_rate=rate_text(run.bytes_per_s),
        ),
        (
            Evidence(Message("loaded"), rate_text(run.bytes_per_s)),
            *_fetched(run),
            *figure(Message("memory copies"), best or None, rate_text),
        ),
        "high" if best else "medium",
    )


def faults(run: RunResult, limits: Limits) -> Bottleneck | None:
    """The loaders are busy in the kernel: with page faults, or with copies and fresh memory."""
    del limits
    kernel = kernel_share(run)
    cores = (run.cpu_system_ns or 0) / run.wall_ns if run.wall_ns else 0.0
    if not _busy(run) or kernel is None or kernel < HALF or cores < HALF or is_hardly_seen(run):
        return None
    taken = (run.minor_faults or 0) + (run.major_faults or 0)
    per_mb = taken / (run.load_bytes / 1e6) if run.load_bytes else 0.0
    many = per_mb >= MANY_FAULTS_PER_MB
    share = percent_text(cores)
    clause = Message("is busy in the kernel ({cores} of a core)", cores=share)
    counted: tuple[Evidence, ...] = ()
    if run.minor_faults is not None:
        work = Message("page faults") if many else Message("copies")
        clause = Message(
            "is busy in the kernel with {work} ({cores} of a core)", work=work, cores=share
        )
        counted = (
            Evidence(Message("faults"), f"{taken:,}"),
            Evidence(Message("faults per MB"), f"{per_mb:.1f}"),
        )
    return Bottleneck(
        "faults",
        Message("page faults") if many else Message("kernel CPU"),
        clause,
        (
            Evidence(Message("system CPU"), duration_text(run.cpu_system_ns or 0)),
            Evidence(Message("of the CPU time"), percent_text(kernel)),
            *counted,
            *waited_evidence(run),
        ),
        "high" if many else "medium" if counted else "low",
        (_PROGRAMS_FAULTS if many else _PROGRAMS_COPIES)
        if run.is_program
        else _less_kernel_work(run.config, many=many),
    )


def _less_kernel_work(config: LoadConfig, *, many: bool) -> Message:
    if (config.access, config.deliver) == ("auto", "usable"):
        return _MORE_READERS
    if many:
        return _LESS_FAULTS
    return _LESS_COPIES_IN_PASSING if config.memory_kind == "streamed" else _LESS_COPIES


def out_of_cache(run: RunResult, limits: Limits) -> Bottleneck | None:
    """All came from the page cache, at whatever rate; no figure tells what the rest is."""
    del limits
    if not served_from_cache(run):
        return None
    seen = run.bytes_per_s > 0
    return Bottleneck(
        "page-cache",
        Message("page cache"),
        Message(
            "gets its bytes from memory at {bytes_rate}; a faster disk won't help",
            bytes_rate=rate_text(run.bytes_per_s),
        )
        if seen
        else Message("takes the model from memory; a faster disk won't help"),
        (
            *figure(Message("loaded"), run.bytes_per_s if seen else None, rate_text),
            *_fetched(run),
            *(() if run.is_program else (Evidence(Message("readers"), f"{readers(run)}"),)),
        ),
        "medium",
        _PROGRAMS_COPIES
        if run.is_program
        else _LIBRARYS_COPIES
        if run.config.library != NO_LIBRARY
        else _MORE_READERS,
    )


def _fetched(run: RunResult) -> tuple[Evidence, ...]:
    return figure(Message("from storage"), run.device_bytes, size_text)

"""What held a load back: the largest term of its time, in words and figures.

Of a watched program also what its whole wait consists of, and what it did in each part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.explain.advice import advice_of
from modelmon.core.explain.evidence import (
    HALF,
    WAITS_FOR_STORAGE,
    Bottleneck,
    Evidence,
    busy_share,
    cpu_ns,
    decoders,
    device_rate,
    fetched_factor,
    figure,
    memory_clause,
    memory_evidence,
    of_reading,
    served_from_cache,
    storage_name,
    waiting_share,
)
from modelmon.core.explain.terms import (
    faults,
    has_many_faults,
    storage_cause,
    terms_of,
)
from modelmon.core.messages import NOTHING, Message, filled, joined
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    request_text,
    size_text,
    three_figures,
    two_figures,
)
from modelmon.core.worker.result import middle_run
from modelmon.core.worker.wait_parts import (
    AFTER,
    BEFORE,
    READING,
    UNSEEN,
    WaitPart,
    parts_between,
    quoted,
)
from modelmon.core.worker.watched import WHOLE_SHARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.explain.evidence import BottleneckKind
    from modelmon.core.explain.prediction import Term
    from modelmon.core.worker.result import RunResult

WaitsFor = Literal["processor", "storage", "lock", "network", ""]

NAMED_SHARE = 0.4
"""What takes less of the time is not what a load is held back by."""
_MENTIONED_SHARE = 0.1

_MINOR_SHARE = 0.25
"""Reading that takes no more of a program's wait is not what a person waits for."""
_SEEN_NS = 100_000_000
"""The kernel counts processor time in ticks of 10 ms, and samples are 50 ms apart."""
_NOTEWORTHY_SHARE = 0.05
_CONTENDED_SHARE = 0.1
"""Less is usual where processes run by turns."""
_ONE_CORE = (0.9, 1.1)
_NOTEWORTHY_BYTES = 32 << 20

# What isn't waiting for storage: its name, the clause about the load, and what it spends time on.
_WORDS: dict[str, tuple[Message, Message, Message]] = {
    "decode": (
        Message("decoding"),
        Message("decodes {share} of the time, {rate} per core"),
        Message("decoding"),
    ),
    "busy-processors": (
        Message("busy processors"),
        Message("waits {queued} of the time for a free processor, using {used} of all"),
        Message("waiting for a free processor"),
    ),
    "faults": (
        Message("page faults"),
        Message("spends {share} of the time on {faults} page faults, {each} each"),
        Message("on page faults"),
    ),
    "kernel": (
        Message("kernel CPU"),
        Message("is busy in the kernel {share} of the time, mapping pages or preparing memory"),
        NOTHING,
    ),
    "page-cache": (
        Message("copies"),
        Message("copies out of the page cache {share} of the time"),
        Message("copying cached bytes"),
    ),
    "cached": (
        Message("page cache"),
        Message("gets its bytes from memory at {bytes_rate}; a faster disk won't help"),
        NOTHING,
    ),
    "cached, no rate": (
        Message("page cache"),
        Message("takes the model from memory; a faster disk won't help"),
        NOTHING,
    ),
    "per-tensor": (
        Message("per-tensor overhead"),
        Message("spends {share} of the time on {tensors} tensors, {each} each"),
        Message("on overhead for each tensor"),
    ),
    "computing": (
        Message("computing"),
        Message("spends {share} of the time in {who}'s own code"),
        Message("in its own code"),
    ),
    "memory": (Message("memory"), NOTHING, Message("waiting for memory")),
}


def bottleneck_of(
    run: RunResult, limits: Limits = UNKNOWN_LIMITS, others: Iterable[RunResult] = ()
) -> Bottleneck:
    """What held this load back, and what is faster: by the `limits` of a probe, and by `others`,
    loads of the same model here. A watched program is judged by the time in which it read the
    model.
    """
    if (outside := _outside_reading(run)) is not None:
        return outside
    reading, terms = of_reading(run), terms_of(run, limits)
    known = [term for term in terms if term.kind != "undecided"]
    kind: BottleneckKind = "undecided"
    if not terms and served_from_cache(run):
        # It took no time that a look could see.
        kind, words = "page-cache", _words("page-cache", reading, 0.0, limits)
    elif known and known[0].ns >= NAMED_SHARE * reading.wall_ns:
        kind = known[0].kind
        words = _words(kind, reading, known[0].ns / reading.wall_ns, limits)
    else:
        clause = _two_largest(reading, known)
        words = Bottleneck(kind, Message("no clear bottleneck"), clause, ())
    remedy, saves_share = advice_of(run, kind, limits, others)
    return msgspec.structs.replace(
        words,
        evidence=_evidence(kind, reading, limits),
        remedy=remedy,
        saves_share=saves_share,
    )


def typical_bottleneck(
    runs: Sequence[RunResult], limits: Limits = UNKNOWN_LIMITS, others: Iterable[RunResult] = ()
) -> Bottleneck | None:
    """That of the run in the middle of those that count, by time; None if none does."""
    middle = middle_run(run for run in runs if run.counts)
    return bottleneck_of(middle, limits, others) if middle is not None else None


def _words(kind: BottleneckKind, run: RunResult, share: float, limits: Limits) -> Bottleneck:
    """What is said of a load that spends such a share of its time on this."""
    if kind in WAITS_FOR_STORAGE or kind == "memory":
        cause = storage_cause(run, limits)
        if cause.kind == kind:
            return cause
        label = _WORDS["memory"][0]
        return Bottleneck(kind, label, memory_clause(run, share), ())
    faulted = faults(run)
    used_ns = (run.cpu_user_ns if kind == "per-tensor" else run.cpu_system_ns) or 0
    each_ns = used_ns / (run.tensors if kind == "per-tensor" else faulted or 1)
    words: str = kind
    if kind == "faults" and not has_many_faults(run):
        words = "kernel"
    elif kind == "page-cache" and served_from_cache(run):
        words = "cached" if run.bytes_per_s else "cached, no rate"
    label, clause, _ = _WORDS[words]
    clause = filled(
        clause,
        share=percent_text(share),
        queued=percent_text(share),
        rate=rate_text(run.load_bytes * 1e9 / (run.decode_ns or 1)),
        used=percent_text(_used_share(run)),
        faults=f"{faulted:,}",
        each=f"{three_figures(each_ns / 1000)} µs",
        bytes_rate=rate_text(run.bytes_per_s),
        tensors=f"{run.tensors:,}",
        who=Message("the program") if run.is_program else Message("the library"),
    )
    return Bottleneck(kind, label, clause, ())


def _used_share(run: RunResult) -> float:
    """Of all processors while it loads."""
    all_ns = (run.wall_ns - run.warmup_ns) * run.cpu_count
    return (cpu_ns(run) or 0) / all_ns if all_ns > 0 else 0.0


def _two_largest(run: RunResult, known: Sequence[Term]) -> Message:
    """What most of the time went to where no single thing held the load back."""
    parts = [
        Message(
            "{share} {what}", share=percent_text(term.ns / run.wall_ns), what=_goes(term.kind, run)
        )
        for term in known[:2]
        if term.ns >= _MENTIONED_SHARE * run.wall_ns
    ]
    if not parts:
        wall = duration_text(run.wall_ns)
        return Message("took {wall}; the figures don't show why", wall=wall)
    if len(parts) == 1:
        return Message("spends {part}; the rest is unknown", part=parts[0])
    return Message("spends {first} and {second}", first=parts[0], second=parts[1])


def _goes(kind: BottleneckKind, run: RunResult) -> Message:
    """What time of this kind is spent on, after "spends 30%"."""
    if kind in WAITS_FOR_STORAGE:
        return Message("waiting for {storage_name}", storage_name=storage_name(run))
    return _WORDS[kind][2]


def _evidence(kind: BottleneckKind, run: RunResult, limits: Limits) -> tuple[Evidence, ...]:
    """The figures that speak for it."""
    if kind == "memory":
        return memory_evidence(run)
    if kind in WAITS_FOR_STORAGE:
        return (*_of_readers(run), *_of_storage(run, limits))
    taken = faults(run)
    many = taken if run.minor_faults is not None and kind in ("faults", "page-cache") else None
    seen = limits.seen_cache_bytes_per_s if kind == "page-cache" else None
    return (
        *_of_readers(run),
        *figure(Message("from storage"), run.device_bytes, size_text),
        *figure(Message("user CPU"), run.cpu_user_ns, duration_text),
        *figure(Message("system CPU"), run.cpu_system_ns, duration_text),
        *figure(Message("faults"), many, "{:,}".format),
        *figure(Message("decoding"), run.decode_ns, duration_text),
        *figure(Message("decoders"), decoders(run) if run.decode_ns else None, str),
        *figure(Message("tensors"), run.tensors if kind == "per-tensor" else None, "{:,}".format),
        *figure(Message("best rate seen here"), seen, rate_text),
        *(_of_storage(run, limits)[1:] if kind == "undecided" else ()),
    )


def _of_readers(run: RunResult) -> tuple[Evidence, ...]:
    return (
        *figure(Message("I/O wait"), waiting_share(run), percent_text),
        *figure(Message("waiting for a processor"), run.run_queue_share or None, percent_text),
    )


def _of_storage(run: RunResult, limits: Limits) -> tuple[Evidence, ...]:
    """How fast it was, how it was asked, and what it can do."""
    rate, best = device_rate(run) or 0.0, limits.device_bytes_per_s or None
    seen = None if best else limits.seen_device_bytes_per_s
    device, factor = run.device, fetched_factor(run) or 0.0
    asked, late_ns = (device.mean_request_bytes, device.read_await_ns) if device else (None, None)
    return (
        *figure(Message("from storage"), rate, rate_text),
        *figure(Message("read"), factor if factor > 1.005 else None, "{:.2f}×".format),
        *figure(Message("major faults"), run.major_faults or None, "{:,}".format),
        *figure(Message("mean request"), asked, request_text),
        *figure(Message("latency"), late_ns, duration_text),
        *figure(Message("disk busy"), busy_share(run), percent_text),
        *figure(Message("storage limit"), best, rate_text),
        *figure(Message("of the limit"), rate / best if best else None, percent_text),
        *figure(Message("best rate seen here"), seen, rate_text),
        *figure(Message("of the best"), rate / seen if seen else None, percent_text),
        *figure(Message("one random read"), limits.latency_ns, duration_text),
    )


def parts_of(run: RunResult) -> tuple[WaitPart, ...]:
    """The parts of its wait; those of results of earlier versions have no figures."""
    return run.parts or parts_between(run.first_byte_ns, run.last_byte_ns, run.wall_ns)


def share_of(part: WaitPart, run: RunResult) -> float:
    """The part's share of the wait."""
    return part.duration_ns / max(1, run.wall_ns)


def reading_share(run: RunResult) -> float:
    """Reading's share of the wait, 0 where it wasn't seen."""
    return sum(share_of(part, run) for part in parts_of(run) if part.name == READING)


def reads_briefly(run: RunResult) -> bool:
    """Whether reading is known to take little of the wait: it was seen, or all was in memory."""
    is_known = run.first_byte_ns is not None or was_in_memory(run)
    return is_known and reading_share(run) <= _MINOR_SHARE


def was_in_memory(run: RunResult) -> bool:
    """Whether all of the model was cached before."""
    return (run.residency_before_share or 0.0) >= WHOLE_SHARE


def largest_part(run: RunResult) -> WaitPart:
    """What the program takes most of its time for; of equal parts reading."""
    return max(parts_of(run), key=lambda part: (part.duration_ns, part.name == READING))


def waits_for(part: WaitPart) -> WaitsFor:
    """What most of a part is spent waiting for, also where the model isn't read."""
    waits: dict[WaitsFor, int | None] = {
        "processor": part.queued_ns,
        "storage": part.waited_ns,
        "lock": part.lock_ns,
        "network": part.network_ns,
    }
    half_ns = HALF * part.duration_ns
    return next((what for what, ns in waits.items() if (ns or 0) >= half_ns > 0), "")


def did_text(part: WaitPart) -> Message:
    """What the program did in a part: `one core busy, mostly in the kernel; fills 1.07 GB of new
    memory`. Empty where that wasn't seen.
    """
    if part.duration_ns < _SEEN_NS:
        return NOTHING
    did = [*_processors(part), *_memory(part), *_waits(part), *_began(part)]
    if part.until:
        did.append(Message("until “{line}”", line=quoted(part.until)))
    return joined(did, "; ")


def _processors(part: WaitPart) -> Iterator[Message]:
    if part.cpu_user_ns is None or part.cpu_system_ns is None:
        return
    used_ns = part.cpu_user_ns + part.cpu_system_ns
    cores = used_ns / part.duration_ns
    low, high = _ONE_CORE
    if cores < _NOTEWORTHY_SHARE:
        if not any(_waits(part)):
            yield Message("idle: waits for a timer, another process or a device")
        return
    busy = (
        Message("{cores} cores busy", cores=two_figures(cores))
        if cores > high
        else Message("one core busy")
        if cores >= low
        else Message("{share} of a core busy", share=percent_text(cores))
    )
    in_kernel = part.cpu_system_ns >= HALF * used_ns
    yield Message("{busy}, mostly in the kernel", busy=busy) if in_kernel else busy


def _memory(part: WaitPart) -> Iterator[Message]:
    if (part.grown_bytes or 0) >= _NOTEWORTHY_BYTES:
        yield Message("fills {size} of new memory", size=size_text(part.grown_bytes or 0))


def _waits(part: WaitPart) -> Iterator[Message]:
    """For a processor, for storage, and for others."""
    times_ns = (part.queued_ns, part.waited_ns, part.lock_ns, part.network_ns)
    queued, waited, locked, remote = (min(1.0, (each or 0) / part.duration_ns) for each in times_ns)
    if queued >= _CONTENDED_SHARE:
        yield Message("waits for a free processor {share} of the time", share=percent_text(queued))
    if waited >= _NOTEWORTHY_SHARE:
        yield Message("waits for storage {share} of the time", share=percent_text(waited))
    if locked >= _NOTEWORTHY_SHARE:
        yield Message(
            "waits for the lock of a file {share} of the time", share=percent_text(locked)
        )
    if remote >= _NOTEWORTHY_SHARE:
        yield Message("waits for the network {share} of the time", share=percent_text(remote))
    if part.name != READING and (part.device_bytes or 0) >= _NOTEWORTHY_BYTES:
        yield Message("reads {size} from storage", size=size_text(part.device_bytes or 0))


def _began(part: WaitPart) -> Iterator[Message]:
    """Processes, but for a single one as a shell starts it, and connections."""
    if (part.processes or 0) > 1:
        yield Message("starts at least {count} processes", count=part.processes)
    if part.connections == 1:
        yield Message("connects to another machine")
    elif part.connections:
        yield Message("connects to other machines {count} times", count=part.connections)


def _outside_reading(run: RunResult) -> Bottleneck | None:
    """What a program is held back by where most of its wait isn't reading the model; None where it
    is, where that wasn't seen, and where the reading alone is compared.
    """
    part = largest_part(run)
    if run.timed == "reading" or part.name in (READING, UNSEEN):
        return None
    share = percent_text(share_of(part, run))
    clause = Message("spends {share} of the wait {phase}", share=share, phase=part.title)
    if reads_briefly(run) and part.name in (BEFORE, AFTER):
        clause = Message("{clause}: load settings hardly change that", clause=clause)
    return Bottleneck("outside-reading", part.title, clause, tuple(_wait_evidence(part, run)))


def _wait_evidence(part: WaitPart, run: RunResult) -> Iterator[Evidence]:
    yield Evidence(Message("time"), duration_text(part.duration_ns))
    yield from figure(Message("reading"), reading_share(run) or None, percent_text)
    yield from figure(Message("user CPU"), part.cpu_user_ns, duration_text)
    yield from figure(Message("system CPU"), part.cpu_system_ns, duration_text)
    yield from figure(Message("waiting for a processor"), part.queued_ns or None, duration_text)
    yield from figure(Message("minor faults"), part.minor_faults, "{:,}".format)
    yield from figure(Message("major faults"), part.major_faults, "{:,}".format)

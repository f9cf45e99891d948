"""What the side panel says of a model, its storage and memory: rows of facts, no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.doctor.sections import age_text, device_rows, read_rows, storage_rows
from modelmon.core.explain.expected import fastest_ns, fastest_text
from modelmon.core.machine.cached_pages import why_unknown
from modelmon.core.model.tensors import dtype_bytes
from modelmon.core.probe.probe import class_text
from modelmon.core.remote import SCHEME
from modelmon.core.units import (
    duration_text,
    percent_text,
    rate_text,
    request_text,
    size_text,
    three_figures,
    wait_text,
)
from modelmon.gui.language import mark, said, tr
from modelmon.gui.model.machine_details import Fact
from modelmon.gui.session.machine import disk_kind
from modelmon.gui.session.run_words import part_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.doctor.sections import Row
    from modelmon.core.machine.file_state import FileState
    from modelmon.core.machine.memory import Memory
    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.probe import Probe
    from modelmon.core.worker.events import Cache

_READAHEAD = mark(
    "How far the kernel reads ahead of buffered reads in order. More helps mmap and single readers."
)
_HEADROOM = 1.5
"""Rule of thumb: a load goes well where this many times the model fits into memory."""
_USES = {"open": mark("open"), "mapped": mark("mapped")}
_COUNTS = (
    (10**12, mark("{count} trillion")),
    (10**9, mark("{count} billion")),
    (10**6, mark("{count} million")),
)
_STARTS: tuple[tuple[str, Cache], ...] = (
    (mark("Best cold start"), "cold"),
    (mark("Best warm start"), "warm"),
)


def block_text(model: Model, name: str) -> str:
    """What a block holds: `9 tensors, 436 MB, BF16`; empty for a name it does not have."""
    block = next((block for block in model.blocks if block.name == name), None)
    if block is None:
        return ""
    kinds = dtype_bytes(model.tensors[index] for index in block.tensors)
    size, types = size_text(block.nbytes), ", ".join(kinds)
    if len(block.tensors) == 1:
        return tr("1 tensor, {size}, {types}", size=size, types=types)
    count = f"{len(block.tensors):,}"
    return tr("{count} tensors, {size}, {types}", count=count, size=size, types=types)


def model_facts(inspection: Inspection) -> list[Fact]:
    """Its server, format, size, parameters and number of tensors."""
    model, server = inspection.model, inspection.server
    types = model.dtype_bytes()
    total = max(model.nbytes, 1)
    main = next(iter(types.items()), None)
    what = f"{model.format}, {main[0]}" if main else model.format
    if main and len(types) > 1:
        what = f"{what} {percent_text(main[1] / total)}"
    all_types = ", ".join(f"{name} {percent_text(n / total)}" for name, n in types.items())
    shards, size = len(model.shards), size_text(model.nbytes)
    tensors, blocks = f"{len(model.tensors):,}", f"{len(model.blocks):,}"
    parameters = inspection.parameters
    counted = []
    if parameters is not None:
        exact = tr("{count} values, from the tensors' shapes", count=f"{parameters:,}")
        counted = [Fact(tr("Parameters"), _count_text(parameters), exact)]
    return [
        *([Fact(tr("Server"), server.removeprefix(SCHEME), server)] if server else []),
        Fact(tr("Format"), what, all_types),
        Fact(
            tr("Size"),
            tr("{size} in 1 file", size=size)
            if shards == 1
            else tr("{size} in {count} shards", size=size, count=shards),
            tr("{count} bytes of tensors", count=f"{model.nbytes:,}"),
        ),
        *counted,
        Fact(
            tr("Tensors"),
            tr("{count} in {blocks} blocks", count=tensors, blocks=blocks),
            tr("Arrays in the files. A block is a layer of the model, or what is outside them."),
        ),
        *(Fact(tr("Note"), said(note), said(note)) for note in model.notes),
    ]


def storage_facts(
    inspection: Inspection, found: Diagnosis | None = None, *, loading: bool = False
) -> list[Fact]:
    """The disk, the mount and what is set there, what is cached, or was before what is `loading`,
    who uses it. Until the doctor has `found` more: what was seen at the opening.
    """
    storage = found.storage if found else inspection.storage
    mounts = found.storage_stack.mounts if found else ()
    lowest = found.storage_stack.lowest if found else None
    about = storage.device_model or storage.source
    if found:
        about = _told([*storage_rows(found), *device_rows(found)])
    name = storage.device or storage.source
    disk = tr("{disk}, {kind}", disk=name, kind=disk_kind(storage))
    where, *below = [mount.filesystem for mount in mounts] or [storage.filesystem]
    for filesystem in below:
        where = tr("{upper} over {lower}", upper=where, lower=filesystem)
    tip = [f"{storage.source} ({storage.options})"]
    if storage.free_bytes is not None:
        tip.append(tr("{size} free", size=size_text(storage.free_bytes)))
    facts = [
        Fact(tr("Disk"), disk, about),
        Fact(
            tr("Mount"),
            tr("{upper} on {lower}", upper=where, lower=storage.mount_point),
            "\n".join(tip),
        ),
    ]
    readahead = lowest.readahead_bytes if lowest is not None else storage.readahead_bytes
    if readahead is not None:
        facts.append(Fact(tr("Readahead"), request_text(readahead), tr(_READAHEAD)))
    if options := [option for mount in mounts for option in mount.options]:
        meanings = "\n".join(f"{option.option}: {said(option.meaning)}" for option in options)
        facts.append(Fact(tr("Options"), ", ".join(option.option for option in options), meanings))
    users = inspection.users
    if found is not None:
        users = found.file.users if found.file is not None else ()
        facts += [_cached(found.file, loading=loading)] if found.file is not None else []
    else:
        share = tr("unknown")
        if inspection.cached_share is not None:
            share = tr("{share} when opened", share=percent_text(inspection.cached_share))
        facts.append(Fact(tr("Cached"), share, said(inspection.cached_source)))
    if users:
        text = ", ".join(f"{user.name} ({user.pid}, {tr(_USES[user.how])})" for user in users)
        facts.append(Fact(tr("In use by"), text, text, "warn"))
    return facts


def memory_facts(memory: Memory, model: Model | None, found: Diagnosis | None = None) -> list[Fact]:
    """Available memory, whether the model fits, swap and the cgroup's limit; and what the doctor
    has `found`: that there is no limit, and huge pages.
    """
    facts = [
        Fact(
            tr("Available"),
            part_text(memory.available_bytes, memory.total_bytes),
            tr("Memory that programs can take without swapping, of all RAM, by the kernel"),
        ),
        *([_fit(model, memory)] if model else []),
        Fact(
            tr("Swap"),
            tr("{part} used", part=part_text(memory.swap_used_bytes, memory.swap_total_bytes))
            if memory.swap_total_bytes
            else tr("none"),
            tr("Memory moved to disk. Loads that swap are slow, so less is better."),
        ),
    ]
    if memory.cgroup_limit_bytes is not None:
        used, limit = memory.cgroup_used_bytes, memory.cgroup_limit_bytes
        part = size_text(limit)
        if used is not None:
            part = tr("{part} used", part=part_text(used, limit))
        facts.append(Fact("cgroup", part, tr("Limit of this cgroup")))
    return facts + (_more_memory_facts(found) if found is not None else [])


def probe_facts(probe: Probe, model: Model) -> list[Fact]:
    """Class and rate, latency and best possible times, as rows of the side panel."""
    age = tr("Disk measurement, {age}", age=age_text(probe))
    kind = class_text(probe.storage_class)
    fastest, latency = probe.storage.best_reads, probe.storage.latency
    measured = (
        tr("{rate}, {kind}", rate=rate_text(fastest.bytes_per_s), kind=kind)
        if fastest is not None
        else said(kind)
    )
    about = "\n".join((said(probe.class_evidence), _told(read_rows(probe.storage)), age))
    facts = [Fact(tr("Top speed"), measured, about)]
    if latency is not None:
        waits = wait_text(latency.p50_ns)
        if latency.p99_ns is not None:
            waits = tr("{median}, p99 {p99}", median=waits, p99=wait_text(latency.p99_ns))
        of = tr(
            "Median of {count} random reads of {size}, one at a time",
            count=f"{latency.samples:,}",
            size=request_text(latency.request_bytes),
        )
        facts.append(Fact(tr("Latency"), waits, of))
    words = fastest_text(model, probe)
    tip = tr("Predicted from the disk measurement: {best}.", best=words)
    if probe.storage.met_others:
        tip = tr(
            "Other programs used the disk during the measurement: {best}, perhaps less.", best=words
        )
    for name, cache in _STARTS:
        if (ns := fastest_ns(model, probe, cache)) is not None:
            facts.append(Fact(tr(name), tr("{time} (predicted)", time=duration_text(ns)), tip))
    return facts


def _more_memory_facts(found: Diagnosis) -> list[Fact]:
    facts = []
    if found.cgroup_version is not None and found.memory.cgroup_limit_bytes is None:
        facts.append(
            Fact("cgroup", tr("no limit"), tr("Version {number}", number=found.cgroup_version))
        )
    if found.huge_pages is not None:
        told = tr("When private memory gets huge pages. With never, loads have more page faults.")
        facts.append(Fact(tr("Huge pages"), found.huge_pages, told))
    return facts


def _fit(model: Model, memory: Memory) -> Fact:
    wanted = int(model.nbytes * _HEADROOM)
    size = size_text(wanted)
    rule = tr("Rule of thumb: keep 1.5× the model's size free.")
    available = tr("{size} available", size=size_text(memory.usable_bytes))
    tip = f"{rule}\n{available}"
    if wanted <= memory.usable_bytes:
        return Fact(tr("Needed (1.5×)"), tr("{size}, fits", size=size), tip, "good")
    if model.nbytes <= memory.usable_bytes:
        return Fact(tr("Needed (1.5×)"), tr("{size}, tight", size=size), tip, "warn")
    return Fact(tr("Model"), tr("{size}, doesn't fit", size=size_text(model.nbytes)), tip, "bad")


def _cached(file: FileState, *, loading: bool) -> Fact:
    if file.cached_share is None:
        return Fact(tr("Cached"), tr("unknown"), said(why_unknown(file.cached_source)))
    tip = [tr("Share of the file in the page cache, from {source}", source=file.cached_source)]
    if file.opening_may_drop_cache:
        tip.append(tr("Opening the file to check may have dropped more from the cache."))
    share = percent_text(file.cached_share)
    share = (
        tr("{share} before measuring", share=share) if loading else tr("{share} now", share=share)
    )
    return Fact(tr("Cached"), share, "\n".join(tip))


def _told(rows: Iterable[Row]) -> str:
    """Rows of the doctor as lines of a tool tip."""
    lines = (tr("{name}: {what}", name=said(name), what=said(text)) for name, text in rows if text)
    return "\n".join(lines)


def _count_text(count: int) -> str:
    for size, text in _COUNTS:
        if count >= size:
            return tr(text, count=three_figures(count / size))
    return f"{count:,}"

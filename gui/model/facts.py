"""What the side panel says of a model, its storage and memory. Pure text, no widgets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from modelmon.core.model.tensors import dtype_bytes
from modelmon.core.remote import SCHEME
from modelmon.core.units import percent_text, request_text, size_text, three_figures
from modelmon.gui.language import mark, said, tr
from modelmon.gui.model.share_bar import BarSegment
from modelmon.gui.session.machine import disk_kind
from modelmon.gui.session.run_words import part_text
from modelmon.gui.widgets.fact_section import Fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.machine.file_users import FileUser
    from modelmon.core.machine.memory import Memory
    from modelmon.core.machine.storage import Storage
    from modelmon.core.model.tensors import Model

READAHEAD = mark(
    "How far the kernel reads ahead of buffered reads in order. More helps mmap and single readers."
)
_HEADROOM = 1.5
"""Rule of thumb: a load goes well where this many times the model fits into memory."""
_ATTENTION = re.compile("attn|attention")
_MLP = re.compile("mlp|ffn|feed_forward|experts")
_COMPOSED_OF = {"mlp": mark("MLP"), "attention": mark("Attention"), "rest": mark("Rest")}

_USES = {"open": mark("open"), "mapped": mark("mapped")}
_ROTATING = mark("The kernel reports a hard disk; for virtual disks that is often wrong.")
_NOT_ROTATING = mark("The kernel reports an SSD; for virtual disks that is often wrong.")
_COUNTS = (
    (10**12, mark("{count} trillion")),
    (10**9, mark("{count} billion")),
    (10**6, mark("{count} million")),
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
            tr("Arrays in the files. A block is a layer of the model, or what lies outside them."),
        ),
        *(Fact(tr("Note"), said(note), said(note)) for note in model.notes),
    ]


def composition(model: Model) -> list[BarSegment]:
    """MLP, attention and the rest, by bytes; empty where names tell nothing."""
    sums = dict.fromkeys(_COMPOSED_OF, 0)
    for tensor in model.tensors:
        name = tensor.name.lower()
        if _ATTENTION.search(name):
            sums["attention"] += tensor.nbytes
        elif _MLP.search(name):
            sums["mlp"] += tensor.nbytes
        else:
            sums["rest"] += tensor.nbytes
    total = sum(sums.values())
    if not total or sums["rest"] == total:
        return []
    return [
        BarSegment(tr(_COMPOSED_OF[kind]), nbytes / total)
        for kind, nbytes in sums.items()
        if nbytes
    ]


def storage_facts(inspection: Inspection) -> list[Fact]:
    """Device, mount, readahead, free space and how much of the file is cached."""
    storage = inspection.storage
    facts = [
        Fact(tr("Disk"), *_disk(storage)),
        Fact(
            tr("Mount"),
            on_text(storage.filesystem, storage.mount_point),
            f"{on_text(storage.source, storage.mount_point)} ({storage.options})",
        ),
    ]
    if storage.readahead_bytes is not None:
        facts.append(Fact(tr("Readahead"), request_text(storage.readahead_bytes), tr(READAHEAD)))
    if storage.free_bytes is not None:
        left = tr("Room left on the filesystem")
        facts.append(Fact(tr("Free"), size_text(storage.free_bytes), left))
    cached = inspection.cached_share
    facts.append(
        Fact(
            tr("Cached"),
            tr("unknown")
            if cached is None
            else tr("{share} when opened", share=percent_text(cached)),
            said(inspection.cached_source),
        )
    )
    return [*facts, *in_use(inspection.users)]


def in_use(users: Sequence[FileUser]) -> list[Fact]:
    """Who else has the file open or mapped; nothing where nobody is seen."""
    text = ", ".join(f"{user.name} ({user.pid}, {tr(_USES[user.how])})" for user in users)
    return [Fact(tr("In use by"), text, text, "warn")] if users else []


def memory_facts(memory: Memory, model: Model | None) -> list[Fact]:
    """Available memory, whether the model fits, swap and the cgroup's limit."""
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
    return facts


def memory_parts(memory: Memory, model: Model | None) -> list[BarSegment]:
    """In use, this model, free: shares of all RAM."""
    total = max(memory.total_bytes, 1)
    used = (memory.total_bytes - memory.available_bytes) / total
    if model is None:
        return [
            BarSegment(tr("In use"), used),
            BarSegment(tr("This model"), 0.0),
            BarSegment(tr("Free"), 1 - used),
        ]
    mine = min(model.nbytes / total, 1 - used)
    return [
        BarSegment(tr("In use"), used),
        BarSegment(tr("This model"), mine),
        BarSegment(tr("Free"), 1 - used - mine),
    ]


def _fit(model: Model, memory: Memory) -> Fact:
    wanted = int(model.nbytes * _HEADROOM)
    size = size_text(wanted)
    rule = tr("A load goes well where 1.5 times the model fits in memory (rule of thumb).")
    available = tr("{size} available", size=size_text(memory.usable_bytes))
    tip = f"{rule}\n{available}"
    if wanted <= memory.usable_bytes:
        return Fact(tr("Needed (1.5×)"), tr("{size}, fits", size=size), tip, "good")
    if model.nbytes <= memory.usable_bytes:
        return Fact(tr("Needed (1.5×)"), tr("{size}, tight", size=size), tip, "warn")
    return Fact(tr("Model"), tr("{size}, doesn't fit", size=size_text(model.nbytes)), tip, "bad")


def on_text(upper: str, lower: str) -> str:
    """What stands on what: `ext4 on /home`, `LUKS on nvme0n1p2`."""
    return tr("{upper} on {lower}", upper=upper, lower=lower)


def _disk(storage: Storage) -> tuple[str, str]:
    name = storage.device or storage.source
    tip = [tr("What the file lies on, by the kernel"), storage.device_model]
    if storage.rotational_reported is not None:
        tip.append(tr(_ROTATING if storage.rotational_reported else _NOT_ROTATING))
    return tr("{disk}, {kind}", disk=name, kind=disk_kind(storage)), "\n".join(filter(None, tip))


def _count_text(count: int) -> str:
    for size, text in _COUNTS:
        if count >= size:
            return tr(text, count=three_figures(count / size))
    return f"{count:,}"

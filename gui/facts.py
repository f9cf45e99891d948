"""What the side panel says of a model, its storage and memory. Pure text, no widgets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.units import percent_text, request_text, size_text, three_figures
from modelmon.gui.narration import part_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.preflight import Preflight
    from modelmon.core.machine.memory import Memory
    from modelmon.core.machine.storage import Storage
    from modelmon.core.machine.users import FileUser
    from modelmon.core.model.tensors import Model
    from modelmon.gui.slot import Tone

_HEADROOM = 1.5
"""Rule of thumb: a load goes well where this many times the model fits into memory."""
_ATTENTION = re.compile("attn|attention")
_MLP = re.compile("mlp|ffn|feed_forward|experts")
_KINDS = {
    "local-disk": "local disk",
    "network": "network",
    "fuse": "FUSE",
    "memory": "in memory",
    "unknown": "unknown kind",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One row: what it is, its value, and the whole story as a tool tip."""

    name: str
    value: str
    tool_tip: str = ""
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a composition bar; `share` is 0 to 1."""

    name: str
    share: float


def block_text(model: Model, name: str) -> str:
    """What a block holds: `9 tensors, 436 MB, BF16`; empty for a name it does not have."""
    block = next((block for block in model.blocks if block.name == name), None)
    if block is None:
        return ""
    sums: dict[str, int] = {}
    for index in block.tensors:
        tensor = model.tensors[index]
        sums[tensor.dtype] = sums.get(tensor.dtype, 0) + tensor.nbytes
    kinds = sorted(sums, key=lambda kind: -sums[kind])
    count = "1 tensor" if len(block.tensors) == 1 else f"{len(block.tensors):,} tensors"
    return f"{count}, {size_text(block.nbytes)}, {', '.join(kinds)}"


def model_facts(model: Model) -> list[Fact]:
    """Format, size, parameters and number of tensors."""
    types = model.dtype_bytes()
    total = max(model.nbytes, 1)
    main = next(iter(types.items()), None)
    what = f"{model.format}, {main[0]} {percent_text(main[1] / total)}" if main else model.format
    all_types = ", ".join(f"{name} {percent_text(n / total)}" for name, n in types.items())
    shards = len(model.shards)
    return [
        Fact("Format", what, all_types),
        Fact(
            "Size",
            f"{size_text(model.nbytes)} in {shards} {'file' if shards == 1 else 'shards'}",
            f"{model.nbytes:,} bytes of tensors",
        ),
        Fact(
            "Parameters",
            _count_text(model.parameter_count),
            f"{model.parameter_count:,} values by the tensors' shapes",
        ),
        Fact("Tensors", f"{len(model.tensors):,} in {len(model.blocks):,} blocks"),
    ]


def composition(model: Model) -> list[Part]:
    """MLP, attention and the rest, by bytes; empty where names tell nothing."""
    sums = {"MLP": 0, "Attention": 0, "Rest": 0}
    for tensor in model.tensors:
        name = tensor.name.lower()
        if _ATTENTION.search(name):
            sums["Attention"] += tensor.nbytes
        elif _MLP.search(name):
            sums["MLP"] += tensor.nbytes
        else:
            sums["Rest"] += tensor.nbytes
    total = sum(sums.values())
    if not total or sums["Rest"] == total:
        return []
    return [Part(name, nbytes / total) for name, nbytes in sums.items() if nbytes]


def storage_facts(preflight: Preflight) -> list[Fact]:
    """Device, mount, readahead, free space and how much of the file is cached."""
    storage = preflight.storage
    facts = [
        Fact("Disk", *_disk(storage)),
        Fact(
            "Mount",
            f"{storage.filesystem} on {storage.mount_point}",
            f"{storage.source} on {storage.mount_point} ({storage.options})",
        ),
    ]
    if storage.readahead_bytes is not None:
        facts.append(Fact("Readahead", request_text(storage.readahead_bytes)))
    if storage.free_bytes is not None:
        facts.append(Fact("Free", size_text(storage.free_bytes)))
    cached = preflight.cached_share
    facts.append(
        Fact(
            "Cached",
            "not known here" if cached is None else f"{percent_text(cached)} when opened",
            preflight.cached_source,
        )
    )
    return [*facts, *in_use(preflight.users)]


def in_use(users: Sequence[FileUser]) -> list[Fact]:
    """Who else has the file open or mapped; nothing where nobody is seen."""
    text = ", ".join(f"{user.name} ({user.pid}, {user.how})" for user in users)
    return [Fact("In use by", text, text, "warn")] if users else []


def memory_facts(memory: Memory, model: Model | None) -> list[Fact]:
    """Available memory, whether the model fits, swap and the cgroup's limit."""
    facts = [
        Fact("Available", part_text(memory.available_bytes, memory.total_bytes)),
        *([_fit(model, memory)] if model else []),
        Fact(
            "Swap",
            f"{part_text(memory.swap_used_bytes, memory.swap_total_bytes)} used"
            if memory.swap_total_bytes
            else "none",
        ),
    ]
    if memory.cgroup_limit_bytes is not None:
        used, limit = memory.cgroup_used_bytes or 0, memory.cgroup_limit_bytes
        facts.append(Fact("cgroup", f"{part_text(used, limit)} used", "Limit of this cgroup"))
    return facts


def memory_parts(memory: Memory, model: Model | None) -> list[Part]:
    """In use, this model, free: shares of all RAM."""
    total = max(memory.total_bytes, 1)
    used = (memory.total_bytes - memory.available_bytes) / total
    if model is None:
        return [Part("In use", used), Part("This model", 0.0), Part("Free", 1 - used)]
    mine = min(model.nbytes / total, 1 - used)
    return [Part("In use", used), Part("This model", mine), Part("Free", 1 - used - mine)]


def _fit(model: Model, memory: Memory) -> Fact:
    wanted = int(model.nbytes * _HEADROOM)
    tip = f"{size_text(memory.usable_bytes)} can be had now"
    if wanted <= memory.usable_bytes:
        return Fact("Model × 1.5", f"{size_text(wanted)}, fits", tip, "good")
    if model.nbytes <= memory.usable_bytes:
        return Fact("Model × 1.5", f"{size_text(wanted)}, tight", tip, "warn")
    return Fact("Model", f"{size_text(model.nbytes)}, too large", tip, "bad")


def disk_kind(storage: Storage) -> str:
    """What kind of storage it is, by what the system says of it."""
    name = storage.device or storage.source
    if name.startswith("nvme"):
        return "NVMe SSD"
    if name.startswith(("vd", "xvd")):
        return "virtual disk"
    if storage.rotational_reported is not None:
        return "hard disk" if storage.rotational_reported else "SSD"
    return _KINDS[storage.kind]


def _disk(storage: Storage) -> tuple[str, str]:
    name = storage.device or storage.source
    tip = [storage.device_model] if storage.device_model else []
    if storage.rotational_reported is not None:
        claim = "rotating" if storage.rotational_reported else "not rotating"
        tip.append(f"The kernel reports it as {claim}; of virtual disks that is often wrong.")
    return f"{name}, {disk_kind(storage)}", "\n".join(tip)


def _count_text(count: int) -> str:
    for size, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if count >= size:
            return f"{three_figures(count / size)} {word}"
    return f"{count:,}"

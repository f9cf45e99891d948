"""`modelmon inspect`: what a model holds and what it lies on, from headers only."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from modelmon.core.cli import declared, option, options
from modelmon.core.cli.output import answer
from modelmon.core.cli.servers import inspect_reached, window_pids
from modelmon.core.doctor.sections import age_text, cache_bar, fit_rows, read_limit_rows
from modelmon.core.explain.expected import fastest_text
from modelmon.core.export.items import Code, Column, facts, table
from modelmon.core.messages import Message
from modelmon.core.units import percent_text, request_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.export.items import Printed, Table
    from modelmon.core.model.tensors import Block
    from modelmon.core.remote import Place

_MOST_BLOCKS = 10


@click.command("inspect")
@declared
def command(
    place: Place = options.place,
    show_tensors: bool = option("--tensors", help="List every tensor."),
    everything: bool = option("--all", help="List every block."),
    as_json: bool = options.as_json,
) -> None:
    """Show what's in a model and where it's stored.

    Reads headers only. PATH is a safetensors or GGUF file, a shard or index of a set, or a folder;
    on a server ssh://host/path.
    """
    found = inspect_reached(place, window_pids())
    items = _items(found, place, show_tensors=show_tensors, everything=everything)
    answer(found, items, as_json=as_json)


def _items(
    found: Inspection, place: Place, *, show_tensors: bool, everything: bool
) -> Iterator[Printed]:
    yield facts([*_model_facts(found), *_storage_facts(found), *_memory_facts(found)])
    blocks = found.model.blocks
    most = len(blocks) if everything or len(blocks) <= _MOST_BLOCKS + 1 else _MOST_BLOCKS
    yield (_tensors(found) if show_tensors else _blocks(found, blocks[:most]))
    if more := 0 if show_tensors else len(blocks) - most:
        more_line = f"{more:,} more blocks: modelmon inspect {shlex.quote(str(place))} --all"
        yield (Code(more_line, "quiet"))


def _model_facts(found: Inspection) -> list[tuple[str, str]]:
    model = found.model
    mix = model.dtype_bytes()
    total = model.nbytes or 1
    kinds = ", ".join(f"{name} {percent_text(size / total)}" for name, size in mix.items())
    parameters = found.parameters
    files = "1 file" if len(model.shards) == 1 else f"{len(model.shards)} shards"
    return [
        ("Model", model.name),
        ("Format", f"{model.format}, {kinds}" if kinds else model.format),
        ("Size", f"{size_text(model.nbytes)} in {files}"),
        *([("Parameters", f"{parameters:,}")] if parameters is not None else []),
        ("Tensors", f"{len(model.tensors):,} in {len(model.blocks):,} blocks"),
        *(("Note", note) for note in model.notes),
    ]


def _storage_facts(found: Inspection) -> list[tuple[str, str]]:
    storage = found.storage
    device = storage.device or storage.source
    if storage.device_model:
        device += f" ({storage.device_model})"
    place = f"{storage.filesystem} on {storage.mount_point}, {storage.kind}"
    if not storage.filesystem:
        place = "the mount isn't visible from here"
    rows = [("Server", found.server)] if found.server else []
    rows.append(("Storage", f"{place}, {device}" if device else place))
    if storage.readahead_bytes is not None:
        rows.append(("Readahead", request_text(storage.readahead_bytes)))
    cached = found.cached_source
    if found.cached_share is not None:
        cached = Message("{cached} of the bytes", cached=percent_text(found.cached_share))
    rows.append(("Cached now", cached))
    if found.cache_map is not None and found.cached_share is not None:
        rows.append(("Cached parts", cache_bar(found.cache_map)))
    rows += read_limit_rows(found.limits)
    if (probe := found.probe) is not None and (best := fastest_text(found.model, probe)):
        when = f"predicted; disk measured {age_text(probe)}"
        if probe.storage.met_others:
            when += " while other programs used it"
        rows.append(("Fastest load", f"{best} ({when})"))
    return rows


def _memory_facts(found: Inspection) -> list[tuple[str, str]]:
    memory = found.memory
    fits = "fits in memory" if found.can_stay else "doesn't fit in memory"
    available = f"{size_text(memory.available_bytes)} of {size_text(memory.total_bytes)}"
    rows = [("Memory", f"{available} available; the model {fits}")]
    if memory.cgroup_limit_bytes is not None:
        limit = f"{size_text(memory.cgroup_limit_bytes)}, {size_text(memory.usable_bytes)} free"
        rows.append(("Cgroup limit", limit))
    if memory.swap_total_bytes:
        swap = f"{size_text(memory.swap_used_bytes)} of {size_text(memory.swap_total_bytes)} used"
        rows.append(("Swap", swap))
    return [*rows, *fit_rows(found.fit)]


def _blocks(found: Inspection, blocks: Sequence[Block]) -> Table:
    total = found.model.nbytes or 1
    return table(
        blocks,
        Column("Block", lambda block: block.name, "lead"),
        Column("Tensors", lambda block: f"{len(block.tensors):,}", "right named"),
        Column("Size", lambda block: size_text(block.nbytes), "right"),
        Column("Share", lambda block: percent_text(block.nbytes / total), "right"),
    )


def _tensors(found: Inspection) -> Table:
    model = found.model
    return table(
        [model.tensors[index] for block in model.blocks for index in block.tensors],
        Column("Tensor", lambda tensor: tensor.name, "lead"),
        Column("Type", lambda tensor: tensor.dtype),
        Column("Shape", lambda tensor: " × ".join(map(str, tensor.shape)) or "scalar"),
        Column("Size", lambda tensor: size_text(tensor.nbytes), "right"),
        Column("Shard", lambda tensor: str(tensor.shard + 1), "right named"),
        Column("Offset", lambda tensor: f"{tensor.offset_bytes:,}", "right named"),
    )

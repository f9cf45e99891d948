"""Plans whose requests are not cut at chunks: whole tensors, and units that are decoded."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.load.decode_units import units_of
from modelmon.core.load.extents import Extent, coalesce, total_bytes
from modelmon.core.load.partition import distinct, partition_whole
from modelmon.core.load.plan import UNCUT_BYTES, Plan
from modelmon.core.load.portion import spread_portion
from modelmon.core.load.tensor_extents import wanted_by_tensor
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.subset import Subset
    from modelmon.core.model.tensors import Model

RANDOM_SEED = 0


def library_plan(
    model: Model, config: LoadConfig, portion_bytes: int | None, subset: Subset, model_bytes: int
) -> Plan:
    """One request a tensor, in order: that is how a library is asked."""
    if portion_bytes is not None or subset.ranks > 1:
        raise ConfigError(
            Message("{library} loads whole tensors.", library=config.library),
            Message("Choose tensors or blocks instead of a part."),
        )
    chosen = wanted_by_tensor(model, subset)
    tensors = [
        index
        for index in _tensor_order(model, config)
        if index in chosen and model.tensors[index].nbytes
    ]
    extents = [
        Extent(t.shard, t.offset_bytes, t.nbytes) for t in map(model.tensors.__getitem__, tensors)
    ]
    if not extents:
        raise ConfigError(
            Message(
                "{name} has no tensor with any bytes: there is nothing to load.", name=model.name
            )
        )
    return Plan(
        readers=(tuple(extents),) * config.ranks,
        wanted=tuple(distinct(extents)),
        chunk_bytes=UNCUT_BYTES,
        model_bytes=model_bytes,
        readers_per_rank=1,
        tensors=tuple(tensors),
    )


def decoding_plan(
    model: Model, config: LoadConfig, portion_bytes: int | None, subset: Subset, model_bytes: int
) -> Plan:
    """One request a unit that can be decoded on its own.

    A portion is that of every other load, in whole blocks. It begins with the first one, so
    that there is always something to decode.
    """
    if subset.ranks > 1:
        raise ConfigError(
            Message("Slices cut through quantized rows, which are decoded whole."),
            Message("Deliver streamed or owned, or load the whole."),
        )
    wanted = wanted_by_tensor(model, subset)
    covered = coalesce(sorted(extent for extents in wanted.values() for extent in extents))
    portion = None
    if portion_bytes is not None and portion_bytes < total_bytes(covered):
        portion = spread_portion(covered, portion_bytes)
    units = units_of(model, sorted(wanted), config.chunk_bytes, portion)
    if not units:
        raise ConfigError(
            Message(
                "{name} has no tensor with any bytes: there is nothing to load.", name=model.name
            )
        )
    if config.order == "random":
        random.Random(RANDOM_SEED).shuffle(units)
    elif config.order == "model":
        at = {index: place for place, index in enumerate(_tensor_order(model, config))}
        units.sort(key=lambda unit: min((at[part.tensor] for part in unit.parts), default=0))
    parts = {unit.extent: unit.parts for unit in units}
    shares = partition_whole([unit.extent for unit in units], config.readers) * config.ranks
    return Plan(
        readers=tuple(map(tuple, shares)),
        wanted=tuple(distinct(parts)),
        chunk_bytes=UNCUT_BYTES,
        model_bytes=model_bytes,
        readers_per_rank=config.readers,
        parts=tuple(tuple(parts[extent] for extent in hand) for hand in shares),
    )


def _tensor_order(model: Model, config: LoadConfig) -> list[int]:
    """All tensors' indices in the order in which they are asked for."""
    tensors = model.tensors
    if config.order == "model":
        return [index for block in model.blocks for index in block.tensors]
    order = sorted(range(len(tensors)), key=lambda i: (tensors[i].shard, tensors[i].offset_bytes))
    if config.order == "random":
        random.Random(RANDOM_SEED).shuffle(order)
    return order

"""Plans of tensor-parallel slices: one rank's alone, or those of all ranks at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.load.ordering import ordered
from modelmon.core.load.partition import distinct, partition
from modelmon.core.load.plan import Plan
from modelmon.core.load.portion import spread_slices
from modelmon.core.load.spans import RankShare
from modelmon.core.load.subset import pieces_of
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.subset import Subset
    from modelmon.core.model.tensors import Model


def slices_plan(
    model: Model, config: LoadConfig, portion_bytes: int | None, subset: Subset, model_bytes: int
) -> Plan:
    """Spans that hold the slices; what lies between near ones is read and not delivered.

    A portion counts wanted bytes. Raises ConfigError where there is nothing to load.
    """
    if config.rank_share == "slice":
        subsets = [replace(subset, rank=rank, ranks=config.ranks) for rank in range(config.ranks)]
        copies = 1
    else:
        subsets, copies = [subset], config.ranks
    parts = [RankShare(pieces_of(model, share), config.chunk_bytes) for share in subsets]
    shares: list[list[Extent]] = []
    for part in parts:
        wanted = part.spans
        if not wanted:
            raise ConfigError(
                Message(
                    "{name} has no tensor with any bytes: there is nothing to load.",
                    name=model.name,
                )
            )
        if portion_bytes is not None and portion_bytes < part.slices.total_bytes:
            wanted = spread_slices(wanted, part.slices, portion_bytes)
        by_tensor = part.by_tensor() if config.order == "model" else {}
        asked = ordered(model, config, by_tensor, wanted, part.joined)
        shares += partition(asked, config.readers, config.chunk_bytes)
    is_plain = all(part.is_plain for part in parts)
    return Plan(
        readers=tuple(map(tuple, shares)) * copies,
        wanted=tuple(distinct(extent for hand in shares for extent in hand)),
        chunk_bytes=config.chunk_bytes,
        model_bytes=model_bytes,
        readers_per_rank=config.readers,
        slices=() if is_plain else tuple(part.slices for part in parts) * copies,
    )

"""In which order extents are asked for."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, coalesce, split
from modelmon.core.load.portion import within
from modelmon.core.load.unit_plans import RANDOM_SEED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.tensors import Model


def ordered(
    model: Model,
    config: LoadConfig,
    by_tensor: Mapping[int, Sequence[Extent]],
    wanted: list[Extent],
    join: Callable[[Iterable[Extent]], list[Extent]] = coalesce,
) -> list[Extent]:
    """`wanted`, in file order, in the order that `config` asks for.

    `by_tensor` are the tensors' extents, needed for order `model`, which may be more than is
    wanted; `join` makes one of those that follow one another.
    """
    if config.order == "model":
        asked = join(
            extent
            for block in model.blocks
            for index in block.tensors
            for extent in by_tensor.get(index, ())
        )
        return within(asked, wanted)
    if config.order == "random":
        pieces = [piece for extent in wanted for piece in split(extent, config.chunk_bytes)]
        random.Random(RANDOM_SEED).shuffle(pieces)
        return pieces
    return wanted

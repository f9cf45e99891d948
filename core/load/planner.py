"""The planner: from model and configuration to the requests of each reader. Pure; no I/O."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.load.dealing import deal, distinct
from modelmon.core.load.extents import Extent, coalesce, split, total_bytes
from modelmon.core.load.plan import Plan
from modelmon.core.load.portion import spread_portion, within
from modelmon.core.load.rules import check_possible
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.load.tensor_extents import model_extents, wanted_by_tensor
from modelmon.core.load.unit_plans import RANDOM_SEED, decoding_plan, library_plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.tensors import Model


def plan_load(
    model: Model,
    config: LoadConfig,
    portion_bytes: int | None = None,
    subset: Subset = WHOLE,
) -> Plan:
    """The plan that loads `model`, a `subset` or a part of `portion_bytes`, as `config` says.

    Raises ConfigError where axes do not go together or there is nothing to load.
    """
    check_possible(config)
    if portion_bytes is not None and portion_bytes <= 0:
        raise ConfigError("A portion of 0 bytes loads nothing.", "Ask for example for 8GiB.")
    if config.rank_share == "slice" and subset.ranks > 1:
        raise ConfigError(
            "One rank's part cannot be sliced for several ranks again.",
            "Load that rank alone (ranks 1), or all of them without choosing one.",
        )
    covered = model_extents(model)
    model_bytes = total_bytes(covered)
    if config.library != NO_LIBRARY:
        return library_plan(model, config, portion_bytes, subset, model_bytes)
    if config.deliver == "decoded":
        return decoding_plan(model, config, portion_bytes, subset, model_bytes)
    whole = config.rank_share == "whole"
    hands: list[list[Extent]] = []
    every: list[Extent] = []
    packed = False
    for rank in range(1 if whole else config.ranks):
        part = subset if whole else replace(subset, rank=rank, ranks=config.ranks)
        # Tensor by tensor only where that matters: there may be 100,000 of them.
        by_tensor = (
            {} if part.is_whole and config.order != "model" else wanted_by_tensor(model, part)
        )
        asked = covered if part.is_whole else _covered(by_tensor)
        wanted = _wanted(model, asked, portion_bytes)
        ordered = _ordered(model, config, by_tensor, wanted, portioned=portion_bytes is not None)
        hands += deal(ordered, config.readers, config.chunk_bytes)
        every += wanted
        if not part.is_whole:
            packed = packed or any(len(extents) > 1 for extents in by_tensor.values())
    if whole:
        hands *= config.ranks
    return Plan(
        readers=tuple(map(tuple, hands)),
        wanted=tuple(distinct(every)),
        chunk_bytes=config.chunk_bytes,
        model_bytes=model_bytes,
        readers_per_rank=config.readers,
        packed=packed,
    )


def _covered(by_tensor: Mapping[int, Sequence[Extent]]) -> list[Extent]:
    return coalesce(sorted(extent for extents in by_tensor.values() for extent in extents))


def _wanted(model: Model, wanted: list[Extent], portion_bytes: int | None) -> list[Extent]:
    if not wanted:
        raise ConfigError(f"{model.name} has no tensor with any bytes: there is nothing to load.")
    if portion_bytes is not None and portion_bytes < total_bytes(wanted):
        wanted = spread_portion(wanted, portion_bytes)
    return wanted


def _ordered(
    model: Model,
    config: LoadConfig,
    by_tensor: Mapping[int, Sequence[Extent]],
    wanted: list[Extent],
    *,
    portioned: bool,
) -> list[Extent]:
    if config.order == "model":
        asked = coalesce(
            extent
            for block in model.blocks
            for index in block.tensors
            for extent in by_tensor.get(index, ())
        )
        return within(asked, wanted) if portioned else asked
    if config.order == "random":
        pieces = [piece for extent in wanted for piece in split(extent, config.chunk_bytes)]
        random.Random(RANDOM_SEED).shuffle(pieces)
        return pieces
    return wanted

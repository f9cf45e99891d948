"""The planner: from model and configuration to the requests of each reader. Pure; no I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.load.extents import Extent, coalesce, total_bytes
from modelmon.core.load.ordering import ordered
from modelmon.core.load.partition import distinct, partition
from modelmon.core.load.plan import Plan
from modelmon.core.load.portion import spread_portion
from modelmon.core.load.rules import check_possible
from modelmon.core.load.slices_plan import slices_plan
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.load.tensor_extents import model_extents, wanted_by_tensor
from modelmon.core.load.unit_plans import decoding_plan, library_plan
from modelmon.core.messages import Message

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
        raise ConfigError(
            Message("A portion of 0 bytes loads nothing."), Message("Ask for example for 8GiB.")
        )
    if config.rank_share == "slice" and subset.ranks > 1:
        raise ConfigError(
            Message("One rank's part cannot be sliced for several ranks again."),
            Message("Load that rank alone (ranks 1), or all of them without choosing one."),
        )
    covered = model_extents(model)
    model_bytes = total_bytes(covered)
    if config.library != NO_LIBRARY:
        return library_plan(model, config, portion_bytes, subset, model_bytes)
    if config.deliver == "decoded":
        return decoding_plan(model, config, portion_bytes, subset, model_bytes)
    if config.rank_share == "slice" or subset.ranks > 1:
        return slices_plan(model, config, portion_bytes, subset, model_bytes)
    # Tensor by tensor only where that matters: there may be 100,000 of them.
    by_tensor = (
        {} if subset.is_whole and config.order != "model" else wanted_by_tensor(model, subset)
    )
    every = covered if subset.is_whole else _covered(by_tensor)
    wanted = _wanted(model, every, portion_bytes)
    asked = ordered(model, config, by_tensor, wanted)
    return Plan(
        readers=tuple(map(tuple, partition(asked, config.readers, config.chunk_bytes)))
        * config.ranks,
        wanted=tuple(distinct(wanted)),
        chunk_bytes=config.chunk_bytes,
        model_bytes=model_bytes,
        readers_per_rank=config.readers,
    )


def _covered(by_tensor: Mapping[int, Sequence[Extent]]) -> list[Extent]:
    return coalesce(sorted(extent for extents in by_tensor.values() for extent in extents))


def _wanted(model: Model, wanted: list[Extent], portion_bytes: int | None) -> list[Extent]:
    if not wanted:
        raise ConfigError(
            Message(
                "{name} has no tensor with any bytes: there is nothing to load.", name=model.name
            )
        )
    if portion_bytes is not None and portion_bytes < total_bytes(wanted):
        wanted = spread_portion(wanted, portion_bytes)
    return wanted

"""Makes the plan of a load from a model and a LoadConfig. Pure: no file is opened.

Every wanted byte is asked for once and none outside the files, in the order that is asked for, and
readers get even shares.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import ConfigError, NothingToLoadError
from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.load.extents import (
    Extent,
    coalesce,
    distinct,
    partition,
    partition_whole,
    split,
    total_bytes,
    within,
)
from modelmon.core.load.plan import UNCUT_BYTES, Plan
from modelmon.core.load.rules import check_possible
from modelmon.core.load.subset import WHOLE, Subset, pieces_of
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.portion import Portion
    from modelmon.core.model.tensors import Model

_RANDOM_SEED = 0

# Unwanted bytes between two wanted tensors (alignment padding of GGUF, a skipped scalar) are
# read along when they are fewer than this: a request of its own would cost more, and they
# share a page with wanted bytes anyway.
MAX_GAP_BYTES = 4096


def plan_load(
    model: Model,
    config: LoadConfig,
    portion_bytes: int | None = None,
    subset: Subset = WHOLE,
    portion_place: float = 0.0,
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
    portion = None
    if portion_bytes is not None:
        # Loads of a whole model start sooner without it.
        from modelmon.core.load.portion import Portion  # noqa: PLC0415

        portion = Portion(portion_bytes, portion_place)
    covered = model_extents(model)
    model_bytes = total_bytes(covered)
    if config.library not in (NO_LIBRARY, PROGRAM):
        return _library_plan(model, config, portion, subset, model_bytes)
    if config.deliver == "decoded":
        return _decoding_plan(model, config, portion, subset, model_bytes)
    if config.rank_share == "slice" or subset.ranks > 1:
        return _slices_plan(model, config, portion, subset, model_bytes)
    # Tensor by tensor only where that matters: there may be 100,000 of them.
    by_tensor = (
        {} if subset.is_whole and config.order != "model" else wanted_by_tensor(model, subset)
    )
    every = covered if subset.is_whole else _covered(by_tensor)
    wanted = _wanted(model, every, portion)
    asked = _ordered(model, config, by_tensor, wanted)
    return Plan(
        readers=tuple(map(tuple, partition(asked, config.readers, config.chunk_bytes)))
        * config.ranks,
        wanted=tuple(distinct(wanted)),
        chunk_bytes=config.chunk_bytes,
        model_bytes=model_bytes,
        readers_per_rank=config.readers,
    )


def _library_plan(
    model: Model, config: LoadConfig, portion: Portion | None, subset: Subset, model_bytes: int
) -> Plan:
    """One request a tensor, in order: that is how a library is asked."""
    if portion is not None or subset.ranks > 1:
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
        raise _nothing_to_load(model)
    return Plan(
        readers=(tuple(extents),) * config.ranks,
        wanted=tuple(distinct(extents)),
        chunk_bytes=UNCUT_BYTES,
        model_bytes=model_bytes,
        readers_per_rank=1,
        tensors=tuple(tensors),
    )


def check_undivided(subset: Subset) -> None:
    """Raise ConfigError where slices are wanted, which can't be decoded."""
    if subset.ranks > 1:
        raise ConfigError(
            Message("A rank's slice can't be decoded: rows are decoded whole."),
            Message("Decode the whole model, or load the slice as it's stored."),
        )


def _decoding_plan(
    model: Model, config: LoadConfig, portion: Portion | None, subset: Subset, model_bytes: int
) -> Plan:
    """One request a unit that can be decoded; a portion is that of every other load, in whole
    blocks.
    """
    check_undivided(subset)
    # Loads of stored bytes start sooner without it.
    from modelmon.core.load.decode_units import units_of  # noqa: PLC0415

    wanted = wanted_by_tensor(model, subset)
    covered = _covered(wanted)
    pieces = None
    if portion is not None and portion.nbytes < total_bytes(covered):
        pieces = portion.spread(covered)
    units = units_of(model, sorted(wanted), config.chunk_bytes, pieces)
    if not units:
        raise _nothing_to_load(model)
    if config.order == "random":
        _shuffle(units)
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


def _slices_plan(
    model: Model, config: LoadConfig, portion: Portion | None, subset: Subset, model_bytes: int
) -> Plan:
    """Spans that hold the slices; what lies between near ones is read and not delivered.

    A portion counts wanted bytes. Raises ConfigError where there is nothing to load.
    """
    # Loads of whole tensors start sooner without it.
    from modelmon.core.load.spans import RankShare  # noqa: PLC0415

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
            raise _nothing_to_load(model)
        if portion is not None and portion.nbytes < part.slices.total_bytes:
            wanted = portion.spread_over_slices(wanted, part.slices)
        by_tensor = part.by_tensor() if config.order == "model" else {}
        asked = _ordered(model, config, by_tensor, wanted, part.joined)
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


def _nothing_to_load(model: Model) -> NothingToLoadError:
    return NothingToLoadError(
        Message("{name} has no tensor with any bytes: there is nothing to load.", name=model.name)
    )


def _covered(by_tensor: Mapping[int, Sequence[Extent]]) -> list[Extent]:
    return coalesce(sorted(extent for extents in by_tensor.values() for extent in extents))


def _wanted(model: Model, wanted: list[Extent], portion: Portion | None) -> list[Extent]:
    if not wanted:
        raise _nothing_to_load(model)
    if portion is not None and portion.nbytes < total_bytes(wanted):
        wanted = portion.spread(wanted)
    return wanted


def _ordered(
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
        _shuffle(pieces)
        return pieces
    return wanted


def _tensor_order(model: Model, config: LoadConfig) -> list[int]:
    """All tensors' indices in the order in which they are asked for."""
    tensors = model.tensors
    if config.order == "model":
        return [index for block in model.blocks for index in block.tensors]
    order = sorted(range(len(tensors)), key=lambda i: (tensors[i].shard, tensors[i].offset_bytes))
    if config.order == "random":
        _shuffle(order)
    return order


def _shuffle(items: list[Any]) -> None:
    """The same order every time."""
    from random import Random  # noqa: PLC0415  loads in another order start sooner without it

    Random(_RANDOM_SEED).shuffle(items)


def tensor_extents(model: Model) -> list[Extent]:
    """Each tensor's extent, by index; small gaps belong to the tensor before them.

    The extents are disjoint in every order, also where tensors share bytes: the one that
    starts first has them.
    """
    tensors = model.tensors
    extents = [Extent(0, 0, 0)] * len(tensors)
    places = [(tensor.shard, tensor.offset_bytes) for tensor in tensors]
    before = -1
    shard, end = -1, 0
    for index in sorted(range(len(tensors)), key=places.__getitem__):
        tensor = tensors[index]
        if tensor.nbytes == 0:
            continue
        start = tensor.offset_bytes
        if tensor.shard == shard:
            gap = start - end
            if 0 < gap <= MAX_GAP_BYTES:
                last = extents[before]
                extents[before] = Extent(shard, last.offset_bytes, last.nbytes + gap)
            start = max(start, end)
        stop = max(start, tensor.offset_bytes + tensor.nbytes)
        extents[index] = Extent(tensor.shard, start, stop - start)
        before, shard, end = index, tensor.shard, stop
    return extents


def model_extents(model: Model) -> list[Extent]:
    """What all tensors cover together, small gaps included, in file order.

    The same bytes as `tensor_extents`, without a record for each of 100,000 tensors.
    """
    covered: list[Extent] = []
    shard, start, end = -1, 0, 0
    for at, offset, nbytes in sorted((t.shard, t.offset_bytes, t.nbytes) for t in model.tensors):
        if not nbytes:
            continue
        if at != shard or offset > end + MAX_GAP_BYTES:
            covered.append(Extent(shard, start, end - start))
            shard, start, end = at, offset, offset
        if (last := offset + nbytes) > end:
            end = last
    return [*covered[1:], Extent(shard, start, end - start)] if shard >= 0 else []


def wanted_by_tensor(model: Model, subset: Subset = WHOLE) -> dict[int, list[Extent]]:
    """The disjoint extents of each wanted tensor, by its index.

    Of a subset nothing is read that is not wanted, not even small gaps.
    """
    if subset.is_whole:
        return {index: [extent] for index, extent in enumerate(tensor_extents(model))}
    runs = sorted(
        (extent, piece.tensor) for piece in pieces_of(model, subset) for extent in piece.extents()
    )
    wanted: dict[int, list[Extent]] = {}
    shard, end = -1, 0
    for extent, tensor in runs:
        start = extent.offset_bytes
        if extent.shard == shard:
            start = max(start, end)
        if start < extent.end_bytes:
            clipped = Extent(extent.shard, start, extent.end_bytes - start)
            wanted.setdefault(tensor, []).append(clipped)
            shard, end = extent.shard, extent.end_bytes
    return wanted

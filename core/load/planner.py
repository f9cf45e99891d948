"""Makes the plan of a load from a model and a LoadConfig. Pure: no file is opened.

Every wanted byte is asked for once and none outside the files, in the order that is asked for (of
the file, of the model, or random), and readers get even shares. A portion stands for the whole
model, the same for every strategy. Where values are decoded, tensors are cut into units that can be
decoded without any others.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from modelmon.core.errors import ConfigError, NothingToLoadError
from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.load.extents import (
    Extent,
    RankShare,
    coalesce,
    distinct,
    partition,
    partition_whole,
    split,
    total_bytes,
    within,
)
from modelmon.core.load.plan import STORED, UNCUT_BYTES, Plan, ReaderPlan, TensorValues
from modelmon.core.load.rules import check_possible
from modelmon.core.load.subset import WHOLE, Subset, pieces_of
from modelmon.core.messages import Message
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Slices
    from modelmon.core.model.tensors import Model, Tensor


LEAST_PORTION_BYTES = MIB
"""Less tells nothing of a load: a single page that the kernel reads for it outweighs the rest."""

_MOST_PIECES = 64
# The kernel reads up to two of its windows past the end of a piece, 16 MiB with a readahead of
# 8 MiB: with pieces of 1.6 MiB mapped loads fetched four times what they needed, and what was
# extrapolated from them was five times too long. Here it is a sixteenth.
_LEAST_PIECE_BYTES = 256 * MIB


_GOLDEN_RATIO = (5**0.5 - 1) / 2


def place_of_run(number: int) -> float:
    """Where the portion of such a run lies (0 to 1): as far as can be from those before it.

    Steps of the golden ratio leave the most even gaps. Source: Knuth, The Art of Computer
    Programming, volume 3, section 6.4, on multiplicative hashing.
    """
    return number * _GOLDEN_RATIO % 1


class Portion(NamedTuple):
    """So many bytes of a model. `place` (0 to 1) says where: from as far ahead as they can lie to
    as far behind. Runs at different places are given nothing by what a server or a drive keeps
    of those before, which no start can empty.
    """

    nbytes: int
    place: float = 0.0

    def spread(self, wanted: Sequence[Extent]) -> list[Extent]:
        """Evenly spaced pieces of `wanted`, of equal size and in file order.

        The pieces do not depend on the strategy. They are large, so that a sequential strategy
        still meets sequential ranges and what the kernel reads past their ends hardly counts, and
        a large portion covers the whole model. It is smaller than the whole.
        """
        total = total_bytes(wanted)
        pieces = max(1, min(_MOST_PIECES, self.nbytes // _LEAST_PIECE_BYTES))
        parts = []
        for number in range(pieces):
            first, behind = (total * at // pieces for at in (number, number + 1))
            # From its number, so that the sizes add up exactly.
            size = self.nbytes * (number + 1) // pieces - self.nbytes * number // pieces
            start = first + round((behind - first - size) * self.place)
            parts.append((start, start + size))
        taken: list[Extent] = []
        passed = at = 0
        for extent in wanted:
            behind = passed + extent.nbytes
            while at < pieces and parts[at][0] < behind:
                start, end = parts[at]
                first, last = max(start, passed), min(end, behind)
                if first < last:
                    offset = extent.offset_bytes + first - passed
                    taken.append(Extent(extent.shard, offset, last - first))
                if end > behind:
                    break
                at += 1
            passed = behind
        return coalesce(taken)

    def spread_over_slices(self, spans: Sequence[Extent], slices: Slices) -> list[Extent]:
        """Evenly spaced parts of `spans` that hold a portion of the wanted bytes, and of the
        others only those between them.
        """
        pieces = self.spread([Extent(0, 0, slices.total_bytes)])
        taken: list[Extent] = []
        for span in spans:
            passed = slices.before(span.shard, span.offset_bytes)
            behind = passed + slices.nbytes(span)
            for piece in pieces:
                first, last = max(piece.offset_bytes, passed), min(piece.end_bytes, behind)
                if first < last:
                    start = slices.place(first)
                    taken.append(Extent(span.shard, start, slices.place(last - 1) + 1 - start))
        return coalesce(taken)


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
            Message("One rank's slice can't be split again for several ranks."),
            Message("Load that rank alone (ranks 1), or all of them without choosing one."),
        )
    portion = None if portion_bytes is None else Portion(portion_bytes, portion_place)
    covered = model_extents(model)
    if config.library not in (NO_LIBRARY, PROGRAM):
        plan = _library_plan(model, config, portion, subset)
    elif config.deliver == "decoded":
        plan = _decoding_plan(model, config, portion, subset)
    elif config.rank_share == "slice" or subset.ranks > 1:
        plan = _slices_plan(model, config, portion, subset)
    else:
        plan = _plain_plan(model, config, portion, subset, covered)
    return plan._replace(model_bytes=total_bytes(covered))


def _plain_plan(
    model: Model, config: LoadConfig, portion: Portion | None, subset: Subset, every: list[Extent]
) -> Plan:
    """Whole tensors, cut into even shares of readers."""
    # Tensor by tensor only where that matters: there may be 100,000 of them.
    by_tensor: Mapping[int, Sequence[Extent]] = {}
    if config.order == "model" or not subset.is_whole:
        by_tensor = wanted_by_tensor(model, subset)
    wanted = every if subset.is_whole else _covered(by_tensor)
    if not wanted:
        raise _nothing_to_load(model)
    if portion is not None and portion.nbytes < total_bytes(wanted):
        wanted = portion.spread(wanted)
    asked = _ordered(model, config, by_tensor, wanted)
    readers = map(ReaderPlan, partition(asked, config.readers, config.chunk_bytes))
    return _plan([list(readers)] * config.ranks, wanted, config.chunk_bytes)


def _library_plan(
    model: Model, config: LoadConfig, portion: Portion | None, subset: Subset
) -> Plan:
    """One request a tensor, in order: that is how a library is asked."""
    if portion is not None or subset.ranks > 1:
        raise ConfigError(
            Message("{library} loads whole tensors.", library=config.library),
            Message("Choose tensors or blocks instead of a part."),
        )
    chosen = wanted_by_tensor(model, subset)
    order = _tensor_order(model, config)
    tensors = [model.tensors[index] for index in order if index in chosen]
    tensors = [tensor for tensor in tensors if tensor.nbytes]
    if not tensors:
        raise _nothing_to_load(model)
    extents = [Extent(tensor.shard, tensor.offset_bytes, tensor.nbytes) for tensor in tensors]
    reader = ReaderPlan(extents, names=[tensor.name for tensor in tensors])
    return _plan([[reader]] * config.ranks, extents, UNCUT_BYTES)


def check_undivided(subset: Subset) -> None:
    """Raise ConfigError where slices are wanted, which can't be decoded."""
    if subset.ranks > 1:
        raise ConfigError(
            Message("A rank's slice can't be decoded: rows are decoded whole."),
            Message("Decode the whole model, or load the slice as it's stored."),
        )


def _decoding_plan(
    model: Model, config: LoadConfig, portion: Portion | None, subset: Subset
) -> Plan:
    """One request a unit that can be decoded; a portion is that of every other load, in whole
    blocks.
    """
    check_undivided(subset)
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
    shares = partition_whole([unit.extent for unit in units], config.readers)
    readers = [ReaderPlan(share, parts=[parts[extent] for extent in share]) for share in shares]
    return _plan([readers] * config.ranks, parts, UNCUT_BYTES)


def _slices_plan(model: Model, config: LoadConfig, portion: Portion | None, subset: Subset) -> Plan:
    """Spans that hold the slices; what lies between near ones is read and not delivered.

    A portion counts wanted bytes. Raises ConfigError where there is nothing to load.
    """
    if config.rank_share == "slice":
        subsets = [replace(subset, rank=rank, ranks=config.ranks) for rank in range(config.ranks)]
        copies = 1
    else:
        subsets, copies = [subset], config.ranks
    parts = [RankShare(pieces_of(model, share), config.chunk_bytes) for share in subsets]
    is_plain = all(part.is_plain for part in parts)
    ranks: list[list[ReaderPlan]] = []
    for part in parts:
        wanted = part.spans
        if not wanted:
            raise _nothing_to_load(model)
        if portion is not None and portion.nbytes < part.slices.total_bytes:
            wanted = portion.spread_over_slices(wanted, part.slices)
        by_tensor = part.by_tensor() if config.order == "model" else {}
        asked = _ordered(model, config, by_tensor, wanted, part.joined)
        shares = partition(asked, config.readers, config.chunk_bytes)
        slices = None if is_plain else part.slices
        ranks.append([ReaderPlan(share, slices) for share in shares])
    asked = [extent for readers in ranks for reader in readers for extent in reader.extents]
    return _plan(ranks * copies, asked, config.chunk_bytes)


def _plan(
    ranks: Sequence[Sequence[ReaderPlan]], wanted: Iterable[Extent], chunk_bytes: int
) -> Plan:
    """A load of these ranks, whose readers have no numbers yet; `wanted` is what one of them reads,
    or all.
    """
    every = [each._replace(rank=rank) for rank, readers in enumerate(ranks) for each in readers]
    return Plan(
        tuple(each._replace(number=number) for number, each in enumerate(every)),
        tuple(distinct(wanted)),
        chunk_bytes,
    )


def _nothing_to_load(model: Model) -> NothingToLoadError:
    return NothingToLoadError(
        Message("{name} has no tensor with any bytes: there is nothing to load.", name=model.name)
    )


def _covered(by_tensor: Mapping[int, Sequence[Extent]]) -> list[Extent]:
    return coalesce(sorted(extent for extents in by_tensor.values() for extent in extents))


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


class Unit(NamedTuple):
    """One request, and what is decoded from it. Parts over shared bytes overlap."""

    extent: Extent
    parts: tuple[TensorValues, ...]


class _Piece(NamedTuple):
    """Values of one tensor, and where they lie. Flat: a model has many."""

    shard: int
    start: int
    end: int
    tensor: int
    first_element: int
    elements: int


def units_of(
    model: Model,
    tensors: Iterable[int],
    chunk_bytes: int,
    portion: Sequence[Extent] | None = None,
) -> list[Unit]:
    """Units of the tensors with these indices, in file order, none larger than the chunk
    unless a single quantisation block is.

    Large tensors are cut between quantisation blocks; neighbours share a unit while they fit
    into a chunk. Tensors over the same bytes are decoded each. No two units have the same
    extent, and every value of a tensor is in exactly one part. Of a `portion`, disjoint and in
    file order, the blocks that begin in it are wanted.
    """
    # Loads of stored bytes start sooner without it.
    from modelmon.core.model.stored_codes import stored_codes  # noqa: PLC0415

    codes = stored_codes(model)
    units = []
    for group in _neighbours(
        sorted(_pieces(model, tensors, codes, chunk_bytes, portion)), chunk_bytes
    ):
        shard, base = group[0][:2]
        parts = tuple(
            TensorValues(
                STORED if index in codes else model.tensors[index].dtype,
                start - base,
                end - start,
                index,
                first_element,
                elements,
            )
            for _, start, end, index, first_element, elements in group
        )
        units.append(Unit(Extent(shard, base, max(each.end for each in group) - base), parts))
    return units


def _pieces(
    model: Model,
    tensors: Iterable[int],
    codes: frozenset[int],
    chunk_bytes: int,
    portion: Sequence[Extent] | None,
) -> Iterator[_Piece]:
    from modelmon.core.model.ggml_types import (  # noqa: PLC0415  as above
        GGML_TYPES_BY_NAME,
        is_quantised,
    )

    for index in tensors:
        tensor = model.tensors[index]
        base, nbytes, values = tensor.offset_bytes, tensor.nbytes, prod(tensor.shape)
        if not nbytes:
            continue
        # How many values are stored together, and in how many bytes.
        if index in codes:
            together, block_bytes = 1, 1
        elif is_quantised(tensor.dtype):
            together, block_bytes = GGML_TYPES_BY_NAME[tensor.dtype][1:]
        elif nbytes % values:
            # Types below a byte may share bytes anywhere: such a tensor stays whole.
            together, block_bytes = values, nbytes
        else:
            together, block_bytes = 1, nbytes // values
        step = max(1, chunk_bytes // block_bytes)
        whole = [range(-(-nbytes // block_bytes))]
        for blocks in whole if portion is None else _blocks_in(tensor, block_bytes, portion):
            for first in range(blocks.start, blocks.stop, step):
                last = min(first + step, blocks.stop)
                start, end = base + first * block_bytes, base + last * block_bytes
                elements = (last - first) * together
                yield _Piece(tensor.shard, start, end, index, first * together, elements)


def _blocks_in(tensor: Tensor, block_bytes: int, portion: Sequence[Extent]) -> Iterator[range]:
    """Numbers of the tensor's blocks that begin in a portion."""
    shard, offset = tensor.shard, tensor.offset_bytes
    at = max(0, bisect_right(portion, (shard, offset, tensor.nbytes)) - 1)
    stop = bisect_left(portion, (shard, offset + tensor.nbytes, 0), lo=at)
    for piece in portion[at:stop]:
        first = -(-max(0, piece.offset_bytes - offset) // block_bytes)
        last = -(-min(tensor.nbytes, piece.end_bytes - offset) // block_bytes)
        if piece.shard == shard and first < last:
            yield range(first, last)


def _neighbours(pieces: Iterable[_Piece], chunk_bytes: int) -> Iterator[list[_Piece]]:
    """Pieces, sorted by place, in groups that one request can read."""
    group: list[_Piece] = []
    shard = start = end = 0
    for piece in pieces:
        if group:
            joined_end = max(end, piece.end)
            is_near = piece.shard == shard and piece.start - end <= MAX_GAP_BYTES
            # Bytes that are read anyway are shared even where they alone exceed a chunk.
            if is_near and joined_end - start <= max(chunk_bytes, end - start):
                group.append(piece)
                end = joined_end
                continue
            yield group
        group = [piece]
        shard, start, end = piece.shard, piece.start, piece.end
    if group:
        yield group

"""The planner: which reader asks for which bytes, in which order. Pure; no I/O."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.load.extents import Extent, coalesce, request_count, split, total_bytes
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.model.tensors import Model

_RANDOM_SEED = 0
# Unwanted bytes between two wanted tensors (alignment padding of GGUF, a skipped scalar) are
# read along when they are fewer than this: a request of its own would cost more, and they
# share a page with wanted bytes anyway.
MAX_GAP_BYTES = 4096
_MOST_PIECES = 64
_LEAST_PIECE_BYTES = MIB


@dataclass(frozen=True, slots=True)
class Plan:
    """A load as lists of extents, one list a reader, each in the order of its requests.

    Every wanted byte is in exactly one extent; with order `file` offsets ascend within each
    reader; every reader's share is within one chunk of an even one; nothing lies outside
    the files. `wanted` are the extents in file order, whoever reads them; `model_bytes` is
    what the whole model's extents add up to.
    """

    readers: tuple[tuple[Extent, ...], ...]
    wanted: tuple[Extent, ...]
    chunk_bytes: int
    model_bytes: int

    @property
    def planned_bytes(self) -> int:
        """Bytes that the readers deliver together."""
        return total_bytes(self.wanted)

    @property
    def request_counts(self) -> tuple[int, ...]:
        """Requests of each reader."""
        return tuple(
            sum(request_count(extent, self.chunk_bytes) for extent in extents)
            for extents in self.readers
        )


def plan_load(model: Model, config: LoadConfig, portion_bytes: int | None = None) -> Plan:
    """The plan that loads `model`, or a part of `portion_bytes`, as `config` says.

    Raises ConfigError where there is nothing to load.
    """
    extents = tensor_extents(model)
    wanted = coalesce(sorted(extents))
    if not wanted:
        raise ConfigError(f"{model.name} has no tensor with any bytes: there is nothing to load.")
    if portion_bytes is not None:
        if portion_bytes <= 0:
            raise ConfigError("A portion of 0 bytes loads nothing.", "Ask for example for 8GiB.")
        if portion_bytes < total_bytes(wanted):
            wanted = spread_portion(wanted, portion_bytes)
    if config.order == "model":
        asked = coalesce(extents[index] for block in model.blocks for index in block.tensors)
        ordered = _within(asked, wanted) if portion_bytes is not None else asked
    elif config.order == "random":
        ordered = [piece for extent in wanted for piece in split(extent, config.chunk_bytes)]
        random.Random(_RANDOM_SEED).shuffle(ordered)
    else:
        ordered = wanted
    return Plan(
        readers=tuple(map(tuple, deal(ordered, config.readers, config.chunk_bytes))),
        wanted=tuple(wanted),
        chunk_bytes=config.chunk_bytes,
        model_bytes=sum(extent.nbytes for extent in extents),
    )


def tensor_extents(model: Model) -> list[Extent]:
    """Each tensor's extent, by index; small gaps belong to the tensor before them.

    The extents are disjoint in every order, also where tensors share bytes: the one that
    starts first has them.
    """
    tensors = model.tensors
    extents = [Extent(0, 0, 0)] * len(tensors)
    order = sorted(range(len(tensors)), key=lambda i: (tensors[i].shard, tensors[i].offset_bytes))
    before = -1
    shard, end = -1, 0
    for index in order:
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


def deal(extents: Sequence[Extent], readers: int, chunk_bytes: int) -> list[list[Extent]]:
    """`extents` cut into one consecutive run per reader, balanced by bytes.

    Cuts fall on multiples of the chunk in the file, so that no request is split in two.
    """
    total = total_bytes(extents)
    hands: list[list[Extent]] = [[] for _ in range(readers)]
    reader = 0
    passed = 0
    for extent in extents:
        offset = extent.offset_bytes
        while offset < extent.end_bytes:
            while reader < readers - 1 and passed >= total * (reader + 1) // readers:
                reader += 1
            stop = extent.end_bytes
            if reader < readers - 1:
                even = offset + total * (reader + 1) // readers - passed
                stop = min(stop, -(-even // chunk_bytes) * chunk_bytes)
            hands[reader].append(Extent(extent.shard, offset, stop - offset))
            passed += stop - offset
            offset = stop
    return hands


def spread_portion(wanted: Sequence[Extent], portion_bytes: int) -> list[Extent]:
    """`portion_bytes` of `wanted` in evenly spaced pieces of equal size, in file order.

    The pieces do not depend on the strategy, so that two strategies load the same bytes. They
    are large, so that a sequential strategy still meets sequential ranges, and they cover the
    whole model, so that no shard or kind of layer is left out. `portion_bytes` is smaller
    than the whole.
    """
    total = total_bytes(wanted)
    pieces = max(1, min(_MOST_PIECES, portion_bytes // _LEAST_PIECE_BYTES))
    # Both ends of each piece follow from its number, so the sizes add up exactly.
    parts = [
        (
            total * number // pieces,
            total * number // pieces
            + portion_bytes * (number + 1) // pieces
            - portion_bytes * number // pieces,
        )
        for number in range(pieces)
    ]
    taken: list[Extent] = []
    passed = 0
    for extent in wanted:
        for start, end in parts:
            first = max(start, passed)
            last = min(end, passed + extent.nbytes)
            if first < last:
                offset = extent.offset_bytes + first - passed
                taken.append(Extent(extent.shard, offset, last - first))
        passed += extent.nbytes
    return coalesce(taken)


def _within(asked: list[Extent], wanted: Sequence[Extent]) -> list[Extent]:
    """The parts of `asked`, in its order, that lie in `wanted` (which is in file order)."""
    parts: list[Extent] = []
    for extent in asked:
        for room in wanted:
            if room.shard != extent.shard:
                continue
            start = max(extent.offset_bytes, room.offset_bytes)
            end = min(extent.end_bytes, room.end_bytes)
            if start < end:
                parts.append(Extent(extent.shard, start, end - start))
    return parts

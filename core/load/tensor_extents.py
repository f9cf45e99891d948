"""Where the wanted tensors lie in the files: as disjoint extents, small gaps closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent
from modelmon.core.load.subset import WHOLE, pieces_of

if TYPE_CHECKING:
    from modelmon.core.load.subset import Subset
    from modelmon.core.model.tensors import Model

# Unwanted bytes between two wanted tensors (alignment padding of GGUF, a skipped scalar) are
# read along when they are fewer than this: a request of its own would cost more, and they
# share a page with wanted bytes anyway.
MAX_GAP_BYTES = 4096


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

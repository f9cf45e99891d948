"""Which tensors are wanted, in which shape, and where their bytes lie in the files."""

from __future__ import annotations

import threading
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent
from modelmon.core.load.slices import Strided
from modelmon.core.load.subset import pieces_of
from modelmon.core.load.tensor_extents import wanted_by_tensor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.load.slices import Slices
    from modelmon.core.load.subset import Subset, TensorPiece
    from modelmon.core.model.tensors import Model, Tensor


def _start(place: tuple[Strided, int]) -> tuple[int, int]:
    return place[0].shard, place[0].offset_bytes


class TensorBytes:
    """The wanted tensors of a model, by index and by place.

    `slices` are the plan's: what is delivered of a request is then nothing but wanted bytes.
    """

    def __init__(self, model: Model, subset: Subset, slices: Slices | None = None) -> None:
        self._model = model
        self._subset = subset
        self._slices = slices
        self._starts: list[tuple[int, int]] = []
        self._owners: list[tuple[Extent, int, int]] = []
        self._places: list[tuple[Strided, int]] = []
        self._indexing = threading.Lock()

    @cached_property
    def _pieces(self) -> dict[int, TensorPiece] | None:
        # Of the whole model each tensor's own record says all, also of 100,000 tensors.
        if self._subset.is_whole:
            return None
        return {piece.tensor: piece for piece in pieces_of(self._model, self._subset)}

    @property
    def wanted(self) -> Sequence[int]:
        """Indices of the wanted tensors."""
        return range(len(self._model.tensors)) if self._pieces is None else list(self._pieces)

    def wanted_of(self, index: int) -> Tensor | TensorPiece:
        """The tensor, or what is wanted of it: its shape and stored bytes."""
        return self._model.tensors[index] if self._pieces is None else self._pieces[index]

    def start(self, index: int) -> tuple[int, int]:
        """Shard and offset of its first wanted byte."""
        # Of the whole model without a record in between: there may be 100,000 of them.
        if self._pieces is None:
            tensor = self._model.tensors[index]
            return tensor.shard, tensor.offset_bytes
        where = self._pieces[index].strided
        return where.shard, where.offset_bytes

    def strided(self, index: int) -> Strided:
        """Where its bytes lie in the files."""
        if self._pieces is not None:
            return self._pieces[index].strided
        tensor = self._model.tensors[index]
        return Strided(tensor.shard, tensor.offset_bytes, tensor.nbytes, tensor.nbytes, 1)

    def parts(self, request: Extent) -> Iterator[tuple[Tensor, int, int, int]]:
        """What is delivered of a request: tensor, position in its wanted bytes, and the place
        and size in what is delivered.
        """
        if self._slices is not None:
            yield from self._slices_in(request)
            return
        with self._indexing:
            if not self._owners:
                self._index()
        at = max(0, bisect_right(self._starts, (request.shard, request.offset_bytes)) - 1)
        while at < len(self._owners):
            extent, tensor, position = self._owners[at]
            if (extent.shard, extent.offset_bytes) >= (request.shard, request.end_bytes):
                return
            start = max(extent.offset_bytes, request.offset_bytes)
            end = min(extent.end_bytes, request.end_bytes)
            if extent.shard == request.shard and start < end:
                place = start - request.offset_bytes
                into = position + start - extent.offset_bytes
                yield self._model.tensors[tensor], into, place, end - start
            at += 1

    def _slices_in(self, request: Extent) -> Iterator[tuple[Tensor, int, int, int]]:
        with self._indexing:
            if not self._places:
                pieces = (self._pieces or {}).values()
                self._places = sorted((p.strided, p.tensor) for p in pieces if p.nbytes)
        place = 0
        at = bisect_right(self._places, (request.shard, request.offset_bytes), key=_start) - 1
        for number in range(max(0, at), len(self._places)):
            strided, tensor = self._places[number]
            if _start((strided, tensor)) >= (request.shard, request.end_bytes):
                return
            position = strided.before(request.offset_bytes)
            nbytes = strided.before(request.end_bytes) - position
            if strided.shard == request.shard and nbytes:
                yield self._model.tensors[tensor], position, place, nbytes
                place += nbytes

    def _index(self) -> None:
        """Sort the ranges by place; alignment gaps belong to no tensor here."""
        for index, extents in wanted_by_tensor(self._model, self._subset).items():
            position = 0
            left = self.wanted_of(index).nbytes
            for extent in extents:
                nbytes = min(extent.nbytes, left - position)
                if nbytes > 0:
                    self._owners.append(
                        (Extent(extent.shard, extent.offset_bytes, nbytes), index, position)
                    )
                    position += nbytes
        self._owners.sort()
        self._starts = [(extent.shard, extent.offset_bytes) for extent, _, _ in self._owners]

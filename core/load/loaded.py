"""A loaded model: where the wanted tensors are, and their names to numpy arrays without a copy.

numpy is imported when the first array is asked for: that takes longer than most loads.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from functools import cache, cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn, Self
from weakref import WeakValueDictionary

from modelmon.core.errors import OutOfMemoryError
from modelmon.core.load.config import ML_DTYPES
from modelmon.core.load.extents import Extent, Strided
from modelmon.core.load.planner import wanted_by_tensor
from modelmon.core.load.subset import pieces_of
from modelmon.core.load.threads import needed
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.units import counted, size_text

if TYPE_CHECKING:
    import mmap
    from collections.abc import Callable

    from numpy.typing import NDArray

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Slices, TensorPiece
    from modelmon.core.load.subset import Subset
    from modelmon.core.model.tensors import Model, Tensor

    Held = tuple[mmap.mmap | memoryview, int] | NDArray[Any]
    """What holds a tensor's bytes, and where they begin there; or its values, decoded."""


# Names of safetensors and, where they are the same type, of GGML. Types that are not here
# (packed below a byte, quantised) come as raw bytes: Tensor.dtype says what they hold.
_TYPES = {
    "BOOL": "bool",
    **{
        f"{sign}{bits}": f"{name}{bits}"
        for sign, name in (("U", "uint"), ("I", "int"))
        for bits in (8, 16, 32, 64)
    },
    **{f"F{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "C64": "complex64",
}
"""Types that ml_dtypes adds to numpy, by their names in safetensors."""


@cache
def _numpy() -> Any:
    return needed("numpy")


@cache
def _dtype(name: str) -> Any:
    """numpy's type; None where it has none."""
    if name in ML_DTYPES:
        # Models without such types start sooner without it.
        return _numpy().dtype(getattr(needed("ml_dtypes"), ML_DTYPES[name]))
    return _numpy().dtype(_TYPES[name]) if name in _TYPES else None


def rows_together(mapping: mmap.mmap, part: Strided) -> memoryview:
    """A copy of the runs of `part`, end to end; read-only where what is mapped is."""
    shape, strides = (part.runs, part.run_bytes), (part.stride_bytes, 1)
    rows: NDArray[Any] = _numpy().ndarray(shape, "u1", mapping, part.offset_bytes, strides)
    together = rows.reshape(-1).data
    return together.toreadonly() if memoryview(mapping).readonly else together


def array_at(
    dtype_name: str, shape: tuple[int, ...], data: mmap.mmap | memoryview, start: int, nbytes: int
) -> NDArray[Any]:
    """The `nbytes` of `data` from `start` on, stored as the named type, as an array of `shape`.

    A type that numpy cannot represent becomes uint8: rows of raw bytes where each row is
    stored in whole bytes, else one flat run.
    """
    dtype = _dtype(dtype_name)
    if dtype is None:
        dtype = "u1"
        rows = prod(shape[:-1])
        if nbytes:
            is_rows = len(shape) > 1 and nbytes % rows == 0
            shape = (*shape[:-1], nbytes // rows) if is_rows else (nbytes,)
    if not nbytes:
        empty: NDArray[Any] = _numpy().empty(shape, dtype)
        return empty
    # A view of each, and what numpy makes of one, would take five times as long.
    array: NDArray[Any] = _numpy().ndarray(shape, dtype, data, start)
    return array


def array_of(dtype_name: str, shape: tuple[int, ...], data: memoryview) -> NDArray[Any]:
    """All of `data` as `array_at` has it. Raises ValueError where it isn't as long as the shape."""
    dtype = _dtype(dtype_name)
    if dtype is not None and prod(shape) * dtype.itemsize != len(data):
        raise ValueError(f"buffer size {len(data)} doesn't hold {shape} of {dtype_name}")
    return array_at(dtype_name, shape, data, 0, len(data))


def _start(place: tuple[Strided, int, int]) -> tuple[int, int]:
    return place[0][:2]


class TensorBytes:
    """The wanted tensors of a model, by index and by place.

    `slices` are the plan's: what is delivered of a request is then nothing but wanted bytes.
    """

    def __init__(self, model: Model, subset: Subset, slices: Slices | None = None) -> None:
        self._model = model
        self._subset = subset
        self._slices = slices
        self._places: list[tuple[Strided, int, int]] = []
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
        with self._indexing:
            if not self._places:
                self._places = sorted(self._indexed())
        place = 0
        at = bisect_right(self._places, (request.shard, request.offset_bytes), key=_start) - 1
        for number in range(max(0, at), len(self._places)):
            where, tensor, before = self._places[number]
            if where[:2] >= (request.shard, request.end_bytes):
                return
            position = where.before(request.offset_bytes)
            nbytes = where.before(request.end_bytes) - position
            if where.shard == request.shard and nbytes:
                if self._slices is None:
                    place = max(0, where.offset_bytes - request.offset_bytes)
                yield self._model.tensors[tensor], before + position, place, nbytes
                place += nbytes

    def _indexed(self) -> Iterator[tuple[Strided, int, int]]:
        """Ranges of the files, which tensor each is of, and how much of it lies before; of slices
        all of its runs. Alignment gaps belong to no tensor here.
        """
        if self._slices is not None:
            pieces = (self._pieces or {}).values()
            yield from ((piece.strided, piece.tensor, 0) for piece in pieces if piece.nbytes)
            return
        for index, extents in wanted_by_tensor(self._model, self._subset).items():
            position = 0
            left = self.wanted_of(index).nbytes
            for shard, offset, size in extents:
                nbytes = min(size, left - position)
                if nbytes > 0:
                    yield Strided(shard, offset, nbytes, nbytes, 1), index, position
                    position += nbytes


class LoadedModel(Mapping[str, "NDArray[Any]"]):
    """A loaded model: tensor names to numpy arrays, all views on the same loaded bytes, unless they
    are decoded.

    An array is made when it is first asked for, and kept: whoever asks gets the same. `dict(model)`
    makes all. bf16 and fp8 come as ml_dtypes; types that numpy cannot represent as raw bytes, whose
    type `info` tells; decoded tensors as what they were decoded to. Arrays of a mapped model
    are read-only; one of a slice whose rows lie apart in the file is a copy, shared while anybody
    holds it. Those of a model that is read lazily are read in when they are asked for, shared as
    long, and what is written to them stays in this process. `model` is what the headers say,
    `model.metadata` among it.

    The memory lives as long as any array does. `close`, or the end of a `with` block, gives up
    this model's hold on it. Threads may share a model.
    """

    def __init__(  # noqa: PLR0913  each by its name
        self,
        model: Model,
        config: LoadConfig,
        places: TensorBytes,
        data_of: Callable[[int], Held],
        value_bytes: int = 0,
        *,
        keeps: bool = True,
    ) -> None:
        """`data_of` gives a tensor's bytes by its index, or its values where they are decoded, each
        of `value_bytes`. The model `keeps` the arrays, or shares them while others hold them.
        """
        self.model = model
        self.config = config
        self._places = places
        self._data_of = data_of
        self._value_bytes = value_bytes
        self._made: MutableMapping[str, NDArray[Any]] = {} if keeps else _WhileHeld()
        self._closed = False

    @cached_property
    def _index(self) -> dict[str, int]:
        # A load that nobody asks of yet ends sooner without it.
        tensors = self.model.tensors
        return {tensors[index].name: index for index in self._places.wanted}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hold no tensor any more; asking for one raises ValueError from now on."""
        self._closed = True
        # A thread that is just asking has what it makes to itself.
        self._data_of = _nothing
        self._made = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        made = self._made
        array = made.get(name)
        if array is None:
            if self._closed:
                _nothing(0)
            # Another thread may be faster: all get the same array.
            array = made.setdefault(name, self._array(self._index[name]))
        return array

    def _array(self, index: int) -> NDArray[Any]:
        wanted = self._places.wanted_of(index)
        shape, nbytes = wanted.shape, wanted.nbytes
        # What isn't decoded has no place where it has no bytes.
        has_data = nbytes or self.config.deliver == "decoded"
        try:
            found = self._data_of(index) if has_data else (memoryview(b""), 0)
        except MemoryError as error:
            raise OutOfMemoryError(address_space_remedy()) from error
        if isinstance(found, tuple):
            data, start = found
            return array_at(self.model.tensors[index].dtype, shape, data, start, nbytes)
        return found.reshape(shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    # Mapping's own compares arrays, which have no truth value.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __contains__(self, name: object) -> bool:
        # Mapping's own would read the tensor in.
        return name in self._index

    def __repr__(self) -> str:
        nbytes = sum(self._sizes_bytes())
        return (
            f"<LoadedModel {self.model.path}: {counted(len(self), 'tensor')}, {size_text(nbytes)}>"
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError("a loaded model can't be pickled: load it where it's needed")

    def _sizes_bytes(self) -> Iterator[int]:
        """What each tensor's array takes."""
        # Plain loads start sooner without it.
        from modelmon.core.model.stored_codes import stored_codes  # noqa: PLC0415

        codes = stored_codes(self.model) if self._value_bytes else frozenset[int]()
        for index in self._index.values():
            wanted = self._places.wanted_of(index)
            is_decoded = self._value_bytes and index not in codes
            yield self._value_bytes * prod(wanted.shape) if is_decoded else wanted.nbytes

    def info(self, name: str) -> Tensor:
        """The tensor's stored type, shape and place."""
        return self.model.tensors[self._index[name]]


class _WhileHeld(WeakValueDictionary[str, "NDArray[Any]"]):
    """Arrays, each for as long as anybody else holds it."""

    _turn = threading.Lock()

    def setdefault(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        with self._turn:  # that of a dict needs none
            return super().setdefault(name, array)


def prepare_arrays(model: Model) -> None:
    """Import what a model's arrays need: beside the reads that takes no time of its own."""
    for dtype in {tensor.dtype for tensor in model.tensors}:
        array_at(dtype, (0,), memoryview(b""), 0, 0)


def _nothing(_index: int) -> NoReturn:
    """What a closed model has."""
    raise ValueError("the model is closed")

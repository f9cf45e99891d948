"""A loaded model: tensor names to numpy arrays."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, MutableMapping
from functools import cache, cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn, Self
from weakref import WeakValueDictionary

from modelmon.core.load.threads import needed
from modelmon.core.units import counted, size_text

if TYPE_CHECKING:
    import mmap
    from collections.abc import Callable

    from numpy.typing import NDArray

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.pieces import TensorBytes
    from modelmon.core.model.tensors import Model, Tensor

    Held = tuple[mmap.mmap | memoryview, int] | NDArray[Any]
    """What holds a tensor's bytes, and where they begin there; or its values, decoded."""


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
        found = self._data_of(index) if has_data else (memoryview(b""), 0)
        if isinstance(found, tuple):
            data, start = found
            return _array_at()(self.model.tensors[index].dtype, shape, data, start, nbytes)
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


@cache
def _array_at() -> Callable[..., NDArray[Any]]:
    # numpy takes longer to import than most loads: it is not needed before the first array.
    needed("numpy")
    from modelmon.core.load.arrays import array_at  # noqa: PLC0415

    return array_at


def prepare_arrays(model: Model) -> None:
    """Import what a model's arrays need: beside the reads that takes no time of its own."""
    for dtype in {tensor.dtype for tensor in model.tensors}:
        _array_at()(dtype, (0,), memoryview(b""), 0, 0)


def _nothing(_index: int) -> NoReturn:
    """What a closed model has."""
    raise ValueError("the model is closed")

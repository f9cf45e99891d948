"""A loaded model: tensor names to numpy arrays."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from functools import cache
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


class LoadedModel(Mapping[str, "NDArray[Any]"]):
    """A loaded model: tensor names to numpy arrays, all views on the same loaded bytes, unless they
    are decoded.

    bf16 and fp8 come as ml_dtypes; types that numpy cannot represent as raw bytes, whose
    type `info` tells; decoded tensors as what they were decoded to. Arrays of a mapped model
    are read-only; one of a slice whose rows lie apart in the file is a copy, shared while anybody
    holds it. Those of a model that is read lazily are read in when they are asked for, and what
    is written to them stays in this process. `model` is what the headers say, `model.metadata`
    among it.

    The memory lives as long as any array does. `close`, or the end of a `with` block, gives up
    this model's hold on it. Threads may share a model.
    """

    def __init__(
        self,
        model: Model,
        config: LoadConfig,
        places: TensorBytes,
        data_of: Callable[[int], tuple[mmap.mmap | memoryview, int] | NDArray[Any]],
        value_bytes: int = 0,
    ) -> None:
        """`data_of` gives a tensor's bytes by its index, or its values where they are decoded, each
        of `value_bytes`.
        """
        self.model = model
        self.config = config
        self._places = places
        scales = model.scales
        self._index = {model.tensors[i].name: i for i in places.wanted if i not in scales}
        self._data_of = data_of
        self._value_bytes = value_bytes
        self._arrays: dict[str, NDArray[Any]] = {}
        self._held: WeakValueDictionary[str, NDArray[Any]] = WeakValueDictionary()
        self._holding = threading.Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hold no tensor any more; asking for one raises ValueError from now on."""
        self._closed = True
        self._data_of = _nothing  # a thread may just be asking
        self._arrays = {}
        self._held.clear()

    def __getitem__(self, name: str) -> NDArray[Any]:
        if self._closed:
            _nothing(0)
        made = self._arrays.get(name)
        if made is None:
            made = self._held.get(name)
        if made is None:
            made = self._array(self._index[name])
            with self._holding:
                # Another thread may have been faster: all get the same array.
                made = self._held.setdefault(name, made)
        return made

    def make_arrays(self) -> None:
        """Make every array now, and keep them; whoever asks gets the same."""
        self._arrays = {name: self._array(index) for name, index in self._index.items()}

    def _array(self, index: int) -> NDArray[Any]:
        shape, nbytes = self._places.shape(index), self._places.nbytes(index)
        # What isn't decoded has no place where it has no bytes.
        has_data = nbytes or self.config.deliver == "decoded"
        found = self._data_of(index) if has_data else (memoryview(b""), 0)
        if isinstance(found, tuple):
            return _array_at()(self.model.tensors[index].dtype, shape, *found, nbytes)
        if index in self.model.as_stored:
            return _array_at()(self.model.tensors[index].dtype, shape, found.data, 0, nbytes)
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
        nbytes = sum(map(self._nbytes, self._index.values()))
        return (
            f"<LoadedModel {self.model.path}: {counted(len(self), 'tensor')}, {size_text(nbytes)}>"
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError("a loaded model can't be pickled: load it where it's needed")

    def _nbytes(self, index: int) -> int:
        """What a tensor's array takes."""
        if self._value_bytes and index not in self.model.as_stored:
            return self._value_bytes * prod(self._places.shape(index))
        return self._places.nbytes(index)

    def info(self, name: str) -> Tensor:
        """The tensor's stored type, shape and place."""
        return self.model.tensors[self._index[name]]


@cache
def _array_at() -> Callable[..., NDArray[Any]]:
    # numpy takes longer to import than most loads: it is not needed before the first array.
    needed("numpy")
    from modelmon.core.load.arrays import array_at  # noqa: PLC0415

    return array_at


def _nothing(_index: int) -> NoReturn:
    """What a closed model has."""
    raise ValueError("the model is closed")

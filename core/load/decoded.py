"""Loads whose values are decoded to floats on their way into this process's memory."""

from __future__ import annotations

import math
import threading
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from modelmon.core.errors import ConfigError, OutOfMemoryError
from modelmon.core.load.decode import (
    FLOATS,
    decodable,
    decode_into,
    prepare_decoders,
    slow_decoder,
)
from modelmon.core.load.decode_units import TensorValues
from modelmon.core.load.fits import check_fits
from modelmon.core.load.in_process import engine_for, lazy_bytes, run
from modelmon.core.load.loaded import LoadedModel
from modelmon.core.load.pieces import TensorBytes
from modelmon.core.load.subset import WHOLE
from modelmon.core.load.unpack import unpack_into, unpacker
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from modelmon.core.load.decode import Fill, FloatName
    from modelmon.core.load.in_process import Progress, Work
    from modelmon.core.load.subset import Subset
    from modelmon.core.model.packed import Packed
    from modelmon.core.model.tensors import Model, Tensor


def prepare_decoding(model: Model, to: FloatName, subset: Subset) -> Model:
    """The model with each weight of several tensors as one, and ready what decodes the wanted ones
    to `to`; warns where that is slow.

    Raises ConfigError where a weight, a type or `to` isn't possible, and ModelFileError.
    """
    if not isinstance(to, str) or to not in FLOATS:
        raise ConfigError(
            Message("decode can't be {value}.", value=repr(to)),
            Message("Choose one of: {choices}.", choices=", ".join(FLOATS)),
        )
    model, dtypes = decodable(model, subset)
    prepare_decoders(dtypes, to)
    if slow := slow_decoder(dtypes, model.packed):
        warnings.warn(f"{slow.sentence} {slow.remedy}", stacklevel=3)
    return model


def value_bytes_of(to: FloatName) -> int:
    """Size of a value that is decoded to `to`."""
    return FLOATS[to].itemsize


def load_decoded(work: Work, to: FloatName, progress: Progress | None = None) -> LoadedModel:
    """Every wanted tensor as an array of `to`. Raises DoesNotFitError, and as `run` does."""
    model, config, plan, places = work
    helpers = model.helpers
    shapes = {i: model.tensors[i].shape for i in places.wanted if i not in helpers}
    elements = {index: math.prod(shape) for index, shape in shapes.items()}
    check_fits(config, plan, kept_bytes=value_bytes_of(to) * sum(elements.values()))
    try:
        values = {index: np.empty(count, dtype=FLOATS[to]) for index, count in elements.items()}
    except MemoryError as error:
        raise OutOfMemoryError(address_space_remedy()) from error

    def room(part: TensorValues, fill: Fill) -> None:
        fill(values[part.tensor][part.first_element : part.first_element + part.elements])

    with engine_for(work, room=room) as engine:
        run(engine, work, progress)
    packed = {each.tensor: each for each in model.packed}
    return LoadedModel(
        model,
        config,
        places,
        lambda index: _in_shape(values[index], shapes[index], packed.get(index)),
        value_bytes_of(to),
    )


def stream_decoded(
    work: Work,
    to: FloatName,
    consume: Callable[[Tensor, int, NDArray[Any]], None],
    progress: Progress | None = None,
) -> None:
    """Give the values of every wanted tensor to `consume`, as `to`, from the threads that decode
    them. Raises as `run` does, and whatever `consume` raises.
    """
    tensors = work.model.tensors
    own = threading.local()

    def room(part: TensorValues, fill: Fill) -> None:
        values: NDArray[Any] | None = getattr(own, "values", None)
        if values is None or values.size < part.elements:
            values = own.values = np.empty(part.elements, FLOATS[to])
        fill(values[: part.elements])
        consume(tensors[part.tensor], part.first_element, values[: part.elements])

    with engine_for(work, room=room) as engine:
        run(engine, work, progress)


def lazy_values(model: Model, places: TensorBytes, to: FloatName) -> Callable[[int], NDArray[Any]]:
    """Each wanted tensor as an array of `to` by its index, read in and decoded when it's asked for.

    The tensors are whole ones. Raises LoadFailedError, as what is returned does.
    """
    # What other tensors hold of a weight need not be wanted itself.
    stored = lazy_bytes(model, TensorBytes(model, WHOLE) if model.packed else places)
    tensors = model.tensors
    packed = {each.tensor: each for each in model.packed}

    def data_of(index: int) -> memoryview:
        data, start = stored(index)
        return memoryview(data)[start : start + tensors[index].nbytes]

    def values_of(index: int) -> NDArray[Any]:
        tensor, weight = tensors[index], packed.get(index)
        values = np.empty(math.prod(tensor.shape), FLOATS[to])
        if weight is None:
            decode_into(data_of(index), tensor.dtype, values)
        else:
            needed = {role: (tensors[i].dtype, data_of(i)) for role, i in weight.helpers.items()}
            whole = TensorValues(tensor.dtype, 0, tensor.nbytes, index, 0, values.size)
            unpack_into(unpacker(weight, needed), weight, data_of(index), whole, values)
        return _in_shape(values, tensor.shape, weight)

    return values_of


def _in_shape(values: NDArray[Any], shape: tuple[int, ...], packed: Packed | None) -> NDArray[Any]:
    if packed is not None and packed.is_transposed:
        return values.reshape(shape[::-1]).T
    return values.reshape(shape)

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
from modelmon.core.load.decode_units import STORED, TensorValues
from modelmon.core.load.fits import check_fits
from modelmon.core.load.in_process import engine_for, lazy_bytes, run
from modelmon.core.load.loaded import LoadedModel
from modelmon.core.load.part_decoder import decode_scaled, scales_of
from modelmon.core.load.pieces import TensorBytes
from modelmon.core.load.subset import WHOLE
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.messages import Message
from modelmon.core.model.scaled_weights import kept_as_stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from modelmon.core.load.decode import Fill, FloatName
    from modelmon.core.load.in_process import Progress, Work
    from modelmon.core.load.subset import Subset
    from modelmon.core.model.tensors import Model, Tensor


def prepare_decoding(model: Model, to: FloatName, subset: Subset) -> Model:
    """The model as it is decoded, and ready what decodes the wanted tensors to `to`; warns where
    that is slow, and where much of it stays as it is stored.

    Raises ConfigError where a type or `to` isn't possible, and ModelFileError.
    """
    if not isinstance(to, str) or to not in FLOATS:
        raise ConfigError(
            Message("decode can't be {value}.", value=repr(to)),
            Message("Choose one of: {choices}.", choices=", ".join(FLOATS)),
        )
    model, dtypes = decodable(model, subset)
    prepare_decoders(dtypes, to)
    if slow := slow_decoder(dtypes):
        warnings.warn(f"{slow.sentence} {slow.remedy}", stacklevel=3)
    if kept := kept_as_stored(model):
        warnings.warn(kept, stacklevel=3)
    return model


def value_bytes_of(to: FloatName) -> int:
    """Size of a value that is decoded to `to`."""
    return FLOATS[to].itemsize


def load_decoded(work: Work, to: FloatName, progress: Progress | None = None) -> LoadedModel:
    """Every wanted tensor as an array of `to`, or of its own type where it stays as it is stored.
    Raises DoesNotFitError, and as `run` does."""
    model, config, plan, places = work
    tensors, each_bytes = model.tensors, value_bytes_of(to)
    wanted = [index for index in places.wanted if index not in model.scales]
    sizes = {
        index: tensors[index].nbytes if index in model.as_stored else each_bytes * count
        for index in wanted
        for count in (math.prod(tensors[index].shape),)
    }
    check_fits(config, plan, kept_bytes=sum(sizes.values()))
    try:
        kept = {index: np.empty(size, np.uint8) for index, size in sizes.items()}
    except MemoryError as error:
        raise OutOfMemoryError(address_space_remedy()) from error
    values = {
        index: data if index in model.as_stored else data.view(FLOATS[to])
        for index, data in kept.items()
    }

    def room(part: TensorValues, fill: Fill) -> None:
        fill(values[part.tensor][part.first_element : part.first_element + part.elements])

    with engine_for(work, room=room) as engine:
        run(engine, work, progress)
    return LoadedModel(model, config, places, lambda index: values[index], each_bytes)


def stream_decoded(
    work: Work,
    to: FloatName,
    consume: Callable[[Tensor, int, NDArray[Any]], None],
    progress: Progress | None = None,
) -> None:
    """Give the values of every wanted tensor to `consume`, as `to`, from the threads that decode
    them; of what stays as it is stored the bytes. Raises as `run` does, and whatever `consume`
    raises.
    """
    tensors = work.model.tensors
    own = threading.local()

    def room(part: TensorValues, fill: Fill) -> None:
        floats = np.dtype(np.uint8) if part.dtype == STORED else FLOATS[to]
        nbytes = part.elements * floats.itemsize
        kept: NDArray[np.uint8] | None = getattr(own, "kept", None)
        if kept is None or kept.size < nbytes:
            kept = own.kept = np.empty(nbytes, np.uint8)
        values = kept[:nbytes].view(floats)
        fill(values)
        consume(tensors[part.tensor], part.first_element, values)

    with engine_for(work, room=room) as engine:
        run(engine, work, progress)


def lazy_values(model: Model, places: TensorBytes, to: FloatName) -> Callable[[int], NDArray[Any]]:
    """Each wanted tensor by its index, read in when it's asked for: as an array of `to`, or as its
    bytes where it stays as it is stored.

    The tensors are whole ones. Raises LoadFailedError, as what is returned does.
    """
    # Scales of a weight need not be wanted themselves.
    stored = lazy_bytes(model, TensorBytes(model, WHOLE) if model.scaled else places)
    tensors = model.tensors
    weights = {each.tensor: each for each in model.scaled}

    def data_of(index: int) -> memoryview:
        data, start = stored(index)
        return memoryview(data)[start : start + tensors[index].nbytes]

    def values_of(index: int) -> NDArray[Any]:
        tensor = tensors[index]
        if index in model.as_stored:
            return np.frombuffer(data_of(index), np.uint8)
        values = np.empty(math.prod(tensor.shape), FLOATS[to])
        if (weight := weights.get(index)) is None:
            decode_into(data_of(index), tensor.dtype, values)
        else:
            scales = scales_of(tensors[weight.scale].dtype, data_of(weight.scale))
            whole = TensorValues(tensor.dtype, 0, tensor.nbytes, index, 0, values.size)
            decode_scaled(weight, scales, data_of(index), whole, values)
        return values

    return values_of

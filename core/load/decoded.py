"""Loads into this process whose values become floats on the way: at once, streamed or lazily.

What a load of stored bytes needs is in in_process.py; numpy is imported here, so that such loads
start without it.
"""

from __future__ import annotations

import math
import threading
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from modelmon.core.errors import ConfigError, OutOfMemoryError
from modelmon.core.load.decode import (
    FLOATS,
    decode_into,
    decoded_types,
    prepare_decoders,
    slow_decoder,
)
from modelmon.core.load.fits import check_fits
from modelmon.core.load.in_process import engine_for, lazy_bytes, run
from modelmon.core.load.loaded import LoadedModel
from modelmon.core.load.plan import STORED
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.messages import Message
from modelmon.core.model.stored_codes import kept_as_stored, stored_codes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from modelmon.core.load.decode import Fill, FloatName
    from modelmon.core.load.in_process import Progress, Work
    from modelmon.core.load.loaded import Held, TensorBytes
    from modelmon.core.load.plan import TensorValues
    from modelmon.core.load.subset import Subset
    from modelmon.core.model.tensors import Model, Tensor


def prepare_decoding(model: Model, to: FloatName, subset: Subset) -> None:
    """Have ready what decodes the wanted tensors to `to`; warns where that is slow, and where much
    of the model stays as it is stored.

    Raises ConfigError where a type or `to` isn't possible.
    """
    if not isinstance(to, str) or to not in FLOATS:
        raise ConfigError(
            Message("decode can't be {value}.", value=repr(to)),
            Message("Choose one of: {choices}.", choices=", ".join(FLOATS)),
        )
    dtypes = decoded_types(model, subset)
    prepare_decoders(dtypes, to)
    if slow := slow_decoder(dtypes):
        warnings.warn(f"{slow.sentence} {slow.remedy}", stacklevel=3)
    if kept := kept_as_stored(model):
        warnings.warn(kept, stacklevel=3)


def value_bytes_of(to: FloatName) -> int:
    """Size of a value that is decoded to `to`."""
    return FLOATS[to].itemsize


def load_decoded(work: Work, to: FloatName, progress: Progress | None = None) -> LoadedModel:
    """Every wanted tensor as an array of `to`, or of its own type where it stays as it is stored.
    Raises DoesNotFitError, and as `run` does."""
    model, config, plan, places = work
    tensors, each_bytes = model.tensors, value_bytes_of(to)
    codes = stored_codes(model)
    sizes = {
        index: tensors[index].nbytes
        if index in codes
        else each_bytes * math.prod(tensors[index].shape)
        for index in places.wanted
    }
    check_fits(config, plan, kept_bytes=sum(sizes.values()))
    try:
        kept = {index: np.empty(size, np.uint8) for index, size in sizes.items()}
    except MemoryError as error:
        raise OutOfMemoryError(address_space_remedy()) from error
    values = {
        index: data if index in codes else data.view(FLOATS[to]) for index, data in kept.items()
    }

    def data_of(index: int) -> Held:
        return (kept[index].data, 0) if index in codes else values[index]

    def room(part: TensorValues, fill: Fill) -> None:
        fill(values[part.tensor][part.first_element : part.first_element + part.elements])

    with engine_for(work, room=room) as engine:
        run(engine, work, progress)
    return LoadedModel(model, config, places, data_of, each_bytes)


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


def lazy_values(model: Model, places: TensorBytes, to: FloatName) -> Callable[[int], Held]:
    """Each wanted tensor by its index, read in when it's asked for: as an array of `to`, or where
    its bytes are if it stays as it is stored.

    The tensors are whole ones. Raises LoadFailedError, as what is returned does.
    """
    stored, codes = lazy_bytes(model, places), stored_codes(model)

    def data_of(index: int) -> Held:
        tensor = model.tensors[index]
        held, start = stored(index)
        if index in codes:
            return held, start
        data = memoryview(held)[start : start + tensor.nbytes]
        values = np.empty(math.prod(tensor.shape), FLOATS[to])
        decode_into(data, tensor.dtype, values)
        return values

    return data_of

"""Loads whose values are decoded to floats on their way into this process's memory."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from modelmon.core.errors import ConfigError
from modelmon.core.load.decode import (
    FLOATS,
    INSTALL_KERNELS,
    check_decodable,
    prepare_decoders,
    slow_decoder,
)
from modelmon.core.load.fits import check_fits
from modelmon.core.load.in_process import engine_for, run
from modelmon.core.load.loaded import LoadedModel
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from modelmon.core.load.decode import FloatName
    from modelmon.core.load.decode_units import TensorValues
    from modelmon.core.load.in_process import Progress, Work
    from modelmon.core.model.tensors import Model


def prepare_decoding(model: Model, to: FloatName) -> None:
    """Have ready what decodes the model's types to `to`; warns where that is slow.

    Raises ConfigError where a type or `to` isn't possible.
    """
    if to not in FLOATS:
        raise ConfigError(
            Message("decode can't be {value}.", value=repr(to)),
            Message("Choose one of: {choices}.", choices=", ".join(FLOATS)),
        )
    check_decodable(model)
    dtypes = {tensor.dtype for tensor in model.tensors}
    prepare_decoders(dtypes, to)
    if slow := slow_decoder(dtypes, model.packed):
        warnings.warn(f"{slow} {INSTALL_KERNELS}", stacklevel=3)


def load_decoded(work: Work, to: FloatName, progress: Progress | None = None) -> LoadedModel:
    """Every wanted tensor as an array of `to`. Raises DoesNotFitError, and as `run` does."""
    model, config, plan, places = work
    helpers = model.helpers
    shapes = {i: model.tensors[i].shape for i in places.wanted if i not in helpers}
    elements = {index: math.prod(shape) for index, shape in shapes.items()}
    check_fits(config, plan, kept_bytes=FLOATS[to].itemsize * sum(elements.values()))
    values = {index: np.empty(count, dtype=FLOATS[to]) for index, count in elements.items()}

    def room(part: TensorValues) -> NDArray[Any]:
        return values[part.tensor][part.first_element : part.first_element + part.elements]

    run(engine_for(work, room=room), work, progress)
    transposed = {each.tensor for each in model.packed if each.is_transposed}

    def values_of(index: int) -> NDArray[Any]:
        if index in transposed:
            return values[index].reshape(shapes[index][::-1]).T
        return values[index]

    return LoadedModel(model, config, places, values_of)

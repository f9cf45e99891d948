"""What becomes of the parts of a decoding load: values, or scales that others need for theirs."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from modelmon.core.load.decode import (
    BATCH_ELEMENTS,
    decode_into,
    dropped,
    kernels,
    prepare_decoders,
    round_into,
    scratch,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from modelmon.core.load.decode import Fill
    from modelmon.core.load.decode_units import TensorValues
    from modelmon.core.model.scaled_weight import ScaledWeight

    Room = Callable[[TensorValues, Fill], None]
    """Has the values of a part written to where they go."""

_LOOK_S = 0.05
_SCALE_BYTES = {"F32": 4, "BF16": 2, "F16": 2, "F8_E8M0": 1}


class PartDecoder:
    """Decodes all parts of one process's load; any thread may call it.

    Parts of a scaled weight wait until the scales of all are there: no reader may have one of
    these behind such a part.
    """

    def __init__(
        self,
        parts: Iterable[TensorValues],
        scaled: Sequence[ScaledWeight],
        room: Room | None = None,
    ) -> None:
        """Compile whatever `parts` take. Without `room`, values are made and dropped.

        Raises ConfigError for a type that cannot be decoded.
        """
        self._room = room or dropped
        self._weights = {each.tensor: each for each in scaled}
        self._scales = {each.scale: np.empty(0, np.float32) for each in scaled}
        self._missing = 0
        types: set[str] = set()
        sizes = dict.fromkeys(self._scales, 0)
        for part in parts:
            types.add(part.dtype)
            if part.tensor in self._scales:
                sizes[part.tensor] += part.elements
                self._missing += 1
        self._scales = {index: np.empty(size, np.float32) for index, size in sizes.items()}
        self._turn = threading.Lock()
        self._complete = threading.Event()
        if not self._missing:
            self._complete.set()
        prepare_decoders(types)
        if scaled:
            prepare_scaling()

    def decode(self, data: memoryview, part: TensorValues, stop: threading.Event) -> int:
        """Take in a part; gives up where `stop` is set while it waits. Returns how long it waited
        for what others read, in nanoseconds.
        """
        if (scales := self._scales.get(part.tensor)) is not None:
            first = part.first_element
            decode_into(data, part.dtype, scales[first : first + part.elements])
            with self._turn:
                self._missing -= 1
                if not self._missing:
                    self._complete.set()
            return 0
        if (weight := self._weights.get(part.tensor)) is None:
            self._room(part, partial(decode_into, data, part.dtype))
            return 0
        began_ns = time.monotonic_ns()
        while not self._complete.wait(_LOOK_S):
            if stop.is_set():
                break
        waited_ns = time.monotonic_ns() - began_ns
        if self._complete.is_set():
            self._room(part, partial(decode_scaled, weight, self._scales[weight.scale], data, part))
        return waited_ns


def prepare_scaling() -> None:
    """Have everything ready that scaled weights take besides their own types."""
    if (compiled := kernels()) is not None:
        matrix = np.empty((0, 1), np.float32)
        compiled.SCALED_ROWS(matrix, matrix, 1)


def scales_of(dtype: str, data: memoryview) -> NDArray[np.float32]:
    """A tensor of scales as float32."""
    values = np.empty(len(data) // _SCALE_BYTES[dtype], np.float32)
    decode_into(data, dtype, values)
    return values


def decode_scaled(
    weight: ScaledWeight,
    scales: NDArray[np.float32],
    data: memoryview,
    part: TensorValues,
    out: NDArray[Any],
) -> None:
    """Write the values in `data`, whole rows of a weight, to `out`, of a type in FLOATS.

    Each is its code times its scale, in float32. Values are rounded, and temporaries bounded, as
    by `decode_into`.
    """
    step = max(1, BATCH_ELEMENTS // weight.columns) * weight.columns
    with np.errstate(all="ignore"):
        for start in range(0, len(data), step):
            batch = out[start : start + step]
            exact = out.dtype == np.float32
            values = batch if exact else scratch(batch.size)[: batch.size]
            decode_into(data[start : start + step], part.dtype, values)
            _scale(weight, scales, part.first_element + start, values)
            if not exact:
                round_into(values, batch)


def _scale(
    weight: ScaledWeight, scales: NDArray[np.float32], first: int, values: NDArray[np.float32]
) -> None:
    """Multiply the values from number `first` on, in place."""
    if not weight.scale_rows:
        values *= scales[0]
        return
    columns, block_columns = weight.columns, weight.block_columns
    matrix = values.reshape(-1, columns)
    row = np.arange(len(matrix)) + first // columns
    held = row // weight.rows * weight.scale_rows + row % weight.rows // weight.block_rows
    of_rows = scales.reshape(-1, -(-columns // block_columns))[held]
    if (compiled := kernels()) is not None:
        compiled.SCALED_ROWS(matrix, of_rows, block_columns)
    else:
        matrix *= np.repeat(of_rows, block_columns, axis=1)[:, :columns]

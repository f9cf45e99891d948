"""Decoding for measurement: the values are made, in memory that is used again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modelmon.core.load.decode import decode_into

if TYPE_CHECKING:
    from modelmon.core.load.decode_units import TensorValues
    from modelmon.core.load.decoding import Decode


def decode_and_drop() -> Decode:
    """A decoder for one reader that keeps no values."""
    scratch = np.empty(0, dtype=np.float32)

    def decode(data: memoryview, part: TensorValues) -> None:
        nonlocal scratch
        if scratch.size < part.elements:
            scratch = np.empty(part.elements, dtype=np.float32)
        decode_into(data, part.dtype, scratch[: part.elements])

    return decode

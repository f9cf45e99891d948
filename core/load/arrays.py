"""Tensors as numpy arrays over loaded bytes, without a copy."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from modelmon.core.load.threads import needed

if TYPE_CHECKING:
    import mmap

    from numpy.typing import DTypeLike, NDArray

    from modelmon.core.load.slices import Strided

# Names of safetensors and, where they are the same type, of GGML. Types that are not here
# (packed below a byte, quantised) come as raw bytes: Tensor.dtype says what they hold.
_TYPES: dict[str, DTypeLike] = {
    "BOOL": np.bool_,
    "U8": np.uint8,
    "I8": np.int8,
    "U16": np.uint16,
    "I16": np.int16,
    "U32": np.uint32,
    "I32": np.int32,
    "U64": np.uint64,
    "I64": np.int64,
    "F16": np.float16,
    "F32": np.float32,
    "F64": np.float64,
    "C64": np.complex64,
}
OF_ML_DTYPES = {
    "BF16": "bfloat16",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E8M0": "float8_e8m0fnu",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
}
"""Types that ml_dtypes adds to numpy, by their names in safetensors."""


@cache
def _dtype(name: str) -> np.dtype[Any] | None:
    if name in _TYPES:
        return np.dtype(_TYPES[name])
    if name not in OF_ML_DTYPES:
        return None
    # Models without such types start sooner without it.
    dtype: np.dtype[Any] = np.dtype(getattr(needed("ml_dtypes"), OF_ML_DTYPES[name]))
    return dtype


def rows_together(mapping: mmap.mmap, part: Strided) -> memoryview:
    """A copy of the runs of `part`, end to end; read-only where what is mapped is."""
    shape, strides = (part.runs, part.run_bytes), (part.stride_bytes, 1)
    rows: NDArray[np.uint8] = np.ndarray(shape, np.uint8, mapping, part.offset_bytes, strides)
    together = rows.reshape(-1).data
    return together.toreadonly() if memoryview(mapping).readonly else together


def array_at(
    dtype_name: str, shape: tuple[int, ...], data: mmap.mmap | memoryview, start: int, nbytes: int
) -> NDArray[Any]:
    """As `array_of` of the `nbytes` from `start` on, for thousands of tensors in one memory."""
    dtype = _dtype(dtype_name)
    if dtype is None or not nbytes:
        return array_of(dtype_name, shape, memoryview(data)[start : start + nbytes])
    # A view for each, and what numpy makes of one, would take five times as long.
    return np.ndarray(shape, dtype, data, start)


def array_of(dtype_name: str, shape: tuple[int, ...], data: memoryview) -> NDArray[Any]:
    """`data`, stored bytes of the named type, as an array of `shape`.

    A type that numpy cannot represent becomes uint8: rows of raw bytes where each row is
    stored in whole bytes, else one flat run.
    """
    dtype = _dtype(dtype_name)
    if not len(data):
        return np.empty(shape, dtype=dtype or np.uint8)
    if dtype is not None:
        return np.frombuffer(data, dtype=dtype).reshape(shape)
    raw = np.frombuffer(data, dtype=np.uint8)
    rows = math.prod(shape[:-1])
    if len(shape) > 1 and len(data) % rows == 0:
        return raw.reshape(*shape[:-1], len(data) // rows)
    return raw

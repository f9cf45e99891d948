"""Tensors as numpy arrays over loaded bytes, without a copy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray
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
    "BF16": ml_dtypes.bfloat16,
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
    "F8_E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "F8_E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
}

_DTYPES = {name: np.dtype(kind) for name, kind in _TYPES.items()}


def array_of(dtype_name: str, shape: tuple[int, ...], data: memoryview) -> NDArray[Any]:
    """`data`, stored bytes of the named type, as an array of `shape`.

    A type that numpy cannot represent becomes uint8: rows of raw bytes where each row is
    stored in whole bytes, else one flat run.
    """
    dtype = _DTYPES.get(dtype_name)
    if not len(data):
        return np.empty(shape, dtype=dtype or np.uint8)
    if dtype is not None:
        return np.frombuffer(data, dtype=dtype).reshape(shape)
    raw = np.frombuffer(data, dtype=np.uint8)
    rows = math.prod(shape[:-1])
    if len(shape) > 1 and len(data) % rows == 0:
        return raw.reshape(*shape[:-1], len(data) // rows)
    return raw

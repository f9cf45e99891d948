"""Small files of fp8 with scales in other tensors, and what their values are by definition."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

DTYPES = {
    "uint8": "U8",
    "int32": "I32",
    "int64": "I64",
    "uint32": "U32",
    "float16": "F16",
    "float32": "F32",
    "bfloat16": "BF16",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
    "float8_e4m3fnuz": "F8_E4M3FNUZ",
    "int8": "I8",
}
# Zero, the smallest subnormal, the largest subnormal, 1, the largest, infinity, NaN; negated.
ODD_SINGLES = np.array(
    [
        b | s
        for b in (0, 1, 0x7FFFFF, 1 << 23, 0x7F7FFFFF, 0x7F800000, 0x7FC00000)
        for s in (0, 1 << 31)
    ],
    np.uint32,
).view(np.float32)


class Weight(NamedTuple):
    """A weight: its name, its tensors, and its values in float32."""

    name: str
    tensors: dict[str, NDArray[Any]]
    values: NDArray[np.float32]


def write(path, *weights):
    """One safetensors file, in the order that safetensors writes: large types first, by name."""
    tensors = {name: array for weight in weights for name, array in weight.tensors.items()}
    header, data = {}, b""
    for name in sorted(tensors, key=lambda name: (-tensors[name].itemsize, name)):
        stored = np.ascontiguousarray(tensors[name]).tobytes()
        header[name] = {
            "dtype": DTYPES[tensors[name].dtype.name],
            "shape": list(tensors[name].shape),
            "data_offsets": [len(data), len(data) + len(stored)],
        }
        data += stored
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def plain(name, shape=(5, 3)):
    values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    return Weight(name, {name: values}, values)


def fp8(name, shape, scale, block, *, kind=ml_dtypes.float8_e4m3fn, suffix="_scale_inv", named=""):
    """`scale` holds one for each `block` of rows and columns of each matrix; it is the tensor that
    is `named` so.
    """
    count = int(np.prod(shape))
    codes = np.random.default_rng(count).integers(0, 256, count, np.uint8)
    codes[: min(256, count)] = np.arange(min(256, count))
    stored = codes.view(kind).reshape(shape)
    values = np.empty(shape, np.float32)
    of = scale.astype(np.float32)
    of = of.reshape(*of.shape, *[1] * (len(shape) - of.ndim)) if of.size > 1 else of
    for place in np.ndindex(*shape):
        if of.size == 1:
            one = of.reshape(-1)[0]
        else:
            one = of[(*place[:-2], place[-2] // block[0], place[-1] // block[1])]
        values[place] = np.float32(stored[place]) * one
    return Weight(name, {name: stored, named or f"{name}{suffix}": scale}, values)


def configure(folder, **quantization):
    """What transformers keeps beside the weights."""
    text = json.dumps({"model_type": "llama", "quantization_config": quantization})
    (folder / "config.json").write_text(text)

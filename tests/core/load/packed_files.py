"""Small files of weights that several tensors make up, and what their values are by definition.

The definitions are written down value by value, as the formats' own sources have them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

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
E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6]
AWQ_ORDER = [0, 2, 4, 6, 1, 3, 5, 7]
# Zero, the smallest subnormal, the largest subnormal, 1, the largest, infinity, NaN; negated.
ODD_HALVES = np.array(
    [h | s for h in (0, 1, 0x3FF, 0x3C00, 0x7BFF, 0x7C00, 0x7E00) for s in (0, 0x8000)], np.uint16
).view(np.float16)
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


def write(path: Path, *weights: Weight) -> Path:
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


def plain(name: str, shape: tuple[int, ...] = (5, 3)) -> Weight:
    values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    return Weight(name, {name: values}, values)


def bitsandbytes(
    name: str,
    shape: tuple[int, ...],
    block: int = 64,
    *,
    nested: bool,
    kind: str = "nf4",
    storage: str = "uint8",
) -> Weight:
    draw = np.random.default_rng(block)
    count = int(np.prod(shape))
    codes = draw.integers(0, 256, count // 2, np.uint8)
    codes[: min(256, codes.size)] = np.arange(min(256, codes.size))
    table = np.sort(draw.standard_normal(16)).astype(np.float32)
    blocks = -(-count // block)
    state: dict[str, Any] = {
        "quant_type": kind,
        "blocksize": block,
        "dtype": "float16",
        "shape": shape,
    }
    tensors: dict[str, NDArray[Any]] = {
        name: codes.view(storage).reshape(-1, 1),
        f"{name}.quant_map": table,
    }
    if nested:
        of_scales = draw.integers(0, 256, blocks, np.uint8)
        inner = np.sort(draw.standard_normal(256)).astype(np.float32)
        outer = draw.standard_normal(-(-blocks // 256)).astype(np.float32)
        outer[0] = ODD_SINGLES[2]
        state |= {"nested_blocksize": 256, "nested_dtype": "float32", "nested_offset": 0.04321}
        tensors |= {
            f"{name}.absmax": of_scales,
            f"{name}.nested_absmax": outer,
            f"{name}.nested_quant_map": inner,
        }
        scales = [
            np.float32(inner[code] * outer[number // 256]) + np.float32(0.04321)
            for number, code in enumerate(of_scales)
        ]
    else:
        absmax = draw.standard_normal(blocks).astype(np.float32)
        absmax[: ODD_SINGLES.size] = ODD_SINGLES[: absmax.size]
        tensors[f"{name}.absmax"] = absmax
        scales = list(absmax)
    text = json.dumps(state).encode()
    tensors[f"{name}.quant_state.bitsandbytes__{kind}"] = np.frombuffer(text, np.uint8)
    values = np.empty(count, np.float32)
    for at in range(count):
        code = codes[at // 2] >> 4 if at % 2 == 0 else codes[at // 2] & 15
        values[at] = table[code] * scales[at // block]
    return Weight(name, tensors, values.reshape(shape))


def mxfp4(name: str, rows: tuple[int, ...], groups: int, separator: str = "_") -> Weight:
    draw = np.random.default_rng(groups)
    blocks = draw.integers(0, 256, (*rows, groups, 16), np.uint8)
    scales = draw.integers(0, 256, (*rows, groups), np.uint8)
    flat, exponents = blocks.reshape(-1), scales.reshape(-1)
    flat[:256] = np.arange(256)
    exponents[:256] = np.arange(min(256, exponents.size))
    values = np.empty(2 * flat.size, np.float32)
    for at in range(values.size):
        code = flat[at // 2] & 15 if at % 2 == 0 else flat[at // 2] >> 4
        exponent = int(exponents[at // 32])
        scale = np.nan if exponent == 255 else 2.0 ** (exponent - 127)
        values[at] = np.float64(E2M1[code]) * scale
    tensors = {f"{name}{separator}blocks": blocks, f"{name}{separator}scales": scales}
    return Weight(name, tensors, values.reshape(*rows, 32 * groups))


def fp8(
    name: str,
    shape: tuple[int, ...],
    scale: NDArray[Any],
    block: tuple[int, int],
    *,
    kind: Any = ml_dtypes.float8_e4m3fn,
    suffix: str = "_scale_inv",
    named: str = "",
) -> Weight:
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


def in_words(codes: NDArray[Any], bits: int) -> NDArray[np.uint32]:
    """Each column as a string of bits, lowest first, cut into words: a code may lie in two."""
    words = np.zeros((len(codes) * bits // 32, codes.shape[1]), np.uint32)
    for row, code in enumerate(codes.astype(np.uint32)):
        for bit in range(bits):
            at = row * bits + bit
            words[at // 32] |= (code >> np.uint32(bit) & np.uint32(1)) << np.uint32(at % 32)
    return words


def gptq(
    module: str,
    inputs: int,
    outputs: int,
    group: int,
    *,
    bits: int = 4,
    act_order: bool = True,
    zero: int = 1,
) -> Weight:
    draw = np.random.default_rng(inputs)
    most = (1 << bits) - 1
    codes = draw.integers(0, most + 1, (inputs, outputs))
    groups = -(-inputs // group)
    zeros = draw.integers(0, most + 1, (groups, outputs))
    scales = draw.standard_normal((groups, outputs)).astype(np.float16)
    scales.reshape(-1)[: ODD_HALVES.size] = ODD_HALVES[: scales.size]
    of_rows = np.arange(inputs) // group
    if act_order:
        draw.shuffle(of_rows)
    words, packed_zeros = in_words(codes, bits), in_words(zeros.T, bits).T.copy()
    values = np.empty((outputs, inputs), np.float32)
    for row in range(inputs):
        for column in range(outputs):
            point = (zeros[of_rows[row], column] + zero) & most
            scale = np.float32(scales[of_rows[row], column])
            values[column, row] = np.float32(codes[row, column] - point) * scale
    tensors: dict[str, NDArray[Any]] = {
        f"{module}.qweight": words.view(np.int32),
        f"{module}.qzeros": packed_zeros.view(np.int32),
        f"{module}.scales": scales,
    }
    if act_order:
        tensors[f"{module}.g_idx"] = of_rows.astype(np.int32)
    return Weight(f"{module}.weight", tensors, values)


def awq(module: str, inputs: int, outputs: int, group: int) -> Weight:
    draw = np.random.default_rng(outputs)
    codes = draw.integers(0, 16, (inputs, outputs), np.uint32)
    groups = inputs // group
    zeros = draw.integers(0, 16, (groups, outputs), np.uint32)
    scales = draw.standard_normal((groups, outputs)).astype(np.float16)
    scales.reshape(-1)[: ODD_HALVES.size] = ODD_HALVES[: scales.size]

    def packed(values: NDArray[np.uint32]) -> NDArray[np.int32]:
        words = np.zeros((len(values), outputs // 8), np.uint32)
        for word in range(outputs // 8):
            for place, column in enumerate(AWQ_ORDER):
                words[:, word] |= values[:, 8 * word + column] << np.uint32(4 * place)
        return words.view(np.int32)

    values = np.empty((outputs, inputs), np.float32)
    for row in range(inputs):
        for column in range(outputs):
            code = int(codes[row, column]) - int(zeros[row // group, column])
            values[column, row] = np.float32(code) * np.float32(scales[row // group, column])
    tensors = {
        f"{module}.qweight": packed(codes),
        f"{module}.qzeros": packed(zeros),
        f"{module}.scales": scales,
    }
    return Weight(f"{module}.weight", tensors, values)


def awq_gemv(module: str, inputs: int, outputs: int, group: int, width: int) -> Weight:
    """Rows of outputs, with `width` words of zero points and eight times as many scales each, of
    which those that no group has are odd.
    """
    draw = np.random.default_rng(outputs)
    codes = draw.integers(0, 16, (outputs, inputs), np.uint32)
    zeros = draw.integers(0, 16, (outputs, 8 * width), np.uint32)
    scales = draw.standard_normal((outputs, 8 * width)).astype(np.float16)
    scales.reshape(-1)[: ODD_HALVES.size] = ODD_HALVES[: scales.size]
    values = np.empty((outputs, inputs), np.float32)
    for row in range(outputs):
        for column in range(inputs):
            code = int(codes[row, column]) - int(zeros[row, column // group])
            values[row, column] = np.float32(code) * np.float32(scales[row, column // group])
    tensors = {
        f"{module}.qweight": in_words(codes.T, 4).T.copy().view(np.int32),
        f"{module}.qzeros": in_words(zeros.T, 4).T.copy().view(np.int32),
        f"{module}.scales": scales,
    }
    return Weight(f"{module}.weight", tensors, values)


def configure(folder: Path, **quantization: object) -> None:
    """What transformers keeps beside the weights."""
    text = json.dumps({"model_type": "llama", "quantization_config": quantization})
    (folder / "config.json").write_text(text)

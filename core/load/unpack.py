"""Values of weights that a file stores as several tensors: what core/model/packed_weights.py finds.

Every value is the format's own, in float32: codes, zero points and scales are turned into float32
without loss, and what is made of them is rounded once by each operation of the definition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.decode import BATCH_ELEMENTS, decode_into, kernels, round_into, scratch
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from modelmon.core.load.decode_units import TensorValues
    from modelmon.core.model.packed import Packed

    Floats = NDArray[np.float32]
    Unpack = Callable[[memoryview, str, int, Floats], None]
    """Codes of a stored type, whole blocks from the one of this number on, into float32."""

    Helper = tuple[str, memoryview]
    """The stored type and the bytes of a tensor that others need."""

_E2M1 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
"""Values of E2M1 (OCP "Microscaling Formats (MX)", table 5); those from 8 on are negated."""

_AWQ_ORDER = (0, 4, 1, 5, 2, 6, 3, 7)
"""Of the eight codes in a word, lowest bits first, which one is value 0, 1, and so on."""

_CODES = np.arange(256)
_ITEM_BYTES = {"F32": 4, "BF16": 2, "F16": 2, "F8_E8M0": 1}


def unpacker(packed: Packed, helpers: Mapping[str, Helper]) -> Unpack:
    """What decodes a weight, once its helpers are there, by their roles. Raises LoadFailedError
    where they contradict one another.
    """
    return _UNPACKERS[packed.packing](packed, helpers)


def unpack_into(
    unpack: Unpack, packed: Packed, data: memoryview, part: TensorValues, out: NDArray[Any]
) -> None:
    """Write the values in `data`, a part of a weight's codes, to `out`, of a type in FLOATS.

    Values are rounded, and temporaries bounded, as by `decode_into`.
    """
    block_bytes, block_values = packed.block_bytes, packed.block_values
    first, blocks = part.first_element // block_values, -(-len(data) // block_bytes)
    exact = out.dtype == np.float32
    # Kernels make nothing in between, and need the interpreter once.
    whole = exact and kernels() is not None and packed.packing != "fp8"
    step = max(1, blocks) if whole else max(1, BATCH_ELEMENTS // block_values)
    with np.errstate(all="ignore"):
        for block in range(0, blocks, step):
            stored = data[block * block_bytes : (block + step) * block_bytes]
            batch = out[block * block_values : (block + step) * block_values]
            values = batch if exact else scratch(batch.size)[: batch.size]
            unpack(stored, part.dtype, first + block, values)
            if not exact:
                round_into(values, batch)


def prepare_unpacking() -> None:
    """Have everything ready that packed weights take besides their own types."""
    _floats(("F8_E8M0", memoryview(b"")))
    if (compiled := kernels()) is not None:
        codes, rows = _stored(memoryview(b"")), np.empty(0, np.int32)
        values, matrix = np.empty(0, np.float32), np.empty((0, 1), np.float32)
        compiled.SCALED_PAIRS(codes, values, values, 1, values)
        compiled.SCALED_ROWS(matrix, matrix, 1)
        compiled.ROWS_IN_WORDS(codes, 4, 8, rows, matrix, matrix, values)
        compiled.ROWS_OF_GROUPS(codes, 8, matrix, matrix, values)
        compiled.INTERLEAVED(codes, rows, matrix, matrix, values)


def _floats(helper: Helper) -> Floats:
    dtype, data = helper
    values = np.empty(len(data) // _ITEM_BYTES[dtype], np.float32)
    decode_into(data, dtype, values)
    return values


def _stored(data: memoryview) -> NDArray[np.uint8]:
    stored = np.frombuffer(data, np.uint8) if len(data) else np.empty(0, np.uint8)
    # As in decode.py: the kernels are compiled for bytes that cannot be written to.
    stored.flags.writeable = False
    return stored


def _bitsandbytes(packed: Packed, helpers: Mapping[str, Helper]) -> Unpack:
    """Codes are places in the file's own table, the first in the upper half of its byte; each
    block has a scale, which may be a code of 8 bits, times a scale, plus an offset.
    """
    dtype, data = helpers["absmax"]
    if dtype == "F32":
        scales = _floats(helpers["absmax"])
    else:
        table = _floats(helpers["nested_quant_map"])
        block = int(packed.settings["nested_block"])
        codes = np.frombuffer(data, np.uint8)
        nested = np.repeat(_floats(helpers["nested_absmax"]), block)[: codes.size]
        with np.errstate(all="ignore"):
            scales = table[codes] * nested + np.float32(packed.settings["offset"])
    table = _floats(helpers["quant_map"])
    return _scaled_pairs(table[_CODES >> 4], table[_CODES & 15], scales, packed.block_values)


def _mxfp4(packed: Packed, helpers: Mapping[str, Helper]) -> Unpack:
    """Codes are E2M1, the first in the lower half of its byte; scales are E8M0."""
    table = np.array([*_E2M1, *(-value for value in _E2M1)], np.float32)
    scales = _floats(("F8_E8M0", helpers["scales"][1]))
    return _scaled_pairs(table[_CODES & 15], table[_CODES >> 4], scales, packed.block_values)


def _scaled_pairs(even: Floats, odd: Floats, scales: Floats, block: int) -> Unpack:
    """Two values of each byte, by tables of all bytes, times the scale of their block."""
    pairs = np.stack([even, odd], axis=1)
    flat = pairs.reshape(-1)
    compiled = kernels()

    def unpack(data: memoryview, _dtype: str, first: int, out: Floats) -> None:
        codes = _stored(data)
        if compiled is not None:
            of_blocks = scales[first : first + -(-out.size // block)]
            compiled.SCALED_PAIRS(codes, flat, of_blocks, block // 2, out)
            return
        np.take(pairs, codes, axis=0, out=out.reshape(-1, 2), mode="clip")
        whole = out.size // block
        last = first + whole
        rows = out[: whole * block].reshape(whole, block)
        rows *= scales[first:last, None]
        if whole * block < out.size:
            out[whole * block :] *= scales[last]

    return unpack


def _fp8(packed: Packed, helpers: Mapping[str, Helper]) -> Unpack:
    """Values are those of their type, times the scale of their part of the matrix."""
    scales = _floats(helpers["scale"])

    def unpack_scaled(data: memoryview, dtype: str, _first: int, out: Floats) -> None:
        decode_into(data, dtype, out)
        out *= scales[0]

    if scales.size == 1:
        return unpack_scaled
    settings = {name: int(value) for name, value in packed.settings.items()}
    rows, scale_rows = settings["rows"], settings["scale_rows"]
    block_rows, block_columns = settings["block_rows"], settings["block_columns"]
    columns = packed.block_values
    compiled = kernels()

    def unpack(data: memoryview, dtype: str, first: int, out: Floats) -> None:
        decode_into(data, dtype, out)
        matrix = out.reshape(-1, columns)
        row = np.arange(first, first + len(matrix))
        held = row // rows * scale_rows + row % rows // block_rows
        of_rows = scales.reshape(-1, -(-columns // block_columns))[held]
        if compiled is not None:
            compiled.SCALED_ROWS(matrix, of_rows, block_columns)
        elif columns % block_columns:
            matrix *= np.repeat(of_rows, block_columns, axis=1)[:, :columns]
        else:
            blocks = matrix.reshape(*of_rows.shape, block_columns)
            blocks *= of_rows[:, :, None]

    return unpack


def _gptq(packed: Packed, helpers: Mapping[str, Helper]) -> Unpack:
    """The codes of a column are a string of bits, lowest first, cut into words of which rows hold
    one of each column; rows of a group share zero points, stored alike, and scales.
    """
    settings = {name: int(value) for name, value in packed.settings.items()}
    bits, outputs, most = settings["bits"], settings["outputs"], (1 << settings["bits"]) - 1
    each, words_each = packed.block_values // outputs, packed.block_bytes // (4 * outputs)
    scales = _floats(helpers["scales"]).reshape(-1, outputs)
    codes = _codes_in_rows(helpers["qzeros"], bits).reshape(scales.shape)
    zeros = (codes + np.uint8(settings["zero"]) & np.uint8(most)).astype(np.float32)
    if "g_idx" in helpers:
        groups = np.frombuffer(helpers["g_idx"][1], "<i4").astype(np.int32)
        if groups.min() < 0 or groups.max() >= len(scales):
            raise LoadFailedError(
                Message(
                    "Tensor g_idx names a group from {least} to {most}; there are {groups}.",
                    least=int(groups.min()),
                    most=int(groups.max()),
                    groups=len(scales),
                ),
                Message("Download or convert the file again."),
            )
    else:
        groups = (np.arange(settings["inputs"]) // settings["group"]).astype(np.int32)
    compiled = kernels()

    def unpack(data: memoryview, _dtype: str, first: int, out: Floats) -> None:
        stored = _stored(data)
        of_rows = groups[first * each : first * each + out.size // outputs]
        if compiled is not None:
            compiled.ROWS_IN_WORDS(stored, bits, each, of_rows, zeros, scales, out)
            return
        words = stored.view("<u4").reshape(-1, words_each, outputs)
        values = out.reshape(len(words), each, outputs)
        for number in range(each):
            word, shift = divmod(bits * number, 32)
            codes = words[:, word] >> np.uint32(shift)
            if shift + bits > 32:
                codes |= words[:, word + 1] << np.uint32(32 - shift)
            group = of_rows[number::each]
            values[:, number] = codes & np.uint32(most)
            values[:, number] -= zeros[group]
            values[:, number] *= scales[group]

    return unpack


def _codes_in_rows(stored: Helper, bits: int) -> NDArray[np.uint8]:
    """Codes whose bits follow one another, lowest first."""
    data = np.frombuffer(stored[1], np.uint8)
    if 8 % bits == 0:
        shifts, most = np.arange(0, 8, bits).astype(np.uint8), np.uint8((1 << bits) - 1)
        return (data[:, None] >> shifts & most).reshape(-1)
    strings = np.unpackbits(data, bitorder="little")
    codes = np.packbits(strings.reshape(-1, bits), axis=1, bitorder="little")
    return codes.reshape(-1)


def _awq(packed: Packed, helpers: Mapping[str, Helper]) -> Unpack:
    """A word holds codes of one row and eight columns, interleaved, as words of zero points do;
    rows of a group share these and scales.
    """
    outputs, group = packed.block_values, int(packed.settings["group"])
    scales = _floats(helpers["scales"]).reshape(-1, outputs)
    zeros = _interleaved(np.frombuffer(helpers["qzeros"][1], np.uint8)).astype(np.float32)
    zeros = zeros.reshape(scales.shape)
    compiled = kernels()

    def unpack(data: memoryview, _dtype: str, first: int, out: Floats) -> None:
        stored = _stored(data)
        of_rows = (np.arange(first, first + out.size // outputs) // group).astype(np.int32)
        if compiled is not None:
            compiled.INTERLEAVED(stored, of_rows, zeros, scales, out)
            return
        values = out.reshape(-1, outputs)
        values[...] = _interleaved(stored).reshape(values.shape)
        values -= zeros[of_rows]
        values *= scales[of_rows]

    return unpack


def _awq_gemv(packed: Packed, helpers: Mapping[str, Helper]) -> Unpack:
    """Eight codes of a row in each word, lowest bits first; those of a group share a zero point and
    a scale, which rows hold more of than there are groups.
    """
    columns = packed.block_values
    group, rows = int(packed.settings["group"]), int(packed.settings["outputs"])
    held = columns // group
    scales = _floats(helpers["scales"]).reshape(rows, -1)[:, :held].copy()
    zeros = _codes_in_rows(helpers["qzeros"], 4).reshape(rows, -1)[:, :held].astype(np.float32)
    compiled = kernels()

    def unpack(data: memoryview, _dtype: str, first: int, out: Floats) -> None:
        stored = _stored(data)
        last = first + out.size // columns
        if compiled is not None:
            compiled.ROWS_OF_GROUPS(stored, group, zeros[first:last], scales[first:last], out)
            return
        values = out.reshape(-1, held, group)
        values[..., ::2] = (stored & np.uint8(15)).reshape(-1, held, group // 2)
        values[..., 1::2] = (stored >> np.uint8(4)).reshape(-1, held, group // 2)
        values -= zeros[first:last, :, None]
        values *= scales[first:last, :, None]

    return unpack


def _interleaved(stored: NDArray[np.uint8]) -> NDArray[np.uint32]:
    shifts = 4 * np.array(_AWQ_ORDER, np.uint32)
    return stored.view("<u4")[:, None] >> shifts & np.uint32(15)


_UNPACKERS: dict[str, Callable[[Packed, Mapping[str, Helper]], Unpack]] = {
    "bitsandbytes": _bitsandbytes,
    "MXFP4": _mxfp4,
    "fp8": _fp8,
    "GPTQ": _gptq,
    "AWQ": _awq,
    "AWQ GEMV": _awq_gemv,
}

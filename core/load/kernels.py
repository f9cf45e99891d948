"""Quantised blocks turned into float32 by compiled code: what `modelmon[decode]` adds.

Each kernel takes stored bytes and an array for their values, both contiguous. The layouts are
those of the block structures in ggml (ggml-common.h: `block_q4_0` and so on) and of its wiki page
on tensor encoding schemes; those of small floats are the OCP's "8-bit Floating Point
Specification" and "Microscaling Formats (MX)". Operations and their order are those of gguf's
decoder (gguf.quants), so that each value has the same bits.

numba compiles a kernel when it is first used, and keeps the code in the person's cache folder.
This module imports numba: only where it is installed may it be imported.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import config, njit

from modelmon.core.data_folder import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable

_VALUES_IQ4 = np.array(
    [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113], np.float32
)
"""What the codes of IQ4_NL and IQ4_XS stand for: `kvalues_iq4nl` of ggml-common.h."""
_VALUES_E2M1 = np.array([0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12], np.float32)
"""Twice the values of E2M1 (OCP MX, table 5), of which ggml's MXFP4 has no negative zero."""

_NO_MINIMUM = np.float32(-0.0)
"""Added to any value it changes none, and the compiler leaves it out."""

_4 = np.uint8(4)


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, compiled when it is first called; it runs without the interpreter's lock."""
    made: Any = njit(nogil=True)(function)
    before = config.CACHE_DIR
    # Settled here and put back: where the person's own code is kept is none of our business.
    config.CACHE_DIR = before or str(cache_folder() / "numba")
    # Where no folder can be written to, each process compiles for itself.
    with contextlib.suppress(RuntimeError):
        made.enable_caching()
    config.CACHE_DIR = before
    compiled: Callable[..., Any] = made
    return compiled


def _inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    made: Callable[..., Any] = njit(inline="always")(function)
    return made


@_inlined
def _codes(  # noqa: PLR0913, PLR0917  one fact each
    values: Any, stored: Any, shift: Any, mask: Any, offset: Any, scale: Any, minimum: Any
) -> None:
    """values[i] = scale * (code - offset) + minimum, where code is (stored[i] >> shift) & mask."""
    # Of unknown length, loops become vectors: short ones of a known length are unrolled instead.
    for each in range(values.size):
        code = np.int32((stored[each] >> np.uint8(shift)) & np.uint8(mask)) - np.int32(offset)
        values[each] = scale * np.float32(code) + minimum


@_inlined
def _wider_codes(  # noqa: PLR0913, PLR0917  one fact each
    values: Any,
    stored: Any,
    shift: Any,
    mask: Any,
    upper: Any,
    upper_shift: Any,
    upper_mask: Any,
    up: Any,
    offset: Any,
    scale: Any,
    minimum: Any,
) -> None:
    """The same, where above the code by `up` is (upper[i] >> upper_shift) & upper_mask."""
    for each in range(values.size):
        low = (stored[each] >> np.uint8(shift)) & np.uint8(mask)
        high = (upper[each] >> np.uint8(upper_shift)) & np.uint8(upper_mask)
        code = np.int32(low | (high << np.uint8(up))) - np.int32(offset)
        values[each] = scale * np.float32(code) + minimum


@_inlined
def _codes_of_five(  # noqa: PLR0913, PLR0917  one fact each
    values: Any, stored: Any, shift: Any, bits: Any, offset: Any, scale: Any, minimum: Any
) -> None:
    """Codes of 4 bits as of `_codes`, each with one of these bits above."""
    for each in range(values.size):
        low = np.uint32((stored[each] >> np.uint8(shift)) & np.uint8(15))
        high = ((bits >> np.uint32(each)) & np.uint32(1)) << np.uint32(4)
        values[each] = scale * np.float32(np.int32(low | high) - np.int32(offset)) + minimum


@_inlined
def _looked_up(values: Any, stored: Any, shift: Any, table: Any, scale: Any) -> None:
    """Codes of 4 bits as of `_codes`, each of which is a place in a table."""
    for each in range(values.size):
        values[each] = scale * table[(stored[each] >> np.uint8(shift)) & np.uint8(15)]


@_inlined
def _bits_16(stored: Any, at: Any) -> Any:
    return np.uint32(stored[at]) | np.uint32(np.uint32(stored[at + 1]) << np.uint32(8))


@_inlined
def _half_of(bits: Any) -> Any:
    """A float16's bits as float32; also where a processor has none.

    Subnormal numbers are a difference of two normal ones: processors take a hundred times as
    long for products of subnormal float32. Infinity and NaN keep their mantissa.
    """
    moved = np.uint32((bits & np.uint32(0x7FFF)) << np.uint32(13))
    value = np.uint32(moved + np.uint32(112 << 23))
    if moved < np.uint32(0x00800000):
        normal = np.uint32(moved | np.uint32(0x38800000)).view(np.float32)
        value = np.float32(normal - np.float32(2.0**-14)).view(np.uint32)
    if moved >= np.uint32(0x0F800000):
        value = np.uint32(moved | np.uint32(0x7F800000))
    sign = np.uint32((bits & np.uint32(0x8000)) << np.uint32(16))
    return np.uint32(value | sign).view(np.float32)


@_inlined
def _half(data: Any, at: Any) -> Any:
    """A float16, little-endian at any address, as float32."""
    return _half_of(_bits_16(data, at))


def _q4_0(data: Any, out: Any) -> None:
    """32 values in 18 bytes: float16 scale; codes of 4 bits less 8, the first half lowest."""
    blocks, halves = data.reshape(-1, 18), out.reshape(-1, 2, 16)
    for block in range(len(blocks)):
        scale = _half(blocks[block], 0)
        for part in range(2):
            values = halves[block, part]
            _codes(values, blocks[block, 2:], 4 * part, 15, 8, scale, _NO_MINIMUM)


def _q4_1(data: Any, out: Any) -> None:
    """32 values in 20 bytes: float16 scale and minimum; codes as of Q4_0 without an offset."""
    blocks, halves = data.reshape(-1, 20), out.reshape(-1, 2, 16)
    for block in range(len(blocks)):
        scale, minimum = _half(blocks[block], 0), _half(blocks[block], 2)
        for part in range(2):
            values = halves[block, part]
            _codes(values, blocks[block, 4:], 4 * part, 15, 0, scale, minimum)


def _q5_0(data: Any, out: Any) -> None:
    """32 values in 22 bytes: float16 scale; a fifth bit of each code; codes less 16 as of Q4_0."""
    blocks, halves = data.reshape(-1, 22), out.reshape(-1, 2, 16)
    for block in range(len(blocks)):
        scale = _half(blocks[block], 0)
        for part in range(2):
            values, bits = halves[block, part], _bits_16(blocks[block], 2 + 2 * part)
            _codes_of_five(values, blocks[block, 6:], 4 * part, bits, 16, scale, _NO_MINIMUM)


def _q5_1(data: Any, out: Any) -> None:
    """32 values in 24 bytes: float16 scale and minimum; codes as of Q5_0 without an offset."""
    blocks, halves = data.reshape(-1, 24), out.reshape(-1, 2, 16)
    for block in range(len(blocks)):
        scale, minimum = _half(blocks[block], 0), _half(blocks[block], 2)
        for part in range(2):
            values, bits = halves[block, part], _bits_16(blocks[block], 4 + 2 * part)
            _codes_of_five(values, blocks[block, 8:], 4 * part, bits, 0, scale, minimum)


def _q8_0(data: Any, out: Any) -> None:
    """32 values in 34 bytes: float16 scale; signed bytes."""
    blocks, rows = data.reshape(-1, 34), out.reshape(-1, 32)
    for block in range(len(blocks)):
        values, codes, scale = rows[block], blocks[block, 2:], _half(blocks[block], 0)
        for each in range(values.size):
            values[each] = scale * np.float32(np.int8(codes[each]))


def _q2_0(data: Any, out: Any) -> None:
    """64 values in 18 bytes: float16 scale; codes of 2 bits less 1, four in each byte, lowest
    first.
    """
    blocks, fours = data.reshape(-1, 18), out.reshape(-1, 16, 4)
    for block in range(len(blocks)):
        codes, scale = blocks[block, 2:], _half(blocks[block], 0)
        for at in range(16):
            for each in range(4):
                code = (codes[at] >> np.uint8(2 * each)) & np.uint8(3)
                fours[block, at, each] = scale * np.float32(np.int32(code) - np.int32(1))


def _q2_k(data: Any, out: Any) -> None:
    """256 values in 84 bytes: 16 pairs of a scale and a minimum of 4 bits, for 16 values each;
    codes of 2 bits, 32 values to each bit pair of 32 bytes; float16 scales of both.
    """
    blocks, groups = data.reshape(-1, 84), out.reshape(-1, 16, 16)
    for block in range(len(blocks)):
        stored = blocks[block]
        scale, minimum = _half(stored, 80), _half(stored, 82)
        for group in range(16):
            codes = stored[16 + group // 8 * 32 + group % 2 * 16 :]
            own = scale * np.float32(stored[group] & np.uint8(15))
            least = -(minimum * np.float32(stored[group] >> _4))
            _codes(groups[block, group], codes, group % 8 // 2 * 2, 3, 0, own, least)


def _q3_k(data: Any, out: Any) -> None:
    """256 values in 110 bytes: a third bit of each code, 32 values to each bit of 32 bytes; codes
    as of Q2_K less 4; 16 scales of 6 bits less 32, their upper two bits in the last 4 of 12
    bytes; float16 scale.
    """
    blocks, groups = data.reshape(-1, 110), out.reshape(-1, 16, 16)
    for block in range(len(blocks)):
        stored = blocks[block]
        scale = _half(stored, 108)
        for group in range(16):
            packed = stored[96 + group % 8] >> np.uint8(group // 8 * 4)
            above = stored[104 + group % 4] >> np.uint8(group // 4 * 2)
            own = np.int32((packed & np.uint8(15)) | ((above & np.uint8(3)) << _4)) - np.int32(32)
            codes = stored[32 + group // 8 * 32 + group % 2 * 16 :]
            _wider_codes(
                groups[block, group], codes, group % 8 // 2 * 2, 3,
                stored[group % 2 * 16 :], group // 2, 1, 2, 4, scale * np.float32(own), _NO_MINIMUM,
            )  # fmt: skip


@_inlined
def _scale_of_k4(stored: Any, group: int) -> Any:
    """Scale of a group of Q4_K and Q5_K: 6 bits in 12 bytes; of the last four groups the upper
    two bits are those above the scales of the first four.
    """
    if group < 4:
        return np.int32(stored[4 + group] & np.uint8(63))
    upper = (stored[group] >> np.uint8(2)) & np.uint8(48)
    return np.int32((stored[8 + group] & np.uint8(15)) | upper)


@_inlined
def _minimum_of_k4(stored: Any, group: int) -> Any:
    """Minimum of a group: as its scale, in the bytes four further and the upper half bytes."""
    if group < 4:
        return np.int32(stored[8 + group] & np.uint8(63))
    upper = (stored[4 + group] >> np.uint8(2)) & np.uint8(48)
    return np.int32((stored[8 + group] >> _4) | upper)


def _q4_k(data: Any, out: Any) -> None:
    """256 values in 144 bytes: float16 scales of the scales and of the minimums; 8 of each, of 6
    bits, for 32 values each; codes of 4 bits, 32 values to each half of 32 bytes.
    """
    blocks, groups = data.reshape(-1, 144), out.reshape(-1, 8, 32)
    for block in range(len(blocks)):
        stored = blocks[block]
        scale, minimum = _half(stored, 0), _half(stored, 2)
        for group in range(8):
            codes = stored[16 + group // 2 * 32 :]
            own = scale * np.float32(_scale_of_k4(stored, group))
            least = -(minimum * np.float32(_minimum_of_k4(stored, group)))
            _codes(groups[block, group], codes, group % 2 * 4, 15, 0, own, least)


def _q5_k(data: Any, out: Any) -> None:
    """256 values in 176 bytes: as Q4_K, with a fifth bit of each code before the others, 32
    values to each bit of 32 bytes.
    """
    blocks, groups = data.reshape(-1, 176), out.reshape(-1, 8, 32)
    for block in range(len(blocks)):
        stored = blocks[block]
        scale, minimum = _half(stored, 0), _half(stored, 2)
        for group in range(8):
            codes = stored[48 + group // 2 * 32 :]
            own = scale * np.float32(_scale_of_k4(stored, group))
            least = -(minimum * np.float32(_minimum_of_k4(stored, group)))
            _wider_codes(
                groups[block, group], codes, group % 2 * 4, 15, stored[16:], group, 1, 4, 0, own,
                least,
            )  # fmt: skip


def _q6_k(data: Any, out: Any) -> None:
    """256 values in 210 bytes: lower 4 bits of the codes, 64 values to each half of 64 bytes;
    upper 2, 32 values to each bit pair of 32 bytes; 16 signed scales; float16 scale. Less 32.
    """
    blocks, groups = data.reshape(-1, 210), out.reshape(-1, 16, 16)
    for block in range(len(blocks)):
        stored = blocks[block]
        scale = _half(stored, 208)
        for group in range(16):
            pair, half = group // 2, group % 2 * 16
            codes = stored[pair // 4 * 64 + pair % 2 * 32 + half :]
            upper = stored[128 + pair // 4 * 32 + half :]
            own = scale * np.float32(np.int8(stored[192 + group]))
            _wider_codes(
                groups[block, group], codes, pair % 4 // 2 * 4, 15, upper, pair % 4 * 2, 3, 4, 32,
                own, _NO_MINIMUM,
            )  # fmt: skip


def _iq4_nl(data: Any, out: Any) -> None:
    """32 values in 18 bytes: as Q4_0, where a code is a place in a table."""
    blocks, halves = data.reshape(-1, 18), out.reshape(-1, 2, 16)
    for block in range(len(blocks)):
        scale = _half(blocks[block], 0)
        for part in range(2):
            _looked_up(halves[block, part], blocks[block, 2:], 4 * part, _VALUES_IQ4, scale)


def _iq4_xs(data: Any, out: Any) -> None:
    """256 values in 136 bytes: float16 scale; 8 scales of 6 bits less 32, their upper two bits
    first; for each 32 values as the codes of IQ4_NL.
    """
    blocks, halves = data.reshape(-1, 136), out.reshape(-1, 8, 2, 16)
    for block in range(len(blocks)):
        stored = blocks[block]
        scale = _half(stored, 0)
        for group in range(8):
            packed = stored[4 + group // 2] >> np.uint8(group % 2 * 4)
            above = stored[2 + group // 4] >> np.uint8(group % 4 * 2)
            own = np.int32((packed & np.uint8(15)) | ((above & np.uint8(3)) << _4)) - np.int32(32)
            for part in range(2):
                values, codes = halves[block, group, part], stored[8 + 16 * group :]
                _looked_up(values, codes, 4 * part, _VALUES_IQ4, scale * np.float32(own))


@_inlined
def _half_of_power(exponent: Any) -> Any:
    """Half of what an E8M0 stands for, 2^(exponent - 128), as float32; the two smallest are
    subnormal. ggml has no NaN here: 255 is 2^127.
    """
    bits = np.uint32(0x00200000) << np.uint32(exponent)
    if exponent >= 2:
        bits = (np.uint32(exponent) - np.uint32(1)) << np.uint32(23)
    return np.uint32(bits).view(np.float32)


def _mxfp4(data: Any, out: Any) -> None:
    """32 values in 17 bytes: exponent (E8M0), 16 bytes of codes (E2M1) as of Q4_0."""
    blocks, halves = data.reshape(-1, 17), out.reshape(-1, 2, 16)
    for block in range(len(blocks)):
        scale = _half_of_power(blocks[block, 0])
        for part in range(2):
            _looked_up(halves[block, part], blocks[block, 1:], 4 * part, _VALUES_E2M1, scale)


def _f16(data: Any, out: Any) -> None:
    """A sign, 5 bits of exponent with bias 15, 10 of mantissa."""
    for at in range(out.size):
        out[at] = _half(data, 2 * at)


def _f8_e4m3(data: Any, out: Any) -> None:
    """A sign, 4 bits of exponent with bias 7, 3 of mantissa; no infinity, all ones are NaN."""
    for at in range(out.size):
        bits = np.uint32(data[at])
        moved = np.uint32((bits & np.uint32(0x7F)) << np.uint32(20))
        value = np.uint32(moved + np.uint32(120 << 23))
        if moved < np.uint32(0x00800000):
            normal = np.uint32(moved | np.uint32(0x3C800000)).view(np.float32)
            value = np.float32(normal - np.float32(2.0**-6)).view(np.uint32)
        if moved == np.uint32(0x07F00000):
            value = np.uint32(0x7FC00000)
        sign = np.uint32((bits & np.uint32(0x80)) << np.uint32(24))
        out[at] = np.uint32(value | sign).view(np.float32)


def _f8_e5m2(data: Any, out: Any) -> None:
    """The upper half of a float16."""
    for at in range(out.size):
        out[at] = _half_of(np.uint32(data[at]) << np.uint32(8))


def _to_bfloat16(values: Any, out: Any) -> None:
    """float32 rounded to nearest, ties to even; any NaN becomes the quiet one of its sign."""
    for at in range(out.size):
        bits = values[at]
        odd = (bits >> np.uint32(16)) & np.uint32(1)
        rounded = np.uint32(bits + np.uint32(0x7FFF) + odd) >> np.uint32(16)
        if (bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000):
            rounded = ((bits >> np.uint32(16)) & np.uint32(0x8000)) | np.uint32(0x7FC0)
        out[at] = np.uint16(rounded)


def _to_float16(values: Any, out: Any) -> None:
    """float32 rounded to nearest, ties to even; what is too large becomes infinite.

    What becomes subnormal is rounded by a sum with 0.5, whose last bit is that of the smallest
    subnormal number.
    """
    for at in range(out.size):
        bits = values[at]
        size = np.uint32(bits & np.uint32(0x7FFFFFFF))
        odd = (size >> np.uint32(13)) & np.uint32(1)
        rounded = np.uint32(size - np.uint32(0x38000000) + np.uint32(0xFFF) + odd) >> np.uint32(13)
        summed = np.float32(size.view(np.float32) + np.float32(0.5)).view(np.uint32)
        if size < np.uint32(0x38800000):
            rounded = np.uint32(summed) - np.uint32(0x3F000000)
        if size >= np.uint32(0x47800000):
            rounded = np.uint32(0x7C00)
        if size > np.uint32(0x7F800000):
            rounded = np.uint32(0x7E00)
        sign = (bits >> np.uint32(16)) & np.uint32(0x8000)
        out[at] = np.uint16(rounded | sign)


KERNELS: dict[str, Callable[..., Any]] = {
    "Q4_0": _compiled(_q4_0),
    "Q4_1": _compiled(_q4_1),
    "Q5_0": _compiled(_q5_0),
    "Q5_1": _compiled(_q5_1),
    "Q8_0": _compiled(_q8_0),
    "Q2_0": _compiled(_q2_0),
    "Q2_K": _compiled(_q2_k),
    "Q3_K": _compiled(_q3_k),
    "Q4_K": _compiled(_q4_k),
    "Q5_K": _compiled(_q5_k),
    "Q6_K": _compiled(_q6_k),
    "IQ4_NL": _compiled(_iq4_nl),
    "IQ4_XS": _compiled(_iq4_xs),
    "MXFP4": _compiled(_mxfp4),
    "F16": _compiled(_f16),
    "F8_E4M3": _compiled(_f8_e4m3),
    "F8_E5M2": _compiled(_f8_e5m2),
}
"""By stored type: from bytes to float32."""

ROUNDED: dict[str, Callable[..., Any]] = {
    "float16": _compiled(_to_float16),
    "bfloat16": _compiled(_to_bfloat16),
}
"""By name: from the bits of float32 to those of a smaller type."""

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
from llvmlite import ir
from numba import config, njit, types
from numba.extending import intrinsic

from modelmon.core.data_folder import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable

_CODES_IQ4 = (-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
"""What the codes of IQ4_NL and IQ4_XS stand for: `kvalues_iq4nl` of ggml-common.h."""
_CODES_E2M1 = (0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12)
"""Twice the values of E2M1 (OCP MX, table 5), of which ggml's MXFP4 has no negative zero."""

_NO_MINIMUM = np.float32(-0.0)
"""Added to any value it changes none, and the compiler leaves it out."""

_0, _4 = np.uint8(0), np.uint8(4)
_I8, _I32, _F32 = ir.IntType(8), ir.IntType(32), ir.FloatType()


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


class _Lanes:
    """`count` values at once, in the compiler's own vectors.

    Plain loops over so few values stay loops: the compiler would have to find out for each
    block whether what is read and what is written overlap.
    """

    def __init__(self, context: Any, builder: Any, signature: Any, values: Any) -> None:
        self._context, self._builder = context, builder
        self._signature, self._values = signature, values

    def pointer(self, array: int, index: int, kind: Any) -> Any:
        """The address of an array's element, both by their place in the arguments."""
        made = self._context.make_array(self._signature.args[array])
        data = made(self._context, self._builder, self._values[array]).data
        place = self._builder.gep(data, [self._values[index]])
        return self._builder.bitcast(place, kind.as_pointer())

    def splat(self, scalar: Any, count: int) -> Any:
        """A vector of one value."""
        kind = ir.VectorType(scalar.type, count)
        first = self._builder.insert_element(
            ir.Constant(kind, ir.Undefined), scalar, ir.Constant(_I32, 0)
        )
        zeros = ir.Constant(ir.VectorType(_I32, count), None)
        return self._builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), zeros)

    def spread(self, scalars: Any, count: int) -> Any:
        """A vector of one value, or of two values for a half of it each."""
        parts = [self.splat(scalar, count // len(scalars)) for scalar in scalars]
        if len(parts) == 1:
            return parts[0]
        order = ir.Constant(ir.VectorType(_I32, count), list(range(count)))
        return self._builder.shuffle_vector(*parts, order)


def _constant(value: int, count: int) -> Any:
    return ir.Constant(ir.VectorType(_I8, count), [value % 256] * count)


def _unpacker(
    count: int, high: str = "none", codes: tuple[int, ...] = (), *, halves: bool = False
) -> Any:
    """What makes `count` values of packed codes: see the function that it returns. `halves` have a
    scale and a minimum of their own, those of the second half behind the others.
    """
    index, byte, single = types.intp, types.uint8, types.float32

    def unpack(  # noqa: PLR0913, PLR0917  numba takes each argument's type by its place
        typing: Any,
        out: Any,
        to: Any,
        data: Any,
        low: Any,
        low_shift: Any,
        low_mask: Any,
        high_from: Any,
        high_shift: Any,
        high_mask: Any,
        high_up: Any,
        offset: Any,
        scale: Any,
        minimum: Any,
    ) -> Any:
        """out[to + i] = scale * (code - offset) + minimum, where code is made of
        (data[low + i] >> low_shift) & low_mask, and above it by `high_up` of the same of
        `high_from`: of its bytes or, one for each value, of its bits.
        """
        del typing, to, low, low_shift, low_mask, high_from, high_shift, high_mask, high_up
        del offset, scale, minimum
        singles = [single] * (4 if halves else 2)
        signature = types.void(
            out, index, data, index, byte, byte, index, byte, byte, byte, byte, *singles
        )

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            lanes = _Lanes(context, builder, signature, values)
            vector = ir.VectorType(_I8, count)
            code = builder.load(lanes.pointer(2, 3, vector), align=1)
            code = builder.lshr(code, lanes.splat(values[4], count))
            code = builder.and_(code, lanes.splat(values[5], count))
            if high == "bytes":
                above = builder.load(lanes.pointer(2, 6, vector), align=1)
                above = builder.lshr(above, lanes.splat(values[7], count))
                above = builder.and_(above, lanes.splat(values[8], count))
                code = builder.or_(code, builder.shl(above, lanes.splat(values[9], count)))
            elif high == "bits":
                bits = builder.load(lanes.pointer(2, 6, ir.IntType(count)), align=1)
                each = builder.bitcast(bits, ir.VectorType(ir.IntType(1), count))
                above = builder.zext(each, vector)
                code = builder.or_(code, builder.shl(above, lanes.splat(values[9], count)))
            code = _looked_up(builder, code, codes, count) if codes else code
            code = builder.sub(code, lanes.splat(values[10], count))
            wide = builder.sext(code, ir.VectorType(_I32, count))
            value = builder.sitofp(wide, ir.VectorType(_F32, count))
            value = builder.fmul(value, lanes.spread(values[11::2], count))
            value = builder.fadd(value, lanes.spread(values[12::2], count))
            builder.store(value, lanes.pointer(0, 1, value.type), align=4)
            return context.get_dummy_value()

        return signature, generate

    if not halves:
        return intrinsic(unpack)

    def unpack_halves(  # noqa: PLR0913, PLR0917  as above
        typing: Any,
        out: Any,
        to: Any,
        data: Any,
        low: Any,
        low_shift: Any,
        low_mask: Any,
        high_from: Any,
        high_shift: Any,
        high_mask: Any,
        high_up: Any,
        offset: Any,
        scale: Any,
        minimum: Any,
        second_scale: Any,
        second_minimum: Any,
    ) -> Any:
        """The same with a scale and a minimum for each half."""
        del second_scale, second_minimum
        return unpack(
            typing, out, to, data, low, low_shift, low_mask,
            high_from, high_shift, high_mask, high_up, offset, scale, minimum,
        )  # fmt: skip

    return intrinsic(unpack_halves)


def _looked_up(builder: Any, code: Any, codes: tuple[int, ...], count: int) -> Any:
    """Each lane's entry of the table: one bit of the code after another halves the choice.

    Vectors cannot be taken from a table by any instruction that every processor has.
    """
    chosen = [_constant(entry, count) for entry in codes]
    bit = 1
    while len(chosen) > 1:
        is_set = builder.icmp_unsigned(
            "!=", builder.and_(code, _constant(bit, count)), _constant(0, count)
        )
        pairs = zip(chosen[::2], chosen[1::2], strict=True)
        chosen = [builder.select(is_set, odd, even) for even, odd in pairs]
        bit *= 2
    return chosen[0]


_codes_16 = _unpacker(16)
_codes_32 = _unpacker(32)
_codes_and_bytes_16 = _unpacker(16, "bytes")
_codes_and_bytes_32 = _unpacker(32, "bytes")
_codes_halves_32 = _unpacker(32, halves=True)
_codes_and_bytes_halves_32 = _unpacker(32, "bytes", halves=True)
_codes_and_bits_16 = _unpacker(16, "bits")
_iq4_16 = _unpacker(16, codes=_CODES_IQ4)
_e2m1_16 = _unpacker(16, codes=_CODES_E2M1)


@_inlined
def _half(data: Any, at: Any) -> Any:
    """A float16, little-endian at any address, as float32; also where a processor has none.

    Subnormal numbers are a difference of two normal ones: processors take a hundred times as
    long for products of subnormal float32. Infinity and NaN keep their mantissa.
    """
    bits = np.uint32(data[at]) | np.uint32(np.uint32(data[at + 1]) << np.uint32(8))
    moved = np.uint32((bits & np.uint32(0x7FFF)) << np.uint32(13))
    value = np.uint32(moved + np.uint32(112 << 23))
    if moved < np.uint32(0x00800000):
        normal = np.uint32(moved | np.uint32(0x38800000)).view(np.float32)
        value = np.float32(normal - np.float32(2.0**-14)).view(np.uint32)
    if moved >= np.uint32(0x0F800000):
        value = np.uint32(moved | np.uint32(0x7F800000))
    sign = np.uint32((bits & np.uint32(0x8000)) << np.uint32(16))
    return np.uint32(value | sign).view(np.float32)


def _q4_0(data: Any, out: Any) -> None:
    """32 values in 18 bytes: float16 scale; codes of 4 bits less 8, the first half lowest."""
    for block in range(out.size // 32):
        at, to = block * 18, block * 32
        scale = _half(data, at)
        for part in range(2):
            shift = np.uint8(4 * part)
            _codes_16(
                out, to + 16 * part, data, at + 2, shift, np.uint8(15),
                at, _0, _0, _0, np.uint8(8), scale, _NO_MINIMUM,
            )  # fmt: skip


def _q4_1(data: Any, out: Any) -> None:
    """32 values in 20 bytes: float16 scale and minimum; codes as of Q4_0 without an offset."""
    for block in range(out.size // 32):
        at, to = block * 20, block * 32
        scale, minimum = _half(data, at), _half(data, at + 2)
        for part in range(2):
            shift = np.uint8(4 * part)
            _codes_16(
                out, to + 16 * part, data, at + 4, shift, np.uint8(15),
                at, _0, _0, _0, _0, scale, minimum,
            )  # fmt: skip


def _q5_0(data: Any, out: Any) -> None:
    """32 values in 22 bytes: float16 scale; a fifth bit of each code; codes less 16 as of Q4_0."""
    for block in range(out.size // 32):
        at, to = block * 22, block * 32
        scale = _half(data, at)
        for part in range(2):
            shift = np.uint8(4 * part)
            _codes_and_bits_16(
                out, to + 16 * part, data, at + 6, shift, np.uint8(15),
                at + 2 + 2 * part, _0, _0, _4, np.uint8(16), scale, _NO_MINIMUM,
            )  # fmt: skip


def _q5_1(data: Any, out: Any) -> None:
    """32 values in 24 bytes: float16 scale and minimum; codes as of Q5_0 without an offset."""
    for block in range(out.size // 32):
        at, to = block * 24, block * 32
        scale, minimum = _half(data, at), _half(data, at + 2)
        for part in range(2):
            shift = np.uint8(4 * part)
            _codes_and_bits_16(
                out, to + 16 * part, data, at + 8, shift, np.uint8(15),
                at + 4 + 2 * part, _0, _0, _4, _0, scale, minimum,
            )  # fmt: skip


def _q8_0(data: Any, out: Any) -> None:
    """32 values in 34 bytes: float16 scale; signed bytes."""
    for block in range(out.size // 32):
        at, to = block * 34, block * 32
        scale = _half(data, at)
        _codes_32(out, to, data, at + 2, _0, np.uint8(255), at, _0, _0, _0, _0, scale, _NO_MINIMUM)


def _q2_k(data: Any, out: Any) -> None:
    """256 values in 84 bytes: 16 pairs of a scale and a minimum of 4 bits, for 16 values each;
    codes of 2 bits, 32 values to each bit pair of 32 bytes; float16 scales of both.
    """
    for block in range(out.size // 256):
        at, to = block * 84, block * 256
        scale, minimum = _half(data, at + 80), _half(data, at + 82)
        for pair in range(8):
            first, second = data[at + 2 * pair], data[at + 2 * pair + 1]
            _codes_halves_32(
                out, to + 32 * pair, data, at + 16 + pair // 4 * 32,
                np.uint8(pair % 4 * 2), np.uint8(3), at, _0, _0, _0, _0,
                scale * np.float32(first & np.uint8(15)),
                -(minimum * np.float32(first >> _4)),
                scale * np.float32(second & np.uint8(15)),
                -(minimum * np.float32(second >> _4)),
            )  # fmt: skip


def _q3_k(data: Any, out: Any) -> None:
    """256 values in 110 bytes: a third bit of each code, 32 values to each bit of 32 bytes; codes
    as of Q2_K less 4; 16 scales of 6 bits less 32, their upper two bits in the last 4 of 12
    bytes; float16 scale.
    """
    for block in range(out.size // 256):
        at, to = block * 110, block * 256
        scale = _half(data, at + 108)
        for group in range(16):
            packed = data[at + 96 + group % 8] >> np.uint8(group // 8 * 4)
            upper = data[at + 104 + group % 4] >> np.uint8(group // 4 * 2)
            own = np.int32((packed & np.uint8(15)) | ((upper & np.uint8(3)) << _4)) - np.int32(32)
            _codes_and_bytes_16(
                out, to + 16 * group,
                data, at + 32 + group // 8 * 32 + group % 2 * 16,
                np.uint8(group % 8 // 2 * 2), np.uint8(3),
                at + group % 2 * 16, np.uint8(group // 2), np.uint8(1), np.uint8(2), _4,
                scale * np.float32(own), _NO_MINIMUM,
            )  # fmt: skip


@_inlined
def _scale_of_k4(data: Any, at: Any, group: int) -> Any:
    """Scale of a group of Q4_K and Q5_K: 6 bits in 12 bytes; of the last four groups the upper
    two bits are those above the scales of the first four.
    """
    if group < 4:
        return np.int32(data[at + group] & np.uint8(63))
    upper = (data[at + group - 4] >> np.uint8(2)) & np.uint8(48)
    return np.int32((data[at + group + 4] & np.uint8(15)) | upper)


@_inlined
def _minimum_of_k4(data: Any, at: Any, group: int) -> Any:
    """Minimum of a group: as its scale, in the bytes four further and the upper half bytes."""
    if group < 4:
        return np.int32(data[at + group + 4] & np.uint8(63))
    upper = (data[at + group] >> np.uint8(2)) & np.uint8(48)
    return np.int32((data[at + group + 4] >> _4) | upper)


def _q4_k(data: Any, out: Any) -> None:
    """256 values in 144 bytes: float16 scales of the scales and of the minimums; 8 of each, of 6
    bits, for 32 values each; codes of 4 bits, 32 values to each half of 32 bytes.
    """
    for block in range(out.size // 256):
        at, to = block * 144, block * 256
        scale, minimum = _half(data, at), _half(data, at + 2)
        for group in range(8):
            _codes_32(
                out, to + 32 * group, data, at + 16 + group // 2 * 32,
                np.uint8(group % 2 * 4), np.uint8(15), at, _0, _0, _0, _0,
                scale * np.float32(_scale_of_k4(data, at + 4, group)),
                -(minimum * np.float32(_minimum_of_k4(data, at + 4, group))),
            )  # fmt: skip


def _q5_k(data: Any, out: Any) -> None:
    """256 values in 176 bytes: as Q4_K, with a fifth bit of each code before the others, 32
    values to each bit of 32 bytes.
    """
    for block in range(out.size // 256):
        at, to = block * 176, block * 256
        scale, minimum = _half(data, at), _half(data, at + 2)
        for group in range(8):
            _codes_and_bytes_32(
                out, to + 32 * group, data, at + 48 + group // 2 * 32,
                np.uint8(group % 2 * 4), np.uint8(15),
                at + 16, np.uint8(group), np.uint8(1), _4, _0,
                scale * np.float32(_scale_of_k4(data, at + 4, group)),
                -(minimum * np.float32(_minimum_of_k4(data, at + 4, group))),
            )  # fmt: skip


def _q6_k(data: Any, out: Any) -> None:
    """256 values in 210 bytes: lower 4 bits of the codes, 64 values to each half of 64 bytes;
    upper 2, 32 values to each bit pair of 32 bytes; 16 signed scales; float16 scale. Less 32.
    """
    for block in range(out.size // 256):
        at, to = block * 210, block * 256
        scale = _half(data, at + 208)
        for pair in range(8):
            first = np.int32(np.int8(data[at + 192 + 2 * pair]))
            second = np.int32(np.int8(data[at + 193 + 2 * pair]))
            _codes_and_bytes_halves_32(
                out, to + 32 * pair, data, at + pair // 4 * 64 + pair % 2 * 32,
                np.uint8(pair % 4 // 2 * 4), np.uint8(15),
                at + 128 + pair // 4 * 32,
                np.uint8(pair % 4 * 2), np.uint8(3), _4, np.uint8(32),
                scale * np.float32(first), _NO_MINIMUM,
                scale * np.float32(second), _NO_MINIMUM,
            )  # fmt: skip


def _iq4_nl(data: Any, out: Any) -> None:
    """32 values in 18 bytes: as Q4_0, where a code is a place in a table."""
    for block in range(out.size // 32):
        at, to = block * 18, block * 32
        scale = _half(data, at)
        for part in range(2):
            shift = np.uint8(4 * part)
            _iq4_16(
                out, to + 16 * part, data, at + 2, shift, np.uint8(15),
                at, _0, _0, _0, _0, scale, _NO_MINIMUM,
            )  # fmt: skip


def _iq4_xs(data: Any, out: Any) -> None:
    """256 values in 136 bytes: float16 scale; 8 scales of 6 bits less 32, their upper two bits
    first; for each 32 values as the codes of IQ4_NL.
    """
    for block in range(out.size // 256):
        at, to = block * 136, block * 256
        scale = _half(data, at)
        for group in range(8):
            packed = data[at + 4 + group // 2] >> np.uint8(group % 2 * 4)
            upper = data[at + 2 + group // 4] >> np.uint8(group % 4 * 2)
            own = np.int32((packed & np.uint8(15)) | ((upper & np.uint8(3)) << _4)) - np.int32(32)
            for part in range(2):
                _iq4_16(
                    out, to + 32 * group + 16 * part, data, at + 8 + 16 * group,
                    np.uint8(4 * part), np.uint8(15), at, _0, _0, _0, _0,
                    scale * np.float32(own), _NO_MINIMUM,
                )  # fmt: skip


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
    for block in range(out.size // 32):
        at, to = block * 17, block * 32
        scale = _half_of_power(data[at])
        for part in range(2):
            shift = np.uint8(4 * part)
            _e2m1_16(
                out, to + 16 * part, data, at + 1, shift, np.uint8(15),
                at, _0, _0, _0, _0, scale, _NO_MINIMUM,
            )  # fmt: skip


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
        bits = np.uint32(data[at])
        moved = np.uint32((bits & np.uint32(0x7F)) << np.uint32(21))
        value = np.uint32(moved + np.uint32(112 << 23))
        if moved < np.uint32(0x00800000):
            normal = np.uint32(moved | np.uint32(0x38800000)).view(np.float32)
            value = np.float32(normal - np.float32(2.0**-14)).view(np.uint32)
        if moved >= np.uint32(0x0F800000):
            value = np.uint32(moved | np.uint32(0x7F800000))
        sign = np.uint32((bits & np.uint32(0x80)) << np.uint32(24))
        out[at] = np.uint32(value | sign).view(np.float32)


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


def _scaled_pair_maker(  # noqa: PLR0913, PLR0917  as above
    typing: Any, out: Any, to: Any, pairs: Any, place: Any, scale: Any
) -> Any:
    """out[to + i] = pairs[place + i] * scale, of two values."""
    del typing, to, place, scale
    signature = types.void(out, types.intp, pairs, types.intp, types.float32)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        lanes = _Lanes(context, builder, signature, values)
        value = builder.load(lanes.pointer(2, 3, ir.VectorType(_F32, 2)), align=4)
        value = builder.fmul(value, lanes.splat(values[4], 2))
        builder.store(value, lanes.pointer(0, 1, value.type), align=4)
        return context.get_dummy_value()

    return signature, generate


def _word_maker(shifts: tuple[int, ...], *, alike: bool) -> Any:
    """What makes a function of the eight codes in a word of four bytes, which lie at these bits:
    out[to + i] = (code i - zeros[first + i]) * scales[first + i], or with those of `first` for all
    where they are `alike`.
    """

    def word(  # noqa: PLR0913, PLR0917  as above
        typing: Any, out: Any, to: Any, stored: Any, at: Any, zeros: Any, scales: Any, first: Any
    ) -> Any:
        del typing, to, at, first
        place = types.intp
        signature = types.void(out, place, stored, place, zeros, scales, place)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            lanes = _Lanes(context, builder, signature, values)
            floats, words = ir.VectorType(_F32, 8), ir.VectorType(_I32, 8)
            word = lanes.splat(builder.load(lanes.pointer(2, 3, _I32), align=1), 8)
            code = builder.lshr(word, ir.Constant(words, shifts))
            value = builder.sitofp(builder.and_(code, ir.Constant(words, [15] * 8)), floats)
            kind = _F32 if alike else floats
            zero, scale = (builder.load(lanes.pointer(of, 6, kind), align=4) for of in (4, 5))
            if alike:
                zero, scale = lanes.splat(zero, 8), lanes.splat(scale, 8)
            value = builder.fmul(builder.fsub(value, zero), scale)
            builder.store(value, lanes.pointer(0, 1, floats), align=4)
            return context.get_dummy_value()

        return signature, generate

    return word


_scaled_pair: Any = intrinsic(_scaled_pair_maker)
_interleaved_word: Any = intrinsic(_word_maker((0, 16, 4, 20, 8, 24, 12, 28), alike=False))
"""In the order of AutoAWQ's packing for GEMM."""
_word_in_order: Any = intrinsic(_word_maker((0, 4, 8, 12, 16, 20, 24, 28), alike=True))


def _scaled_pairs(codes: Any, pairs: Any, scales: Any, block_bytes: Any, out: Any) -> None:
    """Two values of each byte by a table of all bytes, times the scale of their block."""
    for block in range(scales.size):
        start = block * block_bytes
        for at in range(start, min(start + block_bytes, codes.size)):
            _scaled_pair(out, 2 * at, pairs, 2 * np.intp(codes[at]), scales[block])


def _scaled_rows(matrix: Any, scales: Any, block_columns: Any) -> None:
    """Each value times the scale of its row and its block of columns, in place."""
    for row in range(scales.shape[0]):
        for block in range(scales.shape[1]):
            start = block * block_columns
            values = matrix[row, start : start + block_columns]
            scale = scales[row, block]
            for column in range(values.size):
                values[column] *= scale


def _rows_in_words(  # noqa: PLR0913, PLR0917
    stored: Any, bits: Any, each: Any, groups: Any, zeros: Any, scales: Any, out: Any
) -> None:
    """Columns of codes, of which `each` are in whole words of four bytes; words of a column are
    apart by a row.
    """
    columns = zeros.shape[1]
    words_bytes, mask = 4 * columns * (each * bits // 32), np.uint8((1 << bits) - 1)
    for row in range(groups.size):
        at = row % each * bits
        low, high = at // 8, (at + bits - 1) // 8
        block, shift = row // each * words_bytes, np.uint8(at % 8)
        # As arrays of their own, so that the compiler sees that no index is negative.
        words = stored[block + 4 * columns * (low // 4) + low % 4 :]
        values = out[row * columns : (row + 1) * columns]
        zero, scale = zeros[groups[row]], scales[groups[row]]
        if low == high:
            for column in range(columns):
                code = np.int32((words[4 * column] >> shift) & mask)
                values[column] = (np.float32(code) - zero[column]) * scale[column]
        else:
            others = stored[block + 4 * columns * (high // 4) + high % 4 :]
            back = np.uint8(8 - at % 8)
            for column in range(columns):
                upper = others[4 * column] << back
                code = np.int32(((words[4 * column] >> shift) | upper) & mask)
                values[column] = (np.float32(code) - zero[column]) * scale[column]


def _rows_of_groups(stored: Any, group: Any, zeros: Any, scales: Any, out: Any) -> None:
    """Rows of codes of four bits, lowest first, whose groups follow one another."""
    to = 0
    for row in range(zeros.shape[0]):
        zero, scale = zeros[row], scales[row]
        for number in range(zeros.shape[1]):
            for start in range(to, to + group, 8):
                _word_in_order(out, start, stored, start // 2, zero, scale, number)
            to += group


def _interleaved(stored: Any, groups: Any, zeros: Any, scales: Any, out: Any) -> None:
    """Words of four bytes, each with eight columns of one row."""
    columns = zeros.shape[1]
    for row in range(groups.size):
        zero, scale = zeros[groups[row]], scales[groups[row]]
        for column in range(0, columns, 8):
            to = row * columns + column
            _interleaved_word(out, to, stored, to // 2, zero, scale, column)


KERNELS: dict[str, Callable[..., Any]] = {
    "Q4_0": _compiled(_q4_0),
    "Q4_1": _compiled(_q4_1),
    "Q5_0": _compiled(_q5_0),
    "Q5_1": _compiled(_q5_1),
    "Q8_0": _compiled(_q8_0),
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

SCALED_PAIRS = _compiled(_scaled_pairs)
"""Two values of each byte from a table of pairs, times the scale of their block."""

SCALED_ROWS = _compiled(_scaled_rows)
"""Values of a matrix times the scales of their blocks, in place."""

ROWS_IN_WORDS = _compiled(_rows_in_words)
"""Codes of a column and following rows in each word, less a zero point, times a scale."""

ROWS_OF_GROUPS = _compiled(_rows_of_groups)
"""Codes of eight columns in each word, less the zero point of their group, times its scale."""

INTERLEAVED = _compiled(_interleaved)
"""Codes of eight columns in each word, less a zero point, times a scale."""

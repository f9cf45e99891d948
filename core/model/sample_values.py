"""Plausible weights at the speed of a disk: finite, incompressible, the same for a seed.

Making random weights is slower than writing them, so two pools are made once, values and
noise, and each chunk is a slice of one XOR a slice of the other at an own distance. The
noise changes only bits that may take any value: sign and mantissa, quants and scales. Only
raw integers of PCG64 are used, which numpy keeps the same on all machines and versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME
from modelmon.core.units import KIB, MIB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from modelmon.core.model.sample_layout import TensorSpec

_LARGEST_POOL_BYTES = 16 * MIB
_SMALLEST_POOL_BYTES = 256 * KIB
_CHUNKS = 4
"""Of a pool."""

# Of bf16, everything but the exponent; of an IEEE half, the mantissa.
_BF16_FREE_BITS = 0x807F
_BF16_NORM_FREE_BITS = 0x001F
_F32_NORM_FREE_BITS = 0x000FFFFF
_HALF_FREE_BITS = 0x03FF

_ONE_BF16 = 0x3F80
_ONE_F32 = 0x3F800000
# 2 to the power of -12, a usual scale of K-quants.
_SCALE_HALF = 0x0C00
# Where the scales, IEEE halves, lie in a quantisation block.
_HALVES_AT = {"Q4_K": (0, 2), "Q6_K": (208,), "Q8_0": (0,)}


class SampleValues:
    """The bytes of a sample's tensors; the same seed and order of calls give the same bytes.

    `size_bytes` is the size of the whole sample: small ones need small pools only.
    """

    def __init__(self, seed: int, size_bytes: int) -> None:
        self._generator = np.random.PCG64(seed)
        self._pool_bytes = min(max(size_bytes // 4, _SMALLEST_POOL_BYTES), _LARGEST_POOL_BYTES)
        # Values, noise, and room for a chunk, since memory that was touched is filled faster.
        self._pools: dict[tuple[str, bool], tuple[NDArray[np.uint8], ...]] = {}

    def chunks(self, spec: TensorSpec) -> Iterator[NDArray[np.uint8]]:
        """The tensor's bytes, piece by piece; each is valid until the next one is asked for."""
        is_norm = len(spec.shape) == 1
        key = (spec.dtype, is_norm)
        if key not in self._pools:
            values, noise = self._made(spec.dtype, is_norm=is_norm)
            self._pools[key] = (values, noise, np.empty_like(values[: len(values) // _CHUNKS]))
        values, noise, chunk = self._pools[key]
        rows, row_bytes = values.shape
        left = spec.nbytes // row_bytes
        while left:
            count = min(left, len(chunk))
            value_at, noise_at = (self._raw(2) % np.uint64(rows - count)).tolist()
            yield np.bitwise_xor(
                values[value_at : value_at + count],
                noise[noise_at : noise_at + count],
                out=chunk[:count],
            ).reshape(-1)
            left -= count

    def _made(self, dtype: str, *, is_norm: bool) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Values and noise: rows of bytes, one row for each value or quantisation block."""
        row_bytes = GGML_TYPES_BY_NAME[dtype].block_bytes
        rows = self._pool_bytes // row_bytes
        shape = (rows, row_bytes)
        values: NDArray[Any]
        if dtype in _HALVES_AT:
            values, noise = (self._words(rows * row_bytes, "u1").reshape(shape) for _ in range(2))
            for at in _HALVES_AT[dtype]:
                halves = (slice(None), slice(at, at + 2))
                values[halves] = np.frombuffer(_SCALE_HALF.to_bytes(2, "little"), "u1")
                noise[halves] &= np.frombuffer(_HALF_FREE_BITS.to_bytes(2, "little"), "u1")
            return values, noise
        if dtype == "F32":
            values, free, word = np.full(rows, _ONE_F32, "<u4"), _F32_NORM_FREE_BITS, "<u4"
        elif is_norm:
            values, free, word = np.full(rows, _ONE_BF16, "<u2"), _BF16_NORM_FREE_BITS, "<u2"
        else:
            values, free, word = self._normal_bf16(rows), _BF16_FREE_BITS, "<u2"
        noise = self._words(rows, word) & np.dtype(word).type(free)
        return values.view("u1").reshape(shape), noise.view("u1").reshape(shape)

    def _normal_bf16(self, count: int) -> NDArray[np.uint16]:
        """Nearly normal values of standard deviation 0.02 (a sum of four uniform ones)."""
        total = np.full(count, -2 * 65535, "<i4")
        for _ in range(4):
            total += self._words(count, "<u2")
        deviation = 65536 * (4 / 12) ** 0.5
        scaled = total.astype("<f4")
        scaled *= np.float32(0.02 / deviation)
        # The upper half of a float is its value in bf16.
        return scaled.view("<u2")[1::2].copy()

    def _words(self, count: int, dtype: str) -> NDArray[Any]:
        """`count` random unsigned integers."""
        wanted = np.dtype(dtype)
        return self._raw(-(-count * wanted.itemsize // 8)).view(wanted)[:count]

    def _raw(self, count: int) -> NDArray[np.uint64]:
        return self._generator.random_raw(count).astype("<u8", copy=False)

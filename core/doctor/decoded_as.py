"""How long a model would take to load and decode here, were it stored as another type."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.limited_numbers import Amount
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME, is_quantised
from modelmon.core.model.stored_codes import kept_as_stored, stored_codes
from modelmon.core.probe.probe import best_times

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.probe import DecodeRate, Probe

_MATRIX_DIMENSIONS = 2


_FALLBACKS = {
    **dict.fromkeys(("Q2_K", "Q3_K", "IQ4_XS"), "IQ4_NL"),
    "Q4_K": "Q5_0",
    "Q5_K": "Q5_1",
    "Q6_K": "Q8_0",
}
"""What rows become that don't divide into a type's 256 values, but into 32. Source: llama.cpp's
quantiser, tensor_type_fallback() in src/llama-quant.cpp.
"""


class DecodedAs(msgspec.Struct, frozen=True):
    """The model with its matrices stored as `dtype`, or as it is where that is empty:
    its size, and the time in which it becomes float32.

    `decode_ns` is decoding alone. A cold load takes between `least_ns`, where all of it happens
    while the disk reads, and `most_ns`, one after the other; None where the disk was not measured.
    """

    dtype: str
    model_bytes: Amount
    decode_ns: Amount
    least_ns: Amount | None
    most_ns: Amount | None


def decoded_as(
    model: Model, rates: Sequence[DecodeRate], probe: Probe | None
) -> tuple[DecodedAs, ...]:
    """The model as it is, then as each of these types, the largest first.

    What has one dimension stays as it is stored, and so do rows that don't divide into blocks of a
    type or of what llama.cpp takes then. What stays is decoded as well; a type without a rate takes
    no time. A type that no matrix can have is left out.

    Of a model that isn't decoded as a whole there are none, since only values have a size. As it
    is, one that has a quantised type without a rate is left out.
    """
    if kept_as_stored(model):
        return ()
    by_dtype = {rate.dtype: rate for rate in rates}
    found = []
    for dtype in by_dtype:
        changed, kept = _sizes(model, dtype)
        if dtype in changed:
            found.append(_decoded(dtype, changed + kept, by_dtype, probe))
    found.sort(key=lambda one: -one.model_bytes)
    stored = model.dtype_bytes()
    if all(name in by_dtype for name in stored if is_quantised(name)):
        found.insert(0, _decoded("", stored, by_dtype, probe))
    return tuple(found)


def _decoded(
    dtype: str, sizes: Mapping[str, int], rates: Mapping[str, DecodeRate], probe: Probe | None
) -> DecodedAs:
    known = [(size * 1e9, rates[name]) for name, size in sizes.items() if name in rates]
    fast_ns = round(sum(size / rate.high_bytes_per_s for size, rate in known))
    slow_ns = round(sum(size / rate.low_bytes_per_s for size, rate in known))
    size_bytes = sum(sizes.values())
    read_ns = best_times(size_bytes, probe.storage, probe.memory).cold_ns if probe else None
    return DecodedAs(
        dtype=dtype,
        model_bytes=size_bytes,
        decode_ns=round(sum(size / rate.bytes_per_s for size, rate in known)),
        least_ns=None if read_ns is None else max(read_ns, fast_ns),
        most_ns=None if read_ns is None else read_ns + slow_ns,
    )


def _sizes(model: Model, name: str) -> tuple[Counter[str], Counter[str]]:
    """Bytes by their type: of what is stored otherwise as `name`, and of what stays."""
    changed, kept = Counter[str](), Counter[str]()
    codes = stored_codes(model)
    for index, tensor in enumerate(model.tensors):
        found = None if index in codes else _stored_as(name, tensor.shape)
        if found is None:
            kept[tensor.dtype] += tensor.nbytes
        else:
            changed[found[0]] += found[1]
    return changed, kept


@lru_cache
def _stored_as(name: str, shape: tuple[int, ...]) -> tuple[str, int] | None:
    """The type that a tensor of this shape gets, and its bytes; None where it stays."""
    if len(shape) < _MATRIX_DIMENSIONS or 0 in shape:
        return None
    for dtype in (name, _FALLBACKS.get(name, name)):
        kind = GGML_TYPES_BY_NAME[dtype]
        if shape[-1] % kind.block_values == 0:
            return dtype, prod(shape) // kind.block_values * kind.block_bytes
    return None

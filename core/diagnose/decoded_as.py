"""How long a model would take to load and decode here, were it stored as another type."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.bounded import Amount
from modelmon.core.model.ggml_types import GGML_TYPE_NUMBERS, GGML_TYPES
from modelmon.core.model.packed_weights import has_packed_weights
from modelmon.core.probe.limits import best_times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.probe import DecodeRate, Probe

_MATRIX_DIMENSIONS = 2


class DecodedAs(msgspec.Struct, frozen=True):
    """The model with its matrices stored as `dtype`: its size, and the time in which it becomes
    float32.

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
    """The model as each of these types, the largest first.

    Weights that several tensors make up have no sizes that their shapes tell: of such a model
    there are none. What has one dimension, or rows that do not divide into a type's blocks, stays
    as it is stored.
    """
    if has_packed_weights(model):
        return ()
    found = []
    for rate in rates:
        size_bytes, changed_bytes = _sizes(model, rate.dtype)
        decode_ns = [
            round(changed_bytes * 1e9 / each)
            for each in (rate.high_bytes_per_s, rate.bytes_per_s, rate.low_bytes_per_s)
        ]
        read_ns = best_times(size_bytes, probe.storage, probe.memory).cold_ns if probe else None
        found.append(
            DecodedAs(
                dtype=rate.dtype,
                model_bytes=size_bytes,
                decode_ns=decode_ns[1],
                least_ns=None if read_ns is None else max(read_ns, decode_ns[0]),
                most_ns=None if read_ns is None else read_ns + decode_ns[2],
            )
        )
    return tuple(sorted(found, key=lambda one: -one.model_bytes))


def _sizes(model: Model, dtype: str) -> tuple[int, int]:
    """Bytes of the whole, and of what is stored as `dtype` in it."""
    kind = GGML_TYPES[GGML_TYPE_NUMBERS[dtype]]
    changed_bytes = kept_bytes = 0
    for tensor in model.tensors:
        shape = tensor.shape
        if len(shape) >= _MATRIX_DIMENSIONS and shape[-1] % kind.block_values == 0:
            changed_bytes += prod(shape) // kind.block_values * kind.block_bytes
        else:
            kept_bytes += tensor.nbytes
    return changed_bytes + kept_bytes, changed_bytes

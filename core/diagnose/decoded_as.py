"""How long a model would take to load and decode here, were it stored as another type."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.bounded import Amount
from modelmon.core.errors import ConfigError
from modelmon.core.model.block_layers import layers_of
from modelmon.core.model.ggml_types import GGML_TYPE_NUMBERS, GGML_TYPES
from modelmon.core.model.packed_formats import PACKED_FORMATS, packed_as
from modelmon.core.model.packed_weights import with_packed_weights
from modelmon.core.probe.limits import best_times

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from modelmon.core.model.tensors import Model
    from modelmon.core.probe.probe import DecodeRate, Probe

_MATRIX_DIMENSIONS = 2


class DecodedAs(msgspec.Struct, frozen=True):
    """The model with its matrices stored as `dtype`, a type or format: its size, and the time in
    which it becomes float32.

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
    """The model as each of these types and formats, the largest first.

    What has one dimension, or rows that do not divide into a type's blocks, stays as it is stored.
    So does, in formats of several tensors, what is in no layer: embeddings and the output. Of a
    model of such a format that can't be decoded there are none, since only values have a size.
    """
    try:
        model = with_packed_weights(model)
    except ConfigError:
        return ()
    layers, _ = layers_of([tensor.name for tensor in model.tensors])
    in_layers = {index for members in layers.values() for index in members}
    found = []
    for rate in rates:
        size_bytes, changed_bytes = _sizes(model, rate.dtype, in_layers)
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


def _sizes(model: Model, name: str, in_layers: Collection[int]) -> tuple[int, int]:
    """Bytes of the whole, and of what is stored as this type or format in it."""
    changed_bytes = kept_bytes = 0
    helpers = model.helpers
    beside = {each.tensor: each.helpers.values() for each in model.packed}
    as_packed = name in PACKED_FORMATS
    sizes: dict[tuple[int, ...], int | None] = {}
    for index, tensor in enumerate(model.tensors):
        if index in helpers:
            continue
        shape = tensor.shape
        if shape not in sizes:
            sizes[shape] = _size(name, shape)
        size_bytes = sizes[shape]
        if size_bytes is not None and (not as_packed or index in in_layers):
            changed_bytes += size_bytes
        else:
            kept_bytes += tensor.nbytes
            kept_bytes += sum(model.tensors[helper].nbytes for helper in beside.get(index, ()))
    return changed_bytes + kept_bytes, changed_bytes


def _size(name: str, shape: tuple[int, ...]) -> int | None:
    """Bytes of a tensor of this shape as a type or format; None where it stays as it is."""
    if len(shape) < _MATRIX_DIMENSIONS or 0 in shape:
        return None
    if name in PACKED_FORMATS:
        packed = packed_as(name, prod(shape[:-1]), shape[-1])
        return None if packed is None else packed.nbytes
    kind = GGML_TYPES[GGML_TYPE_NUMBERS[name]]
    if shape[-1] % kind.block_values:
        return None
    return prod(shape) // kind.block_values * kind.block_bytes

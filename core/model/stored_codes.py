"""Which tensors hold codes, not values: weights that programs decode on the GPU.

Those are integers (GPTQ, AWQ, MXFP4 of gpt-oss), what has an `absmax` next to it (NF4 and FP4 of
bitsandbytes), and fp8 whose scales are another tensor. A decoded load delivers them as they are
stored, and says so. Names and types decide: nothing here opens a file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.tensors import dtype_bytes
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from modelmon.core.model.tensors import Model, Tensor

_INTEGERS = frozenset({"BOOL", "U8", "I8", "U16", "I16", "U32", "I32", "U64", "I64"})
_FP8 = frozenset({"F8_E4M3", "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ"})

_SCALE = re.compile("scal(e|ing)|absmax|SCB|codebook")
"""Something that the name of a scale has in its last part."""

_LEAST_SHARE = 0.01
"""Of a model's bytes: position ids and other small integers are nobody's weights."""


def stored_codes(model: Model) -> frozenset[int]:
    """Indices of the tensors that decoding leaves as they are stored."""
    dtypes = {tensor.name: tensor.dtype for tensor in model.tensors}
    scales: dict[str, set[str]] = {}
    """Types of the scales, by the module that they are in."""
    for name, dtype in dtypes.items() if _FP8 & set(dtypes.values()) else ():
        module, _, last = name.rpartition(".")
        if _SCALE.search(last):
            scales.setdefault(module, set()).add(dtype)
    return frozenset(
        index
        for index, tensor in enumerate(model.tensors)
        if tensor.dtype in _INTEGERS
        # bitsandbytes keeps codes as whichever type there is.
        or f"{tensor.name}.absmax" in dtypes
        or (tensor.dtype in _FP8 and _is_scaled(tensor, scales))
    )


def _is_scaled(tensor: Tensor, scales: Mapping[str, set[str]]) -> bool:
    """Whether there is a scale of a tensor of fp8: in its module, or in one that is called so."""
    module, _, last = tensor.name.rpartition(".")
    found = scales.get(module, set()) | scales.get(tensor.name, set())
    # Where all of a model was cast to fp8, what is called a scale was a parameter.
    return not _SCALE.search(last) and bool(found - {tensor.dtype})


def kept_as_stored(model: Model, indices: Collection[int] | None = None) -> Message:
    """What a decoded load of a model, or of its tensors with these `indices`, leaves as it is
    stored; "" where that is next to nothing.
    """
    wanted = range(len(model.tensors)) if indices is None else sorted(indices)
    codes = stored_codes(model)
    kept = [model.tensors[index] for index in wanted if index in codes]
    nbytes = sum(tensor.nbytes for tensor in kept)
    all_bytes = sum(model.tensors[index].nbytes for index in wanted)
    if nbytes <= _LEAST_SHARE * all_bytes:
        return NOTHING
    return Message(
        "Delivered as stored, not decoded: {nbytes} of {all_bytes}, of type {types}.",
        nbytes=size_text(nbytes),
        all_bytes=size_text(all_bytes),
        types=", ".join(dtype_bytes(kept)),
    )

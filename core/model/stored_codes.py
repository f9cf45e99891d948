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
    from collections.abc import Mapping

    from modelmon.core.model.tensors import Model

_INTEGERS = frozenset({"BOOL", "U8", "I8", "U16", "I16", "U32", "I32", "U64", "I64"})
_FP8 = frozenset({"F8_E4M3", "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ"})

_SCALE = re.compile("scal(e|ing)|absmax|SCB|codebook")
"""Something that the name of a scale has in its last part."""
_CODES_OF_A_MODULE = ("weight", "kernel", "_data", "codes")
"""Last parts of a name whose scales are all those beside it. Names of others' scales begin like
theirs, up to the last word: `up_proj` and `up_proj_packed` have `up_proj_scale`.
"""

_LEAST_SHARE = 0.01
"""Of a model's bytes: position ids and other small integers are nobody's weights."""


def stored_codes(model: Model) -> frozenset[int]:
    """Indices of the tensors that decoding leaves as they are stored."""
    dtypes = {tensor.name: tensor.dtype for tensor in model.tensors}
    scales = _scales_by_module(dtypes) if _FP8 & set(dtypes.values()) else {}
    return frozenset(
        index
        for index, tensor in enumerate(model.tensors)
        if tensor.dtype in _INTEGERS
        # bitsandbytes keeps codes as whichever type there is.
        or f"{tensor.name}.absmax" in dtypes
        or (tensor.dtype in _FP8 and _has_scale(tensor.name, dtypes, scales))
    )


def kept_as_stored(model: Model) -> Message:
    """What of a model a decoded load leaves as it is stored; "" where that is next to nothing."""
    kept = [model.tensors[index] for index in sorted(stored_codes(model))]
    nbytes = sum(tensor.nbytes for tensor in kept)
    if nbytes <= _LEAST_SHARE * model.nbytes:
        return NOTHING
    return Message(
        "Delivered as stored, not decoded: {nbytes} of {all_bytes}, of type {types}.",
        nbytes=size_text(nbytes),
        all_bytes=size_text(model.nbytes),
        types=", ".join(dtype_bytes(kept)),
    )


def _scales_by_module(names: Mapping[str, str]) -> dict[str, list[str]]:
    """By module the last parts of its scales' names."""
    found: dict[str, list[str]] = {}
    for name in names:
        module, _, last = name.rpartition(".")
        if _SCALE.search(last):
            found.setdefault(module, []).append(last)
    return found


def _has_scale(name: str, dtypes: Mapping[str, str], scales: Mapping[str, list[str]]) -> bool:
    """Whether a tensor beside the one of fp8 that is named so scales it."""
    module, dot, last = name.rpartition(".")
    if _SCALE.search(last):
        return False
    begins = (f"{last}_", f"{last.rpartition('_')[0] or last}_")
    beside = [
        f"{module}{dot}{each}"
        for each in scales.get(module, ())
        if last in _CODES_OF_A_MODULE or each.startswith(begins)
    ]
    beside += [f"{name}.{each}" for each in scales.get(name, ())]
    # Where all of a model was cast to fp8, what is called a scale was a parameter.
    return any(dtypes[each] != dtypes[name] for each in beside)

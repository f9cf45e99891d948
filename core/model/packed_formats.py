"""What weights of several tensors are usually packed as, and how large that makes their tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.model.packed import Packed

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.model.packed import Packing

    Helpers = dict[str, tuple[str, int]]
    """By their role, the stored type and the bytes of the tensors beside the codes."""

_GROUP = 128
"""Inputs that share a scale: what nearly all files of GPTQ and AWQ have."""
_NF4_BLOCK, _NF4_NESTED = 64, 256
_MX_BLOCK = 32
_FP8_BLOCK = 128


class PackedAs(NamedTuple):
    """A matrix of `outputs` × `inputs` as a format packs it; codes are of stored type `dtype`."""

    dtype: str
    codes_bytes: int
    helpers: Helpers
    packed: Packed

    @property
    def nbytes(self) -> int:
        """Stored bytes, helpers included."""
        return self.codes_bytes + sum(nbytes for _, nbytes in self.helpers.values())


def packed_as(name: str, outputs: int, inputs: int) -> PackedAs | None:
    """What becomes of a matrix in a format of PACKED_FORMATS; None where it can't be packed so."""
    return PACKED_FORMATS[name](outputs, inputs)


def _made(  # noqa: PLR0913, PLR0917  one fact each
    packing: Packing,
    dtype: str,
    codes_bytes: int,
    helpers: Helpers,
    block: tuple[int, int],
    settings: dict[str, float],
) -> PackedAs:
    places = {role: index for index, role in enumerate(helpers, 1)}
    return PackedAs(dtype, codes_bytes, helpers, Packed(0, packing, places, *block, settings))


def _nf4(outputs: int, inputs: int) -> PackedAs | None:
    """bitsandbytes with nested scales, as `bnb_4bit_use_double_quant` makes them."""
    values = outputs * inputs
    if values % _NF4_BLOCK:
        return None
    blocks = values // _NF4_BLOCK
    helpers = {
        "absmax": ("U8", blocks),
        "quant_map": ("F32", 4 * 16),
        "nested_absmax": ("F32", 4 * -(-blocks // _NF4_NESTED)),
        "nested_quant_map": ("F32", 4 * 256),
    }
    settings: dict[str, float] = {"nested_block": _NF4_NESTED, "offset": 0.0}
    block = _NF4_BLOCK, _NF4_BLOCK // 2
    return _made("bitsandbytes", "U8", values // 2, helpers, block, settings)


def _gptq(outputs: int, inputs: int) -> PackedAs | None:
    if inputs % _GROUP or outputs % 8:
        return None
    groups = inputs // _GROUP
    helpers = {
        "qzeros": ("I32", groups * outputs // 2),
        "scales": ("F16", 2 * groups * outputs),
        "g_idx": ("I32", 4 * inputs),
    }
    settings: dict[str, float] = {
        "bits": 4,
        "inputs": inputs,
        "outputs": outputs,
        "group": inputs,
        "zero": 1,
    }
    block = 8 * outputs, 4 * outputs
    return _made("GPTQ", "I32", outputs * inputs // 2, helpers, block, settings)


def _awq(outputs: int, inputs: int) -> PackedAs | None:
    if inputs % _GROUP or outputs % 8:
        return None
    groups = inputs // _GROUP
    helpers = {
        "qzeros": ("I32", groups * outputs // 2),
        "scales": ("F16", 2 * groups * outputs),
    }
    block = outputs, outputs // 2
    return _made("AWQ", "I32", outputs * inputs // 2, helpers, block, {"group": _GROUP})


def _mxfp4(outputs: int, inputs: int) -> PackedAs | None:
    if inputs % _MX_BLOCK:
        return None
    values = outputs * inputs
    helpers = {"scales": ("U8", values // _MX_BLOCK)}
    return _made("MXFP4", "U8", values // 2, helpers, (_MX_BLOCK, _MX_BLOCK // 2), {})


def _fp8(outputs: int, inputs: int) -> PackedAs:
    """Blocks of 128 × 128, as DeepSeek-V3 has them."""
    scale_rows, scale_columns = -(-outputs // _FP8_BLOCK), -(-inputs // _FP8_BLOCK)
    settings: dict[str, float] = {
        "rows": outputs,
        "scale_rows": scale_rows,
        "block_rows": _FP8_BLOCK,
        "block_columns": _FP8_BLOCK,
    }
    helpers = {"scale": ("F32", 4 * scale_rows * scale_columns)}
    return _made("fp8", "F8_E4M3", outputs * inputs, helpers, (inputs, inputs), settings)


PACKED_FORMATS: dict[str, Callable[[int, int], PackedAs | None]] = {
    "FP8, block scales": _fp8,
    "NF4": _nf4,
    "GPTQ, 4 bits": _gptq,
    "AWQ, 4 bits": _awq,
    "MXFP4, gpt-oss": _mxfp4,
}
"""By the name that a person reads."""

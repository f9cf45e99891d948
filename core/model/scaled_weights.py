"""What of a model is decoded: its floats, those of fp8 by scales in tensors of their own.

A scale is named `W_scale_inv` or `W_scale` beside `W`, or as Mistral does `M.qscale_weight` beside
`M.weight`. All else is delivered as it is stored: integers, which are the codes of GPTQ, AWQ, NF4,
MXFP4 and others, that programs decode on their GPU; and fp8 whose scales are not understood, whose
values would be wrong.

Sources: DeepSeek-V3 `inference/kernel.py`; llama.cpp `convert_hf_to_gguf.py` for Mistral's names.
"""

from __future__ import annotations

import re
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.header import HeaderFile
from modelmon.core.model.scaled_weight import ScaledWeight
from modelmon.core.model.tensors import Model, dtype_bytes
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Tensor

AS_STORED = Message("Load what is stored instead, without decoding.")
"""What to do where something can't be decoded."""

_FP8 = ("F8_E4M3", "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ")
_INTEGERS = frozenset({"BOOL", "U8", "I8", "U16", "I16", "U32", "I32", "U64", "I64"})
_SCALES = ("F32", "BF16", "F16", "F8_E8M0")

_SCALE = re.compile("scal(e|ing)|absmax|SCB|codebook")
"""Something that the name of a scale has in its last part."""
_CODES_OF_A_MODULE = ("weight", "kernel", "_data", "codes")
"""Last parts of a name whose scales are all those beside it. Names of others' scales begin like
theirs, up to the last word: `up_proj` and `up_proj_packed` have `up_proj_scale`.
"""

_MAX_CONFIG_BYTES = 1 << 24
_LEAST_SHARE = 0.01
"""Of a model's bytes: position ids and other small integers are nobody's weights."""


class DecodedModel(Model, frozen=True):
    """A model as it is decoded: with its weights of fp8 that are `scaled`, and the indices of what
    is delivered `as_stored`.
    """

    scaled: tuple[ScaledWeight, ...] = ()
    as_stored: frozenset[int] = frozenset()


class _Quantization(msgspec.Struct):
    weight_block_size: object = None


class _Config(msgspec.Struct):
    quantization_config: _Quantization | None = None


_decode_config = msgspec.json.Decoder(_Config).decode


def decoded_model(model: Model) -> Model:
    """`model` as it is decoded; itself where all of it are floats of their own. Opens `config.json`
    beside a model of fp8 with scales. Raises ModelFileError where that cannot be read.
    """
    names = {tensor.name for tensor in model.tensors}
    kept = {
        number
        for number, each in enumerate(model.tensors)
        # bitsandbytes keeps codes as whichever type there is.
        if each.dtype in _INTEGERS or f"{each.name}.absmax" in names
    }
    scaled: list[ScaledWeight] = []
    if any(tensor.dtype in _FP8 for tensor in model.tensors):
        beside = _Beside(model)
        for number, tensor in enumerate(model.tensors):
            weight = beside.scaled(number) if tensor.dtype in _FP8 and tensor.nbytes else None
            if isinstance(weight, ScaledWeight):
                scaled.append(weight)
            elif weight is not None:
                kept.add(number)
    if not kept and not scaled:
        return model
    fields = {name: getattr(model, name) for name in Model.__struct_fields__}
    return DecodedModel(**fields, scaled=tuple(scaled), as_stored=frozenset(kept))


def has_scaled_weights(model: Model) -> bool:
    """Whether names tell of fp8 with scales; opens no file."""
    beside = _Beside(model)
    return any(
        tensor.dtype in _FP8 and beside.scale_of(tensor.name) is not None
        for tensor in model.tensors
    )


def kept_as_stored(model: Model) -> Message:
    """What of a model decoding leaves as it is stored; "" where that is next to nothing.

    Without what `decoded_model` found it is known by types alone.
    """
    kept = [
        tensor
        for number, tensor in enumerate(model.tensors)
        if tensor.dtype in _INTEGERS or number in model.as_stored
    ]
    nbytes = sum(tensor.nbytes for tensor in kept)
    if nbytes <= _LEAST_SHARE * model.nbytes:
        return NOTHING
    return Message(
        "Delivered as stored, not decoded: {nbytes} of {all_bytes}, of type {types}.",
        nbytes=size_text(nbytes),
        all_bytes=size_text(model.nbytes),
        types=", ".join(dtype_bytes(kept)),
    )


class _Beside:
    """The tensors of a model by name, and the scales beside each."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._index = {tensor.name: number for number, tensor in enumerate(model.tensors)}
        self._scales: dict[str, list[str]] = {}
        """By module the last parts of its scales' names."""
        for name in self._index:
            module, _, last = name.rpartition(".")
            if _SCALE.search(last):
                self._scales.setdefault(module, []).append(last)

    def scale_of(self, name: str) -> int | None:
        """The tensor that by its name has the scales of this one."""
        module = name.removesuffix(".weight")
        names = (f"{name}_scale_inv", f"{name}_scale", f"{module}.qscale_weight")
        return next((self._index[each] for each in names if each in self._index), None)

    def scaled(self, number: int) -> ScaledWeight | str | None:
        """How a tensor of fp8 is scaled; the name of a scale that isn't understood, or None."""
        tensor = self._model.tensors[number]
        scale = self.scale_of(tensor.name)
        if scale is None:
            return self._unknown_scale(tensor)
        return _scaled(self._model, number, scale, self._blocks) or self._model.tensors[scale].name

    def _unknown_scale(self, tensor: Tensor) -> str | None:
        module, _, last = tensor.name.rpartition(".")
        if _SCALE.search(last):
            return None
        begins = (f"{last}_", f"{last.rpartition('_')[0] or last}_")
        found = [
            f"{module}.{each}" if module else each
            for each in self._scales.get(module, ())
            if last in _CODES_OF_A_MODULE or each.startswith(begins)
        ]
        found += [f"{tensor.name}.{each}" for each in self._scales.get(tensor.name, ())]
        # Where all of a model was cast to fp8, what is called a scale was a parameter.
        kinds = {name: self._model.tensors[self._index[name]].dtype for name in found}
        return next((name for name, kind in kinds.items() if kind != tensor.dtype), None)

    @cached_property
    def _blocks(self) -> tuple[int, int] | tuple[None, None]:
        """Rows and columns of fp8 that share a scale, by `config.json`."""
        path = Path(self._model.shards[0].path).parent / "config.json"
        if not path.is_file():
            return None, None
        with HeaderFile(path) as file:
            if file.size_bytes > _MAX_CONFIG_BYTES:
                raise ModelFileError(
                    Message("{path} is too large to be a configuration.", path=path)
                )
            text = file.read(0, file.size_bytes)
        try:
            said = _decode_config(text).quantization_config
        except (ValueError, RecursionError):
            # Others write it for others: what it says of all else is no reason to refuse.
            return None, None
        match said and said.weight_block_size:
            case [int(rows), int(columns)] if min(rows, columns) > 0:
                return rows, columns
        return None, None


def _scaled(
    model: Model, number: int, scale: int, stated: tuple[int, int] | tuple[None, None]
) -> ScaledWeight | None:
    """None where the scales don't fit the weight."""
    shape, of_scale = model.tensors[number].shape, model.tensors[scale].shape
    if model.tensors[scale].dtype not in _SCALES or not shape or not prod(of_scale):
        return None
    if prod(of_scale) == 1:
        return ScaledWeight(number, scale)
    # One for each row, or for each expert, may come without the dimensions of which they have one.
    held = (*of_scale, *(1,) * (len(shape) - len(of_scale)))
    if len(held) != len(shape) or len(shape) < 2 or held[:-2] != shape[:-2]:
        return None
    rows, columns = shape[-2:]
    blocks = _block_of(rows, held[-2], stated[0]), _block_of(columns, held[-1], stated[1])
    # One for some rows, but all columns, may be of parts that were joined, which differ in size.
    joined = 1 < blocks[0] < rows and max(stated[1] or 0, blocks[0]) < columns == blocks[1]
    if not all(blocks) or joined or (len(of_scale) < len(shape) and 1 < blocks[0] < rows):
        return None
    return ScaledWeight(number, scale, columns, rows, held[-2], *blocks)


def _block_of(length: int, scales: int, stated: int | None) -> int:
    """How many values share one of so many scales; 0 where that cannot be told.

    Files have one for all, one for each, or one for as many as is `stated`: else a power of two.
    """
    if scales == 1:
        return length
    if scales == length:
        return 1
    if stated is not None:
        return stated if -(-length // stated) == scales else 0
    block = 1
    while -(-length // block) > scales:
        block *= 2
    return block if -(-length // block) == scales else 0

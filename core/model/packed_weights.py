"""Weights that a safetensors file stores as several tensors: found by their names and shapes.

| format | tensors of a weight `W` or `M.weight` | else needed |
|---|---|---|
| bitsandbytes NF4, FP4 | `W`, `W.absmax`, `W.quant_map`, `W.quant_state.bitsandbytes__nf4`; \
`W.nested_absmax`, `W.nested_quant_map` | the JSON in `quant_state` |
| GPTQ | `M.qweight`, `M.qzeros`, `M.scales`; `M.g_idx` | `config.json` or `quantize_config.json` |
| AWQ (its GEMM layout) | `M.qweight`, `M.qzeros`, `M.scales` | |
| AWQ (its GEMV layout) | `M.qweight`, `M.qzeros`, `M.scales` | as GPTQ |
| MXFP4 (gpt-oss) | `W_blocks`, `W_scales`, or with a dot | |
| fp8 with scales | `W`, `W_scale_inv` or `W_scale`; Mistral `M.weight`, `M.qscale_weight` | |

What has a scale beside it that none of these explains isn't decoded: its values would be wrong. Nor
are matrices of integers where the configuration names a format that is none of these.

Sources: bitsandbytes `QuantState.as_dict`; GPTQModel and AutoGPTQ, `QuantLinear`; AutoAWQ,
`packing_utils.py` and `WQLinear_GEMV`; gpt-oss `torch/weights.py`; DeepSeek-V3
`inference/kernel.py`; llama.cpp `convert_hf_to_gguf.py` for Mistral's names.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from functools import cached_property
from math import isfinite, prod
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.messages import Message
from modelmon.core.model.header import MAX_DIMENSIONS, HeaderFile, value_count
from modelmon.core.model.packed import Packed
from modelmon.core.model.tensors import Model

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from modelmon.core.model.tensors import Tensor

    Described = tuple[tuple[int, ...], Packed]
    """The shape of a weight, and how it is packed."""
    Describe = Callable[["_Tensors", int, Tensor, str], Described]
    """Describes the weight of this name, whose codes are in the tensor of this index."""

_FP8 = ("F8_E4M3", "F8_E5M2")
_SCALES = ("F32", "BF16", "F16", "F8_E8M0")
_METHODS = frozenset({"bitsandbytes", "gptq", "awq", "mxfp4", "fp8", "fbgemm_fp8"})
_CHECKPOINTS = frozenset({"gptq", "gptq_v2"})
_STATE = ".quant_state.bitsandbytes__"
_CONFIGS = ("config.json", "quantize_config.json")

_UNKNOWN_CODES = {
    ".weight_packed": "compressed-tensors",
    ".q_weight": "EXL2",
    ".trellis": "EXL3",
    ".W_q": "HQQ",
    ".Qidxs": "QuIP#",
    "._data._data": "quanto",
    "_qdata": "torchao",
    ":qdata": "torchao",
}
"""How the name of codes ends that only files of these formats have."""

_UNKNOWN_SCALES = {
    "weight_scale_2": "NVFP4",
    "pre_quant_scale": "ModelOpt",
    "SCB": "LLM.int8",
    "codebooks": "AQLM",
}
"""How the name of a scale ends that only files of these formats have."""

_CODES = (*_FP8, "F8_E4M3FNUZ", "F8_E5M2FNUZ", "I8", "U8", "I16", "U16", "I32", "U32")
"""Types of a weight that are no values where a tensor beside it holds scales."""

_SCALE = re.compile("scal(e|ing)|absmax|SCB|codebook")
"""Something that the name of a scale has in its last part."""

_CODES_OF_A_MODULE = ("weight", "kernel", "_data", "codes")
"""Last parts of a name whose scales are all those beside it. Names of others' scales begin like
theirs, up to the last word: `up_proj` and `up_proj_packed` have `up_proj_scale`.
"""

AS_STORED = Message("Load what is stored instead, without decoding.")
"""What to do where something can't be decoded."""

_MAX_STATE_BYTES = 1 << 16
_MAX_CONFIG_BYTES = 1 << 24

_Extent = Annotated[int, msgspec.Meta(ge=1, le=2**60)]


class PackedModel(Model, frozen=True):
    """A model as it is decoded: of each of its `packed` weights the tensor that has the codes has
    the name and the shape of the weight, and of each that is `undecodable` the name.
    """

    packed: tuple[Packed, ...] = ()
    undecodable: dict[int, Message] = msgspec.field(default_factory=dict)


class _QuantState(msgspec.Struct):
    blocksize: Annotated[int, msgspec.Meta(ge=2, le=2**20)]
    shape: Annotated[tuple[_Extent, ...], msgspec.Meta(max_length=MAX_DIMENSIONS)]
    nested_blocksize: Annotated[int, msgspec.Meta(ge=1, le=2**20)] = 1
    nested_offset: float = 0.0


class _Quantization(msgspec.Struct):
    """What `config.json` says of it; `quantize_config.json` is nothing else."""

    quant_method: str | None = None
    checkpoint_format: str | None = None
    version: str | float | None = None
    bits: int | None = None
    group_size: int | None = None
    weight_block_size: object = None

    @property
    def blocks(self) -> tuple[int, int] | None:
        """Rows and columns of fp8 that share a scale; None where that isn't said."""
        match self.weight_block_size:
            case [int(rows), int(columns)] if min(rows, columns) > 0:
                return rows, columns
            case _:
                return None

    @property
    def unknown(self) -> str:
        """The format that is none of those above; "" if it is one, or isn't said."""
        if self.quant_method not in (None, *_METHODS):
            return str(self.quant_method)
        # That of AWQ is of the kernel, and says nothing of how weights are stored.
        is_gptq = self.quant_method in (None, "gptq")
        known = not is_gptq or self.checkpoint_format in (None, *_CHECKPOINTS)
        return "" if known else str(self.checkpoint_format)


_decode_state = msgspec.json.Decoder(_QuantState).decode
_decode_config = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class _NotToldError(Exception):
    """What stands in the way of decoding a weight."""


def _name_taken() -> _NotToldError:
    return _NotToldError(Message("there is a tensor of this name as well"))


class _Tensors:
    """A model's tensors by name, and what is beside them."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.index = {tensor.name: index for index, tensor in enumerate(model.tensors)}
        self.scales: dict[str, list[str]] = {}
        """By module the last parts of its scales' names."""
        for name in self.index:
            module, _, last = name.rpartition(".")
            if _SCALE.search(last):
                self.scales.setdefault(module, []).append(last)
        self._files: dict[int, HeaderFile] = {}
        self.closing = ExitStack()

    def get(self, name: str) -> Tensor | None:
        index = self.index.get(name)
        return None if index is None else self.model.tensors[index]

    def needed(self, name: str, dtypes: tuple[str, ...], values: int | None = None) -> Tensor:
        """A tensor that is there, of one of these types and of so many values."""
        tensor = self.get(name)
        if tensor is None:
            raise _NotToldError(Message("{name} is missing", name=name))
        if tensor.dtype not in dtypes:
            raise _NotToldError(
                Message("{name} is stored as {dtype}", name=name, dtype=tensor.dtype),
            )
        if values is not None and prod(tensor.shape) != values:
            raise _misfit(tensor)
        return tensor

    def check_free(self, name: str, index: int) -> None:
        """Raise _NotToldError where another tensor than this one has a name."""
        if self.index.get(name, index) != index:
            raise _name_taken()

    def places(self, helpers: Mapping[str, Tensor]) -> dict[str, int]:
        return {role: self.index[tensor.name] for role, tensor in helpers.items()}

    def read(self, tensor: Tensor) -> bytes:
        file = self._files.get(tensor.shard)
        if file is None:
            file = HeaderFile(Path(self.model.shards[tensor.shard].path))
            self._files[tensor.shard] = self.closing.enter_context(file)
        return file.read(tensor.offset_bytes, tensor.nbytes)

    @cached_property
    def quantization(self) -> _Quantization:
        """What the files beside the weights say. Raises _NotToldError where they say nothing."""
        return _read_quantization(Path(self.model.shards[0].path).parent)

    @cached_property
    def blocks(self) -> tuple[int, int] | tuple[None, None]:
        """Rows and columns of fp8 that share a scale, by the files beside the weights."""
        try:
            return self.quantization.blocks or (None, None)
        except _NotToldError:
            return None, None

    @cached_property
    def unknown_format(self) -> str:
        """That of all codes, by the files beside the weights; "" if it's known, or isn't said."""
        try:
            return self.quantization.unknown
        except _NotToldError:
            return ""


def with_packed_weights(model: Model) -> Model:
    """`model` with each weight of several tensors as one: its codes have the weight's name and
    shape, and `packed` tells of the rest. The model itself where there is none.

    Reads `config.json` beside it and small tensors that describe others. Where they don't tell
    enough of a weight it's `undecodable`. Raises ModelFileError where a file cannot be read.
    """
    if model.format != "safetensors":
        return model
    tensors = _Tensors(model)
    made = list(model.tensors)
    packed: list[Packed] = []
    undecodable: dict[int, Message] = {}
    named_so_far: set[str] = set()
    codes: set[int] = set()
    helpers: set[int] = set()
    with tensors.closing:
        for index, tensor in enumerate(model.tensors):
            named = _weight_of(tensors, tensor)
            if named is None:
                continue
            name, describe = named
            try:
                tensors.check_free(name, index)
                if name in named_so_far:
                    raise _name_taken()
                named_so_far.add(name)
                made[index] = msgspec.structs.replace(tensor, name=name)
                shape, each = describe(tensors, index, tensor, name)
                codes.add(index)
                _check_once(model, codes, helpers, each)
            except _NotToldError as problem:
                undecodable[index] = Message(
                    "{name} can't be decoded: {why}.", name=name, why=problem.args[0]
                )
                continue
            made[index] = msgspec.structs.replace(made[index], shape=shape)
            packed.append(each)
    explained = codes | helpers | undecodable.keys()
    for index, tensor in enumerate(model.tensors):
        if index not in explained and _has_stated_codes(tensors, tensor):
            undecodable[index] = Message(
                "{name} can't be decoded: {why}.",
                name=tensor.name,
                why=_not_supported(tensors.unknown_format),
            )
    if not packed and not undecodable:
        return model
    fields = {name: getattr(model, name) for name in model.__struct_fields__}
    changed = {"tensors": tuple(made), "packed": tuple(packed), "undecodable": undecodable}
    return PackedModel(**(fields | changed))


def _check_once(model: Model, codes: set[int], helpers: set[int], packed: Packed) -> None:
    """Raise _NotToldError where one tensor would be part of two weights; its own helpers are then
    among `helpers`.
    """
    own = set(packed.helpers.values())
    for index in sorted((own & (helpers | codes)) | ({packed.tensor} & helpers)):
        name = model.tensors[index].name
        raise _NotToldError(Message("{name} would be part of two weights", name=name))
    helpers |= own


def has_packed_weights(model: Model) -> bool:
    """Whether the names of its tensors tell of weights that several of them make up."""
    # Most models have nothing but floats: 100,000 names need not be looked at then.
    if model.format != "safetensors" or {t.dtype for t in model.tensors} <= {"F32", "F16", "BF16"}:
        return False
    tensors = _Tensors(model)
    return any(
        _weight_of(tensors, tensor) is not None or _has_stated_codes(tensors, tensor)
        for tensor in model.tensors
    )


def _weight_of(tensors: _Tensors, tensor: Tensor) -> tuple[str, Describe] | None:
    """The name of the weight whose codes are in a tensor, and what describes it; None where the
    tensor's values are its own, or are part of another's.
    """
    name = tensor.name
    if name.endswith(".qweight"):
        return f"{name.removesuffix('.qweight')}.weight", _integers
    for suffix, known in _UNKNOWN_CODES.items():
        if name.endswith(suffix):
            return f"{name.removesuffix(suffix)}.weight", _unsupported(known)
    if tensor.dtype == "U8" and name[-7:] in ("_blocks", ".blocks"):
        return (name[:-7], _mxfp4) if f"{name[:-6]}scales" in tensors.index else None
    describe = _describe(tensors, tensor)
    return None if describe is None else (name, describe)


def _describe(tensors: _Tensors, tensor: Tensor) -> Describe | None:
    """What describes a weight that has the name of its codes; what is empty has none."""
    name = tensor.name
    if any(f"{name}{_STATE}{kind}" in tensors.index for kind in ("nf4", "fp4")):
        return _bitsandbytes
    if tensor.dtype not in _CODES or not tensor.nbytes:
        return None
    scales = _scales_beside(tensors, tensor)
    if not scales:
        return None
    ends = _UNKNOWN_SCALES.items()
    named = next((known for end, known in ends for each in scales if each.endswith(end)), "")
    if tensor.dtype in _FP8 and _scale_of(tensors, name) and not named:
        return _fp8
    return _unsupported(named or f"{tensor.dtype} + {scales[0]}")


def _has_stated_codes(tensors: _Tensors, tensor: Tensor) -> bool:
    """Whether the files beside the weights say that such integers, unless they are part of a
    weight, are the codes of an unknown format.
    """
    is_matrix = len(tensor.shape) > 1 and tensor.nbytes > 0
    holds_codes = is_matrix and tensor.dtype in _CODES and tensor.dtype[0] in "IU"
    return holds_codes and bool(tensors.unknown_format)


def _scales_beside(tensors: _Tensors, tensor: Tensor) -> list[str]:
    """Names of the scales of a weight's codes, whatever defines them; those named like it first."""
    name = tensor.name
    module, _, last = name.rpartition(".")
    if _SCALE.search(last):
        return []
    begins = (f"{last}_", f"{last.rpartition('_')[0] or last}_")
    found = [
        f"{module}.{each}" if module else each
        for each in sorted(
            tensors.scales.get(module, []), key=lambda each: not each.startswith(begins)
        )
        if last in _CODES_OF_A_MODULE or each.startswith(begins)
    ]
    found += [f"{name}.{each}" for each in tensors.scales.get(name, [])]
    # Where all of a model was cast to fp8, what is called a scale was a parameter.
    cast = tensor.dtype if tensor.dtype.startswith("F8") else ""
    return [each for each in found if tensors.model.tensors[tensors.index[each]].dtype != cast]


def _not_supported(known: str) -> Message:
    return Message("{format} isn't supported", format=known)


def _unsupported(known: str) -> Describe:
    def describe(_tensors: _Tensors, _index: int, _tensor: Tensor, _name: str) -> Described:
        raise _NotToldError(_not_supported(known))

    return describe


def _bitsandbytes(tensors: _Tensors, index: int, tensor: Tensor, name: str) -> Described:
    stated = next(
        held
        for kind in ("nf4", "fp4")
        if (held := tensors.get(f"{name}{_STATE}{kind}")) is not None
    )
    if stated.nbytes > _MAX_STATE_BYTES:
        raise _misfit(stated)
    try:
        state = _decode_state(tensors.read(stated))
    except (ValueError, RecursionError) as error:
        raise _NotToldError(
            Message("{name} doesn't hold valid JSON: {reason}", name=stated.name, reason=error)
        ) from error
    values = value_count(state.shape)
    if values is None or values != 2 * tensor.nbytes or state.blocksize % 2:
        raise _misfit(tensor)
    blocks = -(-values // state.blocksize)
    helpers = {
        "absmax": tensors.needed(f"{name}.absmax", ("F32", "U8"), blocks),
        "quant_map": tensors.needed(f"{name}.quant_map", ("F32",), 16),
        "quant_state": stated,
    }
    settings: dict[str, float] = {}
    if helpers["absmax"].dtype == "U8":
        nested = -(-blocks // state.nested_blocksize)
        helpers["nested_absmax"] = tensors.needed(f"{name}.nested_absmax", ("F32",), nested)
        helpers["nested_quant_map"] = tensors.needed(f"{name}.nested_quant_map", ("F32",), 256)
        settings = {"nested_block": state.nested_blocksize, "offset": state.nested_offset}
        if not isfinite(state.nested_offset):
            raise _misfit(stated)
    block = state.blocksize
    return state.shape, Packed(
        index, "bitsandbytes", tensors.places(helpers), block, block // 2, settings
    )


def _mxfp4(tensors: _Tensors, index: int, tensor: Tensor, name: str) -> Described:
    del name
    shape = tensor.shape
    if len(shape) < 2 or shape[-1] != 16:
        raise _misfit(tensor)
    scales = tensors.needed(f"{tensor.name[:-6]}scales", ("U8", "F8_E8M0"), tensor.nbytes // 16)
    logical = (*shape[:-2], 32 * shape[-2])
    return logical, Packed(index, "MXFP4", tensors.places({"scales": scales}), 32, 16, {})


def _scale_of(tensors: _Tensors, name: str) -> Tensor | None:
    module = name.removesuffix(".weight")
    named = (f"{name}_scale_inv", f"{name}_scale", f"{module}.qscale_weight")
    return next((held for each in named if (held := tensors.get(each))), None)


def _fp8(tensors: _Tensors, index: int, tensor: Tensor, name: str) -> Described:
    scale = _scale_of(tensors, name)
    assert scale is not None
    tensors.needed(scale.name, _SCALES)
    shape, of_scale = tensor.shape, scale.shape
    if not shape or not prod(shape) or not prod(of_scale):
        raise _misfit(scale)
    if prod(of_scale) == 1:
        return shape, Packed(index, "fp8", tensors.places({"scale": scale}), 1, 1, {})
    # One for each row, or for each expert, may come without the dimensions of which they have one.
    held = (*of_scale, *(1,) * (len(shape) - len(of_scale)))
    if len(held) != len(shape) or len(shape) < 2 or held[:-2] != shape[:-2]:
        raise _misfit(scale)
    rows, columns = shape[-2:]
    stated = tensors.blocks
    blocks = _block_of(rows, held[-2], stated[0]), _block_of(columns, held[-1], stated[1])
    # One for some rows, but all columns, may be of parts that were joined, which differ in size.
    joined = 1 < blocks[0] < rows and max(stated[1] or 0, blocks[0]) < columns == blocks[1]
    if not all(blocks) or joined or (len(of_scale) < len(shape) and 1 < blocks[0] < rows):
        raise _misfit(scale)
    settings: dict[str, float] = {
        "rows": rows,
        "scale_rows": held[-2],
        "block_rows": blocks[0],
        "block_columns": blocks[1],
    }
    return shape, Packed(index, "fp8", tensors.places({"scale": scale}), columns, columns, settings)


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


def _integers(tensors: _Tensors, index: int, tensor: Tensor, name: str) -> Described:
    """GPTQ or AWQ: codes, zero points and scales, by what the shapes say."""
    module = name.removesuffix(".weight")
    scales = tensors.needed(f"{module}.scales", _SCALES)
    tensors.needed(tensor.name, ("I32",))
    if len(tensor.shape) != 2 or len(scales.shape) != 2 or not tensor.nbytes or not scales.nbytes:
        raise _misfit(tensor)
    if _is_gemv(tensors, tensor, module, scales):
        return _awq_gemv(tensors, index, tensor, module, scales)
    if 8 * tensor.shape[1] == scales.shape[1]:
        return _awq(tensors, index, tensor, module, scales)
    if tensor.shape[1] == scales.shape[1]:
        return _gptq(tensors, index, tensor, module, scales)
    raise _misfit(tensor)


def _awq(tensors: _Tensors, index: int, tensor: Tensor, module: str, scales: Tensor) -> Described:
    inputs, words = tensor.shape
    groups = scales.shape[0]
    if inputs % groups:
        raise _misfit(scales)
    helpers = {
        "qzeros": tensors.needed(f"{module}.qzeros", ("I32",), groups * words),
        "scales": scales,
    }
    settings: dict[str, float] = {"group": inputs // groups}
    return (8 * words, inputs), Packed(
        index, "AWQ", tensors.places(helpers), 8 * words, 4 * words, settings
    )


def _is_gemv(tensors: _Tensors, tensor: Tensor, module: str, scales: Tensor) -> bool:
    """Where shapes allow it, the configuration says: small matrices of GPTQ have the same."""
    zeros = tensors.get(f"{module}.qzeros")
    rows, words = tensor.shape[0], scales.shape[1] // 8
    if zeros is None or zeros.shape != (rows, words) or scales.shape != (rows, 8 * words):
        return False
    said = tensors.quantization
    return said.quant_method == "awq" and str(said.version).lower() == "gemv"


def _awq_gemv(
    tensors: _Tensors, index: int, tensor: Tensor, module: str, scales: Tensor
) -> Described:
    """Rows have scales and zero points for more groups than there are: how many is not told by the
    shapes.
    """
    outputs, inputs = tensor.shape[0], 8 * tensor.shape[1]
    group = tensors.quantization.group_size
    if group is None:
        raise _NotToldError(Message("group_size is missing in config.json"))
    group = inputs if group == -1 else group
    # Words of zero points come in fours for groups of 32, in pairs for those of 64.
    together = 1 if group >= 128 else {64: 2, 32: 4}.get(group)
    if together is None or group % 8 or inputs % group:
        raise _misfit(scales)
    width = -(-(inputs // group) // (8 * together)) * together
    if scales.shape[1] != 8 * width:
        raise _misfit(scales)
    helpers = {
        "qzeros": tensors.needed(f"{module}.qzeros", ("I32",), outputs * width),
        "scales": scales,
    }
    settings: dict[str, float] = {"group": group, "outputs": outputs}
    return (outputs, inputs), Packed(
        index, "AWQ GEMV", tensors.places(helpers), inputs, inputs // 2, settings
    )


def _gptq(tensors: _Tensors, index: int, tensor: Tensor, module: str, scales: Tensor) -> Described:
    said = tensors.quantization
    method, checkpoint = said.quant_method or "gptq", said.checkpoint_format or "gptq"
    if method != "gptq" or checkpoint not in _CHECKPOINTS:
        raise _NotToldError(
            Message(
                "{method} with checkpoint format {checkpoint} isn't supported",
                method=method,
                checkpoint=checkpoint,
            )
        )
    words, outputs = tensor.shape
    groups = scales.shape[0]
    order = tensors.get(f"{module}.g_idx")
    # Its bits are those of this weight, where the configuration's may be those of others.
    inputs = prod(order.shape) if order is not None else 0
    bits = 32 * words // inputs if inputs else said.bits
    if bits is None:
        raise _NotToldError(Message("bits is missing in config.json"))
    if bits not in (2, 3, 4, 8):
        raise _NotToldError(Message("its values have {bits} bits", bits=bits))
    # So many rows are in so many words of a column, where three bits may lie in two words.
    rows, in_words = (32, 3) if bits == 3 else (32 // bits, 1)
    inputs = words * 32 // bits
    helpers = {
        "qzeros": tensors.needed(f"{module}.qzeros", ("I32",), groups * (outputs * bits // 32)),
        "scales": scales,
    }
    group = inputs
    if order is not None:
        helpers["g_idx"] = tensors.needed(order.name, ("I32",), inputs)
    elif groups > 1:
        if said.group_size is None:
            raise _NotToldError(Message("group_size is missing in config.json"))
        group = said.group_size
        if group < 1 or -(-inputs // group) != groups:
            raise _misfit(scales)
    settings: dict[str, float] = {
        "bits": bits,
        "inputs": inputs,
        "outputs": outputs,
        "group": group,
        # Files of the first format store zero points less 1.
        "zero": 1 if checkpoint == "gptq" else 0,
    }
    if outputs % rows or words % in_words:
        raise _misfit(tensor)
    return (outputs, inputs), Packed(
        index, "GPTQ", tensors.places(helpers), rows * outputs, 4 * in_words * outputs, settings
    )


def _misfit(tensor: Tensor) -> _NotToldError:
    return _NotToldError(Message("the shape of {name} doesn't fit the others", name=tensor.name))


def _read_quantization(folder: Path) -> _Quantization:
    """Raises _NotToldError where no file of the folder tells of a quantisation."""
    for name in _CONFIGS:
        path = folder / name
        if not path.is_file():
            continue
        with HeaderFile(path) as file:
            if file.size_bytes > _MAX_CONFIG_BYTES:
                raise ModelFileError(
                    Message("{path} is too large to be a configuration.", path=path)
                )
            text = file.read(0, file.size_bytes)
        try:
            entries = _decode_config(text)
            raw = entries.get("quantization_config", b"null") if name == "config.json" else text
            said = msgspec.json.decode(raw, type=_Quantization | None)
        except (ValueError, RecursionError) as error:
            raise _NotToldError(
                Message("{path} can't be understood: {reason}", path=path, reason=error)
            ) from error
        if said is not None:
            return said
    raise _NotToldError(Message("config.json is missing, or says nothing of its quantization"))

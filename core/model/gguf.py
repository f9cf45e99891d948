"""GGUF headers, read and checked without touching tensor data or array values.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from modelmon.core.messages import Message
from modelmon.core.model.ggml_types import GGML_TYPES, REMOVED_TYPES, UNKNOWN_TYPE
from modelmon.core.model.gguf_cursor import GgufCursor
from modelmon.core.model.gguf_metadata import read_metadata
from modelmon.core.model.header import GGUF_MAGIC, MAX_NAME_BYTES, Header, value_count
from modelmon.core.model.tensors import Shard, Tensor
from modelmon.core.units import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modelmon.core.model.header import HeaderFile

_KNOWN_VERSIONS = (2, 3)
_DEFAULT_ALIGNMENT = 32
_MAX_ALIGNMENT = 1 << 20
_MAX_TENSORS = 1_000_000
_MAX_DIMENSIONS = 8
# A name's length, the number of dimensions, the type and the offset are always there.
_SMALLEST_TENSOR_INFO_BYTES = 8 + 4 + 4 + 8
# Made once: a message for each tensor would take longer than reading it.
_A_NAME = Message("a tensor's name")
# Dimensions, type and offset, by number of dimensions.
_TENSOR_INFO = tuple(Struct(f"<{count}QIQ") for count in range(_MAX_DIMENSIONS + 1))


def read_gguf(file: HeaderFile, shard: int = 0) -> Header:
    """The header of a GGUF file that is shard number `shard` of its model.

    Scalar metadata become text, arrays a summary such as `[128256 texts]`. Raises
    ModelFileError, naming field and value.
    """
    cursor = GgufCursor(file)
    cursor.skip(len(GGUF_MAGIC), Message("the magic"))
    _check_version(file, cursor)
    tensor_count = cursor.u64("tensor_count")
    possible = min(_MAX_TENSORS, cursor.left_bytes // _SMALLEST_TENSOR_INFO_BYTES)
    if tensor_count > possible:
        fault = file.error if tensor_count > _MAX_TENSORS else file.cut_off
        raise fault(
            Message(
                "tensor_count is {tensor_count}; at most {possible} are possible.",
                tensor_count=tensor_count,
                possible=possible,
            )
        )
    metadata = read_metadata(cursor, cursor.u64("metadata_kv_count"))
    alignment = _alignment(file, metadata)
    infos = [_tensor_info(cursor, number) for number in range(tensor_count)]
    data_start = -(-cursor.offset_bytes // alignment) * alignment
    ends = _ends(infos, file.size_bytes - data_start)
    tensors = [_tensor(file, info, shard, data_start, alignment, ends) for info in infos]
    tensors.sort(key=lambda tensor: tensor.offset_bytes)
    end = max(_checked_end(file, tensors), data_start)
    _check_not_joined(file, end, alignment)
    return Header(Shard(str(file.path), file.size_bytes, data_start), tensors, metadata)


def _check_version(file: HeaderFile, cursor: GgufCursor) -> None:
    version = cursor.u32("version")
    if version in _KNOWN_VERSIONS:
        return
    if version & 0xFFFF == 0 and version:
        raise file.error(
            Message("the file is big-endian GGUF, for another kind of processor."),
            Message("Download the little-endian file, or convert it with gguf-convert-endian."),
        )
    raise file.error(
        Message("GGUF version is {version}; versions 2 and 3 can be read.", version=version),
        Message("Convert the model to GGUF again, as version 3."),
    )


def _alignment(file: HeaderFile, metadata: dict[str, str]) -> int:
    text = metadata.get("general.alignment", str(_DEFAULT_ALIGNMENT))
    value = whole_number(text) or 0
    if not 1 <= value <= _MAX_ALIGNMENT or value & (value - 1):
        raise file.error(
            Message(
                "general.alignment is {text}; a power of two from 1 to {max_alignment}"
                " is possible.",
                text=text,
                max_alignment=_MAX_ALIGNMENT,
            )
        )
    return value


def _tensor_info(cursor: GgufCursor, number: int) -> tuple[str, tuple[int, ...], int, int]:
    """Name, shape (slowest first), type and offset within the data."""
    raw = cursor.text(_A_NAME, MAX_NAME_BYTES)
    try:
        name = raw.decode()
    except UnicodeDecodeError as error:
        raise cursor.file.error(
            Message(
                "the name of tensor {number} is not UTF-8: {raw}.", number=number, raw=repr(raw)
            )
        ) from error
    dimensions = cursor.u32("n_dimensions")
    if dimensions > _MAX_DIMENSIONS:
        raise cursor.file.error(
            Message(
                "tensor {name}: n_dimensions is {dimensions}; at most {max_dimensions}"
                " is possible.",
                name=repr(name),
                dimensions=dimensions,
                max_dimensions=_MAX_DIMENSIONS,
            )
        )
    *shape, kind, offset = cursor.unpack(_TENSOR_INFO[dimensions], repr(name))
    shape.reverse()
    return name, tuple(shape), kind, offset


def _ends(infos: list[tuple[str, tuple[int, ...], int, int]], data_bytes: int) -> Mapping[int, int]:
    """By offset, where a tensor of a type without a known size ends: at the next one, or with the
    file. What pads it is part of it then.
    """
    if all(kind in GGML_TYPES for _, _, kind, _ in infos):
        return {}
    offsets = sorted({offset for _, _, _, offset in infos})
    return dict(zip(offsets, [*offsets[1:], data_bytes], strict=True))


def _tensor(  # noqa: PLR0913, PLR0917  one fact each
    file: HeaderFile,
    info: tuple[str, tuple[int, ...], int, int],
    shard: int,
    data_start: int,
    alignment: int,
    ends: Mapping[int, int],
) -> Tensor:
    name, shape, number, offset = info
    if number in REMOVED_TYPES:
        removed, instead = REMOVED_TYPES[number]
        raise file.error(
            Message(
                "tensor {name}: type is {number}, {removed}, which llama.cpp removed.",
                name=repr(name),
                number=number,
                removed=removed,
            ),
            Message("Requantize the model to {instead}.", instead=instead),
        )
    values = value_count(shape)
    if values is None:
        raise file.error(
            Message(
                "tensor {name}: shape {shape} is more than any file can hold.",
                name=repr(name),
                shape=list(shape),
            )
        )
    kind = GGML_TYPES.get(number)
    if kind is not None and (shape[-1] if shape else 1) % kind.block_values:
        raise file.error(
            Message(
                "tensor {name}: shape {shape} cannot be {kind}, which packs rows in"
                " groups of {block_values} values.",
                name=repr(name),
                shape=list(shape),
                kind=kind.name,
                block_values=kind.block_values,
            )
        )
    if offset % alignment:
        raise file.error(
            Message(
                "tensor {name}: offset is {offset}; multiples of the alignment"
                " {alignment} are possible.",
                name=repr(name),
                offset=offset,
                alignment=alignment,
            )
        )
    if kind is None:
        # At least a byte, so that what begins behind the end of the file is missed there.
        nbytes = max(1, ends[offset] - offset) if values else 0
        return Tensor(name, f"{UNKNOWN_TYPE}{number}", shape, shard, data_start + offset, nbytes)
    nbytes = values // kind.block_values * kind.block_bytes
    return Tensor(name, kind.name, shape, shard, data_start + offset, nbytes)


def _checked_end(file: HeaderFile, tensors: list[Tensor]) -> int:
    """Where the last tensor ends; those given ascend by offset.

    Raises ModelFileError where one isn't in the file, or two overlap or share a name.
    """
    end = 0
    names: set[str] = set()
    for tensor in tensors:
        if tensor.offset_bytes < end and tensor.nbytes:
            raise file.error(
                Message(
                    "tensor {name} starts at byte {offset}, inside the tensor before it,"
                    " which ends at {end}.",
                    name=repr(tensor.name),
                    offset=tensor.offset_bytes,
                    end=end,
                )
            )
        if tensor.name in names:
            raise file.error(Message("two tensors are called {name}.", name=repr(tensor.name)))
        names.add(tensor.name)
        end = max(end, tensor.offset_bytes + tensor.nbytes)
    file.check_has(end)
    return end


def _check_not_joined(file: HeaderFile, end: int, alignment: int) -> None:
    """Raise ModelFileError where another GGUF file follows the data of this one."""
    start = -(-end // alignment) * alignment
    if start + len(GGUF_MAGIC) > file.size_bytes or end == file.size_bytes:
        return
    if file.read(start, len(GGUF_MAGIC)) == GGUF_MAGIC:
        raise file.error(
            Message(
                "another GGUF file begins at byte {start}: the files of a split model were joined"
                " with cat, and programs load only the first.",
                start=start,
            ),
            Message("Merge the original files: llama-gguf-split --merge FIRST_FILE MERGED_FILE."),
        )

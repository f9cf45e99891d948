"""GGUF headers, read and checked without touching tensor data or array values.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

from math import prod
from struct import Struct
from typing import TYPE_CHECKING

from modelmon.core.model.ggml_types import GGML_TYPES
from modelmon.core.model.gguf_cursor import GgufCursor
from modelmon.core.model.gguf_metadata import read_metadata
from modelmon.core.model.header import Header
from modelmon.core.model.tensors import Shard, Tensor
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from modelmon.core.model.header import HeaderFile

GGUF_MAGIC = b"GGUF"

_KNOWN_VERSIONS = (2, 3)
_DEFAULT_ALIGNMENT = 32
_MAX_ALIGNMENT = 1 << 20
_MAX_TENSORS = 1_000_000
_MAX_NAME_BYTES = 65_535
_MAX_DIMENSIONS = 8
_MAX_VALUES = 2**63 - 1
# A name's length, the number of dimensions, the type and the offset are always there.
_SMALLEST_TENSOR_INFO_BYTES = 8 + 4 + 4 + 8
# Dimensions, type and offset, by number of dimensions.
_TENSOR_INFO = tuple(Struct(f"<{count}QIQ") for count in range(_MAX_DIMENSIONS + 1))


def looks_like_gguf(file: HeaderFile) -> bool:
    """Whether the file begins with GGUF's magic."""
    return file.first_bytes[:4] == GGUF_MAGIC


def read_gguf(file: HeaderFile, shard: int = 0) -> Header:
    """The header of a GGUF file that is shard number `shard` of its model.

    Scalar metadata become text, arrays a summary such as `[128256 texts]`. Raises
    ModelFileError, naming field and value.
    """
    cursor = GgufCursor(file)
    cursor.skip(len(GGUF_MAGIC), "the magic")
    _check_version(file, cursor)
    tensor_count = cursor.u64("tensor_count")
    possible = min(_MAX_TENSORS, cursor.left_bytes // _SMALLEST_TENSOR_INFO_BYTES)
    if tensor_count > possible:
        raise file.error(f"tensor_count is {tensor_count}; at most {possible} are possible.")
    metadata = read_metadata(cursor, cursor.u64("metadata_kv_count"))
    alignment = _alignment(file, metadata)
    infos = [_tensor_info(cursor, number) for number in range(tensor_count)]
    data_start = -(-cursor.offset_bytes // alignment) * alignment
    tensors = [_tensor(file, info, shard, data_start, alignment) for info in infos]
    tensors.sort(key=lambda tensor: tensor.offset_bytes)
    _check_places(file, tensors)
    return Header(Shard(str(file.path), file.size_bytes, data_start), tensors, metadata)


def _check_version(file: HeaderFile, cursor: GgufCursor) -> None:
    version = cursor.u32("version")
    if version in _KNOWN_VERSIONS:
        return
    if version & 0xFFFF == 0 and version:
        raise file.error(
            "the file is big-endian GGUF, for another kind of processor.",
            "Download the little-endian file, or convert it with gguf-convert-endian.",
        )
    remedy = "Update modelmon." if version > max(_KNOWN_VERSIONS) else "Convert the model again."
    raise file.error(f"GGUF version is {version}; versions 2 and 3 can be read.", remedy)


def _alignment(file: HeaderFile, metadata: dict[str, str]) -> int:
    text = metadata.get("general.alignment", str(_DEFAULT_ALIGNMENT))
    value = int(text) if text.isdecimal() and len(text) < 20 else 0
    if not 1 <= value <= _MAX_ALIGNMENT or value & (value - 1):
        raise file.error(
            f"general.alignment is {text}; a power of two from 1 to {_MAX_ALIGNMENT} is possible."
        )
    return value


def _tensor_info(cursor: GgufCursor, number: int) -> tuple[str, tuple[int, ...], int, int]:
    """Name, shape (slowest first), type and offset within the data."""
    raw = cursor.text("a tensor's name", _MAX_NAME_BYTES)
    try:
        name = raw.decode()
    except UnicodeDecodeError as error:
        raise cursor.file.error(f"the name of tensor {number} is not UTF-8: {raw!r}.") from error
    dimensions = cursor.u32("n_dimensions")
    if dimensions > _MAX_DIMENSIONS:
        raise cursor.file.error(
            f"tensor {name!r}: n_dimensions is {dimensions}; at most {_MAX_DIMENSIONS} is possible."
        )
    *shape, kind, offset = cursor.unpack(_TENSOR_INFO[dimensions], f"tensor {name!r}")
    shape.reverse()
    return name, tuple(shape), kind, offset


def _tensor(
    file: HeaderFile,
    info: tuple[str, tuple[int, ...], int, int],
    shard: int,
    data_start: int,
    alignment: int,
) -> Tensor:
    name, shape, number, offset = info
    kind = GGML_TYPES.get(number)
    if kind is None:
        known = ", ".join(f"{key} {value.name}" for key, value in GGML_TYPES.items())
        raise file.error(
            f"tensor {name!r}: type is {number}; known are {known}.",
            "Update modelmon, or convert the model to one of these types.",
        )
    values = prod(shape)
    if values > _MAX_VALUES:
        raise file.error(f"tensor {name!r}: shape {list(shape)} is more than any file can hold.")
    if (shape[-1] if shape else 1) % kind.block_values:
        raise file.error(
            f"tensor {name!r}: shape {list(shape)} cannot be {kind.name}, which packs rows in "
            f"groups of {kind.block_values} values."
        )
    if offset % alignment:
        raise file.error(
            f"tensor {name!r}: offset is {offset}; multiples of the alignment "
            f"{alignment} are possible."
        )
    nbytes = values // kind.block_values * kind.block_bytes
    return Tensor(name, kind.name, shape, shard, data_start + offset, nbytes)


def _check_places(file: HeaderFile, tensors: list[Tensor]) -> None:
    """Tensors, ascending by offset, lie in the file, do not overlap and have own names."""
    end = 0
    names: set[str] = set()
    for tensor in tensors:
        if tensor.offset_bytes < end and tensor.nbytes:
            raise file.error(
                f"tensor {tensor.name!r} starts at byte {tensor.offset_bytes}, inside the tensor "
                f"before it, which ends at {end}."
            )
        if tensor.name in names:
            raise file.error(f"two tensors are called {tensor.name!r}.")
        names.add(tensor.name)
        end = max(end, tensor.offset_bytes + tensor.nbytes)
    if end > file.size_bytes:
        raise file.error(
            f"the file is cut off: its header describes {size_text(end)} ({end} bytes), "
            f"the file has {size_text(file.size_bytes)} ({file.size_bytes} bytes).",
            "Finish or repeat the download.",
        )

"""GGUF headers, read and checked without touching tensor data or array values.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Every length and count is held
against the file's size before it is used.
"""

from __future__ import annotations

import struct
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

from modelmon.core.messages import Message
from modelmon.core.model.ggml_types import GGML_TYPES, REMOVED_TYPES, UNKNOWN_TYPE
from modelmon.core.model.header import GGUF_MAGIC, MAX_NAME_BYTES, Header, value_count, wrong
from modelmon.core.model.tensors import Shard, Tensor
from modelmon.core.units import KIB, MIB, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modelmon.core.errors import ModelFileError
    from modelmon.core.model.header import HeaderFile

_KNOWN_VERSIONS = (2, 3)
_DEFAULT_ALIGNMENT = 32
_MAX_ALIGNMENT = 1 << 20
_MAX_TENSORS = 1_000_000
_MAX_DIMENSIONS = 8
_MAX_KEY_BYTES = 65_535
_MAX_KEPT_TEXT_BYTES = 64 * KIB
_MAX_PAIRS = 1_000_000
_MAX_STRINGS = 10_000_000
_MAX_ARRAYS, _MAX_DEPTH = 10_000, 2
"""Of arrays in an array, which hold up to as many themselves."""
# A name's length, the number of dimensions, the type and the offset are always there.
_SMALLEST_TENSOR_INFO_BYTES = 8 + 4 + 4 + 8
# A key's length, the type and the smallest value.
_SMALLEST_PAIR_BYTES = 8 + 4 + 1
_FIRST_WINDOW_BYTES = 256 * KIB
_MOST_WINDOW_BYTES = 4 * MIB

_U32, _U64 = Struct("<I"), Struct("<Q")
_SCALARS = {
    0: ("uint8", Struct("<B")),
    1: ("int8", Struct("<b")),
    2: ("uint16", Struct("<H")),
    3: ("int16", Struct("<h")),
    4: ("uint32", _U32),
    5: ("int32", Struct("<i")),
    6: ("float32", Struct("<f")),
    7: ("bool", Struct("<?")),
    10: ("uint64", _U64),
    11: ("int64", Struct("<q")),
    12: ("float64", Struct("<d")),
}
_TEXT, _ARRAY = 8, 9
# Made once: a message for each tensor would take longer than reading it.
_A_NAME = Message("a tensor's name")
# Dimensions, type and offset, by number of dimensions.
_TENSOR_INFO = tuple(Struct(f"<{count}QIQ") for count in range(_MAX_DIMENSIONS + 1))


class _Info(NamedTuple):
    """What the header says of a tensor; the offset is within the data."""

    name: str
    shape: tuple[int, ...]
    kind: int
    offset: int


def read_gguf(file: HeaderFile, shard: int = 0) -> Header:
    """The header of a GGUF file that is shard number `shard` of its model.

    Scalar metadata become text, arrays a summary such as `[128256 texts]`. Raises
    ModelFileError, naming field and value.
    """
    cursor = _Cursor(file)
    cursor.skip(len(GGUF_MAGIC), Message("the magic"))
    _check_version(file, cursor.number(_U32, "version"))
    tensor_count = cursor.number(_U64, "tensor_count")
    cursor.check_count("tensor_count", tensor_count, _MAX_TENSORS, _SMALLEST_TENSOR_INFO_BYTES)
    metadata = _metadata(cursor, cursor.number(_U64, "metadata_kv_count"))
    alignment = _alignment(file, metadata)
    infos = [_tensor_info(cursor, number) for number in range(tensor_count)]
    data_start = -(-cursor.offset_bytes // alignment) * alignment
    ends = _ends(infos, file.size_bytes - data_start)
    tensors: list[Tensor] = []
    for info in infos:
        dtype, nbytes = _stored(file, info, alignment, ends)
        at = data_start + info.offset
        tensors.append(Tensor(info.name, dtype, info.shape, shard, at, nbytes))
    tensors.sort(key=lambda tensor: tensor.offset_bytes)
    end = max(_checked_end(file, tensors), data_start)
    _check_not_joined(file, end, alignment)
    return Header(Shard(str(file.path), file.size_bytes, data_start), tensors, metadata)


def _check_version(file: HeaderFile, version: int) -> None:
    if version in _KNOWN_VERSIONS:
        return
    if version & 0xFFFF == 0 and version:
        raise wrong(
            "the file is big-endian GGUF, for another kind of processor.",
            file,
            remedy=Message(
                "Download the little-endian file, or convert it with gguf-convert-endian."
            ),
        )
    raise wrong(
        "GGUF version is {version}; versions 2 and 3 can be read.",
        file,
        remedy=Message("Convert the model to GGUF again, as version 3."),
        version=version,
    )


def _alignment(file: HeaderFile, metadata: dict[str, str]) -> int:
    text = metadata.get("general.alignment", str(_DEFAULT_ALIGNMENT))
    value = whole_number(text) or 0
    if not 1 <= value <= _MAX_ALIGNMENT or value & (value - 1):
        raise wrong(
            "general.alignment is {text}; a power of two from 1 to {max_alignment} is possible.",
            file,
            text=text,
            max_alignment=_MAX_ALIGNMENT,
        )
    return value


def _tensor_info(cursor: _Cursor, number: int) -> _Info:
    raw = cursor.text(_A_NAME, MAX_NAME_BYTES)
    try:
        name = raw.decode()
    except UnicodeDecodeError as error:
        raise wrong(
            "the name of tensor {number} is not UTF-8: {raw}.",
            cursor.file,
            number=number,
            raw=repr(raw),
        ) from error
    dimensions = cursor.number(_U32, "n_dimensions")
    if dimensions > _MAX_DIMENSIONS:
        raise wrong(
            "tensor {name}: n_dimensions is {dimensions}; at most {max_dimensions} is possible.",
            cursor.file,
            name=repr(name),
            dimensions=dimensions,
            max_dimensions=_MAX_DIMENSIONS,
        )
    *shape, kind, offset = cursor.unpack(_TENSOR_INFO[dimensions], repr(name))
    # Slowest first.
    shape.reverse()
    return _Info(name, tuple(shape), kind, offset)


def _ends(infos: list[_Info], data_bytes: int) -> Mapping[int, int]:
    """By offset, where a tensor of a type without a known size ends: at the next one, or with the
    file. What pads it is part of it then.
    """
    if all(info.kind in GGML_TYPES for info in infos):
        return {}
    offsets = sorted({info.offset for info in infos})
    return dict(zip(offsets, [*offsets[1:], data_bytes], strict=True))


def _stored(
    file: HeaderFile, info: _Info, alignment: int, ends: Mapping[int, int]
) -> tuple[str, int]:
    """Type and bytes of a tensor. Raises ModelFileError where it can't be."""
    shape, name = info.shape, repr(info.name)
    if info.kind in REMOVED_TYPES:
        removed, instead = REMOVED_TYPES[info.kind]
        raise wrong(
            "tensor {name}: type is {number}, {removed}, which llama.cpp removed.",
            file,
            remedy=Message("Requantize the model to {instead}.", instead=instead),
            name=name,
            number=info.kind,
            removed=removed,
        )
    values = value_count(shape)
    if values is None:
        raise wrong(
            "tensor {name}: shape {shape} is too large for any file.",
            file,
            name=name,
            shape=list(shape),
        )
    kind = GGML_TYPES.get(info.kind)
    if kind is not None and (shape[-1] if shape else 1) % kind.block_values:
        raise wrong(
            "tensor {name}: shape {shape} cannot be {kind}, which packs rows in groups of"
            " {block_values} values.",
            file,
            name=name,
            shape=list(shape),
            kind=kind.name,
            block_values=kind.block_values,
        )
    if info.offset % alignment:
        raise wrong(
            "tensor {name}: offset is {offset}; multiples of the alignment {alignment} are"
            " possible.",
            file,
            name=name,
            offset=info.offset,
            alignment=alignment,
        )
    if kind is None:
        # At least a byte, so that what begins behind the end of the file is missed there.
        nbytes = max(1, ends[info.offset] - info.offset) if values else 0
        return f"{UNKNOWN_TYPE}{info.kind}", nbytes
    return kind.name, values // kind.block_values * kind.block_bytes


def _checked_end(file: HeaderFile, tensors: list[Tensor]) -> int:
    """Where the last tensor ends; those given ascend by offset.

    Raises ModelFileError where one isn't in the file, or two overlap or share a name.
    """
    end = 0
    names: set[str] = set()
    for tensor in tensors:
        if tensor.offset_bytes < end and tensor.nbytes:
            raise wrong(
                "tensor {name} starts at byte {offset}, inside the tensor before it, which ends at"
                " {end}.",
                file,
                name=repr(tensor.name),
                offset=tensor.offset_bytes,
                end=end,
            )
        if tensor.name in names:
            raise wrong("two tensors are called {name}.", file, name=repr(tensor.name))
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
        raise wrong(
            "another GGUF file begins at byte {start}: the files of a split model were joined"
            " with cat, and programs load only the first.",
            file,
            remedy=Message(
                "Merge the original files: llama-gguf-split --merge FIRST_FILE MERGED_FILE."
            ),
            start=start,
        )


def _metadata(cursor: _Cursor, count: int) -> dict[str, str]:
    """`count` pairs from the cursor on as text; long texts are shortened."""
    cursor.check_count("metadata_kv_count", count, _MAX_PAIRS, _SMALLEST_PAIR_BYTES)
    metadata: dict[str, str] = {}
    for number in range(count):
        raw = cursor.text(Message("a metadata key"), _MAX_KEY_BYTES)
        try:
            key = raw.decode()
        except UnicodeDecodeError as error:
            raise wrong(
                "metadata key {number} is not UTF-8: {raw}.",
                cursor.file,
                number=number,
                raw=repr(raw),
            ) from error
        if key in metadata:
            raise wrong("metadata key {key} is there twice.", cursor.file, key=repr(key))
        metadata[key] = _value(cursor, key)
    return metadata


def _value(cursor: _Cursor, key: str) -> str:
    kind = cursor.number(_U32, Message("the type of {key}", key=repr(key)))
    if kind == _TEXT:
        return cursor.shortened_text(Message("the text of {key}", key=repr(key)))
    if kind == _ARRAY:
        return _array(cursor, key)
    if kind not in _SCALARS:
        raise _unknown(cursor, repr(key), kind)
    name, layout = _SCALARS[kind]
    (value,) = cursor.unpack(layout, Message("the value of {key}", key=repr(key)))
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.7g}" if name == "float32" else str(value)


def _array(cursor: _Cursor, key: str, depth: int = 0) -> str:
    """Skip an array whose type comes next; what it holds, in a few words."""
    what = Message("the array {key}", key=repr(key))
    kind = cursor.number(_U32, Message("the item type of {what}", what=what))
    count = cursor.number(_U64, Message("the length of {what}", what=what))
    holds_arrays = kind == _ARRAY and depth < _MAX_DEPTH
    if kind not in _SCALARS and kind != _TEXT and not holds_arrays:
        raise _unknown(cursor, Message("items of {what}", what=what), kind)
    # Of texts and arrays the length.
    name, layout = _SCALARS.get(kind, ("", _U64))
    most = count if name else _MAX_ARRAYS if holds_arrays else _MAX_STRINGS
    cursor.check_count(Message("the length of {what}", what=what), count, most, layout.size)
    if name:
        cursor.skip(count * layout.size, what)
        return f"[{count} {name}s]"
    if holds_arrays:
        for _ in range(count):
            _array(cursor, key, depth + 1)
        return f"[{count} arrays]"
    cursor.skip_texts(count, what)
    return f"[{count} strings]"


def _unknown(cursor: _Cursor, what: str, kind: int) -> ModelFileError:
    names = ", ".join(f"{number} {name}" for number, (name, _) in _SCALARS.items())
    return wrong(
        "the type of {what} is {kind}; possible are {names}, {text} string.",
        cursor.file,
        what=what,
        kind=kind,
        names=names,
        text=_TEXT,
    )


class _Cursor:
    """A position in a GGUF file that only moves forward, and reads through bounded windows.

    Every read is checked against the file's real size first; `what` names the field in the
    error (ModelFileError).
    """

    def __init__(self, file: HeaderFile) -> None:
        self.file = file
        self._window = file.first_bytes
        self._window_start = 0
        self._next_window_bytes = _FIRST_WINDOW_BYTES
        self._at = 0

    @property
    def offset_bytes(self) -> int:
        """Position in the file."""
        return self._window_start + self._at

    @property
    def left_bytes(self) -> int:
        """Bytes from here to the end of the file."""
        return self.file.size_bytes - self.offset_bytes

    def check_count(self, what: str, count: int, most: int, least_bytes: int) -> None:
        """Raise ModelFileError for more than `most`, or than the rest of the file holds."""
        possible = min(most, self.left_bytes // least_bytes)
        if count > possible:
            raise wrong(
                "{what} is {count}; at most {possible} are possible.",
                self.file,
                is_cut_off=count <= most,
                what=what,
                count=count,
                possible=possible,
            )

    def unpack(self, layout: Struct, what: str) -> tuple[Any, ...]:
        """The values of a fixed layout."""
        at = self._advance(layout.size, what)
        return layout.unpack_from(self._window, at)

    def number(self, layout: Struct, what: str) -> int:
        """The one number of a layout."""
        at = self._advance(layout.size, what)
        return int(layout.unpack_from(self._window, at)[0])

    def text(self, what: str, most: int) -> bytes:
        """A text of at most `most` bytes."""
        length = self._length(what, most)
        at = self._advance(length, what)
        return self._window[at : at + length]

    def shortened_text(self, what: str) -> str:
        """The beginning of a text of any length."""
        length = self._length(what, self.file.size_bytes)
        kept = min(length, _MAX_KEPT_TEXT_BYTES)
        at = self._advance(kept, what)
        text = self._window[at : at + kept].decode(errors="replace")
        self.skip(length - kept, what)
        return text if length == kept else f"{text}… ({length} bytes)"

    def skip(self, nbytes: int, what: str) -> None:
        """Move on without reading."""
        self._check_left(nbytes, what)
        self._at += nbytes

    def skip_texts(self, count: int, what: str) -> None:
        """Move past `count` texts by their lengths alone."""
        length_at = _U64.unpack_from
        while count:
            self._at = self._advance(8, what)
            window, at = self._window, self._at
            passed = 0
            # A vocabulary has hundreds of thousands: nothing else is asked of each.
            try:
                for passed in range(count):  # noqa: B007  how many there were is what counts
                    at += 8 + length_at(window, at)[0]
                passed = count
            except (struct.error, OverflowError):
                pass  # the next one's length lies beyond the window
            count -= passed
            self.skip(at - self._at, what)

    def _length(self, what: str, most: int) -> int:
        length = self.number(_U64, what)
        possible = min(most, self.left_bytes)
        if length > possible:
            raise wrong(
                "the length of {what} is {length} at byte {offset}; at most {possible} is"
                " possible.",
                self.file,
                is_cut_off=length > self.left_bytes,
                what=what,
                length=length,
                offset=self.offset_bytes - 8,
                possible=possible,
            )
        return length

    def _check_left(self, nbytes: int, what: str) -> None:
        if nbytes > self.left_bytes:
            raise wrong(
                "the file is cut off within its header: {what} takes {nbytes} bytes at byte"
                " {offset}, {left} are left.",
                self.file,
                is_cut_off=True,
                what=what,
                nbytes=nbytes,
                offset=self.offset_bytes,
                left=max(self.left_bytes, 0),
            )

    def _advance(self, nbytes: int, what: str) -> int:
        """Step over `nbytes` that lie in the window now; returns where in it they start."""
        at = self._at
        if at + nbytes > len(self._window):
            self._check_left(nbytes, what)
            wanted = min(max(nbytes, self._next_window_bytes), self.left_bytes)
            self._window = self.file.read(self.offset_bytes, wanted)
            self._window_start, at = self.offset_bytes, 0
            self._next_window_bytes = min(self._next_window_bytes * 2, _MOST_WINDOW_BYTES)
        self._at = at + nbytes
        return at

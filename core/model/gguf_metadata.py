"""The key-value pairs of a GGUF header as text, without reading the values of arrays."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.messages import Message
from modelmon.core.units import KIB

if TYPE_CHECKING:
    from modelmon.core.errors import ModelFileError
    from modelmon.core.model.gguf_cursor import GgufCursor


class _Scalar(NamedTuple):
    name: str
    layout: Struct


_SCALARS = {
    0: _Scalar("uint8", Struct("<B")),
    1: _Scalar("int8", Struct("<b")),
    2: _Scalar("uint16", Struct("<H")),
    3: _Scalar("int16", Struct("<h")),
    4: _Scalar("uint32", Struct("<I")),
    5: _Scalar("int32", Struct("<i")),
    6: _Scalar("float32", Struct("<f")),
    7: _Scalar("bool", Struct("<?")),
    10: _Scalar("uint64", Struct("<Q")),
    11: _Scalar("int64", Struct("<q")),
    12: _Scalar("float64", Struct("<d")),
}
_TEXT = 8
_ARRAY = 9
_LENGTH_BYTES = 8

_MAX_KEY_BYTES = 65_535
_MAX_KEPT_TEXT_BYTES = 64 * KIB
_MAX_PAIRS = 1_000_000
_MAX_STRINGS = 10_000_000
_MAX_ARRAYS, _MAX_DEPTH = 10_000, 2
"""Of arrays in an array, which hold up to as many themselves."""
# A key's length, the type and the smallest value.
_SMALLEST_PAIR_BYTES = 8 + 4 + 1


def read_metadata(cursor: GgufCursor, count: int) -> dict[str, str]:
    """`count` pairs from the cursor on; long texts are shortened. Raises ModelFileError."""
    possible = min(_MAX_PAIRS, cursor.left_bytes // _SMALLEST_PAIR_BYTES)
    if count > possible:
        fault = cursor.file.error if count > _MAX_PAIRS else cursor.file.cut_off
        raise fault(
            Message(
                "metadata_kv_count is {count}; at most {possible} pairs are possible.",
                count=count,
                possible=possible,
            )
        )
    metadata: dict[str, str] = {}
    for number in range(count):
        raw = cursor.text(Message("a metadata key"), _MAX_KEY_BYTES)
        try:
            key = raw.decode()
        except UnicodeDecodeError as error:
            raise cursor.file.error(
                Message("metadata key {number} is not UTF-8: {raw}.", number=number, raw=repr(raw))
            ) from error
        if key in metadata:
            raise cursor.file.error(Message("metadata key {key} is there twice.", key=repr(key)))
        metadata[key] = _value(cursor, key)
    return metadata


def _value(cursor: GgufCursor, key: str) -> str:
    kind = cursor.u32(Message("the type of {key}", key=repr(key)))
    if kind == _TEXT:
        raw, length = cursor.shortened_text(
            Message("the text of {key}", key=repr(key)), _MAX_KEPT_TEXT_BYTES
        )
        text = raw.decode(errors="replace")
        return text if length == len(raw) else f"{text}… ({length} bytes)"
    if kind == _ARRAY:
        return _array(cursor, key)
    scalar = _SCALARS.get(kind)
    if scalar is None:
        raise _unknown(cursor, repr(key), kind)
    (value,) = cursor.unpack(scalar.layout, Message("the value of {key}", key=repr(key)))
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.7g}" if scalar.name == "float32" else str(value)


def _array(cursor: GgufCursor, key: str, depth: int = 0) -> str:
    """Skip an array whose type comes next; what it holds, in a few words."""
    what = Message("the array {key}", key=repr(key))
    kind = cursor.u32(Message("the item type of {what}", what=what))
    count = cursor.u64(Message("the length of {what}", what=what))
    holds_arrays = kind == _ARRAY and depth < _MAX_DEPTH
    if kind not in _SCALARS and kind != _TEXT and not holds_arrays:
        raise _unknown(cursor, Message("items of {what}", what=what), kind)
    scalar = _SCALARS.get(kind)
    item_bytes = scalar.layout.size if scalar else _LENGTH_BYTES
    possible = cursor.left_bytes // item_bytes
    if not scalar:
        possible = min(possible, _MAX_ARRAYS if holds_arrays else _MAX_STRINGS)
    if count > possible:
        is_cut = count > cursor.left_bytes // item_bytes
        fault = cursor.file.cut_off if is_cut else cursor.file.error
        raise fault(
            Message(
                "the length of {what} is {count}; at most {possible} items are possible.",
                what=what,
                count=count,
                possible=possible,
            )
        )
    if scalar:
        cursor.skip(count * item_bytes, what)
        return f"[{count} {scalar.name}s]"
    if holds_arrays:
        for _ in range(count):
            _array(cursor, key, depth + 1)
        return f"[{count} arrays]"
    cursor.skip_texts(count, what)
    return f"[{count} strings]"


def _unknown(cursor: GgufCursor, what: str, kind: int) -> ModelFileError:
    names = ", ".join(f"{number} {scalar.name}" for number, scalar in _SCALARS.items())
    return cursor.file.error(
        Message(
            "the type of {what} is {kind}; possible are {names}, {text} string.",
            what=what,
            kind=kind,
            names=names,
            text=_TEXT,
        )
    )

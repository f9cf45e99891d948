"""The key-value pairs of a GGUF header as text, without reading the values of arrays."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

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
# A key's length, the type and the smallest value.
_SMALLEST_PAIR_BYTES = 8 + 4 + 1


def read_metadata(cursor: GgufCursor, count: int) -> dict[str, str]:
    """`count` pairs from the cursor on; long texts are shortened. Raises ModelFileError."""
    possible = min(_MAX_PAIRS, cursor.left_bytes // _SMALLEST_PAIR_BYTES)
    if count > possible:
        raise cursor.file.error(
            f"metadata_kv_count is {count}; at most {possible} pairs are possible."
        )
    metadata: dict[str, str] = {}
    for number in range(count):
        raw = cursor.text("a metadata key", _MAX_KEY_BYTES)
        try:
            key = raw.decode()
        except UnicodeDecodeError as error:
            raise cursor.file.error(f"metadata key {number} is not UTF-8: {raw!r}.") from error
        if key in metadata:
            raise cursor.file.error(f"metadata key {key!r} is there twice.")
        metadata[key] = _value(cursor, key)
    return metadata


def _value(cursor: GgufCursor, key: str) -> str:
    kind = cursor.u32(f"the type of {key!r}")
    if kind == _TEXT:
        raw, length = cursor.shortened_text(f"the text of {key!r}", _MAX_KEPT_TEXT_BYTES)
        text = raw.decode(errors="replace")
        return text if length == len(raw) else f"{text}… ({length} bytes)"
    if kind == _ARRAY:
        return _array(cursor, key)
    scalar = _SCALARS.get(kind)
    if scalar is None:
        raise _unknown(cursor, repr(key), kind)
    (value,) = cursor.unpack(scalar.layout, f"the value of {key!r}")
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.7g}" if scalar.name == "float32" else str(value)


def _array(cursor: GgufCursor, key: str) -> str:
    """Skip an array whose type comes next; what it holds, in a few words."""
    what = f"the array {key!r}"
    kind = cursor.u32(f"the item type of {what}")
    count = cursor.u64(f"the length of {what}")
    if kind not in _SCALARS and kind != _TEXT:
        raise _unknown(cursor, f"items of {what}", kind)
    scalar = _SCALARS.get(kind)
    item_bytes = scalar.layout.size if scalar else _LENGTH_BYTES
    possible = cursor.left_bytes // item_bytes
    if not scalar:
        possible = min(possible, _MAX_STRINGS)
    if count > possible:
        raise cursor.file.error(
            f"the length of {what} is {count}; at most {possible} items are possible."
        )
    if scalar:
        cursor.skip(count * item_bytes, what)
    else:
        cursor.skip_texts(count, what)
    return f"[{count} {scalar.name if scalar else 'string'}s]"


def _unknown(cursor: GgufCursor, what: str, kind: int) -> ModelFileError:
    names = ", ".join(f"{number} {scalar.name}" for number, scalar in _SCALARS.items())
    return cursor.file.error(f"the type of {what} is {kind}; possible are {names}, {_TEXT} string.")

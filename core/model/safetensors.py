"""Safetensors headers, read and checked without touching tensor data.

Format: an unsigned 64-bit little-endian length, that many bytes of JSON, then the data, in
which tensors lie without holes (https://huggingface.co/docs/safetensors, "Format").
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import msgspec

from modelmon.core.messages import Message
from modelmon.core.model.header import MAX_DIMENSIONS, MAX_NAME_BYTES, Header, value_count, wrong
from modelmon.core.model.tensors import Shard, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.errors import ModelFileError
    from modelmon.core.model.header import HeaderFile

DTYPE_BITS = {
    "BOOL": 8,
    "F4": 4,
    "F6_E2M3": 6,
    "F6_E3M2": 6,
    "U8": 8,
    "I8": 8,
    "F8_E5M2": 8,
    "F8_E4M3": 8,
    "F8_E8M0": 8,
    "F8_E4M3FNUZ": 8,
    "F8_E5M2FNUZ": 8,
    "I16": 16,
    "U16": 16,
    "F16": 16,
    "BF16": 16,
    "I32": 32,
    "U32": 32,
    "F32": 32,
    "C64": 64,
    "F64": 64,
    "I64": 64,
    "U64": 64,
}
"""Bits of one value; those below 8 are packed, and a tensor ends at a whole byte."""

WITHOUT_FLOATS = {
    "F4": Message("its values are packed below a byte"),
    "F6_E2M3": Message("its values are packed below a byte"),
    "F6_E3M2": Message("its values are packed below a byte"),
    "C64": Message("its values are complex"),
}
"""Types that are not decoded to floats, and why."""

LENGTH_BYTES = 8
MAX_HEADER_BYTES = 100_000_000

_METADATA = "__metadata__"
_Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class _Entry(msgspec.Struct, gc=False):
    dtype: str
    shape: Annotated[tuple[_Count, ...], msgspec.Meta(max_length=MAX_DIMENSIONS)]
    data_offsets: tuple[_Count, _Count]


_decode_entries = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode_entry = msgspec.json.Decoder(_Entry).decode
_decode_pairs = json.JSONDecoder(object_pairs_hook=tuple).decode
"""Objects as tuples of their fields, and whatever is twice in them twice."""
_decode_metadata = msgspec.json.Decoder(dict[str, str] | None).decode


def looks_like_safetensors(file: HeaderFile) -> bool:
    """Whether the file begins as a safetensors file does: a length, then JSON."""
    return file.first_bytes[LENGTH_BYTES:].lstrip(b" \t\r\n")[:1] == b"{"


def read_safetensors(file: HeaderFile, shard: int = 0) -> Header:
    """The header of a safetensors file that is shard number `shard` of its model.

    Raises ModelFileError, naming field and value, for whatever the official library would
    refuse.
    """
    length = _header_bytes(file)
    entries = _entries(file, file.read(LENGTH_BYTES, length))
    metadata = _metadata(file, entries.pop(_METADATA, None))
    data_start = LENGTH_BYTES + length
    tensors = _tensors(file, entries, shard, data_start)
    own = Shard(str(file.path), file.size_bytes, data_start)
    return Header(own, tensors, metadata or {}, has_metadata=metadata is not None)


def _header_bytes(file: HeaderFile) -> int:
    if file.size_bytes < LENGTH_BYTES:
        raise wrong(
            "the header length needs {length} bytes, the file has {size}.",
            file,
            length=LENGTH_BYTES,
            size=file.size_bytes,
        )
    length = int.from_bytes(file.first_bytes[:LENGTH_BYTES], "little")
    if not 2 <= length <= MAX_HEADER_BYTES:
        raise wrong(
            "the header length is {length}; from 2 to {possible} is possible.",
            file,
            length=length,
            possible=MAX_HEADER_BYTES,
        )
    end = LENGTH_BYTES + length
    if end > file.size_bytes:
        raise wrong(
            "the file is cut off within its header, which ends at byte {end}; the file has {size}"
            " bytes.",
            file,
            is_cut_off=True,
            end=end,
            size=file.size_bytes,
        )
    return length


def _entries(file: HeaderFile, text: bytes) -> dict[str, msgspec.Raw]:
    try:
        entries = _decode_entries(text)
        # Names, three fields and a type have ten quotes. With no more than those nothing is twice.
        metadata = entries.get(_METADATA)
        quotes = 10 * (len(entries) - (metadata is not None))
        if metadata is not None:
            quotes += 2 + bytes(metadata).count(b'"')
        pairs = () if text.count(b'"') == quotes else _decode_pairs(text.decode())
    except (ValueError, RecursionError) as error:
        raise wrong("the header is not a JSON object: {reason}.", file, reason=error) from error
    _check_once(file, pairs)
    return entries


def _check_once(file: HeaderFile, pairs: Iterable[tuple[str, object]]) -> None:
    """Raise ModelFileError for what the official library refuses to have twice. Of two tensors of
    one name it takes the last, where both can be one.
    """
    has_metadata = False
    for name, value in pairs:
        if name == _METADATA:
            if has_metadata:
                raise wrong("the header has {name} twice.", file, name=_METADATA)
            has_metadata = True
            continue
        fields = [field for field, _ in value] if isinstance(value, tuple) else []
        for field in _Entry.__struct_fields__:
            if fields.count(field) > 1:
                raise wrong("tensor {name} has {field} twice.", file, name=repr(name), field=field)
        try:
            entry = msgspec.convert(dict(value) if isinstance(value, tuple) else value, _Entry)
        except ValueError as error:
            raise _of_tensor(file, name, error) from error
        if entry.dtype not in DTYPE_BITS:
            raise _of_tensor(file, name, _problem(entry, 0))


def _of_tensor(file: HeaderFile, name: str, problem: Message | Exception) -> ModelFileError:
    if isinstance(problem, Message):
        return wrong("tensor {names}: {problem}", file, names=repr(name), problem=problem)
    return wrong("tensor {names}: {reason}.", file, names=repr(name), reason=problem)


def _metadata(file: HeaderFile, raw: msgspec.Raw | None) -> dict[str, str] | None:
    try:
        return None if raw is None else _decode_metadata(raw)
    except (ValueError, RecursionError) as error:
        raise wrong(
            "{metadata} does not map text to text: {reason}.",
            file,
            metadata=_METADATA,
            reason=error,
        ) from error


def _tensors(
    file: HeaderFile, raw_entries: dict[str, msgspec.Raw], shard: int, data_start: int
) -> list[Tensor]:
    names, entries = _decoded(file, raw_entries)
    places = [entry.data_offsets for entry in entries]
    tensors: list[Tensor] = []
    # Of thousands of tensors few differ in both; equal shapes become one object.
    kinds: dict[tuple[str, tuple[int, ...]], tuple[tuple[int, ...], int | None]] = {}
    covered = 0
    for index in sorted(range(len(names)), key=places.__getitem__):
        entry, name = entries[index], names[index]
        first, last = places[index]
        kind = entry.dtype, entry.shape
        known = kinds.get(kind)
        if known is None:
            known = kinds[kind] = entry.shape, _stored_bytes(entry)
        shape, nbytes = known
        if first != covered or last - first != nbytes:
            raise _of_tensor(file, name, _problem(entry, covered))
        tensors.append(Tensor(name, entry.dtype, shape, shard, data_start + first, last - first))
        covered = last
    end = data_start + covered
    file.check_has(end)
    if end < file.size_bytes:
        raise wrong(
            "{size} bytes after the last tensor belong to no tensor.",
            file,
            size=file.size_bytes - end,
        )
    return tensors


def _stored_bytes(entry: _Entry) -> int | None:
    """What its type and shape take; None where they are impossible or end within a byte."""
    bits, values = DTYPE_BITS.get(entry.dtype), value_count(entry.shape)
    if bits is None or values is None or values * bits % 8:
        return None
    return values * bits // 8


def _decoded(
    file: HeaderFile, raw_entries: dict[str, msgspec.Raw]
) -> tuple[list[str], list[_Entry]]:
    names: list[str] = []
    entries: list[_Entry] = []
    try:
        for name, raw in raw_entries.items():
            names.append(name)
            if len(name) > MAX_NAME_BYTES:
                raise wrong(
                    "the name {name} has {count} characters; at most {most} are possible.",
                    file,
                    name=repr(name),
                    count=len(name),
                    most=MAX_NAME_BYTES,
                )
            entries.append(_decode_entry(raw))
    except (ValueError, RecursionError) as error:
        raise _of_tensor(file, names[-1], error) from error
    return names, entries


def _problem(entry: _Entry, covered: int) -> Message:
    first, last = entry.data_offsets
    shape, dtype, offsets = list(entry.shape), entry.dtype, f"[{first}, {last}]"
    if dtype not in DTYPE_BITS:
        known = ", ".join(DTYPE_BITS)
        return Message(
            "unsupported dtype {dtype}. Supported: {known}.", dtype=repr(dtype), known=known
        )
    if last < first:
        return Message(
            "data_offsets is {offsets}; the end cannot lie before the start.", offsets=offsets
        )
    if first != covered:
        figures = {"offsets": offsets, "covered": covered}
        return (
            Message(
                "data_offsets is {offsets}, which overlaps the tensor before it; it must start at"
                " {covered}.",
                **figures,
            )
            if first < covered
            else Message(
                "data_offsets is {offsets}, which leaves a hole before it; it must start at"
                " {covered}.",
                **figures,
            )
        )
    values = value_count(entry.shape)
    if values is None:
        return Message("shape {shape} is too large for any file.", shape=shape)
    bits = values * DTYPE_BITS[dtype]
    figures = {"offsets": offsets, "size": last - first, "shape": shape, "dtype": dtype}
    if bits % 8:
        return Message(
            "data_offsets is {offsets}, {size} bytes; shape {shape} of {dtype} needs {bits} bits,"
            " not whole bytes.",
            bits=bits,
            **figures,
        )
    return Message(
        "data_offsets is {offsets}, {size} bytes; shape {shape} of {dtype} needs {needed} bytes.",
        needed=bits // 8,
        **figures,
    )

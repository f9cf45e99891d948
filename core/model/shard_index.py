"""An index of safetensors shards: which file has each tensor of a model."""

from __future__ import annotations

import os
import re

import msgspec

from modelmon.core.messages import Message
from modelmon.core.model.header import HeaderFile

_MAX_INDEX_BYTES = 100_000_000
# A variant's name is behind that of the index; older versions of diffusers wrote it before.
_NAME = r"(?i:(.+)\.safetensors(\.[\w-]+)?\.index(\.[\w-]+)?\.json)"
_BOM = b"\xef\xbb\xbf"


class _Index(msgspec.Struct):
    weight_map: dict[str, str]


_decode = msgspec.json.Decoder(_Index).decode


def stem_of_index(name: str) -> str:
    """What an index and its files are called, a variant included; "" where it is no index."""
    match = re.fullmatch(_NAME, name) if ".index." in name.lower() else None
    return match[1] + (match[2] or match[3] or "") if match else ""


def read_index(path: str) -> dict[str, str]:
    """The file of each tensor, as the index has it; raises ModelFileError where it is none."""
    with HeaderFile(path) as file:
        if file.size_bytes > _MAX_INDEX_BYTES:
            raise file.error(
                Message(
                    "the index has {size} bytes; at most {max_index} are possible.",
                    size=file.size_bytes,
                    max_index=_MAX_INDEX_BYTES,
                )
            )
        try:
            weight_map = _decode(file.read(0, file.size_bytes).removeprefix(_BOM)).weight_map
        except (ValueError, RecursionError) as error:
            from modelmon.core.model.foreign import no_index  # noqa: PLC0415  most loads need none

            raise no_index(file, error) from error
        if not weight_map:
            raise file.error(Message("weight_map is empty."))
        for name in set(weight_map.values()):
            if not _is_below(os.path.dirname(path), name):
                raise file.error(
                    Message(
                        "weight_map names {name}; only .safetensors files in the index's folder"
                        " or below it are possible.",
                        name=repr(name),
                    ),
                    Message("Choose the index of the safetensors files."),
                )
    return weight_map


def _is_below(folder: str, name: str) -> bool:
    """Whether this names a safetensors file in `folder` or below. The file may be a link to
    elsewhere, as all are in the hub's cache; a folder on the way there may not.
    """
    if not name.lower().endswith((".safetensors", ".sft")) or "\\" in name or "\0" in name:
        return False
    within = os.path.dirname(os.path.normpath(name))
    if os.path.isabs(name) or within.split(os.sep)[0] == os.pardir:
        return False
    if not within:
        return True
    top = os.path.realpath(folder)
    return os.path.realpath(os.path.join(top, within)).startswith(f"{top}{os.sep}")

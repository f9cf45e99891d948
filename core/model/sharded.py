"""Which files make up one model: an index, a set of numbered shards, or a folder of them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.messages import Message
from modelmon.core.model.header import HeaderFile, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

INDEX_SUFFIX = ".safetensors.index.json"
WEIGHT_SUFFIXES = (".safetensors", ".gguf")

_MAX_INDEX_BYTES = 100_000_000
_NUMBERED = r"(?P<stem>.+)-(?P<number>[0-9]{1,6})-of-(?P<count>[0-9]{1,6})(?P<suffix>\.\w+)"
_PICKLES = (".bin", ".pt", ".pth", ".ckpt")


class ShardSet(msgspec.Struct, frozen=True):
    """The files of one model in order; `indexed` are the tensors that its index promises."""

    paths: tuple[str, ...]
    index_path: str | None = None
    indexed: frozenset[str] = frozenset()


class _Index(msgspec.Struct):
    weight_map: dict[str, str]


_decode_index = msgspec.json.Decoder(_Index).decode


def _numbered(name: str) -> re.Match[str] | None:
    # Most names are of no set: their loads need not compile the pattern.
    return re.fullmatch(_NUMBERED, name) if "-of-" in name else None


def stem_without_number(name: str) -> str:
    """A weight file's name without its suffix and, in a numbered set, without its number."""
    match = _numbered(name)
    return match["stem"] if match else name.rpartition(".")[0] or name


def with_siblings(path: str) -> ShardSet:
    """The set that a weight file belongs to by its name; raises if one of it is missing."""
    folder, name = os.path.split(path)
    match = _numbered(name)
    if match is None or not 1 <= int(match["number"]) <= int(match["count"]):
        return ShardSet((path,))
    width = len(match["number"])
    names = [
        f"{match['stem']}-{number:0{width}}-of-{match['count']}{match['suffix']}"
        for number in range(1, int(match["count"]) + 1)
    ]
    return ShardSet(_all_present(folder, names))


def indexed_shards(index: str) -> ShardSet:
    """The shards that a `*.index.json` names; raises ModelFileError if it names none."""
    with HeaderFile(index) as file:
        if file.size_bytes > _MAX_INDEX_BYTES:
            raise file.error(
                Message(
                    "the index has {size} bytes; at most {max_index} are possible.",
                    size=file.size_bytes,
                    max_index=_MAX_INDEX_BYTES,
                )
            )
        try:
            weight_map = _decode_index(file.read(0, file.size_bytes)).weight_map
        except (ValueError, RecursionError) as error:
            from modelmon.core.model.foreign import no_index  # noqa: PLC0415  most loads need it not

            folder = os.path.dirname(index)
            raise no_index(file, error, model_names_in(_names_in(folder))) from error
        names = sorted(set(weight_map.values()))
        if not names:
            raise file.error(Message("weight_map is empty."))
        for name in names:
            if not name.endswith(".safetensors") or "/" in name or "\\" in name or "\0" in name:
                raise file.error(
                    Message(
                        "weight_map names {name}; a .safetensors file beside the index is"
                        " possible.",
                        name=repr(name),
                    ),
                    Message("Choose the index of the safetensors files."),
                )
    paths = _all_present(os.path.split(index)[0], names)
    return ShardSet(paths, index, frozenset(weight_map))


def shards_in_folder(folder: str) -> ShardSet:
    """The one model that a folder holds; raises ModelFileError, listing candidates if many."""
    names = _names_in(folder)
    candidates = model_names_in(names)
    if len(candidates) > 1:
        raise ModelFileError(
            Message(
                "{folder} contains {count} models: {candidates}.",
                folder=folder,
                count=len(candidates),
                candidates=", ".join(candidates),
            ),
            Message("Open one of these files instead of the folder."),
        )
    if not candidates:
        raise _no_model(folder, names)
    only = os.path.join(folder, candidates[0])
    return indexed_shards(only) if only.endswith(INDEX_SUFFIX) else with_siblings(only)


def model_names_in(names: Iterable[str]) -> list[str]:
    """One file name for each model: its index, its first shard, or the file itself."""
    shown = [name for name in names if not name.startswith(".")]
    weights = [name for name in shown if name.endswith(WEIGHT_SUFFIXES)]
    indices = [name for name in shown if name.endswith(INDEX_SUFFIX)]
    covered = {name.removesuffix(INDEX_SUFFIX) for name in indices}
    first_of_set: dict[str, str] = {}
    for name in weights:
        match = _numbered(name)
        if match is None:
            first_of_set[name] = name
        elif match["stem"] not in covered or match["suffix"] != ".safetensors":
            key = f"{match['stem']}-of-{match['count']}{match['suffix']}"
            first_of_set.setdefault(key, name)
    return sorted([*indices, *first_of_set.values()])


def _all_present(folder: str, names: list[str]) -> tuple[str, ...]:
    present = set(_names_in(folder))
    missing = [name for name in names if name not in present]
    if missing:
        raise _missing_shards(folder, missing, len(names))
    return tuple(os.path.join(folder, name) for name in names)


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise unreadable(folder, error) from error


def _missing_shards(folder: str, missing: list[str], count: int) -> ModelFileError:
    figures = {"path": os.path.join(folder, missing[0]), "more": len(missing) - 1, "count": count}
    return ModelFileError(
        Message("{path} and {more} more of the model's {count} files are missing.", **figures)
        if len(missing) > 1
        else Message("{path} of the model's {count} files is missing.", **figures),
        Message("Finish the download, or move all files of the model into one folder."),
    )


def _no_model(folder: str, names: list[str]) -> ModelFileError:
    if any(name.endswith(_PICKLES) for name in names):
        return ModelFileError(
            Message("{folder} contains only PyTorch pickle files.", folder=folder),
            Message(
                "Download the model's .safetensors files, or convert it to safetensors or GGUF."
            ),
        )
    paths = {name: os.path.join(folder, name) for name in names}
    folders = {name: path for name, path in paths.items() if os.path.isdir(path)}
    inside = [name for name, path in folders.items() if model_names_in(_names_in(path))]
    if inside:
        return ModelFileError(
            Message(
                "{folder} contains no weights, but these folders in it do: {inside}.",
                folder=folder,
                inside=", ".join(inside),
            ),
            Message("Open one of them."),
        )
    from modelmon.core.model.foreign import unfinished_in  # noqa: PLC0415  most loads need it not

    return unfinished_in(folder, names) or ModelFileError(
        Message("{folder} contains no .safetensors or .gguf file.", folder=folder),
        Message("Choose the folder of a model."),
    )

"""From a path to a Model, by what the files hold rather than by their names."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import threading
from collections import deque
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import ModelFileError
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.header import Header, HeaderFile, file_mode, looks_like_gguf
from modelmon.core.model.safetensors import looks_like_safetensors, read_safetensors
from modelmon.core.model.sharded import (
    PIPELINE,
    ShardSet,
    only_model_in,
    set_of,
    snapshot_of,
    stem_of_index,
)
from modelmon.core.model.tensors import Block, Model
from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from modelmon.core.model.tensors import Tensor

# Headers on network storage cost round trips, which overlap.
_READERS = 8
# File names that say nothing about the model: its folder's name does.
_GENERIC = r"(?:(?:pytorch_|diffusion_pytorch_|adapter_|tf_|flax_)?model|consolidated)(?:\.\w+)?"
_ON_A_SERVER = ("ssh://", "ssh:/")
"""As it is written, and what a Path makes of it."""
# Stores that name files by their content.
_DIGEST = r"(?:sha256[-:])?[0-9a-f]{40,64}"
_LEAST_OF_DIGEST = 40


class _Blocks(Sequence[Block]):
    """A model's blocks, made when they are first asked for: most loads never do."""

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        self._tensors = tensors

    @cached_property
    def _made(self) -> tuple[Block, ...]:
        from modelmon.core.model.blocks import blocks_of  # noqa: PLC0415

        return blocks_of(self._tensors)

    def __getitem__(self, at: Any) -> Any:
        return self._made[at]

    def __len__(self) -> int:
        return len(self._made)

    def __eq__(self, other: object) -> bool:
        return self._made == (other._made if isinstance(other, _Blocks) else other)

    __hash__ = None  # type: ignore[assignment]


def open_model(path: str | Path, known: ShardSet | None = None) -> Model:
    """The model at `path`: a file, an index, one of several shards, or a folder.

    Reads headers only; looks for no files where they are `known`. Raises ModelFileError, which says
    what is wrong with which file.
    """
    if str(path).startswith(_ON_A_SERVER):
        raise ModelFileError(
            Message("{path} is on a server: only this machine's models can be loaded.", path=path),
            Message("Measure it there: modelmon.core.run, compare and best."),
        )
    path = os.fsdecode(path)
    if not path:
        # It would be the current folder.
        raise ModelFileError(
            Message("The path of the model is empty."), Message("Name a file or a folder.")
        )
    try:
        path.encode()
    except UnicodeEncodeError as error:
        readable = path.encode("utf-8", "replace").decode()
        raise ModelFileError(
            Message("{readable}: this name is not valid UTF-8.", readable=readable),
            Message("Rename the file or folder, then open it."),
        ) from error
    path = snapshot_of(_absolute(path))
    shard_set = _shard_set(path, known)
    headers = _headers(shard_set.paths)
    formats = {kind for kind, _ in headers}
    if len(formats) > 1:
        raise ModelFileError(
            Message("{path}: some files of the model are safetensors and some GGUF.", path=path),
            Message("Keep one of the two in the folder."),
        )
    found = [header for _, header in headers]
    tensors = _tensors(path, found, shard_set)
    metadata = _merged_metadata(found)
    if "gguf" in formats:
        _check_split(path, found, len(tensors))
    if not tensors:
        raise ModelFileError(
            Message("{path} contains no tensors: there is nothing to load.", path=path),
            Message("Choose another file."),
        )
    return Model(
        name=one_line(_model_name(shard_set, metadata)),
        path=path,
        format=formats.pop(),
        shards=tuple(header.shard for header in found),
        tensors=tensors,
        blocks=_Blocks(tensors),
        metadata=metadata,
        is_folder=os.path.isdir(path),
        has_config=os.path.isfile(f"{os.path.dirname(shard_set.start)}/config.json"),
        notes=shard_set.notes,
    )


def _absolute(path: str) -> str:
    """The path from the root; `..` is what lies above where links lead."""
    path = path if os.path.isabs(path) else os.path.join(os.getcwd(), path)
    names = path.replace(os.altsep or os.sep, os.sep).split(os.sep)
    return os.path.realpath(path) if ".." in names else os.path.normpath(path)


class FileModel(Model, frozen=True):
    """One safetensors file; `has_metadata` is whether its header has some, be it empty."""

    has_metadata: bool = False


def open_file(path: str | Path) -> FileModel:
    """One safetensors file by itself, even where it is a shard of more or holds no tensor.

    Raises ModelFileError; its cause is the system's error where there is one.
    """
    with HeaderFile(path) as file:
        try:
            header = read_safetensors(file)
        except ModelFileError as error:
            if looks_like_safetensors(file):
                raise
            if looks_like_gguf(file) or stem_of_index(os.path.basename(path)):
                remedy = Message("Load it with load_model of modelmon.core.")
                raise file.error(Message("this isn't one safetensors file."), remedy) from error
            raise _foreign(file) from error
    tensors = tuple(header.tensors)
    return FileModel(
        name=os.path.basename(path),
        path=str(path),
        format="safetensors",
        shards=(header.shard,),
        tensors=tensors,
        blocks=_Blocks(tensors),
        metadata=header.metadata,
        has_metadata=header.has_metadata,
    )


def why_no_model(path: Path) -> Message:
    """Why this file is neither safetensors nor GGUF, by its first bytes; "" if it is."""
    try:
        with HeaderFile(path) as file:
            known = looks_like_gguf(file) or looks_like_safetensors(file)
            return NOTHING if known else _foreign(file).message
    except ModelFileError as error:
        return error.message


def _shard_set(path: str, known: ShardSet | None = None) -> ShardSet:
    found = known or (only_model_in(path) if stat.S_ISDIR(file_mode(path)) else set_of(path))
    if found.failure is not None:
        raise found.failure
    # Those of an index may be missed by no tensor.
    if found.missing and not (found.index and found.paths):
        raise found.missing_error()
    return found


def _headers(paths: Sequence[str]) -> list[tuple[str, Header]]:
    """What `_header` finds in each; several are read at once, since each may be a round trip."""
    # Not by concurrent.futures: to import it takes longer than to open a model.
    left = deque(enumerate(paths))
    found: dict[int, tuple[str, Header]] = {}
    failed: dict[int, Exception] = {}

    def read() -> None:
        with contextlib.suppress(IndexError):
            while True:
                number, path = left.popleft()
                try:
                    found[number] = _header(path, number)
                except Exception as error:
                    failed[number] = error
                    left.clear()

    threads = [threading.Thread(target=read) for _ in paths[1:_READERS]]
    try:
        # Where the system lets this process have no more threads, there are fewer.
        with contextlib.suppress(RuntimeError):
            for thread in threads:
                thread.start()
        read()
    finally:
        left.clear()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    if failed:
        raise failed.pop(min(failed))
    return [found[number] for number in range(len(paths))]


def _header(path: str, shard: int) -> tuple[str, Header]:
    """The format and the header of one file."""
    with HeaderFile(path) as file:
        if looks_like_gguf(file):
            # Loads of safetensors start sooner without it.
            from modelmon.core.model.gguf import read_gguf  # noqa: PLC0415

            return "gguf", read_gguf(file, shard)
        if looks_like_safetensors(file):
            return "safetensors", read_safetensors(file, shard)
        raise _foreign(file)


def _foreign(file: HeaderFile) -> ModelFileError:
    from modelmon.core.model.foreign import foreign_file  # noqa: PLC0415  as above

    return foreign_file(file)


def _model_name(shard_set: ShardSet, metadata: Mapping[str, str]) -> str:
    """A readable name for the model of these files."""
    folder, name = os.path.split(shard_set.start)
    if is_called_by_digest(name):
        from modelmon.core.model.caches import name_of_blob  # noqa: PLC0415  most are none

        return name_of_blob(shard_set.start) or metadata.get("general.name") or name
    return _folder_name(folder) if re.fullmatch(_GENERIC, shard_set.stem) else shard_set.stem


def is_called_by_digest(name: str) -> bool:
    """Whether a file is a blob of a store that names files by their content."""
    return len(name) >= _LEAST_OF_DIGEST and bool(re.fullmatch(_DIGEST, name))


def _folder_name(folder: str) -> str:
    """The folder's name; in a Hugging Face cache, the repository's and the folder in it; a part of
    a pipeline after that.
    """
    names = folder.split(os.sep)
    for at in reversed(range(len(names) - 1)):
        below = names[at + 1 :]
        if names[at].startswith("models--") and len(below) >= 2 and below[0] == "snapshots":
            return "/".join([names[at].rpartition("--")[2], *below[2:]])
    if os.path.isfile(os.path.join(os.path.dirname(folder), PIPELINE)):
        return "/".join(names[-2:])
    return names[-1] or "model"


def _merged_metadata(headers: Sequence[Header]) -> dict[str, str]:
    """All shards' metadata; the first shard's word counts."""
    merged: dict[str, str] = {}
    for header in reversed(headers):
        merged.update(header.metadata)
    return merged


def _tensors(path: str, headers: Sequence[Header], shard_set: ShardSet) -> tuple[Tensor, ...]:
    """All tensors, each once: where several files have one, the index says whose is loaded."""
    tensors = tuple(chain.from_iterable(header.tensors for header in headers))
    if len(headers) == 1 and shard_set.index is None:
        return tensors
    seen: dict[str, Tensor] = {}
    for tensor in tensors:
        other = seen.setdefault(tensor.name, tensor)
        if other is tensor:
            continue
        indexed = shard_set.indexed_path(tensor.name)
        if indexed == headers[tensor.shard].shard.path:
            seen[tensor.name] = tensor
        elif indexed not in shard_set.paths:
            raise ModelFileError(
                Message(
                    "{path}: tensor {name} is in {shard_path} and again in {path2}.",
                    path=path,
                    name=repr(tensor.name),
                    shard_path=headers[other.shard].shard.path,
                    path2=headers[tensor.shard].shard.path,
                ),
                Message("Download the model again; files of two models may be mixed."),
            )
    _check_complete(shard_set, seen)
    if len(seen) == len(tensors):
        return tensors
    return tuple(tensor for tensor in tensors if seen[tensor.name] is tensor)


def _check_complete(shard_set: ShardSet, seen: Collection[str]) -> None:
    """Raise ModelFileError if the index names a tensor that no shard has."""
    absent = sorted((shard_set.index or {}).keys() - seen)
    if absent and shard_set.missing:
        raise shard_set.missing_error()
    if absent:
        figures = {"path": shard_set.start, "name": repr(absent[0]), "more": len(absent) - 1}
        raise ModelFileError(
            Message("{path} names tensor {name} and {more} more, which no shard has.", **figures)
            if len(absent) > 1
            else Message("{path} names tensor {name}, which no shard has.", **figures),
            Message("Download the index and all shards again."),
        )


def _check_split(path: str, headers: Sequence[Header], tensor_count: int) -> None:
    """A split GGUF says in each part which part of how many it is."""
    for number, header in enumerate(headers):
        said_count = header.metadata.get("split.count", str(len(headers)))
        said_number = header.metadata.get("split.no", str(number))
        if said_count in ("0", "1") and len(headers) == 1:
            continue
        if (said_number, said_count) != (str(number), str(len(headers))):
            raise ModelFileError(
                Message(
                    "{path}: split.no is {said_number} and split.count {said_count}, but by"
                    " name it is file {number} of {count}, counted from 0.",
                    path=header.shard.path,
                    said_number=said_number,
                    said_count=said_count,
                    number=number,
                    count=len(headers),
                ),
                Message("Give the files their names back, such as model-00001-of-00003.gguf."),
            )
    said_tensors = headers[0].metadata.get("split.tensors.count", str(tensor_count))
    if said_tensors != str(tensor_count):
        raise ModelFileError(
            Message(
                "{path}: split.tensors.count is {said_tensors}, but the files "
                "have {tensor_count} tensors.",
                path=path,
                said_tensors=said_tensors,
                tensor_count=tensor_count,
            ),
            Message("Download all files of the model again."),
        )


def files_of(path: Path) -> tuple[Path, ...]:
    """The weight files of the model at `path`, or the file itself; none of a mere folder."""
    from pathlib import Path  # noqa: PLC0415  loads start sooner without it

    file_mode(str(path))
    try:
        return tuple(map(Path, _shard_set(snapshot_of(str(path))).paths))
    except ModelFileError:
        # Not a model, or one that is not complete: its place can be looked at all the same.
        return (path,) if path.is_file() else ()

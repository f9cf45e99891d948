"""What a folder holds, for somebody who looks for a model in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.bounded import Amount
from modelmon.core.errors import ModelFileError
from modelmon.core.messages import Message
from modelmon.core.model.shard_index import stem_of_index
from modelmon.core.model.sharded import weights_format

if TYPE_CHECKING:
    from pathlib import Path

Kind = Literal["folder", "safetensors", "gguf", "index", "other"]

MOST_ENTRIES = 5_000
"""Of a folder with more the first are shown, by name."""


class FolderEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file or folder by its name; the size of a file only."""

    name: str
    kind: Kind
    size_bytes: Amount = 0


class FolderEntries(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lies in the folder at `path`; `more` where it is not all."""

    path: str
    entries: tuple[FolderEntry, ...]
    more: bool = False


def folder_entries(path: Path) -> FolderEntries:
    """The folder's entries, folders first, without those whose names begin with a dot.

    Raises ModelFileError where it can't be read.
    """
    folder = path.absolute()
    try:
        names = sorted(each.name for each in folder.iterdir() if not each.name.startswith("."))
    except OSError as error:
        raise ModelFileError(
            Message("Couldn't read {path}: {reason}.", path=folder, reason=error.strerror)
        ) from error
    entries = [_entry(folder / name) for name in names[:MOST_ENTRIES]]
    entries.sort(key=lambda entry: entry.kind != "folder")
    return FolderEntries(str(folder), tuple(entries), more=len(names) > MOST_ENTRIES)


def _entry(path: Path) -> FolderEntry:
    try:
        if path.is_dir():
            return FolderEntry(path.name, "folder")
        size = path.stat().st_size
    except OSError:
        size = 0
    kind: Kind = "index" if stem_of_index(path.name) else weights_format(path.name) or "other"
    return FolderEntry(path.name, kind, size)

"""What a folder holds, for somebody who looks for a model in it."""

from __future__ import annotations

import os
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.limited_numbers import Amount
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


def folder_entries(path: Path, *, follows_links: bool = True) -> FolderEntries:
    """The folder's entries, folders first, without those whose names begin with a dot.

    Raises ModelFileError where it can't be read. What links lead to may be on storage that hangs.
    """
    folder = path.absolute()
    try:
        with os.scandir(folder) as found:
            shown = sorted((each for each in found if _is_shown(each.name)), key=_name)
    except OSError as error:
        raise ModelFileError(
            Message("Couldn't read {path}: {reason}.", path=folder, reason=error.strerror)
        ) from error
    entries = [_entry(each, follows_links) for each in shown[:MOST_ENTRIES]]
    entries.sort(key=lambda entry: entry.kind != "folder")
    return FolderEntries(str(folder), tuple(entries), more=len(shown) > MOST_ENTRIES)


def _is_shown(name: str) -> bool:
    # A name that is no text can't be said, and no model is opened by it.
    return not name.startswith(".") and name == name.encode(errors="replace").decode()


_name = attrgetter("name")


def _entry(found: os.DirEntry[str], follows_links: bool) -> FolderEntry:
    name, size = found.name, 0
    # A folder is not asked for its size: a mount that hangs may be on it.
    with suppress(OSError):
        if found.is_dir(follow_symlinks=follows_links):
            return FolderEntry(name, "folder")
        if follows_links or not found.is_symlink():
            size = found.stat().st_size
    kind: Kind = "index" if stem_of_index(name) else weights_format(name) or "other"
    return FolderEntry(name, kind, size)

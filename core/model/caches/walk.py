"""Folders below a folder and the models in them, by names and indices: no other file is opened.

The walk has bounds: it is never endless, whatever links and mounts there are.
"""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.sharded import models_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.model.sharded import ShardSet

DEEPEST = 6
MOST_FOLDERS = 5_000
MOST_ENTRIES = 100_000


class Folder(NamedTuple):
    """A folder and the names of the files in it, sorted."""

    path: Path
    files: tuple[str, ...]


class FoundFile(NamedTuple):
    """What to open for one model: a weight file, the first of a set, or its index.

    `name` is what its program calls it, "" where the model's own name will do. Of one that is no
    such file `problem` says why, and its program `size_bytes`. `files` are its files, if known.
    """

    path: Path
    name: str = ""
    problem: Message = NOTHING
    size_bytes: int | None = None
    files: ShardSet | None = None


def folders_below(top: Path, deepest: int = DEEPEST) -> Iterator[Folder]:
    """`top` and the folders in it, nearest first; hidden ones are left out.

    Links are followed, each folder is met once. What cannot be read is passed over, except
    `top` itself: raises OSError. Ends after `MOST_FOLDERS` folders or `MOST_ENTRIES` names.
    """
    waiting = deque([(top, 0)])
    met = {_identity(top)}
    entries = folders = 0
    while waiting and folders < MOST_FOLDERS and entries < MOST_ENTRIES:
        path, depth = waiting.popleft()
        try:
            files, below = _listed(path, MOST_ENTRIES - entries)
        except OSError:
            if path == top:
                raise
            continue
        folders += 1
        entries += len(files) + len(below)
        yield Folder(path, tuple(files))
        if depth == deepest:
            continue
        for name in below:
            inner = path / name
            try:
                identity = _identity(inner)
            except OSError:
                continue
            if identity not in met:
                met.add(identity)
                waiting.append((inner, depth + 1))


def small_file(path: Path, most_bytes: int = 1_000_000) -> bytes:
    """What is in a file; nothing where it is larger, no file, or can't be read."""
    try:
        is_small = path.is_file() and path.stat().st_size <= most_bytes
        return path.read_bytes() if is_small else b""
    except OSError:
        return b""


def models_below(top: Path, deepest: int = DEEPEST) -> Iterator[FoundFile]:
    """The models in a folder and those in it, complete or not; raises OSError as above."""
    below: set[str] = set()
    for folder in folders_below(top, deepest):
        # An index may name files in the folders that come after its own.
        names = [name for name in folder.files if str(folder.path / name) not in below]
        for found in models_in(str(folder.path), names):
            below.update(found.paths)
            yield FoundFile(Path(found.start), files=found)


def _listed(path: Path, most: int) -> tuple[list[str], list[str]]:
    """Names of the files and of the folders in a folder, without the hidden ones."""
    files: list[str] = []
    folders: list[str] = []
    with os.scandir(path) as entries:
        for number, entry in enumerate(entries):
            if number >= most:
                break
            if entry.name.startswith("."):
                continue
            (folders if _is_folder(entry) else files).append(entry.name)
    return sorted(files), sorted(folders)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino

"""Folders of models, walked within bounds, and the snapshots of a hub's repository among them.

By names and links: no weight file is opened, and no walk is endless, whatever links there are.
"""

from __future__ import annotations

import os
import re
from collections import deque
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEEPEST = 6
MOST_FOLDERS = 5_000
MOST_ENTRIES = 100_000

# Hugging Face: `models--ORG--NAME/snapshots/COMMIT`, links into `blobs`.
# https://huggingface.co/docs/huggingface_hub/guides/manage-cache
REPOSITORY = "models--"
_COMMIT = re.compile(r"[0-9a-f]{6,64}")
_LONGEST_REF_BYTES = 256
HUB_DEEPEST = 3  # a diffusion pipeline has a folder for each of its models


def folders_below(top: Path, deepest: int = DEEPEST) -> Iterator[tuple[Path, list[str]]]:
    """`top` and the folders in it, nearest first, with the names of their files, sorted; hidden
    ones are left out.

    Links are followed, each folder is met once. What cannot be read is passed over, except
    `top` itself: raises OSError. Ends after `MOST_FOLDERS` folders or `MOST_ENTRIES` names.
    """
    waiting = deque([(top, 0)])
    met: set[tuple[int, int]] = set()
    entries = folders = 0
    while waiting and folders < MOST_FOLDERS and entries < MOST_ENTRIES:
        path, depth = waiting.popleft()
        files: list[str] = []
        inner: list[str] = []
        try:
            found = path.stat()
            if (found.st_dev, found.st_ino) in met:
                continue
            met.add((found.st_dev, found.st_ino))
            with os.scandir(path) as listed:
                for entry in islice(listed, MOST_ENTRIES - entries):
                    if not entry.name.startswith("."):
                        (inner if _is_folder(entry) else files).append(entry.name)
        except OSError:
            if path == top:
                raise
            continue
        folders += 1
        entries += len(files) + len(inner)
        yield path, sorted(files)
        if depth < deepest:
            waiting.extend((path / name, depth + 1) for name in sorted(inner))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def small_file(path: Path, most_bytes: int = 1_000_000) -> bytes:
    """What is in a file; nothing where it is larger, no file, or can't be read."""
    try:
        is_small = path.is_file() and path.stat().st_size <= most_bytes
        return path.read_bytes() if is_small else b""
    except OSError:
        return b""


def snapshots(repository: Path) -> list[Path]:
    """The snapshots of a hub's repository that a branch or tag leads to, `main` first, else the
    latest: others are superseded.
    """
    folder, refs = repository / "snapshots", repository / "refs"
    named = [_commit(refs / "main")]
    with suppress(OSError):
        for below, files in folders_below(refs, HUB_DEEPEST):
            named += [_commit(below / name) for name in files]
    present = [folder / commit for commit in dict.fromkeys(named) if commit]
    present = [snapshot for snapshot in present if snapshot.is_dir()]
    if present:
        return present
    with suppress(OSError):
        dated = [(one.stat().st_mtime, one) for one in folder.iterdir() if one.is_dir()]
        return [max(dated)[1]] if dated else []
    return []


def _commit(ref: Path) -> str:
    """The commit that a ref names; "" where it names none."""
    text = small_file(ref, _LONGEST_REF_BYTES).decode("ascii", "replace").strip()
    return text if _COMMIT.fullmatch(text) else ""


def snapshot_file(blob: Path) -> Path | None:
    """What leads to a blob from a snapshot of its repository, where the file has its name; None for
    any other file.
    """
    repository = blob.parent.parent
    if blob.parent.name != "blobs" or not repository.name.startswith(REPOSITORY):
        return None
    with suppress(OSError):
        superseded = sorted((repository / "snapshots").iterdir())
        for snapshot in (*snapshots(repository), *superseded):
            for folder, files in folders_below(snapshot, HUB_DEEPEST):
                for path in map(folder.joinpath, files):
                    if path.is_symlink() and path.readlink().name == blob.name:
                        return path
    return None

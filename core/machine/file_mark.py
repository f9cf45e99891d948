"""Whether files are still the ones they were: by what stat says of them, without reading."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class FileMark(NamedTuple):
    """What changes when a file is replaced (inode) or written to (size, time of writing)."""

    device: int
    inode: int
    size_bytes: int
    modified_ns: int


def file_marks(paths: Sequence[Path]) -> dict[Path, FileMark | None]:
    """The mark of each file; None for one that is gone. Links are followed."""
    return {path: _mark(path) for path in paths}


def mark_text(marks: Mapping[Path, FileMark | None]) -> str:
    """All marks as one short text that differs when any of them does."""
    joined = ";".join(",".join(map(str, mark or ())) for mark in marks.values())
    return hashlib.sha256(joined.encode()).hexdigest()[:16]


def changes_text(
    before: Mapping[Path, FileMark | None], after: Mapping[Path, FileMark | None]
) -> str:
    """What happened to the files in between, as clauses; empty if nothing did."""
    changes = [
        (path.name, change)
        for path, mark in before.items()
        if (change := _change(mark, after.get(path)))
    ]
    return ", ".join(f"{name} was {change}" for name, change in changes)


def _mark(path: Path) -> FileMark | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return FileMark(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def _change(before: FileMark | None, after: FileMark | None) -> str:
    if before == after:
        return ""
    if after is None:
        return "removed"
    if before is None or (before.device, before.inode) != (after.device, after.inode):
        return "replaced"
    if before.size_bytes != after.size_bytes:
        return f"changed from {before.size_bytes:,} to {after.size_bytes:,} bytes"
    return "written to"

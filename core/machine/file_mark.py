"""Whether files are still the ones they were: by what stat says of them, without reading."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.messages import NOTHING, Message, joined

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
    marks_text = ";".join(",".join(map(str, mark or ())) for mark in marks.values())
    return hashlib.sha256(marks_text.encode()).hexdigest()[:16]


def changes_text(
    before: Mapping[Path, FileMark | None], after: Mapping[Path, FileMark | None]
) -> Message:
    """What happened to the files in between, as clauses; empty if nothing did."""
    changes = (_change(path.name, mark, after.get(path)) for path, mark in before.items())
    return joined(filter(None, changes), ", ")


def _mark(path: Path) -> FileMark | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return FileMark(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def _change(name: str, before: FileMark | None, after: FileMark | None) -> Message:
    if before == after:
        return NOTHING
    if after is None:
        return Message("{name} was removed", name=name)
    if before is None or (before.device, before.inode) != (after.device, after.inode):
        return Message("{name} was replaced", name=name)
    if before.size_bytes != after.size_bytes:
        return Message(
            "{name} was changed from {before} to {after} bytes",
            name=name,
            before=f"{before.size_bytes:,}",
            after=f"{after.size_bytes:,}",
        )
    return Message("{name} was written to", name=name)

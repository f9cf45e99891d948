"""The files of a model as they are: size, holes, what is cached, who uses them, and changes."""

from __future__ import annotations

import hashlib
import mmap
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.machine.cached_pages import unknown
from modelmon.core.machine.direct_io import READ_ONLY
from modelmon.core.machine.file_users import FileUser, users_of
from modelmon.core.machine.page_cache import (
    FileResidency,
    ResidencyMap,
    bucket_bytes_for,
    file_residency,
)
from modelmon.core.machine.procfs import SECTOR_BYTES
from modelmon.core.messages import NOTHING, Message, joined

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from modelmon.core.machine.mounts import StorageKind


class FileState(msgspec.Struct, frozen=True, omit_defaults=True):
    """All files of one model together.

    `allocated_bytes` is what they take on a local disk: less than `size_bytes` where they have
    holes, or are compressed by ZFS (btrfs does not show that); None elsewhere. `cached_share`
    is None where it cannot be known, `cached_source` says how it is known or why not, and
    `opening_may_drop_cache` that looking may have changed it. `cache_map` tells where in the files
    the cached pages lie.
    """

    files: int
    size_bytes: int
    allocated_bytes: int | None
    cached_share: float | None
    cached_source: Message
    opening_may_drop_cache: bool = False
    of_another_user: bool = False
    users: tuple[FileUser, ...] = ()
    cache_map: ResidencyMap | None = None

    @property
    def allocated_share(self) -> float | None:
        """What lies on the disk of all bytes, at most 1; None where that is unknown."""
        if self.allocated_bytes is None or not self.size_bytes:
            return None
        return min(1.0, self.allocated_bytes / self.size_bytes)


def file_state(
    paths: Sequence[Path], kind: StorageKind, ignored_pids: Collection[int] = ()
) -> FileState:
    """Look at files on storage of this kind; raises OSError if one of them is not there.

    Each is opened once and nothing of it is read: opening a file of a FUSE mount may drop what
    the kernel had cached of it (fs/fuse/file.c, unless the server asks to keep it). Its users are
    all but this process and those of `ignored_pids`.
    """
    statuses = [path.stat() for path in paths]
    sizes = [status.st_size for status in statuses]
    bucket_bytes = bucket_bytes_for(sizes)
    cached = ResidencyMap(
        bucket_bytes,
        mmap.PAGESIZE,
        tuple(_residency(*file, bucket_bytes) for file in zip(paths, sizes, strict=True)),
    )
    # Where a disk has blocks, they are counted in 512 bytes whatever its own unit.
    is_posix = sys.platform != "win32"
    allocated = None
    if is_posix and kind == "local-disk":
        allocated = sum(status.st_blocks for status in statuses) * SECTOR_BYTES
    return FileState(
        files=len(paths),
        size_bytes=sum(sizes),
        allocated_bytes=allocated,
        cached_share=cached.whole.share,
        cached_source=cached.whole.source,
        opening_may_drop_cache=kind == "fuse",
        of_another_user=is_posix and any(s.st_uid != os.geteuid() for s in statuses),
        users=tuple(users_of(paths, {os.getpid(), *ignored_pids})),
        cache_map=cached,
    )


def _residency(path: Path, size_bytes: int, bucket_bytes: int) -> FileResidency:
    try:
        descriptor = os.open(path, READ_ONLY)
    except OSError as error:
        reason = unknown(Message("couldn't open the file: {reason}", reason=error.strerror))
        return FileResidency(size_bytes, reason)
    try:
        return file_residency(descriptor, size_bytes, bucket_bytes)
    finally:
        os.close(descriptor)


class FileMark(NamedTuple):
    """What changes when a file is replaced (inode) or written to (size, time of writing)."""

    device: int
    inode: int
    size_bytes: int
    modified_ns: int


def file_marks(paths: Sequence[Path]) -> dict[Path, FileMark | None]:
    """The mark of each file; None for one that is gone. Links are followed."""
    marks: dict[Path, FileMark | None] = dict.fromkeys(paths)
    for path in paths:
        with suppress(OSError):
            found = path.stat()
            marks[path] = FileMark(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
    return marks


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


def _change(name: str, before: FileMark | None, after: FileMark | None) -> Message:
    if before == after:
        return NOTHING
    if after is None:
        return Message("{name} was removed or unmounted", name=name)
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

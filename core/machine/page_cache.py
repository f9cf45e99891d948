"""The page cache of open files: what is in it, emptying it, and the caches below it.

Files are asked through descriptors that are open already, and nothing of them is read to look. A
loop device reads its image, and a FUSE server its own files, through the page cache as well: what
is evicted above is still cached there.
"""

from __future__ import annotations

import errno
import mmap
import os
import stat
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.limited_numbers import Amount
from modelmon.core.machine.cached_pages import RAMFS, TMPFS, filesystem_type, page_counter, unknown
from modelmon.core.machine.direct_io import READ_ONLY, give_advice
from modelmon.core.machine.mounts import is_served_here
from modelmon.core.machine.storage import storage_stack_of
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.machine.storage import StorageStack

Ranges = Sequence[tuple[int, int]]
"""Parts of a file as (offset, length) in bytes."""


class Residency(msgspec.Struct, frozen=True):
    """The cached share (0 to 1) of `total_bytes`, counted in whole pages.

    `source` is `cachestat` or `mincore`, or `unknown: ...` with the reason when `share` is
    None. Only this machine's page cache is seen: neither a server's nor a host's, nor the
    ARC of ZFS.
    """

    share: float | None
    source: Message
    total_bytes: int = 0

    @property
    def resident_bytes(self) -> int | None:
        """Bytes in the page cache; None where that is unknown."""
        return None if self.share is None else round(self.share * self.total_bytes)


def residency(fd: int, ranges: Ranges) -> Residency:
    """How much of `ranges` is in the page cache, asked through an open descriptor.

    What lies beyond the end of the file is ignored. Costs about 0.1 ms per GB with cachestat
    and 15 ms per GB with mincore. Raises OSError if the descriptor is not a file's.
    """
    pages = page_ranges(ranges, size_bytes(fd))
    total = sum(length for _, length in pages)
    if not total:
        return Residency(None, unknown(Message("there are no bytes to look at")))
    count, source = page_counter(fd)
    if count is None:
        return Residency(None, source, total)
    cached = sum(count(fd, offset, length) for offset, length in pages)
    whole = sum(-(-length // mmap.PAGESIZE) for _, length in pages)
    return Residency(cached / whole, source, total)


def size_bytes(fd: int) -> int:
    """Size of an open file or block device, for which stat(2) tells none."""
    found = os.fstat(fd)
    return os.lseek(fd, 0, os.SEEK_END) if stat.S_ISBLK(found.st_mode) else found.st_size


def combined(parts: Iterable[Residency]) -> Residency:
    """The residency of several files together; unknown if it is unknown of one."""
    parts = [part for part in parts if part.total_bytes]
    total = sum(part.total_bytes for part in parts)
    for part in parts:
        if part.share is None:
            return Residency(None, part.source, total)
    if not parts:
        return Residency(None, unknown(Message("there are no bytes to look at")))
    cached = sum((part.share or 0.0) * part.total_bytes for part in parts)
    return Residency(cached / total, parts[0].source, total)


def page_ranges(ranges: Ranges, size_bytes: int) -> list[tuple[int, int]]:
    """`ranges` widened to whole pages, ascending, merged, and cut at `size_bytes`.

    Each page is in the result once, also where two ranges share it.
    """
    page = mmap.PAGESIZE
    merged: list[tuple[int, int]] = []
    for offset, length in sorted(ranges):
        start = offset // page * page
        end = min(-(-(offset + length) // page) * page, size_bytes)
        if length <= 0 or end <= start:
            continue
        if merged and start <= sum(merged[-1]):
            start, end = merged[-1][0], max(end, sum(merged.pop()))
        merged.append((start, end - start))
    return merged


MOST_BUCKETS = 512
"""Of all files together, but for one more in each file: about what a screen can show."""


class FileResidency(msgspec.Struct, frozen=True, omit_defaults=True):
    """One file, in buckets of its map's `bucket_bytes`, of which the last may be shorter.

    `cached_pages` has a count for each bucket. It is empty where that is unknown; `source` is
    `cachestat` or `mincore`, or else `unknown: ...` with the reason.
    """

    size_bytes: Amount
    source: Message
    cached_pages: tuple[Amount, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether the kernel told what it has cached of the file."""
        return bool(self.cached_pages)


class ResidencyMap(msgspec.Struct, frozen=True):
    """The files of one model at one moment, all cut into buckets of the same size.

    Only this machine's page cache is seen: neither a server's nor a host's, nor the ARC of ZFS.
    """

    bucket_bytes: Amount
    page_bytes: Amount
    files: tuple[FileResidency, ...]

    def residency_of(self, number: int) -> Residency:
        """One file's residency; the share is that of its pages."""
        file = self.files[number]
        share = None
        if file.is_known:
            share = sum(file.cached_pages) / -(-file.size_bytes // self.page_bytes)
        return Residency(share, file.source, file.size_bytes)

    def pages_of(self, number: int) -> tuple[int, ...]:
        """All pages of each bucket of a file, cached or not."""
        lengths = bucket_lengths(self.files[number].size_bytes, self.bucket_bytes)
        return tuple(-(-length // self.page_bytes) for length in lengths)

    @property
    def is_sound(self) -> bool:
        """Whether its parts fit one another, as those of a recording from elsewhere may not."""
        return min(self.bucket_bytes, self.page_bytes) > 0 and all(
            file.size_bytes >= 0
            and len(file.cached_pages) in (0, -(-file.size_bytes // self.bucket_bytes))
            for file in self.files
        )

    @property
    def whole(self) -> Residency:
        """The residency of all files together; unknown if it is unknown of one."""
        return combined(self.residency_of(number) for number in range(len(self.files)))


def bucket_bytes_for(sizes_bytes: Iterable[int]) -> int:
    """How long buckets are, in whole pages, so that files of these sizes have few enough."""
    page = mmap.PAGESIZE
    return page * max(1, -(-sum(sizes_bytes) // (MOST_BUCKETS * page)))


def bucket_lengths(size_bytes: int, bucket_bytes: int) -> list[int]:
    """Bytes of each bucket of a file of this size: all the same, but for the last."""
    whole, rest = divmod(size_bytes, bucket_bytes)
    return [bucket_bytes] * whole + ([rest] if rest else [])


def file_residency(descriptor: int, size_bytes: int, bucket_bytes: int) -> FileResidency:
    """Ask of an open file, bucket by bucket, what is cached; nothing of it is read or touched.

    What lies between the end of a file that was cut and `size_bytes` is not cached; what it grew
    is left out. Costs about 2 µs a bucket and 0.1 ms per cached GB with cachestat.
    """
    why = Message("there are no bytes to look at")
    try:
        count, source = page_counter(descriptor)
        if count is None:
            return FileResidency(size_bytes, source)
        if size_bytes:
            lengths = bucket_lengths(size_bytes, bucket_bytes)
            parts = zip(range(0, size_bytes, bucket_bytes), lengths, strict=True)
            return FileResidency(
                size_bytes, source, tuple(count(descriptor, *part) for part in parts)
            )
    except OSError as error:
        why = Message("the kernel doesn't report it: {reason}", reason=error.strerror or error)
    return FileResidency(size_bytes, unknown(why))


def residency_map(files: Sequence[tuple[int | None, int]]) -> ResidencyMap:
    """Look at files given as (open descriptor, bytes); of one that is not open nothing is known."""
    bucket_bytes = bucket_bytes_for(size for _, size in files)
    return ResidencyMap(
        bucket_bytes,
        mmap.PAGESIZE,
        tuple(
            FileResidency(size, unknown(Message("the file is not open")))
            if descriptor is None
            else file_residency(descriptor, size, bucket_bytes)
            for descriptor, size in files
        ),
    )


COLD_SHARE = 0.01
"""Less than this share of a file that counts as cold is resident."""

WARM_SHARE = 0.99
"""At least this share of a file that counts as warm is resident."""

_FIRST_PAUSE_S = 0.01


def eviction_obstacle(fd: int) -> Message:
    """Why this file's pages can never be dropped from memory here; "" if they can."""
    if sys.platform != "linux":
        return Message("This system can't evict a single file from its cache.")
    if filesystem_type(fd) in (TMPFS, RAMFS):
        return Message("The file is in memory (tmpfs): there's no slower place to load it from.")
    return NOTHING


def evict(fd: int) -> bool:
    """Ask the kernel to drop the whole file from the page cache. A request: look afterwards;
    returns whether it may be made here.

    Dirty pages are written back first, for they would stay; that works on a read-only
    descriptor. Pages that some process maps stay, one's own maps included, and so do all
    where `eviction_obstacle` gives a reason. Raises OSError if writing back fails.
    """
    if sys.platform != "linux":
        return False
    try:
        os.fsync(fd)
    except OSError as error:
        # Read-only filesystems have no fsync, and nothing to write back.
        if error.errno not in (errno.EINVAL, errno.EROFS):
            raise
    return give_advice(fd, "dontneed")


def evict_verified(
    files: Sequence[tuple[int, Ranges]], attempts: int = 6, most_bytes: float | None = None
) -> Message:
    """Evict open files until less than COLD_SHARE of their ranges is resident, or than
    `most_bytes`; returns why they are not cold, "" when they are or that is not known.

    Where residency is unknown, one attempt is made and not judged, unless the system refuses it.
    """
    for fd, _ in files:
        if obstacle := eviction_obstacle(fd):
            return obstacle
    for attempt in range(attempts):
        if attempt:
            # Pages under write-back or in another CPU's queue are let go a little later.
            time.sleep(_FIRST_PAUSE_S * 2**attempt)
        if not all(evict(fd) for fd, _ in files):
            return Message("The system refuses to evict files, as some containers do.")
        left = combined(residency(fd, ranges) for fd, ranges in files)
        most = COLD_SHARE * left.total_bytes if most_bytes is None else most_bytes
        if left.resident_bytes is None or left.resident_bytes < most:
            return NOTHING
    return Message("Couldn't evict the pages: another process maps or reads the file.")


class CachesBelow:
    """The files below some files that this machine caches as well, held open until `close`.

    `obstacle` is why the last eviction left some cached, "" if none.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.obstacle: Message = NOTHING
        self._unseen: list[str] = []
        self._opened: dict[str, tuple[int, Ranges]] = {}
        try:
            for file in _files_below(paths, set()):
                self._open(file)
        except BaseException:
            self.close()
            raise

    def _open(self, file: Path) -> None:
        # An image is named as people know it, also where it was reached through a server.
        path, of_server = os.path.realpath(file), file.is_relative_to("/proc")
        try:
            descriptor = os.open(file, READ_ONLY)
        except OSError:
            # What a server has open is none of the model's for sure.
            self._unseen += [] if of_server else [path]
            return
        whole = [(0, size_bytes(descriptor))]
        if of_server and residency(descriptor, whole).share is None:
            os.close(descriptor)
        else:
            self._opened[path] = descriptor, whole

    def evict(self, most_bytes: float) -> None:
        """Evict them until less than `most_bytes` of each are cached, if that works."""
        self.obstacle = NOTHING
        for opened in self._opened.values():
            try:
                obstacle = evict_verified([opened], most_bytes=most_bytes)
            except OSError as error:
                obstacle = Message("Couldn't write it: {reason}.", reason=error.strerror)
            self.obstacle = obstacle or self.obstacle

    def left(self, most_bytes: float) -> tuple[str, int | None] | None:
        """The file that has most cached, and how much; None bytes where that can't be known.

        None where each has less than `most_bytes`.
        """
        amounts: list[tuple[str, int | None]] = [(path, None) for path in self._unseen]
        for path, opened in self._opened.items():
            found = residency(*opened)
            nbytes = found.resident_bytes
            if found.total_bytes and (nbytes is None or nbytes >= most_bytes):
                amounts.append((path, nbytes))
        return max(amounts, key=lambda each: inf if each[1] is None else each[1], default=None)

    def close(self) -> None:
        """Close them."""
        for descriptor, _ in self._opened.values():
            os.close(descriptor)
        self._opened.clear()


def _files_below(paths: Iterable[Path], seen: set[str]) -> Iterator[Path]:
    """Each file once, with those below it, from the top."""
    for path in paths:
        for file in _read_by(storage_stack_of(path)):
            if (real := os.path.realpath(file)) not in seen:
                seen.add(real)
                yield file
                yield from _files_below([file], seen)


def _read_by(stack: StorageStack) -> Iterator[Path]:
    """What the mounts under a path read through the page cache."""
    for mount in stack.mounts:
        if mount.image is not None:
            yield Path(mount.image)
        if is_served_here(mount.source) and Path(stack.path).is_relative_to(mount.mount_point):
            # As the server of this machine finds it: below its user's home, unless from the top.
            folder = Path(os.environ.get("HOME", "/"), mount.source.partition(":")[2])
            file = folder / Path(stack.path).relative_to(mount.mount_point)
            if os.access(file, os.R_OK):
                yield file
        if mount.fuse is not None and mount.fuse.pid is not None:
            yield from _open_files(mount.fuse.pid)
        for device in mount.devices:
            for layer in device.walk():
                if layer.backing_file is not None and not layer.direct_io:
                    yield Path(layer.backing_file)


def _open_files(pid: int) -> Iterator[Path]:
    """Files and block devices that a server has open; none of another user's process."""
    links: list[Path] = []
    with suppress(OSError):
        links += Path(f"/proc/{pid}/fd").iterdir()
    for link in links:
        try:
            mode = link.stat().st_mode
        except OSError:
            continue  # closed meanwhile
        if (stat.S_ISREG(mode) or stat.S_ISBLK(mode)) and os.access(link, os.R_OK):
            yield link

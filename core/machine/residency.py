"""Which part of a file is in the page cache: its share, and where along the file it lies."""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.limited_numbers import Amount
from modelmon.core.machine.resident_pages import page_counter, unknown
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable


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
    return Residency(cached / sum(_page_count(length) for _, length in pages), source, total)


def size_bytes(fd: int) -> int:
    """Size of an open file or block device, for which stat(2) tells none."""
    found = os.fstat(fd)
    return os.lseek(fd, 0, os.SEEK_END) if stat.S_ISBLK(found.st_mode) else found.st_size


def resident_bytes(fd: int, ranges: Ranges) -> int | None:
    """Bytes of `ranges` in the page cache; None where that is unknown."""
    return residency(fd, ranges).resident_bytes


def residency_is_known(fd: int) -> bool:
    """Whether the kernel tells this process what it has cached of this file."""
    return page_counter(fd)[0] is not None


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


def _page_count(length: int) -> int:
    return -(-length // mmap.PAGESIZE)


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
    try:
        count, source = page_counter(descriptor)
        if count is None or not size_bytes:
            reason = source if size_bytes else unknown(Message("there are no bytes to look at"))
            return FileResidency(size_bytes, reason)
        lengths = bucket_lengths(size_bytes, bucket_bytes)
        offsets = range(0, size_bytes, bucket_bytes)
        pages = tuple(
            count(descriptor, offset, length)
            for offset, length in zip(offsets, lengths, strict=True)
        )
    except OSError as error:
        return FileResidency(
            size_bytes,
            unknown(Message("the kernel does not tell: {reason}", reason=error.strerror or error)),
        )
    return FileResidency(size_bytes, source, pages)


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

"""Which share of a file is in the page cache, where that can be known."""

from __future__ import annotations

import errno
import mmap
import os
import sys
from collections.abc import Callable, Iterable, Sequence

import msgspec

from modelmon.core.machine.cache_syscalls import (
    OVERLAYFS,
    cachestat_pages,
    filesystem_type,
    mincore_pages,
)

Ranges = Sequence[tuple[int, int]]
"""Parts of a file as (offset, length) in bytes."""

_CountPages = Callable[[int, int, int], int]

FOREIGN = "unknown: the file belongs to another user"


class Residency(msgspec.Struct, frozen=True):
    """The cached share (0 to 1) of `total_bytes`, counted in whole pages.

    `source` is `cachestat` or `mincore`, or `unknown: ...` with the reason when `share` is
    None. Only this machine's page cache is seen: neither a server's nor a host's, nor the
    ARC of ZFS.
    """

    share: float | None
    source: str
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
    pages = page_ranges(ranges, os.fstat(fd).st_size)
    total = sum(length for _, length in pages)
    if not total:
        return Residency(None, "unknown: there are no bytes to look at")
    count, source = _method(fd)
    if count is None:
        return Residency(None, source, total)
    cached = sum(count(fd, offset, length) for offset, length in pages)
    return Residency(cached / sum(_page_count(length) for _, length in pages), source, total)


def resident_bytes(fd: int, ranges: Ranges) -> int | None:
    """Bytes of `ranges` in the page cache; None where that is unknown."""
    return residency(fd, ranges).resident_bytes


def residency_is_known(fd: int) -> bool:
    """Whether the kernel tells this process what it has cached of this file."""
    return _method(fd)[0] is not None


def combined(parts: Iterable[Residency]) -> Residency:
    """The residency of several files together; unknown if it is unknown of one."""
    parts = [part for part in parts if part.total_bytes]
    total = sum(part.total_bytes for part in parts)
    for part in parts:
        if part.share is None:
            return Residency(None, part.source, total)
    if not parts:
        return Residency(None, "unknown: there are no bytes to look at")
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


def _method(fd: int) -> tuple[_CountPages | None, str]:
    """How to count this file's cached pages and what that is called, or None and why not."""
    if sys.platform == "win32":
        return None, "unknown: Windows does not tell what it has cached"
    try:
        cachestat_pages(fd, 0, 1)
    except OSError as error:
        if error.errno == errno.EOPNOTSUPP:
            return None, "unknown: hugetlbfs files have no page cache"
        # A container's filter may answer EPERM as well, for one's own files too.
        if error.errno not in (errno.ENOSYS, errno.EPERM):
            raise
    else:
        # The descriptor of an overlay caches nothing itself; its maps are of the file below.
        if filesystem_type(fd) != OVERLAYFS:
            return cachestat_pages, "cachestat"
    return (mincore_pages, "mincore") if _mincore_is_honest(fd) else (None, FOREIGN)


def _mincore_is_honest(fd: int) -> bool:
    """Whether mincore tells this process the truth: it owns the file or may write to it.

    Source: can_do_mincore() in the kernel's mm/mincore.c. CAP_FOWNER alone would do too, but
    whether it reaches the file's owner from inside a user namespace cannot be seen here.
    """
    if sys.platform == "win32":
        return False
    if os.fstat(fd).st_uid == os.geteuid():
        return True
    # The link leads to the open file: its rights are asked for and nothing is opened.
    link = f"/proc/self/fd/{fd}"
    return sys.platform == "linux" and os.access(link, os.W_OK, effective_ids=True)

"""Set the page cache of open files: empty it or fill it, and look whether that worked."""

from __future__ import annotations

import errno
import os
import sys
import time
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.machine.advice import give_advice
from modelmon.core.machine.cache_syscalls import RAMFS, TMPFS, filesystem_type
from modelmon.core.machine.residency import Ranges, Residency, combined, page_ranges, residency
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COLD_SHARE = 0.01
"""At most this share of a file that counts as cold is resident."""

WARM_SHARE = 0.99
"""At least this share of a file that counts as warm is resident."""

_READ_BYTES = 1 * MIB
_WINDOW_BYTES = 16 * MIB
_FIRST_PAUSE_S = 0.01


class Eviction(msgspec.Struct, frozen=True):
    """What is left in the cache, and why it is not cold ("" when it is, or is not known)."""

    residency: Residency
    obstacle: Message = NOTHING


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
) -> Eviction:
    """Evict open files until less than COLD_SHARE of their ranges is resident, or than
    `most_bytes`.

    Where residency is unknown, one attempt is made and not judged, unless the system refuses it.
    """
    for fd, _ in files:
        if obstacle := eviction_obstacle(fd):
            return Eviction(_residency_of(files), obstacle)
    left = Residency(None, NOTHING)
    for attempt in range(attempts):
        if attempt:
            # Pages under write-back or in another CPU's queue are let go a little later.
            time.sleep(_FIRST_PAUSE_S * 2**attempt)
        if not all(evict(fd) for fd, _ in files):
            why = Message("The system refuses to evict files, as some containers do.")
            return Eviction(_residency_of(files), why)
        left = _residency_of(files)
        most = COLD_SHARE * left.total_bytes if most_bytes is None else most_bytes
        if left.resident_bytes is None or left.resident_bytes < most:
            return Eviction(left)
    return Eviction(
        left, Message("Couldn't evict the pages: another process maps or reads the file.")
    )


def fill(
    fd: int,
    ranges: Ranges,
    progress: Callable[[int], None],
    should_stop: Callable[[], bool],
) -> Residency:
    """Bring `ranges` into the page cache by reading them in file order; what is there then.

    `progress` gets the bytes read so far, `should_stop` is asked before each read. Pages
    that were missed or dropped meanwhile get a second pass, which is not reported. What
    lies beyond the end of the file is ignored. Raises OSError if the file cannot be read.
    """
    pages = page_ranges(ranges, os.fstat(fd).st_size)
    _read_through(fd, pages, progress, should_stop)
    found = residency(fd, ranges)
    # After nothing at all, this filesystem keeps no cache, and a second pass would not help.
    if found.share and found.share < 1:
        _read_through(fd, _not_resident(fd, pages), lambda _: None, should_stop)
        found = residency(fd, ranges)
    return found


def _not_resident(fd: int, pages: Ranges) -> Ranges:
    windows = [
        (at, min(_WINDOW_BYTES, offset + length - at))
        for offset, length in pages
        for at in range(offset, offset + length, _WINDOW_BYTES)
    ]
    return [window for window in windows if residency(fd, [window]).share != 1]


def _read_through(
    fd: int, pages: Ranges, progress: Callable[[int], None], should_stop: Callable[[], bool]
) -> None:
    buffer = memoryview(bytearray(_READ_BYTES))
    done = 0
    for offset, length in pages:
        at, end = offset, offset + length
        while at < end:
            if should_stop():
                return
            nbytes = _read_into(fd, buffer[: end - at], at)
            if not nbytes:
                break
            at += nbytes
            done += nbytes
            progress(done)


def _read_into(fd: int, target: memoryview, offset: int) -> int:
    if sys.platform == "win32":
        os.lseek(fd, offset, os.SEEK_SET)
        return len(os.read(fd, len(target)))
    return os.preadv(fd, [target], offset)


def _residency_of(files: Sequence[tuple[int, Ranges]]) -> Residency:
    return combined(residency(fd, ranges) for fd, ranges in files)

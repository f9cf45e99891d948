"""What the kernel traces of a file's pages: text of trace_pipe in, records out."""

from __future__ import annotations

import mmap
import re
from typing import Literal, NamedTuple

PAGE_EVENTS = {
    "filemap/mm_filemap_add_to_page_cache": ("s_dev", "i_ino"),
    "filemap/mm_filemap_get_pages": ("s_dev", "i_ino"),
    "filemap/mm_filemap_fault": ("s_dev", "i_ino"),
    "filemap/mm_filemap_map_pages": ("s_dev", "i_ino"),
    "iomap/iomap_dio_rw_begin": ("dev", "ino"),
    "iomap/iomap_dio_complete": ("dev", "ino"),
}
"""The kernel's events, and what they call the device and the inode; older kernels have the first
alone (include/trace/events/filemap.h; fs/iomap/trace.h).
"""

Deed = Literal["added", "read", "fault", "mapped", "direct", "other"]

_LINE = re.compile(
    rb"-(?P<thread>\d+) +\( *(?P<process>\d+|-+)\) \[\d+\] \S+ +(?P<s>\d+)\.(?P<us>\d{6}): "
    rb"(?P<name>\w+): dev.(?P<major>\d+):(?P<minor>\d+) ino.(?:0x)?(?P<inode>[0-9a-f]+) "
    rb"(?P<rest>.*)$",
    re.MULTILINE,
)
_LOST = re.compile(rb"^CPU:\d+ \[LOST (?:(\d+) )?EVENTS\]$", re.MULTILINE)
_OFFSET = re.compile(rb"\bofs=(\d+)(?:-(\d+))?(?: order=(\d+))?")
_DIRECT = re.compile(rb"\boffset 0x([0-9a-f]+) length 0x([0-9a-f]+) .*\bflags (\S*)")
_DEEDS: dict[bytes, Deed] = {
    b"mm_filemap_add_to_page_cache": "added",
    b"mm_filemap_get_pages": "read",
    b"mm_filemap_fault": "fault",
    b"mm_filemap_map_pages": "mapped",
    b"iomap_dio_rw_begin": "direct",
}


class FileId(NamedTuple):
    """A file as the kernel's events name it; the device needs not be the one that stat gives."""

    major: int
    minor: int
    inode: int


class PageEvent(NamedTuple):
    """A thread did something with a part of a file at `at_ns`, monotonic.

    `added`: pages have a place in the page cache, and are on their way. `read`: a read call found
    the first pages of what is left of its request there. `fault`: a page is wanted by a mapping;
    it is there when the thread goes on. `mapped`: pages were there. `direct`: a direct read begins.
    `other` says that the thread goes on.
    `process_id` is None where the kernel forgot it.
    """

    deed: Deed
    at_ns: int
    thread_id: int
    process_id: int | None
    file: FileId
    start_bytes: int = 0
    end_bytes: int = 0


class PageTrace(NamedTuple):
    """Events in the order of their times, and how many there were no room for."""

    events: list[PageEvent]
    lost: int


def parse_page_trace(text: bytes) -> PageTrace:
    """The events in whole lines of trace_pipe, of an instance that records process numbers and
    has the clock `mono`; other lines are skipped (Documentation/trace/ftrace.rst).
    """
    events = [_event(line) for line in _LINE.finditer(text)]
    lost = sum(int(count or 1) for count in _LOST.findall(text)) if b"LOST" in text else 0
    return PageTrace(events, lost)


def _event(line: re.Match[bytes]) -> PageEvent:
    thread, process, s, us, name, major, minor, inode, rest = line.groups()
    deed = _DEEDS.get(name, "other")
    start, end = (0, 0) if deed == "other" else _place(deed, rest)
    return PageEvent(
        deed if end else "other",
        int(s) * 10**9 + int(us) * 1000,
        int(thread),
        int(process) if process.isdigit() else None,
        FileId(int(major), int(minor), int(inode, 16)),
        start,
        end,
    )


def _place(deed: Deed, rest: bytes) -> tuple[int, int]:
    """The first byte, and the one behind the last; two zeros of what is no read."""
    if deed == "direct":
        request = _DIRECT.search(rest)
        if request is None or b"WRITE" in request[3]:
            return 0, 0
        start = int(request[1], 16)
        return start, start + int(request[2], 16)
    pages = _OFFSET.search(rest)
    if pages is None:
        return 0, 0
    start = int(pages[1])
    if deed == "added":
        return start, start + (mmap.PAGESIZE << int(pages[3] or 0))
    return start, int(pages[2] or start) + 1

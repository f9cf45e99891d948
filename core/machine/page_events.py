"""What the kernel traces of a file's pages: text of trace_pipe in, records out."""

from __future__ import annotations

import mmap
import re
from typing import Literal, NamedTuple

from modelmon.core.machine.companion import COMPANION

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

# There are thousands a second, so that one pattern takes a whole line apart. Process numbers
# (options/record-tgid) may stand behind the thread's.
_LINE = re.compile(
    rb"-(?:(?<=%b-)(?=(\d+))|(?<=<\.\.\.>-)(?=(\d+)))?(\d+) +"
    rb"(?:\([ \d-]+\) )?\[\d+\] \S+ +(\d+\.\d{6}): (\w+): "
    rb"(dev.\d+:\d+ ino.(?:0x)?[0-9a-f]+) "
    rb"(?:(?:\w+=\S+ )*ofs=(\d+)(?:-(\d+))?(?: order=(\d{1,2}))?|(.*))$" % COMPANION.encode(),
    re.MULTILINE,
)
_FILE = re.compile(rb"dev.(\d+):(\d+) ino.(?:0x)?([0-9a-f]+)")
_LOST = re.compile(rb"^CPU:\d+ \[LOST (?:(\d+) )?EVENTS\]$", re.MULTILINE)
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
    `other` says that the thread goes on. `is_ahead` is what modelmon reads ahead of a program; None
    where the kernel has not kept the thread's name, as happens to those that live briefly.
    """

    deed: Deed
    at_ns: int
    thread_id: int
    file: FileId
    start_bytes: int = 0
    end_bytes: int = 0
    is_ahead: bool | None = False


class PageTrace(NamedTuple):
    """Events in the order of their times, and how many there were no room for."""

    events: list[PageEvent]
    lost: int


def parse_page_trace(text: bytes) -> PageTrace:
    """The events in whole lines of trace_pipe, of an instance that has the clock `mono`; other
    lines are skipped (Documentation/trace/ftrace.rst).
    """
    events = []
    files: dict[bytes, FileId] = {}
    for ahead, unnamed, thread, at_s, name, place, offset, last, order, rest in _LINE.findall(text):
        file = files.get(place)
        if file is None:
            file = files[place] = _file(place)
        deed, start, end = _DEEDS.get(name, "other"), 0, 0
        if deed == "added" and offset:
            start = int(offset)
            end = start + (mmap.PAGESIZE << int(order or 0))
        elif deed == "direct":
            start, end = _direct(rest)
        elif deed != "other" and offset:
            start = int(offset)
            end = int(last or start) + 1
        at_ns = int(at_s.replace(b".", b"")) * 1000
        done = deed if end else "other"
        is_ahead = None if unnamed else bool(ahead)
        events.append(PageEvent(done, at_ns, int(thread), file, start, end, is_ahead))
    lost = sum(int(count or 1) for count in _LOST.findall(text)) if b"LOST" in text else 0
    return PageTrace(events, lost)


def _file(place: bytes) -> FileId:
    found = _FILE.fullmatch(place)
    assert found is not None
    return FileId(int(found[1]), int(found[2]), int(found[3], 16))


def _direct(rest: bytes) -> tuple[int, int]:
    """The first byte, and the one behind the last; two zeros of what is no read."""
    request = _DIRECT.search(rest)
    if request is None or b"WRITE" in request[3]:
        return 0, 0
    start = int(request[1], 16)
    return start, start + int(request[2], 16)

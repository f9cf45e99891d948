"""Text of the kernel's trace: recorded on Linux 6.18, and made up."""

import mmap
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.machine.file_trace import FileId, PageEvent, parse_page_trace

TRACES = Path(__file__).parents[2] / "data" / "traces"
INODE = FileId(254, 0, 15352305)
SIZE = 300_000


@pytest.mark.parametrize(
    ("recorded", "deeds"),
    [
        ("read", {"added", "read"}),
        ("mapped", {"added", "fault", "mapped"}),
        ("direct", {"direct", "other"}),
    ],
)
def test_that_each_line_of_a_recorded_trace_is_an_event(recorded, deeds):
    text = (TRACES / f"{recorded}.txt").read_bytes()
    found = parse_page_trace(text)
    assert len(found.events) == len(text.splitlines())
    assert not found.lost
    assert {event.deed for event in found.events} == deeds
    assert {event.file for event in found.events} == {INODE}
    assert len({event.thread_id for event in found.events}) == 1
    times = [event.at_ns for event in found.events]
    assert times == sorted(times)
    assert times[0] > 10**12


def test_that_a_whole_file_is_added_page_by_page():
    found = parse_page_trace((TRACES / "mapped.txt").read_bytes())
    pages = Counter(
        page
        for event in found.events
        if event.deed == "added"
        for page in range(event.start_bytes, event.end_bytes, mmap.PAGESIZE)
    )
    assert pages == dict.fromkeys(range(0, SIZE, mmap.PAGESIZE), 1)


LINE = (
    b"{comm}-{thread} {process}[003] ..... {s}.{us}: mm_filemap_add_to_page_cache:"
    b" dev 8:1 ino {inode} {page}pfn=0x12 ofs={offset}{order}"
)


def line(**values):
    text = LINE.decode()
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text.encode()


@given(
    comm=st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=15),
    thread=st.integers(1, 2**22),
    process=st.one_of(st.none(), st.integers(0, 2**22)),
    at_us=st.integers(0, 10**13),
    inode=st.integers(1, 2**63),
    first=st.integers(0, 2**30),
    order=st.one_of(st.none(), st.integers(0, 9)),
    old=st.booleans(),
)
def test_that_an_event_is_what_the_kernel_wrote(
    comm, thread, process, at_us, inode, first, order, old
):
    written = line(
        comm=comm,
        thread=thread,
        process="" if process is None else f"({process or '-------':>7}) ",
        s=f"{at_us // 10**6:5}",
        us=f"{at_us % 10**6:06}",
        inode=f"{inode:x}",
        page="page=00000000deadbeef " if old else "",
        offset=first * mmap.PAGESIZE,
        order="" if order is None else f" order={order}",
    )
    (event,) = parse_page_trace(written + b"\n").events
    nbytes = mmap.PAGESIZE << (order or 0)
    start = first * mmap.PAGESIZE
    assert event == PageEvent(
        "added", at_us * 1000, thread, FileId(8, 1, inode), start, start + nbytes
    )


@pytest.mark.parametrize(
    ("comm", "is_ahead"), [("modelmon-ahead", True), ("python3", False), ("<...>", None)]
)
def test_that_what_modelmon_reads_ahead_is_known(comm, is_ahead):
    written = line(
        comm=comm, thread=7, process="", s=1, us="000002", inode="ab", page="", offset=0, order=""
    )
    (event,) = parse_page_trace(written + b"\n").events
    assert (event.thread_id, event.is_ahead) == (7, is_ahead)


def test_that_lost_events_are_counted_and_other_lines_skipped():
    text = b"CPU:0 [LOST 12 EVENTS]\nsomething else\nCPU:11 [LOST EVENTS]\n"
    assert parse_page_trace(text) == ([], 13)


def test_that_a_direct_write_is_no_read():
    text = (TRACES / "direct.txt").read_bytes()
    assert "direct" in {event.deed for event in parse_page_trace(text).events}
    written = text.replace(b"flags DIRECT", b"flags DIRECT|WRITE")
    assert {event.deed for event in parse_page_trace(written).events} == {"other"}


@given(st.binary(max_size=300))
def test_that_no_text_stops_the_parser(text):
    parse_page_trace(text)
    recorded = (TRACES / "read.txt").read_bytes()[:1000]
    parse_page_trace(recorded[:500] + text + recorded[500:])

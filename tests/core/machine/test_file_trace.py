"""The kernel's trace: texts recorded on Linux 6.18, and instances that nobody leaves behind."""

import mmap
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tracing import instance_names

from modelmon.core.machine.file_trace import (
    FileId,
    PageEvent,
    TraceInstance,
    TracingUnavailableError,
    parse_page_trace,
)
from modelmon.core.machine.procfs import parse_mountinfo, value

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
    if recorded == "mapped":
        pages = Counter(
            page
            for event in found.events
            if event.deed == "added"
            for page in range(event.start_bytes, event.end_bytes, mmap.PAGESIZE)
        )
        assert pages == dict.fromkeys(range(0, SIZE, mmap.PAGESIZE), 1)
    written = parse_page_trace(text.replace(b"flags DIRECT", b"flags DIRECT|WRITE")).events
    assert "direct" not in {event.deed for event in written}


def line(comm="cat", thread=7, process="", at_us=1, inode=0xAB, page="", offset=0, order=""):
    return (
        f"{comm}-{thread} {process}[003] ..... {at_us // 10**6:5}.{at_us % 10**6:06}:"
        f" mm_filemap_add_to_page_cache: dev 8:1 ino {inode:x} {page}pfn=0x12"
        f" ofs={offset}{order}\n"
    ).encode()


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
    start = first * mmap.PAGESIZE
    written = line(
        comm,
        thread,
        "" if process is None else f"({process or '-------':>7}) ",
        at_us,
        inode,
        "page=00000000deadbeef " if old else "",
        start,
        "" if order is None else f" order={order}",
    )
    nbytes = mmap.PAGESIZE << (order or 0)
    assert parse_page_trace(written).events == [
        PageEvent("added", at_us * 1000, thread, FileId(8, 1, inode), start, start + nbytes)
    ]


@pytest.mark.parametrize(
    ("comm", "is_ahead"), [("modelmon-ahead", True), ("python3", False), ("<...>", None)]
)
def test_that_what_modelmon_reads_ahead_is_known(comm, is_ahead):
    (event,) = parse_page_trace(line(comm)).events
    assert (event.thread_id, event.is_ahead) == (7, is_ahead)


@given(st.binary(max_size=300))
def test_that_lost_events_are_counted_and_no_text_stops_the_parser(text):
    lost = b"CPU:0 [LOST 12 EVENTS]\nsomething else\nCPU:11 [LOST EVENTS]\n"
    assert parse_page_trace(lost) == ([], 13)
    parse_page_trace(text)
    recorded = (TRACES / "read.txt").read_bytes()[:1000]
    parse_page_trace(recorded[:500] + text + recorded[500:])


HOLD = """
from modelmon.core.machine.file_trace import TraceInstance
instance = TraceInstance(1 << 20)
print(instance.name, flush=True)
input()
"""


@pytest.fixture
def instance():
    """One that is held."""
    if sys.platform != "linux":
        pytest.skip("the tracing of Linux")
    try:
        made = TraceInstance(1 << 20)
    except TracingUnavailableError as error:
        pytest.skip(str(error))
    yield made
    made.close()


def test_that_one_that_is_held_stays_and_one_that_is_left_is_removed_by_the_next(instance):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        theirs = other.stdout.readline().strip()
        assert {theirs, instance.name} <= set(instance_names())
        TraceInstance(1 << 20).close()
        assert {theirs, instance.name} <= set(instance_names())
        other.send_signal(signal.SIGKILL)
    TraceInstance(1 << 20).close()
    assert theirs not in instance_names()
    assert instance.name in instance_names()


def test_that_one_that_others_take_for_a_leftover_is_made_again(instance, monkeypatch):
    made, names = os.mkdir, []

    def made_and_removed(name, **where):
        made(name, **where)
        names.append(name)
        if len(names) == 1:
            monkeypatch.undo()
            monkeypatch.setattr(os, "mkdir", made)
            TraceInstance(1 << 20).close()

    monkeypatch.setattr(os, "mkdir", made_and_removed)
    again = TraceInstance(1 << 20)
    assert again.name not in names
    assert again.name in instance_names()
    again.close()


def test_that_what_cannot_be_set_leaves_nothing_and_nothing_is_mounted(instance):
    def mounted():
        mounts = parse_mountinfo(value("/proc/self/mountinfo"))
        return {mount.mount_point for mount in mounts if mount.filesystem == "tracefs"}

    before = mounted()
    with pytest.raises(TracingUnavailableError, match="no tracing of its page cache"):
        instance.set("events/no/such/event", "1")
    with pytest.raises(TracingUnavailableError):
        TraceInstance(-(1 << 60))
    # Other processes' tests make instances of their own meanwhile.
    ours = [name for name in instance_names() if name.startswith(f"modelmon-{os.getpid()}-")]
    assert ours == [instance.name]
    assert mounted() == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="becomes another user")
def test_that_who_has_no_rights_is_told_what_to_do():
    code = (
        "import os\n"
        "from modelmon.core.machine.file_trace import TraceInstance, TracingUnavailableError\n"
        "os.setuid(65534)\n"
        "try:\n"
        "    TraceInstance(1 << 20)\n"
        "except TracingUnavailableError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "tracing" in done.stdout
    assert "uid=65534" in done.stdout

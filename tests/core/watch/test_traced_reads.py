"""What came of a model, and when, from recorded traces and made-up events."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.core.machine.test_file_trace import INODE, SIZE, TRACES

from modelmon.core.machine.file_trace import FileId, PageEvent, parse_page_trace
from modelmon.core.machine.processes import COMPANION
from modelmon.core.watch.traced_reads import Arrival, Ranges, TracedReads

END_NS = 1 << 62
PAGE = 4096
FILE = FileId(8, 1, 7)
MOST = 64 * PAGE


def fold(events, size=MOST, *, sees_uses=True):
    reads = TracedReads({FILE: (0, size), INODE: (1, SIZE)}, sees_uses=sees_uses)
    reads.add(events)
    return reads


def last(reads):
    return reads.take(0, all_is_cached=False, is_last=True)


def event(deed, at_ns, start, end, thread=1):
    return PageEvent(deed, at_ns, thread, FILE, start * PAGE, end * PAGE)


@pytest.mark.parametrize(("recorded", "asked"), [("read", SIZE), ("mapped", 0), ("direct", SIZE)])
@pytest.mark.parametrize("sees_uses", [True, False])
def test_that_a_recorded_load_came_whole_and_once(recorded, asked, sees_uses):
    events = parse_page_trace((TRACES / f"{recorded}.txt").read_bytes()).events
    reads = fold(events, sees_uses=sees_uses)
    came = last(reads)
    assert sum(each.extent.nbytes for each in came) == SIZE
    assert reads.came.covered(1, 0, SIZE) == SIZE
    assert reads.fetched.nbytes == SIZE
    assert reads.asked.nbytes == asked
    assert not reads.fetched.again_bytes
    assert not reads.asked.again_bytes
    times = [(each.start_ns, each.end_ns) for each in came]
    assert all(events[0].at_ns <= start <= end <= events[-1].at_ns for start, end in times)


def test_that_what_is_read_ahead_is_there_when_it_is_used():
    reads = fold(
        [
            event("added", 10, 0, 8),
            event("read", 50, 0, 2),
            event("added", 60, 8, 16),
            event("read", 70, 2, 8),
            event("read", 900, 8, 16),
        ]
    )
    assert [(each.start_ns, each.end_ns) for each in last(reads)] == [(10, 70), (60, 900)]


def test_that_a_fault_is_over_when_its_thread_goes_on():
    reads = fold([event("fault", 5, 0, 1), event("added", 10, 0, 8), event("fault", 400, 8, 9)])
    reads.add([event("added", 410, 8, 16), event("mapped", 800, 8, 9)])
    assert [(each.start_ns, each.end_ns) for each in last(reads)] == [(10, 400), (410, 800)]


def test_that_what_is_cached_counts_as_a_read_call_comes_to_it():
    """A call finds some pages at a time: the rest of its request is told when it comes."""
    reads = fold([event("read", 10, 0, 32), event("read", 20, 8, 32)])
    assert reads.take(30, all_is_cached=False, is_last=False) == [
        Arrival(1, (0, 0, 8 * PAGE), 10, 20)
    ]
    assert reads.take(END_NS - 1, all_is_cached=False, is_last=False) == []
    (rest,) = reads.take(END_NS - 1, all_is_cached=True, is_last=False)
    assert rest.extent == (0, 8 * PAGE, 24 * PAGE)
    assert not reads.asked.again_bytes


def test_that_what_is_read_twice_is_counted_twice():
    reads = fold([event("read", 10, 0, 8), event("read", 20, 8, 16), event("read", 30, 4, 8)])
    last(reads)
    assert (reads.asked.nbytes, reads.asked.again_bytes) == (20 * PAGE, 4 * PAGE)
    assert reads.fetched.nbytes == 0


def test_that_what_modelmon_reads_ahead_is_known_by_its_threads_name():
    text = (TRACES / "read.txt").read_bytes()
    ahead = re.sub(rb"^ *\S+?-(\d+) ", COMPANION.encode() + rb"-\1 ", text, flags=re.MULTILINE)
    reads = fold(parse_page_trace(ahead).events)
    assert sum(each.extent.nbytes for each in last(reads)) == SIZE
    assert reads.asked.nbytes == 0


@pytest.mark.parametrize(("beside", "again"), [(True, 0), (False, 8 * PAGE)])
def test_that_a_thread_without_a_name_may_be_one_that_reads_ahead(beside, again):
    others = [event("read", 5, 8, 16, thread=3)._replace(is_ahead=beside)]
    unnamed = [event("read", 10, 0, 8)._replace(is_ahead=None)]
    reads = fold([*others, *unnamed, event("read", 20, 0, 8, thread=2)])
    last(reads)
    assert reads.asked.again_bytes == again


def test_that_what_was_dropped_and_fetched_again_is_told_and_came_once():
    reads = fold([event("added", 10, 0, 8), event("mapped", 20, 0, 8), event("added", 30, 2, 4)])
    assert sum(each.extent.nbytes for each in last(reads)) == 8 * PAGE
    assert reads.fetched.again_bytes == 2 * PAGE


def test_that_a_direct_read_behind_the_end_brings_nothing():
    reads = fold(
        [event("direct", 10, 60, 70), event("direct", 20, 64, 70), event("other", 30, 0, 0)]
    )
    assert [each.extent for each in last(reads)] == [(0, 60 * PAGE, 4 * PAGE)]


RANGE = st.tuples(st.integers(0, 40), st.integers(1, 12)).map(lambda at: (at[0], sum(at)))
DEEDS = ("added", "read", "fault", "mapped", "direct", "other")
EVENTS = st.lists(st.tuples(st.sampled_from(DEEDS), RANGE, st.integers(1, 3)), max_size=40)


@example([("added", (0, 1), 1), ("fault", (2, 3), 1), ("added", (2, 3), 1)], False, 1)
@given(EVENTS, st.booleans(), st.integers(1, 40))
def test_that_no_byte_comes_twice_and_none_that_came_is_missing(happened, sees_uses, look_every):
    reads = fold([], sees_uses=sees_uses)
    came = []
    for number, (deed, (start, end), thread) in enumerate(happened):
        reads.add([event(deed, number * 10, start, end, thread)])
        if number % look_every == 0:
            came += reads.take(number * 10, all_is_cached=False, is_last=False)
    came += last(reads)
    told = [
        page
        for each in came
        for page in range(each.extent.offset_bytes // PAGE, each.extent.end_bytes // PAGE)
    ]
    assert len(told) == len(set(told))
    brought = {
        page for deed, pages, _ in happened if deed in ("added", "direct") for page in range(*pages)
    }
    first_asked = {pages[0] for deed, pages, _ in happened if deed == "read"}
    assert brought | first_asked <= set(told)
    asked = {page for deed, pages, _ in happened if deed == "read" for page in range(*pages)}
    assert set(told) <= brought | asked
    assert all(each.start_ns <= each.end_ns for each in came)
    assert reads.came.covered(0, 0, MOST) == len(told) * PAGE


@given(st.lists(RANGE), RANGE)
def test_that_ranges_are_sets_of_bytes(taken, asked):
    ranges, seen = Ranges(), set[int]()
    for start, end in taken:
        new = {byte for part in ranges.add(start, end) for byte in range(*part)}
        assert new == set(range(start, end)) - seen
        seen |= new
    assert ranges.covered(*asked) == len(seen & set(range(*asked)))
    assert {byte for part in ranges for byte in range(*part)} == seen

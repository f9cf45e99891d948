"""Records of earlier moments: what had come by then, and nothing of what came later."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.load.config import preset
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import Rewind, record_of

SIZE = 100
END_NS = 10_000


def cache_map(moment, t_ns, cached_pages):
    """A file of ten pages in one bucket."""
    file = FileResidency(SIZE, "cachestat", (cached_pages,))
    return ev.CacheMap(moment, t_ns, 1000, ResidencyMap(SIZE, SIZE // 10, (file,)))


def events(samples=50, *, ends=True):
    """Two readers whose requests end out of order, and two blocks."""
    config = preset("parallel").config
    yield ev.Hello(ev.PROTOCOL, ev.Job("/m", config, "parallel", "cold"), "0.1.0", 1e9, "Linux", 4)
    names, parts = ("first", "second"), (SIZE // 2, SIZE // 2)
    yield ev.Planned("m", SIZE, SIZE, 10, 2, ("/m",), (SIZE,), names, parts, None, "ext4")
    yield cache_map("before", 0, 0)
    yield ev.Ready(0.0, "cachestat", 0)
    yield ev.Started()
    for reader in (1, 0):
        at = range(5)
        ends_ns = tuple(2000 * (each + 1) - 500 * reader for each in at)
        offsets = tuple(50 * reader + 10 * each for each in at)
        starts_ns = tuple(end - 1500 for end in ends_ns)
        yield ev.Chunks(reader, (0,) * 5, offsets, (10,) * 5, starts_ns, ends_ns)
    for number in range(1, samples + 1):
        t_ns = END_NS * number // samples
        yield ev.Sample(t_ns, 0, SIZE * t_ns // END_NS)
    yield ev.Blocks(
        (ev.BlockTiming("first", 50, 4000, 5, 6_000), ev.BlockTiming("second", 50, 4000, 5, 9_500))
    )
    yield cache_map("during", END_NS // 2, 6)
    if ends:
        yield cache_map("after", END_NS, 10)
        yield ev.Finished(
            wall_ns=END_NS,
            warmup_ns=0,
            delivered_bytes=SIZE,
            memory_kind="owned",
            cache_state="cold",
            cache_evidence="verified",
            counts=True,
            samples=samples,
            supervisor_cpu_ns=0,
            startup_ns=0,
        )


@pytest.fixture(scope="module")
def whole():
    return record_of(events())


@given(st.lists(st.integers(0, END_NS + 10), min_size=1, max_size=8))
def test_that_a_moment_shows_what_had_come_and_no_more(moments):
    whole = record_of(events())
    rewind = Rewind(whole)
    for t_ns in moments:
        record = rewind.until(t_ns)
        if t_ns >= END_NS:
            assert record is whole
            continue
        assert not record.done
        assert record.samples == [sample for sample in whole.samples if sample.t_ns <= t_ns]
        ended = [end for end in whole.chunks.end_ns if end <= t_ns]
        assert sorted(record.chunks.end_ns) == sorted(ended)
        rows = zip(record.chunks.reader, record.chunks.offset_bytes, strict=True)
        known = dict(
            zip(
                zip(whole.chunks.reader, whole.chunks.offset_bytes, strict=True),
                whole.chunks.end_ns,
                strict=True,
            )
        )
        assert [known[row] for row in rows] == list(record.chunks.end_ns)
        looks = [(each.moment, each.t_ns) for each in record.cache_maps]
        assert looks == [("before", 0), *[("during", END_NS // 2)] * (t_ns >= END_NS // 2)]
        ready = [block.name for block in whole.blocks if (block.ready_ns or 0) <= t_ns]
        assert [block.name for block in record.blocks] == ready


def test_that_forwards_the_record_grows_and_back_it_is_another(whole):
    rewind = Rewind(whole)
    first = rewind.until(3_000)
    assert rewind.until(5_000) is first
    assert rewind.until(4_000) is not first
    assert rewind.until(END_NS) is whole
    assert rewind.until(3_000) is not whole
    assert len(whole.samples) == 50


def test_that_a_recording_that_breaks_off_is_replayed_as_far_as_it_goes():
    cut = record_of([*events(ends=False), ev.Failed("internal", "It breaks off.")])
    rewind = Rewind(cut)
    assert rewind.end_ns == END_NS
    assert len(rewind.until(END_NS // 2).samples) == 25
    assert rewind.until(END_NS) is cut


def test_that_a_block_under_way_shows_when_its_bytes_arrived_so_far():
    arrivals = ((1_000, 2_000), (4_000, 6_000))
    stream = [
        ev.Blocks((ev.BlockTiming("first", 50, 4000, 5, 6_000, arrivals),))
        if isinstance(event, ev.Blocks)
        else event
        for event in events()
    ]
    rewind = Rewind(record_of(stream))
    (under_way,) = rewind.until(5_000).blocks
    assert under_way.arrivals_ns == ((1_000, 2_000), (4_000, 5_000))
    assert under_way.ready_ns is None
    (done,) = rewind.until(6_000).blocks
    assert done.ready_ns == 6_000
    assert rewind.until(1_000).blocks == ()

"""The record of a run: fed, kept short, read from a file, and replayed."""

import re
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.endings import load_ended

from modelmon.core.load.config import LoadConfig, preset
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import (
    ProtocolError,
    Rewind,
    RunRecord,
    read_record,
    record_of,
)
from modelmon.core.worker.run_warnings import RunWarning

HELLO = ev.Hello(ev.PROTOCOL, ev.Job("/m", LoadConfig()), "0", 1.0, "Linux", 2)
PLANNED = ev.Planned("m", 10, 10, 1, 1, ("/m",), (10,), ("b",), (10,), None, "ext4")
READY = ev.Ready(0.0, "cachestat", 1)
CHUNKS = ev.Chunks(0, (0,), (0,), (10,), (1,), (9,))
SAMPLE = ev.Sample(t_ns=5, late_ns=0, delivered_bytes=4)
BEFORE = ev.CacheMap("before", 0, 5, ResidencyMap(8, 4, (FileResidency(10, "cachestat", (2, 0)),)))
FINISHED = load_ended(9, 10, samples=1)
WHOLE = (HELLO, PLANNED, READY, ev.Started(), SAMPLE, CHUNKS, FINISHED)


def test_that_a_whole_stream_becomes_a_finished_record():
    record = RunRecord()
    for event in WHOLE:
        record.feed(event)
    assert record.state == "finished"
    assert record.delivered_share == 1.0
    assert len(record.chunks) == 1


ODD_MAP = msgspec.structs.replace(
    BEFORE, map=ResidencyMap(8, 4, (FileResidency(10, "cachestat", (2, 0, 9)),))
)


@pytest.mark.parametrize(
    ("stream", "why"),
    [
        ((READY,), "while the run was new"),
        ((HELLO, HELLO), "while the run was preparing"),
        ((HELLO, SAMPLE), "while the run was preparing"),
        ((HELLO, PLANNED, ev.Started()), "while the run was preparing"),
        ((HELLO, PLANNED, READY, FINISHED), "while the run was ready"),
        ((*WHOLE, SAMPLE), "after the last event"),
        ((HELLO, ev.Failed("io", "broken"), ev.Failed("io", "again")), "after the last event"),
        ((HELLO, PLANNED, ODD_MAP), "page cache"),
        ((msgspec.structs.replace(HELLO, protocol=99),), "protocol 99.*same modelmon version"),
    ],
)
def test_that_what_does_not_fit_is_refused(stream, why):
    with pytest.raises(ProtocolError, match=why):
        record_of(stream)


def test_that_maps_of_the_page_cache_are_kept_in_order():
    after = msgspec.structs.replace(BEFORE, moment="after", t_ns=9)
    record = record_of((HELLO, PLANNED, BEFORE, READY, ev.Started(), CHUNKS, after, FINISHED))
    assert record.cache_maps == [BEFORE, after]


def test_that_every_event_survives_the_wire():
    for event in (*WHOLE, BEFORE, RunWarning("late-samples", "late"), ev.Failed("io", "x", "y")):
        assert ev.decode(ev.encode(event)) == event


def test_that_an_unknown_event_becomes_a_warning():
    event = ev.decode(b'{"event":"smell","strength":3}')
    assert isinstance(event, RunWarning)
    assert "smell" in event.message


def test_that_a_figure_the_platform_lacks_is_absent_from_the_wire():
    assert b"device_bytes" not in ev.encode(SAMPLE)


def save(path, stream, tail=b""):
    path.write_bytes(b"".join(ev.encode(event) for event in stream) + tail)
    return path


def test_that_a_recording_that_breaks_off_says_so(tmp_path):
    record = read_record(save(tmp_path / "cut.jsonl", WHOLE[:5], b'{"event":"chu'))
    assert "breaks off" in record.failed.message
    assert len(record.samples) == 1


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "x.jsonl is not a recording."),
        (b"not json\n", "x.jsonl is not a recording."),
        (b"\x00\xff\n", "x.jsonl is not a recording."),
        (b'{"event":"\xff"}\n', "x.jsonl is not a recording."),
        (b'{"event":' + b"[" * 9000 + b"\n", "x.jsonl is not a recording."),
        (b'{"event":"ready"}\n', "x.jsonl is not a recording"),
        (b"GGUF\x03\0\0\0\n\n", "x.jsonl is a model, not a recording. Open it as a model."),
    ],
)
def test_that_a_file_that_is_no_recording_is_refused_as_one(tmp_path, content, what):
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(ProtocolError, match=re.escape(what)):
        read_record(path)


@pytest.mark.parametrize(
    ("at", "changes"),
    [
        (1, {"shard_paths": ("/m", "/n")}),
        (1, {"shard_bytes": (2**63,)}),
        (1, {"block_names": ()}),
        (1, {"block_bytes": (-1,)}),
        (5, {"reader": -1}),
        (5, {"reader": 10**9}),
        (5, {"shard": (1,)}),
        (5, {"shard": (-1,)}),
        (5, {"end_ns": (10**30,)}),
        (6, {"wall_ns": -1}),
        (6, {"wall_ns": 10**30}),
    ],
)
def test_that_a_recording_whose_figures_cannot_be_is_refused(tmp_path, at, changes):
    odd = msgspec.structs.replace(WHOLE[at], **changes)
    stream = tuple(event for event in (*WHOLE[:at], odd, *WHOLE[at + 1 :]) if event is not SAMPLE)
    with pytest.raises(ProtocolError, match=r"odd\.jsonl is not a recording of this version"):
        read_record(save(tmp_path / "odd.jsonl", stream))


def test_that_a_missing_recording_is_named(tmp_path):
    with pytest.raises(ProtocolError, match=r"gone\.jsonl"):
        read_record(tmp_path / "gone.jsonl")


def test_that_a_recording_damaged_in_its_middle_is_read_as_far_as_it_goes(tmp_path):
    sampled = next(at for at, event in enumerate(WHOLE) if isinstance(event, ev.Sample))
    damaged = save(tmp_path / "damaged.jsonl", WHOLE[: sampled + 1], b"\0\0\0\n" + b"more\n")
    record = read_record(damaged)
    assert f"line {sampled + 2}" in record.failed.message
    assert len(record.samples) == 1


def test_that_no_text_of_a_recording_steers_a_terminal(tmp_path):
    job = ev.Job("/m", LoadConfig(), strategy="mmap\x1b[2K\r\u202e")
    hello = msgspec.structs.replace(HELLO, job=job)
    record = read_record(save(tmp_path / "forged.jsonl", (hello, *WHOLE[1:])))
    assert record.hello.job.strategy == "mmap\ufffd[2K\ufffd\ufffd"


def test_that_what_was_looked_at_after_the_end_gives_way_to_the_closing_sample():
    first, *late = (ev.Sample(t_ns, 0, 4) for t_ns in (5, 10, 11))
    closing = ev.Sample(9, 0, 10)
    assert record_of((*WHOLE[:4], first, *late, closing)).samples == [first, closing]


def test_that_an_hour_takes_few_samples_and_five_minutes_all():
    told = [0]
    for t_ns in range(50_000_000, 3_600 * 10**9, 50_000_000):
        if ev.is_due(t_ns, told[-1]):
            told.append(t_ns)
    assert sum(t_ns <= 300 * 10**9 for t_ns in told) == 1 + 6_000
    assert len(told) < 22_000
    steps = [after - before for before, after in pairwise(told)]
    assert steps == sorted(steps)


def test_that_of_samples_that_come_too_often_some_are_skipped_and_never_the_last():
    often = [ev.Sample(t_ns, 0, 4) for t_ns in range(0, 2_000 * 10**9, 50_000_000)]
    kept = record_of((*WHOLE[:4], *often)).samples
    assert kept[:6_000] == often[:6_000]
    assert len(kept) < 18_000
    assert kept[-1] == often[-1]


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
        yield load_ended(END_NS, SIZE, samples=samples)


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

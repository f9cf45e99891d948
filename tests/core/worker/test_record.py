import re

import msgspec
import pytest

from modelmon.core.load.config import LoadConfig
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import ProtocolError, RunRecord, read_record, record_of
from modelmon.core.worker.run_warnings import RunWarning

HELLO = ev.Hello(ev.PROTOCOL, ev.Job("/m", LoadConfig()), "0", 1.0, "Linux", 2)
PLANNED = ev.Planned("m", 10, 10, 1, 1, ("/m",), (10,), ("b",), (10,), None, "ext4")
READY = ev.Ready(0.0, "cachestat", 1)
CHUNKS = ev.Chunks(0, (0,), (0,), (10,), (1,), (9,))
SAMPLE = ev.Sample(t_ns=5, late_ns=0, delivered_bytes=4)
BEFORE = ev.CacheMap("before", 0, 5, ResidencyMap(8, 4, (FileResidency(10, "cachestat", (2, 0)),)))
FINISHED = ev.Finished(
    wall_ns=9,
    warmup_ns=0,
    delivered_bytes=10,
    memory_kind="owned",
    cache_state="cold",
    cache_evidence="verified",
    counts=True,
    samples=1,
    supervisor_cpu_ns=1,
    startup_ns=1,
)
WHOLE = (HELLO, PLANNED, READY, ev.Started(), SAMPLE, CHUNKS, FINISHED)


def test_that_a_whole_stream_becomes_a_finished_record():
    record = RunRecord()
    for event in WHOLE:
        record.feed(event)
    assert record.state == "finished"
    assert record.delivered_share == 1.0
    assert len(record.chunks) == 1


@pytest.mark.parametrize(
    "stream",
    [
        (READY,),
        (HELLO, HELLO),
        (HELLO, SAMPLE),
        (HELLO, PLANNED, ev.Started()),
        (HELLO, PLANNED, READY, FINISHED),
        (*WHOLE, SAMPLE),
        (HELLO, ev.Failed("io", "broken"), ev.Failed("io", "again")),
    ],
)
def test_that_events_in_an_impossible_order_are_refused(stream):
    with pytest.raises(ProtocolError):
        record_of(stream)


def test_that_maps_of_the_page_cache_are_kept_in_order():
    after = msgspec.structs.replace(BEFORE, moment="after", t_ns=9)
    record = record_of((HELLO, PLANNED, BEFORE, READY, ev.Started(), CHUNKS, after, FINISHED))
    assert record.cache_maps == [BEFORE, after]
    assert record_of(WHOLE).cache_maps == []


def test_that_a_map_that_does_not_fit_its_files_is_refused():
    odd = ev.CacheMap(
        "before", 0, 5, ResidencyMap(8, 4, (FileResidency(10, "cachestat", (2, 0, 9)),))
    )
    with pytest.raises(ProtocolError, match="page cache"):
        record_of((HELLO, PLANNED, odd))


def test_that_another_protocol_is_refused_with_what_to_do():
    other = msgspec.structs.replace(HELLO, protocol=99)
    with pytest.raises(ProtocolError, match=r"protocol 99.*same modelmon version"):
        RunRecord().feed(other)


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
    assert record.failed is not None
    assert "breaks off" in record.failed.message
    assert len(record.samples) == 1


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "x.jsonl is not a recording."),
        (b"not json\n", "x.jsonl is not a recording."),
        (b"\x00\xff\n", "x.jsonl is not a recording."),
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
    assert record.failed is not None
    assert f"line {sampled + 2}" in record.failed.message
    assert len(record.samples) == 1


def test_that_no_text_of_a_recording_steers_a_terminal(tmp_path):
    job = ev.Job("/m", LoadConfig(), strategy="mmap\x1b[2K\r\u202e")
    hello = msgspec.structs.replace(HELLO, job=job)
    record = read_record(save(tmp_path / "forged.jsonl", (hello, *WHOLE[1:])))
    assert record.hello is not None
    assert record.hello.job.strategy == "mmap\ufffd[2K\ufffd\ufffd"

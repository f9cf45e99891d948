"""The parts of a program's wait, and how the timeline names them."""

import msgspec
from window_fakes import Load

from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.gui.panels.watch.timeline_strip import marks_of, parts_of
from modelmon.gui.watching.wait_parts import wait_parts

GB = 10**9


def record_of(events):
    record = RunRecord()
    for event in events:
        record.feed(event)
    return record


def finished(first_s, last_s):
    """A program that was ready after 12 s."""
    told = {
        name: None if at is None else int(at * 1e9)
        for name, at in (("first_byte_ns", first_s), ("last_byte_ns", last_s))
    }
    return record_of(
        msgspec.structs.replace(event, **told) if isinstance(event, ev.Finished) else event
        for event in Load(wall_s=12.0).events()
    )


def test_that_a_run_that_is_over_has_three_parts_and_four_moments():
    found = wait_parts(finished(2.1, 8.4))
    assert [part.text for part in parts_of(found)] == [
        "starts 2.10 s",
        "reading 6.30 s",
        "after 3.60 s",
    ]
    assert [name for _, name in marks_of(found, ready=True)] == [
        "start",
        "opens the model",
        "model read",
        "ready 12.0 s",
    ]


def test_that_a_program_that_was_not_ready_is_said_to_have_ended():
    assert marks_of(wait_parts(finished(2.1, 8.4)), ready=False)[-1] == (12.0, "ended")


def test_that_reading_that_was_not_seen_is_said_and_not_drawn():
    found = wait_parts(finished(None, None))
    (part,) = parts_of(found)
    assert "wasn't seen" in part.text
    assert [name for _, name in marks_of(found, ready=True)] == ["start", "ready 12.0 s"]


def test_that_a_program_that_reads_has_no_part_after_that():
    record = record_of(Load(wall_s=12.0, until_s=6.0).events())
    found = wait_parts(record)
    assert found.last_byte_s is None
    assert not found.is_over
    assert [part.kind for part in parts_of(found)] == ["before", "reading"]


def test_that_a_pause_ends_the_reading_until_more_comes():
    record = record_of(Load(wall_s=12.0, until_s=6.0).events())
    last = record.samples[-1]
    record.feed(msgspec.structs.replace(last, t_ns=last.t_ns + 2 * GB))
    found = wait_parts(record)
    assert found.last_byte_s == last.t_ns / 1e9
    record.feed(
        msgspec.structs.replace(
            last, t_ns=last.t_ns + 3 * GB, delivered_bytes=last.delivered_bytes + 1
        )
    )
    assert wait_parts(record).last_byte_s is None

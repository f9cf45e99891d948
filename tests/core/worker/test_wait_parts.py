"""The parts of a program's wait: when they begin and end, and what samples show of each."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.endings import load_ended

from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.wait_parts import (
    AFTER,
    BEFORE,
    READING,
    UNSEEN,
    measured_parts,
    parts_between,
    quoted,
    wait_parts,
)

S = 10**9
MS = 10**6


def sampled(*samples):
    """A record under way with samples of (seconds, delivered bytes, other figures)."""
    record = RunRecord()
    record.state = "loading"
    for t_s, delivered_bytes, figures in samples:
        record.samples.append(ev.Sample(round(t_s * S), 0, delivered_bytes, **figures))
    return record


def finished(record, first_s, last_s, wall_s, **figures):
    """The record at its end."""
    first, last = (None if at is None else round(at * S) for at in (first_s, last_s))
    moments = {"first_byte_ns": first, "last_byte_ns": last}
    record.finished = load_ended(round(wall_s * S), 9, **moments, **figures)
    record.state = "finished"
    return record


def names(parts):
    return [part.name for part in parts]


def test_that_a_run_that_is_over_has_three_parts_that_make_up_its_wait():
    parts = wait_parts(finished(sampled(), 2.1, 8.4, 12.0))
    assert names(parts) == [BEFORE, READING, AFTER]
    assert [part.end_ns for part in parts] == [2_100 * MS, 8_400 * MS, 12 * S]
    assert names(wait_parts(finished(sampled(), None, None, 12.0))) == [UNSEEN]


def test_that_reading_goes_on_until_it_pauses_and_again_when_more_comes():
    seen = [(0.1, 0, {}), (1.0, 5, {})]
    assert names(wait_parts(sampled(*seen[:1]))) == [BEFORE]
    assert names(wait_parts(sampled(*seen))) == [BEFORE, READING]
    paused = [*seen, (2.0, 5, {})]
    parts = wait_parts(sampled(*paused))
    assert names(parts) == [BEFORE, READING, AFTER]
    assert parts[-1].begin_ns == S
    assert names(wait_parts(sampled(*paused, (2.1, 6, {})))) == [BEFORE, READING]


@given(st.none() | st.integers(0, 9 * S), st.none() | st.integers(0, 9 * S), st.integers(0, 9 * S))
def test_that_parts_follow_each_other_and_none_is_of_negative_length(first_ns, last_ns, end_ns):
    parts = parts_between(first_ns, last_ns, end_ns)
    assert parts[0].begin_ns == 0
    assert parts[-1].end_ns == end_ns
    for part, after in pairwise(parts):
        assert part.end_ns == after.begin_ns
    assert all(part.duration_ns >= 0 for part in parts)


def test_that_each_part_has_what_its_samples_show():
    looks = [
        (0.5, 0, {"cpu_user_ns": 400 * MS, "cpu_system_ns": 0, "rss_anon_bytes": 10}),
        (
            1.5,
            5,
            {"cpu_user_ns": 500 * MS, "cpu_system_ns": 0, "rss_anon_bytes": 20, "network_ns": 0},
        ),
        (
            2.5,
            9,
            {
                "cpu_user_ns": 600 * MS,
                "cpu_system_ns": 800 * MS,
                "rss_anon_bytes": 220,
                "network_ns": 600 * MS,
            },
        ),
        # It has ended, and has no memory.
        (2.9, 9, {"cpu_user_ns": 600 * MS, "cpu_system_ns": 900 * MS, "rss_anon_bytes": 0}),
        # Taken long after.
        (3.0, 9, {"cpu_user_ns": 9 * S, "cpu_system_ns": 9 * S, "rss_anon_bytes": 0}),
    ]
    done = {"cpu_user_ns": 123, "io_wait_share": 0.5, "run_queue_share": 0.25}
    before, reading, after = measured_parts(finished(sampled(*looks), 1.0, 2.0, 3.0, **done))
    assert before.cpu_user_ns == 450 * MS
    assert (reading.cpu_user_ns, reading.waited_ns, reading.queued_ns) == (123, S // 2, S // 4)
    assert (reading.network_ns, reading.lock_ns) == (300 * MS, None)
    assert after.cpu_user_ns == 50 * MS
    assert after.cpu_system_ns == 500 * MS
    assert after.grown_bytes == 100
    assert after.device_bytes is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("INFO 11-28 12:00:00 [core.py:1] Starting", "[core.py:1] Starting"),
        (
            "(EngineCore_DP0 pid=12) INFO 11-28 12:00:00 [core.py:1] Starting",
            "[core.py:1] Starting",
        ),
        ("2026-11-28T12:00:00Z begin", "begin"),
        ("[2026-11-28 12:00:00,123] begin", "begin"),
        ("0.00.123.456 I  begin", "begin"),
        ("INFO loading 11-28", "INFO loading 11-28"),
        ("12:00:00", "12:00:00"),
    ],
)
def test_that_a_line_is_quoted_without_what_its_logger_adds(line, words):
    assert quoted(line) == words


def test_that_waiting_is_counted_between_looks_that_saw_it():
    looks = [(t, 0, {"waiting_share": share}) for t, share in ((1, 1.0), (2, 1.0), (3, 0.0))]
    (part,) = measured_parts(finished(sampled(*looks, (4, 0, {})), None, None, 4))
    assert part.waited_ns == 2 * S


@given(
    st.lists(st.tuples(st.integers(1, S), st.integers(0, S)), min_size=2, max_size=20),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_that_what_parts_used_adds_up(steps, first, last):
    t_ns = used_ns = 0
    record = sampled()
    for step_ns, cpu_ns in steps:
        t_ns, used_ns = t_ns + step_ns, used_ns + cpu_ns
        record.samples.append(ev.Sample(t_ns, 0, 0, cpu_user_ns=used_ns, queued_ns=used_ns))
    record.samples.append(record.samples[-1])
    low, high = sorted((first, last))
    ends = (0, round(low * t_ns), round(high * t_ns), t_ns)
    finished(record, ends[1] / S, ends[2] / S, t_ns / S)
    before, _, after = measured_parts(record)
    record.finished = msgspec.structs.replace(record.finished, first_byte_ns=None)
    (whole,) = measured_parts(record)
    assert whole.queued_ns == used_ns
    assert (before.queued_ns or 0) + (after.queued_ns or 0) <= used_ns + 2
    assert before.queued_ns == pytest.approx(before.cpu_user_ns)

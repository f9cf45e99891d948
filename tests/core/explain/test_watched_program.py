"""What held a watched program back: judged by the part in which it read the model."""

import pytest
from tests.core.explain.loads import (
    COLD,
    GB,
    MS,
    PROBED,
    WARM,
    S,
    changed,
    with_device,
)

from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.figures import least_reading_ns, waiting_share
from modelmon.core.explain.terms import phases_of
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits

WATCHED = changed(
    COLD,
    strategy="llama-server -m MODEL",
    ready="http:8080/health",
    config=LoadConfig(library=PROGRAM),
    first_byte_ns=2 * S,
    last_byte_ns=3_300_000_000,
    wall_ns=7 * S,
    timed="reading",
)


def test_that_time_before_and_after_the_reading_is_not_laid_to_the_disk():
    assert bottleneck_of(WATCHED, PROBED).kind == "device-bandwidth"
    unseen = changed(WATCHED, first_byte_ns=None, last_byte_ns=None)
    assert bottleneck_of(unseen, PROBED).kind == "device-latency"


@pytest.mark.parametrize(("reading_ns", "kind"), [(2 * S, "faults"), (270 * MS, "undecided")])
def test_that_processor_time_is_not_laid_to_a_reading_that_was_over_between_two_samples(
    reading_ns, kind
):
    busy = changed(
        WATCHED,
        last_byte_ns=2 * S + reading_ns,
        io_wait_share=0.06,
        cpu_user_ns=50 * MS,
        cpu_system_ns=reading_ns,
        minor_faults=147_604,
    )
    assert bottleneck_of(busy).kind == kind


def test_that_nothing_is_saved_of_a_reading_that_was_not_seen():
    assert least_reading_ns(WATCHED, PROBED)
    unseen = changed(WATCHED, first_byte_ns=None, last_byte_ns=None)
    assert least_reading_ns(unseen, PROBED) is None


@pytest.mark.parametrize(
    ("seen_by", "other_bytes", "is_told"),
    [
        ("trace", 0, True),
        ("trace", WATCHED.asked_bytes, False),
        ("trace", None, False),
        ("residency", None, False),
        ("counters", None, False),
    ],
)
def test_that_other_files_of_a_program_are_no_repeated_reads(seen_by, other_bytes, is_told):
    twice = changed(
        WATCHED,
        seen_by=seen_by,
        device_bytes=2 * WATCHED.asked_bytes,
        other_device_bytes=other_bytes,
        io_wait_share=0.9,
    )
    assert (bottleneck_of(twice).kind == "amplification") == is_told


def test_that_repeated_reads_of_a_program_are_told_without_those_of_other_files():
    asked = WATCHED.asked_bytes
    found = bottleneck_of(
        changed(
            WATCHED,
            command="python serve.py MODEL",
            seen_by="trace",
            device_bytes=5 * asked,
            other_device_bytes=3 * asked,
            io_wait_share=0.9,
            residency_after_share=1.0,
        )
    )
    assert found.kind == "amplification"
    assert "reads the files 2.00 times over" in found.sentence
    assert "read 2.00×" in found.evidence_text
    assert "Read the model ahead" in found.remedy


@pytest.mark.parametrize("faults", [0, 147_604])
def test_that_a_program_is_advised_nothing_that_only_strategies_have(faults):
    busy = changed(
        WATCHED,
        last_byte_ns=4 * S,
        io_wait_share=0.06,
        cpu_user_ns=50 * MS,
        cpu_system_ns=S,
        minor_faults=faults,
    )
    found = bottleneck_of(busy)
    assert found.kind == ("faults" if faults else "page-cache")
    assert found.remedy == "Compare its load settings to see which is faster."


def test_that_a_program_that_sleeps_between_reads_is_not_said_to_be_throttled():
    """As seen of one that read 8 MiB and slept for 50 ms by turns."""
    sleepy = with_device(changed(WATCHED, io_wait_share=0.98, last_byte_ns=6 * S), busy_share=0.05)
    assert bottleneck_of(sleepy).kind == "storage"


TURNS = changed(
    WATCHED,
    storage_kind="fuse",
    command="python serve.py MODEL",
    seen_by="trace",
    traced_readers=4,
    jump_share=0.9,
    residency_after_share=1.0,
)


@pytest.mark.parametrize(
    ("limits", "clause"),
    [
        (UNKNOWN_LIMITS, "90% of the time: its 4 readers take turns at distant places"),
        (
            Limits(device_bytes_per_s=30 * GB),
            "4 readers take turns at distant places, and it gets 8% of the 30 GB/s reached",
        ),
        (
            Limits(seen_device_bytes_per_s=30 * GB),
            "distant places, and it gets 8% of the 30 GB/s reached here",
        ),
    ],
)
def test_that_readers_who_interrupt_each_other_are_named_and_what_helps(limits, clause):
    found = bottleneck_of(TURNS, limits)
    assert found.kind == "device-latency"
    assert clause in found.clause
    assert ("modelmon launch" in found.remedy) == (limits != UNKNOWN_LIMITS)
    past_the_cache = bottleneck_of(changed(TURNS, residency_after_share=0.0), limits)
    assert "modelmon launch" not in past_the_cache.remedy


@pytest.mark.parametrize(
    "change",
    [
        {"traced_readers": 1},
        {"jump_share": 0.2},
        {"jump_share": None, "traced_readers": None},
        {"storage_kind": "disk"},
        {"command": "modelmon launch MODEL -- python serve.py MODEL"},
        {"command": "'/my env/and one more/python' -P -m modelmon launch MODEL -- serve MODEL"},
    ],
)
def test_that_readers_are_not_said_to_take_turns_where_that_is_not_so(change):
    assert "turns" not in bottleneck_of(changed(TURNS, **change)).clause


def test_that_the_three_parts_make_up_the_wait():
    parts = [(p.name, p.duration_ns) for p in phases_of(WATCHED) if p.when == "timed"]
    assert parts == [
        ("before-reading", 2 * S),
        ("read", 1_300_000_000),
        ("after-reading", 3_700_000_000),
    ]


def test_that_waiting_is_unknown_where_the_threads_did_not_tell():
    unknown = changed(WATCHED, io_wait_share=None)
    assert waiting_share(unknown) is None
    assert waiting_share(changed(COLD, io_wait_share=None)) is not None


def test_that_a_reading_of_no_time_has_no_rate():
    """It was ready before a look saw its first byte."""
    ready = changed(WATCHED, last_byte_ns=WATCHED.first_byte_ns, device_bytes=0)
    found = bottleneck_of(ready, PROBED)
    assert found.clause == "takes the model from memory; a faster disk won't help"


@pytest.mark.parametrize(
    ("run", "limits", "least_ns"),
    [
        (WATCHED, PROBED, 1.2 * S),
        (WATCHED, Limits(device_bytes_per_s=9 * GB, memory_bytes_per_s=1 * GB), 3 * S),
        (WATCHED, Limits(device_bytes_per_s=1 * GB), 3 * S),
        (WATCHED, Limits(memory_bytes_per_s=1 * GB), None),
        (WARM, Limits(memory_bytes_per_s=1 * GB), 3 * S),
        (WATCHED, UNKNOWN_LIMITS, None),
    ],
)
def test_that_the_slower_of_disk_and_memory_is_the_least(run, limits, least_ns):
    assert least_reading_ns(run, limits) == least_ns

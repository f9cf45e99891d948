"""What happened around a load: to its files, its clocks and its processors."""

import os

import pytest

from modelmon.core.machine.sleep import Clocks
from modelmon.core.worker.environment_check import (
    EnvironmentCheck,
    battery_warning,
    clock_warning,
    heat_warning,
    quota_warning,
)

S = 10**9
START = Clocks(monotonic_ns=100 * S, wall_ns=1000 * S, since_boot_ns=500 * S)


@pytest.fixture
def shard(tmp_path):
    path = tmp_path / "model-1.gguf"
    path.write_bytes(bytes(1000))
    return path


def write_more(path):
    with path.open("ab") as file:
        file.write(b"x")


def touch(path):
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 10**9))


def replace(path):
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.rename(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (write_more, "from 1,000 to 1,001 bytes"),
        (touch, "was written to"),
        (replace, "was replaced"),
        (os.unlink, "was removed"),
    ],
)
def test_that_a_change_of_the_model_is_named_and_the_run_does_not_count(shard, change, said):
    assert callable(change)
    around = EnvironmentCheck([shard])
    around.start()
    mark = around.files_mark
    change(shard)
    (found,) = [w for w in around.finish() if w.kind == "file-changed"]
    assert found.evidence.startswith("model-1.gguf")
    assert said in found.evidence
    assert not found.counts
    assert EnvironmentCheck([shard]).files_mark != mark


def test_that_a_file_that_is_only_read_stays_the_same(shard):
    around = EnvironmentCheck([shard])
    around.start()
    shard.read_bytes()
    assert [w for w in around.finish() if w.kind == "file-changed"] == []
    assert EnvironmentCheck([shard]).files_mark == around.files_mark


def after(seconds, *, slept=0.0, set_by=0.0):
    assert START.since_boot_ns is not None
    return Clocks(
        START.monotonic_ns + round(seconds * S),
        START.wall_ns + round((seconds + slept + set_by) * S),
        START.since_boot_ns + round((seconds + slept) * S),
    )


def test_that_time_that_just_passes_is_no_jump():
    assert clock_warning(START, after(3600)) is None
    # An hour in which the clock was steered by half a second a thousand.
    assert clock_warning(START, after(3600, set_by=1.8)) is None


def test_that_sleep_is_seen_and_the_run_does_not_count():
    found = clock_warning(START, after(5, slept=30))
    assert found is not None
    assert found.evidence == "asleep for 30.0 s"
    assert not found.counts


@pytest.mark.parametrize(("set_by", "way"), [(10.0, "10.0 s ahead"), (-3600.0, "60 min back")])
def test_that_a_clock_that_was_set_is_seen(set_by, way):
    found = clock_warning(START, after(5, set_by=set_by))
    assert found is not None
    assert found.evidence == way


def test_that_where_no_clock_counts_sleep_the_wall_clock_shows_it():
    before = START._replace(since_boot_ns=None)
    assert clock_warning(before, after(5, slept=60)._replace(since_boot_ns=None)) is not None


def test_that_a_processor_that_got_too_hot_is_named():
    found = heat_warning(3, 7)
    assert found is not None
    assert found.kind == "throttled"
    assert found.evidence.startswith("4 ")
    assert heat_warning(3, 3) is None
    assert heat_warning(None, None) is None


def test_that_a_used_up_cpu_quota_is_named_with_its_time():
    found = quota_warning(0, S, 4 * S)
    assert found is not None
    assert found.evidence == "1.00 s, 25% of the time"
    assert quota_warning(0, S // 1000, 4 * S) is None
    assert quota_warning(None, None, 4 * S) is None


def test_that_a_battery_is_named_only_where_it_feeds_the_machine():
    found = battery_warning(True)
    assert found is not None
    assert found.kind == "on-battery"
    assert battery_warning(False) is None
    assert battery_warning(None) is None

"""What spoils a run from around it: to its files, its clocks, its processors, its memory."""

import os

import msgspec
import pytest
from tests.endings import load_ended

from modelmon.core.load.config import LoadConfig
from modelmon.core.machine.sleep import Clocks
from modelmon.core.worker import environment_check
from modelmon.core.worker import events as ev
from modelmon.core.worker.environment_check import (
    EnvironmentCheck,
    Look,
    changes_between,
    pressure_warnings,
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
    return Clocks(
        START.monotonic_ns + round(seconds * S),
        START.wall_ns + round((seconds + slept + set_by) * S),
        START.since_boot_ns + round((seconds + slept) * S),
    )


def changed(clocks=None, since=START, **figures):
    """What is said of a load of four seconds at whose end the machine looked like this."""
    before = Look(since, *(0 for _ in range(2)))
    return [*changes_between(before, Look(clocks or after(4), **figures))]


@pytest.mark.parametrize(
    "figures",
    [
        {"clocks": after(3600)},
        {"clocks": after(3600, set_by=1.8)},  # steered by half a second a thousand
        {"hot_events": 0},
        {"held_back_ns": S // 1000},
        {"on_battery": False},
        {"hot_events": None, "held_back_ns": None, "on_battery": None},
    ],
)
def test_that_an_undisturbed_load_gets_no_warning(figures):
    assert changed(**figures) == []


@pytest.mark.parametrize(
    ("figures", "kind", "evidence"),
    [
        ({"clocks": after(5, slept=30)}, "clock-jumped", "asleep for 30.0 s"),
        ({"clocks": after(5, set_by=10)}, "clock-jumped", "10.0 s ahead"),
        ({"clocks": after(5, set_by=-3600)}, "clock-jumped", "60 min back"),
        ({"hot_events": 4}, "throttled", "4 thermal throttle events"),
        ({"held_back_ns": S}, "throttled", "1.00 s, 25% of the time"),
        ({"on_battery": True}, "on-battery", "unplugged"),
    ],
)
def test_that_what_happened_around_a_load_is_named_with_its_figures(figures, kind, evidence):
    (found,) = changed(**figures)
    assert (found.kind, found.evidence) == (kind, evidence)
    assert found.counts == (kind != "clock-jumped")


def test_that_where_no_clock_counts_sleep_the_wall_clock_shows_it():
    late = after(5, slept=60)._replace(since_boot_ns=None)
    assert changed(late, START._replace(since_boot_ns=None))


GB = 10**9
MB = 10**6
JOB = ev.Job("/m", LoadConfig())
PLANNED = ev.Planned("m", GB, GB, 1, 1, ("/m",), (GB,), ("b",), (GB,), "sda", "ext4")
READY = ev.Ready(0.0, "cachestat", 1)
DONE = load_ended(10**9, GB, device_bytes=GB, device_read_bytes=GB)
OTHERS = ev.DeviceActivity(reads_per_s=100, read_bytes_per_s=50e6)


def seen(done=DONE, *, job=JOB, planned=PLANNED, ready=READY, **figures):
    changed = msgspec.structs.replace(done, **figures)
    return {w.kind: w for w in pressure_warnings(job, planned, ready, changed)}


def test_that_figures_of_an_undisturbed_load_give_no_warning():
    assert seen() == {}
    assert seen(memory=ev.MemoryPressure(0, 0, 0, 0.01, 20 * GB, 24 * GB, GB, 8 * GB)) == {}


def test_that_a_load_during_which_memory_was_swapped_does_not_count():
    found = seen(memory=ev.MemoryPressure(swapped_in_bytes=20 * MB, swapped_out_bytes=5 * MB))
    assert found["swapped"].evidence == "20 MB in, 5 MB out"
    assert not found["swapped"].counts
    assert found["swapped"].remedy
    assert seen(memory=ev.MemoryPressure(swapped_in_bytes=MB)) == {}


@pytest.mark.parametrize(
    ("memory", "part"),
    [
        (ev.MemoryPressure(stalled_share=0.25), "25% of the time"),
        (ev.MemoryPressure(least_available_bytes=GB // 2, total_bytes=24 * GB), "500 MB of 24 GB"),
        (ev.MemoryPressure(cgroup_used_bytes=98 * MB, cgroup_limit_bytes=100 * MB), "98 MB of the"),
    ],
)
def test_that_a_shortage_of_memory_is_named_with_its_figures(memory, part):
    found = seen(memory=memory)
    assert part in found["memory-pressure"].evidence
    assert found["memory-pressure"].counts


def test_that_a_map_that_did_not_stay_in_memory_is_not_loaded_and_a_copy_is():
    dropped = {"memory_kind": "mapped", "residency_after_share": 0.39}
    found = seen(**dropped)["not-kept"]
    assert found.evidence == "39% was still cached at the end"
    assert not found.counts
    assert "delivery to streamed" in found.remedy
    assert seen(residency_after_share=0.39) == {}
    assert seen(memory_kind="mapped", residency_after_share=0.97) == {}
    half = {"memory_kind": "mixed", "mapped_bytes": GB // 2}
    assert seen(**half, residency_after_share=0.5) == {}
    assert "not-kept" in seen(**half, residency_after_share=0.39)
    untouched = ev.Job("/m", LoadConfig(library="gguf.GGUFReader", deliver="untouched"))
    assert seen(job=untouched, **dropped) == {}


def test_that_bytes_read_twice_are_named_and_old_marks_of_dropped_pages_are_not():
    again = ev.MemoryPressure(refaulted_bytes=GB // 2)
    twice = seen(memory=again, device_bytes=GB * 3 // 2, device_read_bytes=GB * 3 // 2)
    assert twice["memory-pressure"].evidence == "500 MB was read twice"
    assert seen(memory=again) == {}


def test_that_another_reader_is_seen_before_and_during_the_load():
    before = msgspec.structs.replace(READY, idle_device=OTHERS)
    assert "50 MB/s just before" in seen(ready=before)["other-reader"].evidence
    writer = ev.DeviceActivity(reads_per_s=0, read_bytes_per_s=0, write_bytes_per_s=80e6)
    wrote = seen(ready=msgspec.structs.replace(READY, idle_device=writer))["other-reader"]
    assert wrote.evidence == "80 MB/s written just before the start"
    during = seen(device_read_bytes=GB + 300 * MB)
    assert during["other-reader"].evidence == "300 MB during the load, besides its own"
    assert seen(device_read_bytes=GB + 20 * MB) == {}


def test_that_readers_of_the_device_do_not_matter_to_a_load_that_needs_nothing_of_it():
    assert seen(cache_state="warm", device_bytes=0, device_read_bytes=GB) == {}


def test_that_a_cold_load_faster_than_any_drive_came_from_a_cache():
    found = seen(wall_ns=10**9 // 20)
    assert "20 GB/s" in found["served-from-cache"].evidence
    assert not found["served-from-cache"].counts
    several = msgspec.structs.replace(PLANNED, device_name="md0")
    assert seen(wall_ns=10**9 // 20, planned=several) == {}
    assert seen(wall_ns=10**9 // 20, cache_state="warm") == {}


@pytest.mark.parametrize(("virtual", "kinds"), [(True, {"slow-first-touch"}), (False, set())])
def test_that_only_a_virtual_machine_needs_its_memory_touched(monkeypatch, virtual, kinds):
    monkeypatch.setattr(environment_check, "is_virtual_machine", lambda: virtual)
    assert set(seen(job=msgspec.structs.replace(JOB, condition_memory=False))) == kinds

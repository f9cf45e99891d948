"""What held a load back, from figures as runs on real machines have them."""

import msgspec
import pytest
from tests.core.explain.loads import (
    BUSY_MACHINE,
    COLD,
    GB,
    MS,
    PROBED,
    WARM,
    S,
    changed,
)

from modelmon.core.explain.bottleneck import bottleneck_of, typical_bottleneck
from modelmon.core.explain.figures import limits_seen
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.presets import PRESETS
from modelmon.core.probe.limits import Limits
from modelmon.core.worker.endings import MemoryPressure


@pytest.mark.parametrize(
    ("pressure", "part"),
    [
        (MemoryPressure(own_swapped_bytes=GB), "swap 1 GB"),
        (MemoryPressure(own_stalled_share=0.4), "40% of the time"),
    ],
)
def test_that_a_shortage_of_memory_goes_before_all_else(pressure, part):
    found = bottleneck_of(changed(COLD, memory=pressure), PROBED)
    assert (found.kind, found.confidence) == ("memory", "medium")
    assert part in found.clause


def test_that_dropped_pages_count_only_where_the_device_gave_them_again():
    pressure = MemoryPressure(own_refaulted_bytes=GB)
    assert bottleneck_of(changed(COLD, memory=pressure), PROBED).kind == "device-bandwidth"
    again = bottleneck_of(changed(COLD, memory=pressure, device_bytes=4 * GB), PROBED)
    assert (again.kind, again.confidence) == ("memory", "high")
    assert "rereads 1 GB" in again.clause


def test_that_what_all_on_the_machine_read_again_counts_where_the_model_was_dropped():
    twice = changed(COLD, config=PRESETS["mmap"].config, device_bytes=4 * GB, memory=BUSY_MACHINE)
    for left, kind in ((None, "amplification"), (1.0, "amplification"), (0.4, "memory")):
        found = bottleneck_of(changed(twice, residency_after_share=left), PROBED)
        assert found.kind == kind
    assert found.confidence == "high"
    assert "rereads 1 GB" in found.clause


def test_that_what_a_cgroup_read_again_is_unsure_where_nothing_else_tells_of_it():
    mounted = changed(COLD, storage_kind="fuse", device=None, device_bytes=None)
    for hits, sure in ((0, "low"), (7, "high")):
        pressure = MemoryPressure(own_refaulted_bytes=GB, own_limit_hits=hits)
        found = bottleneck_of(changed(mounted, memory=pressure), PROBED)
        assert (found.kind, found.confidence) == ("memory", sure)


@pytest.mark.parametrize("own", [0, None], ids=["not short", "not known"])
@pytest.mark.parametrize("device_bytes", [3 * GB, None], ids=["disk", "mount"])
@pytest.mark.parametrize("preset", ["mmap", "sequential", "direct"])
def test_that_memory_that_others_are_short_of_holds_nothing_back(own, device_bytes, preset):
    pressure = msgspec.structs.replace(
        BUSY_MACHINE,
        own_swapped_bytes=own,
        own_refaulted_bytes=own,
        own_stalled_share=own,
        own_limit_hits=own,
    )
    run = changed(
        COLD,
        config=PRESETS[preset].config,
        memory=pressure,
        device_bytes=device_bytes,
        device=None if device_bytes is None else COLD.device,
        residency_after_share=0.4,
    )
    for limits in (PROBED, Limits()):
        assert bottleneck_of(run, limits).kind != "memory"


def test_that_a_load_as_fast_as_memory_has_nothing_to_gain():
    for limits in (PROBED, Limits()):
        found = bottleneck_of(WARM, limits)
        assert found.kind == "page-cache"
        assert "nothing to gain" in found.clause


def test_that_a_slow_load_out_of_the_cache_is_held_back_by_its_faults():
    slow = changed(WARM, wall_ns=3 * S, cpu_system_ns=2_900 * MS, minor_faults=730_000)
    found = bottleneck_of(slow, PROBED)
    assert (found.kind, found.label) == ("faults", "page faults")
    assert "97% of a core" in found.clause
    assert "243" in found.evidence_text


def test_that_few_faults_and_a_busy_kernel_mean_copies():
    found = bottleneck_of(changed(WARM, wall_ns=3 * S, cpu_system_ns=2_900 * MS), PROBED)
    assert (found.kind, found.label) == ("faults", "kernel CPU")


def test_that_a_slow_load_out_of_the_cache_without_a_cause_says_only_that():
    idle = changed(WARM, wall_ns=3 * S, cpu_user_ns=500 * MS)
    found = bottleneck_of(idle, PROBED)
    assert (found.kind, found.confidence) == ("page-cache", "medium")
    assert "nothing to gain" not in found.clause


def test_that_a_library_with_many_small_tensors_pays_for_each():
    library = LoadConfig(library="safetensors.get_tensor")
    small = changed(
        WARM,
        config=library,
        tensors=20_000,
        load_bytes=GB // 2,
        file_bytes=GB // 2,
        wall_ns=S,
        cpu_user_ns=900 * MS,
        cpu_system_ns=100 * MS,
    )
    found = bottleneck_of(small, PROBED)
    assert found.kind == "per-tensor"
    assert "50 µs on each of 20,000 tensors" in found.clause
    assert bottleneck_of(changed(small, tensors=200), PROBED).kind != "per-tensor"
    assert bottleneck_of(changed(small, config=LoadConfig()), PROBED).kind != "per-tensor"


def test_that_decoders_that_never_rest_are_what_holds_back():
    # The readers beside them have time to wait for the disk, which then is no sign of anything.
    config = LoadConfig(readers=2, deliver="decoded")
    run = changed(COLD, config=config, wall_ns=10 * S, decode_ns=19 * S, device=None)
    found = bottleneck_of(run, PROBED)
    assert found.kind == "decode"
    assert "95% of the time" in found.clause
    assert bottleneck_of(changed(run, decode_ns=4 * S), PROBED).kind != "decode"
    one = changed(run, config=LoadConfig(readers=1, deliver="decoded"), cpu_count=2, decoders=2)
    assert bottleneck_of(one, PROBED).kind == "decode"
    assert bottleneck_of(changed(one, decode_ns=9 * S), PROBED).kind != "decode"
    # In a run that doesn't tell, each reader had one.
    assert bottleneck_of(changed(one, decode_ns=9 * S, decoders=None), PROBED).kind == "decode"
    # They may wait for the interpreter, in which gguf's decoder runs, and not for processors.
    held = changed(run, decode_ns=4 * S, decoding_share=0.9)
    waits = bottleneck_of(held, PROBED)
    assert "waits for that, 90% of the time" in waits.clause
    assert (found.confidence, waits.confidence) == ("high", "medium")
    assert bottleneck_of(changed(held, decoding_share=0.3), PROBED).kind != "decode"
    # Four decoders on two processors never rest either, at half of the time each.
    four = changed(run, config=LoadConfig(readers=4, deliver="decoded"), cpu_count=2)
    assert bottleneck_of(four, PROBED).kind == "decode"


def test_that_without_accounts_of_the_readers_their_cpu_time_tells_what_is_left():
    run = changed(COLD, io_wait_share=None)
    assert bottleneck_of(run, PROBED).kind == "device-bandwidth"


@pytest.mark.parametrize("access", ["read", "direct", "auto"])
def test_that_nobody_is_advised_to_do_what_is_done(access):
    # Always busy, and what it can give isn't known.
    found = bottleneck_of(changed(COLD, config=LoadConfig(access=access)), Limits())
    assert found.kind == "device-bandwidth"
    assert "More readers" in found.remedy
    assert ("direct I/O" in found.remedy) == (access == "read")


def test_that_a_platform_without_figures_is_undecided():
    bare = changed(
        COLD,
        io_wait_share=None,
        cpu_user_ns=None,
        cpu_system_ns=None,
        device_bytes=None,
        device=None,
        memory=None,
    )
    found = bottleneck_of(bare)
    assert found.kind == "undecided"
    assert "not visible on this system" in found.clause


def test_that_an_arm_is_held_back_by_what_its_middle_run_is():
    runs = [changed(COLD, wall_ns=(1_300 + step) * MS) for step in (0, 1, 2)]
    odd = changed(COLD, wall_ns=9 * S, memory=MemoryPressure(own_swapped_bytes=GB))
    found = typical_bottleneck([*runs, odd], PROBED)
    assert found is not None
    assert found.kind == "device-bandwidth"
    assert typical_bottleneck([changed(odd, counts=False)]) is None


def test_that_a_cached_load_can_gain_what_another_one_here_has_gained():
    """At 10 GB/s next to 31.8 GB/s from the same cache."""
    slow = changed(WARM, cpu_system_ns=10 * MS)
    fast = changed(slow, wall_ns=round(slow.wall_ns / 3.18))
    assert "nothing to gain" in bottleneck_of(slow).clause
    limits = limits_seen(Limits(), (slow, fast))
    assert "nothing to gain" not in bottleneck_of(slow, limits).sentence
    assert bottleneck_of(slow, limits).remedy
    assert "nothing to gain" in bottleneck_of(fast, limits).clause


def test_that_readers_without_a_processor_are_no_readers_that_wait_for_each_other():
    # As measured beside compilers: one reader of two processors.
    beside = changed(
        COLD,
        cpu_count=2,
        wall_ns=859 * MS,
        cpu_user_ns=290 * MS,
        cpu_system_ns=20 * MS,
        io_wait_share=0.17,
        run_queue_share=0.47,
    )
    found = bottleneck_of(beside, PROBED)
    assert (found.kind, found.confidence) == ("busy-processors", "high")
    assert "47% of the time" in found.clause
    assert "using 18% of all" in found.clause
    # Of eight readers from the cache two are at work at any time, and nobody else is.
    eight = changed(
        WARM, cpu_count=2, wall_ns=S, cpu_user_ns=S, cpu_system_ns=900 * MS, run_queue_share=0.75
    )
    assert bottleneck_of(eight).kind != "busy-processors"
    assert bottleneck_of(changed(beside, io_wait_share=0.5, run_queue_share=0.2)).kind != (
        "busy-processors"
    )
    # Recordings of earlier versions don't tell.
    assert bottleneck_of(changed(beside, run_queue_share=None)).kind == "undecided"

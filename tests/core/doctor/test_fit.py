"""Whether a model fits, with the figures."""

from modelmon.core.doctor.diagnosis import fits
from modelmon.core.machine.memory import Memory

GB = 10**9


def by_delivery(model_bytes, parameters, memory):
    return {fit.delivery: fit for fit in fits(model_bytes, parameters, memory)}


def test_that_each_delivery_is_judged_by_what_it_needs():
    # 4 bits a value: decoded it takes eight times as much.
    found = by_delivery(4 * GB, 8 * GB, Memory(32 * GB, 30 * GB))
    assert found["mapped"].answer == found["owned"].answer == "fits"
    assert found["decoded"].answer == "does-not-fit"
    assert found["decoded"].needed_bytes == 32 * GB
    assert "no swap" in found["decoded"].sentence


def test_that_less_than_one_and_a_half_times_the_model_is_tight():
    memory = Memory(16 * GB, 15 * GB)
    assert by_delivery(10 * GB, None, memory)["owned"].answer == "fits"
    tight = by_delivery(10 * GB + 1, None, memory)["owned"]
    assert tight.answer == "tight"
    assert "less than the usual 1.5×" in tight.sentence
    assert by_delivery(15 * GB + 1, None, memory)["owned"].answer == "does-not-fit"


def test_that_the_cgroups_limit_counts_and_is_named():
    memory = Memory(64 * GB, 60 * GB, cgroup_limit_bytes=8 * GB, cgroup_used_bytes=1 * GB)
    found = by_delivery(8 * GB, None, memory)["mapped"]
    assert (found.answer, found.limited_by, found.usable_bytes) == (
        "does-not-fit",
        "cgroup",
        7 * GB,
    )
    assert "8 GB of 7 GB under the cgroup's limit" in found.sentence
    assert "dropped and reread" in found.sentence


def test_that_swap_is_named_but_not_counted():
    memory = Memory(16 * GB, 10 * GB, swap_total_bytes=8 * GB, swap_used_bytes=2 * GB)
    held = by_delivery(12 * GB, None, memory)["owned"]
    assert held.answer == "does-not-fit"
    assert "2 GB would go to swap" in held.sentence
    beyond = by_delivery(20 * GB, None, memory)["owned"]
    assert "swap (6 GB free) would not hold" in beyond.sentence


def test_that_decoding_is_left_out_where_the_values_are_not_counted():
    assert set(by_delivery(GB, None, Memory(GB, GB))) == {"mapped", "owned"}

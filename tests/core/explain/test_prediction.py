"""What a load should take: by terms that add up, and never against what storage can do."""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.explain.expected import _COMMON, likeliest, typical_limits
from modelmon.core.explain.prediction import LoadSize, predict, preference
from modelmon.core.load.config import CHOICES, NO_LIBRARY, PRESETS, PROGRAM, LoadConfig
from modelmon.core.load.rules import nearest_possible
from modelmon.core.load.turns import LONG_NS
from modelmon.core.probe.probe import CopyRate, Limits, Reads
from modelmon.core.units import KIB, MIB

GB = 10**9
SIZE = LoadSize(GB, tensors=300, files=2, jumps=40)
EXACT = 1 + 1e-9

rates = st.floats(1e6, 1e11)


def timed(access, readers, request_bytes, bytes_per_s, *, start_ns=0.0):
    wait_ns = readers * request_bytes * 1e9 / bytes_per_s
    figures = (readers, request_bytes, 9, 9 * request_bytes, bytes_per_s, wait_ns)
    return Reads(*figures, start_ns=start_ns, access=access)


reads = st.builds(
    timed,
    st.sampled_from(["direct", "read", "mmap", "prefetch"]),
    st.sampled_from([1, 2, 4, 8]),
    st.sampled_from([256 * KIB, 1 * MIB, 4 * MIB]),
    rates,
    start_ns=st.floats(0, 1e9),
)
copies = st.builds(
    lambda threads, fresh, rate: CopyRate(threads, fresh, 2**20, 3, rate, rate),
    st.integers(1, 8),
    st.booleans(),
    rates,
)
limits = st.builds(
    Limits,
    latency_ns=st.none() | st.floats(1e3, 1e8),
    rates=st.lists(reads, min_size=1, max_size=6).map(tuple),
    copies=st.lists(copies, max_size=4).map(tuple),
    mapped_bytes_per_s=st.none() | rates,
    populated_bytes_per_s=st.none() | rates,
    processors=st.integers(1, 64),
    keeps_files=st.booleans(),
    past_cache=st.booleans(),
)
sizes = st.builds(
    LoadSize,
    st.integers(0, 10**13),
    st.integers(1, 10**5),
    st.integers(1, 300),
    st.integers(0, 10**5),
)
configs = st.builds(
    LoadConfig,
    **{name: st.sampled_from(choices) for name, choices in CHOICES.items()},
    readers=st.integers(1, 64),
    ranks=st.integers(1, 8),
    chunk_bytes=st.integers(1, 2**18).map(lambda pages: pages * 4096),
    prefetch_bytes=st.sampled_from([0, 64 * MIB]),
    library=st.sampled_from([NO_LIBRARY, "safetensors.get_tensor"]),
).map(nearest_possible)
starts = st.sampled_from(["cold", "warm"])


def ns(config, size, of, cache="cold"):
    found = predict(config, size, of, cache)
    return found.ns


@given(configs, sizes, limits, starts)
def test_that_every_load_has_terms_that_add_up_and_a_range(config, size, of, cache):
    found = predict(config, size, of, cache)
    assert sum(term.ns for term in found.terms) == pytest.approx(found.ns)
    assert all(term.ns > 0 for term in found.terms)
    assert 0 < found.low_ns <= found.ns <= found.high_ns
    assert found.largest in found.terms
    assert found.measured


@given(configs, sizes, limits, starts, st.integers(0, 10**12))
def test_that_more_bytes_are_never_faster(config, size, of, cache, more):
    larger = size._replace(nbytes=size.nbytes + more)
    assert ns(config, size, of, cache) <= ns(config, larger, of, cache) * EXACT


@given(configs, sizes, limits, st.floats(1, 100))
def test_that_round_trips_that_take_longer_are_never_faster(config, size, of, factor):
    slow = msgspec.structs.replace(of, latency_ns=(of.latency_ns or 1e5) * factor)
    near = msgspec.structs.replace(of, latency_ns=of.latency_ns or 1e5)
    assert ns(config, size, near) <= ns(config, size, slow) * EXACT


@given(configs, sizes, limits, st.floats(1, 100))
def test_that_storage_that_is_faster_throughout_is_never_slower(config, size, of, factor):
    faster = msgspec.structs.replace(
        of,
        rates=tuple(
            msgspec.structs.replace(
                each,
                bytes_per_s=each.bytes_per_s * factor,
                mean_wait_ns=each.mean_wait_ns / factor,
                start_ns=each.start_ns / factor,
            )
            for each in of.rates
        ),
    )
    assert ns(config, size, faster) <= ns(config, size, of) * EXACT


def test_that_nothing_is_said_of_what_nobody_knows():
    here = typical_limits("flash", 8)
    assert predict(LoadConfig(library=PROGRAM), SIZE, here, "cold") is None
    assert predict(LoadConfig(), SIZE, here, "as-is") is None
    assert predict(LoadConfig(), SIZE, Limits(), "cold") is None


@pytest.mark.parametrize("storage_type", _COMMON)
def test_that_typical_figures_are_called_so_and_have_a_wide_range(storage_type):
    found = predict(LoadConfig(), SIZE, typical_limits(storage_type, 8), "cold")
    assert not found.measured
    assert found.high_ns > 3 * found.ns


SEEKS = Limits(
    latency_ns=12e6,
    rates=(
        timed("direct", 1, 4 * MIB, 140e6),
        timed("direct", 8, 2 * MIB, 60e6),
        timed("read", 1, 4 * MIB, 140e6),
        timed("read", 4, 1 * MIB, 40e6),
        timed("mmap", 1, 256 * KIB, 120e6),
        timed("mmap", 4, 256 * KIB, 15e6),
    ),
    processors=8,
)


def test_that_the_rates_of_as_many_readers_decide():
    one, several = (ns(PRESETS[name].config, SIZE, SEEKS) for name in ("sequential", "parallel"))
    assert one == pytest.approx(GB / 140e6 * 1e9, rel=0.1)
    assert several == pytest.approx(GB / 40e6 * 1e9, rel=0.1)
    between = ns(replace(PRESETS["direct"].config, readers=3), SIZE, SEEKS)
    assert GB / 140e6 * 1e9 < between < GB / 60e6 * 1e9


def test_that_auto_gives_up_several_readers_where_one_is_faster_and_the_load_is_long():
    auto, one = (PRESETS[name].config for name in ("auto", "sequential"))
    assert ns(auto, SIZE, SEEKS) == pytest.approx(GB / 140e6 * 1e9 + LONG_NS / 2, rel=0.1)
    large = SIZE._replace(nbytes=100 * GB)
    assert ns(auto, large, SEEKS) == pytest.approx(ns(one, large, SEEKS), rel=0.05)
    slower = Limits(
        latency_ns=12e6, rates=(timed("direct", 8, 2 * MIB, 20e6), SEEKS.rates[0]), processors=8
    )
    short = SIZE._replace(nbytes=GB // 6)
    assert ns(auto, short, slower) == pytest.approx(GB / 6 / 20e6 * 1e9, rel=0.1)


def test_that_readers_of_one_descriptor_are_no_faster_than_with_their_own():
    shared, own = (ns(PRESETS[name].config, SIZE, SEEKS) for name in ("shared-fd", "processes"))
    assert shared == own > GB / 20e6 * 1e9
    config = PRESETS["shared-fd"].config
    helped = typical_limits("network", 8)
    assert ns(config, SIZE, helped) == pytest.approx(
        ns(replace(config, readers=1), SIZE, helped), 0.01
    )


def test_that_terms_name_what_a_load_pays_for():
    def largest(name, **parts):
        found = predict(PRESETS[name].config, SIZE, SEEKS, **{"cache": "cold", **parts})
        return found.largest.kind

    assert largest("sequential") == "device-bandwidth"
    assert largest("parallel") == "device-latency"
    assert largest("mmap", cache="warm") == "faults"
    assert largest("sequential", cache="warm") == "page-cache"


def test_that_ranks_that_read_past_the_cache_read_again():
    config = replace(PRESETS["direct"].config, ranks=4)
    found = predict(config, SIZE, SEEKS, "cold")
    assert dict(found.terms)["amplification"] == pytest.approx(
        3 * dict(found.terms)["device-bandwidth"]
    )


def test_that_auto_copies_what_it_cannot_keep_mapped():
    auto = PRESETS["auto"].config
    mount = msgspec.structs.replace(SEEKS, keeps_files=False)
    here, there = (predict(auto, SIZE, of, "warm") for of in (SEEKS, mount))
    assert (here.largest.kind, there.largest.kind) == ("faults", "page-cache")


def test_that_of_two_that_are_as_fast_the_simpler_is_likeliest():
    names = ("direct", "auto")
    found = likeliest(((name, PRESETS[name].config) for name in names), SIZE, SEEKS, "cold")
    assert found[0] == "auto"
    assert likeliest((), SIZE, SEEKS, "cold") is None
    assert preference("auto") < preference("mmap") < preference("shared-fd")


def test_that_copies_are_not_blamed_where_others_keep_the_storage_busy():
    fast = Limits(
        rates=(timed("read", 1, 4 * MIB, 2e9), timed("read", 4, 1 * MIB, 2e9)),
        copies=tuple(CopyRate(2, fresh, 2**20, 3, 3e9, 3e9) for fresh in (True, False)),
        processors=2,
    )
    one, several = (
        predict(PRESETS[name].config, SIZE, fast, "cold") for name in ("sequential", "parallel")
    )
    assert one.largest.kind == "page-cache"
    assert several.largest.kind == "device-bandwidth"

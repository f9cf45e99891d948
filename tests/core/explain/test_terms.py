"""Where a load's time goes: terms that are never negative and add up, whatever the figures are."""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.explain.loads import COLD, GB, MS, PROBED, WARM, S, changed

from modelmon.core.explain.bottleneck import NAMED_SHARE, bottleneck_of
from modelmon.core.explain.terms import phase_rows, terms_of
from modelmon.core.export.run_items import result_rows
from modelmon.core.load.config import PRESETS, PROGRAM, LoadConfig
from modelmon.core.probe.probe import Limits
from modelmon.core.worker.events import MemoryPressure

shares = st.floats(0, 1)
times_ns = st.integers(0, 40 * S)
sizes = st.integers(0, 20 * GB)
maybe = st.none


@st.composite
def runs(draw):
    """Any load, with figures that need not go together."""
    library = draw(st.sampled_from(["none", "none", "safetensors.get_tensor", PROGRAM]))
    config = LoadConfig(library=library)
    if library == "none":
        preset = draw(st.sampled_from([each.config for each in PRESETS.values()]))
        deliver = draw(st.sampled_from(["usable", "owned", "streamed", "decoded"]))
        config = replace(preset, deliver=deliver)
    wall_ns = draw(st.integers(0, 20 * S))
    pressure = MemoryPressure(
        own_swapped_bytes=draw(maybe() | sizes),
        own_refaulted_bytes=draw(maybe() | sizes),
        own_stalled_share=draw(maybe() | shares),
    )
    return msgspec.structs.replace(
        draw(st.sampled_from([COLD, WARM])),
        config=config,
        ready="quiet" if library == PROGRAM else "",
        wall_ns=wall_ns,
        warmup_ns=draw(st.integers(0, wall_ns)),
        load_bytes=draw(st.integers(1, 20 * GB)),
        device_bytes=draw(maybe() | sizes),
        io_wait_share=draw(maybe() | shares),
        run_queue_share=draw(maybe() | shares),
        cpu_user_ns=draw(maybe() | times_ns),
        cpu_system_ns=draw(maybe() | times_ns),
        minor_faults=draw(maybe() | st.integers(0, 10**7)),
        major_faults=draw(maybe() | st.integers(0, 10**5)),
        decode_ns=draw(maybe() | times_ns),
        decoders=draw(maybe() | st.integers(1, 16)),
        decoding_share=draw(maybe() | shares),
        cpu_count=draw(st.integers(0, 64)),
        tensors=draw(st.integers(0, 100_000)),
        memory=draw(maybe() | st.just(pressure)),
        residency_after_share=draw(maybe() | shares),
    )


limits = st.sampled_from([Limits(), PROBED, Limits(seen_device_bytes_per_s=9e9)])


@given(runs(), limits)
def test_that_terms_add_up_to_the_time(run, limits):
    terms = terms_of(run, limits)
    assert all(term.ns > 0 for term in terms)
    assert len({term.kind for term in terms}) == len(terms)
    assert sum(term.ns for term in terms) == pytest.approx(run.reading_ns, rel=1e-6)
    assert [*terms] == sorted(terms, key=lambda term: -term.ns)


@given(runs(), limits)
def test_that_the_largest_is_named_where_it_takes_enough(run, limits):
    found = bottleneck_of(run, limits)
    known = [term for term in terms_of(run, limits) if term.kind != "undecided"]
    if known and known[0].ns >= NAMED_SHARE * run.reading_ns:
        assert found.kind == known[0].kind
    elif run.reading_ns:
        assert found.kind == "undecided"
    assert found.remedy
    assert "  " not in f"{found.sentence} {found.remedy}"


def shares_of(run, limits=PROBED):
    return {term.kind: round(term.ns / run.reading_ns, 2) for term in terms_of(run, limits)}


def test_that_a_decoded_load_waits_for_storage_too():
    """As measured on a hard disk: 1,916 major faults of 13.5 ms, and decoders that hardly work."""
    faults = changed(
        COLD,
        config=LoadConfig(access="mmap", deliver="decoded"),
        wall_ns=27 * S,
        load_bytes=GB // 4,
        file_bytes=GB // 4,
        device_bytes=GB // 4,
        major_faults=1_916,
        io_wait_share=0.95,
        decode_ns=S,
        decoders=2,
        cpu_count=2,
        cpu_user_ns=S,
        cpu_system_ns=S // 4,
    )
    assert shares_of(faults)["device-latency"] > 0.9
    found = bottleneck_of(faults, PROBED)
    assert found.kind == "device-latency"
    assert "each of 1,916 page faults waits 13.4 ms" in found.clause


@pytest.mark.parametrize(
    ("io_wait", "decode_s", "kind"),
    [(0.9, 1, "device-bandwidth"), (0.1, 2.3, "decode"), (0.0, 2.5, "decode")],
)
def test_that_what_readers_wait_for_decoders_is_decoding(io_wait, decode_s, kind):
    run = changed(
        COLD,
        config=LoadConfig(readers=2, deliver="decoded"),
        cpu_count=2,
        decode_ns=round(decode_s * S),
        io_wait_share=io_wait,
        cpu_user_ns=round(decode_s * S),
        cpu_system_ns=100 * MS,
    )
    assert bottleneck_of(run, PROBED).kind == kind


def test_that_what_decoders_compute_is_no_work_of_readers():
    """Of what is left beside decoding, the kernel did all."""
    run = changed(
        WARM,
        config=LoadConfig(access="mmap", deliver="decoded"),
        minor_faults=200_000,
        cpu_count=2,
        decoders=2,
        decode_ns=WARM.wall_ns // 2,
        cpu_user_ns=WARM.wall_ns // 2,
        cpu_system_ns=WARM.wall_ns // 2,
    )
    shares = shares_of(run)
    assert shares == {"decode": 0.5, "faults": 0.5}


def test_that_storage_and_decoders_that_never_rest_share_the_time():
    run = changed(
        COLD, config=LoadConfig(deliver="decoded"), cpu_count=2, decoders=2, decode_ns=2_340 * MS
    )
    parts = shares_of(run)
    assert parts["device-bandwidth"] == parts["decode"] == 0.5


def test_that_recordings_without_an_account_beside_decoders_leave_the_rest_open():
    run = changed(
        COLD,
        config=LoadConfig(readers=2, deliver="decoded"),
        io_wait_share=None,
        decode_ns=S // 4,
        cpu_user_ns=S // 4,
        cpu_system_ns=0,
    )
    assert bottleneck_of(run, PROBED).kind == "undecided"
    assert bottleneck_of(changed(run, decoding_share=0.9), PROBED).kind == "decode"


PHASED = changed(
    WARM,
    wall_ns=100 * MS,
    open_ns=2 * MS,
    plan_ns=1 * MS,
    startup_ns=60 * MS,
    cache_ns=5 * MS,
    setup_ns=78 * MS,
)


def test_that_the_phases_come_in_order_and_make_up_the_run():
    config = LoadConfig(warmup="read")
    assert list(phase_rows(changed(PHASED, config=config, warmup_ns=30 * MS))) == [
        (
            "Setup (not timed)",
            "open 2.00 ms, plan 1.00 ms, start-up 60.0 ms, page cache 5.00 ms, other 10.0 ms",
        ),
        ("Timed", "warm-up 30.0 ms, read 70.0 ms"),
    ]


@pytest.mark.parametrize(
    ("config", "name"),
    [
        (LoadConfig(access="mmap"), "fault"),
        (LoadConfig(access="direct"), "read"),
        (LoadConfig(access="mmap", library="safetensors.get_tensor"), "read"),
    ],
)
def test_that_only_the_engines_maps_are_faulted_in(config, name):
    assert dict(phase_rows(changed(PHASED, config=config)))["Timed"] == f"{name} 100 ms"


@pytest.mark.parametrize(("readers", "processors"), [(2, 8), (8, 2)])
def test_that_decoding_stands_beside_the_reading_by_its_time_a_decoder(readers, processors):
    """More decoders than processors take turns."""
    config = LoadConfig(readers=readers, deliver="decoded")
    run = changed(PHASED, config=config, decode_ns=80 * MS, cpu_count=processors)
    assert dict(phase_rows(run))["Timed"] == "read 100 ms, decode 40.0 ms in parallel"


def test_that_a_run_by_a_library_that_is_no_longer_known_is_shown():
    run = changed(WARM, config=LoadConfig(library="whole-file"), library_version="1.2.3")
    assert ("Library", "whole-file 1.2.3, every page read in") in result_rows(run)

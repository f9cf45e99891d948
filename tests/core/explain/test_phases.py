import msgspec
import pytest

from modelmon.core.explain.terms import phases_of
from modelmon.core.load.config import LoadConfig
from modelmon.core.worker.result import RunResult

MS = 10**6


def run(config, warmup_ns=0, decode_ns=None):
    return RunResult(
        strategy="custom",
        config=config,
        wall_ns=100 * MS,
        warmup_ns=warmup_ns,
        load_bytes=1,
        model_bytes=1,
        memory_kind="owned",
        cache_asked="cold",
        cache_state="cold",
        cache_evidence="verified",
        counts=True,
        started_unix_s=1.0,
        open_ns=2 * MS,
        plan_ns=1 * MS,
        startup_ns=60 * MS,
        cache_ns=5 * MS,
        setup_ns=78 * MS,
        decode_ns=decode_ns,
    )


def test_that_the_phases_come_in_order_and_those_that_took_no_time_are_left_out():
    found = phases_of(run(LoadConfig(warmup="read"), warmup_ns=30 * MS))
    assert [phase.name for phase in found] == [
        *("open", "plan", "start-up", "cache", "other"),
        *("warm-up", "read"),
    ]


def test_that_the_phases_before_the_load_make_up_its_setup():
    found = phases_of(run(LoadConfig()))
    assert sum(phase.duration_ns for phase in found if phase.when == "before") == 78 * MS


def test_that_the_timed_phases_make_up_the_load():
    found = phases_of(run(LoadConfig(warmup="read"), warmup_ns=30 * MS))
    assert sum(phase.duration_ns for phase in found if phase.when == "timed") == 100 * MS


@pytest.mark.parametrize(
    ("config", "name"),
    [
        (LoadConfig(access="mmap"), "fault"),
        (LoadConfig(access="direct"), "read"),
        (LoadConfig(access="mmap", library="safetensors.get_tensor"), "read"),
    ],
)
def test_that_only_the_engines_maps_are_faulted_in(config, name):
    assert phases_of(run(config))[-1].name == name


def test_that_more_decoders_than_processors_take_turns():
    config = LoadConfig(readers=8, deliver="decoded")
    crowded = msgspec.structs.replace(run(config, decode_ns=80 * MS), cpu_count=2)
    assert phases_of(crowded)[-1].duration_ns == 40 * MS


def test_that_decoding_stands_beside_the_reading_by_its_time_a_decoder():
    found = phases_of(run(LoadConfig(readers=2, deliver="decoded"), decode_ns=80 * MS))
    assert (found[-1].name, found[-1].duration_ns, found[-1].when) == ("decode", 40 * MS, "beside")

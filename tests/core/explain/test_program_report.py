"""The judgment of a watched program: its whole wait decides, the largest part comes first."""

from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.explain.loads import (
    BUSY_MACHINE,
    COLD,
    GB,
    MS,
    PROBED,
    WARM,
    S,
    changed,
    with_device,
)

from modelmon.core.explain.bottleneck import bottleneck_of, did_text
from modelmon.core.explain.cures import (
    known_name,
    more_of,
    needless,
    program_called,
    search_options,
)
from modelmon.core.explain.evidence import Evidence, least_reading_ns, waiting_share
from modelmon.core.explain.program_report import (
    judge,
    model_text,
    parts_text,
    phases_side_by_side,
)
from modelmon.core.explain.terms import phase_rows
from modelmon.core.export.run_items import wait_rows
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.messages import Message
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits
from modelmon.core.programs.llama_cpp import LlamaServer
from modelmon.core.worker.run_warnings import warned
from modelmon.core.worker.wait_parts import WaitPart

WATCHED = changed(
    COLD,
    strategy="llama-server -m MODEL",
    command="/opt/llama-server -m /data/model.gguf",
    config=LoadConfig(library=PROGRAM),
    ready="http:8080/health",
    first_byte_ns=2 * S,
    last_byte_ns=8 * S,
    wall_ns=12 * S,
)
LATE = changed(WATCHED, warnings=(warned("cut-off", Message("Not counted.")),))
UNSEEN = changed(WATCHED, first_byte_ns=None, last_byte_ns=None)
SLOW = Limits(device_bytes_per_s=GB / 2)
"""WATCHED reads its 3 GB as fast as this gives."""


def waited(before_s, reading_s, after_s, **figures):
    """One that took so long for its parts."""
    ends = before_s, before_s + reading_s, before_s + reading_s + after_s
    first, last, wall = (round(each * S) for each in ends)
    return changed(WATCHED, first_byte_ns=first, last_byte_ns=last, wall_ns=wall, **figures)


def with_part(run, name, begin_s, end_s, **figures):
    """It with one part of its wait as samples show it."""
    part = WaitPart(name, round(begin_s * S), round(end_s * S), **figures)
    return changed(run, parts=(part,))


def with_phases(*phases):
    """It with phases that the program names, of so many seconds each, one after the other."""
    parts, end = [], 0.0
    for name, seconds, *beside in phases:
        begin, end = end, end + seconds
        told = dict(zip(("beside",), beside, strict=False))
        parts.append(WaitPart(name, round(begin * S), round(end * S), "llama.cpp", **told))
    return changed(WATCHED, parts=tuple(parts), wall_ns=round(end * S))


@pytest.mark.parametrize(
    ("phases", "left_out"),
    [
        # A warm-up of 1% isn't worth a test; half of the reading may be repacking.
        ([("reading", 6), ("kv-cache", 3.9), ("warm-up", 0.1)], {"no-warmup", "passive-threads"}),
        ([("reading", 6), ("kv-cache", 4)], {"no-warmup", "passive-threads"}),
        ([("reading", 0.5), ("kv-cache", 9.5)], {"no-warmup", "passive-threads", "no-repack"}),
        ([("reading", 0.5), ("kv-cache", 8.5), ("warm-up", 1)], {"no-repack"}),
        ([("reading", 6, "repack"), ("kv-cache", 4)], {"no-warmup", "passive-threads"}),
        ([("reading", 6), ("kv-cache", 0.1), ("warm-up", 4)], {"context-4096"}),
        # It may have warmed up while it was read. A shorter context has to be worth it for sure.
        ([("loading", 4), ("reading", 6)], {"context-4096"}),
        # Nothing is known of a program that doesn't name its phases.
        ([("before-reading", 1), ("reading", 6)], {"context-4096"}),
    ],
)
def test_that_a_setting_is_needless_where_its_phase_is_short(phases, left_out):
    names = ("default", "dio", "no-warmup", "no-repack", "passive-threads", "context-4096")
    run = with_phases(*phases)
    assert {name for name in names if needless(f"llama.cpp {name}", run)} == left_out
    assert not needless("mmap", run)
    for name in left_out - {"no-repack", "context-4096"}:
        assert needless(f"llama.cpp {name}", run) == "warming up takes less than 5% of the wait"


@pytest.mark.parametrize(("kernels_s", "is_tested"), [(5, True), (0.1, False)])
def test_that_vllms_kernels_are_left_untuned_where_tuning_takes_long(kernels_s, is_tested):
    run = with_phases(("reading", 3), ("compile", 2), ("warm-up", 5), ("kernels", kernels_s))
    assert (not needless("vllm no-kernel-tuning", run)) == is_tested


class Row(NamedTuple):
    """A run of a search in the history, as far as it matters."""

    setting: str
    wall_s: float
    experiment_id: int = 1
    cache_asked: str = "cold"

    @property
    def strategy(self):
        return f"llama.cpp {self.setting}"

    @property
    def wall_ns(self):
        return round(self.wall_s * S)


def test_that_each_long_part_has_what_shortens_it_and_what_that_brought_here():
    run = with_phases(("reading", 3), ("kv-cache", 0.2), ("warm-up", 3))
    reading, kv_cache, warm_up = judge(run, PROBED).parts
    assert (kv_cache.shortened_by, kv_cache.settings) == ("", ())
    assert reading.settings == ()
    assert warm_up.shortened_by == "Start it with --no-warmup: the first answer takes longer."
    few = [each.name for each in LlamaServer.offers if each.access == "fewer-threads"]
    assert warm_up.settings == ("no-warmup", "passive-threads", *few)
    assert warm_up.tested.startswith("no-warmup: not tested here, at most 3.00 s less; ")
    assert [*wait_rows(judge(run, PROBED))][-1][1].startswith("  Start it with --no-warmup")
    rows = [
        *(Row("default", 6.2, 2), Row("no-warmup", 6.0, 2)),
        *(Row("default", 6.2), Row("default", 6.0), Row("no-warmup", 3.1), Row("no-warmup", 3.3)),
        Row("passive-threads", 6.1),
    ]
    told = judge(with_phases(("reading", 3), ("warm-up", 3.1)), PROBED, tests=rows).parts[-1].tested
    # The last search says it, and only beside what the program does by itself.
    assert told.startswith("no-warmup: no clear gain (tested 1× here); passive-threads: no clear")
    told = judge(run, PROBED, tests=rows[2:]).parts[-1].tested
    assert told.startswith("no-warmup: 48% less time (tested 2× here); passive-threads: no clear")
    set_already = changed(run, command="llama-server -m x --no-warmup")
    assert "no-warmup" not in judge(set_already, PROBED).parts[-1].settings
    verdict = judge(run, PROBED, tests=rows)
    assert "modelmon best" not in verdict.next_step


def test_what_the_settings_of_several_parts_come_to_together():
    run = with_phases(("reading", 3), ("kv-cache", 4), ("warm-up", 3))
    verdict = judge(run, PROBED)
    assert verdict.together == "With these settings: 3.00 s at best"
    assert [*wait_rows(verdict)][-1] == ("", "With these settings: 3.00 s at best.")
    tested = [Row("default", 10), Row("no-warmup", 9), Row("passive-threads", 10)]
    few = [Row(each.name, 10) for each in LlamaServer.offers if each.access == "fewer-threads"]
    verdict = judge(run, PROBED, tests=[*tested, *few])
    assert verdict.together == "With these settings: 5.00 s at best"
    # Of a part no more than all of it can go, whatever a slower start saved.
    slow = [Row("default", 100), Row("no-warmup", 20)]
    verdict = judge(run, PROBED, tests=slow)
    assert verdict.parts[-1].tested.startswith("no-warmup: 80% less time (tested 1× here)")
    assert verdict.together == "With these settings: 3.00 s at best"
    assert not judge(with_phases(("reading", 3), ("warm-up", 3)), PROBED).together


@pytest.mark.parametrize(
    ("waited", "advice"),
    [("waited_ns", "It waits for other files"), ("lock_ns", "Another process has the lock")],
)
def test_that_what_waits_for_something_else_has_one_advice(waited, advice):
    figures = {"program": "llama.cpp", waited: 9 * S}
    verdict = judge(with_part(WATCHED, "warm-up", 0, 12, **figures), PROBED)
    (part,) = verdict.parts
    assert (part.shortened, part.settings) == (verdict.next_step, ())
    assert part.shortened.startswith(advice)


@pytest.mark.parametrize(
    ("command", "offered"),
    [
        ("llama-server -m x --ctx-size 40960", ()),
        ("llama-server -m x -c 40960", ()),
        ("env LLAMA_ARG_CTX_SIZE=40960 llama-server -m x", ()),
        ("llama-server -m x -t 2 --host 0.0.0.0", ("context-4096",)),
    ],
)
def test_that_what_a_command_sets_is_not_tested_otherwise(command, offered):
    run = changed(with_phases(("kv-cache", 3)), command=command)
    verdict = judge(run, PROBED)
    assert verdict.parts[0].settings == offered
    assert ("modelmon best" in verdict.next_step) == bool(offered)


@pytest.mark.parametrize(
    ("command", "strategy", "more"),
    [
        ("llama-server -m x -c 8 --port 1 -t 2 --mlock", "", "-c 8 -t 2 --mlock"),
        (
            "env A_B=1 modelmon launch x -- env C=2 llama-server --model=x -c 8",
            "",
            "A_B=1 C=2 -c 8",
        ),
        ("llama-server --model x --no-warmup -c 8", "llama.cpp no-warmup", "-c 8"),
        ("vllm serve /a --dtype half --port=1 --enforce-eager", "", "--dtype half --enforce-eager"),
        ("python -u -m sglang.launch_server --model-path x --tp 2", "", "--tp 2"),
        (
            "env OMP_NUM_THREADS=2 python load_with.py x",
            "transformers default",
            "OMP_NUM_THREADS=2",
        ),
        ("llama-cli -m x -p a -n 1 --single-turn -c 8", "", "-c 8"),
        ("python serve.py --fast", "", ""),
        # Secrets aren't recorded.
        ("env 'HF_TOKEN=[…]' A=1 vllm serve x --api-key '[…]' --tp 2", "", "A=1 --tp 2"),
        # modelmon names the model and waits for a plain answer at a port of its own.
        ("llama-server -mu u -hff f -dr r --ssl-key-file k --api-prefix /x -c 8", "", "-c 8"),
        ("vllm serve x --uds s --headless --config c --ssl_keyfile k --tp 2", "", "--tp 2"),
        ("vllm serve --enable-lora x --dtype half", "", "--enable-lora --dtype half"),
        # The model is named anew, wherever it stands.
        ("vllm serve --dtype half x --seed 1", "", "--dtype half --seed 1"),
        ("vllm serve --dtype=half x", "", "--dtype=half"),
        ("vllm serve x --lora-modules a b --dtype half", "", "--lora-modules a b --dtype half"),
        (
            "vllm serve --dtype half --model x --lora-modules a b",
            "",
            "--dtype half --lora-modules a b",
        ),
        # Which variables there are is told by their looks.
        (
            "env http_proxy=p mine=1 A=1 llama-server -m x -c 8",
            "",
            "http_proxy=p A=1 -c 8",
        ),
    ],
)
def test_that_settings_are_tested_with_all_else_that_the_command_sets(command, strategy, more):
    assert " ".join(more_of(command, strategy)) == more
    run = changed(with_phases(("warm-up", 3)), command=command, strategy=strategy)
    assert search_options(run, "x") == (f"x -- {more}" if more else "x")


@pytest.mark.parametrize(("network_s", "is_tested"), [(0.9, True), (0.4, False), (None, True)])
def test_that_looking_nothing_up_is_tested_where_the_network_is_waited_for(network_s, is_tested):
    network_ns = None if network_s is None else round(network_s * S)
    run = with_part(WATCHED, "imports", 0, 12, network_ns=network_ns)
    why = needless("transformers offline", run)
    assert why == ("" if is_tested else "waiting for the network takes less than 5% of the wait")


def test_that_the_parts_make_up_the_wait():
    assert parts_text(WATCHED) == (
        "12.0 s: before reading 2.00 s, reading 6.00 s, after reading 4.00 s"
    )
    assert parts_text(LATE).startswith("Not ready after 12.0 s: ")
    assert parts_text(UNSEEN) == "12.0 s: start to ready 12.0 s"


def test_that_counters_which_do_not_tell_all_tell_a_lower_bound():
    half = changed(WATCHED, seen_by="counters", load_bytes=WATCHED.model_bytes // 2)
    assert model_text(half).startswith("at least ")
    assert model_text(changed(half, load_bytes=half.model_bytes))[0].isdigit()
    assert model_text(changed(half, seen_by="trace"))[0].isdigit()


def test_that_a_model_that_was_not_read_is_in_memory_only_where_it_was():
    unread = changed(UNSEEN, load_bytes=0, residency_before_share=1.0)
    assert model_text(unread).startswith("already in memory")
    for other in (changed(unread, residency_before_share=0.05), changed(LATE, load_bytes=0)):
        assert model_text(other) == "no read of the model was detected"


@pytest.mark.parametrize(
    ("run", "limits", "tone", "headline"),
    [
        (WATCHED, PROBED, "warn", "llama-server waits for the disk: up to 4.80 s of 12.0 s can"),
        (WATCHED, SLOW, "good", "llama-server reads as fast as the disk allows"),
        (WATCHED, UNKNOWN_LIMITS, "plain", "50% of the wait is reading: 6.00 s of 12.0 s"),
        # As seen of llama-server: 80 % of the wait was a warm-up.
        (
            waited(0.3, 0.8, 4.3),
            Limits(device_bytes_per_s=3.75 * GB),
            "plain",
            "Storage isn't the problem: 80% of the wait comes after reading",
        ),
        (
            waited(9, 1, 2),
            UNKNOWN_LIMITS,
            "plain",
            "Storage isn't the problem: 75% of the wait comes before reading",
        ),
        (waited(6, 4, 2), SLOW, "plain", "50% of the wait comes before reading"),
        # It could read faster, and most of the wait would stay.
        (waited(2, 4, 6), PROBED, "warn", "50% of the wait comes after reading"),
        (UNSEEN, PROBED, "plain", "llama-server was ready after 12.0 s"),
        (LATE, PROBED, "warn", "llama-server wasn't ready after 12.0 s"),
        # When it read wasn't seen: how long that took may be most of what its phases take.
        (
            with_part(UNSEEN, "weights", 1, 10),
            PROBED,
            "plain",
            "75% of the wait is preparing weights",
        ),
        (
            with_part(changed(UNSEEN, residency_before_share=1.0), "weights", 1, 10),
            PROBED,
            "plain",
            "Storage isn't the problem: 75% of the wait is preparing weights",
        ),
    ],
)
def test_that_the_largest_part_leads(run, limits, tone, headline):
    found = judge(run, limits)
    assert found.headline.startswith(headline)
    assert found.tone == tone


@pytest.mark.parametrize(
    ("limits", "tone", "headline"),
    [
        (UNKNOWN_LIMITS, "plain", "50% of the wait is reading: 6.00 s of 12.0 s"),
        # Measured under the same limit.
        (SLOW, "plain", "50% of the wait is reading: 6.00 s of 12.0 s"),
        (PROBED, "warn", "llama-server waits for the disk: up to 4.80 s of 12.0 s can be saved"),
    ],
)
def test_that_what_a_limit_of_its_group_allows_is_not_what_the_disk_can(limits, tone, headline):
    limit = CgroupLimit("read-rate", GB / 2, "io.max", "/box", "sda")
    found = judge(changed(WATCHED, limits=(limit,)), limits)
    assert (found.tone, found.headline) == (tone, headline)
    assert "is held to 500 MB/s from sda by a limit of its control group" in found.reason
    assert found.next_step == "Raise or remove the limit: no strategy reads faster under it."


def test_that_what_faster_reading_would_hardly_shorten_is_not_called_as_fast_as_possible():
    phases = with_phases(("imports", 2.5), ("reading", 3), ("kv-cache", 2.5), ("warm-up", 2))
    run = changed(phases, first_byte_ns=2_500 * MS, last_byte_ns=5_500 * MS)
    found = judge(run, Limits(device_bytes_per_s=3 * GB / 2.6))
    assert found.headline == "30% of the wait is reading: 3.00 s of 10.0 s"
    assert not found.reason.startswith("That is as fast")
    assert (found.tone, found.next_step) == ("plain", "")
    at_best = judge(run, Limits(device_bytes_per_s=GB))
    assert at_best.reason.startswith("That is as fast as the disk allows.")
    assert at_best.next_step == "Only a faster disk or a smaller file helps."


def test_that_what_faster_reading_saves_is_told_of_the_whole_wait():
    found = judge(waited(2, 4, 6), PROBED)
    assert found.saved_ns == 2_800 * MS
    assert found.reason == ("6.00 s of 12.0 s. Reading: 4.00 s; faster reading saves up to 2.80 s.")
    reason = judge(WATCHED, PROBED).reason
    assert reason.startswith("Reading takes 6.00 s; 1.20 s is possible here. While reading, it ")


def test_that_what_held_its_reading_back_leads_where_the_disk_was_not_measured():
    contended = changed(WATCHED, io_wait_share=0.1, run_queue_share=0.7, cpu_count=4)
    found = judge(contended, UNKNOWN_LIMITS)
    assert "waits 70% of the time for a free processor" in found.reason
    assert found.next_step.startswith("Close programs")
    assert (
        "doctor MODEL --probe"
        in judge(changed(WATCHED, io_wait_share=None), UNKNOWN_LIMITS).next_step
    )


def test_that_a_gain_within_the_noise_is_none():
    assert judge(waited(0, 10, 1), Limits(device_bytes_per_s=GB / 3.2)).tone == "good"
    assert judge(waited(2, 0.4, 9.6), PROBED).tone == "plain"


def test_that_a_run_that_does_not_count_is_no_success():
    assert judge(changed(WATCHED, counts=False), SLOW).tone == "warn"


@given(
    before_ns=st.integers(1, 20 * S),
    reading_ns=st.integers(0, 20 * S),
    after_ns=st.integers(0, 20 * S),
    rate=st.floats(GB / 10, 20 * GB),
)
def test_that_only_reading_at_its_limit_is_called_good(before_ns, reading_ns, after_ns, rate):
    run = waited(before_ns / S, reading_ns / S, after_ns / S)
    found = judge(run, Limits(device_bytes_per_s=rate))
    assert sum(part.share for part in found.parts) == pytest.approx(1.0)
    if found.tone == "good":
        assert 2 * run.reading_ns >= run.wall_ns
        assert found.saved_ns <= max(0.1 * run.reading_ns, 0.05 * run.wall_ns)
    others_ns = max(before_ns, after_ns)
    assert (bottleneck_of(run).kind == "outside-reading") == (others_ns > reading_ns)


def test_that_where_the_reading_alone_is_compared_it_is_judged_alone():
    run = waited(0.3, 0.8, 4.3)
    assert bottleneck_of(run).clause == (
        "spends 80% of the wait after reading: load settings hardly change that"
    )
    assert bottleneck_of(run).evidence[1] == Evidence("reading", "15%")
    assert bottleneck_of(changed(run, timed="reading")).kind != "outside-reading"


@pytest.mark.parametrize(
    ("figures", "did"),
    [
        ({"cpu_user_ns": 4 * S, "cpu_system_ns": 50 * MS}, "one core busy"),
        ({"cpu_user_ns": 15 * S, "cpu_system_ns": 0}, "3.8 cores busy"),
        (
            {"cpu_user_ns": 0, "cpu_system_ns": S, "grown_bytes": GB},
            "25% of a core busy, mostly in the kernel; fills 1 GB of new memory",
        ),
        (
            {"cpu_user_ns": S, "cpu_system_ns": 0, "queued_ns": 3 * S},
            "25% of a core busy; waits for a free processor 75% of the time",
        ),
        (
            {"cpu_user_ns": 0, "cpu_system_ns": 0, "waited_ns": 3 * S, "device_bytes": GB},
            "waits for storage 75% of the time; reads 1 GB from storage",
        ),
        (
            {"cpu_user_ns": 0, "cpu_system_ns": 0},
            "idle: waits for a timer, another process or a device",
        ),
        (
            {"processes": 8, "connections": 3},
            "starts at least 8 processes; connects to other machines 3 times",
        ),
        ({"processes": 1, "connections": 1}, "connects to another machine"),
        (
            {"cpu_user_ns": 4 * S, "cpu_system_ns": 0, "until": "ready"},
            "one core busy; until “ready”",
        ),
        ({}, ""),
    ],
)
def test_that_samples_say_what_it_did_after_reading(figures, did):
    part = WaitPart("after-reading", S, 5 * S, **figures)
    assert did_text(part) == did
    assert did_text(WaitPart("after-reading", 5 * S, 5 * S + 50 * MS, **figures)) == ""


@pytest.mark.parametrize(
    ("figures", "said", "remedy"),
    [
        ({"queued_ns": 4 * S}, ", mostly waiting for a processor", "Close programs that keep"),
        ({"waited_ns": 4 * S}, ", mostly waiting for storage", ""),
    ],
)
def test_that_what_most_of_the_largest_part_waits_for_is_named(figures, said, remedy):
    found = judge(with_part(waited(0.3, 0.8, 4.3), "after-reading", 1.1, 5.4, **figures), PROBED)
    assert found.headline == f"80% of the wait comes after reading{said}"
    assert found.next_step.startswith(remedy)


def test_that_a_part_of_a_later_version_is_shown_by_its_name():
    run = with_part(WATCHED, "warm-up", 1, 10, cpu_user_ns=9 * S, cpu_system_ns=0)
    (part,) = judge(run, PROBED).parts
    assert f"{part.name} {part.text}" == "warming up 9.00 s (75%): one core busy"


@pytest.mark.parametrize(
    ("command", "strategy", "name", "preset"),
    [
        ("/opt/llama-server -m x", "llama-server -m MODEL", "llama-server", "llama.cpp"),
        ("python load_with.py x", "transformers default", "transformers default", "transformers"),
        ("python serve.py x", "python serve.py MODEL", "python", ""),
        ("env HF_HUB_OFFLINE=1 vllm serve x", "vllm serve MODEL", "vllm", "vllm"),
    ],
)
def test_that_a_program_is_called_what_people_call_it(command, strategy, name, preset):
    assert program_called(command, strategy) == name
    assert known_name(command, strategy) == preset


READING = changed(
    WATCHED,
    command="",
    strategy="llama-server -m MODEL",
    last_byte_ns=3_300_000_000,
    wall_ns=7 * S,
    timed="reading",
)
"""One of which the reading alone is compared."""


def test_that_time_before_and_after_the_reading_is_not_laid_to_the_disk():
    assert bottleneck_of(READING, PROBED).kind == "device-bandwidth"
    unseen = changed(READING, first_byte_ns=None, last_byte_ns=None)
    assert bottleneck_of(unseen, PROBED).kind == "device-latency"


@pytest.mark.parametrize(("reading_ns", "kind"), [(2 * S, "faults"), (270 * MS, "undecided")])
def test_that_processor_time_is_not_laid_to_a_reading_that_was_over_between_two_samples(
    reading_ns, kind
):
    busy = changed(
        READING,
        last_byte_ns=2 * S + reading_ns,
        io_wait_share=0.06,
        cpu_user_ns=50 * MS,
        cpu_system_ns=reading_ns,
        minor_faults=147_604,
    )
    assert bottleneck_of(busy).kind == kind


@pytest.mark.parametrize(
    ("seen_by", "other_bytes", "is_told"),
    [
        ("trace", 0, True),
        ("trace", READING.asked_bytes, False),
        ("trace", None, False),
        ("residency", None, False),
        ("counters", None, False),
    ],
)
def test_that_other_files_of_a_program_are_no_repeated_reads(seen_by, other_bytes, is_told):
    twice = changed(
        READING,
        seen_by=seen_by,
        device_bytes=2 * READING.asked_bytes,
        other_device_bytes=other_bytes,
        io_wait_share=0.9,
    )
    assert (bottleneck_of(twice).kind == "amplification") == is_told


def test_that_repeated_reads_of_a_program_are_told_without_those_of_other_files():
    asked = READING.asked_bytes
    found = bottleneck_of(
        changed(
            READING,
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
        READING,
        last_byte_ns=4 * S,
        io_wait_share=0.06,
        cpu_user_ns=50 * MS,
        cpu_system_ns=S,
        minor_faults=faults,
    )
    found = bottleneck_of(busy)
    assert found.kind == ("faults" if faults else "page-cache")
    assert found.remedy == "Compare its load settings to see which is faster."
    short = msgspec.structs.replace(BUSY_MACHINE, own_stalled_share=0.9)
    remedy = bottleneck_of(changed(busy, memory=short)).remedy
    assert remedy == "Close other programs, raise the memory limit, or use direct I/O."


def test_that_a_program_that_sleeps_between_reads_is_not_said_to_be_throttled():
    """As seen of one that read 8 MiB and slept for 50 ms by turns."""
    sleepy = with_device(changed(READING, io_wait_share=0.98, last_byte_ns=6 * S), busy_share=0.05)
    assert bottleneck_of(sleepy).kind == "storage"


TURNS = changed(
    READING,
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
    parts = dict(phase_rows(READING))["Timed"]
    assert parts == "before reading 2.00 s, read 1.30 s, after reading 3.70 s"


def test_that_waiting_is_unknown_where_the_threads_did_not_tell():
    unknown = changed(READING, io_wait_share=None)
    assert waiting_share(unknown) is None
    assert waiting_share(changed(COLD, io_wait_share=None)) is not None


def test_that_a_reading_of_no_time_has_no_rate():
    """It was ready before a look saw its first byte."""
    ready = changed(READING, last_byte_ns=READING.first_byte_ns, device_bytes=0)
    found = bottleneck_of(ready, PROBED)
    assert found.clause == "takes the model from memory; a faster disk won't help"


@pytest.mark.parametrize(
    ("run", "limits", "least_ns"),
    [
        (READING, PROBED, 1.2 * S),
        (READING, Limits(device_bytes_per_s=9 * GB, memory_bytes_per_s=1 * GB), 3 * S),
        (READING, Limits(device_bytes_per_s=1 * GB), 3 * S),
        (READING, Limits(memory_bytes_per_s=1 * GB), None),
        (WARM, Limits(memory_bytes_per_s=1 * GB), 3 * S),
        (READING, UNKNOWN_LIMITS, None),
        # Four ranks have the whole model each, which the disk gives once.
        (changed(COLD, load_bytes=12 * GB), PROBED, 1.2 * S),
        (changed(COLD, load_bytes=12 * GB), Limits(9 * GB, 4 * GB), 3 * S),
        (changed(READING, load_bytes=GB), PROBED, 0.4 * S),
        # Nothing is saved of a reading that was not seen.
        (changed(READING, first_byte_ns=None, last_byte_ns=None), PROBED, None),
    ],
)
def test_that_the_slower_of_disk_and_memory_is_the_least(run, limits, least_ns):
    assert least_reading_ns(run, limits) == least_ns


def test_that_phases_of_two_programs_are_medians_in_the_order_they_come():
    slow, slower, fast = waited(2, 4, 6), waited(2, 4, 8), waited(0.01, 4, 0)
    found = phases_side_by_side([slow, slower, slow], [fast])
    assert [(str(each.name), each.first_ns, each.second_ns) for each in found] == [
        ("before reading", 2 * S, 10 * MS),
        ("reading", 4 * S, 4 * S),
        ("after reading", 6 * S, 0),
    ]
    assert phases_side_by_side([slow], []) == ()


def test_that_silences_of_two_starts_are_matched_although_their_lines_have_other_times():
    def start(pid, *silences):
        parts, end = [], 0
        for line, seconds in silences:
            begin, end = end, end + seconds * S
            parts.append(WaitPart("silence", begin, end, line=f"09:{pid}:55 [{pid}] {line}"))
        return changed(WATCHED, parts=tuple(parts), wall_ns=end)

    first = start(11, ("shard 0 of 2", 4), ("shard 0 of 2", 2), ("shard 1 of 2", 4))
    second = start(12, ("begin", 1), ("shard 0 of 2", 1))
    found = phases_side_by_side([first], [second])
    assert [f"{each.name}: {each.text}" for each in found] == [
        "after “[12] begin”: less than 500 ms, then 1.00 s",
        "after “[11] shard 0 of 2”: 6.00 s, then 1.00 s",
        "after “[11] shard 1 of 2”: 4.00 s, then less than 100 ms",
    ]


def test_that_what_goes_on_while_the_model_is_read_is_no_phase_of_its_own():
    slow = waited(2, 4, 6)
    repacks = WaitPart("reading", 2 * S, 6 * S, beside="repack")
    found = phases_side_by_side([changed(slow, parts=(repacks,))], [slow])
    assert [each.name for each in found] == ["before reading", "reading", "after reading"]

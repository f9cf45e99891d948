import re

import msgspec
import pytest
from tests.core.comparison.comparing import MS, arm, play, record, session

from modelmon.core.comparison.commands import GivenCommand, command_arms
from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.run_validity import Checks, is_discarded_for
from modelmon.core.errors import CancelledError, ConfigError, LoadFailedError
from modelmon.core.history.rows import ArmOf
from modelmon.core.load.config import LoadConfig
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import record_of
from modelmon.core.worker.result import RunFailedError, summarise
from modelmon.core.worker.run_warnings import warned


def test_that_a_clear_difference_ends_the_comparison_after_five_pairs(inspection):
    comparing = session(pairs=11)
    places = []
    while (step := comparing.next_job()) is not None:
        places.append(comparing.place)
        noise = 10 * MS * (comparing.done_runs % 3)
        comparing.add(record(step[1], (900 if step[0] == "A" else 400) * MS + noise))
    assert places[0] == places[1] == "pair 1 of at most 11"
    assert places[-1] == "pair 5 of at most 11"
    assert len(places) == len(comparing.order) == 10
    verdict = comparing.comparison(inspection).verdict
    assert (verdict.winner, verdict.pairs) == ("B", 5)


def test_that_arms_that_are_alike_end_a_comparison_early_too(inspection):
    comparing = session(pairs=11)
    while (step := comparing.next_job()) is not None:
        comparing.add(record(step[1], 900 * MS + comparing.done_runs * MS // 4))
    verdict = comparing.comparison(inspection).verdict
    assert (verdict.winner, verdict.pairs) == ("no-difference", 5)


def test_that_scattered_runs_use_all_pairs(inspection):
    comparing = session(pairs=7)
    while (step := comparing.next_job()) is not None:
        first_is_slow = comparing.done_runs // 2 % 2 == 0
        comparing.add(record(step[1], (900 if (step[0] == "A") == first_is_slow else 400) * MS))
    verdict = comparing.comparison(inspection).verdict
    assert (verdict.winner, verdict.pairs) == ("undecided", 7)


def test_that_a_fixed_number_of_pairs_is_run_although_decided(inspection):
    conditions = Conditions("/m", "cold", max_pairs=8, early_stop=False)
    comparing = CompareSession(arm("A", "mmap"), arm("B", "parallel"), conditions)
    assert comparing.place == "pair 1 of 8"
    while (step := comparing.next_job()) is not None:
        comparing.add(record(step[1], (900 if step[0] == "A" else 400) * MS))
    verdict = comparing.comparison(inspection).verdict
    assert (verdict.winner, verdict.pairs) == ("B", 8)


def test_that_a_look_waits_for_five_pairs_that_count(inspection):
    """One run of the second pair never starts as asked, not even when it is repeated."""
    comparing = session(pairs=11)
    while (step := comparing.next_job()) is not None:
        counts = comparing.done_runs != 3
        comparing.add(record(step[1], (900 if step[0] == "A" else 400) * MS, counts=counts))
    comparison = comparing.comparison(inspection)
    assert comparison.verdict.pairs == 5
    assert len(comparison.order) == 12
    assert comparison.arm_a.discarded + comparison.arm_b.discarded == 3


def test_that_an_equivalent_is_measured_as_often_as_the_pairs_that_were_run(inspection):
    comparing = session("processes", pairs=11)
    last = ""
    while (step := comparing.next_job()) is not None:
        last = comparing.place
        comparing.add(record(step[1], (900 if step[0] == "A" else 400) * MS))
    comparison = comparing.comparison(inspection)
    assert comparison.verdict.pairs == 5
    assert comparison.equivalent_a is not None
    assert comparison.equivalent_a.runs == 5
    assert last == "run 15 of 15 (with threads, for exports)"


def test_that_a_run_that_did_not_start_as_asked_is_repeated_and_not_counted(inspection):
    comparing = session(pairs=5)
    runs = 0
    while (step := comparing.next_job()) is not None:
        comparing.add(record(step[1], 1000 * MS, counts=runs != 3))
        runs += 1
    comparison = comparing.comparison(inspection)
    assert runs == 11
    assert comparison.arm_a.runs == comparison.arm_b.runs == 5
    assert comparison.arm_a.discarded + comparison.arm_b.discarded == 1


def test_that_starts_that_can_never_be_cold_end_with_the_reason(inspection):
    comparing = session(pairs=2)
    runs = 0
    while (step := comparing.next_job()) is not None:
        comparing.add(record(step[1], 1000 * MS, counts=False))
        runs += 1
    assert runs == 3  # the first one and two more tries: no use to go on
    with pytest.raises(LoadFailedError, match="wasn't cold"):
        comparing.comparison(inspection)


def test_that_a_process_arm_is_measured_with_threads_too(inspection):
    comparison = play({"A": [900 * MS] * 5, "B": [300 * MS] * 5}, inspection, a="processes")
    assert comparison.equivalent_a is not None
    assert comparison.equivalent_a.runs == 5
    assert comparison.equivalent_a.config.reader_kind == "thread"
    assert comparison.equivalent_b is None
    assert comparison.exported_arm("A") == comparison.equivalent_a
    assert comparison.exported_arm("B") == comparison.arm_b


OURS, UNREAD = LoadConfig(), LoadConfig(deliver="untouched")
THEIRS = LoadConfig(library="gguf.GGUFReader", deliver="untouched")
ALONE = "modelmon run MODEL --strategy gguf.GGUFReader --deliver untouched"


@pytest.mark.parametrize(
    ("a", "b", "instead"),
    [
        (OURS, LoadConfig(deliver="owned"), "--deliver owned for both"),
        (LoadConfig(deliver="decoded"), OURS, "--deliver decoded for both"),
        (UNREAD, OURS, "Only a library can be measured untouched. Try deliver=usable."),
        (OURS, THEIRS, ALONE),
        (THEIRS, OURS, ALONE),
        (THEIRS, THEIRS, ALONE),
    ],
)
def test_that_deliveries_that_are_not_compared_are_answered_with_what_to_type(a, b, instead):
    with pytest.raises(ConfigError, match=re.escape(instead)):
        CompareSession(ArmOf("A", "custom", a), ArmOf("B", "custom", b), Conditions("/m", "cold"))


@pytest.mark.parametrize(
    ("kind", "error", "code"),
    [("cancelled", CancelledError, 130), ("model", RunFailedError, 2), ("io", RunFailedError, 1)],
)
def test_that_a_failed_run_raises_what_its_worker_said(kind, error, code):
    comparing = session()
    step = comparing.next_job()
    assert step is not None
    hello = ev.Hello(ev.PROTOCOL, step[1], "0", 1.0, "Linux", 2)
    with pytest.raises(error, match="it broke") as raised:
        comparing.add(record_of((hello, ev.Failed(kind, "it broke"))))
    assert raised.value.exit_code == code


@pytest.mark.parametrize(("own_bytes", "runs"), [(300 * 10**6, 12), (10**6, 10)])
def test_that_a_programs_first_start_counts_only_with_its_own_files_in_memory(
    inspection, own_bytes, runs
):
    comparing = _commands()
    made = []
    while (step := comparing.next_job()) is not None:
        done = record(step[1], (900 if step[0] == "A" else 400) * MS)
        assert done.finished is not None
        # Each reads what it reads every time, too: only its first start may be another one.
        done.finished = msgspec.structs.replace(done.finished, other_device_bytes=own_bytes)
        made.append(comparing.add(done))
    comparison = comparing.comparison(inspection)
    assert (len(made), comparison.verdict.pairs, comparison.verdict.winner) == (runs, 5, "B")
    left_out = [run for run in made if not run.counts]
    assert len(left_out) == runs - 10
    assert all("own files came from storage" in run.why_not for run in left_out)


def test_that_first_starts_take_none_of_the_repeats_that_other_runs_may_need(inspection):
    comparing = _commands()
    made = 0
    while (step := comparing.next_job()) is not None:
        # The first start of each is of another kind, and the two after them were not cold.
        done = record(step[1], (900 if step[0] == "A" else 400) * MS, counts=made not in (1, 2))
        assert done.finished is not None
        own_bytes = 300 * 10**6 if not comparing.results(step[0]) else 0
        done.finished = msgspec.structs.replace(done.finished, other_device_bytes=own_bytes)
        comparing.add(done)
        made += 1
    comparison = comparing.comparison(inspection)
    assert (made, comparison.verdict.pairs, comparison.verdict.winner) == (14, 5, "B")


def test_that_all_processes_are_looked_at_once_a_pair():
    comparing = session(pairs=3)
    looks = []
    while (step := comparing.next_job()) is not None:
        looks.append(step[1].looks_for_users)
        comparing.add(record(step[1], 500 * MS))
    assert looks == [True, False] * 3


def test_that_a_run_that_was_ended_is_that_and_not_left_out_by_chance():
    checks = Checks(UNKNOWN_LIMITS)
    comparing = session()
    step = comparing.next_job()
    assert step is not None
    done = record(step[1], 500 * MS)
    assert done.finished is not None
    memory = ev.MemoryPressure(free_page_reports=3)
    done.finished = msgspec.structs.replace(done.finished, counts=False, memory=memory)
    done.warnings.append(warned("cut-off", "Not counted: the load was ended."))
    assert is_discarded_for(checks.checked("A", summarise(done)), "cut-off")


@pytest.mark.parametrize(
    ("every", "left_out"),
    [
        pytest.param(6, 1, id="few runs are met by chance"),
        pytest.param(1, 1, id="what meets all runs is no reason to leave one out"),
    ],
)
def test_that_a_run_whose_memory_the_host_took_is_made_again_where_that_meets_few(
    inspection, every, left_out
):
    comparing = session(pairs=5)
    made = []
    while (step := comparing.next_job()) is not None:
        met = not (len(made) + 1) % every
        done = record(step[1], (900 if step[0] == "A" else 400) * MS * (2 if met else 1))
        assert done.finished is not None
        memory = ev.MemoryPressure(free_page_reports=4 if met else 0)
        done.finished = msgspec.structs.replace(done.finished, memory=memory)
        made.append(comparing.add(done))
    comparison = comparing.comparison(inspection)
    assert (comparison.verdict.pairs, comparison.verdict.winner) == (5, "B")
    without = [run for run in made if not run.counts]
    assert len(without) == len(made) - 10 == left_out
    assert all("host took back free memory" in run.why_not for run in without)


def test_that_a_programs_first_start_of_a_comparison_that_goes_on_is_another_one_too():
    before, resumed = _commands(), _commands()
    results = []
    for _ in range(4):
        step = before.next_job()
        assert step is not None
        results.append(before.add(record(step[1], 500 * MS)))
    assert resumed.resume(results) == 4
    counted = []
    for _ in range(4):
        step = resumed.next_job()
        assert step is not None
        done = record(step[1], 500 * MS)
        assert done.finished is not None
        done.finished = msgspec.structs.replace(done.finished, other_device_bytes=300 * 10**6)
        counted.append(resumed.add(done).counts)
    assert counted == [False, True, False, True]


def _commands():
    given = {"A": GivenCommand(("serve", "/m")), "B": GivenCommand(("serve", "--fast", "/m"))}
    arms = command_arms(given, ())
    return CompareSession(arms["A"], arms["B"], Conditions("/m", "cold", max_pairs=5))

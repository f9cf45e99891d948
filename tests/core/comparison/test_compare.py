"""Which runs a comparison asks for, which of them count, and when it ends."""

import re

import pytest
from tests.core.comparison.comparing import MS, next_run, record, run_all, session

from modelmon.core.comparison.commands import GivenCommand, command_arms
from modelmon.core.comparison.compare import CompareSession, Conditions, interleaved
from modelmon.core.comparison.run_validity import Checks, is_discarded_for
from modelmon.core.errors import CancelledError, ConfigError, LoadFailedError
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import LoadConfig
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import record_of
from modelmon.core.worker.result import RunFailedError, summarise
from modelmon.core.worker.run_warnings import warned

CLEAR = {"A": 900, "B": 400}


@pytest.mark.parametrize("pairs", range(1, 9))
@pytest.mark.parametrize("seed", range(5))
def test_that_runs_are_interleaved_in_mirrored_pairs(pairs, seed):
    order = interleaved(pairs, seed)
    assert order.count("A") == order.count("B") == pairs
    for at in range(0, len(order), 2):
        assert set(order[at : at + 2]) == {"A", "B"}
    for at in range(0, len(order) - 3, 4):
        assert order[at : at + 2] == order[at + 3 : at + 1 : -1]
    # One that ends early is the beginning of the whole, which a seed repeats.
    assert order == interleaved(11, seed)[: 2 * pairs]


def test_that_seeds_differ():
    assert len({interleaved(20, seed) for seed in range(10)}) > 1


@pytest.mark.parametrize(
    ("most", "ms", "winner", "pairs"),
    [
        pytest.param(11, lambda at, n: CLEAR[at] + 10 * (n % 3), "B", 5, id="clear"),
        pytest.param(11, lambda _, n: 900 + n / 4, "no-difference", 5, id="alike"),
        pytest.param(
            7, lambda at, n: 900 if (at == "A") == (n // 2 % 2 == 0) else 400, "undecided", 7,
            id="scattered",
        ),
    ],
)  # fmt: skip
def test_that_a_comparison_ends_as_soon_as_it_is_decided(inspection, most, ms, winner, pairs):
    comparing = session(pairs=most)
    assert comparing.place == f"pair 1 of at most {most}"
    assert len(run_all(comparing, ms)) == len(comparing.order) == 2 * pairs
    verdict = comparing.comparison(inspection).verdict
    assert (verdict.winner, verdict.pairs) == (winner, pairs)


def test_that_a_fixed_number_of_pairs_is_run_although_decided(inspection):
    comparing = session(pairs=8, early_stop=False)
    assert comparing.place == "pair 1 of 8"
    run_all(comparing, CLEAR)
    verdict = comparing.comparison(inspection).verdict
    assert (verdict.winner, verdict.pairs) == ("B", 8)


def test_that_a_look_waits_for_five_pairs_that_count(inspection):
    """One run of the second pair never starts as asked, not even when it is repeated."""
    comparing = session(pairs=11)
    run_all(comparing, CLEAR, counts=lambda *_: comparing.done_runs != 3)
    comparison = comparing.comparison(inspection)
    assert comparison.verdict.pairs == 5
    assert len(comparison.order) == 12
    assert comparison.arm_a.discarded + comparison.arm_b.discarded == 3


def test_that_a_run_that_did_not_start_as_asked_is_repeated_and_not_counted(inspection):
    comparing = session(pairs=5)
    assert len(run_all(comparing, {"A": 1000, "B": 1000}, counts=lambda _, n: n != 3)) == 11
    comparison = comparing.comparison(inspection)
    assert comparison.arm_a.runs == comparison.arm_b.runs == 5
    assert comparison.arm_a.discarded + comparison.arm_b.discarded == 1


def test_that_starts_that_can_never_be_cold_end_with_the_reason(inspection):
    comparing = session(pairs=2)
    # The first one and two more tries: no use to go on.
    assert len(run_all(comparing, CLEAR, counts=lambda *_: False)) == 3
    with pytest.raises(LoadFailedError, match="wasn't cold"):
        comparing.comparison(inspection)


OURS, UNREAD = LoadConfig(), LoadConfig(deliver="untouched")
THEIRS = LoadConfig(library="gguf.GGUFReader", deliver="untouched")
ALONE = "modelmon run MODEL --strategy gguf.GGUFReader --deliver untouched"


@pytest.mark.parametrize(
    ("a", "b", "instead"),
    [
        (OURS, LoadConfig(deliver="owned"), "owned for both with --deliver"),
        (LoadConfig(deliver="decoded"), OURS, "decoded for both with --deliver"),
        (UNREAD, OURS, "Only a library can be measured untouched. Try deliver=usable."),
        (OURS, THEIRS, ALONE),
        (THEIRS, OURS, ALONE),
    ],
)
def test_that_deliveries_that_are_not_compared_are_answered_with_what_to_type(a, b, instead):
    with pytest.raises(ConfigError, match=re.escape(instead)):
        CompareSession(
            Entrant("A", "custom", a), Entrant("B", "custom", b), Conditions("/m", "cold")
        )


@pytest.mark.parametrize(
    ("kind", "error", "code"),
    [("cancelled", CancelledError, 130), ("model", RunFailedError, 2), ("io", RunFailedError, 1)],
)
def test_that_a_failed_run_raises_what_its_worker_said(kind, error, code):
    comparing = session()
    hello = ev.Hello(ev.PROTOCOL, next_run(comparing)[1], "0", 1.0, "Linux", 2)
    with pytest.raises(error, match="it broke") as raised:
        comparing.add(record_of((hello, ev.Failed(kind, "it broke"))))
    assert raised.value.exit_code == code


def test_that_all_processes_are_looked_at_once_a_pair():
    comparing, looks = session(pairs=3), []
    while (step := comparing.next_job()) is not None:
        looks.append(step[1].looks_for_users)
        comparing.add(record(step[1], 500 * MS))
    assert looks == [True, False] * 3


def _commands():
    given = {"A": GivenCommand(("serve", "/m")), "B": GivenCommand(("serve", "--fast", "/m"))}
    arms = command_arms(given, ())
    return CompareSession(arms["A"], arms["B"], Conditions("/m", "cold", max_pairs=5))


OWN_FILES = 300 * 10**6


@pytest.mark.parametrize(
    ("own_bytes", "counts", "runs"),
    [
        # Each reads what it reads every time, too: only its first start may be another one.
        pytest.param(OWN_FILES, lambda *_: True, 12, id="read"),
        pytest.param(10**6, lambda *_: True, 10, id="cached"),
        # First starts take none of the repeats that the two after them need, which weren't cold.
        pytest.param(OWN_FILES, lambda _, n: n not in (1, 2), 14, id="and others not cold"),
    ],
)
def test_that_a_programs_first_start_counts_only_with_its_own_files_in_memory(
    inspection, own_bytes, counts, runs
):
    comparing = _commands()
    made = run_all(comparing, CLEAR, counts=counts, other_device_bytes=lambda *_: own_bytes)
    verdict = comparing.comparison(inspection).verdict
    assert (len(made), verdict.pairs, verdict.winner) == (runs, 5, "B")
    left_out = [run for run in made if "own files came from storage" in run.why_not]
    assert len(left_out) == (2 if own_bytes == OWN_FILES else 0)


def test_that_a_programs_first_start_of_a_comparison_that_goes_on_is_another_one_too():
    before, resumed = _commands(), _commands()
    assert resumed.resume(run_all(before, CLEAR, most=4)) == 4
    made = run_all(resumed, CLEAR, most=4, other_device_bytes=lambda *_: OWN_FILES)
    assert [run.counts for run in made] == [False, True, False, True]


def test_that_a_run_that_was_ended_is_that_and_not_left_out_by_chance():
    memory = ev.MemoryPressure(free_page_reports=3)
    done = record(next_run(session())[1], 500 * MS, counts=False, memory=memory)
    done.warnings[:] = [warned("cut-off", "Not counted: the load was ended.")]
    assert is_discarded_for(Checks(UNKNOWN_LIMITS).checked("A", summarise(done)), "cut-off")


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
    def met(number):
        return not (number + 1) % every

    comparing = session(pairs=5)
    made = run_all(
        comparing,
        lambda label, number: CLEAR[label] * (2 if met(number) else 1),
        memory=lambda _, number: ev.MemoryPressure(free_page_reports=4 if met(number) else 0),
    )
    verdict = comparing.comparison(inspection).verdict
    assert (verdict.pairs, verdict.winner) == (5, "B")
    without = [run for run in made if not run.counts]
    assert len(without) == len(made) - 10 == left_out
    assert all("host took back free memory" in run.why_not for run in without)

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from modelmon.core.errors import CancelledError, ConfigError, LoadFailedError
from modelmon.core.experiment.compare import Arm, CompareSession, Conditions
from modelmon.core.experiment.preflight.preflight import Preflight, look_at
from modelmon.core.experiment.summary import RunFailedError
from modelmon.core.experiment.verdict import judge
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.presets import PRESETS
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord, record_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.experiment.result import Comparison

MS = 10**6


def arm(label: str, strategy: str) -> Arm:
    return Arm("A" if label == "A" else "B", strategy, PRESETS[strategy].config)


def session(a: str = "mmap", b: str = "parallel", pairs: int = 5) -> CompareSession:
    return CompareSession(arm("A", a), arm("B", b), Conditions("/m", "cold", max_pairs=pairs))


def record(job: ev.Job, wall_ns: int, *, counts: bool = True, wait: float = 0.8) -> RunRecord:
    size = 10**9
    warnings = [] if counts else [ev.Warned("cache-not-cold", "This start was not cold.")]
    return record_of(
        (
            ev.Hello(ev.PROTOCOL, job, "0", 1.0, "Linux", 2),
            ev.Planned("m", size, size, 9, 1, ("/m",), (size,), ("b",), (size,), "sda", "ext4"),
            ev.Ready(0.0, "cachestat", 1),
            ev.Started(),
            *warnings,
            ev.Finished(
                wall_ns=wall_ns,
                warmup_ns=0,
                delivered_bytes=size,
                memory_kind="owned",
                cache_state="cold" if counts else "mixed",
                cache_evidence="verified",
                counts=counts,
                samples=20,
                dropped_samples=0,
                max_late_ns=0,
                supervisor_cpu_ns=1,
                startup_ns=1,
                device_bytes=size,
                io_wait_share=wait,
                cpu_system_ns=wall_ns // 10,
            ),
        )
    )


@pytest.fixture(scope="module")
def preflight(sample: Path) -> Preflight:
    return look_at(sample)


def play(times: dict[str, Sequence[int]], preflight: Preflight, a: str = "mmap") -> Comparison:
    comparing = session(a, pairs=len(times["A"]))
    left = {label: iter(values) for label, values in times.items()}
    while (step := comparing.next_job()) is not None:
        label, job = step
        comparing.add(record(job, next(left[label], 500 * MS)))
    return comparing.comparison(preflight)


def test_that_a_clear_winner_is_named_with_its_interval_and_cause(preflight: Preflight) -> None:
    slow = [2300 * MS, 2310 * MS, 2290 * MS, 2320 * MS, 2305 * MS]
    fast = [1000 * MS, 1001 * MS, 999 * MS, 1002 * MS, 1000 * MS]
    verdict = play({"A": slow, "B": fast}, preflight).verdict
    assert verdict.winner == "B"
    assert verdict.confidence == "high"
    assert "B loads 2.31 times as fast as A (98 %: 2.29-2.32)" in verdict.sentence
    assert "A waits for the disk 80 % of the time" in verdict.reason
    assert "Warm starts were not measured." in verdict.caveat


def test_that_a_faster_a_wins_as_well(preflight: Preflight) -> None:
    verdict = play({"A": [100 * MS] * 5, "B": [300 * MS] * 5}, preflight).verdict
    assert verdict.winner == "A"
    assert verdict.sentence.startswith("A loads 3.00 times as fast as B")


def test_that_inside_the_noise_no_difference_is_seen(preflight: Preflight) -> None:
    times = [1000 * MS, 1030 * MS, 980 * MS, 1010 * MS, 990 * MS]
    verdict = play({"A": times, "B": times[::-1]}, preflight).verdict
    assert verdict.winner == "no-difference"
    assert verdict.sentence.startswith(
        "No difference larger than 5 % (A's time ÷ B's, 98 %: 0.97-1.03, 5 runs each)"
    )
    assert "A difference of 4 % or more would have been seen." in verdict.reason


def test_that_runs_that_scatter_widely_prove_nothing_either_way(preflight: Preflight) -> None:
    slow = [300 * MS, 900 * MS, 310 * MS, 1000 * MS, 320 * MS]
    fast = [400 * MS, 350 * MS, 900 * MS, 300 * MS, 950 * MS]
    verdict = play({"A": slow, "B": fast}, preflight).verdict
    assert verdict.winner == "undecided"
    assert "scatter" in verdict.sentence
    # What one run of several that differ was held back by is not what all were.
    assert "B in its middle run waits" in verdict.reason
    assert verdict.detectable_share is None


def test_that_an_undecided_comparison_says_how_many_pairs_it_takes(preflight: Preflight) -> None:
    slow = [1000 * MS, 1090 * MS, 980 * MS, 1060 * MS, 990 * MS]
    other = [1050 * MS, 960 * MS, 1080 * MS, 970 * MS, 1060 * MS]
    verdict = play({"A": slow, "B": other}, preflight).verdict
    assert verdict.winner == "undecided"
    assert verdict.pairs_needed is not None
    assert verdict.pairs_needed > 5
    assert f"one of 5 % takes about {round(verdict.pairs_needed, -1)} pairs" in verdict.reason


def test_that_a_clear_difference_ends_the_comparison_after_five_pairs(preflight: Preflight) -> None:
    comparing = session(pairs=11)
    places = []
    while (step := comparing.next_job()) is not None:
        places.append(comparing.place)
        noise = 10 * MS * (comparing.done_runs % 3)
        comparing.add(record(step[1], (900 if step[0] == "A" else 400) * MS + noise))
    assert places[0] == places[1] == "pair 1 of at most 11"
    assert places[-1] == "pair 5 of at most 11"
    assert len(places) == len(comparing.order) == 10
    verdict = comparing.comparison(preflight).verdict
    assert (verdict.winner, verdict.pairs, verdict.looks) == ("B", 5, (5, 7, 9, 11))


def test_that_arms_that_are_alike_end_a_comparison_early_too(preflight: Preflight) -> None:
    comparing = session(pairs=11)
    while (step := comparing.next_job()) is not None:
        comparing.add(record(step[1], 900 * MS + comparing.done_runs * MS // 4))
    verdict = comparing.comparison(preflight).verdict
    assert (verdict.winner, verdict.pairs) == ("no-difference", 5)


def test_that_scattered_runs_use_all_pairs(preflight: Preflight) -> None:
    comparing = session(pairs=7)
    while (step := comparing.next_job()) is not None:
        first_is_slow = comparing.done_runs // 2 % 2 == 0
        comparing.add(record(step[1], (900 if (step[0] == "A") == first_is_slow else 400) * MS))
    verdict = comparing.comparison(preflight).verdict
    assert (verdict.winner, verdict.pairs) == ("undecided", 7)


def test_that_a_fixed_number_of_pairs_is_run_although_decided(preflight: Preflight) -> None:
    conditions = Conditions("/m", "cold", max_pairs=8, early_stop=False)
    comparing = CompareSession(arm("A", "mmap"), arm("B", "parallel"), conditions)
    assert comparing.place == "pair 1 of 8"
    while (step := comparing.next_job()) is not None:
        comparing.add(record(step[1], (900 if step[0] == "A" else 400) * MS))
    verdict = comparing.comparison(preflight).verdict
    assert (verdict.winner, verdict.pairs, verdict.looks) == ("B", 8, (8,))


def test_that_a_look_waits_for_five_pairs_that_count(preflight: Preflight) -> None:
    """One run of the second pair never starts as asked, not even when it is repeated."""
    comparing = session(pairs=11)
    while (step := comparing.next_job()) is not None:
        counts = comparing.done_runs != 3
        comparing.add(record(step[1], (900 if step[0] == "A" else 400) * MS, counts=counts))
    comparison = comparing.comparison(preflight)
    assert comparison.verdict.pairs == 5
    assert len(comparison.order) == 12
    assert comparison.arm_a.discarded + comparison.arm_b.discarded == 3


def test_that_an_equivalent_is_measured_as_often_as_the_pairs_that_were_run(
    preflight: Preflight,
) -> None:
    comparing = session("processes", pairs=11)
    last = ""
    while (step := comparing.next_job()) is not None:
        last = comparing.place
        comparing.add(record(step[1], (900 if step[0] == "A" else 400) * MS))
    comparison = comparing.comparison(preflight)
    assert comparison.verdict.pairs == 5
    assert comparison.equivalent_a is not None
    assert comparison.equivalent_a.runs == 5
    assert last == "run 15 of 15"


def test_that_an_outlier_is_named_and_counted(preflight: Preflight) -> None:
    slow = [2300 * MS, 2310 * MS, 9000 * MS, 2320 * MS, 2305 * MS]
    comparison = play({"A": slow, "B": [1000 * MS] * 5}, preflight)
    assert comparison.arm_a.outliers == 1
    assert comparison.arm_a.runs == 5
    scores = [run.modified_z or 0.0 for run in comparison.runs_a]
    assert [score > 3.5 for score in scores] == [False, False, True, False, False]
    assert "Outliers, counted all the same: 1 of A." in comparison.verdict.caveat


def test_that_under_five_pairs_no_winner_is_named(preflight: Preflight) -> None:
    verdict = play({"A": [2000 * MS] * 4, "B": [1000 * MS] * 4}, preflight).verdict
    assert verdict.winner == "undecided"
    assert verdict.coverage_share is None
    assert "too few runs" in verdict.sentence


def test_that_a_run_that_did_not_start_as_asked_is_repeated_and_not_counted(
    preflight: Preflight,
) -> None:
    comparing = session(pairs=5)
    runs = 0
    while (step := comparing.next_job()) is not None:
        comparing.add(record(step[1], 1000 * MS, counts=runs != 3))
        runs += 1
    comparison = comparing.comparison(preflight)
    assert runs == 11
    assert comparison.arm_a.runs == comparison.arm_b.runs == 5
    assert comparison.arm_a.discarded + comparison.arm_b.discarded == 1


def test_that_only_neighbours_are_compared_when_runs_are_not_counted(
    preflight: Preflight,
) -> None:
    """The machine gets slower from pair to pair; within each pair both arms are equal."""
    comparing = session(pairs=6)
    refused = 0
    while (step := comparing.next_job()) is not None:
        label, job = step
        wall_ns = round(1000 * MS * 1.2 ** (comparing.done_runs // 2))
        counts = label == "B" or refused == 3
        refused += not counts
        comparing.add(record(job, wall_ns, counts=counts))
    verdict = comparing.comparison(preflight).verdict
    assert verdict.pairs == 5
    assert verdict.ratio == pytest.approx(1.0)
    assert verdict.winner == "no-difference"


def test_that_a_steady_but_tiny_difference_names_no_winner(preflight: Preflight) -> None:
    verdict = play({"A": [1004 * MS] * 5, "B": [1000 * MS] * 5}, preflight).verdict
    assert verdict.winner == "no-difference"


def test_that_times_are_left_out_where_they_would_contradict_the_ratio(
    preflight: Preflight,
) -> None:
    """Each pair says B, while the medians over all runs, counted or not in a pair, say A."""
    played = play({"A": [100 * MS] * 5, "B": [80 * MS] * 5}, preflight)
    arm_a = msgspec.structs.replace(played.arm_a, median_ns=70 * MS)
    arm_b = msgspec.structs.replace(played.arm_b, median_ns=90 * MS)
    sentence = judge(arm_a, arm_b, played.runs_a, played.runs_b).sentence
    assert sentence.startswith("B loads 1.25 times as fast as A")
    assert "instead of" not in sentence


def test_that_starts_that_can_never_be_cold_end_with_the_reason(preflight: Preflight) -> None:
    comparing = session(pairs=2)
    runs = 0
    while (step := comparing.next_job()) is not None:
        comparing.add(record(step[1], 1000 * MS, counts=False))
        runs += 1
    assert runs == 3  # the first one and two more tries: no use to go on
    with pytest.raises(LoadFailedError, match="not cold"):
        comparing.comparison(preflight)


def test_that_a_process_arm_is_measured_with_threads_too(preflight: Preflight) -> None:
    comparison = play({"A": [900 * MS] * 5, "B": [300 * MS] * 5}, preflight, a="processes")
    assert comparison.equivalent_a is not None
    assert comparison.equivalent_a.runs == 5
    assert comparison.equivalent_a.config.reader_kind == "thread"
    assert comparison.equivalent_b is None
    assert comparison.exported_arm("A") == comparison.equivalent_a
    assert comparison.exported_arm("B") == comparison.arm_b


def test_that_arms_with_different_delivery_are_not_compared() -> None:
    other = Arm("B", "custom", LoadConfig(deliver="owned"))
    with pytest.raises(ConfigError, match="same delivery"):
        CompareSession(arm("A", "mmap"), other, Conditions("/m", "cold"))


@pytest.mark.parametrize(
    ("kind", "error", "code"),
    [("cancelled", CancelledError, 130), ("model", RunFailedError, 2), ("io", RunFailedError, 1)],
)
def test_that_a_failed_run_raises_what_its_worker_said(
    kind: ev.FailureKind, error: type[LoadFailedError], code: int
) -> None:
    comparing = session()
    step = comparing.next_job()
    assert step is not None
    hello = ev.Hello(ev.PROTOCOL, step[1], "0", 1.0, "Linux", 2)
    with pytest.raises(error, match="it broke") as raised:
        comparing.add(record_of((hello, ev.Failed(kind, "it broke"))))
    assert raised.value.exit_code == code

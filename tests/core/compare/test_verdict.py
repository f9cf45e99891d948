"""What a comparison says in the end: who is faster, by how much, and how sure that is."""

import msgspec
import pytest
from tests.core.compare.comparing import MS, play, record, session

from modelmon.core.compare import verdict as verdict_module
from modelmon.core.compare.spread import RatioInterval
from modelmon.core.compare.verdict import judge, mirrored, time_goes


def test_that_a_clear_winner_is_named_with_its_interval_and_cause(inspection):
    slow = [2300 * MS, 2310 * MS, 2290 * MS, 2320 * MS, 2305 * MS]
    fast = [1000 * MS, 1001 * MS, 999 * MS, 1002 * MS, 1000 * MS]
    verdict = play({"A": slow, "B": fast}, inspection).verdict
    assert verdict.winner == "B"
    assert verdict.confidence == "high"
    assert verdict.sentence == "Use parallel: 2.3× as fast as mmap"
    assert verdict.reason == (
        "1.00 s instead of 2.31 s from a cold start. Very likely 2.28× to 2.32× as fast."
    )
    comparison = play({"A": slow, "B": fast}, inspection)
    cause = time_goes("mmap", comparison.arm_a)
    assert "waits for responses 80% of the time: it gets 43% of the 1.00 GB/s" in cause
    assert "Only cold starts were measured." in verdict.caveat


def test_that_a_faster_a_wins_as_well(inspection):
    verdict = play({"A": [100 * MS] * 5, "B": [300 * MS] * 5}, inspection).verdict
    assert verdict.winner == "A"
    assert verdict.sentence == "Use mmap: 3.0× as fast as parallel"


def test_that_inside_the_noise_no_difference_is_seen(inspection):
    times = [1000 * MS, 1030 * MS, 980 * MS, 1010 * MS, 990 * MS]
    verdict = play({"A": times, "B": times[::-1]}, inspection).verdict
    assert verdict.winner == "no-difference"
    assert verdict.sentence == "Keep mmap: parallel is just as fast"
    assert verdict.confidence == "high"
    assert "the difference is very likely under 5%" in verdict.reason
    assert verdict.sensitivity == "Smallest detectable difference: 4%."


def test_that_runs_that_scatter_widely_prove_nothing_either_way(inspection):
    slow = [300 * MS, 900 * MS, 310 * MS, 1000 * MS, 320 * MS]
    fast = [400 * MS, 350 * MS, 900 * MS, 300 * MS, 950 * MS]
    verdict = play({"A": slow, "B": fast}, inspection).verdict
    assert verdict.winner == "undecided"
    assert verdict.sentence == "No clear winner: keep mmap or compare again"
    assert verdict.reason.startswith("mmap likely takes between ")
    assert verdict.reason.endswith(" more time than parallel.")
    # What one run of several that differ was held back by is not what all were.
    comparison = play({"A": slow, "B": fast}, inspection)
    assert time_goes("parallel", comparison.arm_b).startswith("parallel, in its median run, ")
    assert verdict.detectable_share is None


def test_that_a_range_is_not_said_to_include_1_where_it_does_not(inspection):
    """From less than is worth a change to more than is the same: nobody is named."""
    times = [time * MS for time in (1018, 1018, 1018, 1040, 1045)]
    verdict = play({"A": times, "B": [1000 * MS] * 5}, inspection).verdict
    assert verdict.ratio_low is not None
    assert verdict.ratio_low > 1
    assert verdict.winner == "undecided"
    assert verdict.confidence == "low"
    assert verdict.confidence_reason == "5 pairs, the range is too wide"


def test_that_an_undecided_comparison_says_how_many_pairs_it_takes(inspection):
    slow = [1000 * MS, 1090 * MS, 980 * MS, 1060 * MS, 990 * MS]
    other = [1050 * MS, 960 * MS, 1080 * MS, 970 * MS, 1060 * MS]
    verdict = play({"A": slow, "B": other}, inspection).verdict
    assert verdict.winner == "undecided"
    assert verdict.pairs_needed is not None
    assert verdict.pairs_needed > 5
    takes = f"Detecting 5% takes about {round(verdict.pairs_needed, -1)} pairs."
    assert verdict.sensitivity.endswith(takes)


def test_that_an_outlier_is_named_and_counted(inspection):
    slow = [2300 * MS, 2310 * MS, 9000 * MS, 2320 * MS, 2305 * MS]
    comparison = play({"A": slow, "B": [1000 * MS] * 5}, inspection)
    assert comparison.arm_a.outliers == 1
    assert comparison.arm_a.runs == 5
    scores = [run.modified_z or 0.0 for run in comparison.runs_a]
    assert [score > 3.5 for score in scores] == [False, False, True, False, False]
    assert "Outliers (counted): 1 of A." in comparison.verdict.caveat


def test_that_under_five_pairs_no_winner_is_named(inspection):
    verdict = play({"A": [2000 * MS] * 4, "B": [1000 * MS] * 4}, inspection).verdict
    assert verdict.winner == "undecided"
    assert verdict.coverage_share is None
    assert verdict.sentence == "Too early to tell: run at least 5 pairs"
    assert verdict.reason == "4 pairs so far: mmap 2.00 s, parallel 1.00 s."


def test_that_only_neighbours_are_compared_when_runs_are_not_counted(inspection):
    """The machine gets slower from pair to pair; within each pair both arms are equal."""
    comparing = session(pairs=6)
    refused = 0
    while (step := comparing.next_job()) is not None:
        label, job = step
        wall_ns = round(1000 * MS * 1.2 ** (comparing.done_runs // 2))
        counts = label == "B" or refused == 3
        refused += not counts
        comparing.add(record(job, wall_ns, counts=counts))
    verdict = comparing.comparison(inspection).verdict
    assert verdict.pairs == 5
    assert verdict.ratio == pytest.approx(1.0)
    assert verdict.winner == "no-difference"


def test_that_a_steady_but_tiny_difference_names_no_winner(inspection):
    verdict = play({"A": [1004 * MS] * 5, "B": [1000 * MS] * 5}, inspection).verdict
    assert verdict.winner == "no-difference"


def test_that_times_are_left_out_where_they_would_contradict_the_ratio(inspection):
    """Each pair says B, while the medians over all runs, counted or not in a pair, say A."""
    played = play({"A": [100 * MS] * 5, "B": [80 * MS] * 5}, inspection)
    arm_a = msgspec.structs.replace(played.arm_a, median_ns=70 * MS)
    arm_b = msgspec.structs.replace(played.arm_b, median_ns=90 * MS)
    verdict = judge(arm_a, arm_b, played.runs_a, played.runs_b)
    assert verdict.sentence == "Use parallel: 1.2× as fast as mmap"
    assert verdict.reason.startswith("Very likely")


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1.052, 1.63, "1.05× to 1.63×"),
        (1.003, 1.2, "1.003× to 1.20×"),
        (2.0, 2.0, "2.00×"),
        (11.61, 16.24, "11.6× to 16.3×"),
    ],
)
def test_that_bounds_are_rounded_outward_and_never_to_no_difference(
    inspection, monkeypatch, low, high, text
):
    played = play({"A": [2000 * MS] * 5, "B": [1000 * MS] * 5}, inspection)
    interval = RatioInterval((low + high) / 2, low, high, 0.98, 5)
    monkeypatch.setattr(verdict_module, "ratio_interval", lambda *_: interval)
    verdict = judge(played.arm_a, played.arm_b, played.runs_a, played.runs_b)
    assert verdict.reason.endswith(f"Very likely {text} as fast.")


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1.011, 1.12, "1% to 11% less"),
        (1.003, 1.08, "0.2% to 8% less"),
        (1.0004, 1.08, "<0.1% to 8% less"),
        (1.25, 1.25, "20% less"),
    ],
)
def test_that_a_range_is_told_in_the_unit_of_its_headline(inspection, monkeypatch, low, high, text):
    played = play({"A": [1066 * MS] * 5, "B": [1000 * MS] * 5}, inspection)
    interval = RatioInterval(1.066, low, high, 0.98, 5)
    monkeypatch.setattr(verdict_module, "ratio_interval", lambda *_: interval)
    verdict = judge(played.arm_a, played.arm_b, played.runs_a, played.runs_b)
    assert verdict.sentence == "Use parallel: 6% less time than mmap"
    assert verdict.reason == (f"1.00 s instead of 1.07 s from a cold start. Very likely {text}.")


def test_that_medians_that_tell_another_ratio_are_told_as_medians(inspection):
    played = play({"A": [1066 * MS] * 5, "B": [1000 * MS] * 5}, inspection)
    slower = msgspec.structs.replace(played.arm_a, median_ns=1120 * MS)
    verdict = judge(slower, played.arm_b, played.runs_a, played.runs_b)
    assert verdict.sentence == "Use parallel: 6% less time than mmap"
    assert verdict.reason.startswith("Median times 1.00 s and 1.12 s from a cold start. Very")


def test_that_a_comparison_says_the_same_with_its_arms_exchanged(inspection):
    slow, fast = [2300 * MS, 2310 * MS, 2290 * MS, 2320 * MS, 2305 * MS], [1000 * MS] * 5
    given = play({"A": slow, "B": fast}, inspection)
    other = mirrored(given)
    assert (other.verdict.winner, other.arm_a.label, other.arm_a.strategy) == ("A", "A", "parallel")
    assert other.verdict.sentence == given.verdict.sentence
    assert other.verdict.ratio == pytest.approx(1 / (given.verdict.ratio or 0))
    assert other.runs("A") == given.runs("B")
    assert mirrored(other).verdict.sentence == given.verdict.sentence

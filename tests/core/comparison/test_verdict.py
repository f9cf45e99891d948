"""What a comparison says in the end: who is faster, by how much, and how sure that is."""

import os
import re
from contextlib import redirect_stdout
from io import StringIO
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.comparison.comparing import MS, play, record, session

from modelmon.core.cli.compare import show_comparison
from modelmon.core.comparison.verdict import mirrored, time_goes
from modelmon.core.measure import ComparisonReport
from modelmon.core.messages import from_wire, to_text


def printed(comparison):
    with patch.dict(os.environ, COLUMNS="200"), redirect_stdout(StringIO()) as out:
        show_comparison(comparison)
    return out.getvalue()


SCATTER = (1.0, 1.003, 0.997, 1.004, 0.998)


def scattered(ms):
    return [round(ms * MS * share) for share in SCATTER]


def test_that_a_clear_winner_is_named_with_its_range_and_cause(inspection):
    comparison = play({"A": scattered(2300), "B": scattered(1000)[::-1]}, inspection)
    verdict = comparison.verdict
    assert verdict.winner == "B"
    assert verdict.confidence == "high"
    assert verdict.sentence == "Use parallel: 2.3× as fast as mmap"
    assert verdict.reason.startswith("1.00 s instead of 2.30 s from a cold start (likely 2.2")
    cause = time_goes("mmap", comparison.arm_a)
    assert "waits for responses 80% of the time: it gets 43% of the 1.00 GB/s" in cause
    assert "Only cold starts were measured." in verdict.caveat


def test_that_a_faster_a_wins_as_well(inspection):
    verdict = play({"A": [100 * MS] * 5, "B": [300 * MS] * 5}, inspection).verdict
    assert verdict.winner == "A"
    assert verdict.sentence == "Use mmap: 3.0× as fast as parallel"


def test_that_five_runs_apart_from_five_others_have_a_winner(inspection):
    slow, fast = [236, 250, 262, 281, 295], [204, 226, 215, 208, 221]
    times = {"A": [ms * MS for ms in slow], "B": [ms * MS for ms in fast]}
    verdict = play(times, inspection).verdict
    assert (verdict.winner, verdict.pairs) == ("B", 5)
    assert verdict.sentence == "Use parallel: 1.2× as fast as mmap"


def test_that_one_outlier_of_eleven_vetoes_no_winner(inspection):
    slow = [88, 85, 82, 90, 86, 87, 93, 95, 84, 86, 88]
    fast = [156, 63, 64, 65, 66, 70, 72, 75, 80, 61, 62]
    times = {"A": [ms * MS for ms in slow], "B": [ms * MS for ms in fast]}
    assert play(times, inspection).verdict.winner == "B"


@given(pairs=st.lists(st.tuples(*[st.integers(50, 5000)] * 2), min_size=1, max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_each_figure_of_the_answer_stands_in_the_table_beside_it(inspection, pairs):
    """Whatever outliers there are, and wherever the medians: all is of one posterior."""
    times = {
        label: [ms * MS for ms in each]
        for label, each in zip("AB", zip(*pairs, strict=True), strict=True)
    }
    found = play(times, inspection)
    quotient = found.arm_a.usual_ns / found.arm_b.usual_ns
    assert found.verdict.ratio == pytest.approx(quotient)
    html = ComparisonReport(found)._repr_html_().replace("</tr>", "\n")
    for text in (printed(found), re.sub("<[^>]+>", "  ", html)):
        answer, table = text.split("Estimate", 1)
        estimates = re.findall(r"^ *[AB] +(?:mmap|parallel) +(\S+ \S+)", table, re.MULTILINE)
        assert len(estimates) == 2, text
        told = re.findall(r"([\d.]+ (?:ms|s))\b(?= instead| from|[.;] | and)", answer)
        assert all(each in estimates for each in told), text
        if ratio := re.search(r"([\d.]+)× as fast", found.verdict.sentence):
            assert float(ratio[1]) == pytest.approx(max(quotient, 1 / quotient), rel=0.05)


def test_that_inside_the_noise_no_difference_is_seen(inspection):
    times = [1000 * MS, 1008 * MS, 994 * MS, 1002 * MS, 996 * MS]
    verdict = play({"A": times, "B": times[::-1]}, inspection).verdict
    assert verdict.winner == "no-difference"
    assert verdict.sentence == "Keep mmap: parallel is just as fast"
    assert verdict.confidence == "high"
    assert verdict.reason.endswith("; very likely less than 5% apart.")
    assert re.fullmatch(r"These runs can't show differences below \d%\.", verdict.sensitivity)


def test_that_runs_that_scatter_widely_prove_nothing_either_way(inspection):
    slow = [300 * MS, 900 * MS, 310 * MS, 1000 * MS, 320 * MS]
    fast = [400 * MS, 350 * MS, 900 * MS, 300 * MS, 950 * MS]
    comparison = play({"A": slow, "B": fast}, inspection)
    verdict = comparison.verdict
    assert verdict.winner == "undecided"
    assert verdict.sentence == "No clear winner: keep mmap"
    assert re.match(r"parallel takes between \d+% less and \d+% more time\. ", verdict.reason)
    assert verdict.reason.endswith("Compare again for a clearer result.")
    # What one run of several that differ was held back by is not what all were.
    assert time_goes("parallel", comparison.arm_b).startswith("parallel, in its median run, ")
    assert re.search(r"below \d\.\d×\.$", verdict.sensitivity)


def test_that_what_is_likely_but_not_clear_keeps_what_is_used(inspection):
    slow = [1070 * MS, 1010 * MS, 1090 * MS, 1060 * MS, 1120 * MS]
    other = [1000 * MS, 990 * MS, 1040 * MS, 970 * MS, 1030 * MS]
    verdict = play({"A": slow, "B": other}, inspection).verdict
    assert verdict.winner == "undecided"
    assert verdict.ratio_low > 1
    assert verdict.sentence == "No clear winner yet: keep mmap"
    assert re.match(r"parallel likely takes \d+(\.\d)?% to \d+% less time\. ", verdict.reason)
    assert verdict.confidence_reason == "5 pairs, the range is too wide"


def test_that_an_undecided_comparison_says_how_many_pairs_it_takes(inspection):
    slow = [1000 * MS, 1090 * MS, 980 * MS, 1060 * MS, 990 * MS]
    other = [1050 * MS, 960 * MS, 1080 * MS, 970 * MS, 1060 * MS]
    verdict = play({"A": slow, "B": other}, inspection).verdict
    assert verdict.winner == "undecided"
    assert verdict.pairs_needed > 5
    takes = f"About {round(verdict.pairs_needed, -1)} pairs show a difference of 5%."
    assert verdict.reason.endswith(takes)


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
    assert verdict.sentence == "Too early to tell"
    assert verdict.reason == "4 pairs so far: 2.00 s and 1.00 s. Run at least 5."


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
    assert verdict.ratio == pytest.approx(1.0, abs=0.001)
    assert verdict.winner == "no-difference"


def test_that_a_steady_but_tiny_difference_names_no_winner(inspection):
    verdict = play({"A": [1004 * MS] * 5, "B": [1000 * MS] * 5}, inspection).verdict
    assert verdict.winner == "no-difference"


@pytest.mark.parametrize(
    ("a_ms", "b_ms", "sentence"),
    [
        (1035, 1000, "Keep mmap: parallel saves only 3%"),
        (1000, 1035, "Keep mmap: 3% less time than parallel"),
        (1080, 1000, "Use parallel: 7% less time than mmap"),
    ],
)
def test_that_a_few_percent_change_nothing(inspection, a_ms, b_ms, sentence):
    times = {"A": scattered(a_ms) * 4, "B": scattered(b_ms) * 4}
    verdict = play(times, inspection).verdict
    assert verdict.winner == ("B" if a_ms > b_ms else "A")
    assert verdict.sentence == sentence


def test_that_a_comparison_says_the_same_with_its_arms_exchanged(inspection):
    given = play({"A": scattered(2300), "B": [1000 * MS] * 5}, inspection)
    other = mirrored(given)
    assert (other.verdict.winner, other.arm_a.label, other.arm_a.strategy) == ("A", "A", "parallel")
    assert other.verdict.sentence == given.verdict.sentence
    assert other.verdict.ratio == pytest.approx(1 / (given.verdict.ratio or 0))
    assert other.runs("A") == given.runs("B")
    assert mirrored(other).verdict.sentence == given.verdict.sentence


def test_that_a_verdict_of_an_earlier_version_still_opens(inspection):
    verdict = play({"A": scattered(2300), "B": scattered(1000)}, inspection).verdict
    kept = msgspec.to_builtins(verdict, enc_hook=to_text)
    kept |= {"estimate": 2.3, "estimate_low": 2.2, "looks": [5, 7], "detectable_share": 0.1}
    opened = msgspec.convert(kept, type(verdict), dec_hook=from_wire)
    assert (opened.winner, opened.ratio) == ("B", verdict.ratio)

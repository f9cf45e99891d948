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

from modelmon.core.cli.output import print_items
from modelmon.core.comparison.verdict import mirrored, time_goes
from modelmon.core.export.outcomes import OneRun, outcome_of
from modelmon.core.export.result_items import comparison_items
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.measure import ComparisonReport
from modelmon.core.messages import from_wire, to_text


def printed(comparison):
    with patch.dict(os.environ, COLUMNS="200"), redirect_stdout(StringIO()) as out:
        print_items(*comparison_items(comparison))
    return out.getvalue()


SCATTER = (1.0, 1.003, 0.997, 1.004, 0.998)


def scattered(ms):
    return [ms * share for share in SCATTER]


def of_ms(a_ms, b_ms, inspection):
    """What is said of runs that took so long."""
    times = {"A": [round(ms * MS) for ms in a_ms], "B": [round(ms * MS) for ms in b_ms]}
    return play(times, inspection)


def test_that_a_clear_winner_is_named_with_its_range_and_cause(inspection):
    comparison = of_ms(scattered(2300), scattered(1000)[::-1], inspection)
    verdict = comparison.verdict
    assert verdict.winner == "B"
    assert verdict.confidence == "high"
    assert verdict.sentence == "Use parallel: 2.3× as fast as mmap"
    assert verdict.reason.startswith("1.00 s instead of 2.30 s from a cold start (likely 2.2")
    cause = time_goes("mmap", comparison.arm_a)
    assert "waits for responses 80% of the time: it gets 43% of the 1.00 GB/s" in cause
    assert "Only cold starts were measured." in verdict.caveat


def test_that_no_strategy_is_advised_in_place_of_a_program(inspection):
    found = of_ms(scattered(2300), scattered(1000)[::-1], inspection)
    config = LoadConfig(library=PROGRAM)
    arm_a = msgspec.structs.replace(found.arm_a, strategy="llama-server", config=config)
    told = mirrored(msgspec.structs.replace(found, arm_a=arm_a)).verdict
    assert told.sentence == "parallel: 2.3× as fast as llama-server"


SLOW, QUICK = (236, 250, 262, 281, 295), (204, 226, 215, 208, 221)
OUTLIER = (156, 63, 64, 65, 66, 70, 72, 75, 80, 61, 62)


@pytest.mark.parametrize(
    ("a_ms", "b_ms", "winner", "sentence"),
    [
        ((100,) * 5, (300,) * 5, "A", "Use mmap: 3.0× as fast as parallel"),
        (SLOW, QUICK, "B", "Use parallel: 1.2× as fast as mmap"),
        # One outlier of eleven vetoes no winner.
        ((88, 85, 82, 90, 86, 87, 93, 95, 84, 86, 88), OUTLIER, "B", "Use parallel: "),
        ((1004,) * 5, (1000,) * 5, "no-difference", "Keep mmap: parallel is just as fast"),
        ((2000,) * 4, (1000,) * 4, "undecided", "Too early to tell"),
        # A few percent change nothing.
        (scattered(1035) * 4, scattered(1000) * 4, "B", "Keep mmap: parallel saves only 3%"),
        (scattered(1000) * 4, scattered(1035) * 4, "A", "Keep mmap: 3% less time than parallel"),
        (scattered(1080) * 4, scattered(1000) * 4, "B", "Use parallel: 7% less time than mmap"),
    ],
)
def test_that_the_answer_follows_from_the_runs(inspection, a_ms, b_ms, winner, sentence):
    verdict = of_ms(a_ms, b_ms, inspection).verdict
    assert verdict.winner == winner
    assert verdict.pairs >= min(5, len(a_ms))
    assert verdict.sentence.startswith(sentence)


@given(pairs=st.lists(st.tuples(*[st.integers(50, 5000)] * 2), min_size=1, max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_each_figure_of_the_answer_stands_in_the_table_beside_it(inspection, pairs):
    """Whatever outliers there are, and wherever the medians: all is of one posterior."""
    found = of_ms(*zip(*pairs, strict=True), inspection)
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
    times = (1000, 1008, 994, 1002, 996)
    verdict = of_ms(times, times[::-1], inspection).verdict
    assert verdict.winner == "no-difference"
    assert verdict.sentence == "Keep mmap: parallel is just as fast"
    assert verdict.confidence == "high"
    assert verdict.reason.endswith("; very likely less than 5% apart.")
    assert re.fullmatch(r"These runs can't show differences below \d%\.", verdict.sensitivity)


def test_that_runs_that_scatter_widely_prove_nothing_either_way(inspection):
    slow = (300, 900, 310, 1000, 320)
    fast = (400, 350, 900, 300, 950)
    comparison = of_ms(slow, fast, inspection)
    verdict = comparison.verdict
    assert verdict.winner == "undecided"
    assert verdict.sentence == "No clear winner: keep mmap"
    assert re.match(r"parallel takes between \d+% less and \d+% more time\. ", verdict.reason)
    assert verdict.reason.endswith("Compare again for a clearer result.")
    # What one run of several that differ was held back by is not what all were.
    assert time_goes("parallel", comparison.arm_b).startswith("parallel, in its median run, ")
    assert re.search(r"below \d\.\d×\.$", verdict.sensitivity)


def test_that_what_is_likely_but_not_clear_keeps_what_is_used(inspection):
    slow = (1070, 1010, 1090, 1060, 1120)
    other = (1000, 990, 1040, 970, 1030)
    verdict = of_ms(slow, other, inspection).verdict
    assert verdict.winner == "undecided"
    assert verdict.ratio_low > 1
    assert verdict.sentence == "No clear winner yet: keep mmap"
    assert re.match(r"parallel likely takes \d+(\.\d)?% to \d+% less time\. ", verdict.reason)
    assert "5 pairs could still show that by chance." in verdict.reason
    assert verdict.confidence_reason == "5 pairs, the range is too wide"


def test_that_an_undecided_comparison_says_how_many_pairs_it_takes(inspection):
    slow = (1000, 1090, 980, 1060, 990)
    other = (1050, 960, 1080, 970, 1060)
    verdict = of_ms(slow, other, inspection).verdict
    assert verdict.winner == "undecided"
    assert verdict.pairs_needed > 5
    takes = f"About {round(verdict.pairs_needed, -1)} pairs show a difference of 5%."
    assert verdict.reason.endswith(takes)


def test_that_under_five_pairs_more_are_asked_for(inspection):
    verdict = of_ms((2000,) * 4, (1000,) * 4, inspection).verdict
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


def test_that_a_comparison_says_the_same_with_its_arms_exchanged(inspection):
    given = of_ms(scattered(2300), (1000,) * 5, inspection)
    other = mirrored(given)
    assert (other.verdict.winner, other.arm_a.label, other.arm_a.strategy) == ("A", "A", "parallel")
    assert other.verdict.sentence == given.verdict.sentence
    assert other.verdict.ratio == pytest.approx(1 / (given.verdict.ratio or 0))
    assert other.runs("A") == given.runs("B")
    assert mirrored(other).verdict.sentence == given.verdict.sentence


def test_that_times_of_a_part_are_called_so_and_stored_for_the_whole(inspection):
    found = of_ms((400,) * 5, (200,) * 5, inspection)
    part = {"portion": True, "load_bytes": 10**8, "file_bytes": 10**8}
    runs = {
        name: tuple(msgspec.structs.replace(run, **part) for run in getattr(found, name))
        for name in ("runs_a", "runs_b")
    }
    found = mirrored(msgspec.structs.replace(found, **runs))
    assert found.verdict.reason.startswith("200 ms instead of 400 ms")
    assert found.verdict.caveat.startswith("Loaded 100 MB of 1 GB; times are for this part.")
    assert outcome_of(found).storable.median_ns == 10 * 200 * MS
    alone = outcome_of(OneRun(found.runs_a[0], inspection))
    assert alone.effect == "With parallel it took 2.00 s from a cold start."


def test_that_a_verdict_of_an_earlier_version_still_opens(inspection):
    verdict = of_ms(scattered(2300), scattered(1000), inspection).verdict
    kept = msgspec.to_builtins(verdict, enc_hook=to_text)
    kept |= {"estimate": 2.3, "estimate_low": 2.2, "looks": [5, 7], "detectable_share": 0.1}
    opened = msgspec.convert(kept, type(verdict), dec_hook=from_wire)
    assert (opened.winner, opened.ratio) == ("B", verdict.ratio)

import subprocess
import sys

import pytest

from modelmon.core import units


def test_that_data_is_told_in_the_chosen_units_and_requests_stay_binary(monkeypatch):
    monkeypatch.delenv("MODELMON_UNITS", raising=False)
    assert units.size_text(16_106_127_360) == "16.1 GB"
    monkeypatch.setenv("MODELMON_UNITS", "binary")
    assert units.size_text(16_106_127_360) == "15 GiB"
    assert units.rate_text(3 * 2**30 // 2) == "1.50 GiB/s"
    assert units.request_text(2**20) == "1 MiB"


def test_that_processes_started_from_here_use_the_same_units(monkeypatch):
    monkeypatch.setenv("MODELMON_UNITS", "decimal")
    units.use_size_units("binary")
    ask = "from modelmon.core import units; import sys; sys.stdout.write(units.size_text(2**30))"
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert told.stdout == "1 GiB"


def test_that_one_of_a_thing_is_not_several():
    assert (units.counted(1, "run"), units.counted(0, "run")) == ("1 run", "0 runs")
    assert units.counted(1200, "run") == "1,200 runs"


def test_that_whole_minutes_and_hours_are_told_as_such():
    told = [units.duration_text(seconds * 1e9) for seconds in (5.234, 102, 300, 7500, 7200)]
    assert told == ["5.23 s", "1 min 42 s", "5 min", "2 h 5 min", "2 h"]


def test_that_an_estimate_claims_no_more_than_it_knows():
    seconds = (0.004, 0.996, 12.4, 60, 94.6, 121, 296.5, 7260)
    told = [units.rough_text(second * 1e9) for second in seconds]
    assert told == ["1 s", "1 s", "12 s", "1 min", "1 min 35 s", "2 min", "5 min", "2 h 1 min"]


def test_that_a_small_share_is_told_apart_from_none():
    told = [units.percent_text(share) for share in (0, 0.0002, 0.004, 0.11, 1)]
    assert told == ["0%", "<0.1%", "0.4%", "11%", "100%"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.1, "100 ms"),
        (1, "1 s"),
        (1.5, "1.5 s"),
        (45, "45 s"),
        (60, "1 min"),
        (90, "1 min 30 s"),
        (125, "2 min 5 s"),
        (300, "5 min"),
    ],
)
def test_that_a_chosen_time_is_told_as_it_was_chosen(seconds, text):
    assert units.limit_text(seconds * 1e9) == text


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("20us", 20e-6), ("50 ms", 0.05), (" 0.1s", 0.1), ("90", 90), ("5M", 300), ("1.5h", 5400)],
)
def test_that_durations_are_read_as_people_write_them(text, seconds):
    assert units.parse_duration(text) == pytest.approx(seconds)

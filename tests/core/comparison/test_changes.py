"""From when on loads took longer, or less time: told once, with its day, and never without one."""

import random
from datetime import date, datetime, timedelta
from math import exp

import msgspec
import pytest
from tests.core.elsewhere import elsewhere

from modelmon.core.comparison.changes import changes
from modelmon.core.history.file import HistoryFile

MS = 10**6
FIRST = date(2026, 5, 1)
NEW = 10


def day(number):
    return FIRST + timedelta(days=number)


@pytest.fixture
def days(keep, loaded):
    """A run on each day, whose level is a little different from day to day."""

    def enter(factors, strategy="mmap", *origins, first=0, **told):
        draw = random.Random(strategy)
        for number, factor in enumerate(factors, first):
            noon_unix_s = datetime.combine(day(number), datetime.min.time()).timestamp() + 43_200
            wall_ns = 1000 * MS * factor * exp(draw.gauss(0, 0.02))
            told_of = {"wall_ns": round(wall_ns), "started_unix_s": noon_unix_s, **told}
            keep([loaded(strategy, **told_of)], *origins)

    return enter


@pytest.fixture
def found(history):
    return lambda: changes(history, 0.0)


def test_that_a_change_is_told_with_its_day_its_range_and_what_changed_with_it(days, origin, found):
    days([1.0] * NEW)
    days([1.5] * 3, "mmap", msgspec.structs.replace(origin, kernel="Linux 6.8"), first=NEW)
    (change,) = found().changes
    assert change.headline.startswith("tiny, mmap, cold start: ")
    assert change.headline.endswith(f"% longer since {day(NEW)}")
    assert (change.finding, change.before_days, change.since_days) == ("slower", 10, 3)
    assert (change.first_since, change.last_before) == (str(day(NEW)), str(day(NEW - 1)))
    (load,) = change.loads
    assert load.before_ns / load.since_ns == pytest.approx(change.ratio)
    assert 1 / 1.6 < change.ratio_low < change.ratio < change.ratio_high < 1 / 1.4
    assert change.also_changed == ("kernel: Linux 6.1 → Linux 6.8",)
    assert "Linux 6.8" in change.remedy


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        ("rw,vers=4.2,rsize=131072", "rw,vers=4.2,rsize=1048576", "rsize=131072 → rsize=1048576"),
        ("rw,relatime", "rw,relatime,nconnect=8", "none → nconnect=8"),
        ("rw,relatime", "relatime,rw", None),
        ("", "rw,relatime", None),
    ],
    ids=["another value", "one more", "another order", "not known before"],
)
def test_that_a_mount_is_told_by_the_options_that_became_others(
    days, origin, found, then, now, told
):
    days([1.0] * NEW, "mmap", msgspec.structs.replace(origin, mount_options=then))
    days([1.5] * 3, "mmap", msgspec.structs.replace(origin, mount_options=now), first=NEW)
    (change,) = found().changes
    assert change.also_changed == (() if told is None else (f"mount options: {told}",))


def test_that_less_time_is_told_without_advice(days, found):
    days([1.0] * NEW + [0.5] * 4)
    (change,) = found().changes
    assert (change.finding, change.remedy) == ("faster", "")
    assert change.headline.endswith(f"2.0× as fast since {day(NEW)}")


def test_that_two_days_after_nine_show_a_change_and_one_odd_day_none(days, found):
    days([1.0] * NEW + [2.0])
    assert found().changes == ()
    days([2.0], first=NEW + 1)
    assert [change.since_days for change in found().changes] == [2]


def test_that_many_runs_of_one_day_are_too_few(days, found):
    for _ in range(10):
        days([1.0])
        days([2.0], first=1)
    assert (found().changes, found().short_loads) == ((), 1)
    assert found().summary("May") == ("Too early to tell: 1 load, measured on fewer than 7 days.")


def test_that_what_all_loads_of_a_disk_have_in_common_is_told_once(days, found):
    for strategy in ("mmap", "parallel", "direct"):
        days([1.0] * NEW + [1.4] * 5, strategy)
    (change,) = found().changes
    assert {load.strategy for load in change.loads} == {"mmap", "parallel", "direct"}
    assert change.headline.startswith("3 loads from nvme0n1p2 ext4, cold start: ")
    assert "Measure the disk" in change.remedy


def test_that_one_strategy_that_became_slower_is_told_beside_those_that_did_not(days, found):
    for strategy in ("mmap", "parallel", "direct"):
        days([1.0] * NEW + [2.0 if strategy == "direct" else 1.0] * 5, strategy)
    (change,) = found().changes
    assert [load.strategy for load in change.loads] == ["direct"]
    assert "Other loads from nvme0n1p2 ext4 show no change" in change.remedy
    assert found().steady_loads == 2


def test_that_only_changes_since_the_day_are_told(days, history):
    days([1.0] * NEW + [1.5] * 12 + [3.0] * 12)
    since_unix_s = datetime.combine(day(NEW + 1), datetime.min.time()).timestamp()
    (change,) = changes(history, since_unix_s).changes
    assert change.first_since == str(day(NEW + 12))
    assert change.since_days == 12


@pytest.mark.parametrize("what", ["machine", "disk", "model"])
def test_that_changes_never_span_machines_disks_or_models(days, origin, found, what):
    days([1.0] * NEW)
    days([2.0] * NEW, "mmap", elsewhere(origin, what), first=NEW)
    assert (found().changes, found().steady_loads) == ((), 2)


def test_that_changes_of_one_machine_leave_the_others_out(days, origin, history):
    factors = [1.0] * NEW + [2.0] * 4
    days(factors)
    days(factors, "mmap", elsewhere(origin, "machine"))
    assert {change.machine_id for change in changes(history, 0.0).changes} == {"m1", "m2"}
    assert [change.machine_id for change in changes(history, 0.0, "m1").changes] == ["m1"]


def test_that_runs_that_do_not_count_or_started_as_they_were_change_nothing(days, found):
    factors = [1.0] * NEW + [2.0] * 4
    days(factors, counts=False, why_not="no")
    days(factors, cache_state="unknown")
    assert found().changes == ()
    assert found().summary("May") == "No comparable loads since May."


def test_that_starts_that_are_cold_on_this_machine_alone_are_followed_too(days, found):
    days([1.0] * NEW + [2.0] * 4, cache_state="cold-here")
    (change,) = found().changes
    assert change.headline.startswith("tiny, mmap, cold start here: ")


def test_that_a_program_is_followed_that_takes_a_little_more_or_less_each_time(days, found):
    told = {"ready": "exit", "command": "serve m"}
    for number, factor in enumerate([1.0] * NEW + [2.0] * 4):
        days([factor], first=number, load_bytes=10**9 + number, **told)
    assert [change.before_days for change in found().changes] == [NEW]


def test_that_loads_that_only_another_version_can_make_are_followed_by_their_own(
    days, found, history
):
    days([1.0] * NEW + [2.0] * 4)
    with HistoryFile(history.folder / "history.sqlite").writing() as connection:
        connection.execute("""UPDATE runs SET config = replace(config, '"mmap"', '"future"')""")
    days([1.0], first=NEW + 5)
    assert [(change.before_days, change.since_days) for change in found().changes] == [(NEW, 4)]

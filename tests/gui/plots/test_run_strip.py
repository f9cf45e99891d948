"""A strip shows each run where it belongs, tells it from others, and says what it shows."""

import pytest
from PySide6.QtCore import QPointF
from tests.core.comparison.comparing import run_all, session
from tests.gui.window.window_fakes import make_inspection

from modelmon.core.units import duration_text
from modelmon.gui.compare.verdict_details import markdown_text
from modelmon.gui.plots.explanations import STRIP
from modelmon.gui.plots.run_strip import RunStrip
from modelmon.gui.plots.strip_rows import StripMark, axis_of, row_of, rows_of_comparison

MS = 1e6
TIMES_MS = (920, 940, 955, 997, 1010, 1020, 1060)


def row(*times_ms, name="mmap", **others):
    """`others` are runs as `t1285="disturbed"`."""
    marks = [StripMark(time * MS, "counted", f"{name} {time}") for time in times_ms]
    marks += [StripMark(int(at[1:]) * MS, kind, f"{name} {at}") for at, kind in others.items()]
    return row_of(name, "A", marks)


@pytest.fixture
def strip(qtbot):
    made = RunStrip()
    qtbot.addWidget(made)
    made.show_rows((row(*TIMES_MS), row(843, 844, 845, name="auto")), "load time")
    made.resize(400, made.sizeHint().height())
    made.show()
    return made


def test_that_runs_at_the_same_time_do_not_hide_each_other(strip):
    places = [place.at for place in strip.places()]
    assert len({(round(at.x()), round(at.y())) for at in places}) == len(TIMES_MS) + 3
    close = [place.at for place in strip.places() if place.row == 1]
    assert len({at.y() for at in close}) == 3
    assert all(0 < at.x() < strip.width() and 0 < at.y() < strip.height() for at in places)


def test_that_the_run_under_the_pointer_is_named_and_elsewhere_the_row(strip):
    for place in strip.places():
        assert strip.text_at(place.at) == place.mark.text
    assert strip.text_at(QPointF(2, 20)).startswith("mmap: usually 997 ms, likely ")
    assert strip.text_at(QPointF(2, 20)).endswith(STRIP)
    assert strip.text_at(QPointF(2, 55)).startswith("auto: usually 844 ms, 3 runs")
    assert strip.accessibleDescription().startswith("mmap: usually 997 ms")


def test_that_the_range_is_told_from_five_runs_on_and_holds_the_usual_time():
    assert row(700, 710, 720, 730).range_ns is None
    found = row(*TIMES_MS)
    assert found.range_ns is not None
    assert found.range_ns[0] < 997 * MS < found.range_ns[1]
    assert row(700, 700, 700, 700, 700).range_ns == pytest.approx((700 * MS, 700 * MS), rel=0.05)


def test_that_what_does_not_count_is_in_no_usual_time_and_is_told():
    found = row(700, 710, 720, t40="left-out", t1285="disturbed")
    assert found.usual_ns == 715 * MS
    assert found.text == "mmap: usually 715 ms, 4 runs, 1 disturbed, 1 not counted"


def test_that_the_axis_has_its_unit_and_what_is_far_off_does_not_squeeze_it():
    near = axis_of([row(*TIMES_MS, t1285="disturbed")], 6)
    assert near is not None
    assert (near.unit, near.beyond(1285 * MS)) == ("s", "")
    assert [text for _, text in near.ticks] == ["0.9", "1.0", "1.1", "1.2", "1.3"]
    far = axis_of([row(*TIMES_MS, t9300="disturbed", t4="left-out")], 6)
    assert far is not None
    assert (far.beyond(9300 * MS), far.beyond(4 * MS)) == ("right", "left")
    assert far.high_ns < 1400 * MS
    alone = axis_of([row(t9300="disturbed")], 6)
    assert alone is not None
    assert not alone.beyond(9300 * MS)
    assert axis_of([row()], 6) is None
    micro = axis_of([row(0.2, 0.3)], 6)
    assert micro is not None
    assert micro.unit == "µs"


def test_that_a_comparison_shows_the_times_of_its_headline_beside_their_medians():
    """A round that is slow for both says less of either than their medians do."""
    times_ms = {"A": (60, 61, 181, 62, 60), "B": (49, 51, 156, 49, 135)}
    comparing, left = session(), {label: iter(each) for label, each in times_ms.items()}
    run_all(comparing, lambda label, _: next(left[label]))
    found = comparing.comparison(make_inspection())
    arms = (found.arm_a, found.arm_b)
    assert arms[1].expected_ns > 1.1 * arms[1].median_ns
    assert [each.usual_ns for each in rows_of_comparison(found)] == [
        arm.expected_ns for arm in arms
    ]
    table = markdown_text(found)
    for arm in arms:
        estimate, middle = duration_text(arm.expected_ns), duration_text(arm.median_ns)
        assert f"| {arm.label} | {arm.strategy} | {estimate} | {middle} |" in table

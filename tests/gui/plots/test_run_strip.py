"""A strip shows each run where it belongs, tells it from others, and says what it shows."""

import pytest
from PySide6.QtCore import QPointF

from modelmon.gui.plots.run_strip import ABOUT, RunStrip
from modelmon.gui.plots.strip_rows import StripMark, axis_of, row_of

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
    assert strip.text_at(QPointF(2, 20)).endswith(ABOUT)
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

"""A strip shows each run where it belongs, tells it from others, and says what it shows."""

from itertools import combinations
from math import ceil

import pytest
from msgspec.structs import replace
from pyqtgraph import ScatterPlotItem
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.core.comparison.comparing import run_all, session
from tests.gui.window.window_fakes import make_comparison, make_inspection

from modelmon.core.units import duration_text
from modelmon.gui.compare.verdict_details import markdown_text
from modelmon.gui.plots.explanations import STRIP
from modelmon.gui.plots.run_strip import (
    RunStrip,
    StripMark,
    row_of,
    rows_of_comparison,
    span_of,
    title_of,
)

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


def test_that_each_run_is_seen_and_named_under_the_pointer_and_elsewhere_all_rows(qtbot, strip):
    QApplication.processEvents()
    marks = [item for item in strip._items if isinstance(item, ScatterPlotItem)]
    spots = [spot for item in marks for spot in item.points()]
    places = [strip.to_px(spot.pos().x(), spot.pos().y()).toPoint() for spot in spots]
    assert len(places) == len(TIMES_MS) + 3
    for one, other in combinations(places, 2):
        assert (one - other).manhattanLength() >= 6
    for spot, place in zip(spots, places, strict=True):
        # None reaches into the row above or is cut there.
        above = strip.to_px(spot.pos().x(), ceil(spot.pos().y())).toPoint()
        assert place.y() - above.y() >= 4
    for spot, place in zip(spots, places, strict=True):
        viewport = strip.childAt(place)
        assert viewport is not None
        qtbot.mouseMove(viewport, viewport.mapFrom(strip, place))
        QTest.qWait(20)
        assert spot.data() in strip._box.toolTip()
    assert strip.toolTip().startswith("mmap: usually 997 ms, likely ")
    assert "auto: usually 844 ms, 3 runs" in strip.toolTip()
    assert strip.toolTip().endswith(STRIP)
    assert strip.accessibleDescription() == strip.toolTip()


def test_that_the_range_is_told_from_five_runs_that_count():
    assert row(700, 710, 720, 730).range_ns is None
    found = row(*TIMES_MS)
    assert found.range_ns is not None
    assert found.range_ns[0] < 997 * MS < found.range_ns[1]
    assert row(700, 700, 700, 700, 700).range_ns == pytest.approx((700 * MS, 700 * MS), rel=0.05)
    found = row(700, 710, 720, t40="left-out", t1285="disturbed")
    assert found.usual_ns == 715 * MS
    assert found.text == "mmap: usually 715 ms, 4 runs, 1 disturbed, 1 not counted"


def test_that_what_is_far_off_does_not_squeeze_the_axis(strip):
    low, high = span_of([row(*TIMES_MS, t1285="disturbed")])
    assert low < 920 * MS
    assert 1285 * MS < high < 1400 * MS
    low, high = span_of([row(*TIMES_MS, t9300="disturbed", t4="left-out")])
    assert 4 * MS < low < high < 1400 * MS
    low, high = span_of([row(t9300="disturbed")])
    assert low < 9300 * MS < high
    assert span_of([row()]) is None
    for rows, unit in ((row(*TIMES_MS), "s"), (row(0.2, 0.3), "µs")):
        strip.show_rows([rows], "load time")
        assert strip.axes.title == f"load time, {unit}"
    strip.show_rows([row(1, 2, t3="disturbed", t4="left-out")], "load time")
    assert strip.axes.title.endswith("; hollow: disturbed; ×: not counted")


@pytest.mark.parametrize(("width", "signs"), [(400, ["hollow", "×"]), (220, ["hollow"])])
def test_that_the_title_of_the_axis_is_never_cut(strip, width, signs):
    rows = [row(990, t997="disturbed", t1004="left-out", name="a name of some length")]
    strip.show_rows(rows, "time until ready")
    strip.resize(width, strip.height())
    QApplication.processEvents()
    label = strip.axes.sides["bottom"].label
    seen = label.mapRectToScene(label.boundingRect())
    assert seen.left() >= 0
    assert seen.right() <= width
    assert [each.partition(":")[0] for each in label.toPlainText().split("; ")[1:]] == signs


def test_that_a_comparison_shows_the_times_of_its_headline_beside_their_medians():
    """A round that is slow for both says less of either than their medians do."""
    times_ms = {"A": (60, 61, 181, 62, 60), "B": (49, 51, 156, 49, 135)}
    comparing, left = session(), {label: iter(each) for label, each in times_ms.items()}
    run_all(comparing, lambda label, _: next(left[label]))
    found = comparing.comparison(make_inspection())
    arms = (found.arm_a, found.arm_b)
    assert arms[1].expected_ns > 1.1 * arms[1].median_ns
    rows = rows_of_comparison(found)
    assert [each.usual_ns for each in rows] == [arm.expected_ns for arm in arms]
    assert [(each.name, each.label, len(each.marks)) for each in rows] == [
        (arms[0].strategy, "A", 5),
        (arms[1].strategy, "B", 5),
    ]
    table = markdown_text(found)
    for arm in arms:
        estimate, middle = duration_text(arm.expected_ns), duration_text(arm.median_ns)
        assert f"| {arm.label} | {arm.strategy} | {estimate} | {middle} |" in table


def test_that_the_title_says_what_the_times_are_of():
    found = make_comparison()
    assert title_of(found) == "load time"
    ready = tuple(
        replace(run, ready="listening", command="llama-server --load-mode mmap")
        for run in found.runs_a
    )
    assert title_of(replace(found, runs_a=ready, runs_b=ready)) == "time until ready"

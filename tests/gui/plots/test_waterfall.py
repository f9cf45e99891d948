"""The waterfall: rows of blocks on a time axis, sorted, scrolled, selected and explained."""

import csv
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QStyle
from tests.gui.pointing import click, place_of, wheel

from modelmon.core.units import duration_text
from modelmon.gui.blocks.block_rows import ROW_PX
from modelmon.gui.blocks.waterfall import Waterfall

HEIGHT_PX = 290


@pytest.fixture
def waterfall(show, slow, fast):
    """Blocks of the slow run in A and of the fast one, which has four readers, in B."""
    made = show(Waterfall(), 1300, HEIGHT_PX)
    made.set_record("A", slow)
    made.set_record("B", fast)
    QApplication.processEvents()
    return made


def all_rows_seen(waterfall):
    waterfall.resize(waterfall.width(), (len(waterfall.table.names) + 8) * ROW_PX)
    QApplication.processEvents()


def texts(waterfall, row):
    names = waterfall.names
    return [names.index(row, column).data() for column in range(names.columnCount())]


def titles(waterfall):
    sides, names = Qt.Orientation.Horizontal, waterfall.names
    return [names.headerData(at, sides) for at in range(names.columnCount())]


def test_that_each_block_has_a_row_with_its_times(waterfall, fast):
    all_rows_seen(waterfall)
    marks = waterfall.rows.marks("B")
    blocks = fast.blocks
    assert waterfall.table.names == [block.name for block in blocks]
    assert [line.x1() for line in marks.ready] == [(block.ready_ns or 0) / 1e9 for block in blocks]
    starts = [(block.requested_ns or 0) / 1e9 for block in blocks]
    assert [line.x1() for line in marks.waiting] == starts
    assert [line.x2() for line in marks.waiting] == [line.x1() for line in marks.ready]
    assert len(marks.arriving) == sum(len(block.arrivals_ns) for block in blocks) > len(blocks)
    for row, (line, block) in enumerate(zip(marks.ready, blocks, strict=True)):
        assert -row > line.y2() > line.y1() > -row - 1
        assert texts(waterfall, row)[::2] == [block.name, duration_text(block.ready_ns or 0)]
    a = waterfall.rows.marks("A").waiting
    assert all(above.y1() > below.y1() for above, below in zip(a, marks.waiting, strict=True))


def test_that_a_running_load_shows_the_blocks_it_has(waterfall, recordings):
    running = recordings.record(replace(recordings.FAST, until_s=2.0))
    waterfall.set_record("B", running)
    all_rows_seen(waterfall)
    marks = waterfall.rows.marks("B")
    assert len(marks.waiting) == sum(bool(block.requests) for block in running.blocks) < 34
    assert len(marks.ready) == sum(block.ready_ns is not None for block in running.blocks)
    assert len(waterfall.rows.marks("A").ready) == 34
    unfinished = next(row for row, block in enumerate(running.blocks) if block.ready_ns is None)
    assert texts(waterfall, unfinished)[2] == "–"


@pytest.mark.parametrize(("order", "label"), [("A ready first", "A"), ("B ready first", "B")])
def test_that_rows_are_sorted_by_when_they_are_ready(waterfall, order, label):
    waterfall.order_box.setCurrentText(order)
    ready = [waterfall.table.ready_ns(label, name) or 0 for name in waterfall.table.names]
    assert (np.diff(ready) >= 0).all()
    all_rows_seen(waterfall)
    at = [line.x1() for line in waterfall.rows.marks(label).ready]
    assert at == sorted(at)


def test_that_the_largest_difference_comes_first_and_the_unknown_last(waterfall, recordings):
    waterfall.set_record("B", recordings.record(replace(recordings.FAST, until_s=3.0)))
    waterfall.order_box.setCurrentText("Largest difference")
    table = waterfall.table
    pairs = [(table.ready_ns("A", name), table.ready_ns("B", name)) for name in table.names]
    apart = [None if a is None or b is None else abs(a - b) for a, b in pairs]
    known = [each for each in apart if each is not None]
    assert known == sorted(known, reverse=True)
    assert apart == [*known, *[None] * (len(apart) - len(known))]
    assert 0 < len(known) < len(apart)


def test_that_hovering_says_when_a_block_was_requested_and_ready(waterfall, slow, fast):
    waterfall.canvas.hovered.emit(1.0, -3.4)
    assert [row.label for row in waterfall.readout.rows] == ["A", "B"]
    for row, record in zip(waterfall.readout.rows, (slow, fast), strict=True):
        block = record.blocks[3]
        known = (block.requested_ns, block.ready_ns, block.arriving_ns)
        assert row.texts == tuple(duration_text(ns or 0) for ns in known)
    heading = waterfall.readout.text().splitlines()[0]
    assert heading.startswith("layers.2: ")
    assert heading.endswith("requested at  ready at  arriving for")


def test_that_rows_are_drawn_anew_only_where_those_in_sight_have_news(
    waterfall, recordings, monkeypatch
):
    updated = Counter()
    monkeypatch.setattr(waterfall.rows, "draw", lambda: updated.update(["rows"]))
    waterfall.names.dataChanged.connect(lambda *_: updated.update(["names"]))

    def drawn_with(until_s):
        updated.clear()
        waterfall.set_record("A", recordings.record(replace(recordings.SLOW, until_s=until_s)))
        return {*updated}

    waterfall.canvas.end_at(9.0)
    assert drawn_with(1.0) == {"rows", "names"}
    assert drawn_with(4.5) == {"rows", "names"}
    assert drawn_with(5.5) == set()
    # What was out of sight then is shown as it is now.
    waterfall.bar.setValue(20)
    ready = waterfall.table.ready_ns("A", waterfall.table.names[20])
    assert ready is not None
    assert texts(waterfall, 20)[1] == duration_text(ready)
    assert waterfall.rows.marks("A").ready[0].x1() == ready / 1e9


def test_that_a_click_on_row_or_name_selects_the_block(qtbot, waterfall):
    with qtbot.waitSignal(waterfall.block_selected) as selected:
        click(waterfall.canvas, 4.0, -2.5)
    assert selected.args == ["layers.1"]
    with qtbot.waitSignal(waterfall.block_selected) as selected:
        at = waterfall.names_view.visualRect(waterfall.names.index(4, 0)).center()
        viewport = waterfall.names_view.viewport()
        qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    assert selected.args == ["layers.3"]
    for part, name in ((waterfall.canvas, "layers.4"), (waterfall.names_view, "layers.5")):
        with qtbot.waitSignal(waterfall.block_selected) as selected:
            qtbot.keyClick(part, Qt.Key.Key_Down)
        assert selected.args == [name]


def test_that_a_block_selected_elsewhere_comes_into_sight(qtbot, waterfall):
    with qtbot.assertNotEmitted(waterfall.block_selected):
        waterfall.select_block("output")
    low, high = waterfall.canvas.y_range
    row = waterfall.table.names.index("output")
    assert low <= -row - 1 < -row <= high


def test_that_the_wheel_scrolls_rows_and_zooms_with_ctrl(waterfall):
    middle = place_of(waterfall.canvas, 4.0, -3.0)
    whole, top = waterfall.canvas.x_range, waterfall.canvas.y_range[1]
    wheel(*middle, -120)
    assert waterfall.canvas.y_range[1] == top - 3
    assert waterfall.canvas.x_range == whole
    wheel(*middle, 120, Qt.KeyboardModifier.ControlModifier)
    low, high = waterfall.canvas.x_range
    assert whole[0] < low < high < whole[1]
    assert waterfall.canvas.y_range[1] == top - 3


def test_that_the_overview_scrolls_the_rows_also_where_it_is_narrow(qtbot, waterfall):
    overview, bar = waterfall.overview, waterfall.bar
    wide_px = overview.width()
    for width in (1300, 1024):
        waterfall.resize(width, HEIGHT_PX)
        QApplication.processEvents()
        slider = overview.part(QStyle.SubControl.SC_ScrollBarSlider)
        foot = QPoint(slider.center().x(), overview.height() - 2)
        qtbot.mousePress(overview, Qt.MouseButton.LeftButton, pos=slider.center())
        qtbot.mouseMove(overview, foot)
        qtbot.mouseRelease(overview, Qt.MouseButton.LeftButton, pos=foot)
        assert bar.value() == bar.maximum() > 0
        assert waterfall.canvas.y_range[1] == -bar.maximum()
        bar.setValue(0)
    assert overview.width() < wide_px


def test_that_names_stay_beside_their_rows(waterfall):
    waterfall.bar.setValue(7)
    view, canvas = waterfall.names_view, waterfall.canvas
    first = round(-canvas.y_range[1])
    top = view.viewport().mapTo(
        waterfall, view.visualRect(waterfall.names.index(first, 0)).topLeft()
    )
    beside = canvas.mapTo(waterfall, canvas.to_px(0.0, -first).toPoint())
    assert abs(top.y() - beside.y()) <= 1
    waterfall.select_block(waterfall.table.names[first + 2])
    assert {index.row() for index in view.selectedIndexes()} == {first + 2}


def test_that_of_many_blocks_only_those_in_sight_are_drawn(show, recordings):
    waterfall = show(Waterfall(), 1300, HEIGHT_PX)
    waterfall.set_record("A", recordings.record(replace(recordings.SLOW, layers=2_000)))
    QApplication.processEvents()
    assert len(waterfall.table.names) == 2_002
    waterfall.bar.setValue(1_000)
    drawn = waterfall.rows.marks("A").ready
    assert 0 < len(drawn) <= HEIGHT_PX // ROW_PX + 2
    assert -1_000 > drawn[0].y1() > -1_002


def test_that_one_block_has_the_room_of_one(show, recordings):
    waterfall = show(Waterfall(), 1300, HEIGHT_PX)
    record = recordings.record(recordings.SLOW)
    record.blocks = record.blocks[:1]
    record.planned = None
    waterfall.set_record("A", record)
    (line,) = waterfall.rows.marks("A").ready
    assert 0 > line.y2() > line.y1() > -1
    assert waterfall.bar.maximum() == 0


def test_that_hidden_arms_have_neither_marks_nor_a_column(waterfall):
    assert titles(waterfall) == ["block", "A ready", "B ready"]
    waterfall.set_visible_arms({"B"})
    assert titles(waterfall) == ["block", "B ready"]
    assert not any(waterfall.rows.marks("A"))
    assert all(waterfall.rows.marks("B"))


def test_that_the_figures_of_the_shown_arm_are_copied(qtbot, waterfall, fast):
    waterfall.set_visible_arms({"B"})
    qtbot.keyClick(waterfall.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = list(csv.DictReader(QApplication.clipboard().text().splitlines()))
    assert [int(row["requested_ns"]) for row in rows] == [each.requested_ns for each in fast.blocks]
    assert [int(row["arriving_ns"]) for row in rows] == [each.arriving_ns for each in fast.blocks]


def test_that_a_click_on_a_heading_sorts_by_its_column(qtbot, waterfall, slow, fast):
    waterfall.set_record("A", slow)
    waterfall.set_record("B", fast)
    header = waterfall.names_view.horizontalHeader()
    for column, order in reversed(list(enumerate(waterfall.names.orders()))):
        at = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert waterfall.order == order
        assert header.sortIndicatorSection() == column
    names = waterfall.table.names
    assert names == [block.name for block in slow.blocks]

"""The waterfall: rows of blocks on a time axis, sorted, scrolled, selected and explained."""

import csv
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
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


def test_that_each_block_has_a_row_with_its_times(waterfall, slow, fast):
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
    waterfall.canvas.hovered.emit(1.0, -3.4)
    assert [row.label for row in waterfall.readout.rows] == ["A", "B"]
    for row, record in zip(waterfall.readout.rows, (slow, fast), strict=True):
        block = record.blocks[3]
        known = (block.requested_ns, block.ready_ns, block.arriving_ns)
        assert row.texts == tuple(duration_text(ns or 0) for ns in known)
    heading = waterfall.readout.text().splitlines()[0]
    assert heading.startswith("layers.2: ")
    assert heading.endswith("requested at  ready at  arriving for")


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


def test_that_a_click_selects_the_block_and_one_of_elsewhere_is_seen(qtbot, waterfall):
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


def test_that_a_heading_sorts_and_the_shown_arm_is_copied(qtbot, waterfall, slow, fast):
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
    waterfall.set_visible_arms({"B"})
    qtbot.keyClick(waterfall.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = list(csv.DictReader(QApplication.clipboard().text().splitlines()))
    assert [int(row["requested_ns"]) for row in rows] == [each.requested_ns for each in fast.blocks]
    assert [int(row["arriving_ns"]) for row in rows] == [each.arriving_ns for each in fast.blocks]

"""What is zoomed into can be read, and what is shown can be taken along as a table."""

import csv

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication


def highest_ms(records, first, last):
    return max(block.busy_ns for each in records for block in each.blocks[first : last + 1]) / 1e6


def test_that_the_axis_fits_the_bars_in_sight(timings, slow, fast):
    whole = timings.scale
    lowest = min(range(1, len(slow.blocks) - 1), key=lambda at: slow.blocks[at].busy_ns)
    timings.canvas.show_x(lowest - 0.4, lowest + 0.4)
    seen = highest_ms([slow, fast], lowest, lowest)
    assert seen <= timings.scale.high <= 2 * seen
    assert timings.scale.high < whole.high
    timings.reset_view()
    assert timings.scale == whole


def test_that_keys_zoom_at_the_selected_block(timings, qtbot):
    before = timings.canvas.x_range
    timings.select_block(timings.table.names[2])
    for _ in range(3):
        qtbot.keyClick(timings.canvas, Qt.Key.Key_Plus)
    low, high = timings.canvas.x_range
    assert low < 2 < high
    assert high - low == pytest.approx((before[1] - before[0]) / 8)
    for _ in range(3):
        qtbot.keyClick(timings.canvas, Qt.Key.Key_Minus)
    assert timings.canvas.x_range == pytest.approx(before)


def test_that_another_models_blocks_are_all_shown(timings, slow):
    timings.canvas.show_x(2.5, 4.5)
    timings.set_record("B", None)
    assert timings.canvas.x_range == (2.5, 4.5)
    timings.set_record("A", None)
    timings.set_record("A", slow)
    assert timings.canvas.x_range == (-0.5, len(slow.blocks) - 0.5)


def test_that_the_figures_of_the_shown_arm_are_copied(timings, fast, qtbot):
    timings.set_visible_arms({"B"})
    qtbot.keyClick(timings.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = list(csv.DictReader(QApplication.clipboard().text().splitlines()))
    assert {row["run"] for row in rows} == {"B"}
    assert [row["block"] for row in rows] == [block.name for block in fast.blocks]
    assert [int(row["busy_ns"]) for row in rows] == [block.busy_ns for block in fast.blocks]

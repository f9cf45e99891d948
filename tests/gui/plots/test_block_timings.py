from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication
from tests.gui.pointing import click

from modelmon.gui.blocks.block_places import short_names, thinned
from modelmon.gui.blocks.block_timings import BlockTimings
from modelmon.gui.blocks.figures_column import time_texts
from modelmon.gui.widgets.theme import font


def test_that_bars_are_the_blocks_part_of_the_load_time_in_ms(timings, slow):
    assert timings.canvas.axes.title("left") == "ms of load time"
    heights = [bar.height() for bar in timings.arm_bars["A"].bars.rects]
    np.testing.assert_allclose(heights, [block.busy_ns / 1e6 for block in slow.blocks])
    assert sum(heights) == pytest.approx(slow.t_ns / 1e6, rel=1e-3)


def test_that_the_bars_of_a_pair_stand_side_by_side(timings):
    for index in (0, 7):
        a, b = (timings.arm_bars[label].bars.rects[index] for label in ("A", "B"))
        assert index - 0.5 < a.left() < a.right() < b.left() < b.right() < index + 0.5


def test_that_a_running_load_shows_the_blocks_it_has(timings, recordings):
    running = recordings.record(replace(recordings.FAST, until_s=2.0))
    timings.set_record("B", running)
    begun = [block for block in running.blocks if block.requests]
    assert len(timings.arm_bars["B"].bars.rects) == len(begun) < 34


def test_that_a_click_selects_the_block_and_shows_its_time_texts(qtbot, timings, slow):
    with qtbot.waitSignal(timings.block_selected) as selected:
        click(timings.canvas, 9.0, 100.0)
    assert selected.args == ["layers.8"]
    timing = slow.blocks[9]
    assert timings.details.toPlainText().startswith("layers.8")
    assert timings.details.values["Requests", "A"] == str(timing.requests)
    assert timings.details.values["Time", "A"] == f"{timing.busy_ns / 1e6:.0f} ms"
    assert timings.details.values["Rate", "B"].endswith("GB/s")
    with qtbot.waitSignal(timings.block_selected) as selected:
        qtbot.keyClick(timings.canvas, Qt.Key.Key_Right)
    assert selected.args == ["layers.9"]
    with qtbot.assertNotEmitted(timings.block_selected):
        timings.select_block("output")
    assert timings.details.toPlainText().startswith("output")
    timings.select_block("vision.3")
    assert "Select a bar" in timings.details.toPlainText()


def test_that_reading_waiting_and_decoding_of_a_block_are_told_apart(timings, slow, recordings):
    assert not timings.entries["waiting"].isVisible()
    decoded = recordings.record(recordings.SLOW)
    decoded.blocks = tuple(
        structs.replace(each, decode_ns=each.busy_ns // 2, wait_ns=each.busy_ns // 5)
        for each in slow.blocks
    )
    timings.set_record("A", decoded)
    arm = timings.arm_bars["A"]
    for block, foot, above in zip(
        decoded.blocks, arm.decoding.rects, arm.waiting.rects, strict=True
    ):
        assert (foot.top(), foot.bottom()) == pytest.approx((0, block.busy_ns / 2e6), abs=1e-5)
        assert above.top() == pytest.approx(foot.bottom())
        assert above.height() == pytest.approx(block.busy_ns / 5e6, abs=1e-5)
    timings.select_block("layers.8")
    shown = timings.details.values
    told = {name: shown[name, "A"] for name in ("Reading", "Waiting", "Decoding")}
    assert told == {"Reading": "30%", "Waiting": "20%", "Decoding": "50%"}
    assert {shown[name, "B"] for name in told} == {"–"}
    timings.entries["waiting"].click()
    assert not arm.waiting.isVisible()
    assert arm.decoding.isVisible()


def test_that_names_and_bars_follow_the_blocks_while_the_scales_stay(timings, slow):
    def named():
        at = [round(place) for place, _ in timings.canvas.axes.figures["bottom"]]
        names = short_names(timings.table.names)
        assert [text for _, text in timings.canvas.axes.figures["bottom"]] == [
            names[each] for each in at
        ]
        return names

    before, scale = named(), timings.scale
    timings.order_box.setCurrentText("Slowest first")
    assert timings.scale == scale
    assert named() != before
    heights = [bar.height() for bar in timings.arm_bars["A"].bars.rects]
    busy = {block.name: block.busy_ns / 1e6 for block in slow.blocks}
    np.testing.assert_allclose(heights, [busy[name] for name in timings.table.names])
    highest = np.fmax(*(timings.table.times(label, "busy_ns") for label in ("A", "B")))
    assert (np.diff(highest) <= 0).all()
    assert timings.canvas.axes.title("bottom") == "block, slowest first"


def test_that_hovering_gives_both_arms_time_texts(timings):
    timings.canvas.hovered.emit(9.2, 50.0)
    assert [row.label for row in timings.readout.rows] == ["A", "B"]
    assert timings.readout.rows[0].texts[0].endswith(" ms")
    assert "layers.8: 4" in timings.readout.text()
    timings.describe_blocks_with(lambda name: f"9 tensors of {name}, BF16")
    timings.canvas.hovered.emit(9.2, 50.0)
    assert "layers.8: 9 tensors of layers.8, BF16" in timings.readout.text()


def test_that_what_is_read_under_the_pointer_is_that_of_the_load_when_it_has_ended(
    timings, recordings
):
    timings.set_record("B", recordings.record(replace(recordings.FAST, until_s=0.1)))
    timings.canvas.hovered.emit(0.2, 50.0)
    under_way = timings.readout.rows[1].texts
    timings.set_record("B", recordings.record(recordings.FAST))
    ended = timings.readout.rows[1].texts
    assert ended != under_way
    assert ended == time_texts(timings.table.timing("B", timings.table.names[0]))[: len(ended)]
    timings.canvas.left.emit()
    timings.set_record("B", recordings.record(replace(recordings.FAST, until_s=0.1)))
    assert not timings.readout.isVisible()


def test_that_a_selected_block_is_seen_and_no_wider_than_it_must_be(show, recordings):
    timings = show(BlockTimings(), 400, 290)
    timings.set_record("A", recordings.record(replace(recordings.SLOW, layers=400)))
    timings.select_block("layers.200")
    for width in (400, 1600):
        timings.resize(width, 290)
        QApplication.processEvents()
        assert timings.column.isVisible()
        assert timings.column.value() == timings.table.names.index("layers.200")
        assert timings.column.pen.widthF() == 6


def test_that_hidden_arms_have_no_bars(timings):
    timings.set_visible_arms({"A"})
    assert not timings.arm_bars["B"].bars.isVisible()
    timings.set_visible_arms({"A", "B"})
    timings.entries["A"].click()
    assert [timings.arm_bars[label].bars.isVisible() for label in ("A", "B")] == [False, True]


@pytest.mark.parametrize("layers", [22, 400])
@pytest.mark.parametrize("order", ["Execution order", "Slowest first"])
@pytest.mark.parametrize("width", [600, 1158])
def test_that_labels_never_overlap(show, recordings, layers, order, width):
    timings = show(BlockTimings(), width, 290)
    timings.set_record("A", recordings.record(replace(recordings.SLOW, layers=layers)))
    timings.order_box.setCurrentText(order)
    measure = QFontMetricsF(font(11)).horizontalAdvance
    labels = timings.canvas.axes.figures["bottom"]
    spans = [
        (timings.canvas.to_px(x, 0).x() - measure(text) / 2, measure(text)) for x, text in labels
    ]
    assert len(labels) >= 4
    for (left, length), (right, _) in pairwise(spans):
        assert left + length < right


@given(
    st.lists(st.sampled_from(["emb", "out", "7", "12", "345", "d3"]), min_size=1, max_size=60),
    st.floats(0.5, 40.0),
    st.booleans(),
)
def test_that_no_order_of_labels_overlaps(labels, slot_px, in_order):
    places = [index * slot_px for index in range(len(labels))]
    kept = thinned(labels, places, lambda text: 7.0 * len(text), in_order=in_order)
    for one, other in pairwise(kept):
        room = places[other] - places[one]
        assert room > 3.5 * (len(labels[one]) + len(labels[other]))


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

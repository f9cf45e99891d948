from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from PySide6.QtCore import Qt
from tests.gui.pointing import click

from modelmon.gui.blocks.block_places import short_names, thinned


def test_that_bars_are_ms_of_load_time_told_under_the_pointer(timings, slow):
    assert timings.unit == "ms of load time"
    heights = [bar.height() for bar in timings.arm_bars["A"].bars.rects]
    np.testing.assert_allclose(heights, [block.busy_ns / 1e6 for block in slow.blocks])
    assert sum(heights) == pytest.approx(slow.t_ns / 1e6, rel=1e-3)
    timings.canvas.hovered.emit(9.2, 50.0)
    assert [row.label for row in timings.readout.rows] == ["A", "B"]
    assert timings.readout.rows[0].texts[0].endswith(" ms")
    assert "layers.8: 4" in timings.readout.text()
    timings.describe_blocks_with(lambda name: f"9 tensors of {name}, BF16")
    timings.canvas.hovered.emit(9.2, 50.0)
    assert "layers.8: 9 tensors of layers.8, BF16" in timings.readout.text()


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
    assert timings.canvas.axes.title == "block, slowest first"


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

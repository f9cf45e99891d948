"""A part of the files in the page cache strip: by wheel, drag and keys, and exact in its words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QWheelEvent
from PySide6.QtWidgets import QApplication

from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.gui.blocks.block_places import BlockPlaces
from modelmon.gui.blocks.cache_pixels import running_sums, shares_along
from modelmon.gui.blocks.cache_ruler import shard_text
from modelmon.gui.blocks.offset_view import OffsetView, span_texts
from modelmon.gui.blocks.page_cache import PageCache
from modelmon.gui.widgets.theme import font, manager

PAGE, BUCKET = 4096, 4 * 4096
SHARDS, BUCKETS = 30, 16
SHARD = BUCKETS * BUCKET
TOTAL = SHARDS * SHARD


def model(shards=SHARDS):
    """One block a shard."""
    tensors = tuple(Tensor(f"layers.{at}.w", "U8", (SHARD,), at, 0, SHARD) for at in range(shards))
    blocks = tuple(Block(f"layers.{at}", (at,), SHARD) for at in range(shards))
    paths = [f"/data/m-{at + 1:05}-of-{shards:05}.safetensors" for at in range(shards)]
    return Model(
        "m", "/data", "safetensors", tuple(Shard(p, SHARD, 0) for p in paths), tensors, blocks, {}
    )


def every_other_bucket():
    """Of each file the even buckets are cached, the odd ones by a page."""
    pages = (4, 1) * (BUCKETS // 2)
    return ResidencyMap(BUCKET, PAGE, (FileResidency(SHARD, "cachestat", pages),) * SHARDS)


@pytest.fixture
def panel(show):
    made = show(PageCache(), 1100, 300)
    made.set_places(BlockPlaces(model()))
    made.set_look(every_other_bucket(), "14:03:05")
    return made


def place(panel, offset):
    """Where an offset lies in the first line."""
    return QPoint(round(panel.strip.x_of(offset)), round(panel.strip.boxes()[0].center().y()))


def turn(panel, at, x=0, y=0, *, shift=False):
    """Turn the wheel by so many notches."""
    strip = panel.strip
    keys = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    where, turned = QPointF(at), QPoint(x, y) * 120
    event = QWheelEvent(
        *(where, QPointF(strip.mapToGlobal(at)), QPoint(), turned, Qt.MouseButton.NoButton),
        *(keys, Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(strip, event)


@given(
    total=st.integers(1, 10**13),
    steps=st.lists(
        st.tuples(st.sampled_from("zms"), st.floats(0, 1), st.floats(0.01, 100)), max_size=12
    ),
)
def test_that_a_part_never_leaves_the_files(total, steps):
    view = OffsetView.whole(total)
    for kind, share, factor in steps:
        before = view
        at = view.offset_at(share)
        match kind:
            case "z":
                view = view.zoomed(at, factor)
                tolerance = 1e-6 * total
                assert view.low_bytes - tolerance <= at <= view.high_bytes + tolerance
            case "m":
                view = view.moved((share - 0.5) * total)
                assert view.span_bytes == pytest.approx(before.span_bytes)
            case _:
                view = view.showing(share * total / 2, share * total / 2 + total / 1000)
        assert 0 <= view.low_bytes < view.high_bytes <= max(total, 1) * (1 + 1e-9)
    assert view.zoomed(0, 1e9).is_whole


@given(low=st.floats(0, 0.9), share=st.floats(0.01, 0.1), pixels=st.integers(1, 400))
def test_that_the_pixels_of_a_part_add_up_to_what_is_cached_of_it(low, share, pixels):
    sums = running_sums(every_other_bucket())
    part = (low * TOTAL, (low + share) * TOTAL)
    cached = np.diff(np.interp(part, sums.edges, sums.cached))
    shares = shares_along(sums, pixels, part)
    assert shares.mean() * (part[1] - part[0]) == pytest.approx(float(cached[0]), rel=1e-6)


@given(low=st.integers(0, 10**13), distance=st.integers(1, 10**12))
def test_that_two_offsets_can_be_told_apart(low, distance):
    first, last = span_texts(low, low + distance)
    assert first != last
    assert first.split()[1] == last.split()[1]
    value, unit = (float(last.split()[0].replace(",", "")), last.split()[1])
    bytes_per_unit = 1000 ** ["B", "kB", "MB", "GB", "TB", "PB"].index(unit)
    assert abs(value * bytes_per_unit - (low + distance)) <= 0.06 * distance + 0.5


def test_that_the_wheel_zooms_about_the_pointer_and_what_is_told_stays_exact(panel):
    offset = 11 * SHARD + 6.5 * BUCKET
    at = place(panel, offset)
    under = panel.strip.offset_at(at.x())
    assert under is not None
    for _ in range(9):
        turn(panel, at, y=1)
    assert not panel.strip.view.is_whole
    assert panel.strip.x_of(under) == pytest.approx(at.x(), abs=0.01)
    assert "00012-of-00030, 98 kB to 115 kB: layers.11, 1 tensor" in panel.readout.text()
    assert panel.readout.rows[0].texts[0] == "100% (4 of 4 pages)"
    beside = place(panel, offset + BUCKET)
    assert beside.x() - at.x() > 10
    panel.strip.point_at(QPointF(beside))
    assert "115 kB to 131 kB" in panel.readout.text()
    assert panel.readout.rows[0].texts[0] == "25% (1 of 4 pages)"
    picture, theme = panel.strip.grab().toImage(), manager().theme
    full = picture.pixelColor(at * panel.strip.devicePixelRatioF()).name()
    assert full == theme.neutral_1.name()
    assert picture.pixelColor(beside * panel.strip.devicePixelRatioF()).name() != full
    for _ in range(9):
        turn(panel, at, y=-1)
    assert panel.strip.view.is_whole


def test_that_a_wheel_turned_sideways_moves_and_stops_at_the_ends(panel):
    at = place(panel, 0)
    for _ in range(6):
        turn(panel, at, y=1)
    turn(panel, at, x=1)
    assert panel.strip.view.low_bytes == 0
    turn(panel, at, x=-1)
    moved = panel.strip.view.low_bytes
    assert moved > 0
    turn(panel, at, y=-1, shift=True)
    assert panel.strip.view.low_bytes > moved


def test_that_dragging_moves_and_selects_nothing(qtbot, panel):
    strip = panel.strip
    strip.show_view(strip.view.zoomed(TOTAL / 2, 0.1))
    grabbed = place(panel, TOTAL / 2)
    left, button = QPoint(grabbed.x() - 200, grabbed.y()), Qt.MouseButton.LeftButton
    with qtbot.assertNotEmitted(panel.block_selected):
        qtbot.mousePress(strip, button, pos=grabbed)
        qtbot.mouseMove(strip, QPoint(grabbed.x() - 100, grabbed.y()))
        qtbot.mouseMove(strip, left)
        assert abs(strip.x_of(TOTAL / 2) - left.x()) <= 1
        qtbot.mouseRelease(strip, button, pos=left)
    with qtbot.waitSignal(panel.block_selected) as selected:
        qtbot.mouseClick(strip, button, pos=place(panel, 16.5 * SHARD))
    assert selected.args == ["layers.16"]


def test_that_keys_and_the_button_zoom_move_and_reset(qtbot, panel):
    strip = panel.strip
    for key, low, high in (
        (Qt.Key.Key_Plus, 1 / 4, 3 / 4),
        (Qt.Key.Key_PageDown, 2 / 4, 4 / 4),
        (Qt.Key.Key_PageDown, 2 / 4, 4 / 4),
        (Qt.Key.Key_PageUp, 1 / 4, 3 / 4),
        (Qt.Key.Key_Plus, 3 / 8, 5 / 8),
        (Qt.Key.Key_Minus, 1 / 4, 3 / 4),
        (Qt.Key.Key_0, 0, 1),
    ):
        qtbot.keyClick(strip, key)
        shown = (strip.view.low_bytes / TOTAL, strip.view.high_bytes / TOTAL)
        assert shown == pytest.approx((low, high))
    qtbot.keyClick(strip, Qt.Key.Key_Plus)
    assert panel.header.reset.isVisible()
    qtbot.mouseClick(panel.header.reset, Qt.MouseButton.LeftButton)
    assert strip.view.is_whole


def test_that_a_selected_block_is_brought_into_sight(qtbot, panel):
    strip = panel.strip
    strip.show_view(strip.view.zoomed(0, 0.1))
    panel.select_block("layers.20")
    assert strip.view.low_bytes <= 20 * SHARD < 21 * SHARD <= strip.view.high_bytes
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    assert strip.view.low_bytes <= 21 * SHARD < 22 * SHARD <= strip.view.high_bytes


def test_that_another_look_keeps_the_part_and_another_model_shows_all(panel):
    panel.strip.show_view(panel.strip.view.zoomed(0, 0.1))
    shown = panel.strip.view
    panel.set_look(every_other_bucket(), "14:03:06")
    assert panel.strip.view == shown
    panel.set_places(BlockPlaces(model(4)))
    assert panel.strip.view == OffsetView.whole(4 * SHARD)


def test_that_thirty_shards_are_separated_and_numbered(panel):
    picture, strip = panel.strip.grab().toImage(), panel.strip
    ratio = strip.devicePixelRatioF()
    edge = manager().theme.text_2.name()
    for number in range(1, SHARDS):
        at = place(panel, number * SHARD)
        near = {picture.pixelColor((at + QPoint(by, 0)) * ratio).name() for by in (-1, 0, 1)}
        assert edge in near
    metrics = QFontMetricsF(font(11))
    room = strip.x_of(SHARD) - strip.x_of(0)
    names = [shard_text(at, "00007-of-00030", room, metrics) for at in range(SHARDS)]
    assert names == [str(at + 1) for at in range(SHARDS)]
    assert all(metrics.horizontalAdvance(name) <= room for name in names)
    assert shard_text(6, "00007-of-00030", 10 * room, metrics) == "00007-of-00030"

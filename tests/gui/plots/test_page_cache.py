"""The page cache strip: what it draws of real-looking maps, and what it says where it cannot."""

import csv
import io

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from tests.gui.plots.cached_files import (
    BUCKET,
    PAGE,
    SIZES,
    UNKNOWN,
    WATCHED,
    cached,
    model,
    run,
)

from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.messages import Message
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.gui.blocks.block_places import BlockPlaces
from modelmon.gui.blocks.cache_rows import running_sums, shares_along, span_texts
from modelmon.gui.blocks.page_cache import PageCache
from modelmon.gui.plots.items import TextLabel
from modelmon.gui.widgets.theme import manager

SHARDS = 30
SHARD = 16 * BUCKET


@pytest.fixture
def panel(show):
    made = show(PageCache(), 1100, 300)
    made.set_places(BlockPlaces(model()))
    return made


def place(panel, row, offset, height=0.5):
    """Where an offset lies in a line, in pixels of the canvas."""
    return panel.canvas.to_px(offset, -row - 1 - height).toPoint()


def colour_at(panel, row, offset, height=0.5):
    at = place(panel, row, offset, height)
    ratio = panel.canvas.devicePixelRatioF()
    return panel.canvas.grab().toImage().pixelColor(at * ratio).name()


def thirty_shards():
    """One block a shard."""
    tensors = tuple(Tensor(f"layers.{at}.w", "U8", (SHARD,), at, 0, SHARD) for at in range(SHARDS))
    blocks = tuple(Block(f"layers.{at}", (at,), SHARD) for at in range(SHARDS))
    paths = [f"/data/m-{at + 1:05}-of-{SHARDS:05}.safetensors" for at in range(SHARDS)]
    shards = tuple(Shard(path, SHARD, 0) for path in paths)
    return Model("m", "/data", "safetensors", shards, tensors, blocks, {})


def failed():
    """A run that was stopped before it was ready."""
    record = RunRecord()
    record.feed(ev.Failed("cancelled", Message("Stopped.")))
    return record


def captions(panel):
    return [row.name for row in panel.lines.rows]


@given(
    cached_pages=st.lists(st.integers(0, 4), min_size=1, max_size=60),
    short=st.integers(0, BUCKET - 1),
    pixels=st.integers(1, 900),
)
def test_that_pixels_add_up_to_what_is_cached(cached_pages, short, pixels):
    last = -(-(BUCKET - short) // PAGE)
    counts = (*cached_pages[:-1], min(cached_pages[-1], last))
    size = len(counts) * BUCKET - short
    found = ResidencyMap(BUCKET, PAGE, (FileResidency(size, "cachestat", counts),))
    shares = shares_along(running_sums(found), pixels)
    assert ((shares >= -1e-9) & (shares <= 1 + 1e-9)).all()
    whole = [count / 4 * BUCKET for count in counts[:-1]]
    whole.append(counts[-1] / last * (BUCKET - short))
    assert shares.mean() * size == pytest.approx(sum(whole), rel=1e-6, abs=1e-3)


def test_that_an_unknown_file_has_no_share_beside_a_known_one():
    known = FileResidency(10 * BUCKET, "cachestat", (4,) * 10)
    other = FileResidency(10 * BUCKET, "unknown: not open")
    shares = shares_along(running_sums(ResidencyMap(BUCKET, PAGE, (known, other))), 20)
    np.testing.assert_allclose(shares[:10], 1.0)
    assert np.isnan(shares[10:]).all()


def test_that_an_open_model_is_shown_without_any_run(panel):
    panel.set_look(cached(0.5), "14:03:05")
    (row,) = panel.lines.rows
    assert row.caption == "At 14:03:05"
    assert row.summary.startswith("50%, ")
    theme = manager().theme
    assert colour_at(panel, 0, 9 * BUCKET) == theme.neutral_1.name()
    assert colour_at(panel, 0, 50 * BUCKET) == theme.hover.name()
    assert colour_at(panel, 0, SIZES[0] + 9 * BUCKET) == theme.neutral_1.name()


def test_that_a_run_is_shown_before_during_and_after(panel):
    panel.set_record("A", run(*WATCHED))
    assert captions(panel)[1:] == ["A  Before", "A  During", "A  After"]
    summaries = [row.summary.split(",")[0] for row in panel.lines.rows[1:]]
    assert summaries == ["0%", "50%", "100%"]
    theme = manager().theme
    mount, full = theme.hover.name(), theme.a.name()
    assert colour_at(panel, 1, 5 * BUCKET) == mount
    assert colour_at(panel, 3, 60 * BUCKET) == full
    # The look at 0.5 s lies above the one at 1 s: a quarter was cached, then a half.
    assert [colour_at(panel, 2, 5 * BUCKET, at) for at in (0.2, 0.8)] == [full, full]
    assert [colour_at(panel, 2, 25 * BUCKET, at) for at in (0.2, 0.8)] == [mount, full]
    panel.set_record("B", run(*WATCHED))
    # All have room in a low panel.
    panel.resize(1100, 188)
    assert panel.canvas.size_px[1] / 8 >= 12
    assert all(name for _, name in panel.canvas.axes.figures["left"])
    panel.set_visible_arms({"B"})
    assert captions(panel)[1:] == ["B  Before", "B  During", "B  After"]


def test_that_a_running_load_grows(panel):
    record = run(*WATCHED[:2], ends=False)
    panel.set_record("B", record)
    assert panel.lines.rows[3].reason == "Shown once the load has finished."
    record.feed(ev.CacheMap("during", 10**9, 1, cached(0.5)))
    panel.refresh()
    assert panel.lines.rows[2].summary.startswith("50%")
    row = panel.lines.rows[2]
    panel.refresh()
    assert panel.lines.rows[2] is row


@pytest.mark.parametrize(
    ("record", "row", "said"),
    [
        (run(share=0.42), 1, "Not recorded: 42% of the bytes."),
        (run(share=None), 1, "Not recorded."),
        (run(), 2, "Not recorded."),
        (run(), 3, "Not recorded: 100% of the bytes."),
        (run(("before", 0, UNKNOWN)), 1, "Unknown: the file belongs to another user."),
        (run(("before", 0, UNKNOWN)), 2, "Unknown."),
        (run(("before", 0, cached(0.0, "mincore"))), 2, "mincore takes too long"),
        (run(("before", 0, cached(0.0))), 2, "ended before the next check"),
        (failed(), 1, "The load didn't finish."),
        (run(("before", 0, cached(0.0, sizes=(BUCKET,))), sizes=(BUCKET,)), 1, "different files"),
    ],
)
def test_that_a_line_without_a_map_says_why(panel, record, row, said):
    panel.set_record("A", record)
    assert not panel.lines.rows[row].looks
    assert said in panel.lines.rows[row].reason


def test_that_a_look_that_failed_or_does_not_fit_says_why(panel):
    for found, failure, said in (
        (
            cached(1.0, sizes=(SIZES[0] // 2, SIZES[1])),
            "",
            "have changed since the model was opened",
        ),
        (None, "No response from storage for 15 s. Its mount may hang.", "may hang"),
        (UNKNOWN, "", "Unknown: the file belongs to another user."),
    ):
        panel.set_look(found, "14:03:05", failure)
        (row,) = panel.lines.rows
        assert not row.looks
        assert said in row.reason


def test_that_a_long_reason_ends_where_the_plot_does(panel):
    panel.set_look(None, "", "The storage said: " + "no, " * 500)
    labels = [item for item in panel.lines._made if isinstance(item, TextLabel)]
    (shown,) = [label for label in labels if label.toPlainText().startswith("The storage")]
    assert shown.toPlainText().endswith("…")
    assert shown.width_px < panel.canvas.size_px[0] + 20


def test_that_shards_that_were_not_loaded_are_left_out_of_the_sum(panel):
    part = cached(1.0)
    files = (part.files[0], FileResidency(SIZES[1], "unknown: the file is not open"))
    panel.set_record("A", run(("before", 0, msgspec.structs.replace(part, files=files))))
    assert panel.lines.rows[1].summary.startswith("100%, 1.05 MB of 1.05 MB")


def test_that_hovering_names_shard_range_block_and_shares(panel):
    panel.set_look(cached(0.5), "14:03:05")
    panel.set_record("A", run(*WATCHED))
    panel.canvas.hovered.emit(32.5 * BUCKET, -3.4)
    text = panel.readout.text()
    assert "00001-of-00002, 524 kB to 541 kB: b, 2 tensors" in text
    rows = {row.label: row.texts for row in panel.readout.rows}
    assert rows["At 14:03:05"] == ("0% (0 of 4 pages)", "50%")
    assert rows["A at 500 ms"] == ("0% (0 of 4 pages)", "25%")
    assert rows["A  After"] == ("100% (4 of 4 pages)", "100%")
    panel.canvas.left.emit()
    assert panel.readout.isHidden()


def test_that_a_click_and_the_arrow_keys_select_blocks(qtbot, panel):
    panel.set_look(cached(0.5), "14:03:05")
    with qtbot.waitSignal(panel.block_selected) as selected:
        panel.canvas.clicked.emit(SIZES[0] + BUCKET, -1.5)
    assert selected.args == ["c"]
    assert [piece.block for piece in panel.lines.selected] == ["c"]
    with qtbot.waitSignal(panel.block_selected) as selected:
        qtbot.keyClick(panel.canvas, Qt.Key.Key_Left)
    assert selected.args == ["b"]
    with qtbot.assertNotEmitted(panel.block_selected):
        panel.select_block("")
    assert panel.lines.selected == ()


def test_that_the_figures_can_be_copied(panel):
    panel.set_look(cached(0.5), "14:03:05")
    panel.set_record("A", run(*WATCHED))
    panel.set_record("B", run(("before", 0, UNKNOWN)))
    rows = list(csv.DictReader(io.StringIO(panel.csv_text())))
    assert len(rows) == (1 + 1 + 2 + 1) * (64 + 32)
    during = [row for row in rows if row["run"] == "A" and row["line"] == "During"]
    assert {float(row["t_s"]) for row in during} == {0.5, 1.0}
    # One of now is at no time of a run.
    times = {row["line"]: row["t_s"] for row in rows if row["line"] != "During"}
    assert times == {"At 14:03:05": "", "Before": "0.0", "After": "2.0"}
    last = [row for row in rows if row["line"] == "After"][-1]
    assert (last["shard"], last["cached_pages"], last["pages"]) == ("2", "4", "4")


@given(low=st.integers(0, 10**13), distance=st.integers(1, 10**12))
def test_that_two_offsets_can_be_told_apart(low, distance):
    first, last = span_texts(low, low + distance)
    assert first != last
    assert first.split()[1] == last.split()[1]
    value, unit = (float(last.split()[0].replace(",", "")), last.split()[1])
    bytes_per_unit = 1000 ** ["B", "kB", "MB", "GB", "TB", "PB"].index(unit)
    assert abs(value * bytes_per_unit - (low + distance)) <= 0.06 * distance + 0.5


def test_that_a_part_is_shown_exactly_and_said(qtbot, panel):
    panel.set_look(cached(0.5), "14:03:05")
    panel.canvas.zoom_to(24 * BUCKET, 40 * BUCKET)
    assert "393 kB to 655 kB" in panel.canvas.axes.title
    theme = manager().theme
    assert colour_at(panel, 0, 31.5 * BUCKET) == theme.neutral_1.name()
    assert colour_at(panel, 0, 32.5 * BUCKET) == theme.hover.name()
    panel.select_block("c")
    low, high = panel.canvas.x_range
    assert low >= SIZES[0] - BUCKET
    assert high - low == pytest.approx(16 * BUCKET)
    panel.set_look(cached(0.6), "14:03:06")
    assert panel.canvas.x_range == (low, high)
    qtbot.mouseClick(panel.header.reset, Qt.MouseButton.LeftButton)
    assert panel.canvas.x_range == (0, sum(SIZES))
    panel.canvas.zoom_to(0, BUCKET)
    panel.set_places(BlockPlaces(thirty_shards()))
    assert panel.canvas.x_range == (0, SHARDS * SHARD)

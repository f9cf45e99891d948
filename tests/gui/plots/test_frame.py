"""What all plots have: pictures, themes, menus, tables to copy, further runs."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from modelmon.gui.blocks.access_map import AccessMap
from modelmon.gui.blocks.block_timings import BlockTimings
from modelmon.gui.blocks.page_cache import PageCache
from modelmon.gui.plots.cpu import CpuPlot, FaultsPlot
from modelmon.gui.plots.device import DevicePlot
from modelmon.gui.plots.io_wait import IoWaitPlot
from modelmon.gui.plots.pens import overlay_pen
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.saving import save
from modelmon.gui.plots.throughput import ThroughputPlot
from modelmon.gui.plots.traces import OverlaidRun
from modelmon.gui.widgets.theme import DARK, LIGHT

TIME_PLOTS = (ThroughputPlot, IoWaitPlot, RssPlot, CpuPlot, FaultsPlot, DevicePlot)
ALL = (*TIME_PLOTS, BlockTimings, AccessMap, PageCache)


@pytest.fixture(params=ALL, ids=lambda plot: plot.__name__)
def plot(request, show, slow, fast):
    made = show(request.param(), 900, 300)
    made.set_record("A", slow)
    made.set_record("B", fast)
    return made


def _colours(image):
    pixels = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), "<u4")
    return {f"#{colour & 0xFFFFFF:06x}" for colour in np.unique(pixels).tolist()}


def test_that_a_plot_is_saved_as_picture_and_drawing_follows_the_theme_and_is_cleared(
    plot, tmp_path, theme_manager, monkeypatch
):
    path, drawing = tmp_path / "plot.png", tmp_path / "plot.svg"
    save(plot, path)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1800, 600)
    assert {LIGHT.a.name(), LIGHT.panel.name()} <= _colours(image)
    save(plot, drawing)
    assert LIGHT.a.name() in drawing.read_text("utf-8")
    theme_manager.set_mode("dark")
    after = _colours(plot.grab().toImage())
    assert DARK.a.name() in after
    assert not {LIGHT.a.name(), LIGHT.panel.name()} & after
    # News alone are drawn.
    with monkeypatch.context() as patch:
        drawn = []
        patch.setattr(type(plot), "_draw", lambda self, *_: drawn.append(self))
        plot.refresh()
        assert not drawn
    for label in ("A", "B"):
        plot.set_record(label, None)
    assert plot.is_empty
    assert plot.empty_label.text().startswith("Run A or B to see ")


def test_that_a_menu_has_what_a_narrow_header_hides_and_enter_maximises(show, slow, qtbot):
    plot = show(IoWaitPlot(), 260)
    plot.set_record("A", slow)
    QApplication.processEvents()
    assert not plot.entries["iowait"].isVisible()
    menu = plot.make_menu()
    qtbot.addWidget(menu)
    actions = {action.text(): action for action in menu.actions()}
    offered = {"Save plot…", "Copy as CSV", "Maximize", "Hide plot", "Show pressure"}
    assert offered <= set(actions)
    actions["Show iowait"].trigger()
    assert plot.entries["iowait"].isChecked()
    assert plot.traces["A", "iowait"].visible
    plot = show(RssPlot())
    plot.set_record("A", slow)
    with qtbot.waitSignal(plot.maximise_toggled) as asked:
        qtbot.keyClick(plot.canvas, Qt.Key.Key_Return)
    assert asked.args == [True]
    with qtbot.waitSignal(plot.maximise_toggled) as asked:
        qtbot.mouseDClick(plot.header, Qt.MouseButton.LeftButton)
    assert asked.args == [False]


def test_that_what_cannot_be_written_is_reported_and_no_model_is_written_over(
    show, slow, qtbot, tmp_path
):
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")
    plot = show(RssPlot())
    plot.set_record("A", slow)
    for path in (model, tmp_path / "absent" / "plot.csv"):
        with qtbot.waitSignal(plot.failed) as failed:
            save(plot, path)
    assert "Couldn't write" in failed.args[0].message
    assert model.read_bytes() == b"GGUF"


@pytest.mark.parametrize("kind", TIME_PLOTS, ids=lambda plot: plot.__name__)
def test_that_a_table_holds_every_sample_as_it_was_recorded(kind, show, slow, fast, tmp_path):
    plot = show(kind())
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    path = tmp_path / "plot.csv"
    save(plot, path)
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    samples = [("A", sample) for sample in slow.samples] + [("B", s) for s in fast.samples]
    assert len(rows) == len(samples)
    for row, (run, sample) in zip(rows, samples, strict=True):
        assert (row.pop("run"), int(row.pop("t_ns"))) == (run, sample.t_ns)
        for name, text in row.items():
            of_device = name.startswith("device_") and name != "device_bytes"
            source = sample.device if of_device else sample
            value = getattr(source, name.removeprefix("device_") if of_device else name)
            assert (float(text) if text else None) == value, name


def test_that_the_copy_key_puts_the_shown_arms_on_the_clipboard(show, slow, fast, qtbot):
    plot = show(RssPlot())
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    plot.set_visible_arms({"B"})
    with qtbot.waitSignal(plot.notice) as notice:
        qtbot.keyClick(plot.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0] == "run,t_ns,rss_anon_bytes,rss_file_bytes,rss_shared_bytes"
    assert len(lines) == len(fast.samples) + 1
    assert {line[0] for line in lines[1:]} == {"B"}
    assert notice.args == [f"Copied {len(fast.samples)} rows as CSV."]


@pytest.fixture
def throughput(show):
    return show(ThroughputPlot())


def test_that_runs_are_drawn_without_a_or_b(throughput, slow):
    run = OverlaidRun("x1A", slow, 0)
    throughput.set_overlays([run])
    assert not throughput.is_empty
    line = throughput.overlays.lines[run]
    x, y = line.at_x, line.at_y
    assert np.trapezoid(y * 1e9, x) == pytest.approx(slow.delivered_bytes, rel=1e-6)
    throughput.entries["delivered"].click()
    assert not throughput.overlays.visible
    assert throughput.values_at(2.0)[1] == []
    throughput.set_overlays([])
    assert throughput.is_empty


def test_that_axes_hold_the_overlaid_runs_too(throughput, slow, fast, recordings):
    throughput.set_record("B", fast)
    before = throughput.canvas.x_range[1]
    throughput.set_overlays([OverlaidRun("x1A", slow, 0)])
    assert throughput.canvas.x_range[1] > before
    throughput.set_record("B", slow)
    top = throughput.scale.high
    throughput.set_overlays([OverlaidRun("x1B", fast, 0)])
    assert throughput.scale.high > top
    warm = recordings.record(replace(recordings.FAST, rate_bytes_per_s=40e9))
    throughput.set_overlays([OverlaidRun("warm", warm, 0)])
    assert throughput.scale.logarithmic


@pytest.mark.parametrize("kind", [ThroughputPlot, IoWaitPlot, RssPlot])
def test_that_the_crosshair_gives_their_values(show, kind, slow, fast):
    plot = show(kind())
    plot.set_record("A", slow)
    plot.set_overlays([OverlaidRun("x1B", fast, 1)])
    names, rows = plot.values_at(2.0)
    alone = show(kind())
    alone.set_record("B", fast)
    _, expected = alone.values_at(2.0)
    row = rows[-1]
    assert row.label == "x1B"
    assert len(row.texts) == len(names)
    assert row.texts[0] == expected[0].texts[0]
    assert row.texts[0] != "–"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_twelve_lines_differ_from_each_other_and_from_a_and_b(theme):
    def look(pen):
        return pen.color().name(), tuple(pen.dashPattern())

    looks = {look(overlay_pen(theme, style)) for style in range(12)}
    assert len(looks) == 12
    assert not {theme.a.name(), theme.b.name()} & {colour for colour, _ in looks}

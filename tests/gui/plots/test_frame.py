from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from modelmon.gui.blocks.access_map import AccessMap
from modelmon.gui.blocks.block_timings import BlockTimings
from modelmon.gui.blocks.page_cache import PageCache
from modelmon.gui.plots.cpu import CpuPlot, FaultsPlot
from modelmon.gui.plots.device import DevicePlot
from modelmon.gui.plots.header import PlotHeader
from modelmon.gui.plots.io_wait import IoWaitPlot
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.saving import save
from modelmon.gui.plots.throughput import ThroughputPlot
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


def test_that_a_plot_is_saved_as_a_picture_of_twice_the_size_and_as_a_drawing(plot, tmp_path):
    path, drawing = tmp_path / "plot.png", tmp_path / "plot.svg"
    save(plot, path)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1800, 600)
    assert {LIGHT.a.name(), LIGHT.panel.name()} <= _colours(image)
    save(plot, drawing)
    assert LIGHT.a.name() in drawing.read_text("utf-8")


def test_that_a_theme_switch_redraws_all(plot, theme_manager):
    before = _colours(plot.grab().toImage())
    theme_manager.set_mode("dark")
    after = _colours(plot.grab().toImage())
    assert LIGHT.a.name() in before
    assert DARK.a.name() in after
    assert LIGHT.a.name() not in after
    assert LIGHT.panel.name() not in after


def test_that_news_alone_are_drawn_and_clearing_brings_the_empty_state_back(plot, monkeypatch):
    assert not plot.is_empty
    with monkeypatch.context() as patch:
        drawn = []
        patch.setattr(type(plot), "_draw", lambda self, *_: drawn.append(self))
        plot.refresh()
        assert not drawn
    for label in ("A", "B"):
        plot.set_record(label, None)
    assert plot.is_empty
    assert plot.empty_label.text().startswith("Run A or B to see ")


def test_that_the_menu_has_what_a_narrow_header_hides(show, slow, qtbot):
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


@pytest.mark.parametrize("width", [244, 300, 420, 700])
def test_that_the_header_never_cuts_a_word(show, slow, width):
    plot = show(IoWaitPlot(), width)
    plot.set_record("A", slow)
    header = plot.header
    QApplication.processEvents()
    assert header.more.isVisible()
    buttons = (header.maximise, header.reset, header.save, header.more)
    parts = [header.title, *buttons, *plot.entries.values()]
    shown = sorted((part for part in parts if part.isVisible()), key=lambda part: part.x())
    for left, right in pairwise(shown):
        assert left.geometry().right() < right.geometry().left()
    words = [part for part in shown if part not in buttons]
    assert all(part.width() >= part.sizeHint().width() for part in words)
    # The legend goes after the buttons.
    assert plot.entries["waiting"].isVisible() or not header.save.isVisible()


def test_that_a_header_whose_room_and_unit_change_while_it_is_shared_cuts_no_word(qtbot):
    around = QWidget()
    qtbot.addWidget(around)
    header = PlotHeader("Scaling")
    header.setParent(around)
    entries = [QLabel("linear"), QLabel("extrapolated from these")]
    for entry in entries:
        header.add_entry(entry)
    header.set_entry_shown(entries[0], shown=False)
    header.resize(430, 32)
    around.show()

    class Narrowing(QObject):
        """As a layout around the header does once a part of it is shown."""

        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Show and header.width() > 273:
                header.resize(273, 32)
                header.set_unit("GB/s together")
            return super().eventFilter(watched, event)

    narrowing = Narrowing()
    entries[0].installEventFilter(narrowing)
    header.set_entry_shown(entries[0], shown=True)
    QApplication.processEvents()
    shown = [part for part in (header.title, header.unit, *entries) if part.isVisible()]
    buttons = [each for each in (header.maximise, header.more) if each.isVisible()]
    assert header.width() == 273
    assert header.unit in shown
    assert sum(part.sizeHint().width() for part in (*shown, *buttons)) <= header.width()


def test_that_enter_maximises_a_plot_and_brings_it_back(show, slow, qtbot):
    plot = show(RssPlot())
    plot.set_record("A", slow)
    with qtbot.waitSignal(plot.maximise_toggled) as asked:
        qtbot.keyClick(plot.canvas, Qt.Key.Key_Return)
    assert asked.args == [True]
    with qtbot.waitSignal(plot.maximise_toggled) as asked:
        qtbot.mouseDClick(plot.header, Qt.MouseButton.LeftButton)
    assert asked.args == [False]


def test_that_no_picture_is_written_over_a_model(show, qtbot, tmp_path):
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")
    plot = show(RssPlot())
    with qtbot.waitSignal(plot.failed):
        save(plot, model)
    assert model.read_bytes() == b"GGUF"

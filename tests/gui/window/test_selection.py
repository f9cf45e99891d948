"""One block is selected in the whole window: chosen anywhere, shown everywhere."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.endings import load_ended
from tests.gui.pointing import click
from window_fakes import make_inspection, make_model

from modelmon.core.load.config import LoadConfig
from modelmon.core.machine.page_cache import FileResidency, ResidencyMap
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import record_of
from modelmon.gui.model.tensor_tree import BLOCK_ROLE

LAYERS = 6
SIZE = LAYERS * 10**9
BUCKET = 10**9 // 4096 * 4096


def _record():
    """Each layer is read by one request, in order."""
    names = tuple(f"layers.{layer}" for layer in range(LAYERS))
    each = SIZE // LAYERS
    chunks = ev.Chunks(
        *(0, (0,) * LAYERS, tuple(range(0, SIZE, each)), (each,) * LAYERS),
        tuple(range(0, LAYERS * 10**8, 10**8)),
        tuple(range(10**8, (LAYERS + 1) * 10**8, 10**8)),
    )
    timings = tuple(ev.BlockTiming(name, each, 10**8, 1, 10**8) for name in names)
    return record_of(
        [
            ev.Hello(ev.PROTOCOL, ev.Job("/data/llama", LoadConfig()), "0", 1e9, "Linux", 4),
            ev.Planned(
                *("llama", SIZE, SIZE, LAYERS, 1, ("/data/llama/model.safetensors",), (SIZE,)),
                *(names, (each,) * LAYERS, None, "ext4"),
            ),
            ev.Ready(0.0, "cachestat", 0),
            ev.Started(),
            ev.Sample(10**8, 0, each),
            chunks,
            ev.Blocks(timings),
            load_ended(LAYERS * 10**8, SIZE),
        ]
    )


@pytest.fixture
def window(window):
    window.resize(1280, 900)
    window.session.set_inspection(make_inspection(make_model(layers=LAYERS)))
    count = -(-SIZE // BUCKET)
    file = FileResidency(SIZE, "cachestat", (1,) * count)
    window.workspace.page_cache.set_look(ResidencyMap(BUCKET, 4096, (file,)), "14:03:05")
    window.session.show_record("A", _record())
    QApplication.processEvents()
    return window


def show_tab(window, part):
    window.workspace.tabs.setCurrentWidget(part)
    QApplication.processEvents()


def in_tree(window):
    found = window.side.tree.view.currentIndex().data(BLOCK_ROLE)
    return found if isinstance(found, str) else None


def bands(work):
    """The one that is drawn, as a rectangle; none without a selection."""
    around = work.access_map.maps["A"].bands.path().boundingRect()
    return [] if around.isEmpty() else [around]


def in_map(window):
    work = window.workspace
    show_tab(window, work.access_map)
    return [band.top() for band in bands(work)]


def in_strip(window):
    work = window.workspace
    show_tab(window, work.page_cache)
    return [piece.block for piece in work.page_cache.lines.selected]


def everywhere(window, name):
    number = int(name.rsplit(".", 1)[1])
    assert in_tree(window) == name
    assert window.workspace.blocks.selected == window.workspace.waterfall.selected == name
    assert in_strip(window) == [name]
    assert in_map(window) == [pytest.approx(number)]  # the axis is in GB, a layer has one


def test_that_a_block_that_is_selected_anywhere_is_selected_everywhere(window):
    work, tree = window.workspace, window.side.tree.view
    for part, canvas, x, y, name in (
        (work.blocks, lambda: work.blocks.canvas, 2.0, 10.0, "layers.2"),
        (work.waterfall, lambda: work.waterfall.canvas, 0.3, -3.5, "layers.3"),
        (work.access_map, lambda: work.access_map.maps["A"].canvas, 0.3, 4.5, "layers.4"),
    ):
        show_tab(window, part)
        click(canvas(), x, y)
        everywhere(window, name)
    show_tab(window, work.page_cache)
    work.page_cache.canvas.clicked.emit(3.5 * 10**9, -1.5)
    everywhere(window, "layers.3")
    tree.setCurrentIndex(tree.model().index(1, 0, tree.model().index(0, 0)))
    everywhere(window, "layers.1")


def test_that_escape_and_another_model_select_nothing_anywhere(window):
    strip, selection = window.workspace.page_cache.canvas, window.page_cache_controller.selection
    selection.select("layers.1")
    show_tab(window, window.workspace.page_cache)
    strip.setFocus()
    QTest.keyClick(strip, Qt.Key.Key_Escape)
    assert selection.block == ""
    assert in_tree(window) is None
    assert in_strip(window) == in_map(window) == []
    show_tab(window, window.workspace.blocks)
    assert not window.workspace.blocks.details.values
    selection.select("layers.1")
    window.session.set_inspection(make_inspection(make_model(layers=2)))
    assert selection.block == ""
    assert in_strip(window) == []
    # A run of other files isn't marked.
    window.session.show_record("A", _record())
    selection.select("layers.1")
    assert in_strip(window) == ["layers.1"]
    assert in_map(window) == []

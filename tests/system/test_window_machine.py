"""The window's look at a real machine, disk and page cache: real doctors, real probes."""

import os
from mmap import PAGESIZE

import pytest
from PySide6.QtCore import Qt
from tests.page_cache import drop, kept
from tests.system import windows
from tests.system.needs import on_linux
from tests.system.windows import children, click, shown_window

from modelmon.core.machine.page_cache import eviction_obstacle
from modelmon.core.model.sample import write_sample
from modelmon.core.probe.store import probes_file
from modelmon.gui.session.settings import Settings
from modelmon.gui.shell.main_window import MainWindow

pytestmark = [pytest.mark.long, on_linux]


@pytest.fixture
def model(tmp_path):
    """A model of one file, on a disk, wholly cached."""
    written = write_sample(tmp_path / "m.safetensors", "safetensors", 32 * 1024**2, 4, 0)
    with written.open("rb") as file:
        if obstacle := eviction_obstacle(file.fileno()):
            pytest.skip(obstacle)
        os.fsync(file.fileno())
        file.read()
    return written


@pytest.fixture
def window(qtbot, model, tmp_path):
    """A window with a model open whose machine was looked at."""
    with shown_window(qtbot, tmp_path / "window.ini") as made:
        made.open_controller.open(str(model))
        qtbot.waitUntil(lambda: made.machine.diagnosis is not None)
        idle(qtbot, made)
        yield made


def idle(qtbot, window):
    """Until nothing is under way, and the look that follows is over."""
    windows.idle(qtbot, window)
    qtbot.waitUntil(lambda: not window.machine.looking)


def share(window):
    row = window.workspace.page_cache.lines.rows[0]
    return row.looks[0].whole.share if row.looks else None


def test_that_another_look_sees_what_was_dropped_and_a_run_is_shown_before_and_after(
    qtbot, window, model
):
    work = window.workspace
    work.tabs.setCurrentWidget(work.page_cache)

    def look_again():
        assert work.page_cache.again.isEnabled()
        work.page_cache.again.click()
        assert not work.page_cache.again.isEnabled()
        qtbot.waitUntil(work.page_cache.again.isEnabled)

    with kept(model):
        look_again()
        window.machine.look()
        qtbot.waitUntil(lambda: not window.machine.looking)
    assert share(window) == 1.0
    facts = window.side.storage.facts
    assert facts["Disk"]
    assert facts["Mount"].endswith(window.machine.diagnosis.storage.mount_point)
    assert facts["Cached"] == "100% now"
    size = model.stat().st_size
    half = size // 2 // PAGESIZE * PAGESIZE
    drop(model)
    with kept(model, (half, size - half)):
        look_again()
    assert share(window) == pytest.approx(0.5, abs=0.01)
    counts = work.page_cache.lines.rows[0].looks[0].files[0].cached_pages
    middle = len(counts) // 2
    assert not any(counts[: middle - 1])
    assert all(counts[middle + 1 :])

    window.session.set_preset("A", "sequential")
    window.session.set_cache("cold")
    click(qtbot, window, "run_a")
    assert not work.page_cache.again.isEnabled()
    idle(qtbot, window)
    rows = {row.name: row for row in work.page_cache.lines.rows}
    before, after = (rows[f"A  {name}"].looks[0].whole.share for name in ("Before", "After"))
    assert before < 0.01
    # The system may have taken some of it for something else.
    assert after > 0.5
    assert share(window) > 0.5
    # A look that is under way must not outlive the window.
    window.machine.look()


def test_that_a_stopped_probe_leaves_no_trace_and_measured_figures_stay_for_the_next_window(
    qtbot, window, model, tmp_path
):
    probes_file().unlink(missing_ok=True)
    window.actions_by_id["probe"].trigger()
    qtbot.waitUntil(lambda: bool(children()))
    click(qtbot, window, "stop")
    assert not window.session.busy
    idle(qtbot, window)
    qtbot.waitUntil(lambda: not children())
    assert not probes_file().exists()

    seen = window.machine
    qtbot.mouseClick(window.side.measure, Qt.MouseButton.LeftButton)
    assert window.toolbar.buttons["stop"].isEnabled()
    assert not window.toolbar.buttons["run_a"].isEnabled()
    idle(qtbot, window)
    assert window.session.notice.headline.startswith("Storage: ")
    assert window.side.storage.facts["Best cold start"]
    # A probe that shared its disk with others sets no limit.
    limit = window.workspace.plots.throughput.entries["limit"]
    assert limit.isEnabled() is not seen.probe.storage.met_others
    another = MainWindow.built(Settings(tmp_path / "another.ini"))
    qtbot.addWidget(another)
    another.open_controller.open(str(model))
    qtbot.waitUntil(lambda: another.machine.probe is not None)
    assert another.machine.probe == seen.probe
    another.close()

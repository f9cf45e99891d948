"""The window's look at a real machine and disk: real doctors, real probes."""

import pytest
from PySide6.QtCore import Qt
from tests.page_cache import kept
from tests.system import windows
from tests.system.windows import children, click, shown_window

from modelmon.core.probe.store import probes_file
from modelmon.gui.main_window import MainWindow
from modelmon.gui.settings.settings import Settings

pytestmark = [pytest.mark.system, pytest.mark.long]


@pytest.fixture
def window(qtbot, own_copy, tmp_path):
    """A window with a model open whose machine was looked at."""
    with shown_window(qtbot, tmp_path / "window.ini") as made:
        made.open_controller.open(str(own_copy))
        qtbot.waitUntil(lambda: made.machine.diagnosis is not None)
        yield made


def idle(qtbot, window):
    """Until nothing is under way, and the look that follows is over."""
    windows.idle(qtbot, window)
    qtbot.waitUntil(lambda: not window.machine.looking)


def test_that_the_panel_tells_of_the_real_disk_and_follows_a_run(
    qtbot, window, own_copy, on_a_device
):
    del on_a_device
    seen = window.machine
    with kept(own_copy):
        seen.look()
        qtbot.waitUntil(lambda: not seen.looking)
    assert seen.failure == ""
    assert seen.diagnosis is not None
    facts = window.side.storage.facts
    assert facts["Disk"]
    assert facts["Mount"].endswith(seen.diagnosis.storage.mount_point)
    assert facts["Cached"] == "100% now"
    window.session.set_preset("A", "direct")
    click(qtbot, window, "run_a")
    assert not seen.looking
    idle(qtbot, window)
    assert window.side.storage.facts["Cached"] != "100% now"
    # A look that is under way must not outlive the window.
    seen.look()


def test_that_the_disk_is_measured_and_the_figures_stay_for_the_next_window(
    qtbot, window, on_a_device, own_copy, tmp_path
):
    del on_a_device
    probes_file().unlink(missing_ok=True)
    seen = window.machine
    qtbot.mouseClick(window.side.measure, Qt.MouseButton.LeftButton)
    assert window.toolbar.buttons["stop"].isEnabled()
    qtbot.waitUntil(lambda: "Reading" in window.probe_controller.progress().detail)
    assert not window.toolbar.buttons["run_a"].isEnabled()
    idle(qtbot, window)
    assert window.session.notice is not None
    assert window.session.notice.headline.startswith("Storage: ")
    assert window.side.storage.facts["Fastest cold start"]
    assert seen.probe is not None
    fastest = seen.probe.storage.best_reads
    assert fastest is not None
    # A probe that shared its disk with others sets no limit.
    limit = window.workspace.plots.throughput.entries["limit"]
    assert limit.isEnabled() is not seen.probe.storage.met_others
    another = MainWindow.built(Settings(tmp_path / "another.ini"))
    qtbot.addWidget(another)
    another.open_controller.open(str(own_copy))
    qtbot.waitUntil(lambda: another.machine.probe is not None)
    assert another.machine.probe == seen.probe
    another.close()


def test_that_a_probe_is_stopped_without_a_trace(qtbot, window):
    probes_file().unlink(missing_ok=True)
    window.actions_by_id["probe"].trigger()
    qtbot.waitUntil(lambda: bool(window.probe_controller.progress().detail))
    click(qtbot, window, "stop")
    assert not window.session.busy
    idle(qtbot, window)
    qtbot.waitUntil(lambda: not children())
    assert not probes_file().exists()

"""The history before any model is open: listed, filtered, shown with its model or alone."""

import shutil

import pytest
from runs_past import change, column, settle
from window_fakes import LOAD_A

from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.history.origin import origin_of
from modelmon.core.worker import events as ev
from modelmon.core.worker.result import summarise
from modelmon.gui.runs.run_lines import MODEL

LINES = b"".join(ev.encode(event) for event in LOAD_A.events())


@pytest.fixture
def copy(sample, tmp_path):
    """A model that a test may remove."""
    return shutil.copy(sample, tmp_path / "copy.safetensors")


@pytest.fixture
def browsing(qtbot, window, past, copy):
    """A window without a model that shows two runs of here and one of another machine."""
    seen = inspect_model(copy)
    past.keep(summarise(LOAD_A.record()), origin_of(seen), LINES)
    disk = change(past.origin, storage=change(past.origin.storage, id="s3", device="sdb1"))
    past.keep(past.result("parallel", 50, 2), disk)
    past.keep(past.result("parallel", 40, 2), past.elsewhere())
    assert window.workspace.empty.isVisible()
    window.actions_by_id["history"].trigger()
    settle(qtbot, window)
    return window


def shown(window):
    return window.workspace.runs


def test_that_runs_of_all_models_and_disks_of_this_machine_are_listed(qtbot, browsing):
    panel = shown(browsing)
    assert panel.isVisible()
    assert not browsing.workspace.empty.isVisible()
    assert not browsing.workspace.cards["A"].isVisible()
    assert not browsing.workspace.plots.isVisible()
    assert len(column(panel, "Time")) == 2
    assert not panel.table.isColumnHidden(MODEL)
    assert not panel.filter.model.isVisible()
    panel.filter.only_here.setChecked(False)
    assert len(column(panel, "Time")) == 3
    browsing.runs_tab_controller.library.star([2], starred=True)
    settle(qtbot, browsing)
    panel.filter.starred.click()
    assert column(panel, "Strategy") == ["parallel"]
    panel.back.click()
    assert browsing.workspace.empty.isVisible()
    assert not panel.isVisible()


def select(panel, strategy):
    row = column(panel, "Strategy").index(strategy)
    panel.table.setCurrentIndex(panel.table.runs.index(row, 0))


def test_that_showing_a_run_opens_its_model(qtbot, browsing, copy):
    select(shown(browsing), "mmap")
    browsing.runs_tab_controller.do("show")
    session = browsing.session
    qtbot.waitUntil(lambda: session.record("A") is not None)
    assert session.inspection.model.path == str(copy)
    assert browsing.workspace.plots.isVisible()
    assert "used another model" in session.notice.caveat


@pytest.mark.parametrize("left", ["", "no model"])
def test_that_a_run_whose_model_is_gone_or_broken_is_shown_alone(qtbot, browsing, copy, left):
    copy.unlink()
    if left:
        copy.write_text(left)
    panel, work = shown(browsing), browsing.workspace
    select(panel, "mmap")
    if not left:
        browsing.runs_tab_controller.do("overlay")
        settle(qtbot, browsing)
        assert not work.plots.throughput.is_empty
        work.overlays.clear_overlay.click()
        assert not work.plots.isVisible()
    action = panel.actions_by_id["open_model"]
    qtbot.waitUntil(lambda: action.isEnabled() is bool(left))
    browsing.runs_tab_controller.do("show")
    qtbot.waitUntil(lambda: browsing.session.record("A") is not None)
    assert browsing.session.inspection is None
    assert work.plots.isVisible()
    assert not work.plots.throughput.is_empty
    assert not panel.back.isVisible()
    assert "llama" in browsing.windowTitle()

"""Two windows at once on one history, with real workers."""

import pytest
from PySide6.QtCore import Qt
from tests.system.needs import on_linux
from tests.system.windows import click, held_loader, idle, opened, shown_window

pytestmark = pytest.mark.long


@pytest.fixture
def windows(qtbot, tmp_path):
    """Two windows with settings of their own, beside each other."""
    with (
        shown_window(qtbot, tmp_path / "first.ini") as first,
        shown_window(qtbot, tmp_path / "second.ini") as second,
    ):
        yield first, second
        # Either would take the other's processes for its own that are left.
        first.close()


def listed(qtbot, window):
    """Model and strategy of each run in the Runs tab, read anew as a person does by opening it."""
    library = window.runs_tab_controller.library
    with qtbot.waitSignal(library.reloaded):
        window.workspace.tabs.setCurrentWidget(window.workspace.log)
        window.workspace.tabs.setCurrentWidget(window.workspace.runs)
    answered = []
    window.history.ask(lambda _: None, answered.append, lambda _: None)
    qtbot.waitUntil(lambda: bool(answered))
    rows = [line.row for line in library.lines]
    return sorted((row.model_name, row.strategy) for row in rows if row is not None)


def test_that_two_windows_measure_at_the_same_time_and_see_each_others_runs(
    qtbot, windows, sample, own_copy
):
    for window, path, strategy in zip(
        windows, (sample, own_copy), ("mmap", "parallel"), strict=True
    ):
        opened(qtbot, window, path)
        window.session.set_cache("as-is")
        window.session.set_preset("A", strategy)
    for window in windows:
        click(qtbot, window, "run_a")
    assert all(window.session.busy for window in windows)
    for window in windows:
        idle(qtbot, window)
        assert [run.record.state for run in window.session.runs] == ["finished"]
        window.runs_tab_controller.library.show_every_model(True)
    names = [w.session.inspection.model.name for w in windows if w.session.inspection is not None]
    both = sorted(zip(names, ("mmap", "parallel"), strict=True))
    assert [listed(qtbot, window) for window in windows] == [both, both]


@on_linux
def test_that_a_window_says_that_another_is_measuring_its_file(qtbot, windows, own_copy):
    first, second = windows
    for window in windows:
        opened(qtbot, window, own_copy)
        window.session.set_cache("as-is")
    with held_loader(qtbot, first):
        click(qtbot, second, "run_a")
        idle(qtbot, second)
        notice = second.session.notice
        assert notice.headline.startswith("copy.safetensors is in use: ")
        assert notice.reason == "Both would slow each other down."
        anyway = second.workspace.slot.page.offered["Run anyway"]
        qtbot.mouseClick(anyway, Qt.MouseButton.LeftButton)
        idle(qtbot, second)
    idle(qtbot, first)
    for window in windows:
        assert window.session.runs[-1].record.state == "finished"
    warnings = second.session.runs[-1].record.warnings
    assert "mapped-elsewhere" in [warned.kind for warned in warnings]

"""The list of recent models: opened by click and key, and what to do with one that is gone."""

import pytest
from menus import take
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from window_fakes import make_model

pytestmark = pytest.mark.qt_log_ignore("^This plugin does not support")


@pytest.fixture
def gone(tmp_path):
    return str(tmp_path / "gone.safetensors")


@pytest.fixture
def window(qtbot, window, sample, gone):
    """A window whose list has a model that is there, and before it one that is not."""
    window.settings.add_recent(str(sample), make_model(), 1.0)
    window.settings.add_recent(gone, make_model(), 2.0)
    window.open_controller.recents_changed.emit()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def place_of(view, row):
    return view.visualRect(view.model().index(row, 0)).center()


def test_that_a_recent_model_opens_by_click_and_key(qtbot, window, sample):
    view, session = window.workspace.empty.recents.view, window.session
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, 1))
    qtbot.waitUntil(lambda: session.inspection is not None)
    assert session.inspection.model.path == str(sample)
    # It is the first now.
    session.set_inspection(None)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.inspection is not None)


def test_that_a_model_that_is_gone_says_so_and_can_be_taken_off_the_list(
    qtbot, window, sample, gone
):
    view = window.workspace.empty.recents.view
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, 0))
    qtbot.waitUntil(lambda: not window.session.busy)
    notice = window.session.notice
    assert gone in notice.headline
    place = place_of(view, 0)
    at = view.viewport().mapToGlobal(place)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, at)
    QApplication.postEvent(view.viewport(), event)
    take(qtbot, "Remove from the list")
    qtbot.waitUntil(lambda: view.model().rowCount() == 1)
    assert [recent.path for recent in window.settings.recents()] == [str(sample)]


def test_that_a_model_is_taken_off_the_list_by_a_key(qtbot, window, sample):
    view = window.workspace.empty.recents.view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert [recent.path for recent in window.settings.recents()] == [str(sample)]

"""What was deleted last can be brought back, until something else is deleted or the end."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from runs_past import column, seen, settle

from modelmon.core.history.history import History
from modelmon.gui.session.notices import Activity, ProgressView

LINES = b'{"event":"smell"}\n'


@pytest.fixture
def window(new_window):
    """What was deleted last is the window's until it closes."""
    return new_window


@pytest.fixture
def panel(qtbot, window, past, inspection):
    """Three runs, the first starred and with a name."""
    for day, name in enumerate(("mmap", "parallel", "direct")):
        past.keep(past.result(name, 100, day), lines=LINES)
    past.history.rename(1, "before the upgrade")
    past.history.star([1], starred=True)
    return seen(qtbot, window, inspection)


def press(qtbot, window, *keys):
    table = window.workspace.runs.table
    window.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    qtbot.keyClick(table, *keys)


def delete(qtbot, window, *rows):
    """Select rows, press Delete and agree; returns what was said of the loss."""
    table = window.workspace.runs.table
    table.clearSelection()
    table.select_keys({table.runs.shown[row].key for row in rows})
    press(qtbot, window, Qt.Key.Key_Delete)
    (question,) = window.findChildren(QMessageBox)
    loss = question.informativeText()
    agree = next(b for b in question.findChildren(QPushButton) if "Delete" in b.text())
    qtbot.mouseClick(agree, Qt.MouseButton.LeftButton)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    settle(qtbot, window)
    return loss


def test_that_deleted_runs_come_back_by_button_and_by_key(qtbot, window, past, panel):
    undo, before = panel.actions_by_id["undo"], past.history.runs()
    assert not panel.deleted.isVisible()
    assert not undo.isEnabled()
    assert undo.toolTip() == "No runs were deleted in this window."
    assert "To restore, use Undo (Ctrl+Z)" in delete(qtbot, window, 0, 1)
    assert panel.deleted.text() == "2 runs deleted"
    assert column(panel, "Strategy") == ["direct"]
    window.session.begin(Activity.COMPARING, lambda: ProgressView("Comparing"))
    assert not panel.buttons["undo"].isEnabled()
    assert "Not available while" in panel.buttons["undo"].toolTip()
    window.session.end()
    qtbot.mouseClick(panel.buttons["undo"], Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert past.history.runs() == before
    assert [past.history.event_lines(row.id) for row in before] == [LINES] * 3
    assert column(panel, "Strategy") == ["mmap", "parallel", "direct"]
    assert [line.strategy for line in panel.selected] == ["mmap", "parallel"]
    assert not panel.deleted.isVisible()
    said = delete(qtbot, window, 0).splitlines()
    assert said[0] == "Recordings that can't be replayed afterwards: 1."
    assert said[1:3] == ["Starred: 1.", "Named: before the upgrade."]
    assert panel.deleted.text() == "1 run deleted"
    press(qtbot, window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert past.history.runs() == before


def test_that_only_the_last_deletion_is_undone(qtbot, window, past, panel):
    delete(qtbot, window, 0)
    delete(qtbot, window, 0)
    panel.actions_by_id["undo"].trigger()
    settle(qtbot, window)
    assert column(panel, "Strategy") == ["parallel", "direct"]
    assert not panel.actions_by_id["undo"].isEnabled()


def test_that_what_cannot_be_deleted_or_restored_is_told(
    qtbot, window, past, panel, folder, monkeypatch
):
    delete(qtbot, window, 0)

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(History, "soft_delete", fail)
        delete(qtbot, window, 0)
    assert "No space left" in window.session.notice.headline
    assert column(panel, "Strategy") == ["parallel", "direct"]
    # The deletion before can be undone still.
    panel.actions_by_id["undo"].trigger()
    settle(qtbot, window)
    assert column(panel, "Strategy") == ["mmap", "parallel", "direct"]
    delete(qtbot, window, 0)
    History(folder).delete([1])
    panel.actions_by_id["undo"].trigger()
    settle(qtbot, window)
    assert "couldn't be restored" in window.session.notice.headline

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


def focus(qtbot, window):
    """Give the table the keyboard."""
    table = window.workspace.runs.table
    window.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)


def delete(qtbot, window, *rows):
    """Select rows, press Delete and agree; returns what was said of the loss."""
    table = window.workspace.runs.table
    table.clearSelection()
    focus(qtbot, window)
    table.select_keys({table.runs.shown[row].key for row in rows})
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    (question,) = window.findChildren(QMessageBox)
    loss = question.informativeText()
    agree = next(b for b in question.findChildren(QPushButton) if "Delete" in b.text())
    qtbot.mouseClick(agree, Qt.MouseButton.LeftButton)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    settle(qtbot, window)
    return loss


def kept_files(past):
    return len(list((past.history.folder / "runs").iterdir()))


def test_that_what_goes_with_one_run_is_said_of_one(qtbot, window, past, inspection):
    run_id = past.keep(past.result("mmap", 100, 1), lines=LINES)
    past.history.rename(run_id, "before the upgrade")
    past.history.star([run_id], starred=True)
    seen(qtbot, window, inspection)
    said = delete(qtbot, window, 0).splitlines()
    assert said[0] == "Its recording is deleted too, so it can't be replayed."
    assert said[1:3] == ["It's starred.", "Its name is before the upgrade."]
    assert said[3].startswith("To restore it, use Undo (Ctrl+Z)")


def test_that_deleted_runs_come_back_by_button_and_by_key(qtbot, window, past, inspection):
    for day, name in enumerate(("mmap", "parallel", "direct")):
        past.keep(past.result(name, 100, day), lines=LINES)
    panel = seen(qtbot, window, inspection)
    assert not panel.deleted.isVisible()
    before = past.history.runs()
    assert "To restore them, use Undo (Ctrl+Z)" in delete(qtbot, window, 0, 1)
    assert panel.deleted.text() == "2 runs deleted"
    assert column(panel, "Strategy") == ["direct"]
    assert len(past.history.runs()) == 1

    qtbot.mouseClick(panel.buttons["undo"], Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert past.history.runs() == before
    assert [past.history.event_lines(row.id) for row in before] == [LINES] * 3
    assert column(panel, "Strategy") == ["mmap", "parallel", "direct"]
    assert [line.strategy for line in panel.selected] == ["mmap", "parallel"]
    assert not panel.deleted.isVisible()

    delete(qtbot, window, 2)
    assert panel.deleted.text() == "1 run deleted"
    focus(qtbot, window)
    qtbot.keyClick(panel.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert past.history.runs() == before


def test_that_the_next_deletion_makes_the_one_before_final(qtbot, window, past, inspection):
    for day, name in enumerate(("mmap", "parallel", "direct")):
        past.keep(past.result(name, 100, day), lines=LINES)
    panel = seen(qtbot, window, inspection)
    delete(qtbot, window, 0)
    assert kept_files(past) == 3
    delete(qtbot, window, 0)
    assert kept_files(past) == 2
    panel.actions_by_id["undo"].trigger()
    settle(qtbot, window)
    assert column(panel, "Strategy") == ["parallel", "direct"]


def test_that_closing_the_window_makes_a_deletion_final(qtbot, window, past, inspection):
    past.keep(past.result("mmap", 100, 1), lines=LINES)
    seen(qtbot, window, inspection)
    delete(qtbot, window, 0)
    assert kept_files(past) == 1
    window.close()
    assert kept_files(past) == 0
    assert past.history.restore([1]) == []


def test_that_undo_says_why_it_cannot_be_used(qtbot, window, past, inspection):
    past.keep(past.result("mmap", 100, 1))
    panel = seen(qtbot, window, inspection)
    undo = panel.actions_by_id["undo"]
    assert not undo.isEnabled()
    assert undo.toolTip() == "No runs were deleted in this window."
    delete(qtbot, window, 0)
    assert undo.isEnabled()
    window.session.begin(Activity.COMPARING, lambda: ProgressView("Comparing"))
    assert not panel.buttons["undo"].isEnabled()
    assert "Not available while" in panel.buttons["undo"].toolTip()
    window.session.end()
    assert panel.buttons["undo"].isEnabled()


def test_that_a_deletion_that_fails_leaves_the_one_before_undoable(
    qtbot, window, past, inspection, monkeypatch
):
    first = past.keep(past.result("mmap", 100, 1))
    past.keep(past.result("parallel", 100, 2))
    panel = seen(qtbot, window, inspection)
    delete(qtbot, window, 0)

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(History, "soft_delete", fail)
        delete(qtbot, window, 0)
    assert "No space left" in window.session.notice.headline
    assert column(panel, "Strategy") == ["parallel"]
    panel.actions_by_id["undo"].trigger()
    settle(qtbot, window)
    assert first in {row.id for row in past.history.runs()}


def test_that_what_another_program_deleted_for_good_is_told(
    qtbot, window, past, inspection, folder
):
    run_id = past.keep(past.result("mmap", 100, 1))
    panel = seen(qtbot, window, inspection)
    delete(qtbot, window, 0)
    History(folder).delete([run_id])
    panel.actions_by_id["undo"].trigger()
    settle(qtbot, window)
    assert "couldn't be restored" in window.session.notice.headline

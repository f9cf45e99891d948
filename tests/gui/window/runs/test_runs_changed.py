"""Runs of the history are starred, named and deleted from the Runs tab."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from runs_past import column, seen, settle

from modelmon.gui.runs.run_lines import NAME, STAR


def test_that_star_and_name_are_written(qtbot, window, past, inspection):
    run_id = past.keep(past.result("mmap", 100, 1))
    panel = seen(qtbot, window, inspection)
    table = panel.table
    star = table.visualRect(table.runs.index(0, STAR)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=star)
    settle(qtbot, window)
    assert column(panel, "★") == ["★"]
    table.runs.setData(table.runs.index(0, NAME), "after the update")
    settle(qtbot, window)
    assert column(panel, "Name") == ["after the update"]
    (row,) = past.history.runs()
    assert (row.id, row.starred, row.name) == (run_id, True, "after the update")


def test_that_deleting_asks_first(qtbot, window, past, inspection):
    past.keep(past.result("mmap", 100, 1))
    past.keep(past.result("parallel", 50, 2))
    panel = seen(qtbot, window, inspection)
    for button, left in (("Cancel", 2), ("Delete 1 run", 1)):
        panel.table.setCurrentIndex(panel.table.runs.index(0, 0))
        window.activateWindow()
        panel.table.setFocus()
        qtbot.waitUntil(panel.table.hasFocus)
        qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
        (question,) = window.findChildren(QMessageBox)
        (chosen,) = [
            each
            for each in question.findChildren(QPushButton)
            if each.text().replace("&", "") == button
        ]
        chosen.click()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        settle(qtbot, window)
        assert len(past.history.runs()) == left
    assert column(panel, "Strategy") == ["parallel"]

"""Closing while Compare measures, with real workers."""

import os

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from tests.system.windows import children, click, opened

from modelmon.core.history.history import History
from modelmon.gui.session import Activity

pytestmark = [pytest.mark.system, pytest.mark.long]


@pytest.fixture
def history(tmp_path, monkeypatch):
    """What the window keeps, of this test alone."""
    monkeypatch.setitem(os.environ, "MODELMON_DATA_DIR", str(tmp_path / "data"))
    return History()


def answer(qtbot, window, text):
    """Click a button of the question that the window asks."""
    (question,) = window.findChildren(QMessageBox)
    qtbot.waitUntil(question.isVisible)
    (button,) = [b for b in question.findChildren(QPushButton) if text in b.text()]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_that_closing_a_comparison_asks_and_either_answer_is_heeded(
    qtbot, history, window, sample, monkeypatch
):
    monkeypatch.setattr("modelmon.gui.window.close_guard.LONG_S", 0.0)
    opened(qtbot, window, sample)
    window.session.set_cache("as-is")
    for label in ("A", "B"):
        for axis, value in (("access", "read"), ("order", "random"), ("chunk_bytes", "4KiB")):
            window.session.set_axis(label, axis, value)
    window.session.set_axis("B", "readers", "2")
    click(qtbot, window, "compare")
    qtbot.waitUntil(lambda: bool(window.session.runs))
    window.close()
    answer(qtbot, window, "Keep measuring")
    assert window.isVisible()
    assert window.session.activity is Activity.COMPARING
    done = len(window.session.runs)
    qtbot.waitUntil(lambda: len(window.session.runs) > done)
    window.close()
    answer(qtbot, window, "Stop and close")
    assert not window.isVisible()
    assert not children()
    (experiment,) = history.experiments()
    assert experiment.state == "stopped"
    assert experiment.runs > done

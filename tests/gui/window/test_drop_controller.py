"""Files that are dropped onto the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from shown_windows import opened

from modelmon.gui.session import Activity
from modelmon.gui.window.notices import ProgressView

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.gui.main_window import MainWindow


# Qt 6.12 has a new form of this constructor, which older ones lack.
ANY_DRAG = pytest.mark.filterwarnings("ignore:.*QDragEnterEvent:DeprecationWarning")


@ANY_DRAG
def test_that_a_dropped_file_is_opened(window: MainWindow, tmp_path: Path) -> None:
    asked: list[str] = []
    window.open_controller.open = asked.append  # type: ignore[method-assign]
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    where, left = QPointF(300, 300), Qt.MouseButton.LeftButton
    plain, copy = Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    enter = QDragEnterEvent(where.toPoint(), copy, data, left, plain)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    assert window.workspace.empty.drop_zone.property("active") == "true"
    QApplication.sendEvent(window, QDropEvent(where, copy, data, left, plain))
    assert asked == [str(tmp_path)]
    assert window.workspace.empty.drop_zone.property("active") == ""


@ANY_DRAG
def test_that_nothing_can_be_dropped_while_a_run_is_under_way(window: MainWindow) -> None:
    opened(window)
    window.session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp")])
    enter = QDragEnterEvent(
        QPointF(300, 300).toPoint(),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(window, enter)
    assert not enter.isAccepted()
    window.session.end()

"""Files and folders that are dropped on the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent

if TYPE_CHECKING:
    from modelmon.gui.main_window import MainWindow


class Dropping(QObject):
    """Takes what is dragged over a window while nothing is under way; opens what is dropped."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """See what comes, goes and stays."""
        empty = self._window.workspace.empty
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            empty.show_dragging(False)
            if paths := _paths(event):
                event.acceptProposedAction()
                self._window.opening.open(paths[0])
            return True
        if isinstance(event, QDragEnterEvent):
            if not self._window.session.busy and _paths(event):
                event.acceptProposedAction()
                empty.show_dragging(True)
            return True
        if event.type() == QEvent.Type.DragLeave:
            event.accept()
            empty.show_dragging(False)
            return True
        return super().eventFilter(watched, event)


def _paths(event: QDropEvent) -> list[str]:
    return [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]

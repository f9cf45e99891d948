"""Files and folders that are dropped on the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent

    from modelmon.gui.main_window import MainWindow


class DropController:
    """Takes what is dragged over a window while nothing is under way; opens what is dropped."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        window.setAcceptDrops(True)

    def on_enter(self, event: QDragEnterEvent) -> None:
        """Something comes."""
        if not self._window.session.busy and _paths(event):
            event.acceptProposedAction()
            self._window.workspace.empty.show_dragging(True)

    def on_leave(self, event: QDragLeaveEvent) -> None:
        """It goes again."""
        event.accept()
        self._window.workspace.empty.show_dragging(False)

    def on_drop(self, event: QDropEvent) -> None:
        """It stays."""
        self._window.workspace.empty.show_dragging(False)
        if paths := _paths(event):
            event.acceptProposedAction()
            self._window.open_controller.open(paths[0])


def _paths(event: QDropEvent) -> list[str]:
    return [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]

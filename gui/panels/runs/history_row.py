"""Where the history lies, how large it is, and a way to look into its folder."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget
from shiboken6 import isValid

from modelmon.core.data_folder import stored_bytes
from modelmon.core.history.events import KEPT_BYTES
from modelmon.core.units import size_text
from modelmon.gui.look.language import said, tr
from modelmon.gui.look.styling import ElidedLabel, label

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.errors import ModelmonError
    from modelmon.core.history.history import History
    from modelmon.gui.history.access import HistoryAccess


class HistoryRow(QWidget):
    """Looks once when it is made, on the history's own thread; it may be gone at the answer."""

    def __init__(self, access: HistoryAccess) -> None:
        super().__init__()
        self.place = ElidedLabel("value")
        self.amount = label("", "hint")
        self.open = QPushButton(tr("Open folder"))
        self.open.setAccessibleName(tr("Open history folder"))
        self.open.setEnabled(False)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.place, 0, 0)
        grid.addWidget(self.amount, 1, 0)
        grid.addWidget(self.open, 0, 1, 2, 1)
        access.ask(_look, self._show, self._on_failed)

    def _show(self, seen: tuple[Path, int | None]) -> None:
        if not isValid(self):
            return
        folder, nbytes = seen
        self.place.set_whole(str(folder))
        self.open.setEnabled(nbytes is not None)
        if nbytes is None:
            self.amount.setText(tr("Nothing saved yet."))
            self.open.setToolTip(tr("The folder is created by the first run."))
            return
        self.amount.setText(
            tr(
                "{size} used; oldest recordings are deleted above {limit}",
                size=size_text(nbytes),
                limit=size_text(KEPT_BYTES),
            )
        )
        url = QUrl.fromLocalFile(str(folder))
        self.open.clicked.connect(partial(QDesktopServices.openUrl, url))

    def _on_failed(self, error: ModelmonError) -> None:
        if not isValid(self):
            return
        self.amount.setText(said(error.text))
        self.open.setToolTip(said(error.text))


def _look(history: History) -> tuple[Path, int | None]:
    return history.folder, stored_bytes(history.folder)

"""The sheet of shortcuts, and About."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import PySide6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QVBoxLayout, QWidget

import modelmon
from modelmon.core.experiment.data_folder import data_folder
from modelmon.gui.actions import ACTIONS, MENUS
from modelmon.gui.crash import log_path
from modelmon.gui.run_actions import RUN_ACTIONS
from modelmon.gui.styling import label

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLOT_KEYS = (
    ("Tab, while a plot has the focus", "A, both, B in turn"),
    ("Shift+Tab", "Leave the plot"),
)


class ShortcutsDialog(QDialog):
    """Every command with a key, by menu."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(12)
        grid = QGridLayout()
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(4)
        column.addLayout(grid)
        for menu in MENUS:
            rows = [
                (actions[spec.id].shortcut(), spec.text.rstrip("…"))
                for spec in ACTIONS
                if spec.menu == menu and spec.shortcut
            ]
            form = QKeySequence.SequenceFormat.NativeText
            _add_group(grid, menu, [(keys.toString(form), text) for keys, text in rows])
        _add_group(grid, "Plots", list(_PLOT_KEYS))
        run_keys = [
            (QKeySequence(action.shortcut).toString(form), action.text.rstrip("…"))
            for action in RUN_ACTIONS
            if action.shortcut
        ]
        _add_group(grid, "Runs, while the table has the focus", run_keys)
        column.addWidget(_close_button(self))


class AboutDialog(QDialog):
    """What this is, its version, and where it keeps what it writes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About modelmon")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(8)
        column.addWidget(label(f"modelmon {modelmon.__version__}", "headline"))
        column.addWidget(label("See why a model loads slowly, and load it faster.", "value"))
        settings = Path(platformdirs.user_config_path("modelmon", appauthor=False))
        cache = Path(platformdirs.user_cache_path("modelmon", appauthor=False))
        lines = (
            f"Python {platform.python_version()}, PySide6 {PySide6.__version__}",
            f"Settings: {settings}",
            f"History of runs: {data_folder()}",
            f"Sample models: {cache}",
            f"Errors of the program: {log_path()}",
            "Nothing is ever sent anywhere.",
        )
        for line in lines:
            text = label(line, "label")
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(text)
        column.addWidget(_close_button(self))


def _add_group(grid: QGridLayout, title: str, rows: list[tuple[str, str]]) -> None:
    if not rows:
        return
    row = grid.rowCount()
    grid.setRowMinimumHeight(row, 28)
    grid.addWidget(label(title, "heading"), row, 0, 1, 2)
    for at, (keys, text) in enumerate(rows, start=row + 1):
        grid.addWidget(label(keys, "value"), at, 0)
        grid.addWidget(label(text, "label"), at, 1)


def _close_button(dialog: QDialog) -> QDialogButtonBox:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    box.rejected.connect(dialog.reject)
    return box

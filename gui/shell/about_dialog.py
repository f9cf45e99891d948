"""About: what this program is."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import PySide6
from PySide6.QtCore import Qt

import modelmon
from modelmon.core.data_folder import data_folder
from modelmon.gui.language import tr
from modelmon.gui.shell.crash_reporter import log_path
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class AboutDialog(Dialog):
    """What this is, its version, and where it keeps what it writes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("About modelmon"), parent)
        column = in_column(on=self, margins=(24, 16, 24, 16), spacing=8)
        column.addWidget(label(f"modelmon {modelmon.__version__}", "headline"))
        column.addWidget(label(tr("See why a model loads slowly, and load it faster."), "value"))
        settings = Path(platformdirs.user_config_path("modelmon", appauthor=False))
        cache = Path(platformdirs.user_cache_path("modelmon", appauthor=False))
        lines = (
            f"Python {platform.python_version()}, PySide6 {PySide6.__version__}",
            tr("Settings: {path}", path=settings),
            tr("Run history: {path}", path=data_folder()),
            tr("Sample models: {path}", path=cache),
            tr("Program errors: {path}", path=log_path()),
            tr("Nothing is ever sent anywhere."),
        )
        for line in lines:
            text = label(line, "label")
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(text)
        column.addLayout(ButtonRow(self, tr("Close")))

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from modelmon.gui.theme import ThemeManager, manager

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True)
def theme_manager(qapp: QApplication) -> Iterator[ThemeManager]:
    """The application dressed as the program dresses it, light unless a test asks otherwise."""
    themes = manager()
    themes.apply(qapp)
    themes.set_mode("light")
    yield themes
    themes.set_mode("light")

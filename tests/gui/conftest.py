from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from modelmon.gui.look.theme import ThemeManager, manager

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from PySide6.QtWidgets import QApplication


@pytest.fixture(scope="session")
def dressed_app(qapp: QApplication) -> QApplication:
    """The application dressed as the program dresses it."""
    manager().apply(qapp)
    return qapp


@pytest.fixture(autouse=True)
def theme_manager(dressed_app: QApplication) -> Iterator[ThemeManager]:
    """The themes: light, unless a test asks for another."""
    themes = manager()
    themes.set_mode("light")
    yield themes
    # Widgets of the test before would be styled again with every switch.
    dressed_app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    themes.set_mode("light")


@pytest.fixture(scope="session")
def recordings() -> ModuleType:
    """The builder of made-up runs: `recordings.record(recordings.SLOW)`."""
    name = "modelmon_test_recordings"
    if name not in sys.modules:
        path = Path(__file__).with_name("recordings.py")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        # Dataclasses look their module up by name.
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]

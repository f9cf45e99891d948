"""A window over a history of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from modelmon.core.diagnose.inspection import inspect_model

# Test modules are imported one by one: what they share has to be found by its name.
sys.path.insert(0, str(Path(__file__).parent))

from runs_past import Past

if TYPE_CHECKING:
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.gui.main_window import MainWindow


@pytest.fixture(scope="session")
def inspection(sample: Path) -> Inspection:
    return inspect_model(sample)


@pytest.fixture
def past(folder: Path, inspection: Inspection) -> Past:
    return Past(folder, inspection)


@pytest.fixture
def new_window(folder: Path, new_window: MainWindow) -> MainWindow:
    del folder
    return new_window


@pytest.fixture
def window(folder: Path, window: MainWindow) -> MainWindow:
    del folder
    return window

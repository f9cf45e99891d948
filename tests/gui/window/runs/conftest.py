"""A window over a history of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from window_fakes import ended

from modelmon.core.diagnose.inspection import inspect_model
from modelmon.gui.main_window import MainWindow

# Test modules are imported one by one: what they share has to be found by its name.
sys.path.insert(0, str(Path(__file__).parent))

from runs_past import Past

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.gui.settings.settings import Settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(scope="session")
def inspection(sample: Path) -> Inspection:
    return inspect_model(sample)


@pytest.fixture
def past(folder: Path, inspection: Inspection) -> Past:
    return Past(folder, inspection)


@pytest.fixture
def window(qapp: QApplication, folder: Path, settings: Settings) -> Iterator[MainWindow]:
    del qapp, folder
    made = MainWindow.built(settings)
    made.resize(1280, 800)
    made.show()
    yield made
    ended(made)

"""A window over a history of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from shown_windows import ended

from modelmon.core.experiment.preflight.preflight import look_at
from modelmon.gui.main_window import MainWindow

# Test modules are imported one by one: what they share has to be found by its name.
sys.path.insert(0, str(Path(__file__).parent))

from runs_past import Past

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.gui.settings.settings import Settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(scope="session")
def preflight(sample: Path) -> Preflight:
    return look_at(sample)


@pytest.fixture
def past(folder: Path, preflight: Preflight) -> Past:
    return Past(folder, preflight)


@pytest.fixture
def window(qapp: QApplication, folder: Path, settings: Settings) -> Iterator[MainWindow]:
    del qapp, folder
    made = MainWindow(settings)
    made.show()
    yield made
    ended(made)

"""Find best in the window on a real file with real workers, from the question to the export."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from modelmon.core import load_model
from modelmon.core.experiment.history import History
from modelmon.gui.export_dialog import ExportDialog
from modelmon.gui.main_window import MainWindow
from modelmon.gui.panels.race_dialog import RaceDialog
from modelmon.gui.session import Activity
from modelmon.gui.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.system

PATIENCE_MS = 60_000


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    opened = MainWindow(Settings(tmp_path / "window.ini"))
    qtbot.addWidget(opened)
    opened.resize(1440, 900)
    opened.show()
    yield opened
    opened.close()


def test_that_a_person_finds_the_best_uses_it_and_exports_it(
    qtbot: QtBot, window: MainWindow, own_copy: Path, on_a_device: Path, tmp_path: Path
) -> None:
    del on_a_device
    session, work = window.session, window.workspace
    window.opening.open(str(own_copy))
    qtbot.waitUntil(lambda: session.preflight is not None and not session.busy, timeout=PATIENCE_MS)
    qtbot.keyClick(window, Qt.Key.Key_F7)
    dialog = window.findChild(RaceDialog)
    assert dialog is not None
    dialog.budget.button("60").click()
    qtbot.waitUntil(dialog.start.isEnabled, timeout=PATIENCE_MS)
    assert "1 min" in dialog.cost.text() or "60" in dialog.cost.text()
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    assert session.activity is Activity.RACING
    assert work.tabs.currentWidget() is work.race
    live = session.races.live
    assert live is not None
    first_round = len(live.field.entrants)
    qtbot.waitUntil(lambda: len(live.runs) > first_round or not session.busy, timeout=PATIENCE_MS)
    qtbot.mouseClick(window.toolbar.buttons["stop"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not session.busy, timeout=PATIENCE_MS)
    race = session.races.verdict
    assert race is not None
    assert work.slot.race_page.isVisible()
    assert work.slot.race_page.sentence.whole == race.recommendation.sentence
    assert work.race.table.rows[0].label == race.recommendation.label

    qtbot.mouseClick(work.slot.race_page.use, Qt.MouseButton.LeftButton)
    assert session.config("B") == race.recommendation.config
    assert work.cards["B"].isVisible()

    qtbot.mouseClick(window.toolbar.buttons["export"], Qt.MouseButton.LeftButton)
    export = window.findChild(ExportDialog)
    assert export is not None
    target = tmp_path / "best.toml"
    export.path.setText(str(target))
    qtbot.mouseClick(export.save, Qt.MouseButton.LeftButton)
    stored = tomllib.loads(target.read_text())
    assert stored["load"]["strategy"] == race.recommendation.exported
    load_model(own_copy, target)

    window.close()
    kept = History().experiments()
    assert [each.kind for each in kept][:1] == ["best"]

"""Find best in the window on a real file with real workers, from the question to the export."""

import tomllib

import pytest
from PySide6.QtCore import Qt
from tests.system.windows import click, idle, opened

from modelmon.core import load_model
from modelmon.core.find_best.result import Recommendation
from modelmon.core.history.history import History
from modelmon.gui.best.best_dialog import FindBestDialog
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.session.session import Activity

pytestmark = pytest.mark.long


def test_that_a_person_finds_the_best_uses_it_and_exports_it(
    qtbot, window, own_copy, on_a_device, tmp_path
):
    del on_a_device
    session, work = window.session, window.workspace
    opened(qtbot, window, own_copy)
    qtbot.keyClick(window, Qt.Key.Key_F7)
    dialog = window.findChild(FindBestDialog)
    dialog.budget.button("900").click()
    qtbot.waitUntil(dialog.start.isEnabled)
    assert "15 min" in dialog.cost.text()
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    assert session.activity is Activity.RACING
    assert work.tabs.currentWidget() is work.best
    live = session.races.live
    qtbot.waitUntil(lambda: len(live.runs) >= 4 or not session.busy)
    click(qtbot, window, "stop")
    idle(qtbot, window)
    race = session.verdict
    assert work.slot.page.texts.headline.whole == race.recommendation.sentence
    assert work.best.table.ranking.rows[0].label == race.recommendation.label

    qtbot.mouseClick(work.slot.page.offered["Use as B"], Qt.MouseButton.LeftButton)
    assert session.config("B") == race.recommendation.config
    assert work.cards["B"].isVisible()

    click(qtbot, window, "export")
    export = window.findChild(ExportDialog)
    target = tmp_path / "best.toml"
    export.path.setText(str(target))
    qtbot.mouseClick(export.save, Qt.MouseButton.LeftButton)
    stored = tomllib.loads(target.read_text())
    assert stored["load"]["strategy"] == race.recommendation.exported
    load_model(own_copy, target)

    window.close()
    kept = History().experiments()
    assert [each.kind for each in kept][:1] == ["best"]
    assert History().verdict(kept[0].id, Recommendation) == race.recommendation

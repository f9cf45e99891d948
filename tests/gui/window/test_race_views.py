"""What shows a race: its dialog, ranking, details and export."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from race_fakes import PLAN, RaceStage, raced_on

from modelmon.core.experiment.race.result import Advice
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.find_best.race_rows import rows_of
from modelmon.gui.models.standings import BAR, COLUMNS, StandingsModel
from modelmon.gui.panels.race.race_dialog import RaceDialog
from modelmon.gui.panels.race.race_page import RacePage
from modelmon.gui.panels.race.race_tab import AdviceRow, RaceDetails

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from modelmon.gui.session import Session

    Playing = Callable[..., tuple[str, ...]]
    Script = Callable[[str], tuple[str, ...]]


@pytest.fixture
def stage(session: Session, playing: Playing, script: Script) -> RaceStage:
    return RaceStage(session, playing, script)


def test_that_the_dialog_shows_the_cost_before_it_can_be_started(
    stage: RaceStage, qtbot: QtBot
) -> None:
    dialog = RaceDialog(stage.find_best_controller)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.start.isEnabled()
    qtbot.waitUntil(dialog.start.isEnabled)
    assert "Tests 2 strategies" in dialog.cost.text()
    assert "The first round reads 4 GB" in dialog.cost.text()
    assert "shared-fd: It is the known bad case." in dialog.cost.toolTip()
    dialog.objective.button("warm").click()
    assert not dialog.start.isEnabled()
    dialog.budget.button("900").click()
    assert stage.asked[-1][2:6] == ["--objective", "warm", "--budget", "900s"]
    qtbot.waitUntil(dialog.start.isEnabled)
    with qtbot.waitSignal(dialog.start_wanted) as wanted:
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert wanted.args == [PLAN]


def test_that_first_starts_cannot_be_chosen_for_a_model_in_memory(
    stage: RaceStage, session: Session, qtbot: QtBot
) -> None:
    assert session.inspection is not None
    storage = structs.replace(session.inspection.storage, kind="memory")
    session.set_inspection(structs.replace(session.inspection, storage=storage))
    dialog = RaceDialog(stage.find_best_controller)
    qtbot.addWidget(dialog)
    assert not dialog.objective.button("cold").isEnabled()
    assert "in memory" in dialog.objective.button("cold").toolTip()
    assert dialog.objective.value == "warm"
    assert stage.asked[-1][2:4] == ["--objective", "warm"]
    # The keys pass by what cannot be chosen.
    qtbot.keyClick(dialog.objective, Qt.Key.Key_Left)
    assert dialog.objective.value == "memory"
    qtbot.waitUntil(dialog.start.isEnabled)


def test_that_a_choice_by_keys_goes_on_where_it_was_and_return_starts_it(
    stage: RaceStage, qtbot: QtBot
) -> None:
    dialog = RaceDialog(stage.find_best_controller)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    qtbot.waitUntil(dialog.start.isEnabled)
    five_minutes = dialog.budget.button(dialog.budget.value)
    five_minutes.setFocus()
    qtbot.keyClick(five_minutes, Qt.Key.Key_Right)
    qtbot.waitUntil(dialog.start.isEnabled)
    chosen = dialog.budget.button("900")
    assert dialog.focusWidget() is chosen
    with qtbot.waitSignal(dialog.start_wanted):
        qtbot.keyClick(chosen, Qt.Key.Key_Return)


def test_that_the_dialog_says_why_nothing_can_be_raced(stage: RaceStage, qtbot: QtBot) -> None:
    stage.answer = 'import sys; sys.stderr.write("Error: The file is gone."); sys.exit(1)'
    dialog = RaceDialog(stage.find_best_controller)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: "The file is gone." in dialog.cost.text())
    assert not dialog.start.isEnabled()


def test_that_the_export_of_a_race_is_what_it_recommends(stage: RaceStage, qtbot: QtBot) -> None:
    stage.find_best_controller.start(PLAN)
    race = raced_on(qtbot, stage, 12)
    dialog = ExportDialog(race)
    qtbot.addWidget(dialog)
    stored = tomllib.loads(dialog.text)
    assert stored["load"]["strategy"] == race.recommendation.exported
    assert stored["evidence"]["objective"] == "cold"
    assert race.recommendation.sentence in dialog.note.text()
    # Where nothing loads within one process, the ranking alone can be written.
    found = structs.replace(race.recommendation, exported="")
    unstored = structs.replace(race, recommendation=found)
    page = RacePage()
    qtbot.addWidget(page)
    page.show_race(unstored, "", resumable=False)
    assert page.export.isEnabled()
    assert page.export.toolTip().startswith("Write the ranking")
    alone = ExportDialog(unstored)
    qtbot.addWidget(alone)
    assert "in one process" in alone.note.text()
    alone.entries.setCurrentRow(1)
    assert alone.note.text() == race.recommendation.sentence


def test_that_a_selected_way_stays_selected_when_the_ranking_turns(
    stage: RaceStage, qtbot: QtBot
) -> None:
    stage.find_best_controller.start(PLAN)
    standings = raced_on(qtbot, stage, 12).standings
    model = StandingsModel()
    model.set_rows(rows_of(standings))
    held = QPersistentModelIndex(model.index(0, 0))
    model.set_rows(rows_of((standings[1], standings[0], *standings[2:])))
    assert held.row() == 1
    assert model.index(1, BAR).data(Qt.ItemDataRole.AccessibleTextRole) == "1"
    assert model.index(0, len(COLUMNS) - 1).data() != ""


def test_that_advice_tells_its_basis_and_its_command_can_be_copied(
    qtbot: QtBot, qapp: QApplication
) -> None:
    del qapp
    advice = Advice(
        "fill-cache", "Fill the cache.", "1 s less.", "rule of thumb", "a source", "cat x"
    )
    row = AdviceRow(advice)
    qtbot.addWidget(row)
    assert row.basis.text() == "Rule of thumb"
    row.copy.click()
    assert QGuiApplication.clipboard().text() == "cat x"


def test_that_details_are_hidden_until_a_race_is_over(qtbot: QtBot) -> None:
    details = RaceDetails()
    qtbot.addWidget(details)
    details.show_race(None)
    assert details.isHidden()

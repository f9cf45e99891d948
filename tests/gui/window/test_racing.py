"""Find best in the window, with scripts in the place of workers and subcommands."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from window_fakes import Load

from modelmon.core.experiment.race_plan import RacePlan
from modelmon.core.experiment.race_result import Advice, Excluded
from modelmon.core.worker import events as ev
from modelmon.gui.actions import reasons_against
from modelmon.gui.commands import Command
from modelmon.gui.export_dialog import ExportDialog
from modelmon.gui.models.standings import BAR, COLUMNS, StandingsModel
from modelmon.gui.panels.race_details import AdviceRow, RaceDetails
from modelmon.gui.panels.race_dialog import RaceDialog
from modelmon.gui.panels.race_tab import RaceTab
from modelmon.gui.panels.verdict_slot import VerdictSlot
from modelmon.gui.race_rows import rows_of
from modelmon.gui.racing import Racing
from modelmon.gui.session import Activity, Session
from modelmon.gui.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from modelmon.core.experiment.race_result import Race

    Playing = Callable[..., tuple[str, ...]]
    Script = Callable[[str], tuple[str, ...]]

PATIENCE_MS = 60_000
BUDGET_NS = 60 * 10**9
BUSY = ev.Failed("busy", "python (4711) has llama mapped.", "Close it, or run anyway.")
PLAN = RacePlan(
    candidates=("mmap", "direct"),
    excluded=(Excluded("shared-fd", "It is the known bad case."),),
    objective="cold",
    budget_ns=BUDGET_NS,
    run_ns=10**8,
    runs=600,
    read_bytes=4 * 10**9,
    rate_bytes_per_s=2e9,
)


class Stage:
    """A session and its race; `wall_s` says how long each strategy takes."""

    def __init__(self, session: Session, playing: Playing, script: Script) -> None:
        self.session = session
        self.jobs: list[ev.Job] = []
        self.asked: list[list[str]] = []
        self.answer = f"print({msgspec.json.encode(PLAN).decode()!r})"
        self.loads: Callable[[ev.Job], Load] = self.by_strategy
        self.then = ""
        self._playing, self._script = playing, script
        self.racing = Racing(session, None, lambda: None, self._command, self._worker)

    @staticmethod
    def by_strategy(job: ev.Job) -> Load:
        wall_s = 0.5 if job.config.access == "direct" else 2.0
        cached = 1.0 if job.cache == "warm" else 0.0
        return Load(job.config, job.strategy, job.cache, wall_s, cached_share=cached)

    def _worker(self, job: ev.Job) -> WorkerProcess:
        self.jobs.append(job)
        return WorkerProcess(job, self._playing(self.loads(job), then=self.then))

    def _command(self, arguments: list[str]) -> Command:
        self.asked.append(arguments)
        return Command(arguments, self._script(self.answer))


@pytest.fixture
def stage(session: Session, playing: Playing, script: Script) -> Stage:
    return Stage(session, playing, script)


def raced_on(qtbot: QtBot, stage: Stage, runs: int) -> Race:
    """The race under way after so many runs, when it is stopped."""
    session = stage.session
    live = session.races.live
    assert live is not None
    qtbot.waitUntil(lambda: len(live.runs) >= runs or not session.busy, timeout=PATIENCE_MS)
    stage.racing.stop()
    qtbot.waitUntil(lambda: not session.busy, timeout=PATIENCE_MS)
    assert session.races.race is not None
    return session.races.race


def test_that_a_stopped_race_recommends_the_best_so_far(stage: Stage, qtbot: QtBot) -> None:
    session = stage.session
    slot, tab = VerdictSlot(session), RaceTab(session.races)
    for widget in (slot, tab):
        qtbot.addWidget(widget)
    stage.racing.start(PLAN)
    assert session.activity is Activity.RACING
    assert "best" in reasons_against(session)
    race = raced_on(qtbot, stage, 12)
    assert race.ending == "stopped"
    assert race.recommendation.strategy == "direct"
    assert slot.race_page.sentence.whole == race.recommendation.sentence
    assert "500 ms" in slot.race_page.expected.whole
    assert tab.table.rows[0].label == race.recommendation.label
    assert tab.table.rows[0].state == "Best"
    assert not tab.details.isHidden()
    assert "export" not in reasons_against(session)
    assert session.runs == []


def test_that_progress_tells_the_round_the_way_and_the_budget(stage: Stage, qtbot: QtBot) -> None:
    stage.loads = lambda job: replace(Stage.by_strategy(job), until_s=0.25)
    stage.then = "sys.stdin.read(); sys.exit(130)"
    stage.racing.start(PLAN)
    session = stage.session
    assert session.progress is not None
    qtbot.waitUntil(lambda: "GB/s" in session.progress().detail, timeout=PATIENCE_MS)
    view = session.progress()
    label = session.races.running
    assert view.headline.startswith("Find best, round 1, run 1 of ")
    assert view.detail.startswith(f"Now {label}: ")
    assert "of the budget left" in view.time_left
    assert view.share is not None
    assert 0 < view.share < 1
    stage.racing.stop()
    assert session.activity is Activity.STOPPING
    qtbot.waitUntil(lambda: not session.busy, timeout=PATIENCE_MS)
    assert session.notice is not None
    assert session.notice.headline == "Find best was stopped before any run was over."
    assert session.races.verdict is None


def test_that_a_run_that_overdraws_the_budget_ends_the_race(stage: Stage, qtbot: QtBot) -> None:
    short = msgspec.structs.replace(PLAN, budget_ns=3 * 10**9)
    first = []

    def loads(job: ev.Job) -> Load:
        first.append(job)
        load = Stage.by_strategy(job)
        if len(first) == 1:
            return load
        stage.then = "sys.stdin.read(); sys.exit(130)"
        return replace(load, until_s=0.25)

    stage.loads = loads
    stage.racing.start(short)
    qtbot.waitUntil(lambda: not stage.session.busy, timeout=PATIENCE_MS)
    race = stage.session.races.race
    assert race is not None
    assert race.ending == "budget"
    assert len(race.runs) == 1


def test_that_a_way_that_cannot_run_drops_out_with_its_reason(stage: Stage, qtbot: QtBot) -> None:
    refused = ev.Failed("config", "This filesystem refuses direct reads.", "")

    def loads(job: ev.Job) -> Load:
        load = Stage.by_strategy(job)
        return replace(load, failure=refused) if job.config.access == "direct" else load

    stage.loads = loads
    stage.racing.start(PLAN)
    race = raced_on(qtbot, stage, 12)
    states = {row.label: row.state for row in rows_of(race.standings)}
    assert states["direct"] == "Cannot run: This filesystem refuses direct reads."
    assert race.recommendation.strategy != "direct"


def test_that_a_file_in_use_can_be_raced_anyway(stage: Stage, qtbot: QtBot) -> None:
    session = stage.session
    stage.loads = lambda job: Load(job.config, failure=None if job.allow_busy else BUSY)
    stage.racing.start(PLAN)
    qtbot.waitUntil(lambda: not session.busy, timeout=PATIENCE_MS)
    assert session.notice is not None
    assert session.notice.headline == BUSY.message
    session.notice.choices[0].chosen()
    assert session.busy
    race = raced_on(qtbot, stage, 1)
    assert race.runs[0].result.counts


def test_that_what_is_measured_later_takes_the_slot(stage: Stage, qtbot: QtBot) -> None:
    stage.racing.start(PLAN)
    race = raced_on(qtbot, stage, 1)
    races = stage.session.races
    assert races.verdict is race
    stage.session.set_comparison(None)
    assert races.verdict is None
    assert races.standings() == race.standings


def test_that_the_dialog_shows_the_cost_before_it_can_be_started(
    stage: Stage, qtbot: QtBot
) -> None:
    dialog = RaceDialog(stage.racing)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.start.isEnabled()
    qtbot.waitUntil(dialog.start.isEnabled, timeout=PATIENCE_MS)
    assert "2 ways to load" in dialog.cost.text()
    assert "The first round reads 4 GB" in dialog.cost.text()
    assert "shared-fd: It is the known bad case." in dialog.cost.toolTip()
    dialog.objective.button("warm").click()
    assert not dialog.start.isEnabled()
    dialog.budget.button("900").click()
    assert stage.asked[-1][2:6] == ["--objective", "warm", "--budget", "900s"]
    qtbot.waitUntil(dialog.start.isEnabled, timeout=PATIENCE_MS)
    with qtbot.waitSignal(dialog.start_wanted) as wanted:
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert wanted.args == [PLAN]


def test_that_the_dialog_says_why_nothing_can_be_raced(stage: Stage, qtbot: QtBot) -> None:
    stage.answer = 'import sys; sys.stderr.write("Error: The file is gone."); sys.exit(1)'
    dialog = RaceDialog(stage.racing)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: "The file is gone." in dialog.cost.text(), timeout=PATIENCE_MS)
    assert not dialog.start.isEnabled()


def test_that_the_export_of_a_race_is_what_it_recommends(stage: Stage, qtbot: QtBot) -> None:
    stage.racing.start(PLAN)
    race = raced_on(qtbot, stage, 12)
    dialog = ExportDialog(race)
    qtbot.addWidget(dialog)
    stored = tomllib.loads(dialog.text)
    assert stored["load"]["strategy"] == race.recommendation.exported
    assert stored["evidence"]["objective"] == "cold"
    assert race.recommendation.sentence in dialog.note.text()


def test_that_a_selected_way_stays_selected_when_the_ranking_turns(
    stage: Stage, qtbot: QtBot
) -> None:
    stage.racing.start(PLAN)
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

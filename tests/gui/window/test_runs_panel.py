"""The Runs tab over a real history: found, marked, starred, named, compared, deleted, kept."""

from __future__ import annotations

import csv
import json
import time
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from PySide6.QtCore import QDate, QEvent, Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QTableView

from modelmon.core.experiment.history import History
from modelmon.core.experiment.history_rows import ArmOf
from modelmon.core.experiment.origin import origin_of
from modelmon.core.experiment.preflight import look_at
from modelmon.core.experiment.result import RunResult
from modelmon.core.load.presets import PRESETS
from modelmon.gui.main_window import MainWindow
from modelmon.gui.models.run_columns import NAME, STAR, TITLES, WHERE
from modelmon.gui.panels.changes_dialog import ChangesDialog
from modelmon.gui.panels.compare_runs_dialog import CompareRunsDialog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from modelmon.core.experiment.origin import Origin
    from modelmon.core.experiment.preflight import Preflight
    from modelmon.gui.panels.runs_panel import RunsPanel
    from modelmon.gui.settings import Settings

DAY_S = 86_400
change = msgspec.structs.replace


class Past:
    """A history on disk, and ways to put measurements of the open model into it."""

    def __init__(self, folder: Path, preflight: Preflight) -> None:
        self.history = History(folder)
        self.origin = origin_of(preflight.model, preflight.storage)
        self.nbytes = preflight.model.nbytes

    def result(self, strategy: str, wall_ms: int, days_ago: float, **changes: Any) -> RunResult:
        made = RunResult(
            strategy=strategy,
            config=PRESETS[strategy].config,
            wall_ns=wall_ms * 10**6,
            warmup_ns=0,
            load_bytes=self.nbytes,
            model_bytes=self.nbytes,
            memory_kind="mapped",
            cache_asked="cold",
            cache_state="cold",
            cache_evidence="verified",
            counts=True,
            started_unix_s=time.time() - days_ago * DAY_S,
        )
        return change(made, **changes)

    def keep(self, result: RunResult, origin: Origin | None = None) -> int:
        origin = origin or self.origin
        arm = ArmOf("A", result.strategy, result.config)
        experiment_id = self.history.begin("single", origin, [arm], {})
        run_id = self.history.add_run(experiment_id, origin, "A", result)
        self.history.end(experiment_id, "done")
        return run_id

    def elsewhere(self) -> Origin:
        machine = change(self.origin.machine, id="m2", cpu_model="Ryzen 9", cpu_count=32)
        return change(self.origin, machine=machine, storage=change(self.origin.storage, id="s2"))


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
    made.close()
    made.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the history has answered all that it was asked, and asked again."""
    for _ in range(2):
        answered: list[None] = []
        window.history.ask(lambda _: None, answered.append, lambda _: None)
        qtbot.waitUntil(lambda answered=answered: bool(answered))


def seen(qtbot: QtBot, window: MainWindow, preflight: Preflight) -> RunsPanel:
    """The Runs tab with the model open and its history read."""
    window.session.set_preflight(preflight)
    window.workspace.tabs.setCurrentWidget(window.workspace.runs)
    settle(qtbot, window)
    return window.workspace.runs


def column(panel: RunsPanel, title: str) -> list[str]:
    model, at = panel.table.runs, TITLES.index(title)
    return [model.index(row, at).data() for row in range(model.rowCount())]


def test_that_runs_of_before_are_listed_newest_first(
    qtbot: QtBot, window: MainWindow, past: Past, preflight: Preflight
) -> None:
    for days_ago, wall_ms in ((3, 300), (1, 100), (2, 200)):
        past.keep(past.result("mmap", wall_ms, days_ago))
    other = change(past.origin, model=change(past.origin.model, name="bert", digest="e" * 64))
    past.keep(past.result("mmap", 900, 1), other)
    panel = seen(qtbot, window, preflight)
    assert column(panel, "Time") == ["100 ms", "200 ms", "300 ms"]
    panel.filter.model.setCurrentText("All models")
    settle(qtbot, window)
    assert "bert" in column(panel, "Model")
    assert not panel.table.isColumnHidden(TITLES.index("Model"))


def test_that_runs_of_another_machine_or_disk_are_hidden_counted_and_marked(
    qtbot: QtBot, window: MainWindow, past: Past, preflight: Preflight
) -> None:
    past.keep(past.result("mmap", 100, 1))
    past.keep(past.result("mmap", 50, 1), past.elsewhere())
    disk = change(past.origin, storage=change(past.origin.storage, id="s3", device="sdb1"))
    past.keep(past.result("mmap", 900, 1), disk)
    panel = seen(qtbot, window, preflight)
    assert column(panel, "Time") == ["100 ms"]
    assert panel.foot.text() == "1 of 3 runs; 2 of another machine or disk not shown"
    panel.filter.only_here.setChecked(False)
    places = dict(zip(column(panel, "Time"), column(panel, "Where"), strict=True))
    assert places["50.0 ms"].startswith("Another machine: Ryzen 9, 32 CPUs")
    assert places["900 ms"].startswith("Another disk: sdb1")
    assert not places["100 ms"].startswith("Another")


def test_that_star_and_name_are_written(
    qtbot: QtBot, window: MainWindow, past: Past, preflight: Preflight
) -> None:
    run_id = past.keep(past.result("mmap", 100, 1))
    panel = seen(qtbot, window, preflight)
    table = panel.table
    star = table.visualRect(table.runs.index(0, STAR)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=star)
    settle(qtbot, window)
    assert column(panel, "★") == ["★"]
    table.runs.setData(table.runs.index(0, NAME), "after the update")
    settle(qtbot, window)
    assert column(panel, "Name") == ["after the update"]
    (row,) = past.history.runs()
    assert (row.id, row.starred, row.name) == (run_id, True, "after the update")


def test_that_deleting_asks_first(
    qtbot: QtBot, window: MainWindow, past: Past, preflight: Preflight
) -> None:
    past.keep(past.result("mmap", 100, 1))
    past.keep(past.result("parallel", 50, 2))
    panel = seen(qtbot, window, preflight)
    for button, left in (("Cancel", 2), ("Delete 1 run", 1)):
        panel.table.selectRow(0)
        window.activateWindow()
        panel.table.setFocus()
        qtbot.waitUntil(panel.table.hasFocus)
        qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
        (question,) = window.findChildren(QMessageBox)
        (chosen,) = [
            each
            for each in question.findChildren(QPushButton)
            if each.text().replace("&", "") == button
        ]
        chosen.click()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        settle(qtbot, window)
        assert len(past.history.runs()) == left
    assert column(panel, "Strategy") == ["parallel"]


def test_that_selected_runs_are_compared_and_others_refused(
    qtbot: QtBot, window: MainWindow, past: Past, preflight: Preflight
) -> None:
    past.keep(past.result("parallel", 100, 1))
    past.keep(past.result("mmap", 200, 2))
    past.keep(past.result("mmap", 50, 3), past.elsewhere())
    panel = seen(qtbot, window, preflight)
    panel.filter.only_here.setChecked(False)
    panel.table.selectRow(0)
    assert panel.compare.toolTip() == "Select two or more runs of the history."
    panel.table.selectAll()
    qtbot.mouseClick(panel.compare, Qt.MouseButton.LeftButton)
    dialog = window.findChild(CompareRunsDialog)
    assert dialog is not None
    model = dialog.findChild(QTableView).model()
    ratios = [model.index(row, model.columnCount() - 1).data() for row in range(3)]
    assert ratios == ["1.00 times", "0.50 times", "not comparable"]
    assert "another machine, another disk" in dialog.reasons.text()
    dialog.base.setCurrentIndex(1)
    assert model.index(1, model.columnCount() - 1).data() == "2.00 times"
    dialog.close()


def test_that_what_changed_since_a_day_is_told(
    qtbot: QtBot, window: MainWindow, past: Past, preflight: Preflight
) -> None:
    for day in range(6):
        past.keep(past.result("mmap", 400 + day, 60 + day))
        past.keep(past.result("mmap", 200 + day, 1 + day))
        past.keep(past.result("mmap", 90 + day, 1 + day), past.elsewhere())
    panel = seen(qtbot, window, preflight)
    panel.wanted.emit("changes")
    dialog = window.findChild(ChangesDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.table.rowCount() == 1)
    row = [dialog.table.index(0, at).data() for at in range(dialog.table.columnCount())]
    assert row[-1] == "Faster now"
    assert row[4].endswith("(6)")
    dialog.day.setDate(QDate.currentDate())
    qtbot.waitUntil(lambda: "No load was measured both" in dialog.said.text())
    dialog.close()


def test_that_selected_runs_are_exported(
    qtbot: QtBot, window: MainWindow, past: Past, preflight: Preflight, tmp_path: Path
) -> None:
    past.keep(past.result("mmap", 100, 1))
    past.keep(past.result("parallel", 50, 2))
    panel = seen(qtbot, window, preflight)
    panel.table.selectRow(1)
    library = window.run_desk.library
    for name in ("runs.csv", "runs.json"):
        library.export(panel.selected, tmp_path / name)
    library.export(panel.selected, tmp_path / "no" / "runs.csv")
    settle(qtbot, window)
    (row,) = csv.DictReader((tmp_path / "runs.csv").read_text().splitlines())
    (same,) = json.loads((tmp_path / "runs.json").read_text())["runs"]
    assert row["strategy"] == same["strategy"] == "parallel"
    assert window.session.notice is not None
    assert "cannot be written" in window.session.notice.headline


def test_that_a_damaged_history_is_said_and_the_windows_runs_stay(
    qtbot: QtBot, window: MainWindow, folder: Path, preflight: Preflight
) -> None:
    folder.mkdir()
    (folder / "history.sqlite").write_bytes(b"no database " * 1000)
    panel = seen(qtbot, window, preflight)
    assert "is damaged" in panel.foot.text()
    assert "is damaged" in panel.table.empty_text
    window.run_control.run("A")
    qtbot.waitUntil(lambda: not window.session.busy, timeout=60_000)
    settle(qtbot, window)
    assert column(panel, "Where") == ["This window"]


def test_that_a_run_of_the_window_is_kept_shown_again_saved_and_taken_in(
    qtbot: QtBot, window: MainWindow, past: Past, preflight: Preflight, tmp_path: Path
) -> None:
    window.session.set_cache("as-is")
    panel = seen(qtbot, window, preflight)
    assert panel.table.empty_text.startswith("No run of this model is recorded yet.")
    window.run_control.run("B")
    qtbot.waitUntil(lambda: not window.session.busy, timeout=60_000)
    settle(qtbot, window)
    (row,) = past.history.runs()
    assert (row.label, row.strategy) == ("B", "parallel")
    measured = window.session.record("B")

    # As another window would see it, on another day.
    window.session.set_preflight(preflight)
    settle(qtbot, window)
    panel.table.selectRow(0)
    panel.wanted.emit("show_a")
    qtbot.waitUntil(lambda: window.session.record("A") is not None)
    shown = window.session.record("A")
    assert shown is not None
    assert measured is not None
    assert shown.blocks == measured.blocks
    assert window.session.strategy_name("A") == "parallel"
    assert [result.wall_ns for result in window.session.results("A")] == [row.wall_ns]

    recording = tmp_path / "b.jsonl"
    window.run_desk.library.save_recording(row.id, recording)
    window.run_desk.library.import_file(recording)
    settle(qtbot, window)
    panel.filter.only_here.setChecked(False)
    settle(qtbot, window)
    assert sorted(text.split(":")[0] for text in column(panel, "Where"))[0] == "Imported"
    colours = {
        panel.table.runs.index(at, WHERE).data(Qt.ItemDataRole.ForegroundRole).name()
        for at in range(2)
    }
    assert len(colours) == 2


def test_that_the_tab_leaves_room_in_the_smallest_window(
    qtbot: QtBot, window: MainWindow, preflight: Preflight
) -> None:
    seen(qtbot, window, preflight)
    window.resize(1024, 680)
    qtbot.waitUntil(lambda: window.width() == 1024)
    assert not window.workspace.runs.compare.isVisible()
    assert window.workspace.runs.more.isVisible()

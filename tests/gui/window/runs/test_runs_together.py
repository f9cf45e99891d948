"""Runs of the history side by side, before and since a day, and as files."""

import csv
import json
import sqlite3

import msgspec
from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QApplication
from runs_past import seen, settle

from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import Message
from modelmon.gui.runs.run_dialogs import ChangesDialog, CompareRunsDialog


def rows(dialog):
    """The cells of the answer's table, without its heading."""
    dialog.markdown.click()
    lines = QApplication.clipboard().text().splitlines()
    cells = [[each.strip() for each in line.strip("|").split("|")] for line in lines if "|" in line]
    return cells[2:]


ARMS = {"A": "mmap", "B": "parallel"}


def test_that_selected_runs_are_compared_and_others_refused(qtbot, window, past, inspection):
    past.keep(past.result("parallel", 100, 1))
    past.keep(past.result("mmap", 200, 2))
    past.keep(past.result("mmap", 50, 3), past.elsewhere())
    nbytes = past.nbytes // 4
    part = {"load_bytes": nbytes, "file_bytes": nbytes, "portion": True}
    past.keep(past.result("mmap", 50, 4, **part))
    panel = seen(qtbot, window, inspection)
    panel.filter.only_here.setChecked(False)
    panel.table.setCurrentIndex(panel.table.runs.index(0, 0))
    assert panel.buttons["compare"].toolTip() == "Select two or more runs."
    panel.table.selectAll()
    qtbot.mouseClick(panel.buttons["compare"], Qt.MouseButton.LeftButton)
    dialog = window.findChild(CompareRunsDialog)
    first, second, elsewhere, of_part = rows(dialog)
    assert [row[-1] for row in (first, second, elsewhere)] == ["1.00×", "0.50×", "not comparable"]
    assert "another machine, another disk" in dialog.text.toPlainText()
    assert "didn't alternate with" in dialog.text.toPlainText()
    # What a part took stands in a column of its own.
    assert [row[4] for row in (first, second, elsewhere, of_part)] == [
        "100 ms", "200 ms", "50.0 ms", "",
    ]  # fmt: skip
    assert of_part[6] == "50.0 ms for 25% of the model"
    dialog.base.setCurrentIndex(1)
    assert rows(dialog)[1][-1] == "2.00×"
    dialog.close()


def test_that_what_changed_since_a_day_is_told(qtbot, window, past, inspection):
    for day in range(8):
        past.keep(past.result("mmap", 400 + day, 20 + day))
        past.keep(past.result("mmap", 200 + day, 1 + day))
        past.keep(past.result("mmap", 90 + day, 1 + day), past.elsewhere())
    seen(qtbot, window, inspection)
    window.runs_tab_controller.do("changes")
    dialog = window.findChild(ChangesDialog)
    told = dialog.text.toPlainText
    qtbot.waitUntil(lambda: ", mmap, cold start: 2.0× as fast since " in told())
    assert "Seen on 8 days" in told()
    dialog.day.setDate(QDate.currentDate())
    qtbot.waitUntil(lambda: "No comparable loads since" in told())
    dialog.close()


def test_that_no_error_of_a_history_from_elsewhere_is_a_picture(qtbot, window, past, inspection):
    past.keep(past.result("mmap", 100, 1))
    seen(qtbot, window, inspection)
    with sqlite3.connect(past.history.folder / "history.sqlite") as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET name = '![x](/etc/x.png)', sql = 'CREATE VIEW broken'"
            " WHERE name = 'kept_runs'"
        )
    connection.close()
    window.runs_tab_controller.do("changes")
    dialog = window.findChild(ChangesDialog)
    qtbot.waitUntil(lambda: "Move it away" in dialog.text.toPlainText())
    assert "![x](/etc/x.png)" in dialog.text.toPlainText()
    dialog.close()


def test_that_selected_runs_are_exported(qtbot, window, past, inspection, tmp_path):
    past.keep(past.result("mmap", 100, 1))
    why = Message("{share} was already cached.", share="38%")
    past.keep(msgspec.structs.replace(past.result("parallel", 50, 2), counts=False, why_not=why))
    panel = seen(qtbot, window, inspection)
    panel.table.setCurrentIndex(panel.table.runs.index(1, 0))
    library = window.runs_tab_controller.library
    for name in ("runs.csv", "runs.json"):
        library.export(panel.selected, tmp_path / name)
        settle(qtbot, window)
    assert window.status.currentMessage() == f"Wrote 1 run to {tmp_path / 'runs.json'}."
    library.export(panel.selected, tmp_path / "no" / "runs.csv")
    settle(qtbot, window)
    (row,) = csv.DictReader((tmp_path / "runs.csv").read_text().splitlines())
    (same,) = json.loads((tmp_path / "runs.json").read_text())["runs"]
    assert row["strategy"] == same["strategy"] == "parallel"
    assert same["why_not"] == "38% was already cached."
    assert "Couldn't write" in window.session.notice.headline


def test_that_arms_of_one_comparison_are_said_to_have_taken_turns(qtbot, window, past, inspection):
    arms = [Entrant(arm, name, PRESETS[name].config) for arm, name in ARMS.items()]
    number = past.history.begin("compare", past.origin, arms, {})
    # The second pair ran while everything was slow.
    for pair, slow in enumerate((1, 5, 1)):
        for wall_ms, (arm, name) in zip((200, 100), ARMS.items(), strict=True):
            result = past.result(name, wall_ms * slow + pair, 1, pair=pair)
            past.history.add_run(number, past.origin, arm, result)
    # What a search does last, from the other state of the cache, is no part of it.
    warm = past.result("mmap", 10, 1, pair=3, cache_asked="warm", cache_state="warm")
    past.history.add_run(number, past.origin, "A", warm)
    past.history.end(number, "done")
    panel = seen(qtbot, window, inspection)
    panel.table.selectAll()
    qtbot.mouseClick(panel.buttons["compare"], Qt.MouseButton.LeftButton)
    dialog = window.findChild(CompareRunsDialog)
    assert "alternated with" in dialog.text.toPlainText()
    assert "from 3 pairs" in dialog.text.toPlainText()
    assert "didn't alternate" not in dialog.text.toPlainText()
    dialog.close()

"""The Runs tab lists what the history has, and says what it leaves out."""

from PySide6.QtCore import Qt
from runs_past import change, column, seen, settle

from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.gui.runs.run_lines import PART, TITLES

NAMES = ("mmap", "direct")
LINES = b'{"event":"smell"}\n'
UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def test_that_runs_of_this_model_and_place_are_listed_newest_first_and_others_counted(
    qtbot, window, past, inspection
):
    for days_ago, wall_ms in ((3, 300), (1, 100), (2, 200)):
        past.keep(past.result("mmap", wall_ms, days_ago))
    model = change(past.origin, model=change(past.origin.model, name="bert", digest="e" * 64))
    past.keep(past.result("mmap", 901, 1), model)
    past.keep(past.result("mmap", 50, 1), past.elsewhere())
    disk = change(past.origin, storage=change(past.origin.storage, id="s3", device="sdb1"))
    past.keep(past.result("mmap", 900, 1), disk)
    panel = seen(qtbot, window, inspection)
    assert column(panel, "Time") == ["100 ms", "200 ms", "300 ms"]
    assert panel.foot.text() == "3 of 5 runs; 2 from another machine or disk not shown"
    panel.filter.search.setText("Ryzen 9")
    box = panel.filter.only_here.text()
    assert panel.table.empty_text.endswith(f"disk not shown. To see them, clear “{box}”.")
    panel.filter.search.clear()
    panel.filter.only_here.setChecked(False)
    places = dict(zip(column(panel, "Time"), column(panel, "Where"), strict=True))
    assert places["50.0 ms"].startswith("Another machine: Ryzen 9, 32 CPUs")
    assert places["900 ms"].startswith("Another disk: sdb1")
    assert not places["100 ms"].startswith("Another")
    panel.filter.model.setCurrentText("All models")
    settle(qtbot, window)
    assert "bert" in column(panel, "Model")
    assert not panel.table.isColumnHidden(TITLES.index("Model"))


def test_that_a_part_never_stands_among_times_of_the_whole_and_a_selection_is_kept(
    qtbot, window, past, inspection
):
    whole = past.keep(past.result("mmap", 300, 1, peak_rss_bytes=3 * 10**6))
    panel = seen(qtbot, window, inspection)
    assert panel.table.isColumnHidden(PART)
    part = past.nbytes // 4
    loaded = {"load_bytes": part, "file_bytes": part, "portion": True}
    shown = past.keep(past.result("direct", 100, 2, peak_rss_bytes=10**6, **loaded))
    panel = seen(qtbot, window, inspection)
    panel.table.sortByColumn(TITLES.index("Time"), UP)
    assert not panel.table.isColumnHidden(PART)
    assert column(panel, "Time") == ["300 ms", "–"]
    assert column(panel, "Peak memory") == ["3 MB", "–"]
    assert column(panel, "Part") == ["", "100 ms for 25% of the model"]
    # What is filtered away is awaited, and takes no selection away.
    panel.filter.search.setText("direct")
    panel.select((whole,))
    assert panel.selected == []
    panel.table.setCurrentIndex(panel.table.runs.index(0, 0))
    panel.table.sortByColumn(TITLES.index("Time"), DOWN)
    panel.filter.search.clear()
    assert [line.key[1] for line in panel.selected] == [shown]


def test_that_a_damaged_history_is_said_and_the_windows_runs_stay(
    qtbot, window, folder, inspection
):
    folder.mkdir()
    (folder / "history.sqlite").write_bytes(b"no database " * 1000)
    panel = seen(qtbot, window, inspection)
    assert "is damaged" in panel.foot.text()
    assert "is damaged" in panel.table.empty_text
    window.compare_controller.run("A")
    qtbot.waitUntil(lambda: not window.session.busy)
    settle(qtbot, window)
    assert column(panel, "Where") == ["This window"]
    notice = window.session.notice
    assert notice.caveat.startswith("Not saved in the history: ")
    assert "Move it away" in notice.caveat


def compared(past, state="done"):
    """A comparison with two pairs of runs."""
    named = list(zip("AB", NAMES, strict=True))
    arms = [Entrant(label, name, PRESETS[name].config) for label, name in named]
    number = past.history.begin("compare", past.origin, arms, {})
    ids = [
        past.history.add_run(
            number, past.origin, label, past.result(name, 100 * at, 1, pair=pair), LINES
        )
        for pair in (1, 2)
        for at, (label, name) in enumerate(named, start=pair)
    ]
    past.history.end(number, state)
    return ids


def test_that_runs_of_a_comparison_are_one_row_that_unfolds(qtbot, window, past, inspection):
    past.keep(past.result("prefetch", 50, 9))
    ids = compared(past)
    ended = past.result("mmap", 5, 1, pair=3, counts=False)
    ids.append(past.history.add_run(2, past.origin, "A", ended))
    warm = past.result("mmap", 7, 1, pair=4, cache_asked="warm", cache_state="warm")
    ids.append(past.history.add_run(2, past.origin, "A", warm))
    panel = seen(qtbot, window, inspection)
    table, runs = panel.table, panel.table.runs
    table.sortByColumn(TITLES.index("When"), DOWN)
    assert column(panel, "Strategy")[0] == "Comparison: mmap, direct"
    assert column(panel, "Time")[0] == "100 ms–300 ms"
    assert column(panel, "Status")[0] == "6 runs"
    assert column(panel, "Start")[0] == "Cold"
    assert (runs.rowCount(), len(runs.shown)) == (2, 7)
    assert panel.foot.text() == "7 runs"
    table.setCurrentIndex(runs.index(0, 0))
    assert {line.key[1] for line in panel.selected} == set(ids)
    assert not panel.actions_by_id["resume"].isEnabled()
    # The first column stays when the others are scrolled.
    table.expand(runs.index(0, 0))
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    assert table.frozen.isVisible()
    assert table.frozen.isExpanded(runs.index(0, 0))
    table.collapse(runs.index(0, 0))
    # A run that is asked for is unfolded, and stays so.
    table.select_runs(ids[:1])
    assert table.isExpanded(runs.index(0, 0))
    panel.filter.search.setText("mmap")
    assert [line.key[1] for line in panel.selected] == ids[:1]
    assert table.isExpanded(runs.index(0, 0))
    panel.filter.search.clear()


def test_that_a_comparison_is_shown_of_a_model_that_was_opened_by_a_relative_path(
    qtbot, window, past, sample, monkeypatch
):
    ids = compared(past)
    monkeypatch.chdir(sample.parent)
    panel = seen(qtbot, window, inspect_model(sample.name))
    panel.table.select_runs(ids)
    assert "outcome" not in panel.reasons


def test_that_a_stopped_comparison_goes_on_by_a_button_of_a_maximized_table(
    qtbot, window, past, inspection, monkeypatch
):
    compared(past, "stopped")
    panel, cards = seen(qtbot, window, inspection), window.workspace.cards["A"]
    qtbot.mouseClick(panel.maximise, Qt.MouseButton.LeftButton)
    assert panel.isVisible()
    assert not cards.isVisible()
    panel.table.setCurrentIndex(panel.table.runs.index(0, 0))
    assert column(panel, "Status")[0] == "4 runs, not finished"
    asked = []
    monkeypatch.setattr(window.compare_controller, "resume", asked.append)
    qtbot.mouseClick(panel.buttons["resume"], Qt.MouseButton.LeftButton)
    assert asked == ["x1"]
    qtbot.keyClick(panel.table, Qt.Key.Key_Escape)
    assert cards.isVisible()

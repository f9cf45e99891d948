"""Selected runs as strips, by what they have in common; one of each can stand for them in plots."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from runs_past import change, seen, settle
from window_fakes import LOAD_A

from modelmon.core.messages import Message
from modelmon.core.worker import events as ev
from modelmon.core.worker.result import summarise
from modelmon.gui.runs.overlays import MOST_ROWS

LINES = b"".join(ev.encode(event) for event in LOAD_A.events())


def opened(qtbot, window, inspection):
    panel = seen(qtbot, window, inspection)
    panel.resize(1400, panel.height())
    return panel


def rows(panel):
    return {row.name: row for row in panel.strips.strip.rows}


@pytest.fixture
def panel(qtbot, window, past, inspection):
    """Three cold runs of mmap and one that does not count, two of parallel, a warm one."""
    for wall_ms in (200, 210, 220):
        past.keep(past.result("mmap", wall_ms, 1), lines=LINES)
    cached = Message("Not counted: 38% was already cached.")
    past.keep(past.result("mmap", 50, 1, counts=False, why_not=cached))
    for wall_ms in (100, 110):
        past.keep(past.result("parallel", wall_ms, 1), lines=LINES)
    past.keep(past.result("mmap", 40, 1, cache_state="warm", cache_asked="warm"), lines=LINES)
    return opened(qtbot, window, inspection)


def test_that_each_selected_run_is_a_mark_in_the_row_of_its_strategy_and_start(qtbot, panel):
    assert not panel.strips.isVisible()
    qtbot.mouseClick(panel.buttons["strips"], Qt.MouseButton.LeftButton)
    assert panel.strips.isVisible()
    assert panel.strips.said.text() == "Select runs in the table to see each as a mark."
    panel.table.selectAll()
    assert panel.strips.said.text() == "7 runs in 3 groups"
    found = rows(panel)
    assert set(found) == {"mmap, cold", "parallel, cold", "mmap, warm"}
    assert found["mmap, cold"].usual_ns == 210e6
    assert sorted(each.kind for each in found["mmap, cold"].marks) == [
        *["counted"] * 3,
        "left-out",
    ]
    assert any(each.text.endswith("38% was already cached.") for each in found["mmap, cold"].marks)
    assert len({row.hue for row in found.values()}) == 3
    panel.table.clearSelection()
    assert not panel.strips.strip.isVisible()


def test_that_one_run_stands_for_each_group_in_the_plots_and_keeps_its_color(qtbot, window, panel):
    qtbot.mouseClick(panel.buttons["strips"], Qt.MouseButton.LeftButton)
    panel.table.selectAll()
    window.runs_tab_controller.do("overlay_medians")
    settle(qtbot, window)
    drawn = {run.name: run.style for run in window.runs_tab_controller.overlaying.runs}
    assert set(drawn) == {
        "mmap, cold, median of llama",
        "parallel, cold, median of llama",
        "mmap, warm, median of llama",
    }
    for row in panel.strips.strip.rows:
        assert row.hue == drawn[f"{row.name}, median of llama"]


def test_that_runs_of_another_place_are_no_part_of_a_group_and_many_groups_are_cut(
    qtbot, window, past, inspection
):
    past.keep(past.result("mmap", 200, 1))
    past.keep(past.result("mmap", 300, 1), past.elsewhere())
    for number in range(MOST_ROWS):
        past.keep(change(past.result("mmap", 100, 1), strategy=f"own {number}"))
    panel = opened(qtbot, window, inspection)
    panel.filter.only_here.setChecked(False)
    panel.strips_action.setChecked(True)
    panel.table.selectAll()
    assert panel.strips.said.text() == f"The first {MOST_ROWS} of {MOST_ROWS + 2} groups of runs"
    assert len(panel.strips.strip.rows) == MOST_ROWS


def test_that_the_runs_of_a_and_b_keep_their_colors_and_are_not_drawn_twice(qtbot, window, panel):
    session, record = window.session, LOAD_A.record()
    session.add_run("B", record, None, summarise(record))
    session.show_record("B", record)
    settle(qtbot, window)
    panel.strips_action.setChecked(True)
    panel.table.selectAll()
    ours = [row for row in panel.strips.strip.rows if row.hue == "B"]
    assert len(ours) == 1
    window.runs_tab_controller.do("overlay_medians")
    settle(qtbot, window)
    names = {run.name for run in window.runs_tab_controller.overlaying.runs}
    assert not any(name.startswith(ours[0].name) for name in names)
    assert len(names) == len(panel.strips.strip.rows) - 1


def test_that_selected_runs_are_copied_as_a_table(window, panel):
    panel.table.setCurrentIndex(panel.table.runs.index(1, 0))
    window.runs_tab_controller.do("copy")
    heading, _, row = QGuiApplication.clipboard().text().splitlines()
    cells = dict(zip(heading.split(" | "), row.split(" | "), strict=True))
    (line,) = panel.selected
    assert cells["| Strategy"] == f"| {line.strategy}"
    assert "Plot" not in cells
    panel.table.clearSelection()
    assert panel.reasons["copy"] == "Select runs in the table."


def test_that_loads_of_a_part_have_a_row_of_their_own(qtbot, window, past, inspection):
    past.keep(past.result("mmap", 200, 1))
    part = past.nbytes // 4
    past.keep(past.result("mmap", 50, 1, load_bytes=part, file_bytes=part, portion=True))
    panel = opened(qtbot, window, inspection)
    qtbot.mouseClick(panel.buttons["strips"], Qt.MouseButton.LeftButton)
    panel.table.selectAll()
    usual_ns = {name: row.usual_ns for name, row in rows(panel).items()}
    assert usual_ns == {"mmap, cold": 200e6, "mmap, cold, 25% of the model": 50e6}

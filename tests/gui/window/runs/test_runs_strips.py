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


def test_that_each_selected_run_is_a_mark_in_the_row_of_its_strategy_and_start(
    qtbot, window, panel
):
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
    # Selected runs are copied as a table.
    panel.table.setCurrentIndex(panel.table.runs.index(1, 0))
    window.runs_tab_controller.do("copy")
    heading, _, row = QGuiApplication.clipboard().text().splitlines()
    cells = dict(zip(heading.split(" | "), row.split(" | "), strict=True))
    assert cells["| Strategy"] == f"| {panel.selected[0].strategy}"
    assert "Plot" not in cells
    panel.table.clearSelection()
    assert panel.reasons["copy"] == "Select runs in the table."


def test_that_one_run_stands_for_each_group_in_the_plots_and_keeps_its_color(qtbot, window, panel):
    panel.strips_action.setChecked(True)
    panel.table.selectAll()
    window.runs_tab_controller.do("overlay_medians")
    settle(qtbot, window)
    drawn = {run.name: run.style for run in window.runs_tab_controller.overlaying.runs}
    assert {*drawn} == {f"{name}, median of llama" for name in rows(panel)}
    for row in panel.strips.strip.rows:
        assert row.hue == drawn[f"{row.name}, median of llama"]
    # Those of A and B keep their colors, and are not drawn twice.
    session, record = window.session, LOAD_A.record()
    session.add_run("B", record, None, summarise(record))
    session.show_record("B", record)
    settle(qtbot, window)
    panel.table.selectAll()
    (ours,) = [row for row in panel.strips.strip.rows if row.hue == "B"]
    window.runs_tab_controller.do("overlay_medians")
    settle(qtbot, window)
    names = {run.name for run in window.runs_tab_controller.overlaying.runs}
    assert not any(name.startswith(ours.name) for name in names)
    assert len(names) == len(panel.strips.strip.rows) - 1


def test_that_parts_and_other_places_have_rows_of_their_own_and_many_groups_are_cut(
    qtbot, window, past, inspection
):
    part = past.nbytes // 4
    past.keep(past.result("mmap", 50, 1, load_bytes=part, file_bytes=part, portion=True))
    past.keep(past.result("mmap", 200, 1))
    panel = opened(qtbot, window, inspection)
    panel.strips_action.setChecked(True)
    panel.table.selectAll()
    usual_ns = {name: row.usual_ns for name, row in rows(panel).items()}
    assert usual_ns == {"mmap, cold": 200e6, "mmap, cold, 25% of the model": 50e6}
    past.keep(past.result("mmap", 300, 1), past.elsewhere())
    for number in range(MOST_ROWS):
        past.keep(change(past.result("mmap", 100, 1), strategy=f"own {number}"))
    window.runs_tab_controller.library.reload()
    settle(qtbot, window)
    panel.filter.only_here.setChecked(False)
    panel.table.selectAll()
    assert panel.strips.said.text() == f"The first {MOST_ROWS} of {MOST_ROWS + 3} groups of runs"
    assert len(panel.strips.strip.rows) == MOST_ROWS

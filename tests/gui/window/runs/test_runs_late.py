"""Answers of the history that come when something else is shown by then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runs_past import Past, column, settle
from window_fakes import LOAD_A, make_inspection, make_model

from modelmon.core.worker import events as ev
from modelmon.core.worker.result import summarise
from modelmon.gui.models.run_lines import Place, line_of_row

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.gui.main_window import MainWindow


def test_that_a_run_of_the_model_before_is_not_put_into_a_card(
    qtbot: QtBot, window: MainWindow, past: Past, inspection: Inspection
) -> None:
    window.session.set_inspection(inspection)
    lines = b"".join(ev.encode(event) for event in LOAD_A.events())
    run_id = past.keep(summarise(LOAD_A.record()), lines=lines)
    (row,) = past.history.runs()
    line = line_of_row(row, Place(past.origin.machine.id))
    before = window.session.config("A")
    window.runs_tab_controller.replaying.show(line, "A")
    window.session.set_inspection(make_inspection(make_model("/data/other")))
    settle(qtbot, window)
    assert window.session.record("A") is None
    assert window.session.config("A") == before
    window.runs_tab_controller.replaying.show(line, "A")
    settle(qtbot, window)
    assert window.session.record("A") is not None
    assert row.id == run_id


def test_that_a_run_kept_while_the_list_is_read_is_of_this_place(
    qtbot: QtBot, window: MainWindow, past: Past, inspection: Inspection
) -> None:
    window.session.set_inspection(inspection)
    run_id = past.keep(past.result("mmap", 100, 0))
    window.workspace.tabs.setCurrentWidget(window.workspace.runs)
    window.session.run_kept.emit(run_id)
    settle(qtbot, window)
    assert not column(window.workspace.runs, "Where")[0].startswith("Another")

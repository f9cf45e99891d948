"""The table of runs: units, sorting, what is missing, and what is of another place."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from window_fakes import LOAD_A, LOAD_B

from modelmon.core.worker import events as ev
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import summarise
from modelmon.gui.runs.run_lines import TITLES, LineFilter, line_of_run
from modelmon.gui.runs.runs_tree import RunsModel
from modelmon.gui.session.session import Run

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def lines():
    slow = replace(LOAD_B, wall_s=10.0)
    records = (LOAD_A.record(), slow.record())
    runs = [Run(at, "A", each, None, summarise(each)) for at, each in enumerate(records, 1)]
    failed = replace(LOAD_A, until_s=1.0, failure=ev.Failed("io", "The disk is gone.")).record()
    return [line_of_run(run) for run in (*runs, Run(3, "A", failed, None, None))]


def column(model, title):
    at = TITLES.index(title)
    return [model.index(row, at).data() for row in range(model.rowCount())]


def test_that_rows_have_units_and_sort_by_figure_with_the_unknown_last(qapp):
    model = RunsModel(qapp)
    QAbstractItemModelTester(model, FATAL, qapp)
    model.set_lines(lines())
    model.sort(TITLES.index("Time"), UP)
    assert column(model, "Time") == ["2.00 s", "10.0 s", "–"]
    model.sort(TITLES.index("Time"), DOWN)
    assert column(model, "Time") == ["10.0 s", "2.00 s", "–"]
    assert column(model, "Status")[-1] == "Failed: The disk is gone."


def test_that_every_word_of_the_filter_has_to_be_found(qapp):
    model = RunsModel(qapp)
    model.set_lines(lines())
    model.set_filter(LineFilter(text="LLAMA parallel"))
    assert column(model, "Strategy") == ["parallel"]
    model.set_filter(LineFilter(strategy="mmap", start="Cold"))
    assert column(model, "Time") == ["2.00 s"]


def test_that_a_setting_that_is_no_default_is_shown_and_found(qapp):
    model = RunsModel(qapp)
    record = replace(LOAD_A, config=replace(LOAD_A.config, deliver="decoded")).record()
    model.set_lines([*lines(), line_of_run(Run(4, "A", record, None, summarise(record)))])
    model.set_filter(LineFilter(text="decod"))
    assert column(model, "Strategy") == ["mmap (decoded)"]


def test_that_runs_of_another_place_are_counted_while_they_are_hidden(qapp):
    first, *rest = lines()
    model = RunsModel(qapp)
    model.set_lines([replace(first, elsewhere="Another disk", where="Another disk: sdb"), *rest])
    assert (model.rowCount(), model.hidden_elsewhere) == (2, 1)
    model.set_filter(LineFilter(only_here=False))
    assert (model.rowCount(), model.hidden_elsewhere) == (3, 0)
    assert "Another disk: sdb" in column(model, "Where")


def test_that_a_run_that_never_began_stands_last_and_has_no_star(qapp):
    dead = Run(4, "A", RunRecord(), None, None)
    model = RunsModel(qapp)
    model.set_lines([line_of_run(dead), *lines()])
    for order in (UP, DOWN):
        model.sort(TITLES.index("When"), order)
        assert column(model, "When")[-1] == "–"
    assert set(column(model, "★")) == {""}

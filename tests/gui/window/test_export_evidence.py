"""Beside an exported text stands what it rests on: the runs, their times, and how sure that is."""

import msgspec
from cluster_fakes import result_of, told
from legibility import settled
from tests.core.find_best.racing import Racetrack, conditions
from window_fakes import LOAD_A, make_comparison, make_inspection

from modelmon.core.export.outcomes import OneRun
from modelmon.core.worker.result import summarise
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.export.evidence import evidence_of

CHANGE = msgspec.structs.replace


def test_that_a_comparison_shows_all_its_runs():
    found = evidence_of(make_comparison())
    assert [(row.name, row.hue, len(row.marks)) for row in found.rows] == [
        ("mmap", "A", 5),
        ("parallel", "B", 5),
    ]
    assert found.title == "load time"
    command = "/opt/llama-server --load-mode mmap"
    runs = tuple(
        CHANGE(run, ready="listening", command=command) for run in make_comparison().runs_a
    )
    programs = evidence_of(CHANGE(make_comparison(), runs_a=runs, runs_b=runs))
    assert programs.title == "time until ready"


def test_that_a_search_shows_what_it_recommends_beside_the_runner_up():
    track = Racetrack(conditions(seed=3), seed=3, times_ms={"direct": 400, "mmap": 900})
    race = track.go(12).race(make_inspection())
    best, second = race.recommendation.label, race.recommendation.runner_up
    found = evidence_of(race)
    assert [(row.name, row.hue) for row in found.rows] == [(best, 0), (second, 1)]
    cold = [run for run in race.runs if run.result.cache_asked == "cold"]
    shown = [run for run in cold if run.label in {best, second}]
    assert sum(len(row.marks) for row in found.rows) == len(shown)
    stored = CHANGE(race.recommendation, exported="mmap")
    other = evidence_of(CHANGE(race, recommendation=stored))
    assert [row.name for row in other.rows] == [best, second, "mmap"]
    alone = evidence_of(CHANGE(race, recommendation=CHANGE(stored, runner_up="", exported="")))
    assert [row.name for row in alone.rows] == [best]
    parts = tuple(CHANGE(run, result=CHANGE(run.result, portion=True)) for run in race.runs)
    part = evidence_of(CHANGE(race, portion_bytes=2**20, runs=parts))
    assert part.title == "load time of 1 MiB"
    # A file may have lost its runs.
    assert evidence_of(CHANGE(race, runs=())) is None


def test_that_one_run_is_one_mark():
    run = summarise(LOAD_A.record())
    own = evidence_of(OneRun(run, make_inspection()))
    assert [mark.time_ns for row in own.rows for mark in row.marks] == [2e9]


def shown_dialog(qtbot, result, width=1104, height=772):
    dialog = ExportDialog(result)
    qtbot.addWidget(dialog)
    dialog.resize(width, height)
    dialog.show()
    settled(dialog)
    return dialog


def look_at(dialog, name):
    titles = [
        dialog.entries.item(row).text().split("\n")[0] for row in range(dialog.entries.count())
    ]
    dialog.entries.setCurrentRow(titles.index(name))
    settled(dialog)


def test_that_nothing_rests_on_evidence_where_nothing_can_be_set(qtbot):
    dialog = shown_dialog(qtbot, make_comparison())
    assert dialog.page.evidence.strip.isVisible()
    look_at(dialog, "llama.cpp")
    assert not dialog.page.evidence.isVisible()
    assert not shown_dialog(qtbot, result_of(told())).page.evidence.isVisible()

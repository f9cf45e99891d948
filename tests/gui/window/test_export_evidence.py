"""Beside an exported text stands what it rests on: the runs, their times, and how sure that is."""

from dataclasses import replace

import msgspec
import pytest
from cluster_fakes import result_of, told
from legibility import settled
from PySide6.QtWidgets import QLabel, QScrollArea
from tests.core.find_best.racing import Racetrack, conditions
from window_fakes import LOAD_A, LOAD_B, make_comparison, make_inspection

from modelmon.core.export.outcomes import OneRun
from modelmon.core.worker.result import summarise
from modelmon.core.worker.run_warnings import warned
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.export.evidence import evidence_of
from modelmon.gui.widgets.theme import manager

CHANGE = msgspec.structs.replace
SECOND = 10**9


def lines(found):
    return {each.name: (each.values, each.compared, each.tone) for each in found.lines}


def raced(**changed):
    track = Racetrack(conditions(seed=3), seed=3, times_ms={"direct": 400, "mmap": 900})
    return CHANGE(track.go(12).race(make_inspection()), **changed)


def test_that_a_comparison_shows_all_its_runs_and_how_the_exported_one_compares():
    comparison = make_comparison()
    found = evidence_of(comparison, "B")
    assert [len(row.marks) for row in found.rows] == [5, 5]
    assert [row.hue for row in found.rows] == ["A", "B"]
    assert found.columns == (("A mmap", "A"), ("B parallel", "B"))
    assert found.title == "load time"
    assert found.summary.startswith("Cold starts of modelmon from ext4 on nvme0n1. Likely (95%): ")
    assert found.summary.endswith("×, 5 pairs.")
    assert found.compared == "B vs. A"
    told_of = lines(found)
    assert told_of["Load time"] == (("2.00 s", "1.00 s"), "2.0× as fast", "good")
    assert told_of["Throughput"][0] == ("1 GB/s", "2 GB/s")
    against = evidence_of(comparison, "A")
    assert against.compared == "A vs. B"
    assert lines(against)["Load time"][1:] == ("2.0× as long", "warn")


def test_that_no_winner_is_called_faster_and_a_server_is_named():
    near = replace(LOAD_B, wall_s=1.999)
    same = CHANGE(make_comparison(load_b=near), path="ssh://gpu-server:22/m.gguf")
    found = evidence_of(same, "B")
    assert lines(found)["Load time"][1:] == ("just as fast", "plain")
    assert found.summary.startswith("Cold starts of modelmon on gpu-server:22. ")
    few = evidence_of(make_comparison(pairs=2), "B")
    assert lines(few)["Load time"][1:] == ("no clear winner", "plain")
    assert few.summary.endswith("×, 2 pairs.")
    assert "(95%)" not in few.summary


def test_that_programs_tell_both_their_times():
    comparison = make_comparison()
    runs = {
        label: tuple(
            CHANGE(
                run,
                ready="listening",
                command=f"/opt/llama-server --load-mode {mode}",
                first_byte_ns=run.wall_ns // 4,
                last_byte_ns=run.wall_ns // 2,
            )
            for run in comparison.runs(label)
        )
        for label, mode in (("A", "mmap"), ("B", "dio"))
    }
    programs = CHANGE(
        comparison,
        runs_a=runs["A"],
        runs_b=runs["B"],
        arm_a=CHANGE(
            comparison.arm_a,
            strategy="llama-server --load-mode mmap",
            ready_ns=2e9,
            reading_ns=0.5e9,
        ),
        arm_b=CHANGE(
            comparison.arm_b,
            strategy="llama-server --load-mode dio",
            ready_ns=1e9,
            reading_ns=0.25e9,
        ),
    )
    found = evidence_of(programs, "B")
    assert found.title == "time until ready"
    # What they have in common is told once.
    assert found.columns == (("A mmap", "A"), ("B dio", "B"))
    assert [row.name for row in found.rows] == ["mmap", "dio"]
    assert found.summary.startswith("Cold starts of llama-server from ext4")
    assert lines(found) == {
        "Start to ready": (("2.00 s", "1.00 s"), "2.0× as fast", "good"),
        "Reading the model": (("500 ms", "250 ms"), "2.0× as fast", "plain"),
    }
    slower = CHANGE(programs, arm_b=CHANGE(programs.arm_b, reading_ns=0.6e9))
    assert lines(evidence_of(slower, "B"))["Reading the model"][1:] == (
        "20% longer",
        "warn",
    )


def test_that_a_race_shows_what_it_recommends_beside_the_runner_up():
    race = raced()
    best, second = race.recommendation.label, race.recommendation.runner_up
    found = evidence_of(race, "A")
    assert [(row.name, row.hue) for row in found.rows] == [(best, 0), (second, 1)]
    assert found.columns == ((best, None), (second, None))
    assert found.summary.startswith("Cold starts of modelmon from ext4 on nvme0n1. Likely (95%): ")
    (start, *_) = found.lines
    assert start.name == "Cold start"
    assert start.compared
    cold = [run for run in race.runs if run.result.cache_asked == "cold"]
    shown = [run for run in cold if run.label in {best, second}]
    assert sum(len(row.marks) for row in found.rows) == len(shown)
    stored = CHANGE(race.recommendation, exported="mmap")
    other = evidence_of(CHANGE(race, recommendation=stored), "A")
    assert [row.name for row in other.rows] == [best, second, "mmap"]
    alone = CHANGE(race.recommendation, runner_up="")
    one = evidence_of(CHANGE(race, recommendation=alone), "A")
    assert (one.columns, one.compared) == (((best, None),), "")
    assert one.summary == "Cold starts of modelmon from ext4 on nvme0n1."
    # A file may have lost its runs.
    assert evidence_of(CHANGE(race, runs=()), "A") is None


def test_that_a_race_tells_what_else_it_measured_of_the_two():
    race = raced()
    best, second = race.recommendation.label, race.recommendation.runner_up
    figures = {
        best: {"expected_ns": 4e8, "ratio": 1.0, "other_median_ns": 3e8, "held_bytes": 10**9},
        second: {"expected_ns": 9e8, "other_median_ns": 1e8, "held_bytes": None}
        | {"ratio": 2.25, "ratio_low": 2.1, "ratio_high": 2.4, "coverage_share": 0.95},
    }
    told_of = tuple(CHANGE(each, **figures.get(each.label, {})) for each in race.standings)
    changed = CHANGE(race, standings=told_of, objective="memory")
    assert lines(evidence_of(changed, "A")) == {
        "Cold start": (("400 ms", "900 ms"), "2.2× as fast", "good"),
        "Warm start": (("300 ms", "100 ms"), "3.0× as long", "warn"),
        "Private memory": (("1 GB", "–"), "", "plain"),
    }
    for low, high, share, said in (
        (0.9, 2.4, 0.95, ("no clear winner", "plain")),
        (2.1, 2.4, None, ("too early to tell", "plain")),
        (0.4, 0.6, 0.95, ("2.0× as long", "warn")),
    ):
        figures[second] |= {"ratio": 0.5, "ratio_low": low, "ratio_high": high}
        figures[second] |= {"coverage_share": share}
        told_of = tuple(CHANGE(each, **figures.get(each.label, {})) for each in race.standings)
        found = evidence_of(CHANGE(race, standings=told_of), "A")
        assert lines(found)["Cold start"][1:] == said
    parts = tuple(CHANGE(run, result=CHANGE(run.result, portion=True)) for run in race.runs)
    part = evidence_of(CHANGE(race, portion_bytes=2**20, runs=parts), "A")
    assert part.title == "load time of 1 MiB"
    assert part.lines[0].name == "Cold start, whole model"


def test_that_one_run_tells_its_times():
    run = summarise(LOAD_A.record())
    own = evidence_of(OneRun(run, make_inspection()), "A")
    assert own.rows == ()
    assert own.summary == "1 cold start of modelmon from ext4 on nvme0n1."
    assert lines(own) == {
        "Load time": (("2.00 s",), "", "plain"),
        "Throughput": (("1 GB/s",), "", "plain"),
    }
    parts = {"first_byte_ns": SECOND // 2, "last_byte_ns": 3 * SECOND // 2}
    program = CHANGE(run, ready="exit", command="/opt/llama-server -m x", **parts)
    told_of = evidence_of(OneRun(program, make_inspection()), "A")
    assert told_of.summary.startswith("1 cold start of llama-server from")
    assert {name: values[0] for name, (values, *_) in lines(told_of).items()} == {
        "Start to ready": "2.00 s",
        "Before reading": "500 ms",
        "Reading the model": "1.00 s",
        "After reading": "500 ms",
    }
    late = CHANGE(program, counts=False, why_not="It was ended.", warnings=(_cut_off(),))
    told_late = evidence_of(OneRun(late, make_inspection()), "A")
    assert told_late.summary.endswith(". It was ended.")
    assert told_late.lines[0].name == "Not ready after"


def _cut_off():
    return warned("cut-off", "Not counted: the load was ended.")


def shown_dialog(qtbot, dialog, width, height):
    qtbot.addWidget(dialog)
    dialog.resize(width, height)
    dialog.show()
    settled(dialog)
    return dialog


def row_of(dialog, name):
    titles = [dialog.entries.item(row).text() for row in range(dialog.entries.count())]
    return titles.index(name)


def test_that_it_follows_the_strategy_and_stays_away_where_nothing_can_be_set(qtbot):
    dialog = shown_dialog(qtbot, ExportDialog(make_comparison()), 1104, 772)
    panel = dialog.page.evidence

    def texts():
        return {each.text() for each in panel.findChildren(QLabel) if each.isVisible()}

    assert panel.isVisible()
    assert panel.strip.isVisible()
    assert {"Evidence", "B vs. A", "2.0× as fast"} <= texts()
    dialog.arm.button("A").click()
    settled(dialog)
    assert {"A vs. B", "2.0× as long"} <= texts()
    assert "2.0× as fast" not in texts()
    dialog.entries.setCurrentRow(row_of(dialog, "llama.cpp"))
    assert not panel.isVisible()
    dialog.entries.setCurrentRow(0)
    assert panel.isVisible()


def test_that_one_run_has_a_table_alone_and_a_cluster_nothing(qtbot):
    one = OneRun(summarise(LOAD_A.record()), make_inspection())
    dialog = shown_dialog(qtbot, ExportDialog(one), 1104, 772)
    assert dialog.page.evidence.isVisible()
    assert not dialog.page.evidence.strip.isVisible()
    cluster = shown_dialog(qtbot, ExportDialog(result_of(told())), 1104, 772)
    assert not cluster.page.evidence.isVisible()


@pytest.mark.parametrize("size", [(1104, 772), (1024, 660)])
def test_that_all_of_it_can_be_scrolled_to_and_nothing_is_cut_off(qtbot, size):
    dialog = shown_dialog(qtbot, ExportDialog(make_comparison()), *size)
    for name in ("modelmon.load_model", "vLLM"):
        dialog.entries.setCurrentRow(row_of(dialog, name))
        settled(dialog)
        (area,) = dialog.page.findChildren(QScrollArea)
        assert area.widget().width() <= area.viewport().width(), name
        area.ensureWidgetVisible(dialog.page.evidence)
        settled(dialog)
        seen = dialog.page.evidence.visibleRegion().boundingRect()
        assert seen.width() == dialog.page.evidence.width(), name
        assert seen.bottom() == dialog.page.evidence.rect().bottom(), name


def grounds(view):
    """The lines whose numbers have the ground of a setting."""
    gutter = view.viewport().x() - 2
    color = manager().theme.good_soft.rgb()
    picture = view.grab().toImage()
    step = view.fontMetrics().lineSpacing()
    top = view.viewport().y() + round(view.document().documentMargin())
    return {
        line
        for line in range(min(view.blockCount(), view.viewport().height() // step))
        if picture.pixel(gutter, round(top + (line + 0.5) * step)) == color
    }


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_that_lines_are_numbered_and_those_that_are_a_setting_stand_out(qtbot, mode):
    dialog = shown_dialog(qtbot, ExportDialog(make_comparison()), 1104, 772)
    manager().set_mode("dark" if mode == "dark" else "light")
    dialog.entries.setCurrentRow(row_of(dialog, "vLLM"))
    settled(dialog)
    view = dialog.page.preview
    text = dialog.text.splitlines()
    added = {at for at, line in enumerate(text) if "runai_streamer" in line or "RUNAI" in line}
    assert added
    assert added <= view.added
    assert grounds(view) == view.added
    assert view.toPlainText() == dialog.text
    # All of a short text is seen at once.
    assert not view.verticalScrollBar().isVisible()
    dialog.entries.setCurrentRow(0)
    settled(dialog)
    assert grounds(view) == set()

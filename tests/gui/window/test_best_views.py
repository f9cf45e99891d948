"""What shows a race: its dialog, ranking, words, details and export."""

import json
import re
import shlex
import tomllib
from dataclasses import replace

import msgspec
import pytest
from best_fakes import PLAN, BestStage, planned, searched
from msgspec import structs
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from tests.core.find_best.racing import SIZE, Racetrack, conditions

from modelmon.core.comparison.commands import Setting
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.find_best.plan import ProgramPlan, SearchConditions
from modelmon.core.find_best.result import Advice, Excluded
from modelmon.core.load.config import PRESETS
from modelmon.core.messages import to_wire
from modelmon.core.probe.probe import Limits
from modelmon.core.programs.known_program import Found
from modelmon.core.programs.registry import known_program
from modelmon.gui.best.best_dialog import FindBestDialog
from modelmon.gui.best.best_tab import BestTab
from modelmon.gui.best.best_words import (
    gain_text,
    markdown_text,
    plan_lines,
    recommendation_notice,
    search_progress,
)
from modelmon.gui.best.ranking import rank
from modelmon.gui.best.ranking_table import (
    COMPARED,
    MARKED_ROLE,
    MEMORY,
    RANGE,
    READERS,
    STRATEGY,
    WARM,
    RankingTable,
)
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.session.measured import RaceState
from modelmon.gui.session.notices import Choice, ProgressView
from modelmon.gui.session.session import Activity
from modelmon.gui.widgets.dialog import TextDialog


@pytest.fixture
def stage(session, playing, script):
    return BestStage(session, playing, script)


def started_by(stage):
    """What the dialog starts."""
    started = []
    stage.find_best_controller.start = started.append
    return started


def shown_dialog(stage, qtbot):
    dialog = FindBestDialog(stage.find_best_controller)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_that_the_dialog_shows_the_cost_before_it_can_be_started(stage, qtbot):
    dialog = shown_dialog(stage, qtbot)
    assert not dialog.start.isEnabled()
    qtbot.waitUntil(dialog.start.isEnabled)
    assert "Tests 2 strategies" in dialog.cost.text()
    assert "The first round reads 4 GB" in dialog.cost.text()
    assert "shared-fd: It is the known bad case." in dialog.cost.toolTip()
    dialog.objective.button("warm").click()
    assert not dialog.start.isEnabled()
    dialog.budget.button("900").click()
    assert stage.asked[-1][2:6] == ["--objective", "warm", "--time-limit", "900s"]
    qtbot.waitUntil(dialog.start.isEnabled)
    started = started_by(stage)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert started == [PLAN]


def program(name, title, obstacle=""):
    """As `modelmon programs` lists it."""
    return {"name": name, "title": title, "version": "1.2", "obstacle": obstacle}


def tune_plan():
    """Two ways to start llama.cpp, as `modelmon best --program` tells them."""
    llama = known_program("llama.cpp")
    variants = [llama.variants(Found())[0], next(each for each in llama.offers if each.words)]
    settings = []
    for variant in variants:
        started = ("llama-server", "--model", "/data/a model.gguf", *variant.words)
        label, text = f"llama.cpp {variant.name}", shlex.join(started)
        settings.append(Setting(label, variant, False, started, text, "http:81/health"))
    shared = SearchConditions("/data/a model.gguf", "warm", 60 * 10**9, 10**9)
    return ProgramPlan("llama.cpp", "1.2", tuple(settings), 30 * 10**9, shared)


def asked_of_programs(stage, qtbot, *engines):
    """The question, once it has found these programs."""
    stage.engines = list(engines)
    stage.tune_plan = msgspec.json.encode(tune_plan(), enc_hook=to_wire).decode()
    dialog = shown_dialog(stage, qtbot)
    qtbot.waitUntil(lambda: dialog.program.count() == 1 + len(engines))
    return dialog


def test_that_a_program_is_chosen_and_shown_in_full_before_it_can_be_started(stage, qtbot):
    why = "vllm isn't installed in /usr/bin/python3."
    found = (program("vllm", "vLLM", why), program("llama.cpp", "llama.cpp"))
    plan, dialog = tune_plan(), asked_of_programs(stage, qtbot, *found)
    assert not dialog.commands.isVisible()
    items = [dialog.program.itemText(at) for at in range(3)]
    assert items == ["modelmon's loader", "llama.cpp 1.2", f"vLLM: {why}"]
    model = dialog.program.model()
    assert not model.flags(model.index(2, 0)) & Qt.ItemFlag.ItemIsEnabled
    assert dialog.program.itemData(2, Qt.ItemDataRole.ToolTipRole) == why
    dialog.objective.button("memory").click()
    qtbot.keyClick(dialog.program, Qt.Key.Key_Down)
    assert dialog.chosen_program == "llama.cpp"
    assert not dialog.start.isEnabled()
    assert dialog.objective.value == "cold"
    assert not dialog.objective.button("memory").isEnabled()
    assert not dialog.libraries.isVisible()
    dialog.limit.setValue(30)
    dialog.limit.editingFinished.emit()
    limit = ["--time-limit", "300s", "--dry-run", "--json"]
    wanted = ["--program", "llama.cpp", "--limit", "30", "--"]
    assert stage.asked[-1][2:] == ["--objective", "cold", *limit, *wanted]
    dialog.options.setText("--alias 'my")
    dialog.options.editingFinished.emit()
    assert dialog.cost.text().startswith("A quotation mark isn't closed.")
    assert not dialog.start.isEnabled()
    dialog.options.setText("--alias 'my model'")
    dialog.options.editingFinished.emit()
    assert stage.asked[-1][-3:] == ["--", "--alias", "my model"]
    qtbot.waitUntil(dialog.start.isEnabled)
    assert "2 settings" in dialog.cost.text()
    assert "An HTTP path answers 200 (81/health)" in dialog.cost.text()
    assert "or after 30 s" in dialog.cost.text()
    shown = dialog.commands.toPlainText()
    for setting in plan.settings:
        assert setting.label in shown
        assert shlex.join(setting.started) in shown
    started = started_by(stage)
    dialog.start.click()
    assert started == [plan]


def test_that_a_program_can_be_named_by_its_place_also_where_none_was_found(stage, qtbot):
    found = {**program("llama.cpp", "llama.cpp"), "path": "/usr/bin/llama-server", "movable": True}
    absent = {**program("vllm", "vLLM", "vllm isn't installed."), "movable": True}
    asked_only = program("ollama", "Ollama", "Ollama isn't running here.")
    dialog = asked_of_programs(stage, qtbot, found, absent, asked_only)
    assert not dialog.place.isVisible()
    items = dialog.program.model()
    enabled = [bool(items.flags(items.index(at, 0)) & Qt.ItemFlag.ItemIsEnabled) for at in range(4)]
    assert enabled == [True, True, True, False]
    qtbot.keyClick(dialog.program, Qt.Key.Key_Down)
    assert dialog.place.isVisible()
    assert dialog.browse.isVisible()
    assert dialog.place.placeholderText() == "/usr/bin/llama-server"
    assert "--at" not in stage.asked[-1]
    dialog.place.setText(" /opt/llama b9/llama-server ")
    dialog.place.editingFinished.emit()
    at = stage.asked[-1].index("--at")
    assert stage.asked[-1][at + 1] == "/opt/llama b9/llama-server"
    # Of another program it is another place, and a window asks for the same one again.
    again = FindBestDialog(stage.find_best_controller)
    qtbot.addWidget(again)
    assert again.place.text() == "/opt/llama b9/llama-server"
    again.reject()
    qtbot.keyClick(dialog.program, Qt.Key.Key_Down)
    assert dialog.chosen_program == "vllm"
    assert dialog.place.text() == ""
    assert "Python" in dialog.place.placeholderText()
    assert "--at" not in stage.asked[-1]
    # Of a server no folders of this machine are shown.
    stage.session.set_inspection(structs.replace(stage.session.inspection, server="ssh://gpu"))
    qtbot.keyClick(dialog.program, Qt.Key.Key_Up)
    assert dialog.place.isVisible()
    assert not dialog.browse.isVisible()


def test_that_only_the_chosen_settings_are_tested_beside_the_programs_own(stage, qtbot):
    plan, dialog = tune_plan(), asked_of_programs(stage, qtbot, program("llama.cpp", "llama.cpp"))
    qtbot.keyClick(dialog.program, Qt.Key.Key_Down)
    qtbot.waitUntil(dialog.start.isEnabled)
    names = [setting.variant.name for setting in plan.settings]
    assert [*dialog.settings.boxes] == names[1:]
    box = dialog.settings.boxes[names[1]]
    qtbot.waitUntil(box.isVisible)
    assert plan.settings[1].variant.setting in box.toolTip()
    questions = len(stage.asked)
    box.click()
    assert not dialog.start.isEnabled()
    assert "Choose a setting" in dialog.cost.text()
    assert plan.settings[1].label not in dialog.commands.toPlainText()
    # What was left out stays so when something else is changed.
    dialog.budget.button("60").click()
    qtbot.waitUntil(lambda: dialog.cost.property("role") == "error")
    assert len(stage.asked) == questions + 1
    assert not dialog.start.isEnabled()
    dialog.settings.boxes[names[1]].click()
    assert dialog.start.isEnabled()
    started = started_by(stage)
    dialog.start.click()
    assert started == [plan]


def test_that_the_dialog_says_why_nothing_can_be_tested(stage, qtbot):
    stage.answer = 'import sys; sys.stderr.write("Error: The file is gone."); sys.exit(1)'
    dialog = asked_of_programs(stage, qtbot, program("llama.cpp", "llama.cpp"))
    qtbot.waitUntil(lambda: "The file is gone." in dialog.cost.text())
    stage.tune_plan = json.dumps({"error": {"message": "Nothing to choose.", "remedy": ""}})
    qtbot.keyClick(dialog.program, Qt.Key.Key_Down)
    assert dialog.cost.text().startswith("Checking which settings")
    qtbot.waitUntil(lambda: dialog.cost.property("role") == "error")
    assert not dialog.start.isEnabled()
    assert dialog.commands.toPlainText() == ""


def test_that_the_export_of_a_search_is_what_it_recommends(stage, qtbot):
    stage.find_best_controller.start(PLAN)
    race = searched(qtbot, stage, 12)
    dialog = ExportDialog(race)
    qtbot.addWidget(dialog)
    stored = tomllib.loads(dialog.text)
    assert stored["load"]["strategy"] == race.recommendation.exported
    assert stored["evidence"]["cache"] == "cold"
    # The recommendation stands beside the text, as why; this is what it doesn't see.
    assert dialog.note.text() == " ".join(race.recommendation.contradictions)
    # Where nothing loads within one process, the ranking alone can be written.
    found = structs.replace(race.recommendation, exported="")
    unstored = structs.replace(race, recommendation=found)
    told = recommendation_notice(unstored, None, export=Choice("Export…", int), use_as_b=int)
    assert told.choices[0].tool_tip.startswith("Write the ranking")
    alone = ExportDialog(unstored)
    qtbot.addWidget(alone)
    assert "in one process" in alone.note.text()
    alone.entries.setCurrentRow(1)
    assert alone.note.text() == dialog.note.text()


@pytest.fixture
def tab(stage, session, qtbot):
    """The tab after a search in which `direct` beat `mmap`, which A uses."""
    made = BestTab(session, stage.find_best_controller)
    qtbot.addWidget(made)
    made.resize(1100, 600)
    made.show()
    times_ms = {"direct": 400, "parallel": 600, "mmap": 900}
    shared = conditions(seed=3)
    track = Racetrack(shared, seed=3, times_ms=times_ms, admit=lambda _: "no")
    track.go(6).stop()
    assert session.inspection is not None
    race = track.session.race(session.inspection)
    left_out = (Excluded("shared-fd", "Known to be slow."),)
    session.races.begin(track.session)
    session.conclude(structs.replace(race, excluded=left_out))
    return made


def shown_again(tab, session, **changed):
    """The race of the tab with other results."""
    race = session.races.race
    assert race is not None
    other = structs.replace(race, **changed)
    session.conclude(other, "x7")
    return other


def column(table, of):
    """A column of the table, as it is shown."""
    model = table.model()
    return [model.index(row, of).data() for row in range(model.rowCount())]


def test_that_a_heading_that_is_clicked_sorts_and_at_last_ranks_again(tab, session, qtbot):
    race = session.races.race
    best, held = race.recommendation.label, race.standings[0].held_bytes
    assert held is not None
    less = [structs.replace(each, held_bytes=held // 9) for each in race.standings[1:2]]
    others = (structs.replace(each, held_bytes=None) for each in race.standings[2:])
    shown_again(tab, session, standings=(race.standings[0], *less, *others))
    table = tab.table
    ranked = column(table, STRATEGY)
    assert ranked[0] == best
    assert table.ranking.rows[0].leads
    of_least = table.model().index(ranked.index(less[0].label), MEMORY)
    assert of_least.data(MARKED_ROLE) == f"▼ {of_least.data()}"
    header = table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(MEMORY) + 20, header.height() // 2)
    for first in (less[0].label, None, best):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert first in (None, column(table, STRATEGY)[0])
        # What has no figure is last in either order.
        assert first == best or column(table, MEMORY)[-1] == "–"
    assert column(table, STRATEGY) == ranked
    # The keyboard has the menu.
    table.sorts.aboutToShow.emit()
    sorts = {each.text(): each for each in table.sorts.actions()}
    assert "Warm start" not in sorts
    sorts["Private memory"].trigger()
    assert column(table, STRATEGY)[0] == less[0].label
    sorts["Rank"].trigger()
    assert column(table, STRATEGY) == ranked


def test_that_readers_are_sorted_by_their_number(tab, session):
    standings = list(session.races.race.standings)
    for at, readers in enumerate((16, 2)):
        config = replace(standings[at].config, readers=readers)
        standings[at] = structs.replace(standings[at], config=config)
    shown_again(tab, session, standings=tuple(standings))
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        tab.table.sortByColumn(READERS, order)
        readers = [each for each in column(tab.table, READERS) if each]
        count = [int(each.split()[0]) for each in readers]
        assert {2, 16} <= set(count)
        assert count == sorted(count, reverse=order == Qt.SortOrder.DescendingOrder)
        assert column(tab.table, STRATEGY)[-1] == "shared-fd"


def test_that_ranges_have_the_room_that_texts_leave(tab):
    table = tab.table
    table._fit_columns()
    assert table.isColumnHidden(WARM)
    assert table.horizontalHeader().length() == table.viewport().width()
    assert table.columnWidth(RANGE) > table.viewport().width() / 3
    for row in range(len(tab.table.ranking.rows) - 1):
        wanted = table.sizeHintForIndex(table.model().index(row, COMPARED)).width()
        assert table.columnWidth(COMPARED) >= wanted


def test_that_reasons_of_what_has_no_place_are_told_and_copied_with_units(tab, session):
    tab.copy.click()
    heading, *lines = (line.split("\t") for line in clipboard().splitlines())
    assert heading[:3] == ["#", "Strategy", "Readers"]
    assert re.fullmatch(r"Expected, .+ m?s", heading[3])
    assert not [each for line in lines for each in line if "▼" in each or "A now" in each]
    assert "A now" in " ".join(
        tab.table.model().index(row, COMPARED).data(MARKED_ROLE) for row in range(len(lines))
    )
    assert {len(line) for line in lines} == {len(heading)}
    by_name = {line[1]: line for line in lines}
    race = session.races.race
    assert set(by_name) == {each.label for each in race.standings} | {"shared-fd"}
    assert by_name["direct"][4].endswith((" ms", " s"))
    assert by_name["shared-fd"][7] == "Known to be slow"
    assert lines[-1] == by_name["shared-fd"]


def test_that_who_is_selected_stays_so_when_the_ranking_turns(tab, session):
    table, race = tab.table, session.races.race
    assert race is not None
    chosen = table.ranking.rows[0].label
    table.selectRow(0)
    first = race.standings[0]
    slower = structs.replace(first, expected_ns=9e9, expected_low_ns=8e9, expected_high_ns=1e10)
    others = [structs.replace(each, state="racing") for each in race.standings[1:]]
    shown_again(tab, session, standings=(*others, slower))
    assert table.ranking.rows[0].label != chosen
    assert table.selected.label == chosen
    # One that is made later shows the same.
    assert RankingTable(session).ranking == table.ranking


def test_that_the_scale_holds_the_range_of_each_that_has_a_place(tab, session, monkeypatch):
    table, race = tab.table, session.races.race
    placed = [row.figures["cold"] for row in table.ranking.rows if row.place]
    low, high = table.span_ns
    assert low < min(each.low for each in placed)
    assert high > max(each.high for each in placed)
    # So it does the limit of the disk where that is near; one far below would squeeze them.
    for limit_ns, holds in ((low * 0.95, True), (low / 100, False)):
        monkeypatch.setattr(RankingTable, "limit_ns", limit_ns)
        assert (table.span_ns[0] <= limit_ns) is holds
        assert table.span_ns == (low, high) or holds
    monkeypatch.undo()
    # Next to nothing apart, they are still on a scale.
    same = {"expected_ns": 1e9, "expected_low_ns": 1e9, "expected_high_ns": 1e9}
    shown_again(tab, session, standings=tuple(structs.replace(e, **same) for e in race.standings))
    low, high = table.span_ns
    assert low < 1e9 < high
    assert not table.grab().isNull()


def test_that_more_time_or_another_search_is_offered_while_idle(tab, session, monkeypatch):
    asked = []
    monkeypatch.setattr(tab._best, "resume", lambda *wanted: asked.append(wanted))
    # Decided, there is nothing to press.
    assert not tab.go_on.isVisible()
    changed = shown_again(tab, session, ending="budget")
    assert tab.go_on.text() == "Continue 1 min"
    tab.go_on.click()
    shown_again(tab, session, ending="stopped")
    assert tab.go_on.text() == "Resume"
    tab.go_on.click()
    assert asked == [("x7", changed.spent_ns + 60 * 10**9), ("x7", changed.budget_ns)]
    begun = []
    monkeypatch.setattr(tab._best, "ask", begun.append)
    tab.search.click()
    session.races.clear()
    assert tab.state.whole.startswith("Find best tests every strategy")
    assert not tab.go_on.isVisible()
    tab.search.click()
    assert begun == [tab, tab]
    session.begin(Activity.PROBING, lambda: ProgressView("Measuring"))
    assert not tab.search.isEnabled()
    assert tab.search.toolTip() == "Not available while measuring the disk."
    session.end()


def test_that_details_are_what_is_copied_to_the_letter(tab, session):
    race = session.races.race
    text = "Fill the cache of <img src=/x> [now](/x)."
    advice = Advice("fill-cache", text, "1 s less.", "a source", "cat '*x*' <y>")
    found = structs.replace(race.recommendation, advice=(advice,))
    shown_again(tab, session, recommendation=found)
    assert not tab.details.isVisibleTo(tab.buttons)
    session.conclude(None)
    assert tab.details.isVisibleTo(tab.buttons)
    tab.details.click()
    details = tab.findChild(TextDialog)
    lines = [line.strip() for line in details.text.toPlainText().splitlines()]
    assert {str(found.sentence), f"Also: {text}", "cat '*x*' <y>"} <= {*lines}
    assert str(found.reasons[0]) in lines
    assert any(line.startswith("shared-fd: ") for line in lines)
    details.markdown.click()
    assert clipboard() == markdown_text(session.races.race)
    assert clipboard().startswith(f"**{found.sentence}**")
    details.reject()


def clipboard():
    return QGuiApplication.clipboard().text()


TWO = {"mmap": 900, "parallel": 400}
SEQUENTIAL = PRESETS["sequential"].config


@pytest.fixture(scope="module")
def inspection(sample):
    return inspect_model(sample)


def stopped(inspection, runs, times_ms=None):
    shared = conditions(seed=3)
    track = Racetrack(shared, seed=3, times_ms=times_ms or TWO, admit=lambda _: "no")
    track.go(runs).stop()
    return track.session.race(inspection)


@pytest.mark.parametrize(
    ("runs", "states"),
    [
        (1, {"For now: too few runs", "ended before its turn"}),
        (2, {"For now: too few runs", "About 2.24× as long"}),
        (4, {"Recommended", "2.19× as long"}),
    ],
)
def test_that_few_runs_have_no_best_way(inspection, runs, states):
    race = stopped(inspection, runs)
    ranking = rank(race.standings, ending=race.ending)
    assert {row.compared for row in ranking.rows} == states


def test_that_few_runs_show_no_difference_and_a_race_under_way_recommends_nothing(inspection):
    race = stopped(inspection, 4, {"mmap": 405, "parallel": 400})
    assert [row.compared for row in rank(race.standings, ending=race.ending).rows] == [
        "Recommended",
        "No clear difference",
    ]
    race = stopped(inspection, 12)
    assert rank(race.standings, ending="running").rows[0].compared == "Best so far"
    # Nothing that went on beats it, whatever it dropped out for.
    out = msgspec.structs.replace(race.standings[0], state="dropped", why="it seemed slow")
    first = rank((out, *race.standings[1:]), ending="stopped").rows[0]
    assert (first.label, first.compared) == (out.label, "Recommended")


@pytest.mark.parametrize(
    ("runs", "times_ms", "said"),
    [
        (6, {"sequential": 400, "mmap": 600, "parallel": 900}, "A already uses this."),
        (6, {"sequential": 900, "mmap": 800, "parallel": 400}, "sequential (A): 2."),
    ],
)
def test_that_the_gain_over_a_is_as_sure_as_the_runs(inspection, runs, times_ms, said):
    race = stopped(inspection, runs, times_ms)
    gain = gain_text(race, SEQUENTIAL, "sequential")
    assert gain.startswith(said)


def test_that_after_the_rounds_nobody_still_races():
    track = Racetrack(conditions(seed=3), seed=3, times_ms=TWO, admit=lambda _: "no")
    session = track.session
    assert search_progress(session, "mmap", None).headline == "Find best, round 1, run 1 of 2"
    while session.ending == "running":
        step = session.next_job()
        assert step is not None
        session.add(track.record(*step))
        session.next_job()
    view = search_progress(session, "parallel", None)
    assert view.headline == "Find best, warm starts, run 1 of 4"
    assert view.time_left == "4 min 50 s left"


def test_that_the_plan_says_where_its_times_are_from_and_whether_they_suffice():
    assert "at 2 GB/s by a quick measurement" in plan_lines(PLAN)[1]
    lines = plan_lines(planned(budget_ns=3 * PLAN.conditions.first_cost_ns))
    assert "Too few to rank them" in " ".join(lines)
    assert "Too few to rank them" not in " ".join(plan_lines(PLAN))


def test_that_the_disk_limit_is_no_slower_than_a_run_of_the_race(inspection):
    # Half as fast as the disk: a load of SIZE in 800 ms.
    probed = Limits(device_bytes_per_s=SIZE / 0.8)
    track = Racetrack(conditions(seed=3), seed=3, times_ms=TWO, admit=lambda _: "no", limits=probed)
    races = RaceState()
    races.begin(track.session)
    assert races.limits == probed
    track.go(4).stop()
    races.conclude(track.session.race(inspection))
    fastest_ns = min(run.result.wall_ns for run in track.session.runs)
    assert races.limits.device_bytes_per_s == pytest.approx(SIZE * 1e9 / fastest_ns)

"""A watched program that stands in the place of A and B, and what the window says of it."""

import json
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import msgspec
import pytest
from legibility import settled
from pyqtgraph import LinearRegionItem
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from tests.system.runs import until
from window_fakes import GB, Load

from modelmon.core.explain.program_report import judge
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.messages import NOTHING, Message
from modelmon.core.probe.probe import UNKNOWN_LIMITS, Limits
from modelmon.core.programs.known_program import ListedProgram, ListedVariant
from modelmon.core.programs.llama_cpp import LlamaServer
from modelmon.core.watch import stacks
from modelmon.core.worker import events as ev
from modelmon.core.worker.program_phases import Line
from modelmon.core.worker.record import RunRecord
from modelmon.core.worker.result import summarise
from modelmon.core.worker.run_warnings import warned
from modelmon.core.worker.wait_parts import AFTER, WaitPart, parts_between
from modelmon.gui.best.best_dialog import FindBestDialog
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.export.sources import subject_of
from modelmon.gui.plots.pens import phase_colour
from modelmon.gui.session.notices import Activity, ProgressView
from modelmon.gui.session.run_progress import run_view
from modelmon.gui.session.watched_run import WatchedRun, WatchRequest, program_of
from modelmon.gui.watch import watch_controller, watch_words
from modelmon.gui.watch.timeline import marks_of, part_text, whole_text
from modelmon.gui.watch.watch_controller import version_of
from modelmon.gui.watch.watch_dialog import WatchDialog
from modelmon.gui.watch.watch_words import card_facts, caveat_text, markdown_text
from modelmon.gui.widgets.theme import LIGHT, manager

RECORDING = Path(__file__).parents[2] / "data" / "recordings" / "llama_cpp_mmap_cold.jsonl"
WARMING_UP = "common_init_: warming up the model with an empty run - please wait ..."
CHANGE = msgspec.structs.replace
LOAD = Load(config=LoadConfig(library=PROGRAM), strategy="server MODEL", wall_s=12.0)


@pytest.fixture
def window(open_window):
    return open_window


def watched(seen_by="residency", limits=UNKNOWN_LIMITS):
    """A server that was ready after 12 s, of which it read the model for six."""
    record = RunRecord()
    for event in LOAD.events():
        record.feed(_of_a_program(event, seen_by))
    program = program_of(record)
    assert program is not None
    return WatchedRun(program, record, summarise(record), limits=limits)


def _of_a_program(event, seen_by):
    if isinstance(event, ev.Hello):
        program = ev.WatchedProgram("/opt/server -m /data/model.safetensors", "listening:8080")
        return CHANGE(event, job=CHANGE(event.job, program=program))
    if isinstance(event, ev.Started):
        return CHANGE(event, pid=41872)
    if isinstance(event, ev.Finished):
        return CHANGE(
            event,
            memory_kind="mapped",
            seen_by=seen_by,
            first_byte_ns=2 * GB,
            last_byte_ns=8 * GB,
        )
    return event


def test_that_what_a_program_has_open_that_reads_nothing_is_said_until_it_is_stopped():
    record, told = RunRecord(), Message("server hasn't opened the model so far.")
    for event in LOAD.events():
        record.feed(_of_a_program(event, "residency"))
        if isinstance(event, ev.Started):
            break
    record.feed(ev.Waiting(5 * GB, told))
    shown = run_view(record, "server")
    assert (shown.headline, shown.detail) == ("server is loading", told)
    record.feed(ev.Waiting(6 * GB))
    assert run_view(record, "server").detail == "server hasn't read the model yet"
    notice = watch_words.stopped("server", ev.Failed("cancelled", Message("Stopped."), told))
    assert notice.caveat == told


def test_that_phases_and_what_was_printed_are_shown_and_go_together(window):
    # A ranking makes room for it.
    window.workspace.show_ranking()
    run = watched()
    for t_s, text in (
        (0.1, "load_model: loading model '/data/model'"),
        (1.0, "load_tensors: loading model tensors"),
        (8.5, "llama_context: constructing llama_context"),
        (10.0, "warming up the model with an empty run"),
    ):
        run.record.printed.add(Line(round(t_s * GB), text))
    run = replace(run, result=summarise(run.record))
    window.session.show_program(run)
    settled(window)
    work = window.workspace
    assert work.tabs.currentWidget() is work.phases
    assert work.program_card.isVisible()
    table = work.phases.model
    rows = [[table.index(row, at).data() for at in range(4)] for row in range(table.rowCount())]
    assert [row[0] for row in rows] == [
        *("starting devices", "loading the model", "preparing weights", "reading"),
        *("preparing weights", "allocating the KV cache", "warming up"),
    ]
    assert rows[-1][1:3] == ["2.00 s", "17%"]
    assert rows[-1][3] == "→ Start it with --no-warmup: the first answer takes longer."
    assert [str(part.title) for part in work.timeline.parts] == [row[0] for row in rows]
    assert len(work.phases.output.toPlainText().splitlines()) == 4
    work.phases.table.selectRow(6)
    assert "warming up the model" in marked_line(work)
    # The crosshair marks the last line before it.
    work.plots.throughput.crosshair_moved.emit(9.0)
    assert "constructing llama_context" in marked_line(work)
    work.plots.throughput.crosshair_moved.emit(None)
    assert "warming up the model" in marked_line(work)
    # It leaves while another tab is seen, and a line of one program is none of the next.
    work.plots.throughput.crosshair_moved.emit(9.0)
    work.tabs.setCurrentWidget(work.waterfall)
    work.plots.throughput.crosshair_moved.emit(None)
    work.tabs.setCurrentWidget(work.phases)
    assert "warming up the model" in marked_line(work)
    work.plots.throughput.crosshair_moved.emit(9.0)
    other = watched()
    for at in range(6):
        other.record.printed.add(Line(at * GB, f"line {at}"))
    window.session.show_program(other)
    work.tabs.setCurrentWidget(work.phases)
    assert work.phases.output.toPlainText().splitlines()[5] == "    5.00 s  line 5"
    assert work.phases.output.toPlainText().count("line") == 6
    assert work.phases.output.extraSelections() == []
    window.session.show_program(None)
    settled(window)
    assert work.tabs.currentWidget() is not work.phases


def test_that_the_settings_that_shorten_its_phases_are_tested_from_the_verdict(window, monkeypatch):
    run = watched()
    for t_s, text in ((8.1, "llama_context: constructing llama_context"), (9.0, WARMING_UP)):
        run.record.printed.add(Line(round(t_s * GB), text))
    program = CHANGE(run.program, command="/opt/llama-server -m /data/model.safetensors")
    result = CHANGE(summarise(run.record), command=program.command)
    # What waits for storage isn't shortened by a setting of its phase.
    parts = tuple(CHANGE(part, waited_ns=0) for part in result.parts)
    result = CHANGE(result, parts=parts)
    window.session.show_program(replace(run, program=program, result=result))
    settled(window)
    page, work = window.workspace.slot.page, window.workspace
    assert "Test these settings…" in page.offered
    cell = work.phases.model.index(work.phases.model.rowCount() - 1, 3).data()
    assert "no-warmup: not tested here, at most 3.00 s less" in cell
    # Of two starts the phases that took another time the first time are told.
    parts = *result.parts[:-1], later(result.parts[-1])
    first = CHANGE(result, parts=parts, wall_ns=parts[-1].end_ns)
    window.session.show_program(replace(window.session.program, first=first))
    settled(window)
    lines = work.phases.model.index(work.phases.model.rowCount() - 1, 3).data().splitlines()
    assert lines[0] == "First start: 9.00 s"
    # What was printed by a moment stands below the plots.
    window.resize(1440, 900)
    settled(window)
    work.plots.throughput.crosshair_moved.emit(None)
    assert work.watch_panel.line.whole.startswith("Lines of output: 2.")
    work.plots.throughput.crosshair_moved.emit(8.5)
    assert work.watch_panel.line.whole == "8.10 s  llama_context: constructing llama_context"
    # It stays while more is printed.
    run.record.printed.add(Line(10 * GB, "main: model loaded"))
    window.session.program_changed.emit()
    assert len(work.timeline.lines) == 3
    assert work.watch_panel.line.whole == "8.10 s  llama_context: constructing llama_context"
    wanted = []
    best = window.find_best_controller
    monkeypatch.setattr(best, "ask_for_program", lambda _, *asked: wanted.append(asked))
    window.session.slot_changed.emit()
    page.offered["Test these settings…"].click()
    ((name, place, settings, _),) = wanted
    assert (name, place) == ("llama.cpp", "")
    few = {each.name for each in LlamaServer.offers if each.access == "fewer-threads"}
    assert settings == {"no-warmup", "passive-threads", "context-4096"} | few


def later(part):
    return CHANGE(part, end_ns=part.end_ns + 6 * GB)


def marked_line(work):
    (marked,) = work.phases.output.extraSelections()
    return marked.cursor.block().text()


def test_that_a_and_b_come_back_as_they_were(window):
    session, work = window.session, window.workspace
    mine = Load().record()
    session.show_record("B", mine)
    work.plots.show_arms("B")
    work.cards["A"].ensurePolished()
    session.show_program(watched())
    assert session.record("B") is None
    assert work.plots.toggle.value == "A"
    assert work.plots.controls.arms.isHidden()
    assert manager().theme.arm("A") == LIGHT.text
    # Plots call it by its name, and not A.
    assert work.blocks.entries["A"].text() == "server"
    assert work.blocks.entries["B"].isHidden()
    assert work.plots.throughput.ends["A"].value() == pytest.approx(12.0)
    _, rows = work.plots.throughput.values_at(6.0)
    assert [row.label for row in rows] == ["server"]
    work.program_card.close_button.click()
    assert session.record("A") is None
    assert session.record("B") is mine
    assert work.plots.toggle.value == "B"
    assert not work.plots.controls.arms.isHidden()
    assert manager().theme.arm("A") == LIGHT.a
    assert work.blocks.entries["A"].text() == "A"
    assert work.cards["A"].isVisible()
    # So does a run of ours.
    session.show_program(watched())
    window.commands.does["run_a"]()
    assert session.program is None
    window.run_controller.shut_down()


def test_that_empty_plots_speak_of_the_program_for_as_long_as_it_is_shown(window):
    session, waterfall = window.session, window.workspace.waterfall
    run = replace(watched("counters"), record=RunRecord(), result=None)
    session.begin(Activity.WATCHING, lambda: ProgressView("Watching"))
    session.show_program(run)
    # The worker's states come as activity, too.
    session.activity_changed.emit()
    assert waterfall.empty_label.text() == "Shown as the program reads the model."
    run.record.feed(ev.Failed("program", Message("It ended."), NOTHING))
    session.end()
    assert waterfall.empty_label.text() == "Which blocks it read is unknown."
    session.show_program(watched("counters"))
    session.end()
    assert waterfall.empty_text.startswith("Only the program's counters")
    session.show_program(None)
    assert waterfall.empty_text == "Run A or B to see when each block is ready."


def test_that_a_program_is_stopped_watched_again_and_replayed(window, monkeypatch):
    session, record = window.session, RunRecord()
    for event in Load(until_s=1.0, failure=ev.Failed("cancelled", Message("Stopped."))).events():
        record.feed(_of_a_program(event, "counters"))
    session.show_program(replace(watched(), record=record, result=None))
    assert window.workspace.program_card.what.text() == "until it was stopped"
    headline = window.workspace.slot.page.texts.headline.whole
    assert headline == "Stopped watching server."
    # Only what was typed here is watched again without a question.
    started = []
    monkeypatch.setattr(window.watch_controller, "start", started.append)
    asked = WatchRequest(("server",))
    window.session.show_program(replace(watched(), request=asked))
    window.workspace.program_card.again.click()
    assert started == [asked]
    joined = CHANGE(watched().program, pid=os.getpid())
    window.session.show_program(replace(watched(), request=asked, program=joined))
    assert window.workspace.program_card.again.toolTip() == "Join it again"
    window.session.show_program(watched())
    window.workspace.program_card.again.click()
    (dialog,) = window.findChildren(WatchDialog)
    assert dialog.fields.command.text() == watched().program.command
    assert started == [asked]
    dialog.reject()
    # A replay goes on as the version becomes known.
    run, playback = watched(), window.runs_tab_controller.playback
    window.session.show_program(run)
    window.commands.replay()
    playback.pause()
    window.session.show_program(replace(run, version="server 2.1"))
    assert playback.active
    assert window.session.record("A") is not run.record
    assert "server 2.1" in [fact.value for fact in card_facts(window.session.program)]


def test_that_a_recorded_load_of_a_real_program_is_shown_whole(qtbot, window):
    work = window.workspace
    window.open_controller.open_recording(str(RECORDING))
    qtbot.waitUntil(work.program_card.isVisible)
    assert work.program_card.name.text() == "xllamacpp mmap"
    assert work.program_card.time.text() == "3.41 s"
    assert work.slot.page.texts.headline.whole == (
        "Storage isn't the problem: 73% of the wait comes after reading"
    )
    assert work.plots.throughput.ends["A"].value() == pytest.approx(3.41, abs=0.01)
    assert not work.waterfall.is_empty
    work.tabs.setCurrentWidget(work.access_map)
    qtbot.waitUntil(lambda: not work.access_map.is_empty)
    # How far it is from what is possible is drawn in its access map.
    run, access = window.session.program, work.plots.access
    assert access.draws
    assert not access.possible_line.isVisible()
    limits = Limits(device_bytes_per_s=run.result.load_bytes * 5, memory_bytes_per_s=10**12)
    window.session.show_program(replace(run, limits=limits))
    assert access.possible_word.toPlainText() == "possible: 200 ms"
    first, last = access.possible_line.at_x.tolist()
    assert last - first == pytest.approx(0.2)


def test_that_the_slot_says_what_could_be_saved_and_the_plot_what_was_not_used(window):
    probed = Limits(device_bytes_per_s=GB, memory_bytes_per_s=10 * GB)
    for limits, headline, tone in (
        (probed, "server waits for the disk: up to 4.00 s of 12.0 s can be saved", "warn"),
        (UNKNOWN_LIMITS, "50% of the wait is reading: 6.00 s of 12.0 s", "plain"),
    ):
        run = watched(limits=limits)
        window.session.show_program(run)
        assert window.workspace.slot.page.texts.headline.whole == headline
        assert judge(run.result, run.limits).tone == tone
    # Made elsewhere, it has no recording here.
    actions = window.workspace.program_card.card_menu().actions()
    assert not next(each for each in actions if each.text() == "Save recording…").isEnabled()
    plot = window.workspace.plots.throughput
    plot.set_limit(GB, "Disk limit 1.00 GB/s")
    assert plot.unused.isVisible()
    assert plot.limit.text == "Disk limit 1.00 GB/s; 333 MB/s used while reading"
    for told in (
        lambda: plot.set_limit(GB / 3, "Disk limit 333 MB/s"),
        lambda: window.session.show_program(None),
    ):
        told()
        assert not plot.unused.isVisible()
        assert "used" not in plot.limit.text
        plot.set_limit(GB, "Disk limit 1.00 GB/s")


def test_that_the_settings_of_a_program_that_has_a_preset_are_tested_from_its_verdict(window):
    page = window.workspace.slot.page
    window.session.show_program(watched())
    assert "Find best…" not in page.offered
    command = ("/opt/llama-server", "-m", "/data/model.gguf", "-c", "512")
    assert replace(watched(), program=ev.WatchedProgram("")).engine == ""
    server = ev.WatchedProgram(shlex.join(command))
    window.session.show_program(replace(watched(), program=server))
    assert page.offered["Find best…"].isVisible()
    assert "llama.cpp" in page.offered["Find best…"].toolTip()
    page.offered["Find best…"].click()
    (dialog,) = window.findChildren(FindBestDialog)
    found = ListedProgram("llama.cpp", "llama.cpp", "b1", NOTHING)
    window.programs.programs_found.emit((found,))
    assert dialog.chosen_program == "llama.cpp"
    # What only a record names is not started, not even to ask for its version.
    assert dialog.place.text() == ""
    dialog.reject()
    typed = replace(watched(), program=server, request=WatchRequest(command))
    window.session.show_program(typed)
    page.offered["Find best…"].click()
    dialog = window.findChildren(FindBestDialog)[-1]
    assert dialog.place.text() == "/opt/llama-server"
    assert dialog.options.text() == "-c 512"


def test_that_after_a_recorded_run_a_shows_its_own_again_and_not_the_program(window):
    session, mine = window.session, Load().record()
    recorded = Load().record()
    session.add_run("A", recorded, None, summarise(recorded))
    session.show_record("A", mine)
    window.workspace.tabs.setCurrentWidget(window.workspace.runs)
    session.show_program(watched())
    line = window.workspace.runs.table.runs.shown[0]
    window.runs_tab_controller.replaying.show(line, "A")
    assert session.record("A") is recorded
    assert session.notice.back == "Show A again"
    session.say(None)
    assert session.record("A") is mine


def test_that_the_plots_of_a_program_share_one_time_axis_and_can_be_hidden(window):
    window.resize(1440, 900)
    work, plots = window.workspace, window.workspace.plots
    window.session.show_program(watched())
    settled(window)
    work.refresh_plots()
    shown = [plots.throughput, plots.io_wait, plots.cpu, plots.rss, plots.access]
    assert all(plot.isVisible() for plot in shown)
    assert len({plot.canvas.x_range for plot in shown}) == 1
    drawn = [plot.canvas for plot in shown if not plot.is_empty]
    left = {canvas.mapTo(window, canvas.to_px(0.0, 0.0).toPoint()).x() for canvas in drawn}
    assert len(left) == 1
    # Timeline and plots mark the same moments.
    marks = ["start", "opens the model", "model read", "ready 12.0 s"]
    assert [name for _, name in work.timeline.marks] == marks
    for plot in shown:
        assert [part.end_ns / GB for part in plots._phases[plot].parts] == [2.0, 8.0, 12.0]
        # Each that has a color in the timeline has a ground in that color.
        items = plot.canvas._view.scene().items()
        regions = [
            each for each in items if isinstance(each, LinearRegionItem) and each.isVisible()
        ]
        grounds = {each.getRegion(): QColor(each.brush.color().rgb()) for each in regions}
        coloured = [part for part in work.timeline.parts if phase_colour(part) is not None]
        assert grounds == {
            (part.begin_ns / GB, part.end_ns / GB): phase_colour(part) for part in coloured
        }
    menu = {each.text(): each for each in plots.controls.menu.actions()}
    toggle = menu[plots.cpu.name]
    assert toggle.isChecked()
    toggle.trigger()
    assert not plots.cpu.isVisible()
    menu["Show default plots"].trigger()
    assert plots.cpu.isVisible()
    plots.throughput.toggle_maximised()
    assert not plots.access.isVisible()
    window.session.show_program(None)
    assert not toggle.isChecked()


def test_that_card_and_details_say_where_it_ran_and_how_to_see_more():
    shown, tracing = watched(), Message("tracing needs root")
    for run, why, name, said in (
        ({}, NOTHING, "PID", "41872, started by modelmon"),
        ({"server": ""}, NOTHING, "Host", "this machine"),
        ({"server": "ssh://gpu"}, NOTHING, "Host", "gpu"),
        ({"version": "llama.cpp b1"}, NOTHING, "Version", "llama.cpp b1"),
        ({}, tracing, "Observed", "by residency: tracing needs root"),
    ):
        result = CHANGE(shown.result, why_no_trace=why)
        facts = card_facts(replace(shown, result=result, **run))
        assert {fact.name: fact.value for fact in facts}[name] == said
    fix = Message("As root: mount -t tracefs")
    result = CHANGE(shown.result, trace_remedy=fix, other_device_bytes=300 * 10**6)
    lines = markdown_text(replace(shown, result=result)).splitlines()
    assert {f"|  | {fix} |", "| Other reads | 300 MB from storage |"} <= {*lines}
    # Why a run doesn't count comes before what to do next.
    refused = replace(shown, result=CHANGE(shown.result, counts=False, why_not=Message("Cached.")))
    said = [caveat_text(run, Message("Set it.")) for run in (shown, refused)]
    assert said == ["Set it.", "Cached."]


def test_that_a_program_is_started_twice_and_its_starts_are_compared(window, qtbot, monkeypatch):
    jobs = []

    def play(runs, _):
        jobs.append(runs.experiment.conditions)
        worker = SimpleNamespace(record=watched().record, recording=None, state_changed=Mock())
        runs.begin("A", worker)
        runs.end(runs.experiment.add(worker.record))
        runs.conclude()

    monkeypatch.setattr(window.run_controller, "start", play)
    window.watch_controller.start(WatchRequest(("/opt/server",), twice=True))
    qtbot.waitUntil(lambda: len(jobs) == 2)
    qtbot.wait(10)
    assert [job.cache for job in jobs] == ["cold", "as-is"]
    caveat = window.workspace.slot.page.texts.caveat.whole
    assert caveat == "Second start: 12.0 s instead of 12.0 s."
    program = window.session.program
    assert "- reading: 6.00 s, then 6.00 s" in markdown_text(program).splitlines()
    # A second start that was ended has no time.
    late = CHANGE(program.result, warnings=(warned("cut-off", Message("Not counted.")),))
    assert "Second start" not in markdown_text(replace(program, result=late))


def test_that_functions_at_work_are_shown_in_each_phase(window, monkeypatch, tmp_path):
    # In place of py-spy, one that always sees the same function.
    spy = tmp_path / "py-spy"
    frame = {"name": "load", "filename": "/srv/loader.py"}
    looks = json.dumps([{"active": True, "frames": [frame]}])
    spy.write_text(f"#!/bin/sh\necho '{looks}'\n")
    spy.chmod(0o755)
    monkeypatch.setattr(stacks, "py_spy", lambda: str(spy))
    monkeypatch.setattr(watch_controller, "py_spy", lambda: str(spy))

    def play(runs, _):
        done = watched().record
        worker = SimpleNamespace(record=RunRecord(), recording=None, state_changed=Mock())
        runs.begin("A", worker)
        slots = [call.args[0] for call in worker.state_changed.connect.call_args_list]
        worker.record.pid = os.getpid()
        slots[-1]()
        sampler = window.session.program.stacks
        until(lambda: sampler.hottest(0, 10**12))
        worker.record = done
        slots[-1]()
        result = runs.experiment.add(done)
        whole = WaitPart("imports", 0, 10**12, "vLLM")
        runs.end(CHANGE(result, parts=(whole,)))
        runs.conclude()

    monkeypatch.setattr(window.run_controller, "start", play)
    window.watch_controller.start(WatchRequest(("/opt/server",), sample=True))
    lines = markdown_text(window.session.program).splitlines()
    assert "- starting and importing: Python functions: load (loader.py) 100%" in lines


def test_that_a_program_is_exported_with_what_to_set_for_it_and_as_it_was(qtbot, window):
    command = "/opt/llama-server -m /data/llama/model.safetensors --no-mmap --port 8080"
    run = watched()
    result = CHANGE(run.result, command=command)
    program = ev.WatchedProgram(command, "listening:8080")
    window.session.show_program(replace(run, program=program, result=result))
    page = window.workspace.slot.page
    qtbot.mouseClick(page.offered["Export…"], Qt.MouseButton.LeftButton)
    (dialog,) = window.findChildren(ExportDialog)
    titles = [dialog.entries.item(row).text() for row in range(dialog.entries.count())]
    assert titles[0].startswith("The tested program")
    assert dialog.text.replace(" \\\n ", "").strip() == command
    assert not any("modelmon.load_model" in title for title in titles)
    dialog.reject()


def test_that_one_run_of_the_open_model_is_exported_with_its_settings(window):
    assert not window.actions_by_id["export"].isEnabled()
    session, mine, other = window.session, Load(), Load(nbytes=3 * GB)
    for load, exported in ((other, None), (mine, mine), (other, mine)):
        record = load.record()
        session.add_run("A", record, None, summarise(record))
        assert window.actions_by_id["export"].isEnabled() is (exported is not None)
        found = subject_of(session)
        assert (found and found.result.model_bytes) == (exported and exported.nbytes)
    record = mine.record()
    session.add_run("A", record, None, summarise(record))
    window.actions_by_id["export"].trigger()
    (dialog,) = window.findChildren(ExportDialog)
    assert 'strategy = "mmap"' in dialog.text
    assert "Single run, no comparison." in dialog.text
    dialog.reject()


def test_that_the_version_is_that_of_the_program_itself(qtbot, window, tmp_path):
    server, other = tmp_path / "llama-server", tmp_path / "other"
    for each in (server, other):
        each.touch(mode=0o755)
    found = ListedProgram("llama.cpp", "llama.cpp", "b1", NOTHING, path=str(server))
    assert version_of(WatchRequest((str(server), "-m", "x")), [found]) == "llama.cpp b1"
    assert version_of(WatchRequest((str(other), "-m", "x")), [found]) == ""
    variant = ListedVariant("default", "", "default", NOTHING, "", "", "python load_with.py x")
    by_python = ListedProgram(
        "t", "transformers", "5.0", NOTHING, sys.executable, variants=(variant,)
    )
    assert version_of(WatchRequest(("python", "load_with.py", "x")), [by_python]) != ""
    assert version_of(WatchRequest((sys.executable, "mine.py")), [by_python]) == ""
    window.session.show_program(replace(watched(), request=WatchRequest((str(server),))))
    window.programs.programs_found.emit((found,))
    qtbot.waitUntil(lambda: window.session.program.version == "llama.cpp b1")


S = 10**9
WHOLE = parts_between(2_100_000_000, 8_400_000_000, 12 * S)


def test_that_the_moments_seen_of_a_run_are_named_with_what_it_did():
    assert [part_text(part) for part in WHOLE] == [
        "before reading 2.10 s",
        "reading 6.30 s",
        "after reading 3.60 s",
    ]
    assert [name for _, name in marks_of(WHOLE, ended="ready")] == [
        *("start", "opens the model", "model read", "ready 12.0 s")
    ]
    assert marks_of(WHOLE, ended="failed")[-1] == (12.0, "ended")
    assert [name for _, name in marks_of(WHOLE[:2], ended="")] == ["start", "opens the model"]
    unseen = parts_between(None, None, 12 * S)
    assert [name for _, name in marks_of(unseen, ended="ready")] == ["start", "ready 12.0 s"]
    after = WaitPart(AFTER, 0, 4 * S, cpu_user_ns=4 * S, cpu_system_ns=0)
    assert whole_text(after) == "after reading 4.00 s: one core busy"

"""What the window measures comes into the history and out of it again, where something else is
shown by then, too.
"""

import json
import re

from PySide6.QtCore import Qt
from runs_past import change, column, seen, settle
from window_fakes import LOAD_A, make_inspection, make_model

from modelmon.core.worker import events as ev
from modelmon.core.worker.record import record_of
from modelmon.core.worker.result import summarise
from modelmon.gui.export.share import Sharing
from modelmon.gui.runs.run_lines import WHERE, Place, line_of_row
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import LABELS, Activity


def test_that_a_run_of_the_window_is_kept_shown_again_saved_and_taken_in(
    qtbot, window, past, inspection, tmp_path
):
    window.session.set_cache("as-is")
    panel = seen(qtbot, window, inspection)
    assert panel.table.empty_text.startswith("No runs of this model yet.")
    window.commands.does["show_a"]()
    window.compare_controller.run("B")
    assert window.workspace.plots.toggle.value == "both"
    qtbot.waitUntil(lambda: not window.session.busy)
    settle(qtbot, window)
    (row,) = past.history.runs()
    assert (row.label, row.strategy) == ("B", "auto")
    measured = window.session.record("B")

    # As another window would see it, on another day.
    window.session.set_inspection(inspection)
    settle(qtbot, window)
    panel.table.setCurrentIndex(panel.table.runs.index(0, 0))
    window.commands.does["show_b"]()
    window.runs_tab_controller.do("show_a")
    qtbot.waitUntil(lambda: window.session.record("A") is not None)
    assert window.workspace.plots.toggle.value == "both"
    shown = window.session.record("A")
    assert shown.blocks == measured.blocks
    # Looking changes neither what is set up nor what was measured of it.
    assert window.session.strategy_name("A") == "mmap"
    assert window.session.results("A") == ()
    assert window.session.arms.obstacle_to_comparing() == ""
    notice = window.session.notice
    (use,) = notice.choices
    window.session.say(None)
    assert window.session.record("A") is None
    use.chosen()
    assert window.session.strategy_name("A") == "auto"

    recording = tmp_path / "b.jsonl"
    window.runs_tab_controller.library.save_recording(row.id, recording)
    settle(qtbot, window)
    window.runs_tab_controller.library.take_in([recording])
    settle(qtbot, window)
    panel.filter.only_here.setChecked(False)
    settle(qtbot, window)
    assert sorted(text.split(":")[0] for text in column(panel, "Where"))[0] == "Imported"
    colours = {
        panel.table.runs.index(at, WHERE).data(Qt.ItemDataRole.ForegroundRole).name()
        for at in range(2)
    }
    assert len(colours) == 2


def test_that_a_run_of_the_model_before_is_not_put_into_a_card(qtbot, window, past, inspection):
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


def test_that_a_run_of_a_search_is_shown_in_place_of_a_whatever_its_name(
    qtbot, window, past, inspection
):
    lines = b"".join(ev.encode(event) for event in LOAD_A.events())
    number, name = past.history.begin("best", past.origin, [], {}), "parallel, chunk 16 MiB"
    past.history.add_run(number, past.origin, name, summarise(LOAD_A.record()), lines)
    window.session.set_inspection(inspection)
    (row,) = past.history.runs()
    window.runs_tab_controller.replaying.show(line_of_row(row, Place(past.origin.machine.id)))
    settle(qtbot, window)
    assert [window.session.record(label) is not None for label in LABELS] == [True, False]


def test_that_only_a_program_that_loaded_this_model_here_is_set_beside_tests_of_its_settings(
    qtbot, window, past, inspection
):
    session, model = window.session, inspection.model
    tested = past.result("mmap", 900, 1)
    past.keep(change(tested, strategy="llama.cpp no-warmup"))
    watched = ev.WatchedProgram("llama-server -m model")

    def shown(name, origin=None):
        events = list(LOAD_A.events())
        events[0] = change(events[0], job=change(events[0].job, program=watched))
        events[1] = change(events[1], model_name=name, model_bytes=model.nbytes)
        ran = change(summarise(record_of(events)), command=watched.command)
        run_id = past.keep(ran, origin, b"".join(map(ev.encode, events)))
        (row,) = (each for each in past.history.runs() if each.id == run_id)
        here = Place(past.origin.machine.id, past.origin.storage.id)
        window.runs_tab_controller.replaying.show(line_of_row(row, here), "A")
        settle(qtbot, window)
        return [each.strategy for each in session.program.tests]

    session.set_inspection(inspection)
    assert shown(model.name) == ["llama.cpp no-warmup"]
    assert shown(model.name, past.elsewhere()) == []
    assert shown("another") == []


def test_that_looking_at_recorded_runs_ends_when_the_arms_change_or_load(
    qtbot, window, past, inspection
):
    session, measured = window.session, LOAD_A.record()
    session.set_inspection(inspection)
    lines = b"".join(ev.encode(event) for event in LOAD_A.events())
    past.keep(summarise(LOAD_A.record()), lines=lines)
    (row,) = past.history.runs()
    line = line_of_row(row, Place(past.origin.machine.id))
    for end, holder in (
        (lambda: session.set_preset("A", "direct"), "A"),
        (session.swap, "B"),
        (lambda: session.begin(Activity.RUNNING, lambda: ProgressView("", 0)), "A"),
    ):
        session.show_record("A", measured)
        session.show_record("B", None)
        for label in LABELS:
            window.runs_tab_controller.replaying.show(line, label)
            settle(qtbot, window)
        assert session.record("A") not in (None, measured)
        assert session.record("B") is not None
        offered = [choice.text for choice in session.notice.choices]
        assert (offered, session.notice.back) == (["Use as B"], "Show A and B again")
        end()
        assert session.notice is None
        assert session.record(holder) is measured
        assert session.record("B" if holder == "A" else "A") is None
    session.end()


def test_that_runs_of_the_history_and_of_files_are_shared(
    qtbot, window, past, inspection, tmp_path
):
    lines = b"".join(ev.encode(event) for event in LOAD_A.events())
    numbers = [past.keep(summarise(LOAD_A.record()), lines=lines) for _ in range(2)]
    recording = tmp_path / "run.jsonl"
    recording.write_bytes(lines)
    panel, share = seen(qtbot, window, inspection), window.actions_by_id["share"]
    sharing = Sharing(window.session, window)

    def shared(*subjects):
        page = tmp_path / "page.html"
        with qtbot.waitSignal(sharing.written, timeout=60_000):
            sharing.write(str(page), subjects)
        return json.loads(re.search(r'id="data">\n(.*)\n</script>', page.read_text())[1])

    assert "share" in panel.reasons
    assert not share.isEnabled()
    panel.select(numbers)
    settle(qtbot, window)
    assert "share" not in panel.reasons
    assert len(shared(*map(str, numbers))) == 2
    panel.select(numbers[:1])
    settle(qtbot, window)
    window.runs_tab_controller.do("show_a")
    qtbot.waitUntil(share.isEnabled)
    window.session.say(None)
    window.open_controller.open_recording(str(recording))
    qtbot.waitUntil(lambda: not window.session.busy)
    (told,) = shared()
    assert told["wall_ns"] == LOAD_A.record().finished.wall_ns

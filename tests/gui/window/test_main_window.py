import msgspec
from legibility import settled
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from window_fakes import LOAD_A, LOAD_B, ended, make_comparison, make_inspection, opened

from modelmon.core.comparison.verdict import judge
from modelmon.core.worker import events as ev
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import middle_run, summarise
from modelmon.core.worker.run_warnings import warned
from modelmon.gui.background.worker_process import Recording
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.plots.saving import save
from modelmon.gui.session.notices import Notice, ProgressView
from modelmon.gui.session.session import Activity
from modelmon.gui.shell.main_window import MainWindow


def test_that_an_open_model_brings_cards_tree_and_title(window):
    work, buttons = window.workspace, window.toolbar.buttons
    assert work.empty.isVisible()
    assert not work.slot.isVisible()
    assert not buttons["compare"].isEnabled()
    assert buttons["compare"].toolTip() == "Open a model first."
    # An error is seen all the same.
    window.session.say(Notice("x.gguf breaks off.", tone="bad"))
    assert work.empty.isVisible()
    assert work.slot.isVisible()
    opened(window)
    assert not work.empty.isVisible()
    assert all(card.isVisible() for card in work.cards.values())
    assert window.side.tree.isVisible()
    assert buttons["compare"].isEnabled()
    assert window.windowTitle() == "llama – modelmon"
    # Stop takes the place of Export while something runs.
    window.resize(1440, 900)
    for busy in (True, False):
        if busy:
            window.session.begin(Activity.RUNNING, lambda: ProgressView("Run"))
        else:
            window.session.end()
        settled(window)
        assert (buttons["stop"].isVisible(), buttons["export"].isVisible()) == (busy, not busy)


def test_that_a_run_is_saved_as_it_was_recorded(window, tmp_path):
    opened(window)
    recording = Recording()
    for event in LOAD_A.events():
        recording.append(ev.encode(event))
    record = LOAD_A.record()
    window.session.add_run("A", record, recording, summarise(record))
    assert window.actions_by_id["save_recording"].isEnabled()
    window.commands.write_recording(window.session.runs[0], tmp_path / "a.jsonl")
    assert read_record(tmp_path / "a.jsonl").finished == record.finished
    window.commands.write_recording(window.session.runs[0], tmp_path / "no" / "a.jsonl")
    assert "Couldn't write" in window.session.notice.headline


def test_that_what_can_be_gone_on_with_counts_as_unfinished_until_it_says_something(window):
    opened(window)
    settings = window.settings
    comparison = make_comparison()
    settings.add_recent(comparison.path, make_inspection().model, 0.0)
    window.session.begin(Activity.COMPARING, lambda: ProgressView(""))
    assert settings.recents()[0].outcome == ""
    window.session.resumable.emit()
    assert settings.recents()[0].outcome == "comparison not finished"
    window.session.end()
    window.session.conclude(comparison)
    assert settings.recents()[0].outcome == f"{comparison.verdict.sentence}, cold"


def test_that_theme_and_side_panel_are_as_chosen_after_a_restart(
    new_window, settings, theme_manager
):
    for name in ("theme_dark", "side_panel"):
        new_window.actions_by_id[name].trigger()
    assert theme_manager.theme.name == settings.mode == "dark"
    assert not new_window.side.isVisible()
    new_window.close()
    again = MainWindow.built(settings)
    again.show()
    assert not again.side.isVisible()
    checked = {name for name, action in again.actions_by_id.items() if action.isChecked()}
    assert checked == {"theme_dark"}
    ended(again)


def test_that_what_came_of_copying_and_saving_a_plot_is_told(
    qtbot, open_window, recordings, tmp_path
):
    open_window.session.show_record("A", recordings.record(recordings.SLOW))
    plot = open_window.workspace.plots.rss
    qtbot.keyClick(plot.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert open_window.status.currentMessage().startswith("Copied ")
    save(plot, tmp_path / "absent" / "plot.png")
    assert open_window.session.notice.tone == "bad"
    assert "the folder doesn't exist" in open_window.session.notice.headline


def test_that_an_export_is_said_with_its_place(qtbot, window, tmp_path, monkeypatch):
    window.session.set_inspection(make_inspection())
    window.session.conclude(make_comparison())
    window.commands.export()
    dialog = window.findChild(ExportDialog)
    dialog.path.setText(str(tmp_path / "modelmon.toml"))
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    assert window.status.currentMessage() == f"Exported {tmp_path / 'modelmon.toml'}."
    shown = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()))
    assert window.status.show_folder.isVisible()
    window.status.show_folder.click()
    assert shown == [str(tmp_path)]
    window.status.clearMessage()
    assert not window.status.show_folder.isVisible()


def test_that_the_status_line_says_which_runs_the_plots_show(window):
    opened(window)
    session, comparison = window.session, make_comparison()
    for label, load in (("A", LOAD_A), ("B", LOAD_B)):
        record = load.record()
        session.add_run(label, record, None, middle_run(comparison.runs(label)))
        session.show_record(label, record)
    session.conclude(comparison)
    told = window.status.text.whole
    said = comparison.verdict.sentence
    assert told.startswith(f"{said}. Plots show the median runs: ")
    assert " of 5, " in told
    session.look_at("B", LOAD_A.record())
    assert window.status.text.whole == said


def test_that_a_comparison_whose_model_was_removed_has_not_just_finished(window):
    opened(window)
    comparison = make_comparison()
    gone = warned("file-changed", "Not counted: the model is gone.")
    last = msgspec.structs.replace(comparison.runs_b[-1], counts=False, warnings=(gone,))
    runs_b = (*comparison.runs_b[:2], last)
    short = msgspec.structs.replace(comparison, runs_b=runs_b)
    verdict = judge(short.arm_a, short.arm_b, short.runs_a, runs_b).verdict
    arm_b = msgspec.structs.replace(short.arm_b, discarded=1)
    window.session.conclude(msgspec.structs.replace(short, verdict=verdict, arm_b=arm_b))
    page = window.workspace.slot.page
    assert window.status.text.whole == page.texts.headline.whole
    assert page.texts.headline.whole == "Ended early: the model was changed or removed"
    assert window.status._icon._name == "warn"
    assert "Compare again" in page.offered

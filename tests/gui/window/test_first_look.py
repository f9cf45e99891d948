"""What somebody meets first: where nothing is open, where a model is, and how a race stands."""

from legibility import settled
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from window_fakes import make_inspection, make_model
from window_states import States

from modelmon.core.messages import NOTHING, Message
from modelmon.core.programs.known_program import ListedProgram
from modelmon.gui.background.commands import Command
from modelmon.gui.best.ranking_table import ROW_ROLE
from modelmon.gui.open.sample import SampleModel
from modelmon.gui.session.machine import ProgramFinder
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity
from modelmon.gui.shell.app import FirstMinute
from modelmon.gui.watch.watch_dialog import WatchDialog


def programs():
    return (
        ListedProgram("llama.cpp", "llama.cpp", "b11549", NOTHING, "/opt/my llama/llama-server"),
        ListedProgram("vllm", "vLLM", "0.32", NOTHING, "/venv/bin/python"),
        ListedProgram("ollama", "Ollama", "", Message("Ollama isn't running here.")),
        ListedProgram("safetensors", "safetensors", "0.8", NOTHING, "/usr/bin/python"),
    )


def test_that_programs_that_are_here_are_first_and_watched_at_a_click(new_window, qtbot):
    FirstMinute(new_window)
    page = new_window.empty.programs
    page.show_programs(programs())
    QApplication.processEvents()
    found = [each for each in page.findChildren(QPushButton) if "Watch " in each.accessibleName()]
    assert [each.accessibleName() for each in found] == ["Watch llama.cpp", "Watch vLLM"]
    assert page.state.text() == "Also supported: Ollama"
    for button, command in zip(
        found, ("'/opt/my llama/llama-server' -m MODEL", "/venv/bin/vllm serve MODEL"), strict=True
    ):
        watched_with(new_window, qtbot, button, command)
    page.command.setText("python serve.py")
    qtbot.keyClick(page.command, Qt.Key.Key_Return)
    assert dialog_of(new_window).fields.command.text() == "python serve.py"


def dialog_of(window):
    return next(each for each in window.findChildren(WatchDialog) if each.isVisible())


def watched_with(window, qtbot, button, command):
    """Nothing starts before a person has read the command."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = dialog_of(window)
    assert dialog.fields.command.text() == command
    assert not window.session.busy
    dialog.reject()


def test_that_programs_are_looked_for_without_a_model(session, script, qtbot):
    asked = []

    def make_command(arguments):
        asked.append(arguments)
        return Command(arguments, script("print('{\"programs\": []}')"))

    finder = ProgramFinder(session, make_command)
    with qtbot.waitSignal(finder.programs_found) as found:
        finder.look_without_model()
    assert found.args == [()]
    assert asked == [["programs", "--json"]]


def test_that_stop_leaves_alone_what_looks_for_programs_and_models(new_window, script):
    def hang(arguments):
        return Command(arguments, script("import time; time.sleep(60)"))

    first, opening = FirstMinute(new_window), new_window.open_controller
    for part in (first.finding, first.programs, opening):
        part._asking._make_command = hang
    first.finding.look()
    first.programs.look_without_model()
    opening.open_model("/data/llama")
    assert not first.finding.looking
    new_window.actions_by_id["stop"].trigger()
    assert not new_window.session.busy
    # It was made up for at once.
    assert first.finding.looking
    assert first.programs._asking.under_way


def test_that_programs_are_looked_for_once_what_keeps_from_it_is_over(new_window, script, qtbot):
    first, session = FirstMinute(new_window), new_window.session
    first.programs._asking._make_command = lambda arguments: Command(
        arguments, script("import time; time.sleep(60)")
    )
    session.begin(Activity.OPENING, lambda: ProgressView("At work"))
    first._look_for_programs()
    assert not first.programs._asking.under_way
    session.end()
    qtbot.waitUntil(lambda: first.programs._asking.under_way)
    assert "Searching" in new_window.empty.programs.state.text()


def test_that_the_sample_of_a_window_that_was_killed_goes_when_the_next_one_starts(
    qtbot, window, tmp_path, monkeypatch
):
    monkeypatch.setattr(window, "sample", SampleModel(window.session, tmp_path))
    # No process has so high a number.
    left = tmp_path / f"sample-{2**31 - 1}.safetensors"
    left.touch()
    first = FirstMinute(window)
    monkeypatch.setattr(first.finding, "look", lambda: None)
    monkeypatch.setattr(first.programs, "look_without_model", lambda: None)
    first.begin()
    qtbot.waitUntil(lambda: not left.exists())


def test_that_the_hint_compares_at_a_click_unless_the_arms_are_the_same(open_window, monkeypatch):
    new_window, started = open_window, []
    monkeypatch.setitem(new_window.commands.does, "compare", lambda: started.append("compare"))
    page = new_window.workspace.slot.page
    offered = [each for each in page.findChildren(QPushButton) if each.isVisibleTo(page)]
    assert [each.text().strip() for each in offered] == ["Compare A/B"]
    offered[0].click()
    assert started == ["compare"]
    new_window.session.set_preset("B", new_window.session.strategy_name("A"))
    assert not [each for each in page.findChildren(QPushButton) if each.isVisibleTo(page)]


def test_that_a_ranking_gives_way_to_a_comparison_and_to_another_model(window, recordings):
    States(window, recordings).raced()
    work, session = window.workspace, window.session
    window.resize(1280, 800)
    settled(window)
    assert work.best.more.isVisible()
    assert not work.cards["A"].isVisible()
    # Every reason is told in full.
    model = work.best.table.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    assert all(at.data(ROW_ROLE).compared in at.data(Qt.ItemDataRole.ToolTipRole) for at in rows)
    session.begin(Activity.COMPARING, lambda: ProgressView("Compare"))
    assert work.cards["A"].isVisible()
    assert not work.best.isVisible()
    session.end()
    work.show_ranking()
    session.set_inspection(make_inspection())
    settled(window)
    assert work.best.search.isVisible()
    assert not work.best.table.isVisible()


def test_that_only_the_sample_is_compared_at_once(window, monkeypatch):
    compared = []
    monkeypatch.setattr(window.compare_controller, "start", lambda: compared.append("started"))
    # It cannot be opened, and the user opens another model instead.
    monkeypatch.setattr(window.open_controller, "open_model", lambda path, *, remember: None)
    window.commands.open_sample("/cache/sample.safetensors")
    window.session.set_inspection(make_inspection())
    window.open_controller.model_opened.emit()
    assert compared == []
    window.commands.open_sample(make_model().path)
    window.open_controller.model_opened.emit()
    assert compared == ["started"]

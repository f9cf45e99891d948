"""A program in place of a strategy: on its card, in its dialog, and beside the other arm."""

import shlex
import sys

import msgspec
import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from tests.core.find_best.racing import Racetrack
from window_fakes import Load, make_inspection, make_model, opened

from modelmon.core.load.config import AXES, PROGRAM, LoadConfig
from modelmon.core.messages import NOTHING, Message, to_wire
from modelmon.core.programs.known_program import ListedProgram, ListedVariant, ProgramList
from modelmon.core.worker import events as ev
from modelmon.core.worker.events import WatchedProgram
from modelmon.core.worker.record import RunRecord
from modelmon.gui.background.commands import Command
from modelmon.gui.compare.arm_runs import RunQueueView, run_progress
from modelmon.gui.open.first_choice import FirstChoice
from modelmon.gui.session.arm_settings import UNTOUCHED, ArmProgram, ArmSettings, default_arms
from modelmon.gui.session.machine import Machine, ProgramFinder
from modelmon.gui.watch.watch_dialog import ProgramDialog

MODEL = "/data/llama/model.safetensors"
COMMAND = shlex.join([sys.executable, "serve.py", "--model", MODEL])
SERVER = ArmProgram(COMMAND, "http:8080/health", 60)
VARIANTS = (
    ListedVariant("default", "", "default", Message("As it is."), "", "", COMMAND, "exit"),
    ListedVariant(
        *("dio", "--load-mode dio", "direct", Message("Direct I/O."), "", ""),
        *(f"{COMMAND} --load-mode dio", "http:8080/health"),
    ),
)
LISTED = ProgramList(
    (
        ListedProgram("llama.cpp", "llama.cpp", "b1", NOTHING, variants=VARIANTS),
        ListedProgram("ollama", "Ollama", "", Message("There's no ollama.")),
    )
)


@pytest.fixture
def programs(session, script):
    """Knows two programs, one of which is here."""
    said = msgspec.json.encode(LISTED, enc_hook=to_wire).decode()

    def command(arguments):
        return Command(arguments, script(f"print({said!r})"))

    made = ProgramFinder(session, command, session)
    yield made
    made.shut_down()


@pytest.fixture
def dialog(qtbot, session, settings, programs):
    made = ProgramDialog(session, "B", programs, settings)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.reject()


def test_that_a_typed_program_is_put_into_the_arm_and_nothing_else(qtbot, dialog, session):
    assert not dialog.use.isEnabled()
    assert "Type the command" in dialog.fields.hint.text()
    dialog.fields.fill_in(COMMAND, "http:8080/health", 60)
    dialog.timed.button("reading").click()
    qtbot.waitUntil(dialog.use.isEnabled)
    dialog.use.click()
    assert session.arm_program("B") == SERVER
    assert session.arm_program("A") is None
    assert session.timed == "reading"
    assert not session.busy
    assert session.config("B") == default_arms()["B"]


def test_that_a_preset_fills_in_its_command_and_sign(qtbot, dialog):
    presets = dialog.fields.presets
    assert "Looking for programs" in presets.toolTip()
    (looking,) = presets.menu().actions()
    assert not looking.isEnabled()
    qtbot.waitUntil(lambda: len(presets.menu().actions()) > 1)
    entries = {action.text(): action for action in presets.menu().actions()}
    assert not entries["Ollama: There's no ollama."].isEnabled()
    variants = entries["llama.cpp  b1"].menu()
    assert [action.text() for action in variants.actions()] == [
        "default: As it is.",
        "dio: Direct I/O.",
    ]
    variants.actions()[1].trigger()
    assert dialog.fields.command.text() == f"{COMMAND} --load-mode dio"
    assert dialog.fields.ready == "http:8080/health"
    qtbot.waitUntil(dialog.use.isEnabled)


def test_that_a_command_of_several_lines_is_one_and_enter_is_for_the_dialog(qtbot, dialog, session):
    dialog.fields.command.setPlainText(f"{sys.executable} serve.py \\\n  --model\n{MODEL}")
    height = dialog.fields.command.height()
    dialog.fields.command.setPlainText(
        f"{sys.executable} serve.py \\\n  --model\n{MODEL} {'x' * 400}"
    )
    assert dialog.fields.command.height() > height
    dialog.fields.command.setPlainText(f"{sys.executable} serve.py \\\n  --model\n{MODEL}")
    qtbot.waitUntil(dialog.use.isEnabled)
    qtbot.keyClick(dialog.fields.command, Qt.Key.Key_Return)
    program = session.arm_program("B")
    assert program.command == COMMAND


def test_that_the_card_shows_the_program_and_gives_the_strategy_back(qtbot, window):
    opened(window)
    session, card = window.session, window.workspace.cards["A"]
    other = window.workspace.cards["B"]
    session.set_program("A", SERVER)
    assert card.preset.currentText() == shlex.split(COMMAND)[0].rpartition("/")[2]
    assert card.command.whole == card.command.toolTip() == COMMAND
    assert card.command.isVisible()
    assert not card.chips.isVisible()
    assert "8080/health" in card.sentence.whole
    assert other.chips.isVisible()
    assert not any(button.property("arm") for button in other.chips.shown.values())
    name = session.strategy_name("A")
    assert name in window.workspace.slot.page.texts.headline.whole

    session.set_preset("A", "sequential")
    assert session.arm_program("A") is None
    assert card.preset.currentText() == "sequential"
    assert card.chips.isVisible()
    assert not card.command.isVisible()
    assert card.chips.more.text() == f"+{len(AXES) - len(card.chips.shown)}"
    items = card.preset.model()
    assert isinstance(items, QStandardItemModel)
    assert items.findItems("A program…")
    # The list and the button of a card ask for its program.
    at = other.preset.findText("A program…")
    other.preset.setCurrentIndex(at)
    other.preset.activated.emit(at)
    (dialog,) = window.findChildren(ProgramDialog)
    dialog.reject()
    assert other.preset.currentText() == session.strategy_name("B")
    session.set_program("B", SERVER)
    other.edit.click()
    dialog = window.findChildren(ProgramDialog)[-1]
    qtbot.waitUntil(lambda: dialog.fields.program() == SERVER)
    dialog.reject()
    texts = {action.text(): action for action in other.card_menu().actions()}
    assert "Edit program…" in texts
    assert not texts["Save as preset…"].isEnabled()


def test_that_a_program_is_swapped_copied_and_reset_as_a_strategy_is(session):
    session.set_program("A", SERVER)
    session.swap()
    assert (session.arm_program("A"), session.arm_program("B")) == (None, SERVER)
    session.copy_to_other("B")
    assert session.arm_program("A") == SERVER
    assert "the same" in session.arms.obstacle_to_comparing()
    session.reset("A")
    assert session.arm_program("A") is None
    assert session.config("A") == default_arms()["A"]
    assert session.arms.obstacle_to_comparing() == ""


def test_that_what_stands_behind_a_program_keeps_nobody_from_anything():
    arms = ArmSettings()
    arms.set_strategy("A", LoadConfig(library="gguf.GGUFReader"))
    assert arms.obstacle("B", "deliver", "streamed")
    arms.programs["A"] = SERVER
    assert not arms.obstacle("B", "deliver", "streamed")
    arms.set_axis("B", "deliver", "streamed")
    assert arms.config("B").deliver == "streamed"
    arms.set_strategy("A", LoadConfig())
    assert arms.config("A").deliver == arms.config("B").deliver == "streamed"
    arms.set_config("A", LoadConfig(library="safetensors.get_tensor", deliver=UNTOUCHED))
    assert "untouched" in arms.obstacle_to_comparing()
    arms.programs["A"] = SERVER
    assert arms.obstacle_to_comparing() == ""


def test_that_a_command_is_remembered_with_no_model_and_by_no_settings(session, settings, tmp_path):
    FirstChoice(session, Machine(session), settings, parent=session)
    settings.add_recent("/data/llama", make_model(), 0.0)
    session.set_program("B", SERVER)
    session.set_axis("A", "readers", "4")
    settings.save()
    assert "readers" in (tmp_path / "window.ini").read_text()
    assert "serve.py" not in (tmp_path / "window.ini").read_text()
    session.set_inspection(make_inspection(make_model("/data/other")))
    assert session.arm_program("B") is None


def test_that_a_command_of_a_file_runs_only_when_it_was_read(qtbot, window):
    opened(window)
    window.session.set_program("B", ArmProgram(COMMAND, agreed=False))
    actions = window.actions_by_id
    assert not actions["compare"].isEnabled()
    assert not actions["run_b"].isEnabled()
    assert actions["run_a"].isEnabled()
    assert "comes from a file" in window.workspace.cards["B"].sentence.whole
    window.commands.does["run_b"]()
    window.commands.does["compare"]()
    assert not window.session.busy
    assert "comes from a file" in window.session.notice.headline
    dialog = window.commands.ask_for_program("B")
    qtbot.waitUntil(dialog.use.isEnabled)
    dialog.use.click()
    assert window.session.arm_program("B") == ArmProgram(COMMAND)
    assert actions["compare"].isEnabled()


@pytest.mark.parametrize(
    ("until_s", "detail"),
    [(1.0, "serve is reading the model: 1 of 2 GB"), (2.0, "waiting until serve is ready")],
)
def test_that_the_slot_says_what_a_program_is_at(until_s, detail):
    record = RunRecord()
    for event in Load(until_s=until_s).events():
        if isinstance(event, ev.Hello):
            job = structs.replace(event.job, program=WatchedProgram(f"/bin/serve {MODEL}"))
            record.feed(structs.replace(event, job=job))
        else:
            record.feed(event)
    view = run_progress(record, "B", RunQueueView("pair 1 of 5"))
    assert view.headline == "Compare, pair 1 of 5: B is loading"
    assert detail in view.detail


def program_race():
    """A race whose best is a command, which is ready where a path answers."""
    race = Racetrack(times_ms={"mmap": 900, "direct": 400}).go().race(make_inspection(make_model()))
    found = structs.replace(race.recommendation, config=LoadConfig(library=PROGRAM), exported="")
    command = f"serve --by {found.label}"
    runs = tuple(
        structs.replace(
            run, result=structs.replace(run.result, command=command, ready="http:81/health")
        )
        for run in race.runs
    )
    return structs.replace(race, runs=runs, recommendation=found)


def test_that_a_recommended_program_of_before_is_used_but_not_agreed_to(window):
    opened(window)
    session = window.session
    race = program_race()
    session.conclude(race, restored=True)
    page = window.workspace.slot.page
    page.offered["Use as B"].click()
    used = session.arm_program("B")
    assert used.command == race.command
    assert used.ready == "http:81/health"
    assert not used.agreed
    assert "comes from a file" in session.arms.obstacle_to_comparing()

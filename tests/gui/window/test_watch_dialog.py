"""What can be asked for in the dialog of Watch, checked as it is typed."""

import sys
import threading

import msgspec
import pytest
from window_fakes import make_inspection, make_model

from modelmon.core.errors import ModelmonError
from modelmon.core.machine.file_users import FileUser
from modelmon.core.messages import Message
from modelmon.core.remote import Place
from modelmon.gui.session.machine import ProgramFinder
from modelmon.gui.session.run_controller import RunController
from modelmon.gui.session.watched_run import WatchRequest
from modelmon.gui.watch import watch_controller, watch_dialog
from modelmon.gui.watch.watch_controller import WatchController
from modelmon.gui.watch.watch_dialog import WatchDialog

PROGRAM = sys.executable
COMMAND = f"{PROGRAM} serve.py --model /data/llama/model.safetensors"


@pytest.fixture
def watching(session):
    """Watches for a session with a model open."""
    runs = RunController(session)
    return WatchController(session, runs, ProgramFinder(session), session)


@pytest.fixture
def dialog(qtbot, session, settings, watching, monkeypatch):
    """The dialog, with a command in it that can be watched; presets are a test of their own."""
    programs = ProgramFinder(session, parent=session)
    monkeypatch.setattr(programs, "look_for_programs", lambda _: None)
    made = WatchDialog(watching, programs, session, settings)
    qtbot.addWidget(made)
    made.fields.command.setPlainText(COMMAND)
    qtbot.waitUntil(made.start.isEnabled)
    made.show()
    yield made
    made.reject()


def test_that_a_command_can_be_typed_at_once(qtbot, dialog):
    dialog.fields.command.clear()
    assert dialog.fields.command.placeholderText() == "vllm serve /data/llama"
    dialog.activateWindow()
    qtbot.waitUntil(lambda: dialog.focusWidget() is dialog.fields.command)
    qtbot.keyClicks(dialog.focusWidget(), "llama")
    assert dialog.fields.command.text() == "llama"


def choose(dialog, sign, value=""):
    dialog.fields.sign.setCurrentIndex(dialog.fields.sign.findData(sign))
    dialog.fields.value.setText(value)


def asked(dialog):
    found = []
    dialog.start_wanted.connect(found.append)
    dialog.start.click()
    return found


def test_that_a_command_is_watched_as_it_was_typed(dialog, session):
    dialog.fields.command.setPlainText(
        f'{PROGRAM} "a folder/serve.py" /data/llama/model.safetensors'
    )
    (request,) = asked(dialog)
    assert request.command == (PROGRAM, "a folder/serve.py", "/data/llama/model.safetensors")
    assert request.pid is None
    assert request.cache == session.cache
    assert request.ready == ""
    assert dialog.fields.hint.text() == ""
    dialog.fields.command.setPlainText(f"{PROGRAM} serve.py /data/llama/")
    assert dialog.fields.hint.text() == ""
    # One without the model is doubted.
    dialog.fields.command.setPlainText(f"{PROGRAM} serve.py")
    assert "doesn't name the model's file" in dialog.fields.hint.text()
    assert dialog.start.isEnabled()


def test_that_a_sign_is_told_as_the_terminal_takes_it_once_it_is_whole(dialog):
    for sign, value, ready in (
        ("exit", "", "exit"),
        ("output", "server is (ready|listening)", "output:server is (ready|listening)"),
        ("listening", "", "listening"),
        ("listening", "8080", "listening:8080"),
        ("http", "8080/health", "http:8080/health"),
        ("asked", "11434", "asked:11434"),
        ("quiet", "5", "quiet:5"),
    ):
        choose(dialog, sign, value)
        assert dialog.fields.program().ready == ready
        assert dialog.start.isEnabled()
    for sign in ("output", "http", "asked"):
        choose(dialog, sign)
        assert dialog.fields.value.isVisible()
        assert not dialog.start.isEnabled()


def test_that_what_cannot_be_watched_is_said_at_once(qtbot, dialog, session):
    for sign, value, sentence in (
        ("output", "(", "isn't a regular expression"),
        ("listening", "80808", "isn't a port"),
        ("http", "health", "isn't a port"),
        ("quiet", "soon", "isn't a number of seconds"),
    ):
        choose(dialog, sign, value)
        assert sentence in dialog.fields.hint.text()
        assert not dialog.start.isEnabled()
    choose(dialog, "exit")
    assert dialog.start.isEnabled()
    unknown = "no-such-command-here /data/llama/model.safetensors"
    for command, sentence in (
        (f"{PROGRAM} 'model.safetensors", "A quotation mark isn't closed."),
        ("", "Type the command"),
        (unknown, "no command called no-such-command-here"),
    ):
        dialog.fields.command.setPlainText(command)
        qtbot.waitUntil(lambda sentence=sentence: sentence in dialog.fields.hint.text())
        assert not dialog.start.isEnabled()
    # One of a server isn't looked for here.
    session.set_inspection(msgspec.structs.replace(session.inspection, server="ssh://gpu"))
    dialog.fields.command.setPlainText("")
    dialog.fields.command.setPlainText(unknown)
    assert dialog.start.isEnabled()


@pytest.mark.parametrize(
    ("server", "found", "why"),
    [("", "", "pip install py-spy"), ("ssh://gpu", "/bin/py-spy", "on this machine")],
)
def test_that_it_is_said_why_nothing_can_be_sampled(
    session, settings, watching, monkeypatch, server, found, why
):
    monkeypatch.setattr(watch_dialog, "py_spy", lambda: found)
    monkeypatch.setattr(ProgramFinder, "look_for_programs", lambda *_: None)
    session.set_inspection(msgspec.structs.replace(session.inspection, server=server))
    made = WatchDialog(watching, ProgramFinder(session, parent=session), session, settings)
    assert not made.sample.isEnabled()
    assert why in made.sample.toolTip()
    made.deleteLater()


@pytest.mark.parametrize("answers", [True, False])
def test_that_who_uses_a_model_on_a_server_is_asked_anew(
    qtbot, session, watching, monkeypatch, answers
):
    early, late = (FileUser(pid, "llama-server", "mapped", 7) for pid in (41, 42))
    opened = msgspec.structs.replace(session.inspection, server="ssh://gpu", users=(early,))
    session.set_inspection(opened)

    def ask(place):
        assert place == Place(opened.model.path, "ssh://gpu")
        if not answers:
            raise ModelmonError(Message("Lost."))
        return msgspec.structs.replace(opened, users=(late,))

    monkeypatch.setattr(watch_controller, "inspect_at", ask)
    with qtbot.waitSignal(watching.users_found) as found:
        watching.look_for_users()
    assert found.args == [[(late if answers else early, "llama-server")]]


def test_that_a_running_program_is_picked_and_joined_as_it_is(dialog, watching, monkeypatch):
    monkeypatch.setattr(watching, "look_for_users", lambda: None)
    dialog.how.button("join").click()
    assert not dialog.start.isEnabled()
    assert not dialog.cache.isEnabled()
    watching.users_found.emit([])
    assert dialog.programs.item(0).text() == "No other program has this model open."
    dialog.programs.setCurrentRow(0)
    assert not dialog.start.isEnabled()
    watching.users_found.emit([(FileUser(4321, "llama-server", "mapped", 77), COMMAND)])
    dialog.programs.setCurrentRow(0)
    (request,) = asked(dialog)
    assert (request.pid, request.began_ticks) == (4321, 77)
    assert request.command == ()
    # No sign is taken that only a command gives.
    for sign, value, sentence in (
        ("output", "ready", "can't be read"),
        ("asked", "11434", "Only for commands started here"),
    ):
        choose(dialog, sign, value)
        assert sentence in dialog.fields.hint.text()
        assert not dialog.start.isEnabled()


def test_that_the_last_command_is_there_again_without_what_is_secret(
    qtbot, dialog, session, settings, watching
):
    secret = "--api-key abc123 --hf-token=abc123 --header 'Authorization: Bearer abc123'"
    dialog.fields.command.setPlainText(f"{COMMAND} {secret} --tokenizer slow")
    choose(dialog, "http", "8080/health")
    asked(dialog)
    assert "abc123" not in settings.text("watched")
    again = WatchDialog(watching, dialog.fields._finder, session, settings)
    qtbot.addWidget(again)
    kept = "--api-key '[…]' '--hf-token=[…]' --header '[…]' --tokenizer slow"
    assert again.fields.command.text() == f"{COMMAND} {kept}"
    assert "isn't stored" in again.fields.hint.text()
    assert not again.start.isEnabled()
    assert again.fields.ready == "http:8080/health"
    again.reject()
    # It's a command for that model alone.
    session.set_inspection(make_inspection(make_model("/data/other.gguf")))
    other = WatchDialog(watching, dialog.fields._finder, session, settings)
    qtbot.addWidget(other)
    assert other.fields.command.text() == ""
    other.reject()


def test_that_a_program_of_a_virtual_environment_is_found_and_started(
    qtbot, dialog, tmp_path, monkeypatch
):
    looked = []
    monkeypatch.setattr(dialog.fields._finder, "look_for_programs", looked.append)
    tools = tmp_path / "venv" / "bin"
    tools.mkdir(parents=True)
    dialog.fields.command.setPlainText("serve model.safetensors")
    for absent in ("~nobody-is-called-so", str(tmp_path / "venv")):
        dialog.fields.environment.setText(absent)
        sentence = f"There's no Python at {absent}"
        qtbot.waitUntil(lambda sentence=sentence: sentence in dialog.fields.hint.text())
    for name in ("python", "serve"):
        (tools / name).touch(mode=0o755)
    dialog.fields.environment.editingFinished.emit()
    assert looked == [str(tmp_path / "venv")]
    dialog.fields.environment.setText(str(tools / "python"))
    qtbot.waitUntil(dialog.start.isEnabled)
    (request,) = asked(dialog)
    assert request.command == (str(tools / "serve"), "model.safetensors")


def test_that_a_program_on_storage_that_hangs_keeps_nothing_else_waiting(
    qtbot, dialog, monkeypatch
):
    answers = threading.Event()

    def hang(name, environment):
        if environment:
            answers.wait()
        return name

    monkeypatch.setattr(watch_dialog, "program_at", hang)
    fields = dialog.fields
    fields.environment.setText("/mnt/dead")
    assert not dialog.start.isEnabled()
    qtbot.waitUntil(lambda: fields.hint.text() == f"Looking for {PROGRAM}")
    fields.environment.clear()
    qtbot.waitUntil(dialog.start.isEnabled)
    assert "Looking" not in fields.hint.text()
    answers.set()


def test_that_a_model_is_opened_where_only_the_command_names_it(
    qtbot, new_window, sample, monkeypatch
):
    new_window.commands.ask_what_to_watch()
    (dialog,) = new_window.findChildren(WatchDialog)
    assert not dialog.how.button("join").isEnabled()
    opened, started = [], []
    new_window.watch_controller.model_wanted.disconnect()
    new_window.watch_controller.model_wanted.connect(opened.append)
    dialog.fields.command.setPlainText(f"{PROGRAM} serve.py {sample}")
    qtbot.waitUntil(dialog.start.isEnabled)
    hangs, find = threading.Event(), watch_controller.models_named_by

    def hang(*asked):
        hangs.wait()
        return find(*asked)

    monkeypatch.setattr(watch_controller, "models_named_by", hang)
    dialog.start.click()
    assert new_window.session.busy
    new_window.actions_by_id["stop"].trigger()
    assert not new_window.session.busy
    hangs.set()
    answers = new_window.watch_controller._answers
    qtbot.waitUntil(lambda: not answers.looking, timeout=20_000)
    # What comes too late opens nothing.
    assert not opened
    new_window.watch_controller.start(WatchRequest((PROGRAM, "serve.py", str(sample))))
    qtbot.waitUntil(lambda: bool(opened), timeout=20_000)
    assert opened[-1] == str(sample)
    monkeypatch.setattr(new_window.run_controller, "start", lambda runs, _: started.append(runs))
    new_window.session.set_inspection(make_inspection())
    new_window.open_controller.model_opened.emit()
    assert len(started) == 1
    new_window.open_controller.model_opened.emit()
    assert len(started) == 1

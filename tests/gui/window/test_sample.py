"""The sample model, other processes that are asked, and a further window."""

import os
import sys
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QPoint, QProcess
from PySide6.QtWidgets import QWidget

from modelmon.core.cli.measuring import chosen_config
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import LoadConfig
from modelmon.gui.background.commands import Command, CommandQuery, estimate_arguments
from modelmon.gui.open.sample import SampleModel
from modelmon.gui.session.session import Session
from modelmon.gui.shell.command_controller import start_window, step_aside


@pytest.fixture
def empty(qapp):
    return Session(qapp)


FULL = '{"error": {"message": "No space is left."}}'
WRITES = """
import json, sys
path = sys.argv[2]
open(path, "wb").write(b"x" * 100)
print(json.dumps({"done_bytes": 268435456, "total_bytes": 536870912}), flush=True)
print(json.dumps({"path": path}))
"""


def sample_model(session, folder, program):
    return SampleModel(session, folder, lambda arguments: Command(arguments, program))


def test_that_the_sample_is_written_once_and_removed_at_the_end(empty, script, qtbot, tmp_path):
    sample = sample_model(empty, tmp_path / "cache", script(WRITES))
    with qtbot.waitSignal(sample.written) as caught:
        sample.write()
    path = Path((caught.args or [""])[0])
    assert path.exists()
    assert sample.progress().share == 0.5
    with qtbot.waitSignal(sample.written):
        sample.write()
    sample.shut_down()
    assert not path.exists()


def test_that_a_stopped_or_failed_sample_leaves_no_file(empty, script, qtbot, tmp_path):
    program = script(f"{WRITES}\nimport time; time.sleep(60)")
    sample = sample_model(empty, tmp_path, program)
    sample.write()
    qtbot.waitUntil(lambda: sample.progress().share == 0.5)
    sample.stop()
    assert not empty.busy
    qtbot.waitUntil(lambda: not list(tmp_path.glob("sample-*")))
    sample = sample_model(empty, tmp_path, script(f"print({FULL!r}); raise SystemExit(1)"))
    sample.write()
    qtbot.waitUntil(lambda: not empty.busy)
    assert empty.notice.headline == "No space is left."
    assert str(os.getpid()) in sample.path.name


@pytest.mark.skipif(sys.platform == "win32", reason="no process can refuse to end there")
def test_that_stop_answers_before_a_writer_that_will_not_end(empty, script, qtbot, tmp_path):
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    sample = sample_model(empty, tmp_path, script(f"{deaf}\n{WRITES}\nimport time; time.sleep(60)"))
    sample.write()
    qtbot.waitUntil(lambda: sample.progress().share == 0.5)
    sample.stop()
    assert not empty.busy
    assert sample.findChildren(Command)
    qtbot.waitUntil(lambda: not sample.findChildren(Command))
    assert not list(tmp_path.glob("sample-*"))


def test_that_samples_of_dead_programs_are_removed(empty, tmp_path):
    dead, alive = tmp_path / "sample-4194304.safetensors", tmp_path / "sample-1.safetensors"
    dead.touch()
    alive.touch()
    SampleModel(empty, tmp_path).remove_orphans().join()
    assert not dead.exists()
    assert alive.exists()


def failure(qtbot, program):
    command = Command(["inspect", "x"], program)
    with qtbot.waitSignal(command.failed) as caught:
        command.start()
    return list(caught.args or [])


def test_that_the_answer_of_a_command_comes_as_it_is_asked_for(qtbot, script):
    answers = []
    program = script("import json, sys; print(json.dumps(sys.argv[1:]))")
    query = CommandQuery(lambda asked: Command(asked, program))
    query.ask(["inspect", "model.gguf"], list[str], answers.append, lambda *_: None)
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == [["inspect", "model.gguf"]]
    said = []
    query = CommandQuery(lambda asked: Command(asked, script("print('[1, 2')")))
    query.ask(["inspect"], list[int], lambda _: None, lambda message, _: said.append(message))
    qtbot.waitUntil(lambda: bool(said))
    assert said[0].startswith("Couldn't read the answer of modelmon inspect")


def test_that_each_failure_is_a_sentence_with_a_remedy(qtbot, script):
    text = '{"error": {"message": "x is no model.", "remedy": "Open another."}}'
    said = failure(qtbot, script(f"import sys; print('{text}'); sys.exit(2)"))
    assert said == ["x is no model.", "Open another."]

    message, remedy = failure(qtbot, script("import os; os._exit(77)"))
    assert message == "modelmon inspect ended with exit code 77."
    assert remedy

    message, _ = failure(qtbot, ("/nowhere/python",))
    assert "/nowhere/python" in message


def test_that_a_stopped_command_says_nothing_more(qtbot, script):
    command = Command([], script("import time; print('up', flush=True); time.sleep(60)"))
    said = []
    command.failed.connect(lambda *args: said.append(args))
    command.succeeded.connect(lambda: said.append("succeeded"))
    with qtbot.waitSignal(command.line_read):
        command.start()
    process_id = command.findChild(QProcess).processId()
    command.shut_down()
    assert not psutil.pid_exists(process_id)
    assert said == []


def test_that_configurations_travel_to_the_estimate_and_back():
    config = LoadConfig(readers=8, chunk_bytes=3 * 1024**2, deliver="owned")
    arms = (Entrant("A", "custom", config), Entrant("B", "mmap", LoadConfig()))
    arguments = estimate_arguments("/m", arms, 5, "cold")
    asked = [word.removeprefix("--set-a=") for word in arguments if word.startswith("--set-a=")]
    name = arguments[arguments.index("--a") + 1]
    assert chosen_config(name, None, asked, "usable")[1] == config


_TELL = "import os, sys; open(sys.argv[1], 'w').write(os.environ['MODELMON_WINDOW_BESIDE'])"


def test_that_a_new_window_leaves_the_first_in_sight_and_is_as_large(qtbot, tmp_path, monkeypatch):
    told, second = tmp_path / "told", QWidget()
    qtbot.addWidget(second)
    second.resize(400, 300)
    second.move(20, 10)
    before = second.geometry()
    assert start_window((sys.executable, "-c", _TELL, str(told)))
    qtbot.waitUntil(lambda: told.exists() and bool(told.read_text()))
    step_aside(second)
    assert second.geometry() == before
    monkeypatch.setenv("MODELMON_WINDOW_BESIDE", told.read_text())
    step_aside(second)
    assert second.pos() == QPoint(50, 40)
    assert second.size() == before.size()
    # What it starts in its turn stands where it was left.
    assert "MODELMON_WINDOW_BESIDE" not in os.environ
    screen = second.screen().availableGeometry()
    second.move(screen.bottomRight() - second.rect().bottomRight())
    monkeypatch.setenv("MODELMON_WINDOW_BESIDE", "yes")
    step_aside(second)
    assert second.pos() == screen.topLeft()

import psutil
from PySide6.QtCore import QProcess

from modelmon.core.cli.measuring import chosen_config
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import LoadConfig
from modelmon.gui.background.commands import Command, CommandQuery, estimate_arguments


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


def test_that_an_answer_that_cannot_be_understood_is_a_sentence(qtbot, script):
    said = []
    query = CommandQuery(lambda asked: Command(asked, script("print('[1, 2')")))
    query.ask(["inspect"], list[int], lambda _: None, lambda message, _: said.append(message))
    qtbot.waitUntil(lambda: bool(said))
    assert said[0].startswith("Couldn't read the answer of modelmon inspect")


def test_that_lines_come_while_the_command_runs(qtbot, script):
    command = Command([], script("print('one', flush=True); print('two', flush=True)"))
    lines = []
    command.line_read.connect(lines.append)
    with qtbot.waitSignal(command.succeeded):
        command.start()
    assert lines == [b"one\n", b"two\n"]


def test_that_each_failure_is_a_sentence_with_a_remedy(qtbot, script):
    text = '{"error": {"message": "x is no model.", "remedy": "Open another."}}'
    said = failure(qtbot, script(f"import sys; print('{text}'); sys.exit(2)"))
    assert said == ["x is no model.", "Open another."]

    message, remedy = failure(qtbot, script("import os; os._exit(77)"))
    assert message == "modelmon inspect ended with code 77."
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

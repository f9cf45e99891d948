from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import psutil
from PySide6.QtCore import QProcess

from modelmon.core.load.config import LoadConfig, config_from_dict
from modelmon.gui.commands import Command, estimate_arguments

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    Script = Callable[[str], tuple[str, ...]]


def failure(qtbot: QtBot, program: tuple[str, ...]) -> list[str]:
    command = Command(["inspect", "x"], program)
    with qtbot.waitSignal(command.failed, timeout=10_000) as caught:
        command.start()
    return list(caught.args or [])


def test_that_the_output_of_a_command_comes_whole(qtbot: QtBot, script: Script) -> None:
    command = Command(["inspect", "model.gguf"], script("import sys; print(sys.argv[1:])"))
    with qtbot.waitSignal(command.succeeded, timeout=10_000) as caught:
        command.start()
    assert caught.args == [b"['inspect', 'model.gguf']\n"]


def test_that_lines_come_while_the_command_runs(qtbot: QtBot, script: Script) -> None:
    command = Command([], script("print('one', flush=True); print('two', flush=True)"))
    lines: list[bytes] = []
    command.line_read.connect(lines.append)
    with qtbot.waitSignal(command.succeeded, timeout=10_000):
        command.start()
    assert lines == [b"one\n", b"two\n"]


def test_that_an_error_in_json_becomes_a_sentence_and_a_remedy(
    qtbot: QtBot, script: Script
) -> None:
    text = '{"error": {"message": "x is no model.", "remedy": "Open another."}}'
    said = failure(qtbot, script(f"import sys; print('{text}'); sys.exit(2)"))
    assert said == ["x is no model.", "Open another."]


def test_that_an_error_on_stderr_becomes_a_sentence(qtbot: QtBot, script: Script) -> None:
    said = failure(qtbot, script("import sys; sys.exit('x is no model.')"))
    assert said == ["x is no model.", ""]


def test_that_a_command_that_dies_says_how(qtbot: QtBot, script: Script) -> None:
    message, remedy = failure(qtbot, script("import os; os._exit(77)"))
    assert message == "modelmon inspect ended with code 77."
    assert remedy


def test_that_a_missing_program_is_a_sentence(qtbot: QtBot) -> None:
    message, _ = failure(qtbot, ("/nowhere/python",))
    assert "/nowhere/python" in message


def test_that_a_stopped_command_says_nothing_more(qtbot: QtBot, script: Script) -> None:
    command = Command([], script("import time; print('up', flush=True); time.sleep(60)"))
    said: list[object] = []
    command.failed.connect(lambda *args: said.append(args))
    command.succeeded.connect(said.append)
    with qtbot.waitSignal(command.line_read, timeout=10_000):
        command.start()
    process_id = command.findChild(QProcess).processId()
    command.shut_down()
    assert not psutil.pid_exists(process_id)
    assert said == []


def test_that_configurations_travel_to_the_estimate_and_back() -> None:
    config = LoadConfig(readers=8, deliver="owned")
    arguments = estimate_arguments("/m", config, LoadConfig(), 5, "cold")
    text = arguments[arguments.index("--config-a") + 1]
    assert config_from_dict(msgspec.json.decode(text)) == config

"""What commands are called, and which of them may run again."""

import shlex
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.cli import best
from modelmon.core.comparison.commands import (
    GivenCommand,
    check_commands,
    command_arm,
    command_arms,
    command_line,
    command_names,
    command_words,
    found_settings,
    recorded_commands,
    with_model,
)
from modelmon.core.errors import ConfigError
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import LoadConfig
from modelmon.core.programs.registry import known_program
from modelmon.core.worker.command_words import recorded_words, taken_apart

MODEL = Path("/models/big.gguf")
SERVER = ["/opt/llama/llama-server", "-m", str(MODEL), "--port", "8080"]
WORDS = st.sampled_from(["-a", "-b", "--c", "x", "y", "z"])


def names(*commands):
    return command_names(commands, [MODEL])


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ([SERVER], ["llama-server"]),
        ([SERVER, ["vllm", "serve", str(MODEL)]], ["llama-server", "vllm"]),
        (
            [[*SERVER, "--load-mode", "dio"], [*SERVER, "--load-mode", "mmap"]],
            ["llama-server --load-mode dio", "llama-server --load-mode mmap"],
        ),
        (
            [[*SERVER, "--load-mode=dio", "-v"], ["llama-server"], ["vllm"]],
            [
                "/opt/llama/llama-server -m MODEL --port 8080 --load-mode=dio -v",
                "llama-server",
                "vllm",
            ],
        ),
        ([SERVER, [*SERVER, "--no-mmap"]], ["llama-server", "llama-server --no-mmap"]),
        (
            [["python", "load.py", "mmap"], ["python", "load.py", "read"]],
            ["python load.py mmap", "python load.py read"],
        ),
        (
            [["python", "/a/load.py", str(MODEL)], ["cat", str(MODEL)]],
            ["python load.py", "cat"],
        ),
        (
            [["python", "/a/load.py"], ["python", "/b/load.py"]],
            ["python /a/load.py", "python /b/load.py"],
        ),
        (
            [["python", "./load.py", "mmap"], ["python", "load.py", "read"]],
            ["python ./load.py mmap", "python load.py read"],
        ),
        ([["/a/load", "x"], ["/b/load", "x"]], ["/a/load", "/b/load"]),
        (
            [["env", "A=1", *SERVER], ["modelmon", "launch", "x", "--", "env", "A=2", *SERVER]],
            ["llama-server A=1", "llama-server A=2, launched"],
        ),
        ([SERVER, SERVER], ["llama-server", "llama-server"]),
        # What follows an option may be its value or not.
        (
            [["load", "-a", "-b", "x", "y"], ["load", "-a", "y", "-b", "x"]],
            ["load -a -b x y", "load -a y -b x"],
        ),
    ],
)
def test_that_commands_are_called_by_what_tells_them_apart(commands, told):
    assert names(*commands) == told


@pytest.mark.parametrize(
    "before", [("modelmon", "launch", "-q"), ("python", "-P", "-m", "modelmon", "launch")]
)
def test_that_a_program_that_is_launched_keeps_its_name(before):
    own = ("/usr/bin/llama-server", "-m", "/models/a.gguf")
    ahead = (*before, "/models/a.gguf", "--", *own)
    assert command_names([own, ahead], [Path("/models/a.gguf")]) == [
        "llama-server",
        "llama-server, launched",
    ]
    assert taken_apart(shlex.join(ahead)).name == "llama-server"


@given(st.lists(st.lists(WORDS, max_size=6), min_size=1, max_size=4))
def test_that_two_commands_have_one_name_only_where_they_are_the_same(arguments):
    commands = [["load", *each] for each in arguments]
    assert len(set(names(*commands))) == len({tuple(each) for each in commands})


def test_that_a_command_is_one_line_without_folders():
    assert command_line(SERVER, [MODEL]) == "llama-server -m MODEL --port 8080"
    # And the other way round: what is read there can be typed.
    assert with_model(("llama-server", "-m", "MODEL"), "/a b") == ("llama-server", "-m", "/a b")


def test_that_a_sign_that_says_nothing_is_refused():
    with pytest.raises(ConfigError, match="when a program is ready"):
        command_arm("A", "load", ["load"], "soon")


@pytest.mark.parametrize("again", [{}, {"A": ["load", "y"]}, {"B": ["load", "a b"]}])
def test_that_a_stored_command_is_not_run_by_itself(again):
    arm = command_arm("A", "load", ["load", "a b"])
    with pytest.raises(ConfigError, match="agreed to again: load 'a b'"):
        check_commands(again, [arm])
    check_commands({"A": ["load", "a b"]}, [arm])


def test_that_commands_are_arms_each_with_its_sign_and_limit():
    fast, slow = GivenCommand(["serve", "--fast"], "exit", 5), GivenCommand(["serve", "--slow"])
    arms = command_arms({"A": fast, "B": slow}, [MODEL])
    assert [arm.label for arm in arms.values()] == ["A", "B"]
    assert [arm.strategy for arm in arms.values()] == ["serve --fast", "serve --slow"]
    assert (arms["A"].limit_ns, arms["B"].limit_ns) == (5, None)
    assert recorded_commands([*arms.values(), Entrant("C", "mmap", LoadConfig())]) == {
        "A": "serve --fast",
        "B": "serve --slow",
    }


@given(st.lists(st.text()))
def test_that_a_command_is_read_as_it_was_written(words):
    assert list(command_words(shlex.join(words))) == words
    assert recorded_words(shlex.join(words)) == words


@given(st.text())
def test_that_any_text_of_a_record_has_words_those_that_were_typed(text):
    words = recorded_words(text)
    with suppress(ConfigError):
        assert list(command_words(text)) == words


def test_that_settings_are_not_tested_without_a_secret_of_the_command():
    with pytest.raises(ConfigError, match="isn't stored"):
        found_settings("vllm", None, None, ["HF_TOKEN=[…]"], launched=False)


def test_that_a_command_that_is_not_closed_is_refused():
    with pytest.raises(ConfigError, match="quotation mark"):
        command_words("serve 'a model")


def test_that_a_program_there_without_settings_is_refused():
    with pytest.raises(ConfigError, match="nothing to compare"):
        best._settings_wanted((), (), known_program("safetensors"))

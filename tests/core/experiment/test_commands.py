"""What commands are called, and which of them may run again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.experiment.commands import (
    check_commands,
    command_arm,
    command_line,
    command_names,
)

MODEL = Path("/models/big.gguf")
SERVER = ["/opt/llama/llama-server", "-m", str(MODEL), "--port", "8080"]
WORDS = st.sampled_from(["-a", "-b", "--c", "x", "y", "z"])


def names(*commands: list[str]) -> list[str]:
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
            ["python mmap", "python read"],
        ),
        ([["/a/load", "x"], ["/b/load", "x"]], ["/a/load", "/b/load"]),
        ([SERVER, SERVER], ["llama-server", "llama-server"]),
        # What follows an option may be its value or not.
        (
            [["load", "-a", "-b", "x", "y"], ["load", "-a", "y", "-b", "x"]],
            ["load -a -b x y", "load -a y -b x"],
        ),
    ],
)
def test_that_commands_are_called_by_what_tells_them_apart(
    commands: list[list[str]], told: list[str]
) -> None:
    assert names(*commands) == told


@given(st.lists(st.lists(WORDS, max_size=6), min_size=1, max_size=4))
def test_that_two_commands_have_one_name_only_where_they_are_the_same(
    arguments: list[list[str]],
) -> None:
    commands = [["load", *each] for each in arguments]
    assert len(set(names(*commands))) == len({tuple(each) for each in commands})


def test_that_a_command_is_one_line_without_folders() -> None:
    assert command_line(SERVER, [MODEL]) == "llama-server -m MODEL --port 8080"


def test_that_a_sign_that_says_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="when a program is ready"):
        command_arm("A", "load", ["load"], "soon")


@pytest.mark.parametrize("again", [{}, {"A": ["load", "y"]}, {"B": ["load", "a b"]}])
def test_that_a_stored_command_is_not_run_by_itself(again: dict[str, list[str]]) -> None:
    arm = command_arm("A", "load", ["load", "a b"])
    with pytest.raises(ConfigError, match="agreed to again: load 'a b'"):
        check_commands(again, [arm])
    check_commands({"A": ["load", "a b"]}, [arm])

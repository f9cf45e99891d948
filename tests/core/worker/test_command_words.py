"""What a command starts, and what is set before it."""

import pytest

from modelmon.core.worker.command_words import CommandWords, taken_apart


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("llama-server -c 1", CommandWords((), ("llama-server", "-c", "1"))),
        ("env A=1 B= llama-server", CommandWords(("A=1", "B="), ("llama-server",))),
        ("env", CommandWords((), ("env",))),
        ("", CommandWords((), ())),
        ("modelmon launch m -- a b", CommandWords((), ("a", "b"), is_launched=True)),
        (
            "env A=1 /x/python -m modelmon launch m -- /bin/env B=2 a",
            CommandWords(("A=1", "B=2"), ("a",), is_launched=True),
        ),
        ("modelmon launch m", CommandWords((), ("modelmon", "launch", "m"))),
        ("echo 'not closed", CommandWords((), ("echo", "'not", "closed"))),
    ],
)
def test_that_a_command_is_taken_apart(command, found):
    assert taken_apart(command) == found


def test_that_text_of_any_depth_is_taken_apart():
    assert taken_apart("modelmon launch -- " * 2000 + "a").is_launched


@pytest.mark.parametrize(
    ("command", "is_python"),
    [
        ("/usr/bin/python3.12 serve.py", True),
        ("modelmon launch m -- python serve.py", True),
        ("env A=1 modelmon launch m -- env B=2 python -m serve", True),
        ("pythonista serve.py", False),
        ("modelmon launch m -- llama-server", False),
    ],
)
def test_that_a_program_that_python_runs_is_known_however_it_is_started(command, is_python):
    assert taken_apart(command).is_python == is_python

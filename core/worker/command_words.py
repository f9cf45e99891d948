"""A program's command, taken apart: what is set before it, whether `modelmon launch` starts it, and
its own words.
"""

from __future__ import annotations

import os
import re
import shlex
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIRST_WORDS = 5
"""`modelmon launch`, or the same as a module of a Python."""
_MOST_LAUNCHES = 9
"""Of one by the next; text of a record may have thousands."""
_PYTHON = re.compile(r"python[\d.]*")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


class CommandWords(NamedTuple):
    """`variables` are those that `env` sets, as NAME=VALUE, and `words` the program and its
    arguments. `is_launched`: whether `modelmon launch` reads its model ahead.
    """

    variables: tuple[str, ...]
    words: tuple[str, ...]
    is_launched: bool = False

    @property
    def program(self) -> str:
        """The path of the program."""
        return self.words[0] if self.words else ""

    @property
    def name(self) -> str:
        """The program's name."""
        return Path(self.program).name

    @property
    def is_python(self) -> bool:
        """Whether a Python runs it."""
        return bool(_PYTHON.fullmatch(self.name))

    @property
    def arguments(self) -> tuple[str, ...]:
        """What follows the program; of a Python its module, or its script, comes first."""
        given = self.words[1:]
        at = given.index("-m") + 1 if self.is_python and "-m" in given else 0
        return given[at:]

    @property
    def started(self) -> str:
        """The program and what follows it; of a Python its module, or the whole path of its
        script.
        """
        if not self.is_python:
            return " ".join((self.name, *self.arguments[:1]))
        scripts = [os.path.abspath(word) for word in self.arguments if word.endswith(".py")]  # noqa: PTH100
        return " ".join(scripts[:1] or self.arguments[:2])


def taken_apart(command: Sequence[str] | str) -> CommandWords:
    """Of a command, or of its text as a record has it: `env` only sets variables before a program,
    and `modelmon launch` becomes it.
    """
    words = recorded_words(command) if isinstance(command, str) else command
    variables, own = apart(words)
    is_launched = False
    for _ in range(_MOST_LAUNCHES):
        if not (after := _launched(own)):
            break
        words, is_launched = after, True
        more, own = apart(words)
        variables += more
    return CommandWords((*variables,), (*(own or words),), is_launched)


def apart(command: Sequence[str]) -> tuple[list[str], list[str]]:
    """Variables that `env` sets for a program, and the program's own command."""
    words = list(command)
    if not words or Path(words[0]).name != "env":
        return [], words
    variables = [*takewhile(_ASSIGNMENT.match, words[1:])]
    return variables, words[1 + len(variables) :]


def _launched(command: Sequence[str]) -> Sequence[str]:
    """The program's own command where `modelmon launch` starts it; empty for any other."""
    for at, (before, word) in enumerate(pairwise(command[:_FIRST_WORDS])):
        if word == "launch" and Path(before).name == "modelmon" and "--" in command[at:]:
            return command[command.index("--", at) + 1 :]
    return ()


def recorded_words(text: str) -> list[str]:
    """The words of a command as a record has it, which may be any text."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()

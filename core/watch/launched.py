"""What a command starts in the end, where another one stands before it."""

from __future__ import annotations

import shlex
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIRST_WORDS = 5
"""`modelmon launch`, or the same as a module of a Python."""


def launched(command: Sequence[str]) -> Sequence[str]:
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


def program_of(command: Sequence[str]) -> str:
    """The path of the program; `env` only sets variables before it, and `modelmon launch` becomes
    it.
    """
    words = iter(launched(command) or command)
    path = next(words)
    if Path(path).name == "env":
        path = next((word for word in words if "=" not in word), path)
    return path


def program_name(text: str) -> str:
    """The program's name, of its command as a record has it, which may be any text."""
    words = recorded_words(text)
    return Path(program_of(words)).name if words else text

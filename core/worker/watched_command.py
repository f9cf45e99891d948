"""The command of a program that is to be watched: whether there is one, and how lists name it."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_command(name: str) -> None:
    """Raise ConfigError where the command does not exist."""
    if shutil.which(name) is None:
        raise ConfigError(
            Message("There's no command called {name} here.", name=name),
            Message("Check its spelling, or give its whole path."),
        )


def command_of(pid: int | None) -> list[str]:
    """The command line of a process; a name that says which one it is where that is not known."""
    try:
        process = psutil.Process(pid)
        return process.cmdline() or [process.name()]
    except psutil.Error:
        return [f"process {pid}"]  # the worker says what is wrong with it


def short_command(command: Sequence[str], files: Sequence[Path]) -> str:
    """The command as lists name it: in one line, without its folder, the model as MODEL."""
    names = {os.path.abspath(file) for file in files}  # noqa: PTH100  links are kept
    program, *arguments = command
    short = ["MODEL" if os.path.abspath(each) in names else each for each in arguments]  # noqa: PTH100
    return " ".join(shlex.join([Path(program).name, *short]).split())


def program_name(command: str) -> str:
    """The program's name, of its command as a record has it, which may be any text."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    return Path(words[0]).name if words else command

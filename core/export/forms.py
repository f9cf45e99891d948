"""Settings as text: commands, variables, calls."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.export.advice import Form, Setting
from modelmon.core.export.reading import Reading
from modelmon.core.messages import NOTHING, Message, verbatim

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from modelmon.core.export.reading import Access

_CONTINUED = " \\\n  "
COMMAND = Message("Command")
ENVIRONMENT = Message("Environment")
PYTHON = Message("Python")


def command_form(
    words: Sequence[Sequence[str]],
    settings: Sequence[Sequence[str]] = (),
    label: Message = COMMAND,
    environment: Mapping[str, str] | None = None,
) -> Form:
    """A command with an option a line: first what is there already, then the `settings`.

    Variables of its own stand before it.
    """
    variables = [f"{name}={shlex.quote(value)}" for name, value in (environment or {}).items()]
    before = [*variables, *map(shlex.join, words)]
    lines = [*before, *map(shlex.join, settings)]
    added = (*range(len(variables)), *range(len(before), len(lines)))
    return Form(label, "shell", _CONTINUED.join(lines) + "\n", "load.sh", added)


class Option(NamedTuple):
    """An option of a program: how it then reads, and as `Setting` has it."""

    text: str
    access: Access
    since: Message
    source: str
    keep_in_mind: Message = NOTHING

    def on(
        self,
        command: Sequence[Sequence[str]],
        *more: Sequence[str],
        readers: int | None = None,
        ahead: bool = False,
    ) -> Setting:
        """It with a command, and `more` options that go with it."""
        return Setting(
            summary=verbatim(self.text),
            forms=(command_form(command, [self.text.split(), *more]),),
            reading=Reading(self.access, readers, ahead=ahead),
            since=self.since,
            source=self.source,
            keep_in_mind=self.keep_in_mind,
        )


def option_lines(words: Sequence[str]) -> list[list[str]]:
    """A command, an option a line with its values."""
    lines: list[list[str]] = []
    for word in words:
        if not lines or (word.startswith("-") and not _is_number(word)):
            lines.append([word])
        else:
            lines[-1].append(word)
    return lines


def _is_number(word: str) -> bool:
    return word.removeprefix("-").replace(".", "", 1).isdigit()


def environment_form(variables: Mapping[str, str], label: Message = ENVIRONMENT) -> Form:
    """Variables as an env file has them: one a line, taken as it is."""
    lines = [f"{name}={value}" for name, value in variables.items()]
    return Form(label, "env", "\n".join(lines) + "\n", "load.env", tuple(range(len(lines))))


def python_form(text: str, label: Message = PYTHON) -> Form:
    """Python code."""
    return Form(label, "python", text, "load.py")


def root_form(label: Message, *commands: str) -> Form:
    """Commands for root's shell, one a line."""
    return Form(label, "shell", "".join(f"{each}\n" for each in commands), "as-root.sh")

"""From the names of a program and of a variant to the command that loads a model."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.programs.preset import DEFAULT
from modelmon.core.programs.registry import known_program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from modelmon.core.model.tensors import Model
    from modelmon.core.programs.preset import Command

_LOOPBACK = "127.0.0.1"


class ProgramCommand(msgspec.Struct, frozen=True):
    """What is executed to load a model, and the sign that it is over; as JSON for elsewhere."""

    command: tuple[str, ...]
    ready: str


def start_command(
    name: str,
    model: Model,
    variant: str = DEFAULT,
    at: Path | None = None,
    more: Sequence[str] = (),
) -> Command:
    """The command by which the program called `name` loads `model`; `more` arguments come last.

    `at` is where the program is, if not in a usual place. Raises ConfigError where there is no such
    program or variant, and where it can't load this model here.
    """
    chosen = known_program(name)
    found = chosen.find(at)
    chosen.check(found, model)
    command = chosen.command(found, model, free_port(), chosen.variant(found, variant))
    return command.with_more(more)


def free_port() -> int:
    """A port of this machine that nobody listens at, for now."""
    with socket.socket() as unused:
        unused.bind((_LOOPBACK, 0))
        port: int = unused.getsockname()[1]
    return port

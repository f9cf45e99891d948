"""Servers that somebody starts by their own command: how each shows that it is ready."""

from __future__ import annotations

import os
import re
from functools import cache
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING

from modelmon.core.programs.known_program import ReadySign
from modelmon.core.watch.command import launched
from modelmon.core.worker.program_phases import apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.programs.known_program import KnownProgram

_THIS_MACHINE = {"", "127.0.0.1", "localhost", "0.0.0.0", "::"}


@cache
def _signs() -> tuple[ReadySign, ...]:
    """Those of known programs, and of servers that have none. Who prints loads when it is asked."""
    from modelmon.core.programs.registry import PROGRAMS  # noqa: PLC0415  start sooner without it

    return (
        *(each.shows_ready for each in PROGRAMS.values() if each.shows_ready is not None),
        ReadySign("text-generation-launcher", "3000", "health", "PORT"),
        ReadySign("trtllm-serve", "8000"),
        ReadySign(r"\S*text-generation-webui\S*/server\.py", prints="Loaded .+ in .+ seconds"),
    )


def ready_sign(command: Sequence[str]) -> str:
    """What shows that the server which this command starts is ready, as `--ready` has it; empty of
    a command that isn't known, and of a server that may answer elsewhere.

    Without reads for a while it may still repack weights, compile or warm up.
    """
    given, words = apart(launched(command) or command)
    started = _started(words)
    known = next((each for each in _signs() if _fits(each, started)), None)
    if known is None:
        return ""
    if known.prints:
        return f"output:{known.prints}"
    variables = {*os.environ, *(word.partition("=")[0] for word in given)}
    return "" if known.variable in variables else _answer(known, words)


def is_started_by(command: Sequence[str], program: KnownProgram) -> bool:
    """Whether a command starts the server of a known program."""
    sign = program.shows_ready
    _, words = apart(launched(command) or command)
    return sign is not None and _fits(sign, _started(words))


def _fits(sign: ReadySign, started: str) -> bool:
    return bool(re.match(rf"(?i:{sign.started})(?!\S)", started))


def _started(words: Sequence[str]) -> str:
    """The program and what follows it; of a Python its module, or the whole path of its script."""
    if not words:
        return ""
    name, arguments = PurePath(words[0]).name, list(words[1:])
    if re.fullmatch(r"python[\d.]*", name):
        arguments = [*arguments[arguments.index("-m") + 1 :]] if "-m" in arguments else arguments
        scripts = [os.path.abspath(word) for word in arguments if word.endswith(".py")]  # noqa: PTH100
        return " ".join(scripts[:1] or arguments[:2])
    return " ".join((name, *arguments[:1]))


def _answer(server: ReadySign, words: Sequence[str]) -> str:
    parts = [part for word in words for part in word.split("=", 1)]
    given = {
        before.replace("_", "-"): after
        for before, after in pairwise([*parts, ""])
        if before.startswith("-")
    }
    host = given.get("--host", given.get("--hostname", ""))
    port = given.get("--port", given.get("-p", server.port))
    loads = not server.loads or given.keys() & {*server.loads}
    if not loads or given.keys() & {*server.elsewhere} or host not in _THIS_MACHINE:
        return ""
    return f"http:{port}/{server.path}" if port.isdecimal() else ""

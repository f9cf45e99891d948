"""Servers that somebody starts by their own command: how each shows that it is ready."""

from __future__ import annotations

import os
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from modelmon.core.programs.known_program import ReadySign
from modelmon.core.worker.command_words import taken_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    found = taken_apart(command)
    known = next((each for each in _signs() if each.is_of(found)), None)
    if known is None:
        return ""
    if known.prints:
        return f"output:{known.prints}"
    variables = {*os.environ, *(word.partition("=")[0] for word in found.variables)}
    return "" if known.variable in variables else _answer(known, found.words)


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
    return f"http:{port}/{server.path}" if port.isdecimal() or not port else ""

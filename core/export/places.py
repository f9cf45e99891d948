"""Writes results on this machine, or on a server by its modelmon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.export.atomic import check_target, write_text_atomic
from modelmon.core.worker.client import ask

if TYPE_CHECKING:
    from modelmon.core.remote import Place


class Target(msgspec.Struct, frozen=True):
    """Where a text can be written, or was; `replaces` tells whether a file is, or was, there."""

    path: str
    replaces: bool


def check_place(place: Place) -> bool:
    """Whether a file is where results are to be written.

    Asked before work whose result would be lost. Raises WriteError where none can or must be, and
    ModelmonError where a server can't be asked.
    """
    if place.server:
        return ask(place.server, ["remote", "write", "--json", "--", place.path], Target).replaces
    check_target(Path(place.path))
    return Path(place.path).is_file()


def write_text(place: Place, text: str) -> None:
    """Write a text, whole or not at all. Raises the same."""
    if not place.server:
        write_text_atomic(Path(place.path), text)
        return
    content = text.encode()
    asked = ["remote", "write", "--json", "--bytes", str(len(content)), "--", place.path]
    ask(place.server, asked, Target, given=content)

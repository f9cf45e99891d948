"""Which state of the page cache loads can start from, by where their files lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.machine.storage import Storage
    from modelmon.core.worker.events import Cache


def start_of(asked: Cache | None, storage: Storage) -> Cache:
    """The start that was asked for; where none was, a cold one, and a warm one in memory.

    Raises ConfigError for a cold start there, which nothing can make.
    """
    return start_on(asked, storage.kind, storage.filesystem)


def start_on(asked: Cache | None, kind: str, filesystem: str) -> Cache:
    """The same by the kind of storage and its filesystem."""
    if kind != "memory":
        return asked or "cold"
    if asked == "cold":
        raise ConfigError(
            Message(
                "Files in memory ({filesystem}) have no cold start: they're always cached.",
                filesystem=filesystem,
            ),
            Message("Measure warm starts, or copy the model to a disk."),
        )
    return asked or "warm"


def unverified_text(asked: Cache) -> Message:
    """That it isn't known whether runs started as asked."""
    return (
        Message("Cold starts couldn't be verified.")
        if asked == "cold"
        else Message("Warm starts couldn't be verified.")
    )

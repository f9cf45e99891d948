"""Threads that a load or a measurement cannot do without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from threading import Thread


def start(thread: Thread) -> None:
    """Start a thread. Raises LoadFailedError where the system lets this process have no more."""
    try:
        thread.start()
    except RuntimeError as error:
        raise LoadFailedError(
            Message("The system starts no more threads for modelmon."),
            Message("Raise its limit of processes, or end others."),
        ) from error

"""Threads that a load or a measurement cannot do without, and processors for them."""

from __future__ import annotations

import os
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


def allowed_processors() -> int:
    """On how many processors this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

"""Threads: started so that running out of them is a load's error, and imports in one of their own.

How many processors they have, too.
"""

from __future__ import annotations

import os
import sys
import threading
from importlib import import_module
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.machine.own_limits import (
    address_space_remedy,
    files_remedy,
    thread_remedy,
)
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from types import ModuleType


def start(thread: threading.Thread) -> None:
    """Start a thread. Raises LoadFailedError where the system lets this process have no more."""
    try:
        thread.start()
    except RuntimeError as error:
        raise LoadFailedError(
            Message("The system starts no more threads for modelmon."),
            thread_remedy(),
        ) from error


def needed(name: str) -> ModuleType:
    """A module that a load can't do without, as `imported`. Raises LoadFailedError where the system
    keeps it from being loaded.
    """
    try:
        return imported(name)
    except ModuleNotFoundError:
        raise
    except (ImportError, OSError, MemoryError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        raise LoadFailedError(
            Message("Couldn't import {name}: {reason}.", name=name, reason=reason),
            (files_remedy(error) if isinstance(error, OSError) else NOTHING)
            or address_space_remedy(),
        ) from error


def allowed_processors() -> int:
    """On how many processors this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def imported(name: str) -> ModuleType:
    """A module. Ctrl-C ends the wait for its import, and not the import: a process in which that of
    numpy, numba or torch was interrupted can't use them any more. Raises what the import raises.
    """
    if name in sys.modules or threading.current_thread() is not threading.main_thread():
        return import_module(name)
    problems: list[BaseException] = []

    def work() -> None:
        try:
            import_module(name)
        except BaseException as error:
            problems.append(error)

    thread = threading.Thread(target=work)
    start(thread)
    thread.join()
    if problems:
        raise problems.pop()
    return sys.modules[name]

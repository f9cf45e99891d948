"""Threads beside the window's own, which let nothing of Qt die on them.

Whoever lets go of an object last destroys it, and a QObject that is destroyed on another thread
than the window's can crash the program. So what a thread works with is held here, too, until that
thread has let it go; what hangs is held to the end.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_held: list[tuple[threading.Thread, Callable[[], None]]] = []


def start_thread(work: Callable[[], None], name: str | None = None) -> threading.Thread:
    """Have `work` done on a thread of its own; for the window's thread.

    It is a daemon: a disk that hangs must not keep the program from ending.
    """
    _held[:] = [held for held in _held if held[0].is_alive()]
    thread = threading.Thread(target=work, name=name, daemon=True)
    _held.append((thread, work))
    thread.start()
    return thread

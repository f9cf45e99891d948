"""Threads beside the window's own: they let nothing of Qt die on them, and call nothing of it.

Whoever lets go of an object last destroys it, and a QObject that is destroyed on another thread
than the window's can crash the program. So what a thread works with is held here, too, until that
thread has let it go; what hangs is held to the end.
"""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

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


_LOOK_MS, _LATER_LOOK_MS = 15, 100
"""Time between looks for answers that are awaited: less than a frame, and a little longer each
time: a mount that hangs for minutes must not keep the window busy."""


class MainThreadQueue(QObject):
    """Calls that other threads leave here and the window's thread makes, in their order.

    Other threads call nothing of Qt. Its signals do cross threads, but they take Qt's locks
    and Python's in an order that Python code cannot see: two threads can wait for each other.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._left: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._awaited = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._make_calls)

    @property
    def looking(self) -> bool:
        """Whether an answer is awaited."""
        return self._timer.isActive()

    def expect(self) -> None:
        """Look out for one more answer; for the window's thread."""
        self._awaited += 1
        self._timer.start(_LOOK_MS)

    def leave(self, call: Callable[[], None]) -> None:
        """Leave one answer that is expected; for any thread."""
        self._left.put(call)

    def ignore(self) -> None:
        """Make no further call, whatever is left here; for the window's thread."""
        self._awaited = 0
        self._timer.stop()

    def _make_calls(self) -> None:
        while self._awaited:
            try:
                call = self._left.get_nowait()
            except Empty:
                self._timer.setInterval(min(self._timer.interval() + 1, _LATER_LOOK_MS))
                return
            self._awaited -= 1
            call()
        self._timer.stop()

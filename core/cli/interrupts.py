"""An interrupt (Ctrl-C) that is noted, for who makes several runs to ask.

Python raises it wherever the program is at that moment. In a destructor or a callback of a weak
reference (`Popen.__del__`, an import) nobody above sees it: it is printed, and the program goes on.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


class Interrupts:
    """Whether one has come since a command began."""

    def __init__(self) -> None:
        self._come = False

    def forget(self) -> None:
        """A command begins."""
        self._come = False

    def handle(self, _number: int, _frame: FrameType | None) -> NoReturn:
        """Note it, and raise it as Python does."""
        self._come = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise one that came and got lost on its way; for places where none is under way."""
        if self._come:
            raise KeyboardInterrupt


INTERRUPTS = Interrupts()


@contextmanager
def heeded() -> Iterator[None]:
    """SIGINT and SIGTERM raise KeyboardInterrupt. Call it in the main thread."""
    usual = signal.getsignal(signal.SIGINT)
    INTERRUPTS.forget()
    # Ended from outside, a command cleans up as after Ctrl-C.
    signal.signal(signal.SIGTERM, INTERRUPTS.handle)
    # What is started in the background of a shell ignores it.
    if usual is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, INTERRUPTS.handle)
    try:
        yield
    finally:
        if usual is not None:
            signal.signal(signal.SIGINT, usual)

"""An interrupt (Ctrl-C) that nobody can lose.

Python raises it wherever the program is at that moment. In a destructor or a callback of a weak
reference (`Popen.__del__`, an import) nobody above sees it: it is printed, and the program goes on.
So it is sent again then, and noted, for whoever makes several runs to ask.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_AGAIN_S = 0.02


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
    """SIGINT and SIGTERM raise KeyboardInterrupt, which arrives. Call it in the main thread."""
    usual_hook, usual = sys.unraisablehook, signal.getsignal(signal.SIGINT)

    def notice(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            # Without a lock of `threading`, which a destructor may be called in the middle of.
            _thread.start_new_thread(_send_again, ())
        else:
            usual_hook(lost)

    INTERRUPTS.forget()
    sys.unraisablehook = notice
    # Ended from outside, a command cleans up as after Ctrl-C.
    signal.signal(signal.SIGTERM, INTERRUPTS.handle)
    # What is started in the background of a shell ignores it.
    if usual is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, INTERRUPTS.handle)
    try:
        yield
    finally:
        sys.unraisablehook = usual_hook
        if usual is not None:
            signal.signal(signal.SIGINT, usual)


def _send_again() -> None:
    time.sleep(_AGAIN_S)
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main()
    else:
        # To that thread: what it waits for in the kernel ends, too.
        signal.pthread_kill(main, signal.SIGINT)

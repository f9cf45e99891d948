"""A process beside this one that ends with it, whatever program this one becomes."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


COMPANION = "modelmon-ahead"
"""What such a process and its threads are called, as the kernel's lists and traces name them: 15
bytes at most.
"""


def start_companion(work: Callable[[], None]) -> None:
    """Do `work` in another process; Linux only. Returns at once, with this process as it was.

    It is no child of this process, has a session of its own, and of what this process was given
    keeps the standard error alone: Ctrl-C does not reach it, and nobody waits for it, or for a pipe
    that it holds. It ends when the work is done, or as soon as this process does. Where this one is
    the first process of its container, the kernel makes it the parent all the same.
    """
    # A number can go to another process; this descriptor cannot.
    handle = os.pidfd_open(os.getpid())
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        os.close(handle)
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if not os.fork():
            _let_go_of_what_is_inherited()
            Path("/proc/self/comm").write_text(COMPANION)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            threading.Thread(target=_end_with, args=(handle,), daemon=True).start()
            work()
    except BaseException:
        sys.excepthook(*sys.exc_info())
        raise
    finally:
        os._exit(0)


def _let_go_of_what_is_inherited() -> None:
    """What this process opened itself is still of use, and nobody else waits for it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    for link in Path("/proc/self/fd").iterdir():
        number = int(link.name)
        # The list itself was open when it was made.
        with contextlib.suppress(OSError):
            if number > 2 and os.get_inheritable(number):
                os.close(number)


def _end_with(handle: int) -> None:
    """End this process when that of `handle` has ended, whatever its readers wait for."""
    ended = select.poll()
    ended.register(handle, select.POLLIN)
    ended.poll()
    # A reader that waits for storage keeps the process, and whoever reads this output would wait.
    os.close(2)
    os._exit(0)

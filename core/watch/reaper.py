"""The parent of a worker that watches a program: ends the program if the worker is killed.

It reads and measures nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import threading
import time
from typing import NoReturn

from modelmon.core.machine.processes import adopt_orphans, end_descendants, process_handle

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_KILL_WAIT_S = 1.0
GRACE_S = 10.0
"""A worker that is told to end has so long: its program has 5 s, and a second more to be killed."""


def fork_under_reaper() -> None:
    """Go on in a child of this process, which does nothing but wait for it (Linux only).

    What the program started is adopted by whichever of the two is left, and ended by it: where the
    reaper is killed, the worker is told to end. One that hangs is killed after `GRACE_S`.
    """
    if sys.platform != "linux":
        return
    adopt_orphans()
    reaper = os.getpid()
    try:
        handle = process_handle(reaper)
    except OSError:  # an old kernel, which Program names
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = os.fork()
    if worker:
        _reap(worker)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != reaper:
        os.kill(os.getpid(), signal.SIGTERM)  # it died before the request
    threading.Thread(target=_end_after, args=(handle,), daemon=True).start()


def _end_after(reaper: int) -> None:
    """End this process, whatever it waits for, when its reaper has ended and it does not."""
    poll = select.poll()
    poll.register(reaper, select.POLLIN)
    poll.poll()
    time.sleep(GRACE_S)
    end_descendants(0.0, _KILL_WAIT_S)
    os.kill(os.getpid(), signal.SIGKILL)


def _reap(worker: int) -> NoReturn:
    """End as the worker ends, and all that is left of it before."""

    def end(*_: object) -> None:
        """Tell it to end, and see to it."""
        os.kill(worker, signal.SIGTERM)
        signal.setitimer(signal.ITIMER_REAL, GRACE_S)

    signal.signal(signal.SIGALRM, lambda *_: os.kill(worker, signal.SIGKILL))
    signal.signal(signal.SIGTERM, end)
    command = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):  # whose ends the worker and whoever started it wait for
        os.dup2(nothing, number)
    poll = select.poll()
    ended = process_handle(worker)
    poll.register(ended, select.POLLIN)
    # The worker reads it. When it has ended, whoever started this wants no more, or is gone.
    poll.register(command, 0)
    while ended not in dict(poll.poll()):
        poll.unregister(command)
        signal.setitimer(signal.ITIMER_REAL, GRACE_S)
    # Its number may go to another process once it is waited for.
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    end_descendants(0.0, _KILL_WAIT_S)
    if code < 0:
        with contextlib.suppress(OSError):  # nobody can say what SIGKILL does
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)

"""The process above a worker that watches a program: it ends what a worker that was killed left."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from typing import NoReturn

from modelmon.core.machine.process_tree import adopt_orphans, end_descendants

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_KILL_WAIT_S = 1.0


def go_on_below_a_keeper() -> None:
    """Go on in a child of this process, which does nothing but wait for it (Linux only).

    What the program started is adopted by whichever of the two is left, and ended by it: where the
    keeper is killed, the worker is told to end.
    """
    if sys.platform != "linux":
        return
    adopt_orphans()
    keeper = os.getpid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = os.fork()
    if worker:
        _keep(worker)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != keeper:
        os.kill(os.getpid(), signal.SIGTERM)  # it died before the request


def _keep(worker: int) -> NoReturn:
    """End as the worker ends, and all that is left of it before."""
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(worker, number))
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):  # whose ends the worker and whoever started it wait for
        os.dup2(nothing, number)
    os.waitid(os.P_PID, worker, os.WEXITED | os.WNOWAIT)
    # Its number may go to another process once it is waited for.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    end_descendants(0.0, _KILL_WAIT_S)
    if code < 0:
        with contextlib.suppress(OSError):  # nobody can say what SIGKILL does
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)

"""Starts a program in a stopped process: it stops itself, and executes the command when continued.

`python -m modelmon.core.watch.held PARENT COMMAND...`. So the cache can be set and watching begin
before the program's first instruction. The kernel kills it with its parent.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

NOT_STARTED = 127
"""Its exit code where the command cannot be run, as a shell has it."""
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main() -> int:
    """Become the command of the command line; returns where that cannot be."""
    parent_pid, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent_pid):
        return NOT_STARTED  # it died before the request, and nobody would let this one go
    # Python and the worker ignore them, and a program inherits what is ignored.
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSTOP)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
    return NOT_STARTED


if __name__ == "__main__":
    sys.exit(main())

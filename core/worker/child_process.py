"""A process that is read line by line, ended by the end of its input, and given up where it hangs.

The window does the same with Qt's processes (gui/background/child_process.py).
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import threading
import time
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from modelmon.core.load.threads import start
from modelmon.core.machine.memory import oom_kills, ran_out
from modelmon.core.machine.own_limits import starting_a_process
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PIPE_BYTES = 1 << 16
_AWAKE_S = 1.0
"""How often a wait is interrupted: where no signal does that, Ctrl-C is heeded then."""

GRACE_S = 0.25
"""A process whose time is up may take so long to end by itself before it is killed. The kernel
then kills its own children.
"""
GRACE_THERE_S = 3.0
"""The same of one on a server, which learns it later."""
KILLED_S = 2.0
"""A killed process that is not gone by then waits for storage that does not answer: the kernel
ends it with the answer, and nobody else can.
"""

_unended: list[subprocess.Popen[bytes]] = []
"""Processes that were left to themselves: Python reaps what it still knows."""


def program(module: str, *arguments: str, server: str = "") -> tuple[str, ...]:
    """A module as a program of this Python, or on `server` (`ssh://host`) of the one there.

    `-P` keeps the folder in which the program was started out of the module search path, and `-s`
    packages of the user, where this Python was started so. One on a server is a process here like
    any other, which stands for it.
    """
    if server:
        return program("modelmon.core.remote.ends", "near", server, module, *arguments)
    alone = ("-s",) if sys.flags.no_user_site else ()
    return (sys.executable, "-P", *alone, "-m", module, *arguments)


class SilentError(Exception):
    """A process says nothing for longer than it may."""


class ChildProcess:
    """One process; its output is read by a thread of its own.

    Whoever reads that output waits until every process that holds it is gone, and the kernel may
    keep one of them.
    """

    def __init__(self, command: Sequence[str], *, quiet: bool = False) -> None:
        """`quiet` drops what it says on its standard error."""
        # A session of its own: Ctrl-C reaches this process alone, which then ends the input.
        with starting_a_process():
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if quiet else None,
                start_new_session=True,
            )
        self._oom_kills_before = oom_kills()
        self._said: SimpleQueue[bytes | None] = SimpleQueue()
        start(threading.Thread(target=self._listen, daemon=True))

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """What it ended with; None while it runs, and below 0 where a signal ended it."""
        return self._process.returncode

    def send(self, line: bytes) -> None:
        """Write to its input; one that is gone is noticed by the end of its output."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def line(self, most_s: float | None) -> bytes | None:
        """Its next line, None at the end; one that breaks off is left out.

        Raises SilentError after `most_s` without one.
        """
        until_s = math.inf if most_s is None else time.monotonic() + most_s
        while True:
            left_s = max(0.0, until_s - time.monotonic())
            try:
                return self._said.get(timeout=min(_AWAKE_S, left_s))
            except Empty:
                if not left_s:
                    raise SilentError from None

    def lines(self, most_s: float | None, grace_s: float = GRACE_S) -> Iterator[bytes]:
        """All its lines. After `most_s` it is told to end, and killed where it does not in
        `grace_s`.

        Raises SilentError where that does not end it either.
        """
        ends = iter(((self._process.terminate, grace_s), (self._process.kill, KILLED_S)))
        until_s = math.inf if most_s is None else time.monotonic() + most_s
        while True:
            left_s = until_s - time.monotonic()
            try:
                line = self.line(None if left_s == math.inf else left_s)
            except SilentError:
                end, patience_s = next(ends, (None, 0.0))
                if end is None:
                    raise
                end()
                until_s = time.monotonic() + patience_s
                continue
            if line is None:
                return
            yield line

    def end(self, patience_s: float) -> Message:
        """End its input, which cancels whatever it does, and wait for it; kill it after that.

        Returns how it ended, as the end of a sentence. One that not even the kernel can end is
        left to itself.
        """
        process = self._process
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return outcome(process.wait(patience_s), self._oom_kills_before)
        process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return outcome(process.wait(min(patience_s, KILLED_S)), None)
        _unended.append(process)
        return Message(
            "(process {pid}) waits for storage that doesn't respond, and can't be ended",
            pid=process.pid,
        )

    def _listen(self) -> None:
        output = self._process.stdout
        assert output is not None
        begun = bytearray()
        while data := os.read(output.fileno(), _PIPE_BYTES):
            *whole, rest = data.split(b"\n")
            for part in whole:
                self._said.put(bytes(begun) + part + b"\n")
                begun.clear()
            begun += rest
        output.close()
        self._said.put(None)


def outcome(code: int, oom_kills_before: int | None) -> Message:
    """How a process with this exit code ended, as the end of a sentence. `oom_kills_before` is what
    `oom_kills` said when it was started, None of one that was killed from here.
    """
    if sys.platform != "win32" and code == -signal.SIGKILL and (whose := ran_out(oom_kills_before)):
        return Message(
            "was killed by the kernel: {whose}. Free memory or raise the limit", whose=whose
        )
    return (
        Message("was stopped by signal {code}", code=-code)
        if code < 0
        else Message("ended with exit code {code}", code=code)
    )

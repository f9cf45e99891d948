"""Keep the machine from going to sleep, and notice if it slept or somebody set its clock."""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE_S = 3.0
_ES_SYSTEM_REQUIRED = 0x00000001
_ES_CONTINUOUS = 0x80000000


@contextlib.contextmanager
def keep_awake(purpose: str) -> Iterator[None]:
    """Hold off sleep while the context lasts, where the system lets us; `purpose` is what it shows
    for it. A run during which the machine slept says so all the same.

    Nothing stays behind, however this process ends. Enter and leave it in the same thread.
    """
    if sys.platform == "win32":
        # It holds for the calling thread until it is taken back.
        set_state = ctypes.windll.kernel32.SetThreadExecutionState
        set_state(_ES_CONTINUOUS | _ES_SYSTEM_REQUIRED)
        try:
            yield
        finally:
            set_state(_ES_CONTINUOUS)
        return
    if sys.platform == "darwin":
        # -w: it ends with this process, whatever happens.
        command = ["caffeinate", "-i", "-w", str(os.getpid())]
    else:
        # cat ends when this process, and with it the other end of the pipe, is gone.
        what = ["--what=sleep:idle", "--mode=block", "--who=modelmon", f"--why={purpose}"]
        command = ["systemd-inhibit", *what, "cat"]
    pipe, child = subprocess.PIPE, None
    with contextlib.suppress(OSError):  # there is no such program
        # In a session of its own: Ctrl+C is for this process to handle.
        child = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
        )
    try:
        yield
    finally:
        if child is not None:
            _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ask the child to end, close its input, and wait until it and its own child are gone."""
    child.terminate()
    try:
        child.communicate(timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()


_LOOKS = 5


class Clocks(NamedTuple):
    """Three clocks at one moment; `since_boot_ns` None where there is no such clock.

    Sources: clock_gettime(2). CLOCK_MONOTONIC stands still while Linux is suspended,
    CLOCK_BOOTTIME goes on. The wall clock can be set at any time.
    """

    monotonic_ns: int
    wall_ns: int
    since_boot_ns: int | None = None


def read_clocks() -> Clocks:
    """The clocks now, read as close together as a busy machine allows: it may make this process
    wait between two of them.
    """
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    looks = []
    for _ in range(_LOOKS):
        start_ns = time.monotonic_ns()
        wall_ns = time.time_ns()
        since_boot_ns = time.clock_gettime_ns(boot) if boot is not None else None
        took_ns = time.monotonic_ns() - start_ns
        looks.append((took_ns, Clocks(start_ns, wall_ns, since_boot_ns)))
    return min(looks, key=lambda look: look[0])[1]


def suspended_ns(before: Clocks, after: Clocks) -> int | None:
    """How long the machine slept in between; None where that is not known."""
    if before.since_boot_ns is None or after.since_boot_ns is None:
        return None
    passed_ns = after.monotonic_ns - before.monotonic_ns
    return max(0, after.since_boot_ns - before.since_boot_ns - passed_ns)


def wall_jump_ns(before: Clocks, after: Clocks) -> int:
    """How much further the wall clock went than time passed; negative if it was set back."""
    return (after.wall_ns - before.wall_ns) - (after.monotonic_ns - before.monotonic_ns)

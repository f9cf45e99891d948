"""Keep the machine from going to sleep, and notice if it slept or somebody set its clock."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterator

_ANSWER_S = 3.0
_ES_SYSTEM_REQUIRED = 0x00000001
_ES_CONTINUOUS = 0x80000000


class Awake(NamedTuple):
    """Whether sleep is held off, and if not, why not."""

    active: bool
    reason: Message = NOTHING


@contextlib.contextmanager
def keep_awake(purpose: str) -> Iterator[Awake]:
    """Hold off sleep while the context lasts; `purpose` is what the system shows for it.

    Where that is impossible the experiment goes on, and `reason` says why. Nothing stays
    behind, however this process ends. Enter and leave it in the same thread.
    """
    if sys.platform == "win32":
        held = _by_windows()
    elif sys.platform == "darwin":
        # -w: it ends with this process, whatever happens.
        held = _by_child(["caffeinate", "-i", "-w", str(os.getpid())], answers=False)
    else:
        # cat ends when this process, and with it the other end of the pipe, is gone.
        what = ["--what=sleep:idle", "--mode=block", "--who=modelmon", f"--why={purpose}"]
        held = _by_child(["systemd-inhibit", *what, "cat"], answers=True)
    with held as awake:
        yield awake


@contextlib.contextmanager
def _by_child(command: list[str], *, answers: bool) -> Iterator[Awake]:
    """Sleep is held off while the child lives; `answers`: it echoes a line when it does so."""
    name = command[0]
    if shutil.which(name) is None:
        yield Awake(False, Message("{command} is not installed.", command=name))
        return
    pipe = subprocess.PIPE
    try:
        # In a session of its own: Ctrl+C is for this process to handle.
        child = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
        )
    except OSError as error:
        why = Message("{command} does not start: {reason}.", command=name, reason=error.strerror)
        yield Awake(False, why)
        return
    try:
        yield _answer_of(child, name) if answers else Awake(True)
    finally:
        _end(child)


def _answer_of(child: subprocess.Popen[bytes], name: str) -> Awake:
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    with contextlib.suppress(BrokenPipeError):
        child.stdin.write(b"\n")
    ready, _, _ = select.select([child.stdout], [], [], _ANSWER_S)
    if not ready:
        return Awake(False, Message("{name} gives no answer.", name=name))
    if child.stdout.readline():
        return Awake(True)
    complaint = child.stderr.read().decode(errors="replace").strip()
    return Awake(False, Message("{name} refuses: {complaint}", name=name, complaint=complaint))


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ask the child to end, close its input, and wait until it and its own child are gone."""
    child.terminate()
    try:
        child.communicate(timeout=_ANSWER_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()


if sys.platform == "win32":

    @contextlib.contextmanager
    def _by_windows() -> Iterator[Awake]:
        """SetThreadExecutionState: holds for the calling thread until it is taken back."""
        set_state = ctypes.windll.kernel32.SetThreadExecutionState
        held = set_state(_ES_CONTINUOUS | _ES_SYSTEM_REQUIRED)
        try:
            yield Awake(bool(held), "" if held else Message("Windows refuses to stay awake."))
        finally:
            set_state(_ES_CONTINUOUS)


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

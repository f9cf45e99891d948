"""Processes that descend from one, and a process beside this one that ends with it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from modelmon.core.machine.cached_pages import syscall
from modelmon.core.machine.procfs import process_stat, value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_PIDFD_OPEN = 434
_LOOK_S = 0.01


def adopt_orphans() -> None:
    """Make this process the parent of all that descend from it and lose theirs, daemons as well
    (prctl(2), Linux only).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def process_handle(pid: int) -> int:
    """A descriptor that is of this process alone, while its number can go to another one; readable
    once it has ended (pidfd_open(2), Linux 5.3). Raises OSError.
    """
    return syscall(_PIDFD_OPEN, pid, 0)


def descendants(pid: int) -> list[int]:
    """All processes below `pid`, those included that have ended and are not waited for; Linux only.

    Where the kernel does not list children (CONFIG_PROC_CHILDREN), every process is asked for its
    parent, which takes about 10 µs each.
    """
    if not Path("/proc/thread-self/children").exists():
        with contextlib.suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children(recursive=True)]
        return []
    found, left = [], [pid]
    while left:
        children = _children(left.pop())
        found += children
        left += children
    return found


def newest_process() -> str:
    """What tells whether any process or thread was started since it was last asked, of this
    machine or container; empty where that is not told (proc_loadavg(5)).
    """
    newest = value("/proc/loadavg").split()[-1:]
    return "" if newest in ([], ["0"]) else newest[0]


def _children(pid: int) -> list[int]:
    """Those of all its threads. A thread may end meanwhile, and the process with it."""
    found: list[int] = []
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/task") as threads:
        for thread in threads:
            # A server has hundreds: no path is taken apart, and no text decoded.
            with contextlib.suppress(OSError), open(f"{thread.path}/children", "rb", 0) as file:  # noqa: PTH123
                found += map(int, file.read().split())
    return found


def is_running(pid: int) -> bool:
    """Whether the process has not ended; one that ended and is not waited for has."""
    stat = process_stat(pid)
    return stat is not None and stat.state not in "ZX"


def sockets_of(pid: int) -> Iterator[str]:
    """Inodes of a process's sockets; none of one that has ended or can't be looked into."""
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)  # noqa: PTH208  Path objects of thousands cost
    except OSError:
        return
    for name in names:
        try:
            target = os.readlink(f"{folder}/{name}")  # noqa: PTH115
        except OSError:
            continue  # closed meanwhile
        if target.startswith("socket:["):
            yield target[8:-1]


def was_stopped(child: int) -> bool:
    """Whether this child was stopped by a signal and went on since this was last asked: time went
    on without it (waitid(2)). Not told but on Linux, and of a process that is no child.
    """
    if sys.platform == "linux":
        with contextlib.suppress(ChildProcessError):
            return os.waitid(os.P_PID, child, os.WCONTINUED | os.WNOHANG) is not None
    return False


def began_ticks(pid: int) -> int | None:
    """When the process began, in clock ticks since the system did: with its number, which goes to
    others when it has ended, this is nobody else's. None where there is none, and but on Linux.
    """
    stat = process_stat(pid)
    return stat.began_ticks if stat is not None else None


def worked_ticks(pid: int) -> int:
    """Processor time of a process and all below it, in clock ticks; Linux only."""
    stats = filter(None, map(process_stat, (pid, *descendants(pid))))
    return sum(each.user_ticks + each.system_ticks for each in stats)


def has_memory(pid: int) -> bool:
    """Whether the process has memory of its own: it gives that back before it has ended."""
    return value(f"/proc/{pid}/statm").split()[:1] not in ([], ["0"])


def end_descendants(grace_s: float, kill_s: float) -> list[int]:
    """Ask all that descend from this process to end, kill after `grace_s` what did not, and wait
    for them; returns those that storage still holds in the kernel `kill_s` later.

    Nothing that this process started may be of use any more. Who starts others while it is ended
    is ended with them.
    """
    for number, patience_s in ((signal.SIGTERM, grace_s), (signal.SIGKILL, kill_s)):
        until_s = time.monotonic() + patience_s
        told: set[int] = set()
        while left := _left():
            for pid in {*left} - told:
                told.add(pid)
                # A stopped process takes a signal only when it goes on.
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
                    os.kill(pid, signal.SIGCONT)
            if time.monotonic() >= until_s:
                break
            time.sleep(_LOOK_S)
    return _left()


def _left() -> list[int]:
    """The descendants that still run; those that ended are waited for, so that no number of one
    that is still to be told can have gone to another.
    """
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return [pid for pid in descendants(os.getpid()) if is_running(pid)]


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
    handle = process_handle(os.getpid())
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
            threading.current_thread().name = COMPANION
            # Refused to a Python with capabilities, whose /proc is root's; it works all the same.
            with contextlib.suppress(OSError):
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

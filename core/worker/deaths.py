"""What became of a loader that ended without saying why."""

from __future__ import annotations

import signal
import sys

from modelmon.core.machine.memory import oom_kills, read_memory
from modelmon.core.messages import Message
from modelmon.core.units import size_text


def cause_of_death(code: int, oom_kills_before: int | None) -> tuple[Message, Message]:
    """What happened, and what to do next, from the loader's exit code.

    `oom_kills_before` is what `oom_kills` said when the loaders were started.
    """
    if sys.platform != "win32" and code == -signal.SIGKILL:
        return _killed(oom_kills_before)
    if sys.platform != "win32" and code == -signal.SIGBUS:
        return (
            Message("The file was truncated or its storage disconnected (bus error)."),
            Message(
                "The file was cut or its storage went away: check it and open the model again."
            ),
        )
    if code < 0:
        return Message("A loader was stopped by signal {code}.", code=-code), Message("Try again.")
    return Message("A loader ended early with exit code {code}.", code=code), Message("Try again.")


def _killed(oom_kills_before: int | None) -> tuple[Message, Message]:
    kills = oom_kills()
    if kills is None or oom_kills_before is None or kills <= oom_kills_before:
        return (
            Message("A loader was killed (signal 9)."),
            Message("If nobody stopped it by hand, memory ran out: free some, or load a portion."),
        )
    limit = read_memory().cgroup_limit_bytes
    whose = (
        Message("the machine")
        if limit is None
        else Message("its cgroup, which may have {limit},", limit=size_text(limit))
    )
    return (
        Message(
            "A loader was killed by the kernel (signal 9): {whose} ran out of memory.", whose=whose
        ),
        Message("Free memory or raise the limit, load a portion, or map the model (access mmap)."),
    )

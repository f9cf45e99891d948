"""Which limit of this process it is that keeps the system from giving it more; standard library
only, but for what is said.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.machine.procfs import value
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterator

_THREAD_BYTES = 64 << 20
"""Its stack has 8 MiB of addresses as a rule, and whatever it allocates first reserves more."""


def address_space_remedy(wanted_bytes: int | None = None) -> Message:
    """What to do where the limit of this process's address space leaves less than is wanted, or
    where any is set; empty where that isn't it.
    """
    if sys.platform == "win32":
        return NOTHING
    import resource  # noqa: PLC0415  Windows has none

    most_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most_bytes == resource.RLIM_INFINITY:
        return NOTHING
    used_pages = int((value("/proc/self/statm") or "0").split()[0])
    left_bytes = most_bytes - used_pages * os.sysconf("SC_PAGESIZE")
    if wanted_bytes is not None and left_bytes >= wanted_bytes:
        return NOTHING
    limit = f"{most_bytes >> 10}"
    return Message("Raise the limit of address space (ulimit -v), now {limit} KiB.", limit=limit)


def thread_remedy() -> Message:
    """What to do where this process can start no more threads or processes."""
    return address_space_remedy(_THREAD_BYTES) or Message(
        "Raise the limit of processes (ulimit -u, or the container's pids limit), or end others."
    )


def files_remedy(error: OSError) -> Message:
    """What to do where too many files are open; empty where that isn't it."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return Message("Raise the limit of open files (ulimit -n), or choose fewer readers.")
    return NOTHING


@contextmanager
def starting_a_process() -> Iterator[None]:
    """Raises LoadFailedError where the system lets this process start no other."""
    try:
        yield
    except OSError as error:
        raise LoadFailedError(
            Message(
                "The system starts no more processes for modelmon: {reason}.", reason=error.strerror
            ),
            files_remedy(error) or thread_remedy(),
        ) from error

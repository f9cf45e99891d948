"""How to count a file's cached pages here, if that can be known; standard library only."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable

from modelmon.core.machine.cache_syscalls import (
    OVERLAYFS,
    cachestat_pages,
    filesystem_type,
    mincore_pages,
)
from modelmon.core.messages import Message, argument, verbatim

CountPages = Callable[[int, int, int], int]
"""Gets descriptor, offset and length in bytes; returns the cached pages among them."""


def unknown(why: Message) -> Message:
    """The `source` of a residency that nobody tells, with the reason."""
    return Message("unknown: {why}", why=why)


def why_unknown(source: Message) -> Message:
    """The reason in what `unknown` made, also where a recording has only the text of it."""
    why = argument(source, "why")
    return why if isinstance(why, Message) else verbatim(source.removeprefix("unknown: "))


FOREIGN = unknown(Message("the file belongs to another user"))
_REFUSED = unknown(Message("the system refuses cachestat and mincore, as some containers do"))


def page_counter(fd: int) -> tuple[CountPages | None, Message]:
    """How to count this file's cached pages and what that is called, or None and why not."""
    if sys.platform == "win32":
        return None, unknown(Message("Windows does not tell what it has cached"))
    try:
        cachestat_pages(fd, 0, 1)
    except OSError as error:
        if error.errno == errno.EOPNOTSUPP:
            return None, unknown(Message("hugetlbfs files have no page cache"))
        # A container's filter may answer EPERM as well, for one's own files too.
        if error.errno not in (errno.ENOSYS, errno.EPERM):
            raise
    else:
        # The descriptor of an overlay caches nothing itself; its maps are of the file below.
        if filesystem_type(fd) != OVERLAYFS:
            return cachestat_pages, verbatim("cachestat")
    if not mincore_is_honest(fd):
        return None, FOREIGN
    return (mincore_pages, verbatim("mincore")) if mincore_answers(fd) else (None, _REFUSED)


def mincore_answers(fd: int) -> bool:
    """Whether mincore may be asked: a container's filter may refuse it, and it maps the file."""
    try:
        mincore_pages(fd, 0, 1)
    except OSError:
        return False
    return True


def mincore_is_honest(fd: int) -> bool:
    """Whether mincore tells this process the truth: it owns the file or may write to it.

    Source: can_do_mincore() in the kernel's mm/mincore.c. CAP_FOWNER alone would do too, but
    whether it reaches the file's owner from inside a user namespace cannot be seen here.
    """
    if sys.platform == "win32":
        return False
    if os.fstat(fd).st_uid == os.geteuid():
        return True
    # The link leads to the open file: its rights are asked for and nothing is opened.
    link = f"/proc/self/fd/{fd}"
    return sys.platform == "linux" and os.access(link, os.W_OK, effective_ids=True)

"""Who keeps a file in the page cache although it was to be dropped."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psutil

from modelmon.core.machine.cache_syscalls import dirty_pages
from modelmon.core.machine.users import users_of
from modelmon.core.messages import Message
from modelmon.core.worker.admission import describe_users

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def eviction_blocker(files: Mapping[Path, int]) -> str:
    """Who or what holds the pages of these open files, as a sentence; empty if out of sight.

    A page that some process maps stays, and so does one that is still to be written
    (posix_fadvise(2), POSIX_FADV_DONTNEED). This program's own processes are left out.
    """
    mine = {os.getpid(), os.getppid(), *(child.pid for child in psutil.Process().children())}
    mapping = [user for user in users_of(files, mine) if user.how == "mapped"]
    if mapping:
        return Message("Couldn't evict the pages: {users}.", users=describe_users(mapping))
    unwritten = sum(_dirty(descriptor) for descriptor in files.values())
    if unwritten:
        return Message(
            "Couldn't evict the pages: {unwritten} of them haven't been written yet.",
            unwritten=f"{unwritten:,}",
        )
    return ""


def _dirty(descriptor: int) -> int:
    try:
        return dirty_pages(descriptor)
    except OSError:
        return 0  # an older kernel, or another user's file: it does not tell

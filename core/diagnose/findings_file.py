"""Findings about the file itself: what is on the disk, what is cached, who uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.diagnose.diagnosis import Diagnosis, Finding
from modelmon.core.machine.resident_pages import why_unknown
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import percent_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.machine.users import FileUser

_WITHOUT_HOLES_SHARE = 0.95


def file_findings(found: Diagnosis) -> Iterator[Finding]:
    """What holes, the page cache and other users mean for a load."""
    file = found.file
    if file is None:
        return
    share = file.allocated_share
    if share is not None and share < _WITHOUT_HOLES_SHARE:
        yield Finding(
            "file-with-holes",
            "note",
            Message("The file takes less space than its size: it has holes or is compressed."),
            Message("{share} of its bytes are on disk", share=percent_text(share)),
            Message("Holes load at memory speed. Copy the file without holes before measuring."),
            Message("lseek(2), on holes: they read as zeros"),
        )
    if file.cached_share is None and file.size_bytes:
        yield Finding(
            "residency-unknown",
            "note",
            Message("Cache state is unreadable, so cold starts can't be verified."),
            why_unknown(file.cached_source),
            Message("Measure as the file's owner, or with a copy of your own.")
            if file.of_another_user
            else Message("Trust a run only if the bytes from disk show how it started."),
        )
    if file.users:
        who = users_text(file.users)
        mapped = any(user.how == "mapped" for user in file.users)
        yield Finding(
            "file-in-use",
            "note",
            Message("Another process maps the file, so its pages can't be evicted.")
            if mapped
            else Message("Another process has the file open."),
            who,
            Message("Close it before measuring cold starts."),
            Message("invalidate_mapping_pages() in the kernel's mm/truncate.c")
            if mapped
            else NOTHING,
        )
    else:
        yield Finding(
            "file-unused",
            "ok",
            Message("No other process uses the file."),
            Message("checked the open files and maps of all visible processes"),
        )


def users_text(users: Iterable[FileUser]) -> Message:
    """Who uses the file and how: `llama-server (4711, mapped)`."""
    return joined(
        (
            Message("{name} ({pid}, mapped)", name=user.name, pid=user.pid)
            if user.how == "mapped"
            else Message("{name} ({pid}, open)", name=user.name, pid=user.pid)
            for user in users
        ),
        ", ",
    )

"""Findings about the file itself: what is on the disk, what is cached, who uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.preflight.diagnosis import Diagnosis, Finding
from modelmon.core.units import percent_text

if TYPE_CHECKING:
    from collections.abc import Iterator

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
            "The file takes less space than it has bytes: it has holes or is compressed.",
            f"{percent_text(share)} of its bytes are on the disk",
            "Holes load at the speed of memory. Copy the file whole before measuring the disk.",
            "lseek(2), on holes: they read as zeros",
        )
    if file.cached_share is None and file.size_bytes:
        yield Finding(
            "residency-unknown",
            "note",
            "What is cached of the file cannot be known, so no run can be called cold for sure.",
            file.cached_source.removeprefix("unknown: "),
            "Measure as the file's owner, or with a copy of your own."
            if file.of_another_user
            else "Believe a run only where the bytes from the device show how it started.",
        )
    if file.users:
        who = ", ".join(f"{user.name} ({user.pid}, {user.how})" for user in file.users)
        mapped = any(user.how == "mapped" for user in file.users)
        yield Finding(
            "file-in-use",
            "note",
            "Another process has the file mapped, so its pages cannot be dropped from memory."
            if mapped
            else "Another process has the file open.",
            who,
            "End it before measuring cold loads.",
            "invalidate_mapping_pages() in the kernel's mm/truncate.c" if mapped else "",
        )
    else:
        yield Finding(
            "file-unused",
            "ok",
            "No other process is seen to use the file.",
            "looked through the open files and maps of all processes in sight",
        )

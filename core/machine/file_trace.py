"""Every page of some files as it is brought in and read, as the kernel traces it."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from modelmon.core.machine.advice import give_advice
from modelmon.core.machine.page_events import PAGE_EVENTS, PageTrace, parse_page_trace
from modelmon.core.machine.tracefs import TraceInstance, TracingUnavailableError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

from modelmon.core.machine.page_events import FileId

_BUFFER_BYTES = 64 << 20
_USE = "filemap/mm_filemap_get_pages"
_MOST_FILTER_BYTES = 4000
"""The kernel takes a filter of less than a page."""


class FileTrace:
    """Watches files from `start` until `close`; raises TracingUnavailableError where that can't be.

    A byte of each file is read to learn what the kernel calls it: on btrfs and overlayfs its events
    tell another device than stat. A file of which none is seen then lies where nothing is traced.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._instance = TraceInstance(_BUFFER_BYTES)
        try:
            self._events = {
                event: fields
                for event, fields in PAGE_EVENTS.items()
                if self._instance.has(f"events/{event}/enable")
            }
            me = threading.get_native_id()
            self._filter(lambda _device, _inode: f"common_pid == {me}")
            for event in self._events:
                self._instance.set(f"events/{event}/enable", "1")
            self._instance.set("tracing_on", "1")
            files = [self._identity(path) for path in paths]
            self._instance.set("tracing_on", "0")
            self._filter(lambda device, inode: _only(files, device, inode))
        except BaseException:
            self._instance.close()
            raise
        self.numbers = {file: number for number, file in enumerate(files)}
        """The position of each file among the paths."""

    @property
    def sees_uses(self) -> bool:
        """Whether it is told when pages are used, and not only when they are brought in."""
        return _USE in self._events

    def _filter(self, condition: Callable[[str, str], str]) -> None:
        for event, fields in self._events.items():
            self._instance.set(f"events/{event}/filter", condition(*fields))

    def _identity(self, path: Path) -> FileId:
        self._instance.read()
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            last = max(0, os.fstat(descriptor).st_size - 1)
            # One page and no others; older kernels tell only of one that is not in memory.
            give_advice(descriptor, "random")
            give_advice(descriptor, "dontneed", last, 1)
            os.pread(descriptor, 1, last)
        finally:
            os.close(descriptor)
        for event in parse_page_trace(self._instance.read()).events:
            if event.start_bytes <= last < event.end_bytes:
                return event.file
        raise TracingUnavailableError(Message("the kernel traces no reads of this filesystem"))

    def start(self) -> None:
        """What happens from now on is seen."""
        self._instance.set("tracing_on", "1")

    def read(self) -> PageTrace:
        """What happened since the last reading, of these files; others may be among them."""
        return parse_page_trace(self._instance.read())

    def close(self) -> None:
        """Trace no more."""
        self._instance.close()


def _only(files: Sequence[FileId], device: str, inode: str) -> str:
    """The filter that lets through these files, or where they are many, all on their devices."""
    devices = {file: file.major << 20 | file.minor for file in files}
    text = " || ".join(
        f"({device} == {devices[file]} && {inode} == {file.inode})" for file in files
    )
    if len(text) < _MOST_FILTER_BYTES:
        return text
    return " || ".join(f"{device} == {number}" for number in sorted(set(devices.values())))

"""Every page of some files as it is brought in and read, as the kernel traces it.

The trace is an instance of its own, with events and a buffer that nobody else shares. Nothing is
mounted where others see it, and nothing is left: a supervisor holds its instance by a lock, which
ends with it, and whoever comes next removes what is held by nobody.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import mmap
import os
import re
import secrets
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from modelmon.core.errors import ModelmonError
from modelmon.core.machine.cached_pages import syscall
from modelmon.core.machine.direct_io import give_advice
from modelmon.core.machine.processes import COMPANION
from modelmon.core.machine.procfs import parse_mountinfo
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PAGE_EVENTS = {
    "filemap/mm_filemap_add_to_page_cache": ("s_dev", "i_ino"),
    "filemap/mm_filemap_get_pages": ("s_dev", "i_ino"),
    "filemap/mm_filemap_fault": ("s_dev", "i_ino"),
    "filemap/mm_filemap_map_pages": ("s_dev", "i_ino"),
    "iomap/iomap_dio_rw_begin": ("dev", "ino"),
    "iomap/iomap_dio_complete": ("dev", "ino"),
}
"""The kernel's events, and what they call the device and the inode; older kernels have the first
alone (include/trace/events/filemap.h; fs/iomap/trace.h).
"""

Deed = Literal["added", "read", "fault", "mapped", "direct", "other"]

# There are thousands a second, so that one pattern takes a whole line apart. Process numbers
# (options/record-tgid) may stand behind the thread's.
_LINE = re.compile(
    rb"-(?:(?<=%b-)(?=(\d+))|(?<=<\.\.\.>-)(?=(\d+)))?(\d+) +"
    rb"(?:\([ \d-]+\) )?\[\d+\] \S+ +(\d+\.\d{6}): (\w+): "
    rb"(dev.\d+:\d+ ino.(?:0x)?[0-9a-f]+) "
    rb"(?:(?:\w+=\S+ )*ofs=(\d+)(?:-(\d+))?(?: order=(\d{1,2}))?|(.*))$" % COMPANION.encode(),
    re.MULTILINE,
)
_FILE = re.compile(rb"dev.(\d+):(\d+) ino.(?:0x)?([0-9a-f]+)")
_LOST = re.compile(rb"^CPU:\d+ \[LOST (?:(\d+) )?EVENTS\]$", re.MULTILINE)
_DIRECT = re.compile(rb"\boffset 0x([0-9a-f]+) length 0x([0-9a-f]+) .*\bflags (\S*)")
_DEEDS: dict[bytes, Deed] = {
    b"mm_filemap_add_to_page_cache": "added",
    b"mm_filemap_get_pages": "read",
    b"mm_filemap_fault": "fault",
    b"mm_filemap_map_pages": "mapped",
    b"iomap_dio_rw_begin": "direct",
}


class FileId(NamedTuple):
    """A file as the kernel's events name it; the device needs not be the one that stat gives."""

    major: int
    minor: int
    inode: int


class PageEvent(NamedTuple):
    """A thread did something with a part of a file at `at_ns`, monotonic.

    `added`: pages have a place in the page cache, and are on their way. `read`: a read call found
    the first pages of what is left of its request there. `fault`: a page is wanted by a mapping;
    it is there when the thread goes on. `mapped`: pages were there. `direct`: a direct read begins.
    `other` says that the thread goes on. `is_ahead` is what modelmon reads ahead of a program; None
    where the kernel has not kept the thread's name, as happens to those that live briefly.
    """

    deed: Deed
    at_ns: int
    thread_id: int
    file: FileId
    start_bytes: int = 0
    end_bytes: int = 0
    is_ahead: bool | None = False


class PageTrace(NamedTuple):
    """Events in the order of their times, and how many there were no room for."""

    events: list[PageEvent]
    lost: int


def parse_page_trace(text: bytes) -> PageTrace:
    """The events in whole lines of trace_pipe, of an instance that has the clock `mono`; other
    lines are skipped (Documentation/trace/ftrace.rst).
    """
    events = []
    files: dict[bytes, FileId] = {}
    for ahead, unnamed, thread, at_s, name, place, offset, last, order, rest in _LINE.findall(text):
        file = files.get(place)
        if file is None:
            file = files[place] = _file(place)
        deed, start, end = _DEEDS.get(name, "other"), 0, 0
        if deed == "added" and offset:
            start = int(offset)
            end = start + (mmap.PAGESIZE << int(order or 0))
        elif deed == "direct":
            start, end = _direct(rest)
        elif deed != "other" and offset:
            start = int(offset)
            end = int(last or start) + 1
        at_ns = int(at_s.replace(b".", b"")) * 1000
        done = deed if end else "other"
        is_ahead = None if unnamed else bool(ahead)
        events.append(PageEvent(done, at_ns, int(thread), file, start, end, is_ahead))
    lost = sum(int(count or 1) for count in _LOST.findall(text)) if b"LOST" in text else 0
    return PageTrace(events, lost)


def _file(place: bytes) -> FileId:
    found = _FILE.fullmatch(place)
    assert found is not None
    return FileId(int(found[1]), int(found[2]), int(found[3], 16))


def _direct(rest: bytes) -> tuple[int, int]:
    """The first byte, and the one behind the last; two zeros of what is no read."""
    request = _DIRECT.search(rest)
    if request is None or b"WRITE" in request[3]:
        return 0, 0
    start = int(request[1], 16)
    return start, start + int(request[2], 16)


_PREFIX = "modelmon-"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READ_BYTES = 1 << 16
# asm-generic/unistd.h, linux/mount.h.
_FSOPEN, _FSCONFIG, _FSMOUNT = 430, 431, 432
_FSOPEN_CLOEXEC, _FSCONFIG_CMD_CREATE, _FSMOUNT_CLOEXEC = 1, 6, 1
_REFUSED = (errno.EPERM, errno.EACCES)
_BUFFER_BYTES = 64 << 20
_USE = "filemap/mm_filemap_get_pages"
_MOST_FILTER_BYTES = 4000
"""The kernel takes a filter of less than a page."""


class TracingUnavailableError(ModelmonError):
    """The kernel doesn't trace, or not for this user; the message is a clause, why not."""


class TraceInstance:
    """One instance, from its creation until `close`. It traces from when it is told to.

    Raises TracingUnavailableError where the kernel or its rights refuse.
    """

    def __init__(self, buffer_bytes: int) -> None:
        """`buffer_bytes` of memory keep what was not read yet."""
        with contextlib.ExitStack() as undone, _explained():
            self._instances = _opened_instances()
            undone.callback(os.close, self._instances)
            remove_leftovers(self._instances)
            self.name, self._folder = self._made()
            undone.callback(self._remove)
            self.set("tracing_on", "0")
            self.set("buffer_size_kb", str(buffer_bytes // (os.cpu_count() or 1) >> 10))
            self.set("trace_clock", "mono")
            flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
            self._pipe = os.open("trace_pipe", flags, dir_fd=self._folder)
            undone.callback(os.close, self._pipe)
            self._undone = undone.pop_all()

    def _made(self) -> tuple[str, int]:
        """The instance's name, and its folder, which is held; another process may have taken it for
        a leftover before that.
        """
        while True:
            name = f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
            os.mkdir(name, dir_fd=self._instances)
            with contextlib.suppress(FileNotFoundError):
                folder = os.open(name, _FOLDER, dir_fd=self._instances)
                fcntl.flock(folder, fcntl.LOCK_EX)
                with contextlib.suppress(FileNotFoundError):
                    os.stat(name, dir_fd=self._instances)
                    return name, folder
                os.close(folder)

    def set(self, name: str, text: str) -> None:
        """Write one of its files."""
        with _explained():
            descriptor = os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=self._folder)
            try:
                os.write(descriptor, text.encode())
            finally:
                os.close(descriptor)

    def has(self, name: str) -> bool:
        """Whether this kernel has such a file."""
        try:
            os.stat(name, dir_fd=self._folder)
        except FileNotFoundError:
            return False
        return True

    def read(self) -> bytes:
        """The lines of all events since the last reading; none is cut."""
        found = []
        with contextlib.suppress(BlockingIOError):  # there are no more
            while data := os.read(self._pipe, _READ_BYTES):
                found.append(data)
        return b"".join(found)

    def close(self) -> None:
        """Trace no more, and leave nothing."""
        self._undone.close()

    def _remove(self) -> None:
        _remove(self.name, self._instances)
        os.close(self._folder)


def remove_leftovers(instances: int) -> None:
    """Remove the instances of supervisors that were killed: those that nobody holds."""
    for name in os.listdir(instances):
        if name.startswith(_PREFIX):
            try:
                folder = os.open(name, _FOLDER, dir_fd=instances)
            except OSError:
                continue  # it is gone: who held it removes it without holding the folder
            with contextlib.suppress(BlockingIOError):  # held by one that runs
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(name, instances)
            os.close(folder)


def _remove(name: str, instances: int) -> None:
    """Remove one that is held by the caller, so that nobody else does; one that somebody reads
    stays, who may know why.
    """
    with contextlib.suppress(OSError):
        os.rmdir(name, dir_fd=instances)


def _opened_instances() -> int:
    """The folder of instances: of tracefs where it is mounted, else of a mount of our own that is
    in no folder, which the kernel takes away with its last descriptor (fsmount(2)).
    """
    refused: OSError | None = None
    for mount in parse_mountinfo(Path("/proc/self/mountinfo").read_text(errors="surrogateescape")):
        if mount.filesystem == "tracefs":
            try:
                return os.open(f"{mount.mount_point}/instances", _FOLDER)
            except OSError as error:
                refused = error
    try:
        mounted = _detached_tracefs()
    except OSError as error:
        raise refused or error from None
    try:
        return os.open("instances", _FOLDER, dir_fd=mounted)
    finally:
        os.close(mounted)


def _detached_tracefs() -> int:
    context = syscall(_FSOPEN, b"tracefs", _FSOPEN_CLOEXEC)
    try:
        syscall(_FSCONFIG, context, _FSCONFIG_CMD_CREATE, None, None, 0)
        return syscall(_FSMOUNT, context, _FSMOUNT_CLOEXEC, 0)
    finally:
        os.close(context)


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """An error of the kernel as a clause that says why it doesn't trace."""
    try:
        yield
    except OSError as error:
        if error.errno in _REFUSED:
            raise TracingUnavailableError(
                Message("the kernel's tracing needs root"),
                Message(
                    "As root, allow it to yourself until the next restart: mount -t tracefs -o"
                    " uid={uid} tracefs /sys/kernel/tracing",
                    uid=os.getuid(),
                ),
            ) from error
        if error.errno in (errno.ENODEV, errno.ENOSYS, errno.ENOENT):
            raise TracingUnavailableError(
                Message("this kernel has no tracing of its page cache")
            ) from error
        reason = error.strerror or str(error)
        raise TracingUnavailableError(
            Message("the kernel's tracing can't be used: {reason}", reason=reason)
        ) from error


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

"""The kernel's tracing: an instance of its own, with events and a buffer that nobody else shares.

Nothing is mounted where others see it, and nothing is left: a supervisor holds its instance by a
lock, which ends with it, and whoever comes next removes what is held by nobody.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.errors import ModelmonError
from modelmon.core.machine.procfs_disk import parse_mountinfo
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

_PREFIX = "modelmon-"
_OTHERS_S, _AGAIN_S = 2.0, 0.01
"""A load isn't kept waiting for a process that hangs."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READ_BYTES = 1 << 16
# The same numbers on all processors (asm-generic/unistd.h); linux/mount.h has the rest.
_FSOPEN, _FSCONFIG, _FSMOUNT = 430, 431, 432
_FSOPEN_CLOEXEC, _FSCONFIG_CMD_CREATE, _FSMOUNT_CLOEXEC = 1, 6, 1
_REFUSED = (errno.EPERM, errno.EACCES)


class TracingUnavailableError(ModelmonError):
    """The kernel doesn't trace, or not for this user; the message is a clause, why not."""


class TraceInstance:
    """One instance, from its creation until `close`. It traces from when it is told to.

    Raises TracingUnavailableError where the kernel or its rights refuse.
    """

    def __init__(self, buffer_bytes: int) -> None:
        """`buffer_bytes` of memory keep what was not read yet."""
        with _explained():
            self._instances = _opened_instances()
        self.name = f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
        try:
            with _explained():
                self._folder = self._made()
            # It is there from here on, and has to go again.
            try:
                self._set_up(buffer_bytes)
            except BaseException:
                self._remove()
                raise
        except BaseException:
            os.close(self._instances)
            raise

    def _made(self) -> int:
        """The instance, held from the moment in which others can see it."""
        self._wait_for_others()
        try:
            remove_leftovers(self._instances)
            os.mkdir(self.name, dir_fd=self._instances)
            folder = os.open(self.name, _FOLDER, dir_fd=self._instances)
            fcntl.flock(folder, fcntl.LOCK_EX)
        finally:
            fcntl.flock(self._instances, fcntl.LOCK_UN)
        return folder

    def _wait_for_others(self) -> None:
        """Hold the folder; whoever makes an instance does so for milliseconds."""
        until_s = time.monotonic() + _OTHERS_S
        while True:
            try:
                fcntl.flock(self._instances, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until_s:
                    raise TracingUnavailableError(
                        Message("another program keeps the kernel's tracing to itself"),
                        Message("Try again when that has ended."),
                    ) from None
                time.sleep(_AGAIN_S)
            else:
                return

    def _set_up(self, buffer_bytes: int) -> None:
        processors = os.cpu_count() or 1
        self.set("tracing_on", "0")
        self.set("buffer_size_kb", str(buffer_bytes // processors >> 10))
        self.set("trace_clock", "mono")
        with _explained():
            flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
            self._pipe = os.open("trace_pipe", flags, dir_fd=self._folder)

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
        os.close(self._pipe)
        self._remove()
        os.close(self._instances)

    def _remove(self) -> None:
        _remove(self.name, self._instances)
        os.close(self._folder)


def remove_leftovers(instances: int) -> None:
    """Remove the instances of supervisors that were killed: those that nobody holds.

    The caller holds the folder, so that none of them is just being made.
    """
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
    context = _syscall(_FSOPEN, b"tracefs", _FSOPEN_CLOEXEC)
    try:
        _syscall(_FSCONFIG, context, _FSCONFIG_CMD_CREATE, None, None, 0)
        return _syscall(_FSMOUNT, context, _FSMOUNT_CLOEXEC, 0)
    finally:
        os.close(context)


def _syscall(number: int, *arguments: bytes | int | None) -> int:
    answer: int = ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return answer


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """An error of the kernel as a clause that says why it doesn't trace."""
    try:
        yield
    except OSError as error:
        _explain(error)


def _explain(error: OSError) -> NoReturn:
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

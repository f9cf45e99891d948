"""A file behind FUSE whose cost is known, served by a process of its own."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ModelmonError
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.messages import Message
from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import HOLD, Counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.simulate.cost import Cost, Fault


class ServerEndedError(ModelmonError):
    """The process that serves a simulated storage is gone, or doesn't answer."""


class Store:
    """The mounted file, and what its server has done."""

    def __init__(self, path: Path, server: subprocess.Popen[str]) -> None:
        self.path = path
        self.server_pid = server.pid
        self._server = server

    def counts(self) -> Counts:
        """The counters since the last call. Raises ServerEndedError."""
        return self._ask("")

    def fail(self, fault: Fault) -> Counts:
        """Have reads fail so from now on."""
        return self._ask(f"{fault.kind}={fault.offset_bytes}" if fault.offset_bytes else fault.kind)

    def hold(self) -> None:
        """Answer nobody any more who opens or reads the file. Whoever waits for that cannot even
        be killed before the mount ends; the calling process must not touch it.
        """
        self._ask(HOLD)

    def _ask(self, command: str) -> Counts:
        assert self._server.stdin is not None
        try:
            self._server.stdin.write(f"{command}\n")
            self._server.stdin.flush()
            return msgspec.json.decode(answer(self._server), type=Counts)
        except (BrokenPipeError, TimeoutError, *UNDECODABLE) as error:
            raise ServerEndedError(
                Message(
                    "The simulated storage ended: its server, process {pid}, is gone.",
                    pid=self.server_pid,
                ),
                Message("Start it again."),
            ) from error


@contextmanager
def served(path: Path, mount_point: Path, cost: Cost) -> Iterator[Store]:
    """Serve `path` under `mount_point` at this cost. Whatever becomes of this process, the mount
    ends with it. Raises MountError.
    """
    mount_point = Path(os.path.realpath(mount_point))  # as the kernel names it
    command = (
        *(sys.executable, "-P", "-m", "modelmon.core.simulate.server"),
        *(str(path), str(mount_point), msgspec.json.encode(cost).decode()),
    )
    mounts.unmount_left_over()
    with held(command, mount_point) as server:
        yield Store(mount_point / path.name, server)


@contextmanager
def held(command: Sequence[str], mount_point: Path) -> Iterator[subprocess.Popen[str]]:
    """Start `command`, which mounts something under `mount_point`, prints `ready`, and unmounts
    when its input ends: also when this process was killed. Ctrl-C does not reach it. Raises
    MountError.
    """
    try:
        is_new = not mount_point.exists()
        mount_point.mkdir(exist_ok=True)
    except OSError as error:
        raise mounts.MountError(
            Message("Couldn't write {path}: {reason}.", path=mount_point, reason=error.strerror)
        ) from error
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0
    ) as holder:
        try:
            try:
                said, why = answer(holder).strip(), Message("the server ended")
            except TimeoutError:
                said, why = "", Message("the server doesn't answer")
            if said != "ready":
                raise mounts.MountError(
                    Message(
                        "Nothing could be mounted under {place}: {reason}.",
                        place=mount_point,
                        reason=said or why,
                    ),
                    mounts.REMEDY,
                )
            yield holder
        finally:
            assert holder.stdin is not None
            try:
                holder.stdin.close()
                holder.wait(mounts.PATIENCE_S)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                holder.kill()
            mounts.unmount(str(mount_point))
            if is_new:
                mount_point.rmdir()


def answer(holder: subprocess.Popen[str]) -> str:
    """The holder's next line, of which there is never more than one; empty where it has ended.

    Raises TimeoutError.
    """
    assert holder.stdout is not None
    if not select.select([holder.stdout], [], [], mounts.PATIENCE_S)[0]:
        raise TimeoutError("the process that holds the mount does not answer")
    return holder.stdout.readline()

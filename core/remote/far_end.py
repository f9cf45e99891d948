"""The end on the server of a program that somebody elsewhere started over SSH.

It hands lines on in both directions and does no work of its own. The program never waits for the
connection: what that can't take yet is held here. When the other end is gone, or says nothing for
a while, the program is ended as if its window had been closed. What one said that had ended well
by then is kept for a while, to be fetched.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import platform
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import modelmon
from modelmon.core.data_folder import VARIABLE, cache_folder
from modelmon.core.errors import EXIT_DONE, EXIT_USAGE
from modelmon.core.messages import MESSAGES
from modelmon.core.remote import lines
from modelmon.core.remote.ssh import unpacked_request
from modelmon.core.worker.child_process import program

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROGRAMS = frozenset(
    {
        "modelmon",
        "modelmon.core.worker",
        "modelmon.core.probe.process",
        "modelmon.core.probe.read_rate",
    }
)
_ID = re.compile(r"[0-9a-f]{32}")
_PIPE_BYTES = 1 << 16
_OUTPUT_BYTES = 1 << 20
"""The largest pipe that anybody may have (`/proc/sys/fs/pipe-max-size`)."""
_TRIES = 10
_LOOK_S = 0.2
_GATHER_S = 0.02
"""So long lines are left to gather: to wake up for each takes time of a load's processors."""
_BREAKS_OFF_S = 3600.0
_BEGUN = "new."
"""Begins the name of a bundle that is being copied."""
_MARK = "bundle"
"""This file beside the interpreter's folders tells a bundle that was copied here."""


def main(words: Sequence[str]) -> int:
    """Do what the one word asks for; returns the exit code."""
    try:
        request = unpacked_request(words[0])
    except (IndexError, ValueError):
        sys.stderr.write("This is started by modelmon on another machine.\n")
        return EXIT_USAGE
    if request.get("hello"):
        if request.get("installed"):
            _remove_old_bundles()
        # A line of its own, whatever the shell has said before.
        sys.stdout.write(f"\n{json.dumps(_hello())}\n")
        return EXIT_DONE
    name = str(request.get("id"))
    if request.get("protocol") != lines.PROTOCOL or not _ID.fullmatch(name):
        sys.stderr.write(f"modelmon here speaks protocol {lines.PROTOCOL}.\n")
        return EXIT_USAGE
    # Not ignored, which the program and whatever it measures would inherit.
    signal.signal(signal.SIGHUP, lambda *_: None)
    start = request.get("from")
    if isinstance(start, int):
        return _fetch(name, start)
    module, arguments = request.get("module"), request.get("arguments")
    if module not in _PROGRAMS or not isinstance(arguments, list):
        sys.stderr.write("modelmon here has no such program.\n")
        return EXIT_USAGE
    with contextlib.suppress(OSError, RuntimeError):
        os.chdir(Path.home())
    if (data := _own_data()) is not None:
        os.environ[VARIABLE] = str(data)
        _lock(Path(sys.prefix, _MARK), fcntl.LOCK_SH)
    # Whoever asked renders what is said, in a language that is not known here.
    os.environ[MESSAGES] = str(request.get("messages"))
    with _Kept(name) as kept:
        command = program(str(module), *map(str, arguments))
        return _Relay(command, kept, is_command=module == "modelmon").run()


def _hello() -> dict[str, object]:
    return {
        "protocol": lines.PROTOCOL,
        "version": modelmon.__version__,
        "python": platform.python_version(),
        "host": platform.node(),
        "bundle": _own_data() is not None,
    }


def _own_data() -> Path | None:
    """Where bundles keep what they measured, whatever their version: beside their folders."""
    folder = Path(sys.prefix)
    return folder.parent / "data" if (folder / _MARK).exists() else None


def _remove_old_bundles() -> None:
    """Those of other versions that nothing runs from, and what a copy that broke off has left."""
    own = Path(sys.prefix)
    old_s = time.time() - _BREAKS_OFF_S
    for folder in own.parent.iterdir():
        with contextlib.suppress(OSError):
            if folder.name.startswith(_BEGUN):
                is_left = folder.stat().st_mtime < old_s
            else:
                mark = folder / _MARK
                is_left = folder != own and mark.exists() and not _is_locked(mark, fcntl.LOCK_EX)
            if is_left:
                shutil.rmtree(folder)


class _Kept:
    """The place of what was not heard: two files below the cache folder.

    The empty one is there as long as this process is, and locked: the lock goes with its process,
    so that nobody waits for one that was killed.
    """

    def __init__(self, name: str) -> None:
        self.folder = cache_folder() / "remote" / "kept"
        self._alive = self.folder / name
        self._said = self.folder / f"{name}.said"
        self._lock = -1

    def __enter__(self) -> _Kept:
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._sweep()
            for _ in range(_TRIES):
                self._lock = os.open(self._alive, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
                fcntl.flock(self._lock, fcntl.LOCK_EX)
                if self._is_there():
                    break
                self._close()
        return self

    def __exit__(self, *_error: object) -> None:
        with contextlib.suppress(OSError):
            self._said.unlink(missing_ok=True)
            self._alive.unlink(missing_ok=True)
        self._close()

    def _is_there(self) -> bool:
        """Whether the file that is locked still has its name: another process may have swept it
        away before it was.
        """
        with contextlib.suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(self._lock), self._alive.stat())
        return False

    def _close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
        self._lock = -1

    def offer(self, start: int, said: bytes) -> None:
        """Let it be fetched, for `KEPT_S` at the most; `said` begins at `start` of all output."""
        part = self._said.with_suffix(".part")
        try:
            part.write_bytes(b"%d\n" % start + said)
            part.replace(self._said)
        except OSError:
            part.unlink(missing_ok=True)
            return
        until = time.monotonic() + lines.KEPT_S
        while self._said.exists() and time.monotonic() < until:
            time.sleep(_LOOK_S)

    def fetch(self) -> tuple[int, bytes] | None:
        """What was kept and where it begins, once; None where there is nothing, and no more to
        come.
        """
        until = time.monotonic() + lines.SILENT_S + lines.ENDING_S
        while time.monotonic() < until:
            runs = self._is_alive()
            try:
                start, _, said = self._said.read_bytes().partition(b"\n")
            except OSError:
                if not runs:
                    return None
                time.sleep(_LOOK_S)
                continue
            self._said.unlink(missing_ok=True)
            return int(start), said
        return None

    def _is_alive(self) -> bool:
        return _is_locked(self._alive, fcntl.LOCK_SH)

    def _sweep(self) -> None:
        """Remove what a process left that was killed."""
        for path in self.folder.iterdir():
            if not _is_locked(path.with_suffix(""), fcntl.LOCK_SH):
                path.unlink(missing_ok=True)


def _is_locked(path: Path, how: int) -> bool:
    """Whether somebody has a lock that goes with none of this kind; False where nothing is.

    Looked at with LOCK_SH, who looks is not taken for one who has it.
    """
    try:
        descriptor = _lock(path, how)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    os.close(descriptor)
    return False


def _lock(path: Path, how: int) -> int:
    """Lock a file that is there for as long as the descriptor is open, or raise OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _fetch(name: str, start: int) -> int:
    sys.stdout.buffer.write(lines.BEGUN)
    found = _Kept(name).fetch()
    if found is None or start < found[0]:
        sys.stdout.buffer.write(lines.END + b"\n")
        return EXIT_DONE
    kept_from, said = found
    sys.stdout.buffer.write(said[start - kept_from :])
    sys.stdout.buffer.flush()
    return EXIT_DONE


class _GoneError(Exception):
    """The other end is not there any more."""


class _Relay:
    """One program between the connection's two pipes."""

    def __init__(self, command: Sequence[str], kept: _Kept, *, is_command: bool) -> None:
        """A command does not read its input, and is told to end by a signal."""
        self._kept = kept
        self._is_command = is_command
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._input = self._child.stdin
        self._output = self._child.stdout.fileno()
        # Else what gathers of a large answer is little, and each part waits.
        with contextlib.suppress(AttributeError, OSError):
            fcntl.fcntl(self._output, fcntl.F_SETPIPE_SZ, _OUTPUT_BYTES)
        self._asked = b""
        self._heard_s = time.monotonic()
        # What was said from `_base` of all that was; sent up to `_sent`.
        self._said = bytearray()
        self._base = self._sent = 0
        self._ended = False
        self._got_all = False

    def run(self) -> int:
        """Hand lines on until the program has ended and all was heard; returns its exit code."""
        try:
            os.write(1, lines.BEGUN)
            os.set_blocking(0, False)
            os.set_blocking(1, False)
            while not self._got_all:
                self._hand_on()
        except (_GoneError, OSError):
            self._end_program()
            if self._ended and not self._child.returncode:
                self._kept.offer(self._base, bytes(self._said))
        return self._child.returncode or EXIT_DONE

    def _hand_on(self) -> None:
        unsent = self._base + len(self._said) - self._sent
        poll = select.poll()
        poll.register(0, select.POLLIN)
        poll.register(1, select.POLLOUT if unsent else 0)
        if not self._ended and unsent < lines.MOST_UNSENT_BYTES:
            poll.register(self._output, select.POLLIN)
        left_s = self._heard_s + lines.SILENT_S - time.monotonic()
        if left_s <= 0:
            raise _GoneError
        ready = dict(poll.poll(left_s * 1000))
        if 0 in ready:
            self._listen()
        if self._output in ready:
            self._read()
        if ready.get(1, 0) & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
            raise _GoneError
        if 1 in ready or self._output in ready:
            self._send()
        if self._output in ready and not self._ended:
            time.sleep(_GATHER_S)

    def _listen(self) -> None:
        data = os.read(0, _PIPE_BYTES)
        if not data:
            raise _GoneError
        self._heard_s = time.monotonic()
        *whole, self._asked = (self._asked + data).split(b"\n")
        for line in whole:
            self._take(line[:1], line[1:])

    def _take(self, kind: bytes, rest: bytes) -> None:
        if kind == lines.INPUT:
            with contextlib.suppress(OSError, ValueError):
                self._input.write(rest + b"\n")
                self._input.flush()
        elif kind == lines.NO_MORE_INPUT:
            self._close_input()
            if self._is_command:
                # It would not notice that whoever asked is gone.
                self._child.terminate()
        elif kind == lines.TERMINATE:
            self._child.terminate()
        elif kind == lines.GOT_ALL:
            self._got_all = self._ended
        elif kind == lines.ALIVE and rest.isdigit():
            heard = min(int(rest), self._sent)
            if heard > self._base:
                del self._said[: heard - self._base]
                self._base = heard

    def _read(self) -> None:
        data = os.read(self._output, _OUTPUT_BYTES)
        if data:
            self._said += data
        else:
            self._note_end()

    def _note_end(self) -> None:
        self._ended = True
        self._close_input()
        try:
            code = self._child.wait(lines.ENDING_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            code = -signal.SIGKILL
        self._said += lines.END + b"%d\n" % code

    def _send(self) -> None:
        waiting = memoryview(self._said)[self._sent - self._base :]
        with contextlib.suppress(BlockingIOError), waiting:
            self._sent += os.write(1, waiting[:_PIPE_BYTES])

    def _close_input(self) -> None:
        with contextlib.suppress(OSError):
            self._input.close()

    def _end_program(self) -> None:
        """End it by the end of its input, and after a while by force; keep what it says."""
        self._close_input()
        if self._is_command:
            self._child.terminate()
        until = time.monotonic() + lines.ENDING_S
        while not self._ended:
            left_s = until - time.monotonic()
            if left_s > 0 and select.select([self._output], [], [], left_s)[0]:
                self._read()
            elif left_s <= 0:
                self._child.kill()
                return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

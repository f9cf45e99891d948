"""Runs a program of modelmon on a server as if it were here: the process on each end of ssh.

`... ends near ssh://host MODULE ARGUMENTS` is a process here like any other: what it reads goes to
the program there, what that writes comes out here, in lines of a bounded length and without what
steers a terminal, and it ends with its exit code. When the connection fails, its last line says so.

`... ends far WORD` is its other end. The program there writes to the connection itself; what comes
for it is passed on, and where that ends, or stays away, the program is ended as if its window had
been closed.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from modelmon.core.data_folder import VARIABLE
from modelmon.core.errors import EXIT_LOAD_FAILED, EXIT_USAGE, LoadFailedError, ModelmonError
from modelmon.core.messages import MESSAGES, TYPED, Message, packed
from modelmon.core.remote.connection import RUN, copy_again, script_line, why_not
from modelmon.core.remote.ssh import (
    CONNECTION_LOST,
    as_word,
    may_ask,
    ssh_command,
    words_of,
)
from modelmon.core.terminal_safe import harmless, without_controls
from modelmon.core.worker.child_process import program

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGUN = b"\x05\n"
"""The first line from there: what its shell printed before is no part of the output."""

ALIVE = b"\0"
"""What the near end adds to the input, which is text, every `BEAT_S`. ssh notices a dead line by
itself; sshd by default takes minutes or hours, and a program would run on for so long.
"""
BEAT_S = 5.0
SILENT_S = 15.0
"""After so long without input the near end counts as gone."""
_PIPE_BYTES = 1 << 16
_ENDING_S = 12.0
"""A program that is to end may take so long: one that watches another has up to 10 s."""
_BY_SIGNAL = 128
"""Shells add it to the number of the signal that ended a program."""
_LAST_WORDS_S = 2.0
_MOST_BEFORE_BYTES = 1 << 16
"""A shell may greet before it starts what was asked for."""
_MOST_LINE_BYTES = 256 * 1024**2
"""The headers of the largest models there are, as JSON, take a tenth of it."""
_MOST_BYTES = 1024**3
"""Of one program: of 20 million requests. Who takes them in keeps up to five times as much."""
_MOST_WORDS = 2_000
# Two clients want to be the first: then the second has a connection of its own.
_NO_MATTER = "disabling multiplexing"
# What ssh says where it needed an answer; to try again would only ask again.
_REFUSED = ("Permission denied", "verification failed", "authentication failures")


class NearEnd:
    """One program there, with this process's standard streams for its own."""

    def __init__(self, server: str, command: Sequence[str]) -> None:
        """`command` is a module and its arguments."""
        self._server = server
        self._messages = os.environ.get(MESSAGES, TYPED)
        self._line = script_line(RUN, as_word([self._messages, *command]))
        self._prints_text = command[0] == "modelmon" and "--json" not in command
        self._begun = False
        self._words = ""
        self._given: SimpleQueue[bytes] = SimpleQueue()

    def run(self) -> int:
        """Returns the program's exit code; one that is larger than 0 where it was cut off."""
        try:
            code = self._converse()
        except ModelmonError as error:
            self._fail(error.message, error.remedy)
            return EXIT_LOAD_FAILED
        if self._begun and code != CONNECTION_LOST:
            return code
        self._fail(*why_not(self._server, code, self._words, begun=self._begun))
        return EXIT_LOAD_FAILED

    def _converse(self) -> int:
        """Have the program run; returns ssh's exit code."""
        command = ssh_command(self._server, self._line, asks=may_ask())
        pipe = subprocess.PIPE
        ssh = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        # To be stopped is to have no more input.
        signal.signal(signal.SIGTERM, lambda *_: self._given.put(b""))
        hearing = Thread(target=self._hear, args=(ssh,), daemon=True)
        for each in (hearing, Thread(target=self._read, daemon=True)):
            each.start()
        Thread(target=self._give, args=(ssh,), daemon=True).start()
        try:
            self._take_all(ssh)
            code = ssh.wait()
        finally:
            ssh.kill()
        hearing.join(_LAST_WORDS_S)
        return code

    def _take_all(self, ssh: subprocess.Popen[bytes]) -> None:
        """Write out what comes; a line that breaks off is left out. Raises LoadFailedError for what
        no program of ours would send.
        """
        assert ssh.stdout is not None
        left_bytes = _MOST_BEFORE_BYTES
        while (line := ssh.stdout.readline(_MOST_LINE_BYTES)).endswith(b"\n"):
            left_bytes -= len(line)
            if left_bytes < 0:
                break
            if self._begun:
                _write_out(harmless(line))
            elif line.endswith(BEGUN):
                self._begun, left_bytes = True, _MOST_BYTES
        if len(line) == _MOST_LINE_BYTES or left_bytes < 0:
            raise LoadFailedError(
                Message("Couldn't read what {server} sent.", server=self._server),
                copy_again(self._server),
            )

    def _read(self) -> None:
        """Take in the input, which ends what it is for."""
        while given := os.read(sys.stdin.fileno(), _PIPE_BYTES):
            self._given.put(given.replace(ALIVE, b" "))
        self._given.put(b"")

    def _give(self, ssh: subprocess.Popen[bytes]) -> None:
        """Pass the input on, with a sign of life where there is none."""
        assert ssh.stdin is not None
        with contextlib.suppress(OSError), ssh.stdin as there:
            while given := self._next():
                there.write(given)
                there.flush()
        if not self._begun:
            # It may ask the person still, and whoever wanted to know is gone.
            ssh.kill()

    def _next(self) -> bytes:
        try:
            return self._given.get(timeout=BEAT_S)
        except Empty:
            return ALIVE

    def _hear(self, ssh: subprocess.Popen[bytes]) -> None:
        """What ssh and the programs there say beside their output, without what steers a
        terminal.
        """
        assert ssh.stderr is not None
        while line := ssh.stderr.readline(_PIPE_BYTES):
            words = without_controls(line.decode("utf-8", "replace").rstrip("\r\n")) + "\n"
            if _NO_MATTER in words:
                continue
            self._words = words.strip()[:_MOST_WORDS] or self._words
            with contextlib.suppress(OSError):
                sys.stderr.write(words)
                sys.stderr.flush()

    def _fail(self, message: Message, remedy: Message) -> None:
        """The last line, as whoever reads it knows failures: a load's, a measurement's, a
        command's; of a command that prints text a sentence.
        """
        if self._prints_text:
            sys.stderr.write(f"{message}\n{remedy}\n")
            return
        refused = any(each in self._words for each in _REFUSED) and not self._begun
        pack = packed if self._messages == TYPED else str
        said = {"message": pack(message), "remedy": pack(remedy)}
        kind = "io" if refused else "disconnected"
        _write_out(json.dumps({"event": "failed", "kind": kind, **said, "error": said}).encode())
        _write_out(b"\n")


def _write_out(data: bytes) -> None:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError:
        # Nobody reads any more: the other end learns it by the end of its input.
        os._exit(EXIT_LOAD_FAILED)


def near_end(words: Sequence[str]) -> int:
    """Run `MODULE ARGUMENTS` on `ssh://host`; returns its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server, *command = words
    return NearEnd(server, command).run()


def far_end(words: Sequence[str]) -> int:
    """Run the program that the one word asks for; returns its exit code."""
    try:
        messages, module, *arguments = words_of(words[0])
    except (IndexError, ValueError):
        sys.stderr.write("This is started by modelmon on another machine.\n")
        return EXIT_USAGE
    own = Path(sys.prefix)
    # Beside the copies, whatever their version; the next copy removes those unused for long.
    os.environ[VARIABLE] = str(own.parent / "data")
    with contextlib.suppress(OSError, RuntimeError):
        os.utime(own)
        os.chdir(Path.home())
    # Whoever asked renders what is said, in a language that is not known here.
    os.environ[MESSAGES] = messages
    return _run(program(module, *arguments), is_command=module == "modelmon")


def _run(command: Sequence[str], *, is_command: bool) -> int:
    # Not ignored, which the program and all that it measures would inherit.
    signal.signal(signal.SIGHUP, lambda *_: None)
    os.write(1, BEGUN)
    child = subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0, start_new_session=True)
    Thread(target=_pass_on, args=(child, is_command), daemon=True).start()
    code = child.wait()
    return code if code >= 0 else _BY_SIGNAL - code


def _pass_on(child: subprocess.Popen[bytes], is_command: bool) -> None:
    """Give the program its input, and end it with that."""
    assert child.stdin is not None
    with contextlib.suppress(OSError):
        while select.select([0], [], [], SILENT_S)[0] and (said := os.read(0, _PIPE_BYTES)):
            child.stdin.write(said.replace(ALIVE, b""))
    child.stdin.close()
    if is_command:
        # It would not notice that whoever asked is gone.
        child.terminate()
    try:
        child.wait(_ENDING_S)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    end, *words = sys.argv[1:]
    if end == "near":
        # A thread that still waits in a buffered write would abort the exit.
        os._exit(near_end(words))
    sys.exit(far_end(words))

"""The end here of a program that runs on a server: `... near_end ssh://host MODULE ARGUMENTS`.

Whoever starts it has a process like any other: what it reads goes to the program there, what that
writes comes out here, in lines of a bounded length and without what steers a terminal, and it ends
with its exit code. When the connection fails, its last line says so.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, NoReturn

from modelmon.core.errors import EXIT_LOAD_FAILED, LoadFailedError, ModelmonError
from modelmon.core.messages import MESSAGES, TYPED, Message, packed
from modelmon.core.remote.copy_there import run_line
from modelmon.core.remote.far_end import ALIVE, BEAT_S, BEGUN
from modelmon.core.remote.sharing import turn_to_connect
from modelmon.core.remote.ssh import (
    CONNECTION_LOST,
    NOT_THERE,
    as_word,
    may_ask,
    ssh_command,
)
from modelmon.core.terminal_safe import harmless, without_controls

if TYPE_CHECKING:
    from collections.abc import Sequence

_PIPE_BYTES = 1 << 16
_LAST_WORDS_S = 2.0
_MOST_BEFORE_BYTES = 1 << 16
"""A shell may greet before it starts what was asked for."""
_MOST_LINE_BYTES = 256 * 1024**2
"""The headers of the largest models there are, as JSON, take a tenth of it."""
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
        self._line = run_line(as_word([self._messages, *command]))
        self._prints_text = command[0] == "modelmon" and "--json" not in command
        self._begun = False
        self._words = ""
        self._given: SimpleQueue[bytes] = SimpleQueue()

    def run(self) -> int:
        """Returns the program's exit code; one that is larger than 0 where it was cut off."""
        try:
            # Others need not wait for one that asks nobody.
            with turn_to_connect(self._server) if may_ask() else ExitStack() as turn:
                code = self._converse(turn)
        except ModelmonError as error:
            self._fail(error.message, error.remedy)
            return EXIT_LOAD_FAILED
        if self._begun and code != CONNECTION_LOST:
            return code
        self._fail(*why_not(self._server, code, self._words, begun=self._begun))
        return EXIT_LOAD_FAILED

    def _converse(self, turn: ExitStack) -> int:
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
            self._take_all(ssh, turn)
            code = ssh.wait()
        finally:
            ssh.kill()
        hearing.join(_LAST_WORDS_S)
        return code

    def _take_all(self, ssh: subprocess.Popen[bytes], turn: ExitStack) -> None:
        """Write out what comes; a line that breaks off is left out. Raises LoadFailedError for what
        no program of ours would send.
        """
        assert ssh.stdout is not None
        before_bytes = 0
        while (line := ssh.stdout.readline(_MOST_LINE_BYTES)).endswith(b"\n"):
            if self._begun:
                _write_out(harmless(line))
                continue
            before_bytes += len(line)
            if before_bytes > _MOST_BEFORE_BYTES:
                break
            if line.endswith(BEGUN):
                self._begun = True
                turn.close()
        if len(line) == _MOST_LINE_BYTES or before_bytes > _MOST_BEFORE_BYTES:
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


def why_not(server: str, code: int, words: str, *, begun: bool = False) -> tuple[Message, Message]:
    """What ssh's exit code and last words mean, where these are no program's, and what to do."""
    words = words.rstrip(".")
    if code == NOT_THERE:
        return (
            Message("modelmon isn't installed on {server}.", server=server),
            Message("Copy it there: modelmon remote install {server}", server=server),
        )
    if code != CONNECTION_LOST:
        words = words or Message("exit code {code}", code=code)
        return (
            Message("modelmon on {server} failed: {words}.", server=server, words=words),
            copy_again(server),
        )
    if begun:
        return (
            Message("The connection to {server} was lost.", server=server),
            Message("Run it again when the server can be reached."),
        )
    return (
        Message("Couldn't connect to {server}: {words}.", server=server, words=words)
        if words
        else Message("Couldn't connect to {server}.", server=server),
        Message("See whether ssh reaches it in a terminal."),
    )


def copy_again(server: str) -> Message:
    """What to do where what was copied there is of no use."""
    return Message("Copy this version there: modelmon remote install {server}", server=server)


def _write_out(data: bytes) -> None:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Nobody reads any more: the other end learns it by the end of its input.
        os._exit(EXIT_LOAD_FAILED)


def main(words: Sequence[str]) -> NoReturn:
    """Run `MODULE ARGUMENTS` on `ssh://host`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server, *command = words
    code = NearEnd(server, command).run()
    # A thread that still waits in a buffered write would abort the exit.
    os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])

"""The end here of a program that runs on a server: `... near_end ssh://host MODULE ARGUMENTS`.

Whoever starts it has a process like any other: what it reads goes to the program there, what that
writes comes out here, in lines of a bounded length and without what steers a terminal, and it ends
with its exit code. When the connection fails, its last line says so.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, NoReturn

from modelmon.core.errors import EXIT_LOAD_FAILED, LoadFailedError, ModelmonError
from modelmon.core.messages import MESSAGES, TYPED, Message, packed
from modelmon.core.remote.asking import PromptLock
from modelmon.core.remote.protocol import ALIVE, BEAT_S, BEGUN, PROTOCOL
from modelmon.core.remote.ssh import CONNECTION_LOST, NOT_THERE, packed_request, ssh_command
from modelmon.core.remote.there import run_line
from modelmon.core.shown import harmless, without_controls

if TYPE_CHECKING:
    from collections.abc import Sequence

_PIPE_BYTES = 1 << 16
_LAST_WORDS_S = 2.0
_MOST_BEFORE_BYTES = 1 << 16
"""A shell may greet before it starts what was asked for."""
_MOST_LINE_BYTES = 256 * 1024**2
"""The headers of the largest models there are, as JSON, take a tenth of it."""
MOST_WORDS = 2_000
# Two clients want to be the first: then the second has a connection of its own.
_NO_MATTER = "disabling multiplexing"


class NearEnd:
    """One program there, with this process's standard streams for its own."""

    def __init__(self, server: str, module: str, arguments: Sequence[str]) -> None:
        self._server = server
        self._messages = os.environ.get(MESSAGES, TYPED)
        self._request = {
            "protocol": PROTOCOL,
            "module": module,
            "arguments": list(arguments),
            "messages": self._messages,
        }
        self._prints_text = module == "modelmon" and "--json" not in arguments
        self._begun = False
        self._words = ""
        self._stopped, self._stop = os.pipe()

    def run(self) -> int:
        """Returns the program's exit code; one that is larger than 0 where it was cut off."""
        try:
            code = self._converse()
        except ModelmonError as error:
            self._fail(error.message, error.remedy)
            return EXIT_LOAD_FAILED
        if self._begun and code != CONNECTION_LOST:
            return code
        self._fail(*self._why(code))
        return EXIT_LOAD_FAILED

    def _converse(self) -> int:
        """Have the program run; returns ssh's exit code."""
        line = run_line(packed_request(self._request))
        pipe = subprocess.PIPE
        with PromptLock(self._server) as lock:
            command = ssh_command(self._server, line, asks=lock.may_ask)
            ssh = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
            # To be stopped is to have no more input.
            signal.signal(signal.SIGTERM, lambda *_: os.write(self._stop, b"\n"))
            giving, hearing = (
                threading.Thread(target=does, args=(ssh,), daemon=True)
                for does in (self._give, self._hear)
            )
            giving.start()
            hearing.start()
            try:
                self._take_all(ssh, lock)
                code = ssh.wait()
            finally:
                ssh.kill()
            hearing.join(_LAST_WORDS_S)
            lock.end(self._words if code == CONNECTION_LOST else "")
        return code

    def _take_all(self, ssh: subprocess.Popen[bytes], lock: PromptLock) -> None:
        """Write out what comes; a line that breaks off is left out. Raises LoadFailedError for what
        no program of ours would send.
        """
        nonsense = LoadFailedError(
            Message("Couldn't read what {server} sent.", server=self._server),
            copy_of_this(self._server),
        )
        assert ssh.stdout is not None
        before_bytes = 0
        while (line := ssh.stdout.readline(_MOST_LINE_BYTES)).endswith(b"\n"):
            if self._begun:
                _write_out(harmless(line))
                continue
            before_bytes += len(line)
            if before_bytes > _MOST_BEFORE_BYTES:
                raise nonsense
            if line.endswith(BEGUN):
                self._begun = True
                lock.end()
        if len(line) == _MOST_LINE_BYTES:
            raise nonsense

    def _give(self, ssh: subprocess.Popen[bytes]) -> None:
        """Pass the input on, with a sign of life where there is none."""
        assert ssh.stdin is not None
        waits = [sys.stdin.fileno(), self._stopped]
        with contextlib.suppress(OSError), ssh.stdin as there:
            while self._stopped not in (ready := select.select(waits, [], [], BEAT_S)[0]):
                given = os.read(waits[0], _PIPE_BYTES) if ready else ALIVE
                if not given:
                    break
                there.write(given.replace(ALIVE, b" ") if ready else given)
                there.flush()
        if not self._begun:
            # It may ask the person still, and whoever wanted to know is gone.
            ssh.kill()

    def _hear(self, ssh: subprocess.Popen[bytes]) -> None:
        """What ssh and the programs there say beside their output, without what steers a
        terminal.
        """
        assert ssh.stderr is not None
        while line := ssh.stderr.readline(_PIPE_BYTES):
            words = without_controls(line.decode("utf-8", "replace").rstrip("\r\n")) + "\n"
            if _NO_MATTER in words:
                continue
            self._words = words.strip()[:MOST_WORDS] or self._words
            with contextlib.suppress(OSError):
                sys.stderr.write(words)
                sys.stderr.flush()

    def _why(self, code: int) -> tuple[Message, Message]:
        """What ssh's exit code means, where it is no program's."""
        server = self._server
        if code == NOT_THERE:
            return not_installed(server)
        if code != CONNECTION_LOST:
            words = reason(self._words, code)
            return (
                Message("modelmon on {server} failed: {words}.", server=server, words=words),
                copy_of_this(server),
            )
        if self._begun:
            return (
                Message("The connection to {server} was lost.", server=server),
                Message("Run it again when the server can be reached."),
            )
        return cannot_connect(server, self._words)

    def _fail(self, message: Message, remedy: Message) -> None:
        """The last line, as whoever reads it knows failures: a load's, a measurement's, a
        command's; of a command that prints text a sentence.
        """
        if self._prints_text:
            sys.stderr.write(f"{message}\n{remedy}\n")
            return
        pack = packed if self._messages == TYPED else str
        said = {"message": pack(message), "remedy": pack(remedy)}
        failed = {"event": "failed", "kind": "disconnected", **said, "error": said}
        _write_out(json.dumps(failed).encode() + b"\n")


def not_installed(server: str) -> tuple[Message, Message]:
    """That a server has no modelmon, and what to do."""
    return (
        Message("modelmon isn't installed on {server}.", server=server),
        Message("Copy it there: modelmon remote install {server}", server=server),
    )


def copy_of_this(server: str) -> Message:
    """What to do where the modelmon there is of no use to this one."""
    return Message("Copy this version there: modelmon remote install {server}", server=server)


def cannot_connect(server: str, words: str) -> tuple[Message, Message]:
    """What ssh's own last words mean for whoever wanted a server."""
    return (
        Message("Couldn't connect to {server}: {words}.", server=server, words=words.rstrip("."))
        if words
        else Message("Couldn't connect to {server}.", server=server),
        Message("See whether ssh reaches it in a terminal."),
    )


def reason(words: str, code: int) -> str:
    """Why something there failed, as the end of a sentence: its last words, if it said any."""
    return words.rstrip(".") or Message("exit code {code}", code=code)


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
    server, module, *arguments = words
    code = NearEnd(server, module, arguments).run()
    # A thread that still waits in a buffered write would abort the exit.
    os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])

"""The end here of a program that runs on a server: `... near_end ssh://host MODULE ARGUMENTS`.

Whoever starts it has a process like any other: what it is told goes to the program there, what that
says comes out here, and it ends with its exit code. It says that it is there every few seconds,
takes lines of a bounded length only, and when the connection was cut fetches what a program that
had ended well said meanwhile. Its last line says what went wrong with the connection.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, NoReturn

from modelmon.core.errors import EXIT_DONE, EXIT_LOAD_FAILED, ModelmonError
from modelmon.core.messages import MESSAGES, TYPED, Message, packed
from modelmon.core.remote import lines
from modelmon.core.remote.asking import Turn
from modelmon.core.remote.ssh import CONNECTION_LOST, NOT_THERE, packed_request, ssh_command
from modelmon.core.remote.there import run_line
from modelmon.core.shown import harmless, without_controls

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO

_WORKER = "modelmon.core.worker"
_PIPE_BYTES = 1 << 16
_FETCH_FOR_S = 30.0
_FETCH_AGAIN_S = 2.0
_END_S = 10.0
_MOST_BEFORE_BYTES = 1 << 16
"""A shell may greet before it starts what was asked for."""
MOST_WORDS = 2_000
_EXIT_CODE = re.compile(re.escape(lines.END) + rb"(-?)(\d{1,3})\n")
_BY_SIGNAL = 128
"""Shells tell so of a program that a signal ended."""
# Two clients want to be the first: then the second has a connection of its own.
_NO_MATTER = "disabling multiplexing"


class _NonsenseError(Exception):
    """The other side sends what no program of ours would."""


class _CutError(Exception):
    """The connection ended before the program did; `code` is ssh's, `words` its last ones."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__()
        self.code = code
        self.words = words


class NearEnd:
    """One program there, with this process's standard streams for its own."""

    def __init__(self, server: str, module: str, arguments: Sequence[str]) -> None:
        self._server = server
        self._request = {
            "protocol": lines.PROTOCOL,
            "id": os.urandom(16).hex(),
            "module": module,
            "arguments": list(arguments),
            "messages": os.environ.get(MESSAGES, TYPED),
        }
        self._prints_text = module == "modelmon" and "--json" not in arguments
        self._begun = False
        self._told = False
        self._got_bytes = 0
        self._ssh: subprocess.Popen[bytes]
        # Also a signal's handler says something.
        self._sending = threading.RLock()
        self._words = ""

    def run(self) -> int:
        """Returns the program's exit code; one that is larger than 0 where it was cut off."""
        try:
            with Turn(self._server) as turn:
                self._start(self._request, asks=turn.may_ask)
                signal.signal(signal.SIGTERM, lambda *_: self._terminate())
                for pump in (self._pump_input, self._beat):
                    threading.Thread(target=pump, daemon=True).start()
                try:
                    return self._take_all(turn)
                except _CutError as cut:
                    if not self._begun or self._is_idle:
                        raise
                    return self._fetch(cut)
        except _CutError as cut:
            self._fail(*self._why(cut))
        except _NonsenseError:
            self._fail(
                Message("Couldn't read what {server} sent.", server=self._server),
                Message(
                    "Copy this version there: modelmon remote install {server}",
                    server=self._server,
                ),
            )
        except ModelmonError as error:
            self._fail(error.message, error.remedy)
        return EXIT_LOAD_FAILED

    @property
    def _is_idle(self) -> bool:
        """Whether the program there had nothing to do yet: then it has said nothing either, and
        whoever has a job for it had better start another.
        """
        return self._request["module"] == _WORKER and not self._told

    def _start(self, request: dict[str, object], *, asks: bool) -> None:
        command = ssh_command(self._server, run_line(packed_request(request)), asks=asks)
        self._ssh = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._words = ""
        assert self._ssh.stderr is not None
        self._hearing = threading.Thread(target=self._hear, args=(self._ssh.stderr,), daemon=True)
        self._hearing.start()

    def _take_all(self, turn: Turn) -> int:
        """Write out what comes, up to the last line; returns the code that it tells."""
        assert self._ssh.stdout is not None
        before_bytes = 0
        for line in _lines(self._ssh.stdout):
            if not self._begun:
                self._begun = line.endswith(lines.BEGUN)
                before_bytes += len(line)
                if before_bytes > _MOST_BEFORE_BYTES:
                    raise _NonsenseError
                if self._begun:
                    turn.end()
                continue
            if line.startswith(lines.END):
                self._say(lines.GOT_ALL)
                self._end()
                told = _EXIT_CODE.fullmatch(line)
                if told is None:
                    raise _NonsenseError
                return int(told[2]) + (_BY_SIGNAL if told[1] else 0)
            _write_out(harmless(line))
            self._got_bytes += len(line)
        code = self._ssh.wait()
        words = self._last_words()
        turn.end(words)
        raise _CutError(code, words)

    def _fetch(self, cut: _CutError) -> int:
        """What was said after the connection was lost, by a program that ended well."""
        until_s = time.monotonic() + _FETCH_FOR_S
        while time.monotonic() < until_s:
            request = {name: self._request[name] for name in ("protocol", "id")}
            rest = bytearray()
            with Turn(self._server) as turn:
                self._start(request | {"from": self._got_bytes}, asks=turn.may_ask)
                assert self._ssh.stdout is not None
                for line in _lines(self._ssh.stdout):
                    turn.end()
                    rest += line
                    if len(rest) > lines.MOST_LINE_BYTES:
                        raise _NonsenseError
                code = self._ssh.wait()
                turn.end(self._last_words())
            *said, last = bytes(rest).rpartition(lines.BEGUN)[2].split(lines.END)
            if code == CONNECTION_LOST:
                time.sleep(_FETCH_AGAIN_S)
                continue
            if not said or not last.strip().isdigit() or int(last):
                break
            _write_out(b"".join(map(harmless, b"".join(said).splitlines(keepends=True))))
            return EXIT_DONE
        raise cut

    def _pump_input(self) -> None:
        for line in sys.stdin.buffer:
            self._told = True
            self._say(lines.INPUT + line.rstrip(b"\n"))
        self._say(lines.NO_MORE_INPUT)
        if not self._begun:
            self._ssh.kill()

    def _terminate(self) -> None:
        """Also while ssh asks the person: whoever wanted to know is gone."""
        self._say(lines.TERMINATE)
        if not self._begun:
            self._ssh.kill()

    def _beat(self) -> None:
        while True:
            time.sleep(lines.BEAT_S)
            self._say(lines.ALIVE + b"%d" % self._got_bytes)

    def _say(self, line: bytes) -> None:
        stdin = self._ssh.stdin
        assert stdin is not None
        with self._sending, contextlib.suppress(OSError, ValueError):
            stdin.write(line + b"\n")
            stdin.flush()

    def _hear(self, stream: IO[bytes]) -> None:
        """What ssh and the programs there say beside their output, without what steers a
        terminal.
        """
        for line in iter(lambda: stream.readline(_PIPE_BYTES), b""):
            words = without_controls(line.decode("utf-8", "replace").rstrip("\r\n")) + "\n"
            if _NO_MATTER in words:
                continue
            self._words = words.strip()[:MOST_WORDS] or self._words
            with contextlib.suppress(OSError):
                sys.stderr.write(words)
                sys.stderr.flush()

    def _last_words(self) -> str:
        self._hearing.join(_FETCH_AGAIN_S)
        return self._words

    def _end(self) -> None:
        """The client ends when it has told the other end so; it is ended if it does not."""
        assert self._ssh.stdin is not None
        with self._sending, contextlib.suppress(OSError):
            self._ssh.stdin.close()
        try:
            self._ssh.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._ssh.kill()

    def _why(self, cut: _CutError) -> tuple[Message, Message]:
        server = self._server
        if cut.code == NOT_THERE:
            return (
                Message("modelmon isn't installed on {server}.", server=server),
                Message("Copy it there: modelmon remote install {server}", server=server),
            )
        if cut.code != CONNECTION_LOST:
            return (
                Message(
                    "modelmon on {server} failed: {words}.",
                    server=server,
                    words=reason(cut.words, cut.code),
                ),
                Message("Copy this version there: modelmon remote install {server}", server=server),
            )
        if self._begun:
            return (
                Message("The connection to {server} was lost.", server=server),
                Message("Run it again when the server can be reached."),
            )
        return cannot_connect(server, cut.words)

    def _fail(self, message: Message, remedy: Message) -> None:
        """The last line, as whoever reads it knows failures: a load's, a measurement's, a
        command's; of a command that prints text a sentence.
        """
        if self._prints_text:
            sys.stderr.write(f"{message}\n{remedy}\n")
            return
        pack = packed if self._request["messages"] == TYPED else str
        said = {"message": pack(message), "remedy": pack(remedy)}
        failed = {"event": "failed", "kind": "disconnected", **said, "error": said}
        _write_out(json.dumps(failed).encode() + b"\n")


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


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Whole lines; raises _NonsenseError. One that breaks off is left out."""
    begun = bytearray()
    while data := os.read(stream.fileno(), _PIPE_BYTES):
        *whole, rest = data.split(b"\n")
        for part in whole:
            yield bytes(begun) + part + b"\n"
            begun.clear()
        begun += rest
        if len(begun) > lines.MOST_LINE_BYTES:
            raise _NonsenseError


def _write_out(data: bytes) -> None:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _leave()


def _leave() -> NoReturn:
    """Nobody reads any more: the other end learns it by the end of its input."""
    os._exit(EXIT_LOAD_FAILED)


def main(words: Sequence[str]) -> int:
    """Run `MODULE ARGUMENTS` on `ssh://host`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server, module, *arguments = words
    code = NearEnd(server, module, arguments).run()
    sys.stdout.flush()
    # Threads that wait for input would hold this process up.
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

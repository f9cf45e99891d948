"""When a watched program counts as ready: what `--ready` may say, and how it is seen. Nothing here
starts a program; a thread asks for readiness.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import psutil

from modelmon.core.errors import ConfigError
from modelmon.core.load.threads import start
from modelmon.core.machine.cached_pages import failure, libc
from modelmon.core.machine.processes import sockets_of
from modelmon.core.machine.procfs import listening_sockets, value
from modelmon.core.messages import Message
from modelmon.core.units import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Sign = Literal["default", "exit", "output", "listening", "http", "first-token", "quiet", "asked"]

QUIET_S = 2.0
ANSWERED = "^modelmon: loaded$"
"""What scripts print that load a model, or have it loaded (core/programs), once it is."""
_LOOK_S = 0.05
_LOOKS_SHARE = 1 / 20
"""Looks at a machine's thousands of sockets take up at most this part of the time."""
_ANSWER_S = 1.0
_FIRST_ANSWER_S = 3600.0
_HTTP_OK = 200
_REFUSALS = (401, 403, 404)
"""Who asks for a key, or has no such interface, gives none later either."""
_MODELS, _COMPLETIONS = "/v1/models", "/v1/completions"
_MOST_ANSWER_BYTES = 1 << 20
_MOST_PORT = 65535
_TABLES = (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6))
_HOSTS = {"0.0.0.0": ("127.0.0.1",), "::": ("::1", "127.0.0.1")}
"""Where somebody is asked who listens at all addresses."""
_CLONE_NEWNET = 0x40000000  # linux/sched.h
_MOST_QUIET_S = 3600.0


class Readiness(NamedTuple):
    """What is waited for. `quiet_s` without reads, once all is in memory, are `quiet`; `default`
    is that or the program's end, whichever comes first. `asked` is a command that asks the program
    at a port of this machine to load: it is over when the command ends, or prints ANSWERED. Without
    a port `listening` and `http` take any at which the program listens.
    """

    sign: Sign = "default"
    pattern: re.Pattern[bytes] | None = None
    port: int | None = None
    path: str = ""
    quiet_s: float = QUIET_S


def parse_readiness(text: str) -> Readiness:
    """What `exit`, `output:REGEX`, `listening[:PORT]`, `http:[PORT]/PATH`, `first-token:PORT`,
    `quiet[:SECONDS]`, `asked:PORT` or nothing means; raises ConfigError for anything else.
    """
    sign, colon, rest = text.partition(":")
    if not text or (text == "exit"):
        return Readiness("exit" if text else "default")
    if sign == "output" and rest:
        return Readiness("output", pattern=_pattern(rest))
    if sign == "listening" and (rest or not colon):
        return Readiness("listening", port=_port(rest) if rest else None)
    if sign == "http" and rest:
        port, _, path = rest.partition("/")
        return Readiness("http", port=_port(port) if port else None, path=f"/{path}")
    if sign in ("first-token", "asked") and rest:
        pattern = _pattern(ANSWERED) if sign == "asked" else None
        return Readiness("asked" if pattern else "first-token", pattern, _port(rest))
    if sign == "quiet" and (rest or not colon):
        return Readiness("quiet", quiet_s=_seconds(rest) if rest else QUIET_S)
    raise ConfigError(
        Message("{text} doesn't say when a program is ready.", text=repr(text)),
        Message(
            "Write exit, output:REGEX, listening, listening:PORT, http:PORT/PATH,"
            " first-token:PORT, quiet, quiet:SECONDS or asked:PORT."
        ),
    )


def _pattern(text: str) -> re.Pattern[bytes]:
    try:
        return re.compile(text.encode())
    except re.error as error:
        raise ConfigError(
            Message("{text} isn't a regular expression: {reason}.", text=repr(text), reason=error),
            Message("Write the text that the program prints when it is ready."),
        ) from error


def _port(text: str) -> int:
    port = whole_number(text)
    if port is None or not 0 < port <= _MOST_PORT:
        raise ConfigError(
            Message("{text} isn't a port.", text=repr(text)),
            Message("Write a number from 1 to 65535, of a port on this machine."),
        )
    return port


def _seconds(text: str) -> float:
    seconds = float(text) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text) else 0.0
    if not 0 < seconds <= _MOST_QUIET_S:
        raise ConfigError(
            Message("{text} isn't a number of seconds.", text=repr(text)),
            Message("Write for example quiet:5."),
        )
    return seconds


class _Place(NamedTuple):
    """Where a process accepts connections, in its own network."""

    pid: int
    host: str
    port: int


class ReadyPoller:
    """Asks a program again and again in a thread of its own whether it answers, on this machine
    only: whether it listens, and where a path is given, whether that answers 200. For a first token
    it asks for one as OpenAI's interface does, which llama.cpp, vLLM, SGLang and Ollama have.

    A port counts only where one of the program's own processes listens: an older server on the
    same port answers for itself.
    """

    def __init__(
        self,
        readiness: Readiness,
        pids: Callable[[], Sequence[int]],
        on_question: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_question` is called, in the thread, before the first token is asked for."""
        self._readiness = readiness
        self._pids = pids
        self._on_question = on_question
        self._end = threading.Event()
        self.answered_ns: int | None = None
        self.refused = False
        """Whether it will never give a token."""

    def start(self) -> None:
        """Begin to ask, where an answer is the sign: what waits for another may listen early."""
        if self._readiness.sign not in ("listening", "http", "first-token"):
            return
        start(threading.Thread(target=self._ask, daemon=True))

    def stop(self) -> None:
        """Ask no more."""
        self._end.set()

    def _ask(self) -> None:
        ready = self._gives_a_token if self._readiness.sign == "first-token" else self._answers
        pause_s = _LOOK_S
        while not self._end.wait(pause_s) and not self.refused:
            began_s = time.thread_time()
            if any(map(ready, _places(self._pids(), self._readiness.port))):
                self.answered_ns = time.monotonic_ns()
                return
            pause_s = max(_LOOK_S, (time.thread_time() - began_s) / _LOOKS_SHARE)

    def _answers(self, place: _Place) -> bool:
        path = self._readiness.path
        return not path or self._asked(place, path)[0] == _HTTP_OK

    def _gives_a_token(self, place: _Place) -> bool:
        status, answer = self._asked(place, _MODELS)
        self.refused |= status in _REFUSALS
        if status != _HTTP_OK:
            return False
        self._on_question()
        self._on_question = lambda: None
        try:
            model = str(json.loads(answer)["data"][0]["id"])
        except (ValueError, LookupError, TypeError, RecursionError):
            model = ""
        question = {"model": model, "prompt": "a", "max_tokens": 1}
        asked = json.dumps(question).encode()
        status, _ = self._asked(place, _COMPLETIONS, asked, _FIRST_ANSWER_S)
        self.refused |= status in _REFUSALS
        return status == _HTTP_OK

    def _asked(
        self, place: _Place, path: str, question: bytes | None = None, limit_s: float = _ANSWER_S
    ) -> tuple[int, bytes]:
        """Status and answer; 0 and nothing where it doesn't answer yet."""
        import http.client  # noqa: PLC0415  one import in eight of every worker's, for this alone

        connection = http.client.HTTPConnection(place.host, place.port, timeout=limit_s)
        try:
            _enter_network_of(place.pid)
            headers = {} if question is None else {"Content-Type": "application/json"}
            connection.request("GET" if question is None else "POST", path, question, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(_MOST_ANSWER_BYTES)
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()


def _enter_network_of(pid: int) -> None:
    """Let this thread connect where that process does, which may be in a container. Raises OSError
    where that isn't allowed.
    """
    network = Path(f"/proc/{pid}/ns/net")
    if not network.samefile("/proc/thread-self/ns/net"):
        with network.open("rb") as opened:
            if libc().setns(opened.fileno(), _CLONE_NEWNET):
                raise failure()


def process_at(port: int) -> int:
    """The process that accepts connections at a port of this machine. Raises ConfigError where
    none is seen.
    """
    found = [
        each.pid
        for each in psutil.net_connections("tcp")
        if each.status == psutil.CONN_LISTEN and each.laddr[1:] == (port,) and each.pid is not None
    ]
    if not found:
        raise ConfigError(
            Message("No visible program listens on port {port}.", port=port),
            Message("Start it first. Only that user or root sees another user's program."),
        )
    return min(found)


def listens(pids: Sequence[int], port: int | None) -> bool:
    """Whether one of these processes accepts connections, at `port` where one is given."""
    return any(_places(pids, port))


def _places(pids: Sequence[int], port: int | None) -> Iterator[_Place]:
    """Where these processes accept connections, as far as that is seen, of which only `port` counts
    if one is given. Linux only.
    """
    seen: set[str] = set()
    for pid in pids:
        own = {*sockets_of(pid)} - seen
        seen |= own
        for table, family in _TABLES if own else ():
            sockets = listening_sockets(value(f"/proc/{pid}/net/{table}"))
            for address, at in (sockets[inode] for inode in own & {*sockets}):
                if port in (None, at):
                    host = socket.inet_ntop(family, address)
                    yield from (_Place(pid, each, at) for each in _HOSTS.get(host, (host,)))


def ports_of(pid: int) -> list[int]:
    """Where a process accepts connections from this machine's programs, as far as that is seen;
    nowhere once it has ended.
    """
    try:
        connections = psutil.Process(pid).net_connections("tcp")
    except psutil.Error:
        return []
    return [each.laddr.port for each in connections if each.status == psutil.CONN_LISTEN]

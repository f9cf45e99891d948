"""Models on a server: `ssh://[user@]host[:port]/path` is where one is that is not on this machine.

The path is what stands there, letter by letter: nothing in it is decoded. Below `/~/` it counts
from the home folder of whoever logs in. `ssh.py` starts OpenSSH's client, `connection.py` reaches a
server and copies modelmon there, `ends.py` runs a program there as if it were here, `prepare.py` is
the first that runs of a copy.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message

SCHEME = "ssh://"
_HOME = "/~/"
_MOST_PORT = 65535
# No name begins with a dash: ssh would take it for an option.
_NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_SERVER = re.compile(
    rf"(?:(?P<user>{_NAME})@)?(?:\[(?P<ip>[0-9A-Fa-f:.]+(?:%{_NAME})?)\]|(?P<host>{_NAME}))"
    r"(?::(?P<port>[0-9]{1,5}))?"
)


class Server(NamedTuple):
    """Who is called; `port` 0 and `user` "" leave it to the configuration of ssh."""

    host: str
    user: str = ""
    port: int = 0


class Place(NamedTuple):
    """A path, and the server that it is on, as `ssh://host`; "" is this machine."""

    path: str
    server: str = ""

    def __str__(self) -> str:
        """As `place_of` reads it."""
        return reference(self.server, self.path)


def is_remote(text: str) -> bool:
    """Whether this names something on a server."""
    return text.startswith(SCHEME)


def place_of(text: str) -> Place:
    """What a path or a reference names. Raises ConfigError for an address that is none."""
    path, server = place = parts_of(text)
    if not server:
        return place
    server_of(server)
    if "\0" in path:
        raise _not_an_address(text)
    is_below_home = f"{path}/".startswith(_HOME)
    return Place("./" + path[len(_HOME) :] if is_below_home else path, server)


def server_of(text: str) -> Server:
    """Whom `ssh://host` names. Raises ConfigError for an address that is none."""
    found = _SERVER.fullmatch(text.removeprefix(SCHEME).removesuffix("/"))
    port = int(found["port"] or 0) if found else 0
    if found is None or port > _MOST_PORT:
        raise _not_an_address(text)
    return Server(found["host"] or found["ip"], found["user"] or "", port)


def parts_of(text: str) -> Place:
    """The same of what a record holds, which may be any text: to be shown, not to be called."""
    if not is_remote(text):
        return Place(text)
    authority, slash, path = text.removeprefix(SCHEME).partition("/")
    return Place(slash + path, SCHEME + authority)


def reference(server: str, path: str) -> str:
    """The text that names this path there."""
    if not server:
        return path
    return server + (path if path.startswith("/") else _HOME + path.removeprefix("./"))


def _not_an_address(text: str) -> ConfigError:
    return ConfigError(
        Message("{address} isn't an address.", address=repr(text)),
        Message("Write ssh://user@host:22/path; user and port can be left out."),
    )

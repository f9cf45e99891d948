"""The command lines of OpenSSH's own client: nothing else makes any, and nothing sees a password.

All that is asked of a server goes over one connection, which the first client opens and leaves
behind for a while, where OpenSSH can share one. The person's configuration, keys, agent and jump
hosts hold; only what a program between two pipes cannot use is switched off.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
import sys
from typing import TYPE_CHECKING

from modelmon.core.data_folder import private_folder
from modelmon.core.remote import server_of

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARES = sys.platform != "win32"
"""Windows' OpenSSH shares no connection: each client there has its own, and asks for itself."""
VARIABLE = "MODELMON_SSH_COMMAND"
"""The client's command, where it is not `ssh`."""

CONNECTION_LOST = 255
"""What the client ends with when it is not the program there that failed."""
NOT_THERE = 127
"""What a shell ends with that finds no such program."""

# No other word is one letter by letter to every shell.
_PLAIN = re.compile(r"[A-Za-z0-9_=.][A-Za-z0-9_=.-]*")
_OPTIONS = {
    "ServerAliveInterval": "5",
    "ServerAliveCountMax": "3",
    "ConnectTimeout": "20",
    # A load's events are text: a tenth of it goes over the line.
    "Compression": "yes",
    "ClearAllForwardings": "yes",
    "ForwardAgent": "no",
    "ForwardX11": "no",
    "RequestTTY": "no",
    "RemoteCommand": "none",
    "EscapeChar": "none",
}


def ssh_command(server: str, command: str, *, asks: bool) -> list[str]:
    """Run a command line on a server; `asks` lets ssh ask the person.

    Raises LoadFailedError where others could use the folder of the connections.
    """
    called = server_of(server)
    told = {"BatchMode": "no" if asks else "yes", **_OPTIONS}
    if SHARES:
        sockets = str(private_folder()).replace("%", "%%")
        shared = {"ControlMaster": "auto", "ControlPersist": "300"}
        told |= shared | {"ControlPath": f"{sockets}/%C"}
    words = shlex.split(os.environ.get(VARIABLE) or "ssh")
    words += [word for name, value in told.items() for word in ("-o", f"{name}={value}")]
    words += ["-l", called.user] if called.user else []
    words += ["-p", str(called.port)] if called.port else []
    return [*words, "--", called.host, command]


def may_ask() -> bool:
    """Whether ssh may ask for a program that nobody watches: in a window, or where no connection
    is shared that was asked for before.
    """
    return not SHARES or os.environ.get("SSH_ASKPASS_REQUIRE") == "force"


def shell_line(script: str, *words: str) -> str:
    """`sh -c SCRIPT` with `words` as its $1, $2, ... for whatever shell is there.

    `script` is ours and has no letter that any shell would read within single quotes (the quote
    itself, backslash, exclamation mark, line end).
    """
    if set(script) & set("'\\!\n"):
        raise ValueError("this script means something else in another shell")
    if not all(map(_PLAIN.fullmatch, words)):
        raise ValueError("this word means something to a shell")
    return " ".join(["exec", "/bin/sh", "-c", f"'{script}'", "modelmon", *words])


def as_word(words: Sequence[str]) -> str:
    """Whatever is to be said to a program there, names of files among it, as one word without a
    letter that a shell reads.
    """
    return base64.urlsafe_b64encode(json.dumps(words).encode()).decode()


def words_of(word: str) -> list[str]:
    """What `as_word` packed. Raises ValueError for anything else."""
    words = json.loads(base64.urlsafe_b64decode(word))
    if not isinstance(words, list) or not all(isinstance(each, str) for each in words):
        raise ValueError("a request is a list of words")
    return words

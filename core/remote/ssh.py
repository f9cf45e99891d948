"""Starts OpenSSH's own client: nothing else here does, and nothing here sees a password.

All that is asked of a server goes over one connection, which the first client opens and leaves
behind for a while. The person's configuration, keys, agent and jump hosts hold; only what a
program between two pipes cannot use is switched off.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
from typing import TYPE_CHECKING

from modelmon.core.remote.address import server_of
from modelmon.core.remote.asking import private_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "MODELMON_SSH_COMMAND"
"""The client's command, where it is not `ssh`."""

CONNECTION_LOST = 255
"""What the client ends with when it is not the program there that failed."""
NOT_THERE = 127
"""What a shell ends with that finds no such program."""

# No other word is one letter by letter to every shell.
_PLAIN = re.compile(r"[A-Za-z0-9_=.][A-Za-z0-9_=.-]*")
# Begins what ssh puts something else in place of.
_TOKEN = "%"
_SILENT_S = 5
_SILENCES = 3
_CONNECT_S = 20
_STAYS_S = 300
_OPTIONS = {
    "ControlMaster": "auto",
    "ControlPersist": f"{_STAYS_S}",
    "ServerAliveInterval": f"{_SILENT_S}",
    "ServerAliveCountMax": f"{_SILENCES}",
    "ConnectTimeout": f"{_CONNECT_S}",
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
    """Run a command line on a server; `asks` lets ssh ask the person."""
    batch = "no" if asks else "yes"
    return [*_client(server, _OPTIONS | {"BatchMode": batch}), command]


def check_command(server: str) -> list[str]:
    """Ends with 0 where there is a connection that is shared."""
    return _client(server, {}, "-O", "check")


def _client(server: str, options: Mapping[str, str], *switches: str) -> list[str]:
    called = server_of(server)
    sockets = str(private_folder()).replace(_TOKEN, 2 * _TOKEN)
    told = {"ControlPath": f"{sockets}/%C", **options}
    words = shlex.split(os.environ.get(VARIABLE) or "ssh")
    words += [word for name, value in told.items() for word in ("-o", f"{name}={value}")]
    words += ["-l", called.user] if called.user else []
    words += ["-p", str(called.port)] if called.port else []
    return [*words, *switches, "--", called.host]


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


def packed_request(request: Mapping[str, object]) -> str:
    """Whatever is to be said to a program there, names of files among it, as one word without a
    letter that a shell reads.
    """
    return base64.urlsafe_b64encode(json.dumps(request).encode()).decode()


def unpacked_request(word: str) -> dict[str, object]:
    """What `packed_request` packed. Raises ValueError for anything else."""
    request = json.loads(base64.urlsafe_b64decode(word))
    if not isinstance(request, dict):
        raise ValueError("a request has names")  # noqa: TRY004  it came as a word
    return request

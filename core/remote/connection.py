"""A server before anything of a model is asked of it: reached, and given what measures."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from threading import Timer
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError, ModelmonError
from modelmon.core.messages import Message
from modelmon.core.remote.copy_there import (
    MAY_COPY,
    NO_PYTHON,
    copied,
    copy_line,
    look_line,
    our_kind,
    remove_line,
)
from modelmon.core.remote.near_end import copy_again, why_not
from modelmon.core.remote.sharing import turn_to_connect
from modelmon.core.remote.ssh import CONNECTION_LOST, NOT_THERE, ssh_command
from modelmon.core.terminal_safe import without_controls

if TYPE_CHECKING:
    from collections.abc import Sequence

_COPY = {each.template for each in (why_not("", NOT_THERE, "")[1], copy_again(""))}
_LOOKS_S = 120.0
"""Somebody may be typing a passphrase."""
_COPIES_S = 600.0
_MOST_BYTES = 1 << 20
_MOST_WORDS = 2_000


class NotInstalledError(ModelmonError):
    """The server has no modelmon; a copy can be made there, if the person agrees."""


def reach(server: str) -> None:
    """Open the connection to a server, and bring its copy of modelmon up to date where there was
    one; nothing for "", this machine.

    ssh may ask for a passphrase and the like. Raises LoadFailedError where the server can't be
    reached, NotInstalledError where it never had modelmon.
    """
    if not server:
        return
    # Whoever waits for the turn finds the copy there.
    with turn_to_connect(server):
        code, words = _run(server, look_line(), _LOOKS_S)
        if code == MAY_COPY:
            _copy(server)
            return
    if code:
        kind = NotInstalledError if code == NOT_THERE else LoadFailedError
        raise kind(*why_not(server, code, words))


def reach_again(server: str) -> None:
    """The same after it was lost; whoever needs it sees if that worked."""
    with contextlib.suppress(LoadFailedError, NotInstalledError):
        reach(server)


def asks_for_copy(remedy: str) -> bool:
    """Whether a remedy is to copy modelmon to the server that was asked. Which one that is only
    who asked knows: the server may have written the remedy.
    """
    return isinstance(remedy, Message) and remedy.template in _COPY


def install(server: str) -> None:
    """Copy the core to the person's cache folder there, and remove copies that weren't used for
    long. Raises LoadFailedError.
    """
    with turn_to_connect(server):
        _copy(server)


def _copy(server: str) -> None:
    code, words = _run(server, copy_line(), _COPIES_S, given=copied())
    if code == NO_PYTHON:
        raise LoadFailedError(
            Message(
                "{server} has no Python that can run modelmon: 3.11 or newer with msgspec and"
                " psutil, or {kind}.",
                server=server,
                kind=our_kind().strip("."),
            ),
            Message("Install these there: Python 3.11 or newer, msgspec, psutil."),
        )
    _must(server, code, words)


def remove(server: str) -> None:
    """Remove what was copied there, with all that was measured by it."""
    with turn_to_connect(server):
        _must(server, *_run(server, remove_line(), _LOOKS_S))


def _must(server: str, code: int, words: str) -> None:
    if code:
        said = words.rstrip(".") or Message("exit code {code}", code=code)
        raise LoadFailedError(
            Message("{server} refused: {words}.", server=server, words=said),
            Message("See whether there is room in its cache folder."),
        )


def _run(server: str, line: str, most_s: float, given: bytes = b"") -> tuple[int, str]:
    """The exit code of a command line there, and the last line that it or ssh said. Raises
    LoadFailedError where the server can't be reached.
    """
    code, words = _answer(ssh_command(server, line, asks=True), most_s, given)
    if code == CONNECTION_LOST or code < 0:
        raise LoadFailedError(*why_not(server, CONNECTION_LOST, words))
    return code, words


def _answer(command: Sequence[str], most_s: float, given: bytes) -> tuple[int, str]:
    """ssh's exit code, below 0 where it took too long or said too much, and its last line."""
    pipe = subprocess.PIPE
    with tempfile.TemporaryFile() as source:
        source.write(given)
        source.seek(0)
        try:
            ssh = subprocess.Popen(command, stdin=source, stdout=pipe, stderr=subprocess.STDOUT)
        except FileNotFoundError as error:
            raise LoadFailedError(
                Message("There's no ssh here."), Message("Install OpenSSH's client.")
            ) from error
    patience = Timer(most_s, ssh.kill)
    patience.start()
    with ssh:
        assert ssh.stdout is not None
        said = ssh.stdout.read(_MOST_BYTES)
        if len(said) == _MOST_BYTES:
            ssh.kill()
        code = ssh.wait()
    patience.cancel()
    lines = said.decode("utf-8", "replace").strip().splitlines() or [""]
    return code, without_controls(lines[-1]).strip()[:_MOST_WORDS]

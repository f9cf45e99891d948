"""A server before anything of a model is asked of it: can it be reached, and has it modelmon?"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated

import msgspec

from modelmon.core.errors import LoadFailedError, ModelmonError
from modelmon.core.messages import Message
from modelmon.core.remote.asking import PromptLock
from modelmon.core.remote.bundle import COMPILED, Python, bundle_for
from modelmon.core.remote.near_end import (
    MOST_WORDS,
    cannot_connect,
    copy_of_this,
    not_installed,
    reason,
)
from modelmon.core.remote.protocol import PROTOCOL
from modelmon.core.remote.ssh import CONNECTION_LOST, check_command, packed_request, ssh_command
from modelmon.core.remote.there import facts_line, install_line, remove_line, run_line
from modelmon.core.shown import harmless, without_controls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO

_COPY = {each.template for each in (not_installed("")[1], copy_of_this(""))}
_GREETS_S = 120.0
"""Somebody may be typing a passphrase."""
_COPIES_S = 600.0
_MOST_BYTES = 4 * 1024**2


class NotInstalledError(ModelmonError):
    """The server has no modelmon that speaks our protocol; a bundle can be copied there."""


_Word = Annotated[str, msgspec.Meta(pattern=r"\A[^\n]{0,100}\Z")]


class Hello(msgspec.Struct, frozen=True):
    """What a server's modelmon says of itself."""

    protocol: int
    version: _Word
    python: _Word
    host: _Word
    bundle: bool = False


def greet(server: str, *, asks: bool = True) -> Hello:
    """Open the connection, and learn which modelmon is there.

    `asks` lets ssh ask for a passphrase and the like. Raises LoadFailedError where the server
    cannot be reached, NotInstalledError where there is no modelmon, or one of another protocol.
    """
    done = _run(server, run_line(packed_request({"hello": True})), _GREETS_S, asks=asks)
    try:
        hello = msgspec.json.decode(done, type=Hello)
    except msgspec.DecodeError:
        raise NotInstalledError(*not_installed(server)) from None
    if hello.protocol != PROTOCOL:
        raise NotInstalledError(
            Message(
                "modelmon on {server} speaks protocol {protocol}, this program {own}.",
                server=server,
                protocol=hello.protocol,
                own=PROTOCOL,
            ),
            copy_of_this(server),
        )
    return hello


def is_open(server: str) -> bool:
    """Whether a connection is shared already; what is there was looked at when it was opened."""
    try:
        done = subprocess.run(check_command(server), capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def reach(server: str) -> None:
    """Open the connection to a server, where there is none yet; nothing for "", this machine.

    Raises what `greet` raises.
    """
    if server and not is_open(server):
        greet(server)


def reach_again(server: str) -> None:
    """The same after it was lost; whoever needs it sees if that worked."""
    with contextlib.suppress(LoadFailedError, NotInstalledError):
        greet(server)


def asks_for_copy(remedy: str) -> bool:
    """Whether a remedy is to copy modelmon to the server that was asked. Which one that is only
    who asked knows: the server may have written the remedy.
    """
    return isinstance(remedy, Message) and remedy.template in _COPY


def install(server: str) -> Hello:
    """Copy the core to the person's cache folder there, and remove copies that weren't used for
    long. Raises LoadFailedError.
    """
    told = _run(server, facts_line(COMPILED), _GREETS_S)
    try:
        python = msgspec.json.decode(told, type=Python | None)
    except msgspec.DecodeError:
        python = None
    if python is None:
        raise LoadFailedError(
            Message("{server} has no Python 3.11 or newer.", server=server),
            Message("Install python3 there."),
        )
    _run(server, install_line(), _COPIES_S, given=bundle_for(python), must=True)
    return greet(server)


def remove(server: str) -> None:
    """Remove what was copied there, with all that was measured by it."""
    _run(server, remove_line(), _GREETS_S, must=True)


def _run(  # noqa: PLR0913  each by its name
    server: str,
    line: str,
    most_s: float,
    *,
    given: bytes = b"",
    must: bool = False,
    asks: bool = True,
) -> bytes:
    """The last line that a command line there prints, what its shell says first left out; nothing
    where it fails, unless it `must` not, or says too much. Raises LoadFailedError.
    """
    with PromptLock(server, told=asks) as lock:
        command = ssh_command(server, line, asks=asks and lock.may_ask)
        code, said, words = _answer(server, command, most_s, given)
        lock.end(words if code == CONNECTION_LOST else "")
    if code == CONNECTION_LOST:
        raise LoadFailedError(*cannot_connect(server, words))
    if code and must:
        raise LoadFailedError(
            Message("{server} refused: {words}.", server=server, words=reason(words, code)),
            Message("See whether there is room in its cache folder."),
        )
    return harmless(said[-1]) if said and not code else b""


def _answer(
    server: str, command: Sequence[str], most_s: float, given: bytes
) -> tuple[int, list[bytes], str]:
    """ssh's exit code, the lines that were printed, and the last of its words beside them."""
    with tempfile.TemporaryFile() as source:
        source.write(given)
        source.seek(0)
        try:
            ssh = subprocess.Popen(
                command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except FileNotFoundError as error:
            raise LoadFailedError(
                Message("There's no ssh here."), Message("Install OpenSSH's client.")
            ) from error
    with ssh, ThreadPoolExecutor() as pool:
        printed, complained = (
            pool.submit(_bounded, stream, ssh) for stream in (ssh.stdout, ssh.stderr)
        )
        try:
            code = ssh.wait(most_s)
        except subprocess.TimeoutExpired as error:
            raise LoadFailedError(*cannot_connect(server, "")) from error
        finally:
            ssh.kill()
    words = b"\n".join(complained.result()).decode("utf-8", "replace").strip().splitlines()
    last = without_controls(words[-1]).strip()[:MOST_WORDS] if words else ""
    return code, printed.result(), last


def _bounded(stream: IO[bytes] | None, ssh: subprocess.Popen[bytes]) -> list[bytes]:
    """The lines of what is said; who says more than anybody would is ended."""
    assert stream is not None
    said = stream.read(_MOST_BYTES)
    if stream.read(1):
        ssh.kill()
    return said.strip().splitlines()

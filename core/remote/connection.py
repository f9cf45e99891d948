"""Connects to a server, and copies modelmon there where it is missing.

A copy is a folder there named by a digest of what is in it: the core, what it needs, and what makes
an environment of a Python there of that (`prepare.py`). Scripts have no letter that another shell
would read in single quotes, and write nothing outside the person's cache folder there.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import io
import platform
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

import modelmon
from modelmon.core.errors import LoadFailedError, ModelmonError
from modelmon.core.messages import Message
from modelmon.core.remote.prepare import COMPILED
from modelmon.core.remote.ssh import CONNECTION_LOST, NOT_THERE, shell_line, ssh_command
from modelmon.core.terminal_safe import without_controls

if TYPE_CHECKING:
    from collections.abc import Iterator

MAY_COPY = 3
"""What looking ends with where a person has agreed to modelmon before, but this one isn't there."""
NO_PYTHON = 4
"""What copying ends with where no Python there can run it."""
_PURE = ("click", "rich", "platformdirs", "tomlkit", "pygments", "markdown_it", "mdurl", "yaml")
_LEFT_OUT = frozenset({"__pycache__", "tests", "cli-tests"})
_SUFFIXES = frozenset({".py", ".so", ".typed", ".json", ".txt", ".toml"})
_GZIP = 1
_FOLDER = 'r="${XDG_CACHE_HOME:-$HOME/.cache}/modelmon/remote"; d="$r/$1"'
# Where programs of one person usually are, and no shell that nobody logs into looks.
_USUAL = 'PATH="$PATH:$HOME/.local/bin:/usr/local/bin"'

RUN = (
    f'{_FOLDER}; [ -e "$d/bin/python3" ] || exit {NOT_THERE};'
    ' exec "$d/bin/python3" -P -m modelmon.core.remote.ends far "$2"'
)
"""Starts the far end of what the second word asks for."""
LOOK = (
    f'{_FOLDER}; [ -e "$d/bin/python3" ] && exit 0; [ -d "$r" ] && exit {MAY_COPY};'
    f" {_USUAL}; command -v modelmon >/dev/null && exit {MAY_COPY}; exit {NOT_THERE}"
)
"""Ends with 0 where this version's copy is there, MAY_COPY or NOT_THERE where it isn't."""
# Each start of a copy gives its folder a new time.
_REMOVE_OLD = (
    'find "$r" -mindepth 1 -maxdepth 1 -name "[0-9n]*" -mtime +7 -exec rm -rf {} + 2>/dev/null'
)
# The Python of a modelmon that is installed there comes first, for what else is installed with it.
COPY = (
    f'umask 077; {_FOLDER}; mkdir -p "$r"; n=$(mktemp -d "$r/new.XXXXXX") || exit 1; {_USUAL};'
    ' m=$(command -v modelmon) && m=$(head -n 1 "$m" | cut -c 3-);'
    ' case "$m" in /*/python*) ;; *) m=python3 ;; esac; e=1;'
    f' if tar -xzf - -C "$n"; then e={NO_PYTHON};'
    ' for p in "$m" python3 python3.14 python3.13 python3.12 python3.11; do'
    ' if "$p" -P "$n/packages/modelmon/core/remote/prepare.py" "$2" >/dev/null 2>&1; then'
    f' e=1; rm -rf "$d"; mv "$n" "$d" || break; {_REMOVE_OLD}; exit 0; fi;'
    ' done; fi; rm -rf "$n"; exit $e'
)
"""Unpacks the copy that comes over standard input; those that were not used for a week go."""
REMOVE = f'{_FOLDER}; rm -rf "$r"'
"""Removes all that was ever copied there, and what was measured with it."""


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


_ASKS_FOR_COPY = {each.template for each in (why_not("", NOT_THERE, "")[1], copy_again(""))}
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
    code, words = _run(server, script_line(LOOK), _LOOKS_S)
    if code == MAY_COPY:
        install(server)
    elif code:
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
    return isinstance(remedy, Message) and remedy.template in _ASKS_FOR_COPY


def install(server: str) -> None:
    """Copy the core to the person's cache folder there, and remove copies that weren't used for
    long. Raises LoadFailedError.
    """
    code, words = _run(server, script_line(COPY, our_kind()), _COPIES_S, given=copied())
    if code == NO_PYTHON:
        python = ".".join(platform.python_version_tuple()[:2])
        raise LoadFailedError(
            Message(
                "{server} has no Python that can run modelmon: 3.11 or newer with msgspec and"
                " psutil, or {kind}.",
                server=server,
                kind=f"Python {python} on {platform.system()} {platform.machine()}",
            ),
            Message("Install these there: Python 3.11 or newer, msgspec, psutil."),
        )
    _must(server, code, words)


def remove(server: str) -> None:
    """Remove what was copied there, with all that was measured by it."""
    _must(server, *_run(server, script_line(REMOVE), _LOOKS_S))


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
    pipe = subprocess.PIPE
    command = ssh_command(server, line, asks=True)
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
        try:
            said = ssh.stdout.read(_MOST_BYTES)
            if len(said) == _MOST_BYTES:
                ssh.kill()
            code = ssh.wait()
        finally:
            patience.cancel()
            ssh.kill()
    lines = said.decode("utf-8", "replace").strip().splitlines() or [""]
    words = without_controls(lines[-1]).strip()[:_MOST_WORDS]
    # Below 0 it was killed: it took too long or said too much.
    if code == CONNECTION_LOST or code < 0:
        raise LoadFailedError(*why_not(server, CONNECTION_LOST, words))
    return code, words


def script_line(script: str, *words: str) -> str:
    """The command line that runs one of the scripts above for this version's copy."""
    return shell_line(script, copy_name(), *words)


def our_kind() -> str:
    """The tag of compiled modules, which names Python's version, the processor and the system."""
    return str(sysconfig.get_config_var("EXT_SUFFIX"))


@functools.cache
def copy_name() -> str:
    """What the folder is called: another one whenever the core is."""
    digest = hashlib.sha256()
    for name, path in _sources():
        digest.update(name.encode())
        digest.update(path.read_bytes())
    return f"{modelmon.__version__}-{digest.hexdigest()[:12]}"


def copied() -> bytes:
    """The folder's content as a compressed tar file."""
    import tarfile  # noqa: PLC0415  what runs there starts sooner without it

    files = [(f"packages/{name}", path) for name, path in _sources()]
    for folder, names in (("packages", _PURE), ("compiled", COMPILED)):
        for name in names:
            found = importlib.util.find_spec(name)
            if found is not None and found.origin is not None:
                files += _files_below(Path(found.origin).parent, f"{folder}/{name}")
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz", compresslevel=_GZIP) as packed:
        for name, path in files:
            content = path.read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o600
            packed.addfile(entry, io.BytesIO(content))
    return target.getvalue()


def _sources() -> Iterator[tuple[str, Path]]:
    """The core's files by their names in the package."""
    root = Path(modelmon.__file__).parent
    for name in ("__init__.py", "__main__.py"):
        yield f"modelmon/{name}", root / name
    yield from _files_below(root / "core", "modelmon/core")


def _files_below(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """What a package needs to run, by `name` and the path below it."""
    for path in sorted(folder.rglob("*")):
        below = path.relative_to(folder)
        if path.suffix in _SUFFIXES and _LEFT_OUT.isdisjoint(below.parts) and path.is_file():
            yield f"{name}/{below.as_posix()}", path

"""What is copied to a server, and the shell scripts that copy, find, start and remove it there.

A copy is a folder named by a digest of what is in it: the core, what it needs, and what makes an
environment of a Python there of that (`prepare.py`). Scripts have no letter that another shell
would read in single quotes, and write nothing outside the person's cache folder there.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import io
import sysconfig
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import modelmon
from modelmon.core.remote.prepare import COMPILED
from modelmon.core.remote.ssh import NOT_THERE, shell_line

if TYPE_CHECKING:
    from collections.abc import Iterator

MAY_COPY = 3
"""What looking ends with where a person has agreed to modelmon before, but this one isn't there."""
NO_PYTHON = 4
"""What copying ends with where no Python there can run it."""
_PURE = ("click", "rich", "platformdirs", "tomlkit", "pygments", "markdown_it", "mdurl")
_LEFT_OUT = frozenset({"__pycache__", "tests", "cli-tests"})
_SUFFIXES = frozenset({".py", ".so", ".typed", ".json", ".txt", ".toml"})
_GZIP = 1
_FOLDER = 'r="${XDG_CACHE_HOME:-$HOME/.cache}/modelmon/remote"; d="$r/$1"'
# Where programs of one person usually are, and no shell that nobody logs into looks.
_USUAL = 'PATH="$PATH:$HOME/.local/bin:/usr/local/bin"'

_RUN = (
    f'{_FOLDER}; [ -e "$d/bin/python3" ] || exit {NOT_THERE};'
    ' exec "$d/bin/python3" -P -m modelmon.core.remote.far_end "$2"'
)
_LOOK = (
    f'{_FOLDER}; [ -e "$d/bin/python3" ] && exit 0; [ -d "$r" ] && exit {MAY_COPY};'
    f" {_USUAL}; command -v modelmon >/dev/null && exit {MAY_COPY}; exit {NOT_THERE}"
)
# Each start of a copy gives its folder a new time.
_REMOVE_OLD = (
    'find "$r" -mindepth 1 -maxdepth 1 -name "[0-9n]*" -mtime +7 -exec rm -rf {} + 2>/dev/null'
)
# The Python of a modelmon that is installed there comes first, for what else is installed with it.
_COPY = (
    f'umask 077; {_FOLDER}; mkdir -p "$r"; n=$(mktemp -d "$r/new.XXXXXX") || exit 1; {_USUAL};'
    ' m=$(command -v modelmon) && m=$(head -n 1 "$m" | cut -c 3-);'
    ' case "$m" in /*/python*) ;; *) m=python3 ;; esac; e=1;'
    f' if tar -xzf - -C "$n"; then e={NO_PYTHON};'
    ' for p in "$m" python3 python3.14 python3.13 python3.12 python3.11; do'
    ' if "$p" -P "$n/packages/modelmon/core/remote/prepare.py" "$2" >/dev/null 2>&1; then'
    f' e=1; rm -rf "$d"; mv "$n" "$d" || break; {_REMOVE_OLD}; exit 0; fi;'
    ' done; fi; rm -rf "$n"; exit $e'
)


def run_line(request: str) -> str:
    """Start the far end of this version's copy."""
    return shell_line(_RUN, copy_name(), request)


def look_line() -> str:
    """Ends with 0 where this version's copy is there, MAY_COPY or NOT_THERE where it isn't."""
    return shell_line(_LOOK, copy_name())


def copy_line() -> str:
    """Unpack the copy that comes over standard input; those that were not used for a week go."""
    return shell_line(_COPY, copy_name(), our_kind())


def remove_line() -> str:
    """Remove all that was ever copied there, and what was measured with it."""
    return shell_line(f'{_FOLDER}; rm -rf "$r"', copy_name())


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
    files = [(f"packages/{name}", path) for name, path in _sources()]
    for folder, names in (("packages", _PURE), ("compiled", COMPILED)):
        files += ((f"{folder}/{name}", path) for each in names for name, path in _package(each))
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


def _package(name: str) -> Iterator[tuple[str, Path]]:
    found = importlib.util.find_spec(name)
    if found is not None and found.origin is not None:
        yield from _files_below(Path(found.origin).parent, name)


def _files_below(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """What a package needs to run, by `name` and the path below it."""
    for path in sorted(folder.rglob("*")):
        below = path.relative_to(folder)
        if path.suffix in _SUFFIXES and _LEFT_OUT.isdisjoint(below.parts) and path.is_file():
            yield f"{name}/{below.as_posix()}", path

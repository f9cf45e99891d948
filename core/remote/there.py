"""What runs on a server before a program of modelmon does: is it there, and which?

Scripts of a shell, with no letter that another shell would read in single quotes. They write
nothing outside the person's cache folder there.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import modelmon
from modelmon.core.remote.ssh import NOT_THERE, shell_line

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEFT_OUT = frozenset({"__pycache__", "tests", "cli-tests"})
_SUFFIXES = frozenset({".py", ".so", ".typed", ".json", ".txt", ".toml"})
_FOLDER = "${XDG_CACHE_HOME:-$HOME/.cache}/modelmon/remote"
_FAR_END = "-P -m modelmon.core.remote.far_end"
# Where programs of one person usually are, and no shell that nobody logs into looks.
_USUAL = 'PATH="$PATH:$HOME/.local/bin:/usr/local/bin"'

_RUN = (
    f'd="{_FOLDER}/$2"; if [ -e "$d/bin/python3" ]; then exec "$d/bin/python3" {_FAR_END} "$1"; fi;'
    f" {_USUAL}; command -v modelmon >/dev/null || exit {NOT_THERE};"
    ' exec modelmon remote serve "$1"'
)
_FACTS = (
    "echo; for p in python3 python3.14 python3.13 python3.12 python3.11; do"
    ' command -v "$p" >/dev/null 2>&1 || continue;'
    ' "$p" -c "'
    "import importlib.util as u, json, os, sys, sysconfig as s;"
    " sys.exit(1) if sys.version_info < (3, 11) else print(json.dumps(dict("
    "path=os.path.realpath(sys.executable), version=sys.version_info[:2],"
    " abi=str(s.get_config_var(sys.argv[1])), has=[m for m in sys.argv[2:] if u.find_spec(m)])))"
    '" "$@" && exit; done; echo null'
)
# Each start of a copy gives its folder a new time.
_REMOVE_OLD = (
    'find "$r" -mindepth 1 -maxdepth 1 -name "[0-9n]*" -mtime +7 -exec rm -rf {} + 2>/dev/null'
)
_INSTALL = (
    f'umask 077; r="{_FOLDER}"; d="$r/$1"; mkdir -p "$r"; p=$(mktemp -d "$r/new.XXXXXX") || exit 1;'
    f' if tar -xzf - -C "$p" && rm -rf "$d" && mv "$p" "$d"; then {_REMOVE_OLD}; exit 0; fi;'
    ' rm -rf "$p"; exit 1'
)
_REMOVE = f'rm -rf "{_FOLDER}"'


def run_line(request: str) -> str:
    """Start the far end: that of the bundle, if one like this is there, else the installed one."""
    return shell_line(_RUN, request, bundle_name())


def facts_line(modules: tuple[str, ...]) -> str:
    """Print which Python is there, as JSON, and which of the modules it has."""
    return shell_line(_FACTS, "EXT_SUFFIX", *modules)


def install_line() -> str:
    """Unpack the bundle that comes over standard input; those that were not used for a week go."""
    return shell_line(_INSTALL, bundle_name())


def remove_line() -> str:
    """Remove all that was ever copied there, and what was measured with it."""
    return shell_line(_REMOVE)


@functools.cache
def bundle_name() -> str:
    """What the folder is called: another one whenever anything in it is."""
    digest = hashlib.sha256()
    for name, path in sources():
        digest.update(name.encode())
        digest.update(path.read_bytes())
    return f"{modelmon.__version__}-{digest.hexdigest()[:12]}"


def sources() -> Iterator[tuple[str, Path]]:
    """The core's files by their names in the package."""
    root = Path(modelmon.__file__).parent
    for name in ("__init__.py", "__main__.py"):
        yield f"modelmon/{name}", root / name
    yield from files_below(root / "core", "modelmon/core")


def files_below(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """What a package needs to run, by `name` and the path below it."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name not in _LEFT_OUT:
                yield from files_below(path, f"{name}/{path.name}")
        elif path.suffix in _SUFFIXES:
            yield f"{name}/{path.name}", path

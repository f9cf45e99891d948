"""What is copied to a server that has no modelmon: one folder, an interpreter's environment.

`bin/python3` is a link to a Python there, and beside it lie the core and what it needs. What is
compiled is taken from here where that Python is of the same version and platform; else it has to be
installed there.
"""

from __future__ import annotations

import importlib.util
import io
import re
import shlex
import sysconfig
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message
from modelmon.core.remote.there import files_below, sources

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPILED = ("msgspec", "psutil")
_PURE = ("click", "rich", "platformdirs", "tomlkit", "pygments", "markdown_it", "mdurl")
_GZIP = 1
_ABI = re.compile(r"[A-Za-z0-9_.-]*")


class Python(msgspec.Struct, frozen=True):
    """A Python on a server: where, which, and what it has of what is compiled."""

    path: str
    version: tuple[int, int]
    abi: str
    has: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError for what no Python says of itself: it goes into what people copy."""
        is_path = self.path.startswith("/") and self.path.isprintable()
        if not is_path or not _ABI.fullmatch(self.abi):
            raise ValueError("this is no Python")

    @property
    def missing(self) -> tuple[str, ...]:
        """What has to be installed there before a bundle runs."""
        return tuple(each for each in COMPILED if not self.is_like_ours and each not in self.has)

    @property
    def is_like_ours(self) -> bool:
        """Whether what is compiled for the Python here runs there."""
        return self.abi == our_abi()


def our_abi() -> str:
    """The tag of compiled modules, which names Python's version, the processor and the system."""
    return str(sysconfig.get_config_var("EXT_SUFFIX") or "")


def bundle_for(python: Python) -> bytes:
    """The folder's content as a compressed tar file.

    Raises LoadFailedError where the Python there cannot run it.
    """
    if python.missing:
        raise _cannot_run(python)
    target = io.BytesIO()
    own = "false" if python.is_like_ours else "true"
    home = str(Path(python.path).parent)
    settings = f"home = {home}\ninclude-system-site-packages = {own}\n"
    packages = f"lib/python{python.version[0]}.{python.version[1]}/site-packages"
    with tarfile.open(fileobj=target, mode="w:gz", compresslevel=_GZIP) as bundle:
        _add(bundle, "pyvenv.cfg", settings.encode())
        _add(bundle, "bundle", b"")
        _link(bundle, "bin/python3", python.path)
        names = (*_PURE, *(COMPILED if python.is_like_ours else ()))
        for name, path in (*sources(), *(file for each in names for file in _package(each))):
            _add(bundle, f"{packages}/{name}", path.read_bytes())
    return target.getvalue()


def _cannot_run(python: Python) -> LoadFailedError:
    return LoadFailedError(
        Message(
            "Its Python {version} ({kind}) is of another kind than this one ({own}), and it lacks"
            " {missing}.",
            version=".".join(map(str, python.version)),
            kind=python.abi.strip("."),
            own=our_abi().strip("."),
            missing=" and ".join(python.missing),
        ),
        Message(
            "Install modelmon there, or these: {python} -m pip install {missing}",
            python=shlex.quote(python.path),
            missing=" ".join(python.missing),
        ),
    )


def _package(name: str) -> Iterator[tuple[str, Path]]:
    """The files of an installed package."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        return
    yield from files_below(Path(found.origin).parent, name)


def _add(bundle: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    bundle.addfile(entry, io.BytesIO(content))


def _link(bundle: tarfile.TarFile, name: str, target: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = tarfile.SYMTYPE, target
    bundle.addfile(entry)

"""What is copied to a server that has no modelmon: one folder, an interpreter's environment.

`bin/python3` is a link to a Python there, and beside it lie the core and what it needs. What is
compiled is taken from here where that Python is of the same version and platform; else it has to be
installed there.
"""

from __future__ import annotations

import importlib.util
import io
import sys
import sysconfig
import tarfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message
from modelmon.core.remote.sources import files_below, sources

if TYPE_CHECKING:
    from collections.abc import Iterator

OLDEST = (3, 11)
COMPILED = ("msgspec", "psutil")
_PURE = ("click", "rich", "platformdirs", "tomlkit", "pygments", "markdown_it", "mdurl")
_GZIP = 1


class Python(msgspec.Struct, frozen=True):
    """A Python on a server: where, which, and what it has of what is compiled."""

    path: str
    version: tuple[int, int]
    abi: str
    has: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """What has to be installed there before a bundle runs."""
        return () if self.is_like_ours else tuple(set(COMPILED) - set(self.has))

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
        raise LoadFailedError(
            Message(
                "Its Python {version} is of another kind than this one ({here}), and it lacks"
                " {missing}.",
                version=".".join(map(str, python.version)),
                here=f"{sys.version_info.major}.{sys.version_info.minor}",
                missing=" and ".join(sorted(python.missing)),
            ),
            Message(
                "Install modelmon or these there: {python} -m pip install {missing}",
                python=python.path,
                missing=" ".join(sorted(python.missing)),
            ),
        )
    target = io.BytesIO()
    own = "true" if not python.is_like_ours else "false"
    home = str(Path(python.path).parent)
    settings = f"home = {home}\ninclude-system-site-packages = {own}\n"
    packages = f"lib/python{python.version[0]}.{python.version[1]}/site-packages"
    with tarfile.open(fileobj=target, mode="w:gz", compresslevel=_GZIP) as bundle:
        _add(bundle, "pyvenv.cfg", settings.encode())
        _add(bundle, "bundle", b"")
        _link(bundle, "bin/python3", python.path)
        names = (*_PURE, *(COMPILED if python.is_like_ours else ()))
        for name, path in (*sources(), *(found for each in names for found in _package(each))):
            _add(bundle, f"{packages}/{name}", path.read_bytes())
    return target.getvalue()


def _package(name: str) -> Iterator[tuple[str, Path]]:
    """The files of an installed package, and those that its version is told by."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        return
    origin = Path(found.origin)
    if origin.name != "__init__.py":
        yield origin.name, origin
        return
    yield from files_below(origin.parent, name)
    distribution = next(iter(metadata.packages_distributions().get(name, ())), name)
    told = metadata.distribution(distribution)
    for file in told.files or ():
        if file.name == "METADATA":
            yield str(file), Path(str(told.locate_file(file)))


def _add(bundle: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    bundle.addfile(entry, io.BytesIO(content))


def _link(bundle: tarfile.TarFile, name: str, target: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = tarfile.SYMTYPE, target
    bundle.addfile(entry)

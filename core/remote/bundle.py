"""What is copied to a server that has no modelmon: one folder, an interpreter's environment.

`bin/python3` is a link to a Python there, and beside it lie the core and what it needs. What is
compiled is taken from here where that Python is of the same version and platform; else from wheels
that were fetched for it, or it has to be installed there.
"""

from __future__ import annotations

import functools
import importlib.util
import io
import re
import shlex
import sysconfig
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message
from modelmon.core.remote.sources import files_below, sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

COMPILED = ("msgspec", "psutil")
_PURE = ("click", "rich", "platformdirs", "tomlkit", "pygments", "markdown_it", "mdurl")
_ABI_OF_ALL = "abi3"
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
        return () if self.is_like_ours else tuple(set(COMPILED) - set(self.has))

    @property
    def processor(self) -> str:
        """What it was built for: `x86_64` of `.cpython-311-x86_64-linux-gnu.so`."""
        parts = self.abi.split("-")
        return parts[2] if len(parts) > 2 else ""

    @property
    def is_like_ours(self) -> bool:
        """Whether what is compiled for the Python here runs there."""
        return self.abi == our_abi()


def our_abi() -> str:
    """The tag of compiled modules, which names Python's version, the processor and the system."""
    return str(sysconfig.get_config_var("EXT_SUFFIX") or "")


def bundle_for(python: Python, wheels: Path | None = None) -> bytes:
    """The folder's content as a compressed tar file; `wheels` is a folder of such for a Python of
    another kind.

    Raises LoadFailedError where the Python there cannot run it.
    """
    found = [(name, _wheel_of(name, python, wheels)) for name in sorted(python.missing)]
    if lacking := [name for name, wheel in found if wheel is None]:
        raise _cannot_run(python, lacking)
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
        for name, path in (*sources(), *(file for each in names for file in _package(each))):
            _add(bundle, f"{packages}/{name}", path.read_bytes())
        for _, wheel in found:
            assert wheel is not None
            for name, content in _files_in(wheel):
                _add(bundle, f"{packages}/{name}", content)
    return target.getvalue()


def _cannot_run(python: Python, lacking: Sequence[str]) -> LoadFailedError:
    version, names = ".".join(map(str, python.version)), " ".join(lacking)
    return LoadFailedError(
        Message(
            "Its Python {version} ({kind}) is of another kind than this one ({own}), and it lacks"
            " {missing}.",
            version=version,
            kind=python.abi.strip("."),
            own=our_abi().strip("."),
            missing=" and ".join(lacking),
        ),
        Message(
            "Install modelmon or these there: {python} -m pip install {missing}. Or here: pip"
            " download --only-binary :all: --platform manylinux2014_{processor} --python-version"
            " {version} -d WHEELS {missing}, then modelmon remote install HOST --wheels WHEELS",
            python=shlex.quote(python.path),
            missing=names,
            processor=shlex.quote(python.processor),
            version=version,
        ),
    )


def _wheel_of(name: str, python: Python, folder: Path | None) -> Path | None:
    """The wheel of a package that this Python can use (PEP 425, 600, 656)."""
    for path in sorted(folder.glob(f"{name}-*.whl")) if folder is not None else ():
        version, abi, platform = path.stem.split("-")[-3:]
        exact = f"cp{python.version[0]}{python.version[1]}"
        fits = exact in version.split(".") or abi == _ABI_OF_ALL
        libc = "musllinux" if "musl" in python.abi else "manylinux"
        if fits and libc in platform and platform.endswith(python.processor):
            return path
    return None


def _files_in(wheel: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(wheel) as packed:
        for entry in packed.infolist():
            parts = PurePosixPath(entry.filename).parts
            if not entry.is_dir() and ".." not in parts and not entry.filename.startswith("/"):
                yield entry.filename, packed.read(entry)


def _package(name: str) -> Iterator[tuple[str, Path]]:
    """The files of an installed package, and those that its version is told by."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        return
    yield from files_below(Path(found.origin).parent, name)
    told = metadata.distribution(_distributions()[name][0])
    for file in told.files or ():
        if file.name == "METADATA":
            yield str(file), Path(str(told.locate_file(file)))


@functools.cache
def _distributions() -> Mapping[str, Sequence[str]]:
    return metadata.packages_distributions()


def _add(bundle: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    bundle.addfile(entry, io.BytesIO(content))


def _link(bundle: tarfile.TarFile, name: str, target: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = tarfile.SYMTYPE, target
    bundle.addfile(entry)

"""The files that the core consists of, and the name of a bundle of them."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import modelmon

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEFT_OUT = frozenset({"__pycache__", "tests", "cli-tests"})
_SUFFIXES = frozenset({".py", ".so", ".typed", ".json", ".txt", ".toml"})


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

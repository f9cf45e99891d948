"""Which Python has a package, and what the package's sources say; nothing of it is imported."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message
from modelmon.core.programs.executable import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_SOURCE_BYTES = 1 << 20
_ASKED = "import json, sys; print(json.dumps([sys.executable, sys.path]))"
_asking = threading.Lock()


class PythonEnvironment(NamedTuple):
    """A Python, and the folders in which it looks for packages."""

    path: str
    folders: tuple[str, ...]

    def version(self, distribution: str) -> str:
        """The version of an installed distribution; empty where it is not installed."""
        from importlib import metadata  # noqa: PLC0415  every worker would import it, for this alone

        found = metadata.distributions(name=distribution, path=list(self.folders))
        return next((each.version for each in found), "")

    def has(self, distributions: Sequence[str]) -> frozenset[str]:
        """Those that are installed."""
        return frozenset(each for each in distributions if self.version(each))

    def source(self, *names: str) -> str:
        """The text of source files, as `package/module.py`; without those that are not there."""
        texts = []
        for name in names:
            for folder in self.folders:
                file = Path(folder, name)
                if file.is_file():
                    texts.append(file.read_bytes()[:_MOST_SOURCE_BYTES].decode(errors="replace"))
                    break
        return "\n".join(texts)


def pythons(at: Path | None = None) -> list[PythonEnvironment]:
    """The Python that is meant by `at`; else that of the environment in use, and modelmon's own.

    Raises ConfigError where `at` is none; others that do not answer are left out.
    """
    if at is not None:
        return [_asked(shutil.which(str(at)) or str(at))]
    environment = os.environ.get("VIRTUAL_ENV") or os.environ.get("CONDA_PREFIX")
    of_environment = shutil.which("python", path=f"{environment}/bin") if environment else None
    on_path = shutil.which("python3") or shutil.which("python")
    found: dict[str, PythonEnvironment] = {}
    for path in filter(None, (of_environment, on_path, sys.executable)):
        with suppress(ConfigError):
            each = _asked(path)
            found.setdefault(each.path, each)
    return list(found.values())


def _asked(path: str) -> PythonEnvironment:
    with _asking:  # a list of engines looks for all of them at once
        return _answer_of(path)


@cache
def _answer_of(path: str) -> PythonEnvironment:
    """As it says itself: what is on PATH may be a script that leads to one of several."""
    try:
        line = answer(path, "-c", _ASKED).splitlines()[-1]
        executable, folders = msgspec.json.decode(line, type=tuple[str, tuple[str | None, ...]])
    except (ConfigError, IndexError, msgspec.DecodeError) as error:
        raise ConfigError(
            Message("{path} doesn't answer as a Python.", path=path),
            Message("Give the Python that has the packages, such as .venv/bin/python."),
        ) from error
    return PythonEnvironment(executable, tuple(filter(None, folders)))

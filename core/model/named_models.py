"""Which model a program is about, where nobody says: by its command, and the files that it has open
or mapped. What a file is, its first bytes show: programs have blobs open, which have no endings.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from modelmon.core.errors import ConfigError, ModelFileError
from modelmon.core.messages import Message
from modelmon.core.model.header import HeaderFile, looks_like_gguf
from modelmon.core.model.hub_folders import snapshot_file
from modelmon.core.model.open import is_called_by_digest, open_model
from modelmon.core.model.safetensors import looks_like_safetensors
from modelmon.core.model.sharded import is_of_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NO_FILES = ("/dev/", "/proc/", "/sys/", "/memfd:", "/anon_hugepage", "/SYSV")
"""What has such a path holds no file of a disk."""
_MOST_SHOWN = 5


def models_named_by(command: Sequence[str], folder: Path) -> list[Path]:
    """The models among the words of a command that runs in `folder`."""
    return models_of(_named(command, folder))


def model_used_by(pid: int) -> Path:
    """The same of a process that runs and those below it, by their files as well."""
    if not psutil.pid_exists(pid):
        raise ConfigError(Message("There's no process {pid}.", pid=pid))
    found: list[Path] = []
    with contextlib.suppress(psutil.Error):  # whoever watches it says what is wrong with it
        process = psutil.Process(pid)
        for each in (process, *process.children(recursive=True)):
            found += _named(each.cmdline(), Path(each.cwd()))
            found += filter(looks_like_model, files_used_by(each.pid))
    return the_one(models_of(found))


def _named(words: Iterable[str], folder: Path) -> Iterator[Path]:
    for word in words:
        _, _, value = word.partition("=")
        for text in filter(None, (word, value)):
            path = folder / text
            with contextlib.suppress(OSError, ValueError):  # no path at all
                if path.is_dir() or looks_like_model(path):
                    yield path


def looks_like_model(path: Path) -> bool:
    """Whether a regular file begins as a model does, or is an index; anything else isn't opened."""
    if path.suffix == ".json":
        return is_of_model(path.name) and path.is_file()
    try:
        with HeaderFile(path) as file:
            return looks_like_gguf(file) or looks_like_safetensors(file)
    except ModelFileError:
        return False


def files_used_by(pid: int) -> Iterator[Path]:
    """The files that a process has open or mapped, as often as it has; none of them is touched for
    it. Linux only.
    """
    process = Path("/proc", str(pid))
    with contextlib.suppress(OSError):  # another user's, or it has just ended
        for link in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                yield from _file(os.readlink(link))  # noqa: PTH115  a socket is no path
        for line in (process / "maps").read_text(errors="surrogateescape").splitlines():
            yield from _file(line.split(maxsplit=5)[-1])


def model_files_of(pid: int) -> Iterator[Path]:
    """Those of them that are called like a model's file, or like a blob of a cache."""
    for path in files_used_by(pid):
        if is_of_model(path.name) or is_called_by_digest(path.name):
            yield path


def _file(text: str) -> Iterator[Path]:
    if text.startswith("/") and not text.startswith(_NO_FILES):
        yield Path(text)


def models_of(paths: Iterable[Path]) -> list[Path]:
    """The models that files belong to, each once: a set of shards is one, whichever is named."""
    models: dict[tuple[str, ...], Path] = {}
    for path in dict.fromkeys(paths):
        named = snapshot_file(path) or path
        with contextlib.suppress(ModelFileError):
            files = tuple(map(os.path.realpath, open_model(named).files))
            models.setdefault(files, named)
    return list(models.values())


def the_one(models: Sequence[Path]) -> Path:
    """The only one of the models that a program has; raises ConfigError for none and several."""
    if not models:
        raise ConfigError(
            Message("Which model the program loads can't be seen."),
            Message("Name it: modelmon watch MODEL -- COMMAND."),
        )
    if len(models) > 1:
        shown = ", ".join(map(str, models[:_MOST_SHOWN]))
        raise ConfigError(
            Message("The program has {count} models: {models}.", count=len(models), models=shown),
            Message("Name the one to watch: modelmon watch MODEL -- COMMAND."),
        )
    return models[0]

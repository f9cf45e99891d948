"""Which model a program is about, where nobody says: by its command, and the files that it has open
or mapped.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from modelmon.core.errors import ConfigError, ModelFileError
from modelmon.core.messages import Message
from modelmon.core.model.open import open_model
from modelmon.core.model.sharded import is_of_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MOST_SHOWN = 5


def model_named_by(command: Sequence[str], folder: Path) -> Path:
    """The one model among the words of a command that runs in `folder`.

    Raises ConfigError where there is none, or more than one.
    """
    return _the_one(_named(command, folder))


def model_used_by(pid: int) -> Path:
    """The same of a process that runs and those below it, by their files as well."""
    if not psutil.pid_exists(pid):
        raise ConfigError(Message("There's no process {pid}.", pid=pid))
    found: list[Path] = []
    with contextlib.suppress(psutil.Error):  # whoever watches it says what is wrong with it
        process = psutil.Process(pid)
        for each in (process, *process.children(recursive=True)):
            found += _named(each.cmdline(), Path(each.cwd()))
            found += model_files_of(each.pid)
    return _the_one(found)


def _named(words: Iterable[str], folder: Path) -> Iterator[Path]:
    for word in words:
        _, _, value = word.partition("=")
        for text in filter(None, (word, value)):
            path = folder / text
            with contextlib.suppress(OSError, ValueError):  # no path at all
                if path.is_dir() or (is_of_model(path.name) and path.is_file()):
                    yield path


def model_files_of(pid: int) -> Iterator[Path]:
    """What a process has open or mapped that is called like a model's file, as often as it has;
    none of them is touched for it. Linux only.
    """
    process = Path("/proc", str(pid))
    with contextlib.suppress(OSError):  # another user's, or it has just ended
        for link in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                yield from _by_ending(os.readlink(link))  # noqa: PTH115  a socket is no path
        for line in (process / "maps").read_text(errors="surrogateescape").splitlines():
            yield from _by_ending(line.split(maxsplit=5)[-1])


def _by_ending(text: str) -> Iterator[Path]:
    if text.startswith("/") and is_of_model(text.rpartition("/")[2]):
        yield Path(text)


def _the_one(paths: Iterable[Path]) -> Path:
    """A set of shards is one model, whichever of its files is named."""
    models: dict[tuple[Path, ...], Path] = {}
    for path in dict.fromkeys(paths):
        with contextlib.suppress(ModelFileError):
            models.setdefault(tuple(open_model(path).files), path)
    if not models:
        raise ConfigError(
            Message("Which model the program loads can't be seen."),
            Message("Name it: modelmon watch MODEL -- COMMAND."),
        )
    if len(models) > 1:
        shown = ", ".join(map(str, list(models.values())[:_MOST_SHOWN]))
        raise ConfigError(
            Message("The program has {count} models: {models}.", count=len(models), models=shown),
            Message("Name the one to watch: modelmon watch MODEL -- COMMAND."),
        )
    return next(iter(models.values()))

"""Fills the page cache with a model: for `warm`, and next to the program of `launch`."""

from __future__ import annotations

import os
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import click

from modelmon.core.errors import ModelmonError
from modelmon.core.load.config import preset
from modelmon.core.load.warming import Warming
from modelmon.core.machine.file_users import reads_directly
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.processes import descendants
from modelmon.core.machine.storage import storage_of
from modelmon.core.model.open import open_model
from modelmon.core.probe.store import recent_probe
from modelmon.core.terminal_safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.model.tensors import Model

_LOOK_S = 0.5


def warming_of(path: Path, strategy: str | None) -> Warming:
    """The warming of a model; raises ModelFileError and LoadFailedError."""
    model = open_model(path)
    readers = preset(strategy).config.readers if strategy else _known_readers(model)
    return Warming(model, read_memory(), readers)


def _known_readers(model: Model) -> int | None:
    """How many readers a disk wants that was measured and seeks; of others it is found out."""
    probe = recent_probe(storage_of(model.files[0]))
    return 1 if probe is not None and probe.storage_class == "hard-disk" else None


def read_ahead(pid: int | None, path: Path, strategy: str | None, *, quiet: bool) -> None:
    """Warm a model, beside process `pid` if there is one already; says what it does, and later only
    what speaks against it.

    It ends this process where that program turns out to read past the page cache.
    """

    def say(text: str) -> None:
        if not quiet:
            click.echo(one_line(f"modelmon: {path.name}: {text}"), err=True)

    def look_for_direct_reads(pid: int) -> None:
        while not reads_directly([pid, *descendants(pid)], warming.paths):
            time.sleep(_LOOK_S)
        say("The program uses direct I/O, which the page cache doesn't help: warming ends.")
        os._exit(0)

    try:
        with closing(warming_of(path, strategy)) as warming:
            say(warming.plan)
            if warming.obstacle:
                return
            if pid is not None:
                threading.Thread(target=look_for_direct_reads, args=(pid,), daemon=True).start()
            for note in warming.run(lambda _: None).notes:
                if note != warming.limit:
                    say(note)
    except ModelmonError as error:
        # Said also where little is to be said: the program goes on without what was asked for.
        click.echo(one_line(f"modelmon: {path.name} isn't warmed. {error}"), err=True)

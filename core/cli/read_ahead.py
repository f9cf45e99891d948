"""Warming a model, by itself or ahead of a program that has been started."""

from __future__ import annotations

import os
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import click

from modelmon.core.errors import ModelmonError
from modelmon.core.load.presets import preset
from modelmon.core.load.warming import Warming
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.process_tree import descendants
from modelmon.core.machine.users import reads_directly
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from pathlib import Path

_LOOK_S = 0.5


def warming_of(path: Path, strategy: str | None) -> Warming:
    """The warming of a model; raises ModelFileError and LoadFailedError."""
    readers = preset(strategy).config.readers if strategy else None
    return Warming(open_model(path), read_memory(), readers)


def read_ahead(pid: int, path: Path, strategy: str | None, *, quiet: bool) -> None:
    """Warm a model beside process `pid`; says what it does, and later only what speaks against it.

    It ends this process where the program turns out to read past the page cache.
    """

    def say(text: str) -> None:
        if not quiet:
            click.echo(f"modelmon: {path.name}: {text}", err=True)

    def look_for_direct_reads() -> None:
        while not reads_directly([pid, *descendants(pid)], warming.paths):
            time.sleep(_LOOK_S)
        say("The program uses direct I/O, which the page cache doesn't help: warming ends.")
        os._exit(0)

    try:
        with closing(warming_of(path, strategy)) as warming:
            say(warming.plan)
            if warming.obstacle:
                return
            threading.Thread(target=look_for_direct_reads, daemon=True).start()
            for note in warming.run(lambda _: None).notes:
                if note != warming.limit:
                    say(note)
    except ModelmonError as error:
        # Said also where little is to be said: the program goes on without what was asked for.
        click.echo(f"modelmon: {path.name} isn't warmed. {error}", err=True)

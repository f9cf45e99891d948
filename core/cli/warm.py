"""`modelmon warm`: a model brought into the page cache, for a program that loads it later."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli import declared, options
from modelmon.core.cli.launch import QUIET, STRATEGY
from modelmon.core.cli.output import answer
from modelmon.core.cli.progress import ProgressBar
from modelmon.core.cli.read_ahead import warming_of
from modelmon.core.cli.servers import run_there
from modelmon.core.errors import EXIT_DONE
from modelmon.core.export.items import facts, note
from modelmon.core.units import counted, duration_text, percent_text, rate_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.export.items import Printed
    from modelmon.core.load.warming import Warmed
    from modelmon.core.remote import Place


@click.command("warm")
@declared
def command(
    place: Place = options.place,
    strategy: str | None = STRATEGY,
    quiet: bool = QUIET,
    as_json: bool = options.as_json,
) -> int:
    """Read a model into the page cache.

    The next program then finds it in memory. Cached parts aren't read again. If the
    model exceeds free memory, only the part that fits is read.
    """
    if place.server:
        return run_there(place.server, place.path)
    with (
        closing(warming_of(Path(place.path), strategy)) as warming,
        ProgressBar(quiet=quiet) as bar,
    ):
        warmed = warming.run(lambda done: bar.show("warming", done, warming.wanted_bytes))
    answer(warmed, () if quiet else _items(warmed), as_json=as_json)
    return EXIT_DONE


def _items(warmed: Warmed) -> Iterator[Printed]:
    rows = [("Cached before", _of(warmed.cached_bytes, warmed.file_bytes))]
    if warmed.bytes_per_s is not None:
        took = f"{size_text(warmed.read_bytes)} in {duration_text(warmed.wall_ns)}"
        by = counted(warmed.readers, "reader")
        rows.append(("Read", f"{took} ({rate_text(warmed.bytes_per_s)}, {by})"))
    kept = None if warmed.kept_share is None else warmed.kept_share * warmed.wanted_bytes
    rows.append(("Cached now", _of(kept, warmed.file_bytes)))
    yield facts(rows)
    for each in warmed.notes:
        yield from note(each, "")


def _of(nbytes: float | None, file_bytes: int) -> str:
    if nbytes is None:
        return "unknown"
    return f"{size_text(nbytes)} of {size_text(file_bytes)} ({percent_text(nbytes / file_bytes)})"

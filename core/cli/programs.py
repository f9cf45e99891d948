"""`modelmon programs`: programs that load models, which are here, and what can be set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli import argument, declared, option, options
from modelmon.core.cli.output import answer
from modelmon.core.cli.servers import run_there
from modelmon.core.errors import EXIT_DONE
from modelmon.core.export.items import Column, line, table
from modelmon.core.messages import argument as argument_of
from modelmon.core.model.open import open_model
from modelmon.core.programs.installed import pythons
from modelmon.core.programs.registry import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.export.items import Printed, Table
    from modelmon.core.programs.known_program import ListedProgram
    from modelmon.core.remote import Place

_Row = tuple[str, str, str, str]
_PLACES = "pythons"
"""What a message calls the places where a package was looked for."""


@click.command("programs")
@declared
def command(
    place: Place | None = argument(type=options.place_type, required=False, metavar="[MODEL]"),
    python: Path | None = option(
        "--at",
        type=click.Path(path_type=Path),
        help="The Python that has the packages.  [default: the one in use]",
    ),
    as_json: bool = options.as_json,
) -> int:
    """List programs and their load settings.

    For `watch --program` and `best --program`. With MODEL, shows which can load that model here.
    """
    if place is not None and place.server:
        return run_there(place.server, place.path)
    if python is not None:
        pythons(python)
    found = listed(open_model(place.path) if place is not None else None, python)
    answer(found, _items(found.programs), as_json=as_json)
    return EXIT_DONE


def _items(programs: Sequence[ListedProgram]) -> Iterator[Printed]:
    here = [each for each in programs if not each.obstacle]
    others = [each for each in programs if each.obstacle]
    if here:
        yield _here(here)
        yield line("")
    if others:
        yield _elsewhere(others)
    for searched in dict.fromkeys(argument_of(each.obstacle, _PLACES) for each in others):
        if searched:
            yield line(f"Searched: {searched}", "quiet")
    yield line("Watch one: modelmon watch MODEL --program NAME --load-setting SETTING", "quiet")


def _here(programs: Sequence[ListedProgram]) -> Table:
    """Those that can load, with all settings."""
    rows: list[_Row] = []
    for each in programs:
        for number, variant in enumerate(each.variants):
            name, version = ("", "") if number else (each.name, each.version)
            meaning = ": ".join(filter(None, (variant.setting, variant.meaning)))
            rows.append((name, version, variant.name, meaning))
    return table(
        rows,
        Column("Program", lambda row: row[0], "lead"),
        Column("Version", lambda row: row[1]),
        Column("Setting", lambda row: row[2], "lead"),
        Column("Option and what it does", lambda row: row[3]),
    )


def _elsewhere(programs: Sequence[ListedProgram]) -> Table:
    """Those that can't, and why; places that were searched are listed below, once."""
    return table(
        programs,
        Column("Not here", lambda each: each.name, "lead"),
        Column(
            "Why",
            lambda each: "not installed" if argument_of(each.obstacle, _PLACES) else each.obstacle,
        ),
        tone=lambda _each: "quiet",
    )

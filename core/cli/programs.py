"""`modelmon programs`: programs that load models, which are here, and what can be set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli import argument, declared, option, options
from modelmon.core.cli.output import Column, Listing, console, print_json
from modelmon.core.cli.servers import run_there
from modelmon.core.errors import EXIT_DONE
from modelmon.core.model.open import open_model
from modelmon.core.programs.installed import pythons
from modelmon.core.programs.registry import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.programs.registry import ListedProgram
    from modelmon.core.remote import Place

_Row = tuple[str, str, str, str, str]
"""A cell for each column, and the style."""


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
        at = ["--at", str(python)] if python is not None else []
        flags = ["--json"] if as_json else []
        path = [place.path] if place.path else []
        return run_there(place.server, "programs", [*at, *flags, "--", *path])
    if python is not None:
        pythons(python)
    programs = listed(open_model(place.path) if place is not None else None, python)
    if as_json:
        print_json({"programs": programs})
        return EXIT_DONE
    out = console()
    out.print(_table(programs))
    out.print("Watch one: modelmon watch MODEL --program NAME --load-setting SETTING", style="dim")
    return EXIT_DONE


def _table(programs: Sequence[ListedProgram]) -> Listing[_Row]:
    """Those that can load, with all settings; of others only what there would be."""
    rows: list[_Row] = []
    for each in programs:
        if each.obstacle:
            names = ", ".join(variant.name for variant in each.variants)
            rows.append((each.name, each.obstacle, "", names, "dim"))
            continue
        for number, variant in enumerate(each.variants):
            name, version = ("", "") if number else (each.name, each.version)
            meaning = ": ".join(filter(None, (variant.setting, variant.meaning)))
            rows.append((name, version, variant.name, meaning, ""))
    return Listing(
        rows,
        Column("Program", lambda row: row[0], "lead"),
        Column("Version or problem", lambda row: row[1]),
        Column("Setting", lambda row: row[2], "lead"),
        Column("Option and what it does", lambda row: row[3]),
        style=lambda row: row[4],
    )

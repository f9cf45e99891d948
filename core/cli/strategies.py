"""`modelmon strategies`: what can be chosen, when each wins, and what is missing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.cli import declared, options
from modelmon.core.cli.output import console, print_items, print_json
from modelmon.core.cli.servers import run_there
from modelmon.core.errors import EXIT_DONE
from modelmon.core.export.items import Column, table
from modelmon.core.load.strategies import strategies
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from modelmon.core.remote import Place

_DELIVERIES = (
    "--deliver usable: every byte in memory; owned: a private copy; streamed: through a small"
    " buffer; decoded: as float32; untouched"
    " (libraries only): as returned."
)


@click.command("strategies")
@declared
def command(place: Place | None = options.place_if_given, as_json: bool = options.as_json) -> int:
    """List strategies for loading a model.

    With PATH, shows which of them can load that model here.
    """
    if place is not None and place.server:
        return run_there(place.server, place.path)
    found = strategies(open_model(place.path) if place is not None else None)
    if as_json:
        print_json({"strategies": found})
        return EXIT_DONE
    out = console()
    here = table(
        [each for each in found if not each.obstacle],
        Column("Strategy", lambda each: each.name, "lead"),
        Column("Best for", lambda each: each.when_it_wins),
        Column("Version", lambda each: each.version),
    )
    print_items(here)
    if others := [each for each in found if each.obstacle]:
        out.print()
        missing = table(
            others,
            Column("Not here", lambda each: each.name, "lead"),
            Column("Why", lambda each: each.obstacle),
            tone=lambda _each: "quiet",
        )
        print_items(missing)
    out.print()
    out.print(_DELIVERIES, style="dim")
    out.print("Change a setting with --set, for example --set readers=8.", style="dim")
    return EXIT_DONE

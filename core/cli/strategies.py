"""`modelmon strategies`: what can be chosen, when each wins, and what is missing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.cli import declared, options
from modelmon.core.cli.output import answer
from modelmon.core.cli.servers import run_there
from modelmon.core.errors import EXIT_DONE
from modelmon.core.export.items import Column, line, table
from modelmon.core.load.strategies import strategies
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.export.items import Printed
    from modelmon.core.load.libraries.registry import Availability
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
    answer({"strategies": found}, _items(found), as_json=as_json)
    return EXIT_DONE


def _items(found: Sequence[Availability]) -> Iterator[Printed]:
    yield table(
        [each for each in found if not each.obstacle],
        Column("Strategy", lambda each: each.name, "lead"),
        Column("Best for", lambda each: each.when_it_wins),
        Column("Version", lambda each: each.version),
    )
    if others := [each for each in found if each.obstacle]:
        yield line("")
        yield table(
            others,
            Column("Not here", lambda each: each.name, "lead"),
            Column("Why", lambda each: each.obstacle),
            tone=lambda _each: "quiet",
        )
    yield line("")
    yield line(_DELIVERIES, "quiet")
    yield line("Change a setting with --set, for example --set readers=8.", "quiet")

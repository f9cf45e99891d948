"""`modelmon strategies`: what can be chosen, when each wins, and what is missing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.cli import options
from modelmon.core.cli.layout import Column, Listing
from modelmon.core.cli.output import console, print_json
from modelmon.core.load.strategies import strategies
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from pathlib import Path


@click.command("strategies")
@click.argument("path", type=options.source_path, required=False)
@options.json_option
def command(path: Path | None, as_json: bool) -> None:
    """List all strategies; with PATH, show which of them can load that model here."""
    found = strategies(open_model(path) if path is not None else None)
    if as_json:
        print_json({"strategies": found})
        return
    out = console()
    table = Listing(Column("Strategy", lead=True), Column("Best for"), Column("Version or problem"))
    for each in found:
        table.add_row(
            each.name,
            each.when_it_wins,
            each.obstacle or each.version,
            style="dim" if each.obstacle else "",
        )
    out.print(table)
    out.print("Change a setting with --set, for example --set readers=8.", style="dim")

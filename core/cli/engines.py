"""`modelmon engines`: programs that load models, which are here, and what can be set."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import click
from rich.table import Table

from modelmon.core.cli import options
from modelmon.core.cli.output import console, print_json
from modelmon.core.engines.registry import ENGINES
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.engines.engine import Engine, Found, Variant
    from modelmon.core.model.tensors import Model


@click.command("engines")
@click.argument("path", type=options.source_path, required=False, metavar="[MODEL]")
@options.json_option
def command(path: Path | None, as_json: bool) -> None:
    """List programs that modelmon can start for `watch --engine`, with their load settings.

    With MODEL, show which of them can load that model here.
    """
    model = open_model(path) if path is not None else None
    engines = list(ENGINES.values())
    # Each is asked for its version, some for seconds.
    with ThreadPoolExecutor(len(engines)) as pool:
        found = list(pool.map(lambda each: each.find(), engines))
    if as_json:
        each_found = zip(engines, found, strict=True)
        print_json({"engines": [_document(each, here, model) for each, here in each_found]})
        return
    out = console()
    out.print(_table(engines, found, model))
    out.print("Watch one: modelmon watch MODEL --engine NAME --variant VARIANT", style="dim")


def _table(engines: list[Engine], found: list[Found], model: Model | None) -> Table:
    """Those that can load, with all settings; of others only what there would be."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("Program", "Version or problem", "Variant", "Setting and what it means"):
        table.add_column(heading, overflow="fold")
    for each, here in zip(engines, found, strict=True):
        variants = _offered(each, here)
        if obstacle := each.obstacle(here, model):
            names = ", ".join(variant.name for variant in variants)
            table.add_row(each.name, obstacle, names, style="dim")
            continue
        for number, variant in enumerate(variants):
            meaning = ": ".join(filter(None, (variant.setting, variant.meaning)))
            told = ("", "") if number else (each.name, here.version)
            table.add_row(*told, variant.name, meaning)
    return table


def _offered(engine: Engine, found: Found) -> tuple[Variant, ...]:
    """Its variants; of a program that can't be asked for them, all that there can be."""
    if not found.obstacle:
        return engine.variants(found)
    first: dict[str, Variant] = {}
    for each in engine.offers:
        first.setdefault(each.name, each)
    return tuple(first.values())


def _document(engine: Engine, found: Found, model: Model | None) -> dict[str, object]:
    return {
        "name": engine.name,
        "title": engine.title,
        "path": found.path,
        "version": found.version,
        "formats": engine.formats,
        "obstacle": engine.obstacle(found, model),
        "variants": [
            {
                "name": each.name,
                "setting": each.setting,
                "access": each.access,
                "meaning": each.meaning,
                "since": each.since,
                "source": each.source,
            }
            for each in _offered(engine, found)
        ],
    }

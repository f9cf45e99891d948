"""`modelmon models`: lists models in folders and in the caches of other programs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli import argument, declared, options
from modelmon.core.cli.output import console, print_items, print_json, tell
from modelmon.core.cli.servers import run_there
from modelmon.core.doctor.diagnosis import fit_answer
from modelmon.core.errors import EXIT_DONE
from modelmon.core.export.items import Column, known, table
from modelmon.core.machine.memory import read_memory
from modelmon.core.model.found_models import SOURCES, Search, usual_places
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.export.items import Table
    from modelmon.core.model.found_models import FoundModel, SearchedPlace
    from modelmon.core.remote import Place

_FITS = {"fits": "yes", "tight": "tight", "does-not-fit": "no"}
_ANSWERS = {"refused": "can't be read", "no-answer": "doesn't respond"}


@click.command("models")
@declared
def command(
    folders: tuple[Place, ...] = argument(nargs=-1, type=options.place_type, metavar="[FOLDER]..."),
    as_json: bool = options.as_json,
) -> int:
    """List the models on this machine.

    Searches the caches of Hugging Face, LM Studio, Ollama, llama.cpp, and ComfyUI, and each FOLDER;
    reads only headers. ssh://host or ssh://host/folder searches a server. With --json, each model
    is a line, and the last line lists the places searched.
    """
    servers = {folder.server for folder in folders}
    if len(servers) > 1:
        raise click.UsageError("Search one server at a time.")
    if server := "".join(servers):
        return run_there(server, *(folder.path for folder in folders))
    places = [Path(folder.path) for folder in folders]
    search = Search(usual_places(os.environ, Path.home(), places))
    if as_json:
        for model in search:
            print_json({"model": model})
        print_json({"searched": search.searched})
        return EXIT_DONE
    models = sorted(search, key=lambda model: -(model.size_bytes or 0))
    out = console()
    if models:
        print_items(_table(models))
    else:
        out.print(f"No models found in the folders of {', '.join(SOURCES)}.")
    for line in _obstacles(search.searched):
        tell(line)
    return EXIT_DONE


def _table(models: Sequence[FoundModel]) -> Table:
    usable_bytes = read_memory().usable_bytes
    return table(
        models,
        Column("Model", lambda model: model.name, "lead"),
        Column("Where", lambda model: model.source),
        Column(
            "Format",
            lambda model: (
                ", ".join(filter(None, (model.format, model.main_dtype))) or "can't be read"
            ),
        ),
        Column("Size", lambda model: known(size_text, model.size_bytes), "right"),
        Column("Blocks", lambda model: known("{:,}".format, model.blocks), "right named"),
        Column(
            "Fits",
            lambda model: known(
                lambda size: _FITS[fit_answer(size, usable_bytes)], model.size_bytes
            ),
            "named",
        ),
        Column("Path", lambda model: model.path),
    )


def _obstacles(searched: Sequence[SearchedPlace]) -> list[str]:
    return [
        f"{place.folder} {_ANSWERS[place.answer]}."
        for place in searched
        if place.answer in _ANSWERS
    ]

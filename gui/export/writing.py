"""Writes exported texts to their files, here or on the server that has the model."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from modelmon.core.errors import ModelmonError
from modelmon.core.export.atomic import WriteError
from modelmon.core.export.places import check_place, write_text
from modelmon.core.messages import Message, verbatim
from modelmon.core.remote import Place, is_remote, parts_of, place_of
from modelmon.core.worker.look import seen_soon
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    File = tuple[Place, str]

_OF_FILES = (".safetensors", ".gguf", ".json")
_MODEL = re.compile(r"(.+?)(-\d+-of-\d+)?\.(safetensors|sft|gguf)(\.index\.json)?", re.IGNORECASE)
"""The name of a model's file: first what all its files begin with."""
OWN_NAME = "modelmon.toml"


def in_full(text: str) -> Place:
    """A place with the home folder that `~` stands for; raises WriteError without such a home, and
    ConfigError for an address that is none.
    """
    place = place_of(text)
    if place.server:
        return place
    try:
        return Place(str(Path(place.path).expanduser()))
    except RuntimeError as error:
        message = tr("Couldn't write {path}: there is no such home folder.", path=text)
        raise WriteError(verbatim(message), verbatim(tr("Choose another folder."))) from error


def default_path(model_path: str) -> Path:
    """Beside the model, or in the model's folder where that was opened; not among cached files,
    where nobody looks: the sample lies there. Where files of other models may be, as in the home
    folder, it is named after the model.
    """
    folder = Path.home() if is_remote(model_path) else Path(folder_of(model_path))
    if folder == platformdirs.user_cache_path("modelmon", appauthor=False) or not folder.is_dir():
        folder = Path.home()
    path = Path(parts_of(model_path).path)
    name = found[1] if (found := _MODEL.fullmatch(path.name)) else path.name
    if folder == Path.home() or (path != folder and _models_of(folder) - {name}):
        return folder / f"{name}.{OWN_NAME}"
    return folder / OWN_NAME


def _models_of(folder: Path) -> set[str]:
    """Names of the models whose files are in a folder."""
    with suppress(OSError):
        return {found[1] for each in folder.iterdir() if (found := _MODEL.fullmatch(each.name))}
    return set()


def folder_of(reference: str) -> str:
    """The folder that a model is in, or that it is; on a server, by its name alone. In place of one
    on storage that hangs it is the home folder.
    """
    place = parts_of(reference)
    path = Path(place.path)
    if place.server:
        return str(path.parent if path.suffix in _OF_FILES else path)
    seen = seen_soon(place.path)
    return str(Path.home() if seen is None else path if seen.kind == "folder" else path.parent)


def replaced(files: Sequence[File]) -> frozenset[str]:
    """Those places on servers that have a file already. Raises ModelmonError where one can't be
    written to.
    """
    return frozenset(str(place) for place, _ in files if place.server and check_place(place))


def write_all(files: Sequence[File]) -> None:
    """Write each text to its place, whole or not at all; first every place here is looked at, as
    those on servers were by `replaced`.

    Raises ModelmonError; where some files were written already, it says which.
    """
    for place, _ in files:
        if not place.server:
            if seen_soon(place.path) is None:
                raise WriteError(
                    Message("The storage of {path} doesn't answer.", path=place.path),
                    verbatim(tr("Choose another folder.")),
                )
            check_place(place)
    places = {
        place if place.server else Place(str(Path(place.path).resolve())) for place, _ in files
    }
    if len(places) < len(files):
        raise WriteError(
            verbatim(tr("Two files have the same path.")),
            verbatim(tr("Give each file its own name.")),
        )
    written: list[str] = []
    for place, text in files:
        try:
            write_text(place, text)
        except ModelmonError as error:
            if not written:
                raise
            kept = tr("Already written: {files}.", files=", ".join(written))
            raise WriteError(
                Message("{message} {kept}", message=error.message, kept=kept), error.remedy
            ) from error
        written.append(Path(place.path).name)

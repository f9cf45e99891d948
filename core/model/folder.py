"""Which of the models in a folder is opened, and what to say where it is none or one of several."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import ModelFileError
from modelmon.core.limited_numbers import Amount
from modelmon.core.messages import Message
from modelmon.core.model.sharded import models_in, names_in
from modelmon.core.units import size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.model.sharded import ShardSet

PIPELINE = "model_index.json"
"""What a folder of diffusers has whose folders are the parts of one pipeline."""

_REPOSITORY = "models--"
_PICKLES = (".bin", ".pt", ".pth", ".ckpt")
_MOST_SHOWN = 10


class ModelChoice(msgspec.Struct, frozen=True):
    """One of several models: its name among them, what to open, and the bytes of its files, None
    where some are missing.
    """

    name: str
    path: str
    size_bytes: Amount | None = None


class SeveralModelsError(ModelFileError):
    """A folder holds several models; `choices` are all of them."""

    def __init__(self, message: Message, choices: tuple[ModelChoice, ...]) -> None:
        super().__init__(message, Message("Open one of them."))
        self.choices = choices


def snapshot_of(folder: str) -> str:
    """The snapshot that a repository's folder in a hub cache stands for; else the folder itself."""
    if not os.path.basename(folder).startswith(_REPOSITORY):
        return folder
    # Imported where it is needed: loads start sooner without pathlib.
    from pathlib import Path  # noqa: PLC0415

    from modelmon.core.model.caches import snapshots  # noqa: PLC0415

    return next((str(each) for each in snapshots(Path(folder))), folder)


def only_model_in(folder: str) -> ShardSet:
    """The one model that a folder holds; raises SeveralModelsError if it holds more, with those of
    a pipeline's folders, and ModelFileError if it holds none.
    """
    names = names_in(folder)
    found = models_in(folder, names)
    choices = [*_choices(found)]
    if PIPELINE in names or not found:
        choices += _choices_below(folder, names)
    if not choices:
        raise _no_model(folder, names)
    if found and len(choices) == 1:
        return found[0]
    shown = [
        f"{each.name} ({size_text(each.size_bytes)})" if each.size_bytes is not None else each.name
        for each in choices[:_MOST_SHOWN]
    ]
    text = ", ".join(shown) + ("…" if len(choices) > len(shown) else "")
    raise SeveralModelsError(
        Message(
            "{folder} contains {count} models: {candidates}.",
            folder=folder,
            count=len(choices),
            candidates=text,
        )
        if len(choices) > 1
        else Message(
            "{folder} contains no weights, but these folders in it do: {inside}.",
            folder=folder,
            inside=text,
        ),
        tuple(choices),
    )


def _choices(found: Iterable[ShardSet], folder: str = "") -> Iterator[ModelChoice]:
    for each in found:
        name = os.path.join(folder, os.path.basename(each.start))
        yield ModelChoice(name, each.start, each.size_bytes)


def _choices_below(folder: str, names: Iterable[str]) -> Iterator[ModelChoice]:
    """What can be opened in the folders of this one: a folder that has one model, or its files."""
    for name in names:
        path = os.path.join(folder, name)
        inner = snapshot_of(path)
        if name.startswith(".") or not os.path.isdir(inner):
            continue
        # Others can be opened where one may not be looked into.
        with contextlib.suppress(ModelFileError):
            found = models_in(inner, names_in(inner))
            if len(found) == 1:
                yield ModelChoice(name, path, found[0].size_bytes)
            else:
                yield from _choices(found, name)


def _no_model(folder: str, names: Sequence[str]) -> ModelFileError:
    if any(name.endswith(_PICKLES) for name in names):
        return ModelFileError(
            Message("{folder} contains only PyTorch pickle files.", folder=folder),
            Message(
                "Download the model's .safetensors files, or convert it to safetensors or GGUF."
            ),
        )
    from modelmon.core.model.foreign import unfinished_in  # noqa: PLC0415  most loads need none

    return unfinished_in(folder, names) or ModelFileError(
        Message("{folder} contains no .safetensors or .gguf file.", folder=folder),
        Message("Choose the folder of a model."),
    )

"""A model that lies in a cache, as its folders alone tell: nothing of it was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.model.sharded import model_names_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


class FoundFile(NamedTuple):
    """What to open for one model: a weight file, the first of a set, or its index.

    `name` is what its program calls it, "" where the model's own name will do.
    """

    path: Path
    name: str = ""


def models_in(folder: Path, names: Iterable[str]) -> Iterator[FoundFile]:
    """The models among the files `names` of a folder, complete or not."""
    return (FoundFile(folder / name) for name in model_names_in(names))

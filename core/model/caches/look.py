"""Look through one place: what it is by what it holds, and which models are there."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from modelmon.core.model.caches.comfyui import folders_elsewhere
from modelmon.core.model.caches.hugging_face import REPOSITORIES, hub_models
from modelmon.core.model.caches.ollama import ollama_models
from modelmon.core.model.caches.walk import models_below

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from modelmon.core.model.caches.walk import FoundFile

MOST_MODELS = 1_000
"""Of one place; who has more knows where they are."""


def models_at(folder: Path) -> Iterator[FoundFile]:
    """The models in a hub cache, an Ollama store or any other folder, as they are found.

    Those in folders that ComfyUI's settings name come along with its own.
    Raises OSError if the folder is not there or cannot be read. Never uses the network.
    """
    return islice(_models(folder), MOST_MODELS)


def _models(folder: Path) -> Iterator[FoundFile]:
    names = [entry.name for entry in folder.iterdir()]
    if "manifests" in names and "blobs" in names:
        yield from ollama_models(folder)
    elif any(name.startswith(REPOSITORIES.rstrip("*")) for name in names):
        yield from hub_models(folder)
    else:
        yield from models_below(folder)
        for elsewhere in folders_elsewhere(folder):
            # What is named there may be gone, or on a disk that is not mounted.
            with suppress(OSError):
                yield from models_below(elsewhere)

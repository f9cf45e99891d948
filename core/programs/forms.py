"""The forms in which models come, as programs that load them tell them apart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from modelmon.core.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.model.tensors import Model

Form = Literal["gguf", "safetensors", "transformers", "diffusers"]
FORM_WORDS: dict[Form, Message] = {
    "gguf": Message("GGUF"),
    "safetensors": Message("a safetensors file"),
    "transformers": Message("safetensors in a folder with a transformers config.json"),
    "diffusers": Message("safetensors in a component's folder with a diffusers config.json"),
}

_MOST_CONFIG_BYTES = 1 << 20


def forms_of(model: Model) -> frozenset[Form]:
    """In which forms programs can load a model; by its config.json, if there is one."""
    if model.format == "gguf":
        return frozenset({"gguf"})
    known: set[Form] = {"safetensors"}
    config = config_of(model.folder) if model.has_config else {}
    if "model_type" in config or "architectures" in config:
        known.add("transformers")
    if "_class_name" in config:
        known.add("diffusers")
    return frozenset(known)


def config_of(folder: Path) -> dict[str, object]:
    """What is in the folder's config.json; nothing where that is no such file."""
    try:
        with (folder / "config.json").open("rb") as file:
            found = json.loads(file.read(_MOST_CONFIG_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}  # a model beside a broken config is loaded by its file
    return found if isinstance(found, dict) else {}

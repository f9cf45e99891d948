"""What a model is called, from where it lies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from modelmon.core.model.sharded import INDEX_SUFFIX, stem_without_number

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# File names that say nothing about the model: its folder's name does.
_GENERIC = re.compile(
    r"(?:(?:pytorch_|diffusion_pytorch_|adapter_|tf_|flax_)?model|consolidated)(?:\.\w+)?"
)
# Stores that name files by their content.
_DIGEST = re.compile(r"(?:sha256[-:])?[0-9a-f]{40,64}")


def model_name(first_shard: Path, index: Path | None, metadata: Mapping[str, str]) -> str:
    """A readable name for the model whose first file is `first_shard`."""
    stem = index.name.removesuffix(INDEX_SUFFIX) if index else stem_without_number(first_shard.name)
    if _DIGEST.fullmatch(first_shard.name):
        return metadata.get("general.name") or stem
    return _folder_name(first_shard.parent) if _GENERIC.fullmatch(stem) else stem


def _folder_name(folder: Path) -> str:
    """The folder's name; in a Hugging Face cache, the repository's and the folder in it."""
    for repository in folder.parents:
        if repository.name.startswith("models--"):
            below = folder.relative_to(repository).parts
            if len(below) >= 2 and below[0] == "snapshots":
                return "/".join([repository.name.rpartition("--")[2], *below[2:]])
    return folder.name or "model"

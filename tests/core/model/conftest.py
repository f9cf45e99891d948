"""Model files written byte by byte, so that they can be wrong in exactly one place."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from tests.core.model.model_files import INDEX, save, write_index

if TYPE_CHECKING:
    from pathlib import Path


class WriteSafetensors(Protocol):
    def __call__(
        self, header: dict[str, Any] | bytes, data: bytes = b"", name: str = "model.safetensors"
    ) -> Path: ...


class WriteGguf(Protocol):
    def __call__(self, *parts: bytes, name: str = "model.gguf") -> Path: ...


@pytest.fixture
def write_safetensors(tmp_path: Path) -> WriteSafetensors:
    """Write a safetensors file from its header, right or wrong, and its data."""

    def write(
        header: dict[str, Any] | bytes, data: bytes = b"", name: str = "model.safetensors"
    ) -> Path:
        text = header if isinstance(header, bytes) else json.dumps(header).encode()
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(struct.pack("<Q", len(text)) + text + data)
        return path

    return write


@pytest.fixture
def write_gguf(tmp_path: Path) -> WriteGguf:
    """Write a GGUF file from its parts."""

    def write(*parts: bytes, name: str = "model.gguf") -> Path:
        path = tmp_path / name
        path.write_bytes(b"".join(parts))
        return path

    return write


@pytest.fixture
def llama(tmp_path: Path) -> Path:
    """A folder with three shards and their index."""
    folder = tmp_path / "tiny-llama"
    shards = {
        "model-00001-of-00003.safetensors": ("model.embed_tokens.weight", "model.layers.0.w"),
        "model-00002-of-00003.safetensors": ("model.layers.1.w", "model.layers.2.w"),
        "model-00003-of-00003.safetensors": ("model.norm.weight",),
    }
    for name, tensors in shards.items():
        save(folder / name, *tensors)
    write_index(folder / INDEX, {tensor: name for name, ts in shards.items() for tensor in ts})
    (folder / "config.json").write_text("{}")
    return folder

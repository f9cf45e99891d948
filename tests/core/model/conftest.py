"""Model files written byte by byte, so that they can be wrong in exactly one place."""

import json
import struct

import pytest
from tests.core.model.model_files import INDEX, save, write_index


@pytest.fixture
def write_safetensors(tmp_path):
    """Write a safetensors file from its header, right or wrong, and its data."""

    def write(header, data=b"", name="model.safetensors"):
        text = header if isinstance(header, bytes) else json.dumps(header).encode()
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(struct.pack("<Q", len(text)) + text + data)
        return path

    return write


@pytest.fixture
def write_gguf(tmp_path):
    """Write a GGUF file from its parts."""

    def write(*parts, name="model.gguf"):
        path = tmp_path / name
        path.write_bytes(b"".join(parts))
        return path

    return write


@pytest.fixture
def llama(tmp_path):
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

"""Small model files by the official writers, pieces of headers, and how opening them fails."""

import json
from hashlib import sha256

import gguf
import numpy as np
import pytest
from safetensors.numpy import save_file

from modelmon.core.errors import ModelFileError
from modelmon.core.model.open import open_model
from modelmon.core.model.sharded import SeveralModelsError

INDEX = "model.safetensors.index.json"


def save(path, *names):
    """A safetensors file with these tensors of 4 bytes each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: np.zeros(1, np.float32) for name in names}, path)


def write_index(path, weight_map):
    path.write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": weight_map}))


def save_gguf(path, tensors, per_file=0):
    """A GGUF of so many tensors, split into files of `per_file` tensors."""
    writer = gguf.GGUFWriter(path, "llama", split_max_tensors=per_file)
    for number in range(tensors):
        writer.add_tensor(f"blk.{number}.w", np.full((2, 4), number, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def error_of(path):
    with pytest.raises(ModelFileError) as caught:
        open_model(path)
    assert caught.value.remedy
    return caught.value.message


def choices_of(folder):
    """What a folder of several models offers."""
    with pytest.raises(SeveralModelsError) as caught:
        open_model(folder)
    return caught.value.choices


def entry(dtype, shape, start, end):
    """A tensor in the header of a safetensors file."""
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


def hub_snapshot(hub, folder):
    """The files of a folder as the hub's cache has them: a snapshot of links to blobs, which are
    called by their content.
    """
    repository = hub / "models--acme--tiny"
    snapshot = repository / "snapshots" / ("a" * 40)
    for made in (snapshot, repository / "blobs", repository / "refs"):
        made.mkdir(parents=True)
    (repository / "refs" / "main").write_text(snapshot.name)
    for file in folder.iterdir():
        blob = repository / "blobs" / sha256(file.read_bytes()).hexdigest()
        file.rename(blob)
        (snapshot / file.name).symlink_to(f"../../blobs/{blob.name}")
    return snapshot

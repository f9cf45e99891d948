"""Models of several files: indices, numbered shards, folders and Hugging Face snapshots."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import gguf
import numpy as np
import pytest
from safetensors.numpy import save_file

from modelmon.core.errors import ModelFileError
from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

INDEX = "model.safetensors.index.json"


def save(path: Path, *names: str) -> None:
    """A safetensors file with these tensors of 4 bytes each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: np.zeros(1, np.float32) for name in names}, path)


def write_index(path: Path, weight_map: Mapping[str, object]) -> None:
    path.write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": weight_map}))


def save_gguf(path: Path, tensors: int, per_file: int = 0) -> None:
    """A GGUF of so many tensors, split into files of `per_file` tensors."""
    writer = gguf.GGUFWriter(path, "llama", split_max_tensors=per_file)
    for number in range(tensors):
        writer.add_tensor(f"blk.{number}.w", np.full((2, 4), number, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


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


def error_of(path: Path) -> str:
    with pytest.raises(ModelFileError) as caught:
        open_model(path)
    assert caught.value.remedy
    return caught.value.message


@pytest.mark.parametrize("opened", [INDEX, "model-00002-of-00003.safetensors", ""])
def test_that_index_shard_and_folder_open_the_same_model(llama: Path, opened: str) -> None:
    model = open_model(llama / opened)
    assert model.name == "tiny-llama"
    assert model.path == str(llama / opened)
    assert [file.name[:11] for file in model.files] == ["model-00001", "model-00002", "model-00003"]
    assert [tensor.shard for tensor in model.tensors] == [0, 0, 1, 1, 2]
    assert [block.name for block in model.blocks] == [
        "embeddings",
        "layers.0",
        "layers.1",
        "layers.2",
        "output",
    ]


@pytest.mark.parametrize("opened", [INDEX, "model-00001-of-00003.safetensors", ""])
def test_that_a_missing_shard_is_named(llama: Path, opened: str) -> None:
    missing = llama / "model-00002-of-00003.safetensors"
    missing.unlink()
    assert error_of(llama / opened) == f"{missing} of the model's 3 files is missing."


def test_that_many_missing_shards_are_counted(llama: Path) -> None:
    for number in (1, 3):
        (llama / f"model-0000{number}-of-00003.safetensors").unlink()
    assert "model-00001-of-00003.safetensors and 1 more of the model's 3 files" in error_of(llama)


def test_that_a_tensor_in_two_shards_is_refused(llama: Path) -> None:
    save(llama / "model-00003-of-00003.safetensors", "model.layers.1.w", "model.norm.weight")
    message = error_of(llama)
    assert "'model.layers.1.w'" in message
    assert "model-00002-of-00003" in message
    assert "model-00003-of-00003" in message


def test_that_an_index_must_not_promise_what_no_shard_has(llama: Path) -> None:
    index = json.loads((llama / INDEX).read_text())["weight_map"]
    write_index(llama / INDEX, {**index, "model.layers.9.w": "model-00001-of-00003.safetensors"})
    message = error_of(llama)
    assert message == f"{llama / INDEX} names tensor 'model.layers.9.w', which no shard has."


@pytest.mark.parametrize(
    ("weight_map", "said"),
    [
        ({"a": "../secret.safetensors"}, "'../secret.safetensors'"),
        ({"a": "/etc/passwd"}, "'/etc/passwd'"),
        ({"a": "pytorch_model.bin"}, "'pytorch_model.bin'"),
        ({"a": 1}, "Expected `str`"),
        ({}, "weight_map is empty"),
    ],
)
def test_that_an_index_names_files_beside_it_only(
    tmp_path: Path, weight_map: Mapping[str, object], said: str
) -> None:
    write_index(tmp_path / INDEX, weight_map)
    message = error_of(tmp_path / INDEX)
    assert str(tmp_path / INDEX) in message
    assert said in message


@pytest.mark.parametrize("content", [b"{}", b"[]", b"", b"\xff", b'{"weight_map":'])
def test_that_other_json_is_no_index(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    assert f"{path}: this is not an index of safetensors shards" in error_of(path)


def test_that_a_folder_with_a_config_and_one_file_opens(tmp_path: Path) -> None:
    folder = tmp_path / "bert-tiny"
    save(folder / "model.safetensors", "bert.embeddings.word_embeddings.weight")
    (folder / "config.json").write_text("{}")
    (folder / "pytorch_model.bin").write_bytes(b"PK\x03\x04")
    (folder / "._model.safetensors").write_bytes(b"left behind by another system")
    model = open_model(folder)
    assert model.name == "bert-tiny"
    assert model.files == (folder / "model.safetensors",)


def test_that_a_folder_with_many_models_lists_them(llama: Path) -> None:
    save_gguf(llama / "tiny-Q4_K_M.gguf", 1)
    save_gguf(llama / "tiny-Q8_0.gguf", 4, per_file=2)
    message = error_of(llama)
    assert "holds 3 models" in message
    for name in (INDEX, "tiny-Q4_K_M.gguf", "tiny-Q8_0-00001-of-00002.gguf"):
        assert name in message


def test_that_a_folder_of_folders_names_those_with_weights(tmp_path: Path) -> None:
    save(tmp_path / "unet" / "diffusion_pytorch_model.safetensors", "conv_in.weight")
    save(tmp_path / "vae" / "diffusion_pytorch_model.safetensors", "decoder.conv_in.weight")
    (tmp_path / "scheduler").mkdir()
    message = error_of(tmp_path)
    assert message.endswith("unet, vae.")
    assert open_model(tmp_path / "unet").name == "unet"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "holds no .safetensors or .gguf file"),
        (("README.md",), "holds no .safetensors or .gguf file"),
        (("pytorch_model.bin", "config.json"), "holds PyTorch pickle files only"),
    ],
)
def test_that_a_folder_without_a_model_says_what_it_has(
    tmp_path: Path, names: Sequence[str], said: str
) -> None:
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    assert said in error_of(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_that_a_hugging_face_snapshot_keeps_its_own_paths(tmp_path: Path) -> None:
    repository = tmp_path / "models--some-org--Tiny-Llama-1B"
    snapshot = repository / "snapshots" / "0123abcd"
    snapshot.mkdir(parents=True)
    names = [f"model-0000{number}-of-00002.safetensors" for number in (1, 2)]
    for number, name in enumerate(names):
        save(repository / "blobs" / f"{number:064x}", f"model.layers.{number}.w")
        (snapshot / name).symlink_to(f"../../blobs/{number:064x}")
    model = open_model(snapshot)
    assert model.name == "Tiny-Llama-1B"
    assert model.files == tuple(snapshot / name for name in names)
    assert open_model(snapshot / names[1]).tensors == model.tensors
    (repository / "blobs" / f"{1:064x}").unlink()
    message = error_of(snapshot)
    assert str(snapshot / names[1]) in message
    assert "is a link to ../../blobs/" in message


def test_that_a_folder_in_a_snapshot_is_part_of_the_name(tmp_path: Path) -> None:
    folder = tmp_path / "models--org--sdxl" / "snapshots" / "abc" / "unet"
    save(folder / "diffusion_pytorch_model.safetensors", "conv_in.weight")
    assert open_model(folder).name == "sdxl/unet"


@pytest.mark.parametrize("opened", ["big-00001-of-00003.gguf", "big-00003-of-00003.gguf", ""])
def test_that_a_split_gguf_opens_by_any_part(tmp_path: Path, opened: str) -> None:
    save_gguf(tmp_path / "big.gguf", 6, per_file=2)
    model = open_model(tmp_path / opened)
    assert model.name == "big"
    assert model.format == "gguf"
    assert len(model.shards) == 3
    assert [tensor.name for tensor in model.tensors] == [f"blk.{number}.w" for number in range(6)]
    official = {
        tensor.name: (str(path), tensor.data_offset)
        for path in model.files
        for tensor in gguf.GGUFReader(path).tensors
    }
    ours = {t.name: (model.shards[t.shard].path, t.offset_bytes) for t in model.tensors}
    assert ours == official


def test_that_parts_with_swapped_names_are_refused(tmp_path: Path) -> None:
    save_gguf(tmp_path / "big.gguf", 4, per_file=2)
    first, second = (tmp_path / f"big-0000{number}-of-00002.gguf" for number in (1, 2))
    first.rename(tmp_path / "other")
    second.rename(first)
    (tmp_path / "other").rename(second)
    message = error_of(first)
    assert f"{first}: split.no is 1 and split.count 2" in message


def test_that_a_part_under_another_name_is_refused(tmp_path: Path) -> None:
    save_gguf(tmp_path / "big.gguf", 4, per_file=2)
    renamed = tmp_path / "renamed.gguf"
    (tmp_path / "big-00002-of-00002.gguf").rename(renamed)
    assert "split.no is 1 and split.count 2, but by name it is file 0 of 1" in error_of(renamed)


def test_that_parts_of_two_formats_are_refused(tmp_path: Path) -> None:
    save(tmp_path / "m-00001-of-00002.safetensors", "a.w")
    save_gguf(tmp_path / "m-00002-of-00002.safetensors", 1)
    assert "some files of the model are safetensors and some GGUF" in error_of(
        tmp_path / "m-00001-of-00002.safetensors"
    )


@pytest.mark.parametrize("name", ["m-00003-of-00002.safetensors", "m-00000-of-00002.safetensors"])
def test_that_an_impossible_number_is_part_of_a_plain_name(tmp_path: Path, name: str) -> None:
    save(tmp_path / name, "a.w")
    assert len(open_model(tmp_path / name).shards) == 1


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="root may read every folder"
)
def test_that_an_unreadable_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0)
    try:
        assert f"{folder} cannot be read: Permission denied" in error_of(folder)
    finally:
        folder.chmod(0o700)

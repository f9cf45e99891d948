"""Models of several files: indices, numbered shards, folders and Hugging Face snapshots."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import gguf
import pytest
from tests.core.model.model_files import INDEX, error_of, save, save_gguf, write_index

from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


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

"""Folders and Hugging Face snapshots, with one model, many or none."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from tests.core.model.model_files import INDEX, error_of, save, save_gguf

from modelmon.core.model.open import open_model

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


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
    assert "contains 3 models" in message
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
        ((), "contains no .safetensors or .gguf file"),
        (("README.md",), "contains no .safetensors or .gguf file"),
        (("pytorch_model.bin", "config.json"), "contains only PyTorch pickle files"),
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


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="root may read every folder"
)
def test_that_an_unreadable_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0)
    try:
        assert f"{folder}: Permission denied" in error_of(folder)
    finally:
        folder.chmod(0o700)

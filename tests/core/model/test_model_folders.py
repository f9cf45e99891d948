"""Folders and Hugging Face snapshots, with one model, many or none."""

import os
import sys
from pathlib import Path

import pytest
from tests.core.model.model_files import (
    INDEX,
    choices_of,
    error_of,
    save,
    save_gguf,
    write_index,
)

from modelmon.core.model.caches import models_at
from modelmon.core.model.open import open_model


def test_that_a_folder_with_a_config_and_one_file_opens(tmp_path):
    folder = tmp_path / "bert-tiny"
    save(folder / "model.safetensors", "bert.embeddings.word_embeddings.weight")
    (folder / "config.json").write_text("{}")
    (folder / "pytorch_model.bin").write_bytes(b"PK\x03\x04")
    (folder / "._model.safetensors").write_bytes(b"left behind by another system")
    model = open_model(folder)
    assert model.name == "bert-tiny"
    assert model.files == (folder / "model.safetensors",)


def test_that_a_folder_with_many_models_lists_them(llama):
    save_gguf(llama / "tiny-Q4_K_M.gguf", 1)
    save_gguf(llama / "tiny-Q8_0.gguf", 4, per_file=2)
    message = error_of(llama)
    assert "contains 3 models" in message
    for name in (INDEX, "tiny-Q4_K_M.gguf", "tiny-Q8_0-00001-of-00002.gguf"):
        assert name in message


@pytest.mark.parametrize("is_pipeline", [True, False])
def test_that_a_folder_of_folders_offers_their_models(tmp_path, is_pipeline):
    folder = tmp_path / "flux"
    for part in ("transformer", "vae"):
        save(folder / part / "diffusion_pytorch_model.safetensors", f"{part}.weight")
    save(folder / "text_encoder" / "model.safetensors", "a.w")
    save(folder / "text_encoder" / "model.fp16.safetensors", "a.w", "b.w")
    (folder / "scheduler").mkdir()
    names = ["text_encoder/model.fp16.safetensors", "text_encoder/model.safetensors"]
    names += ["transformer", "vae"]
    above = "flux/" if is_pipeline else ""
    if is_pipeline:
        (folder / "model_index.json").write_text("{}")
        save(folder / "flux1.safetensors", "c.w")
        names.insert(0, "flux1.safetensors")
    found = choices_of(folder)
    assert [choice.name for choice in found] == names
    parts = ("text_encoder", "text_encoder", "transformer", "vae")
    assert [open_model(choice.path).name for choice in found[-4:]] == [above + x for x in parts]
    for choice in found:
        files = open_model(choice.path).files
        assert choice.size_bytes == sum(file.stat().st_size for file in files)
        assert f"{choice.name} ({choice.size_bytes} B)" in error_of(folder)


def test_that_a_folder_of_very_many_models_offers_all(tmp_path):
    for number in range(300):
        save(tmp_path / f"lora-{number:03}.safetensors", "a.w")
    assert len(choices_of(tmp_path)) == 300
    assert len(error_of(tmp_path)) < 600


@pytest.mark.parametrize("name", ["ae.sft", "Model.SAFETENSORS", "MODEL.GGUF", "m.Gguf"])
def test_that_endings_are_known_in_either_case(tmp_path, name):
    if name.lower().endswith("gguf"):
        save_gguf(tmp_path / name, 1)
    else:
        save(tmp_path / name, "a.w")
    assert open_model(tmp_path).files == (tmp_path / name,)
    assert [found.path.name for found in models_at(tmp_path)] == [name]


@pytest.mark.parametrize("projector", ["mmproj-f16.gguf", "G.BF16-mmproj.gguf", "MMPROJ.GGUF"])
def test_that_a_model_with_its_projector_is_one_choice(tmp_path, projector):
    save_gguf(tmp_path / projector, 1)
    assert open_model(tmp_path).files == (tmp_path / projector,)
    save_gguf(tmp_path / "G.BF16.gguf", 4, per_file=2)
    model = open_model(tmp_path)
    assert [file.name for file in model.files] == [f"G.BF16-0000{n}-of-00002.gguf" for n in (1, 2)]
    assert [projector in note for note in model.notes] == [True]
    assert len(list(models_at(tmp_path))) == 1
    save_gguf(tmp_path / "G.Q8_0.gguf", 1)
    assert len(choices_of(tmp_path)) == 2
    assert open_model(tmp_path / projector).files == (tmp_path / projector,)


def test_that_a_matrix_of_importances_is_no_model_beside_one(tmp_path):
    save_gguf(tmp_path / "imatrix-unsloth.gguf", 1)
    assert open_model(tmp_path).files == (tmp_path / "imatrix-unsloth.gguf",)
    save_gguf(tmp_path / "G.Q8_0.gguf", 1)
    model = open_model(tmp_path)
    assert model.files == (tmp_path / "G.Q8_0.gguf",)
    assert ["imatrix-unsloth.gguf" in note for note in model.notes] == [True]


def test_that_a_number_of_something_else_is_no_shard_s(tmp_path):
    save(tmp_path / "epoch-3-of-10.safetensors", "a.w")
    assert "opened alone" in open_model(tmp_path).notes[0]
    save(tmp_path / "epoch-4-of-10.safetensors", "b.w")
    assert "8 more" not in error_of(tmp_path)
    assert "of the model's 10 files are missing" in error_of(tmp_path)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "contains no .safetensors or .gguf file"),
        (("README.md",), "contains no .safetensors or .gguf file"),
        (("pytorch_model.bin", "config.json"), "contains only PyTorch pickle files"),
    ],
)
def test_that_a_folder_without_a_model_says_what_it_has(tmp_path, names, said):
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    assert said in error_of(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_that_a_hugging_face_snapshot_keeps_its_own_paths(tmp_path):
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
    assert open_model(repository) == model
    (choice,) = choices_of(tmp_path)
    assert (choice.name, open_model(choice.path)) == (repository.name, model)
    assert open_model(snapshot / names[1]).tensors == model.tensors
    (repository / "blobs" / f"{1:064x}").unlink()
    message = error_of(snapshot)
    assert str(snapshot / names[1]) in message
    assert "is a link to ../../blobs/" in message


def test_that_a_folder_in_a_snapshot_is_part_of_the_name(tmp_path):
    folder = tmp_path / "models--org--sdxl" / "snapshots" / "abc" / "unet"
    save(folder / "diffusion_pytorch_model.safetensors", "conv_in.weight")
    assert open_model(folder).name == "sdxl/unet"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_that_a_snapshot_whose_files_are_links_opens_by_its_index(tmp_path):
    repository = tmp_path / "models--org--name"
    for commit, number in (("0" * 40, 3), ("1" * 40, 2)):
        snapshot = repository / "snapshots" / commit
        (snapshot / "parts").mkdir(parents=True)
        names = [f"parts/{part}.safetensors" for part in range(number)]
        for name in names:
            save(repository / "blobs" / f"{commit}{name[-13:]}", f"{name}.w")
            (snapshot / name).symlink_to(f"../../../blobs/{commit}{name[-13:]}")
        write_index(repository / "blobs" / commit, {f"{name}.w": name for name in names})
        (snapshot / INDEX).symlink_to(f"../../blobs/{commit}")
    (repository / "refs").mkdir()
    for main in ("1" * 40, "0" * 40):
        (repository / "refs" / "main").write_text(main)
        model = open_model(repository)
        assert model.path == str(repository / "snapshots" / main)
        assert (model.name, len(model.files)) == ("name", 2 + (main == "0" * 40))
        assert [found.path for found in models_at(tmp_path)] == [Path(model.path) / INDEX]


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="root may read every folder"
)
def test_that_an_unreadable_folder_is_named(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0)
    try:
        assert f"{folder}: Permission denied" in error_of(folder)
    finally:
        folder.chmod(0o700)

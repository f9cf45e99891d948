"""Opening by content: names, what is no model, the fingerprint, and models that can't be."""

import os
import sys

import msgspec
import numpy as np
import pytest
from safetensors.numpy import save_file

from modelmon.core.errors import ModelFileError
from modelmon.core.model.fingerprint import fingerprint
from modelmon.core.model.header import HeaderFile
from modelmon.core.model.open import open_file, open_model
from modelmon.core.model.tensors import Block, is_sound


def save(path, shape=(2, 3), name="layers.0.w"):
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: np.zeros(shape, np.float32)}, path)
    return path


@pytest.mark.parametrize("name", ["weights.bin", "noending", "model.gguf", "a b\u00e9.safetensors"])
def test_that_the_content_decides_and_not_the_suffix(tmp_path, name):
    model = open_model(save(tmp_path / name))
    assert model.format == "safetensors"
    assert model.nbytes == 24
    assert model.parameter_count == 6


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Llama-8B/model.safetensors", "Llama-8B"),
        ("Llama-8B/model.fp16.safetensors", "Llama-8B"),
        ("adapter/adapter_model.safetensors", "adapter"),
        ("Mistral-7B/consolidated.safetensors", "Mistral-7B"),
        ("checkpoints/sd_xl_base_1.0.safetensors", "sd_xl_base_1.0"),
        ("flux/flux-dev-00001-of-00001.safetensors", "flux-dev"),
        ("Llama-8B/model-00001-of-00001.safetensors", "Llama-8B"),
    ],
)
def test_that_a_model_is_called_what_a_person_would_call_it(tmp_path, path, name):
    assert open_model(save(tmp_path / path)).name == name


def test_that_a_relative_path_is_made_absolute(tmp_path, monkeypatch):
    save(tmp_path / "m.safetensors")
    monkeypatch.chdir(tmp_path)
    model = open_model("m.safetensors")
    assert model.path == str(tmp_path / "m.safetensors")
    assert model.files == (tmp_path / "m.safetensors",)


def test_that_the_folder_above_has_its_name_and_not_two_dots(tmp_path, monkeypatch):
    save(tmp_path / "Llama-8B" / "model.safetensors")
    (tmp_path / "Llama-8B" / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "Llama-8B" / "inner")
    assert open_model("..").name == "Llama-8B"


def test_that_a_path_to_nothing_says_so(tmp_path):
    with pytest.raises(ModelFileError, match="doesn't exist") as caught:
        open_model(tmp_path / "absent.gguf")
    assert str(tmp_path / "absent.gguf") in caught.value.message


@pytest.mark.parametrize(
    ("name", "content"),
    [("m.gguf", b"GGUF"), ("m.safetensors.index.json", b'{"weight_map": {"a": "b.safetensors"}}')],
)
def test_that_what_stands_in_for_safetensors_says_who_loads_a_model_in_other_files(
    tmp_path, name, content
):
    path = tmp_path / name
    path.write_bytes(content + bytes(99))
    with pytest.raises(ModelFileError) as caught:
        open_file(path)
    assert caught.value.message == f"{path}: this isn't one safetensors file."
    assert caught.value.remedy == "Load it with load_model of modelmon.core."


def test_that_a_path_through_a_file_cannot_be_read(tmp_path):
    path = save(tmp_path / "m.safetensors") / "inner"
    with pytest.raises(ModelFileError, match=r"Couldn't read|doesn't exist"):
        open_model(path)


def test_that_a_path_with_a_zero_byte_is_an_error_and_no_crash():
    with pytest.raises(ModelFileError, match="Couldn't read"):
        open_model("a\0b")


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders")
def test_that_a_pipe_is_refused_without_waiting_for_its_writer(tmp_path):
    os.mkfifo(tmp_path / "pipe.gguf")
    with pytest.raises(ModelFileError, match="isn't a regular file"):
        open_model(tmp_path / "pipe.gguf")


def test_that_the_fingerprint_follows_the_layout_and_not_the_path(tmp_path):
    first = open_model(save(tmp_path / "a" / "model.safetensors"))
    moved = open_model(save(tmp_path / "b" / "other.safetensors"))
    reshaped = open_model(save(tmp_path / "c" / "model.safetensors", (3, 2)))
    renamed = open_model(save(tmp_path / "d" / "model.safetensors", name="layers.1.w"))
    assert fingerprint(first) == fingerprint(moved)
    assert len({fingerprint(model) for model in (first, reshaped, renamed)}) == 3
    assert len(fingerprint(first)) == 64


def test_that_20_000_tensors_open_with_few_reads(write_safetensors, monkeypatch):
    names = [
        f"model.layers.{layer}.mlp.experts.{expert}.{part}.weight"
        for layer in range(20)
        for expert in range(250)
        for part in ("gate", "up", "down", "norm")
    ]
    header = {
        name: {"dtype": "U8", "shape": [1], "data_offsets": [at, at + 1]}
        for at, name in enumerate(names)
    }
    path = write_safetensors(header, bytes(len(names)))
    reads = []
    read = HeaderFile.read

    def counted(file, offset, nbytes):
        reads.append(nbytes)
        return read(file, offset, nbytes)

    monkeypatch.setattr(HeaderFile, "read", counted)
    model = open_model(path)
    assert len(model.tensors) == 20_000
    assert [block.name for block in model.blocks] == [f"layers.{layer}" for layer in range(20)]
    assert len(reads) == 2
    assert sum(reads) < model.shards[0].data_start_bytes + 70_000


change = msgspec.structs.replace


@pytest.fixture(params=["safetensors", "sharded", "gguf"])
def model(request, samples):
    return open_model(samples[request.param])


def test_that_what_was_read_from_files_is_sound(model):
    assert is_sound(model)


@pytest.mark.parametrize(
    "wrong",
    [
        {"shard": 99},
        {"shard": -1},
        {"offset_bytes": -1},
        {"offset_bytes": 2**60},
        {"nbytes": 10**30},
        {"nbytes": -1},
        {"shape": (10**30,)},
        {"shape": (1,) * 1000},
    ],
)
def test_that_a_tensor_that_cannot_be_makes_none(model, wrong):
    first, *others = model.tensors
    assert not is_sound(change(model, tensors=(change(first, **wrong), *others)))


@pytest.mark.parametrize("members", [(), (0, 0), (10**9,), (-1,)])
def test_that_each_tensor_is_in_one_block(model, members):
    assert not is_sound(change(model, blocks=(Block("all", members, 0),)))
    assert not is_sound(change(model, shards=()))

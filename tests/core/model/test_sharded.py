"""Models of several files: indices, numbered shards, folders, and Hugging Face snapshots."""

import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import gguf
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
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

SHARDS = [f"model-0000{number}-of-00003.safetensors" for number in (1, 2, 3)]


def put(path):
    """A model by its ending, or any other file."""
    if path.name.lower().endswith(".gguf"):
        save_gguf(path, 1)
    elif path.name.lower().endswith((".safetensors", ".sft")):
        save(path, "a.w")
    else:
        path.write_bytes(b"x")


def names_of(model):
    return [file.name for file in model.files]


@pytest.mark.parametrize("opened", [INDEX, SHARDS[1], ""])
def test_that_index_shard_and_folder_open_the_same_model(llama, opened):
    model = open_model(llama / opened)
    assert model.name == "tiny-llama"
    assert model.path == str(llama / opened)
    assert names_of(model) == SHARDS
    assert [tensor.shard for tensor in model.tensors] == [0, 0, 1, 1, 2]
    names = ["embeddings", "layers.0", "layers.1", "layers.2", "output"]
    assert [block.name for block in model.blocks] == names


@pytest.mark.parametrize("beside", [(), ("model-00001-of-00002.safetensors",)])
def test_that_missing_shards_are_named_and_counted(llama, beside):
    """Also where one of another set has some of their tensors: that is no index that is old."""
    (llama / SHARDS[1]).unlink()
    for name in beside:
        save(llama / name, "model.layers.1.w")
    for opened in (llama, llama / INDEX, llama / SHARDS[0]):
        assert error_of(opened) == f"{llama / SHARDS[1]} of the model's 3 files is missing."
    (llama / SHARDS[2]).unlink()
    assert f"{SHARDS[1]} and 1 more of the model's 3 files" in error_of(llama)


def test_that_a_tensor_in_two_shards_is_refused_where_no_index_decides(llama):
    save(llama / SHARDS[2], "model.layers.1.w", "model.norm.weight")
    (llama / INDEX).unlink()
    message = error_of(llama)
    assert all(each in message for each in ("'model.layers.1.w'", SHARDS[1], SHARDS[2]))


_SHARDS = st.sampled_from(
    [
        "layers-0.safetensors",
        "mtp.safetensors",
        "model-00001.safetensors",
        "model-00001-of-00001.safetensors",
        "MODEL-VISUAL.SAFETENSORS",
        "ae.sft",
        "model.layers.0/layer.safetensors",
        "a/b/c.safetensors",
    ]
)


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.lists(_SHARDS, min_size=1, unique=True)),
    st.sampled_from(["", "./", "a/../", ".//"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.sampled_from(["model", "diffusion_pytorch_model", "Some-Model.v2"]),
)
def test_that_a_model_is_what_its_index_says(holders, before, mark, stem):
    """Any files, of which the first is the one that the index names for a tensor."""
    assume(holders)
    with TemporaryDirectory() as folder:
        top = Path(folder, "whole")
        named = {tensor: files[0] for tensor, files in holders.items()}
        for file in set(named.values()):
            save(top / file, *(tensor for tensor in holders if file in holders[tensor]))
        more = {"metadata": "text", "version": [1], "weight_map": {}}
        more["weight_map"] = {tensor: before + file for tensor, file in named.items()}
        index = top / f"{stem}.safetensors.index.json"
        index.write_bytes(mark + json.dumps(more).encode())
        # A file is the model of an index of its own folder.
        for opened in (top, index, *(top / file for file in named.values() if "/" not in file)):
            model = open_model(opened)
            files = [file.relative_to(top).as_posix() for file in model.files]
            assert {tensor.name: files[tensor.shard] for tensor in model.tensors} == named
            assert len(model.tensors) == len(named)
            assert model.has_config is False
        (listed,) = models_at(top)
        assert listed.path == index


def test_that_what_an_index_does_not_name_is_not_its_model_s(llama):
    beside = ("consolidated", "model-00001-of-00009", "other")
    for name in beside:
        save(llama / f"{name}.safetensors", "other.w")
    model = open_model(llama)
    assert len(model.files) == 3
    (note,) = model.notes
    assert all(name in note for name in beside)
    assert [found.path.name for found in models_at(llama)] == [INDEX]
    assert open_model(llama / "other.safetensors").name == "other"


@pytest.mark.parametrize("beside", ["model.safetensors", "tiny.gguf", "model.fp16.safetensors"])
def test_that_what_libraries_may_load_instead_is_a_choice(llama, beside):
    put(llama / beside)
    assert [choice.name for choice in choices_of(llama)] == sorted([INDEX, beside])


@pytest.mark.parametrize(
    ("files", "note"),
    [
        (
            ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"],
            "names missing files (3)",
        ),
        (["model.safetensors"], "model.safetensors was opened, as transformers does"),
        (["model-00003-of-00003.safetensors", "model.safetensors"], "model.safetensors was opened"),
    ],
)
def test_that_an_index_that_no_longer_fits_opens_what_is_there(llama, files, note):
    tensors = list(json.loads((llama / INDEX).read_text())["weight_map"])
    for shard in llama.glob("model-*"):
        shard.unlink()
    for number, file in enumerate(files):
        save(llama / file, *tensors[number :: len(files)])
    used = files[-1:] if "model.safetensors" in files else files
    for opened in (llama, llama / INDEX, llama / used[0]):
        model = open_model(opened)
        assert names_of(model) == used
        assert [note in each for each in model.notes] == [True]


def test_that_a_file_without_a_number_opens_before_the_others_are_there(tmp_path):
    save(tmp_path / "model.safetensors", "a.w")
    write_index(tmp_path / INDEX, {"a.w": "model.safetensors", "mtp.w": "mtp.safetensors"})
    assert "mtp.safetensors of the model's 2 files is missing" in error_of(tmp_path)
    (note,) = open_model(tmp_path / "model.safetensors").notes
    assert "opened alone" in note
    save(tmp_path / "mtp.safetensors", "mtp.w")
    assert len(open_model(tmp_path / "model.safetensors").files) == 2


@pytest.mark.parametrize("index", [INDEX, "a.safetensors.index.json"])
def test_that_a_broken_index_gives_way_to_the_one_file_of_its_name(tmp_path, index):
    save(tmp_path / "model.safetensors", "a.w")
    (tmp_path / index).write_text('{"weight_map": ')
    if index == INDEX:
        assert open_model(tmp_path).notes
    else:
        assert len(choices_of(tmp_path)) == 2
    assert open_model(tmp_path / "model.safetensors").files == (tmp_path / "model.safetensors",)


_FP16_BEHIND = [f"model-0000{number}-of-00002.fp16.safetensors" for number in (1, 2)]
_FP16_BEFORE = [f"model.fp16-0000{number}-of-00002.safetensors" for number in (1, 2)]


@pytest.mark.parametrize("shards", [_FP16_BEHIND, _FP16_BEFORE, ["model.fp16.safetensors"]])
@pytest.mark.parametrize(
    "index",
    [
        "",
        "model.safetensors.index.fp16.json",
        "model.safetensors.fp16.index.json",
        "model.fp16.safetensors.index.json",
    ],
)
def test_that_a_variant_is_one_model(tmp_path, shards, index):
    folder = tmp_path / "unet"
    for shard in shards:
        save(folder / shard, f"{shard}.w")
    if index:
        write_index(folder / index, {f"{shard}.w": shard for shard in shards})
    for opened in (folder, folder / shards[-1], folder / (index or shards[0])):
        model = open_model(opened)
        assert (model.name, names_of(model)) == ("unet", shards)
    save(folder / "model-00001-of-00001.safetensors", "a.w")
    opened_files = {open_model(choice.path).files for choice in choices_of(folder)}
    assert {len(files) for files in opened_files} == {1, len(shards)}
    if len(shards) > 1:
        (folder / shards[1]).unlink()
        assert f"{shards[1]} of the model's 2 files is missing" in error_of(folder / shards[0])
        assert None in [choice.size_bytes for choice in choices_of(folder)]


def test_that_an_index_must_not_promise_what_no_shard_has(llama):
    index = json.loads((llama / INDEX).read_text())["weight_map"]
    write_index(llama / INDEX, {**index, "model.layers.9.w": SHARDS[0]})
    message = error_of(llama)
    assert message == f"{llama / INDEX} names tensor 'model.layers.9.w', which no shard has."


_OUTSIDE = [
    *("../secret.safetensors", "b/../../secret.safetensors", "/secret.safetensors"),
    *("elsewhere/secret.safetensors", "..\\secret.safetensors", "", "/etc/passwd"),
    "pytorch_model.bin",
]


@pytest.mark.parametrize(
    ("weight_map", "said"),
    [
        *(({"a": name}, repr(name)) for name in _OUTSIDE),
        ({"a": 1}, "Expected `str`"),
        ({}, "weight_map is empty"),
    ],
)
def test_that_an_index_names_files_in_its_folder_only(tmp_path, weight_map, said):
    save(tmp_path / "secret.safetensors", "a")
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "elsewhere").symlink_to("..", target_is_directory=True)
    write_index(folder / INDEX, weight_map)
    message = error_of(folder / INDEX)
    assert str(folder / INDEX) in message
    assert said in message


@pytest.mark.parametrize("content", [b"{}", b"[]", b"", b"\xff", b'{"weight_map":'])
def test_that_other_json_is_no_index(tmp_path, content):
    path = tmp_path / "config.json"
    path.write_bytes(content)
    assert f"{path}: this is not an index of safetensors shards" in error_of(path)


@pytest.mark.parametrize("opened", ["big-00001-of-00003.gguf", "big-00003-of-00003.gguf", ""])
def test_that_a_split_gguf_opens_by_any_part(tmp_path, opened):
    save_gguf(tmp_path / "big.gguf", 6, per_file=2)
    model = open_model(tmp_path / opened)
    assert (model.name, model.format, len(model.shards)) == ("big", "gguf", 3)
    assert [tensor.name for tensor in model.tensors] == [f"blk.{number}.w" for number in range(6)]
    official = {
        tensor.name: (str(path), tensor.data_offset)
        for path in model.files
        for tensor in gguf.GGUFReader(path).tensors
    }
    ours = {t.name: (model.shards[t.shard].path, t.offset_bytes) for t in model.tensors}
    assert ours == official


def test_that_parts_with_other_names_or_formats_are_refused(tmp_path):
    save_gguf(tmp_path / "big.gguf", 4, per_file=2)
    first, second = (tmp_path / f"big-0000{number}-of-00002.gguf" for number in (1, 2))
    first.rename(tmp_path / "other.gguf")
    second.rename(first)
    (tmp_path / "other.gguf").rename(second)
    assert f"{first}: split.no is 1 and split.count 2" in error_of(first)
    renamed = first.rename(tmp_path / "renamed.gguf")
    assert "split.no is 1 and split.count 2, but by name it is file 0 of 1" in error_of(renamed)
    save(tmp_path / "m-00001-of-00002.safetensors", "a.w")
    save_gguf(tmp_path / "m-00002-of-00002.safetensors", 1)
    message = error_of(tmp_path / "m-00001-of-00002.safetensors")
    assert "some files of the model are safetensors and some GGUF" in message


@pytest.mark.parametrize("number", ["00003-of-00002", "00000-of-00002", "000001-of-999999"])
def test_that_an_impossible_number_is_part_of_a_plain_name(tmp_path, number):
    save(tmp_path / f"m-{number}.safetensors", "a.w")
    assert len(open_model(tmp_path / f"m-{number}.safetensors").shards) == 1


@pytest.mark.parametrize(
    ("models", "beside"),
    [
        (["model.safetensors"], ["config.json", "pytorch_model.bin", "._model.safetensors"]),
        *(([name], []) for name in ("ae.sft", "Model.SAFETENSORS", "MODEL.GGUF", "m.Gguf")),
        *(([name], []) for name in ("mmproj-f16.gguf", "MMPROJ.GGUF", "imatrix-unsloth.gguf")),
        *(
            (["G.Q8_0.gguf"], [name])
            for name in ("mmproj-f16.gguf", "G.BF16-mmproj.gguf", "imatrix-unsloth.gguf")
        ),
        (["G.BF16.gguf", "G.Q8_0.gguf"], ["MMPROJ.GGUF"]),
    ],
)
def test_that_what_accompanies_a_model_is_no_choice(tmp_path, models, beside):
    for name in (*models, *beside):
        put(tmp_path / name)
    assert sorted(found.path.name for found in models_at(tmp_path)) == models
    if len(models) > 1:
        assert len(choices_of(tmp_path)) == len(models)
        return
    model = open_model(tmp_path)
    assert names_of(model) == models
    for name in (name for name in beside if name.endswith(".gguf")):
        assert [name in note for note in model.notes] == [True]
        assert names_of(open_model(tmp_path / name)) == [name]


def test_that_a_folder_with_many_models_lists_them(llama):
    save_gguf(llama / "tiny-Q4_K_M.gguf", 1)
    save_gguf(llama / "tiny-Q8_0.gguf", 4, per_file=2)
    message = error_of(llama)
    for said in ("contains 3 models", INDEX, "tiny-Q4_K_M.gguf", "tiny-Q8_0-00001-of-00002.gguf"):
        assert said in message
    for number in range(300):
        save(llama / f"lora-{number:03}.gguf", "a.w")
    assert len(choices_of(llama)) == 303
    assert len(error_of(llama)) < 700


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
        put(tmp_path / name)
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
    save(snapshot / "unet" / "diffusion_pytorch_model.safetensors", "conv_in.weight")
    assert open_model(snapshot / "unet").name == "Tiny-Llama-1B/unet"
    (repository / "blobs" / f"{1:064x}").unlink()
    message = error_of(snapshot)
    assert str(snapshot / names[1]) in message
    assert "is a link to ../../blobs/" in message


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

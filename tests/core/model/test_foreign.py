"""Files that are no model: what they are called, and a next step that works."""

import bz2
import gzip
import io
import json
import lzma
import pickle
import shlex
import struct
import subprocess
import zipfile

import numpy as np
import pytest
from safetensors.numpy import save
from tests.core.model.model_files import save_gguf

from modelmon.core.errors import ModelFileError
from modelmon.core.model.open import open_model

LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 16060556288\n"
WEIGHTS = save({"a": np.arange(99, dtype=np.float32), "b": np.zeros(7, np.int8)})


def zipped(*names):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, b"x" * 200)
    return made.getvalue()


def error_of(path):
    with pytest.raises(ModelFileError) as caught:
        open_model(path)
    assert str(path) in caught.value.message
    return caught.value


@pytest.mark.parametrize(
    ("content", "said", "remedy"),
    [
        (b"", "the file is empty", "Download the file again"),
        (bytes(4096), "zeros only", "Download the file again"),
        (LFS_POINTER, "Git LFS pointer", "git lfs pull"),
        (b"/annex/objects/SHA256E-s5--00.gguf\n", "git-annex pointer", "git annex get"),
        (zipped("archive/data.pkl", "archive/data/0"), "PyTorch pickle", "convert"),
        (pickle.dumps({"a": [1]}, 2), "PyTorch pickle", "convert"),
        (pickle.dumps({"a": [1]}, 4), "PyTorch pickle", "convert"),
        (pickle.dumps({"a": [1]}, 0), "PyTorch pickle", "convert"),
        (b"tjgg\x03\x00\x00\x00", "the format before GGUF", "GGUF"),
        (b"\x89HDF\r\n", "HDF5", "convert"),
        (
            b"<!DOCTYPE html><style>p {}</style><p>404</p>",
            'text, not a model: "404"',
            "Read",
        ),
        (b"<?xml?><Error><Code>AccessDenied</Code></Error>", ': "AccessDenied"', "Read what it"),
        (b'{"error": "Repository not found"}', "Repository not found", "Read what it says"),
        ("Accès refusé\n".encode(), ': "Accès refusé".', "Read what it says"),
        (bz2.compress(b"x"), "compressed with bzip2", "bzip2 -dc model"),
        (b"\x28\xb5\x2f\xfd", "compressed with zstd", "zstd -dc model"),
    ],
)
@pytest.mark.parametrize("name", ["model.safetensors", "model.gguf", "model.ckpt"])
def test_that_a_file_of_another_kind_is_recognised(tmp_path, content, said, remedy, name):
    path = tmp_path / name
    path.write_bytes(content)
    error = error_of(path)
    assert said in error.message
    assert remedy in error.remedy


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("model.npz", zipped("a.npy", "b.npy"), "a NumPy archive (.npz)"),
        ("model.keras", zipped("metadata.json", "model.weights.h5"), "a Keras model"),
        ("model.task", zipped("TF_LITE_PREFILL_DECODE", "METADATA"), "a LiteRT"),
        ("old.bin", pickle.dumps({"a": 1}, 1), "a PyTorch pickle"),
        ("openvino.bin", b"\x00\x3c\x00\x3d", "neither safetensors nor GGUF"),
        ("model.nemo", b"a.ckpt".ljust(257, b"\0") + b"ustar", "a tar archive"),
        ("model.zip", zipped("model.safetensors"), "a zip archive"),
        ("notes.md", b"# Notes", "text, not a model"),
        ("model.onnx", b"\x08\x07\x12\xff", "begins with 08 07 12 ff"),
    ],
)
def test_that_each_kind_has_its_own_name(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    error = error_of(tmp_path / name)
    assert said in error.message
    assert ("pickle" in error.message) == ("pickle" in said)


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress), ("", gzip.compress)]
)
def test_that_the_command_that_unpacks_makes_the_model(tmp_path, suffix, compress):
    path = tmp_path / f"my model.safetensors{suffix}"
    path.write_bytes(compress(WEIGHTS))  # type: ignore[operator]
    command = error_of(path).remedy.partition(": ")[2]
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    assert open_model(tmp_path / shlex.split(command)[-1]).nbytes == 99 * 4 + 7


PARTS = {
    "of": [f"my model.safetensors.part{number}of12" for number in range(1, 13)],
    "letters": [f"m.safetensors-split-{letter}" for letter in "abc"],
    "split": [f"m.safetensors.parta{letter}" for letter in "abc"],
    "bare": [f"m.safetensors.{number:03}" for number in range(3)],
    "numbers": [f"m.safetensors_part_{number}" for number in range(11)],
}


@pytest.mark.parametrize("names", PARTS.values(), ids=PARTS.keys())
def test_that_parts_of_a_file_are_joined_by_the_command_that_is_named(tmp_path, names):
    each = -(-len(WEIGHTS) // len(names))
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(WEIGHTS[number * each : (number + 1) * each])
    with pytest.raises(ModelFileError) as caught:
        open_model(tmp_path)
    remedies = {caught.value.remedy, *(error_of(tmp_path / name).remedy for name in names)}
    (remedy,) = remedies
    command = remedy.partition(": ")[2]
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    assert (tmp_path / shlex.split(command)[-1]).read_bytes() == WEIGHTS


def test_that_a_part_without_the_others_asks_for_them(tmp_path):
    (tmp_path / "m.gguf.part2of3").write_bytes(bytes(range(200)))
    assert "Download all 3 parts" in error_of(tmp_path / "m.gguf.part2of3").remedy


@pytest.mark.parametrize(
    "name",
    [
        "m.safetensors.incomplete",
        "m.safetensors.part",
        "m.safetensors.crdownload",
        "m.safetensors.downloadInProgress",
        "m.safetensors.aria2",
        f"{'0a' * 32}.incomplete",
        f"sha256-{'0a' * 32}-partial",
    ],
)
@pytest.mark.parametrize("has_bytes", [4, 60, 400])
def test_that_an_unfinished_download_is_to_be_finished(tmp_path, name, has_bytes):
    (tmp_path / name).write_bytes(WEIGHTS[:has_bytes])
    assert "Finish it with the program that began it" in error_of(tmp_path / name).remedy
    with pytest.raises(ModelFileError, match="unfinished download"):
        open_model(tmp_path)


def test_that_a_file_cut_in_its_header_is_cut_off(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(WEIGHTS[:40])
    (header,) = struct.unpack("<Q", WEIGHTS[:8])
    error = error_of(path)
    assert f"cut off within its header, which ends at byte {8 + header}" in error.message
    assert "the file has 40 bytes" in error.message
    assert error.remedy == "Finish or repeat the download."
    for has_bytes in (6, 8):
        path.write_bytes(WEIGHTS[:has_bytes])
        assert "cut off within its first 8 bytes" in error_of(path).message
        assert error_of(path).remedy == error.remedy


def test_that_a_json_file_that_is_no_index_names_the_model(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(WEIGHTS)
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    assert error_of(tmp_path / "config.json").remedy == "Open model.safetensors."
    index = tmp_path / "other.safetensors.index.json"
    for answer in (json.dumps({"error": "Access denied"}), "<html><p>Access denied</p></html>"):
        index.write_text(answer)
        assert "an error message, not an index" in error_of(index).message
        assert "Access denied" in error_of(index).message
    index.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    assert "git lfs pull" in error_of(index).remedy


def test_that_split_files_joined_with_cat_are_to_be_merged(tmp_path):
    save_gguf(tmp_path / "m.gguf", tensors=4, per_file=2)
    parts = sorted(tmp_path.glob("m-*.gguf"))
    joined = tmp_path / "joined.gguf"
    joined.write_bytes(b"".join(part.read_bytes() for part in parts))
    error = error_of(joined)
    assert "joined with cat" in error.message
    assert "llama-gguf-split --merge" in error.remedy


def test_that_a_missing_annexed_file_is_to_be_got(tmp_path):
    (tmp_path / "m.gguf").symlink_to(".git/annex/objects/1/2/m.gguf")
    assert "git annex get" in error_of(tmp_path / "m.gguf").remedy


def test_that_the_parts_of_a_gguf_are_to_be_joined(tmp_path):
    save_gguf(tmp_path / "whole.gguf", tensors=1)
    for name, data in (
        ("m.gguf.part1of2", (tmp_path / "whole.gguf").read_bytes()[:70]),
        ("m.gguf.part2of2", b"\xff"),
    ):
        (tmp_path / name).write_bytes(data)
    assert "cat m.gguf.part1of2 m.gguf.part2of2" in error_of(tmp_path / "m.gguf.part1of2").remedy

"""GGUF files as the official package writes and reads them."""

import os
import struct

import gguf
import numpy as np
import pytest

from modelmon.core.errors import ModelFileError
from modelmon.core.model.ggml_types import GGML_TYPES
from modelmon.core.model.open import open_model

TYPES = list(gguf.GGMLQuantizationType)


def add_tensor(writer, name, kind):
    """A tensor of 3 rows of 512 values."""
    values, nbytes = gguf.GGML_QUANT_SIZES[kind]
    rows = np.frombuffer(os.urandom(3 * 512 // values * nbytes), np.uint8).reshape(3, -1)
    native = {"F16": "f2", "F32": "f4", "F64": "f8", "I8": "i1", "I16": "i2", "I32": "i4"}
    native["I64"] = "i8"
    if kind.name in native:
        writer.add_tensor(name, rows.view(native[kind.name]))
    else:
        writer.add_tensor(name, rows, raw_dtype=kind)


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def assert_agrees_with_the_package(path):
    official = {tensor.name: tensor for tensor in gguf.GGUFReader(path).tensors}
    ours = open_model(path).tensors
    assert {tensor.name for tensor in ours} == official.keys()
    for tensor in ours:
        theirs = official[tensor.name]
        assert tensor.dtype == theirs.tensor_type.name
        assert tensor.shape == tuple(reversed(theirs.shape.tolist()))
        assert tensor.offset_bytes == theirs.data_offset
        assert tensor.nbytes == theirs.n_bytes


def test_that_our_table_of_types_is_the_packages():
    theirs = {int(kind): (kind.name, *gguf.GGML_QUANT_SIZES[kind]) for kind in TYPES}
    # ggml has it since June 2026, and the package with its next release.
    theirs.setdefault(42, ("Q2_0", 64, 18))
    assert {number: tuple(kind) for number, kind in GGML_TYPES.items()} == theirs


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_that_each_type_reads_as_the_package_reads_it(tmp_path, kind):
    path = tmp_path / "model.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    add_tensor(writer, "blk.0.attn_q.weight", kind)
    add_tensor(writer, "blk.1.attn_q.weight", kind)
    finish(writer)
    assert_agrees_with_the_package(path)


@pytest.mark.parametrize("alignment", [8, 32, 4096])
def test_that_the_alignment_places_the_data(tmp_path, alignment):
    path = tmp_path / "model.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_custom_alignment(alignment)
    for number in range(5):
        writer.add_tensor(f"blk.{number}.w", np.zeros(3 + number, np.float32))
    finish(writer)
    assert_agrees_with_the_package(path)
    assert open_model(path).shards[0].data_start_bytes % alignment == 0


def test_that_metadata_become_text_and_arrays_a_summary(tmp_path):
    path = tmp_path / "tiny-Q8_0.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("Größe")
    writer.add_token_list([f"token {number}" for number in range(1000)])
    writer.add_token_scores([0.5] * 1000)
    writer.add_array("flags", [True, False])
    writer.add_bool("flag", True)
    writer.add_uint8("u8", 255)
    writer.add_int8("i8", -1)
    writer.add_uint16("u16", 65535)
    writer.add_int16("i16", -2)
    writer.add_int32("i32", -3)
    writer.add_uint64("u64", 2**64 - 1)
    writer.add_int64("i64", -(2**63))
    writer.add_float32("f32", 1e-5)
    writer.add_float64("f64", 0.1)
    writer.add_string("long", "x" * 100_000)
    add_tensor(writer, "blk.0.w", gguf.GGMLQuantizationType.Q8_0)
    finish(writer)
    model = open_model(path)
    metadata = dict(model.metadata)
    assert model.name == "tiny-Q8_0"
    assert metadata.pop("long") == "x" * 65536 + "… (100000 bytes)"
    assert metadata == {
        "general.architecture": "llama",
        "general.name": "Größe",
        "tokenizer.ggml.tokens": "[1000 strings]",
        "tokenizer.ggml.scores": "[1000 float32s]",
        "flags": "[2 bools]",
        "flag": "true",
        "u8": "255",
        "i8": "-1",
        "u16": "65535",
        "i16": "-2",
        "i32": "-3",
        "u64": str(2**64 - 1),
        "i64": str(-(2**63)),
        "f32": "1e-05",
        "f64": "0.1",
    }


def test_that_a_vocabulary_larger_than_a_read_window_is_skipped(tmp_path):
    path = tmp_path / "model.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    lengths = np.random.default_rng(2).integers(0, 40, 20_000)
    writer.add_token_list(["x" * int(length) for length in lengths])
    writer.add_token_merges(["m" * 300_000, "", "n"])
    writer.add_token_types([1] * 20_000)
    add_tensor(writer, "token_embd.weight", gguf.GGMLQuantizationType.Q4_K)
    finish(writer)
    assert_agrees_with_the_package(path)
    assert open_model(path).metadata["tokenizer.ggml.merges"] == "[3 strings]"


def test_that_version_2_is_read(tmp_path):
    path = tmp_path / "model.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    add_tensor(writer, "blk.0.w", gguf.GGMLQuantizationType.Q6_K)
    finish(writer)
    # The two versions differ in what they allow, not in how a file is laid out.
    raw = path.read_bytes()
    path.write_bytes(raw[:4] + struct.pack("<I", 2) + raw[8:])
    assert_agrees_with_the_package(path)


def test_that_a_header_cut_off_anywhere_is_refused(tmp_path):
    path = tmp_path / "model.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_token_list(["a", "b"])
    add_tensor(writer, "blk.0.w", gguf.GGMLQuantizationType.Q6_K)
    finish(writer)
    whole = path.read_bytes()
    (tensor,) = open_model(path).tensors
    end = tensor.offset_bytes + tensor.nbytes
    for length in [*range(0, tensor.offset_bytes, 3), end - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(ModelFileError):
            open_model(path)

"""GGUF files as the official package writes and reads them, and every way to be wrong."""

import os
import struct

import gguf
import numpy as np
import pytest

from modelmon.core.errors import ConfigError, ModelFileError
from modelmon.core.load.api import load_model
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
    for length in [*range(4, tensor.offset_bytes, 3), end - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(ModelFileError) as caught:
            open_model(path)
        assert caught.value.remedy == "Finish or repeat the download."


UINT32, FLOAT32, STRING, ARRAY = 4, 6, 8, 9


def text(value):
    raw = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<Q", len(raw)) + raw


def head(tensors=1, pairs=0, version=3):
    return b"GGUF" + struct.pack("<IQQ", version, tensors, pairs)


def info(name="blk.0.w", dims=(32,), kind=0, offset=0):
    dims = tuple(dims)
    places = struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, kind, offset)
    return text(name) + places


def data_after(*parts, nbytes=128):
    """The parts, padding to the alignment of 32, and so much data."""
    return (*parts, bytes(-sum(map(len, parts)) % 32), os.urandom(nbytes))


def uint32(key, value):
    return text(key) + struct.pack("<II", UINT32, value)


@pytest.mark.parametrize("number", [36, 43, 137, 156, 999])
def test_that_a_type_that_is_not_known_has_the_bytes_up_to_the_next_tensor(write_gguf, number):
    infos = info("b", (256, 2), number, 64), info("a", (16,), 0, 0), info("c", (256,), number, 224)
    path = write_gguf(*data_after(head(3), *infos, nbytes=320))
    model = open_model(path)
    assert [(t.name, t.dtype, t.nbytes) for t in model.tensors] == [
        ("a", "F32", 64),
        ("b", f"type {number}", 160),
        ("c", f"type {number}", 96),
    ]
    with load_model(path) as loaded:
        assert bytes(loaded["c"].reshape(-1).data) == path.read_bytes()[-96:]
    assert load_model(path, tensors="a", decode="float32")["a"].dtype == np.float32
    with pytest.raises(ConfigError, match=f"type {number} can't be decoded") as caught:
        load_model(path, decode="float32")
    assert "without decoding" in caught.value.remedy


@pytest.mark.parametrize(
    ("number", "instead"), [(4, "Q4_0"), (31, "Q4_0"), (32, "Q4_0"), (33, "Q4_0"), (38, "IQ4_NL")]
)
def test_that_a_removed_type_has_a_next_step(write_gguf, number, instead):
    with pytest.raises(ModelFileError) as caught:
        open_model(write_gguf(*data_after(head(), info(kind=number))))
    assert caught.value.remedy == f"Requantize the model to {instead}."


def test_that_arrays_of_arrays_are_passed_over_as_the_package_does(write_gguf):
    inner = struct.pack("<IQ2i", 5, 2, 7, 8) + struct.pack("<IQ", STRING, 1) + text("x")
    pair = text("nested") + struct.pack("<IIQ", ARRAY, ARRAY, 2) + inner
    path = write_gguf(*data_after(head(1, 2), pair, uint32("after", 5), info()))
    assert len(gguf.GGUFReader(path).tensors) == 1
    assert open_model(path).metadata == {"nested": "[2 arrays]", "after": "5"}


WRONG = [
    ("GGUF version is 1; versions 2 and 3", (head(version=1),)),
    ("GGUF version is 4; versions 2 and 3", (head(version=4),)),
    ("big-endian", (b"GGUF" + struct.pack(">IQQ", 3, 1, 0),)),
    ("tensor_count takes 8 bytes", (b"GGUF" + struct.pack("<I", 3),)),
    (f"tensor_count is {2**63}; at most 2 are possible", (head(2**63), bytes(48))),
    (f"metadata_kv_count is {2**40}; at most 2 are possible", (head(0, 2**40), bytes(26))),
    (
        f"the length of a metadata key is {2**60} at byte 24; at most 20 is possible",
        (head(0, 1), struct.pack("<Q", 2**60), bytes(20)),
    ),
    (
        r"metadata key 0 is not UTF-8: b'\xff'",
        (head(0, 1), text(b"\xff"), struct.pack("<II", UINT32, 1)),
    ),
    ("metadata key 'a' is there twice", (head(0, 2), uint32("a", 1), uint32("a", 2))),
    ("the type of 'a' is 13; possible are", (head(0, 1), text("a"), struct.pack("<II", 13, 0))),
    (
        "the length of the text of 'a' is 5 at byte 37; at most 4 is possible",
        (head(0, 1), text("a"), struct.pack("<IQ", STRING, 5), b"abcd"),
    ),
    (
        f"the length of the array 'a' is {2**62}; at most 2 are possible",
        (head(0, 1), text("a"), struct.pack("<IIQ", ARRAY, FLOAT32, 2**62), bytes(8)),
    ),
    (
        "the length of the array 'a' is 3; at most 2 are possible",
        (head(0, 1), text("a"), struct.pack("<IIQ", ARRAY, STRING, 3), bytes(16)),
    ),
    (
        "the array 'a' takes",
        (
            head(0, 1),
            text("a"),
            struct.pack("<IIQ", ARRAY, STRING, 1),
            struct.pack("<Q", 2**64 - 1),
        ),
    ),
    (
        "the type of items of the array 'a' is 9",
        (head(0, 1), text("a"), struct.pack("<I", ARRAY), *[struct.pack("<IQ", ARRAY, 1)] * 9),
    ),
    (
        "the type of items of the array 'a' is 99",
        (head(0, 1), text("a"), struct.pack("<IIQ", ARRAY, 99, 1), bytes(16)),
    ),
    (
        "general.alignment is 0; a power of two",
        (head(1, 1), uint32("general.alignment", 0), info()),
    ),
    ("general.alignment is 24", (head(1, 1), uint32("general.alignment", 24), info())),
    (
        "general.alignment is xxx",
        (head(1, 1), text("general.alignment"), struct.pack("<I", STRING), text("x" * 50), info()),
    ),
    (f"the length of a tensor's name is {2**32}", (head(), struct.pack("<Q", 2**32), bytes(40))),
    ("the name of tensor 0 is not", data_after(head(), info(b"\xfe"))),
    (
        "tensor 'blk.0.w': n_dimensions is 9; at most 8 is possible",
        data_after(head(), info(dims=[1] * 9)),
    ),
    (
        "tensor 'blk.0.w': type is 31, Q4_0_4_4, which llama.cpp removed",
        data_after(head(), info(kind=31)),
    ),
    (
        "the file is cut off",
        data_after(head(2), info("a", kind=137), info("b", kind=137, offset=128)),
    ),
    (
        "another GGUF file begins at byte",
        data_after(head(), info(), nbytes=128) + data_after(head(), info()),
    ),
    ("is too large for any file", data_after(head(), info(dims=(2**33, 2**33)))),
    (
        "shape [2, 128] cannot be Q4_K, which packs rows in groups of 256",
        data_after(head(), info(dims=(128, 2), kind=12)),
    ),
    ("offset is 4; multiples of the alignment 32", data_after(head(), info(dims=(1,), offset=4))),
    (
        "tensor 'b' starts at byte 192, inside the tensor before it, which ends at 224",
        data_after(head(2), info("a"), info("b", offset=96), nbytes=256),
    ),
    (
        "two tensors are called 'a'",
        data_after(head(2), info("a"), info("a", offset=128), nbytes=256),
    ),
    ("the file is cut off", data_after(head(), info(), nbytes=127)),
    ("contains no tensors", (head(0, 0),)),
]


@pytest.mark.parametrize(("said", "parts"), WRONG, ids=range(len(WRONG)))
def test_that_a_wrong_header_is_refused_with_its_file_and_field(write_gguf, said, parts):
    path = write_gguf(*parts)
    with pytest.raises(ModelFileError) as caught:
        open_model(path)
    assert str(path) in caught.value.message
    assert said in caught.value.message
    assert caught.value.remedy

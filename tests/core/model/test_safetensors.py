"""Safetensors headers: agreement with the official library, and every way to be wrong."""

import os
import struct

import numpy as np
import pytest
from safetensors import SafetensorError, TensorSpec, deserialize, safe_open, serialize_file
from safetensors.numpy import save_file
from tests.core.model.model_files import entry

from modelmon.core.errors import ModelFileError
from modelmon.core.model.open import open_model
from modelmon.core.model.safetensors import DTYPE_BITS

# As the library calls types in Python, with bytes for four values.
WRITABLE = {
    **dict.fromkeys(
        ["bool", "int8", "uint8", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2"], 4
    ),
    **dict.fromkeys(["float8_e5m2fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2"], 4),
    **dict.fromkeys(["int16", "uint16", "float16", "bfloat16"], 8),
    **dict.fromkeys(["int32", "uint32", "float32"], 16),
    **dict.fromkeys(["int64", "uint64", "float64", "complex64"], 32),
}


def assert_agrees_with_the_library(path):
    model = open_model(path)
    content = path.read_bytes()
    official = dict(deserialize(content))
    assert {tensor.name for tensor in model.tensors} == official.keys()
    for tensor in model.tensors:
        theirs = official[tensor.name]
        end = tensor.offset_bytes + tensor.nbytes
        assert tensor.dtype == theirs["dtype"]
        assert list(tensor.shape) == list(theirs["shape"])
        assert content[tensor.offset_bytes : end] == theirs["data"]


def test_that_a_file_of_the_official_writer_reads_as_the_library_reads_it(tmp_path):
    random = np.random.default_rng(1)
    path = tmp_path / "model.safetensors"
    save_file(
        {
            "model.layers.10.mlp.weight": random.random((3, 5, 7), dtype=np.float32),
            "model.layers.2.mlp.weight": random.integers(0, 255, (4, 4), dtype=np.uint8),
            "model.norm.bias": random.random(9).astype(np.float16),
            "scalar": np.array(1.5),
            "empty": np.zeros((0, 4), dtype=np.int64),
        },
        path,
        metadata={"format": "np", "note": "déjà vu"},
    )
    assert_agrees_with_the_library(path)
    assert open_model(path).metadata == {"format": "np", "note": "déjà vu"}


@pytest.mark.parametrize("dtype", WRITABLE)
def test_that_every_type_the_official_writer_knows_is_read(tmp_path, dtype):
    path = tmp_path / "model.safetensors"
    data = np.frombuffer(os.urandom(2 * WRITABLE[dtype]), dtype=np.uint8)
    half = WRITABLE[dtype]
    specs = {
        name: TensorSpec(dtype=dtype, shape=[1, 4], data_ptr=data.ctypes.data + at, data_len=half)
        for name, at in (("a", 0), ("b", half))
    }
    serialize_file(specs, path)
    assert_agrees_with_the_library(path)


@pytest.mark.parametrize("dtype", DTYPE_BITS)
def test_that_our_sizes_are_the_ones_the_library_accepts(write_safetensors, dtype):
    for bits in (1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 128):
        path = write_safetensors({"x": entry(dtype, [8], 0, bits)}, bytes(bits))
        try:
            with safe_open(path, framework="np") as file:
                accepted = list(file.keys()) == ["x"]
        except SafetensorError:
            accepted = False
        assert accepted == (bits == DTYPE_BITS[dtype])


X = b'"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}'
ACCEPTED = {
    "spaces after the header": b"{" + X + b"}   ",
    "spaces before the header": b" {" + X + b"}",
    "metadata of null": b'{"__metadata__":null,' + X + b"}",
    "metadata like a tensor": b'{"__metadata__":{"shape":"a","dtype":"b"},' + X + b"}",
    "an unknown field": b"{" + X[:-1] + b',"note":[{}]}}',
    "an empty name": b"{" + X.replace(b"x", b"") + b"}",
    "a name with a zero": b"{" + X.replace(b"x", b"a\\u0000b") + b"}",
    "the same entry twice": b"{" + X + b"," + X + b"}",
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_that_odd_but_right_files_read_as_the_library_reads_them(write_safetensors, case):
    assert_agrees_with_the_library(write_safetensors(ACCEPTED[case], b"."))


WRONG = [
    ("neither safetensors nor GGUF", b"[]", 0),
    ("not a JSON object", b"{nonsense}", 0),
    ("not a JSON object", b'{"\xff":1}', 0),
    ("not a JSON object", b"{}\0\0", 0),
    (
        "not a JSON object: maximum recursion",
        b'{"x":{"note":' + b"[" * 99_999 + b"]" * 99_999 + b"}}",
        0,
    ),
    (
        "tensor 'x' has dtype twice",
        b'{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"dtype":"U8"}}',
        1,
    ),
    (
        "tensor 'x' has shape twice",
        b'{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"sh\\u0061pe":[1]}}',
        1,
    ),
    ("__metadata__ twice", b'{"__metadata__":{},"__metadata__":{"a":"b"}}', 0),
    (
        "tensor 'x': Expected `object`",
        b'{"x":0,"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        1,
    ),
    (
        "tensor 'x': unsupported dtype 'Z'",
        b'{"x":{"dtype":"Z","shape":[1],"data_offsets":[0,1]},'
        b'"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        1,
    ),
    ("__metadata__ does not map text", {"__metadata__": {"a": 1}}, 0),
    ("__metadata__ does not map text", {"__metadata__": []}, 0),
    ("unsupported dtype 'U4'. Supported: BOOL", {"x": entry("U4", [2], 0, 1)}, 1),
    ("required field `dtype`", {"x": {"shape": [], "data_offsets": [0, 0]}}, 0),
    ("required field `shape`", {"x": {"dtype": "U8", "data_offsets": [0, 0]}}, 0),
    ("required field `data_offsets`", {"x": {"dtype": "U8", "shape": []}}, 0),
    ("`int` >= 0 - at `$.shape[0]`", {"x": entry("U8", [-1], 0, 1)}, 1),
    ("at `$.shape[0]`", b'{"x":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}}', 1),
    ("at `$.shape[0]`", b'{"x":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}}', 1),
    (
        "length 2 - at `$.data_offsets`",
        {"x": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1, 1]}},
        1,
    ),
    ("[1, 0]; the end cannot lie before", {"x": entry("U8", [1], 1, 0)}, 1),
    (
        "tensor 'y': data_offsets is [2, 3], which leaves a hole before it; it must start at 1",
        {"x": entry("U8", [1], 0, 1), "y": entry("U8", [1], 2, 3)},
        3,
    ),
    ("leaves a hole", {"x": entry("U8", [1], 1, 2)}, 2),
    (
        "tensor 'y': data_offsets is [1, 3], which overlaps",
        {"x": entry("U8", [2], 0, 2), "y": entry("U8", [2], 1, 3)},
        3,
    ),
    (
        "overlaps the tensor before it",
        {"x": entry("U8", [1], 0, 1), "y": entry("U8", [1], 0, 1)},
        1,
    ),
    (
        "[0, 59], 59 bytes; shape [3, 5] of F32 needs 60 bytes",
        {"x": entry("F32", [3, 5], 0, 59)},
        59,
    ),
    ("needs 12 bits, not whole bytes", {"x": entry("F4", [3], 0, 2)}, 2),
    (
        "shape [4611686018427387904, 4611686018427387904] is too large for any file",
        {"x": entry("F32", [2**62, 2**62], 0, 4)},
        4,
    ),
    ("the file is cut off", {"x": entry("F32", [1000], 0, 4000)}, 3999),
    ("2 bytes after the last tensor", {"x": entry("U8", [1], 0, 1)}, 3),
]


@pytest.mark.parametrize(("said", "header", "data_bytes"), WRONG, ids=range(len(WRONG)))
def test_that_a_wrong_header_is_refused_with_its_file_and_field(
    write_safetensors, said, header, data_bytes
):
    path = write_safetensors(header, bytes(data_bytes))
    with pytest.raises(SafetensorError), safe_open(path, framework="np"):
        pass
    with pytest.raises(ModelFileError) as caught:
        open_model(path)
    assert str(path) in caught.value.message
    assert said in caught.value.message
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("length", "said"),
    [
        (0, "the header length is 0; from 2 to 100000000 is possible"),
        (1, "the header length is 1"),
        (3, "cut off within its header, which ends at byte 11; the file has 10 bytes"),
        (2**63, f"the header length is {2**63}"),
    ],
)
def test_that_a_wrong_header_length_is_refused(tmp_path, length, said):
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", length) + b"{}")
    with pytest.raises(ModelFileError, match=said):
        open_model(path)

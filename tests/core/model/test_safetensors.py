"""Safetensors headers: agreement with the official library, and every way to be wrong."""

import os

import numpy as np
import pytest
from safetensors import SafetensorError, TensorSpec, deserialize, safe_open, serialize_file
from safetensors.numpy import save_file
from tests.core.model.model_files import entry

from modelmon.core.model.open import open_model
from modelmon.core.model.safetensors import DTYPE_BITS

# The library's names for types in its Python interface, with bytes for four values.
WRITABLE = {
    "bool": 4,
    "int8": 4,
    "uint8": 4,
    "int16": 8,
    "uint16": 8,
    "int32": 16,
    "uint32": 16,
    "int64": 32,
    "uint64": 32,
    "float16": 8,
    "float32": 16,
    "float64": 32,
    "bfloat16": 8,
    "float8_e4m3fn": 4,
    "float8_e4m3fnuz": 4,
    "float8_e5m2": 4,
    "float8_e5m2fnuz": 4,
    "float8_e8m0fnu": 4,
    "float4_e2m1fn_x2": 4,
    "complex64": 32,
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


def test_that_tensors_come_in_the_order_of_their_offsets(write_safetensors):
    path = write_safetensors(
        {"a": entry("U8", [2], 4, 6), "b": entry("F32", [1], 0, 4), "c": entry("U8", [0], 4, 4)},
        bytes(6),
    )
    assert [tensor.name for tensor in open_model(path).tensors] == ["b", "c", "a"]


ACCEPTED = {
    "spaces after the header": (b'{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}   ', b"."),
    "spaces before the header": (b' {"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"."),
    "metadata of null": (
        b'{"__metadata__":null,"x":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}',
        b".",
    ),
    "metadata that look like a tensor": (
        b'{"__metadata__":{"shape":"a","dtype":"b"},'
        b'"x":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}',
        b".",
    ),
    "an unknown field": (
        b'{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"note":[{}]}}',
        b".",
    ),
    "an empty name": (b'{"":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"."),
    "a name with a zero": (b'{"a\\u0000b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"."),
    "the same entry twice": (
        b'{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
        b'"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}',
        b".",
    ),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_that_odd_but_right_files_read_as_the_library_reads_them(write_safetensors, case):
    assert_agrees_with_the_library(write_safetensors(*ACCEPTED[case]))

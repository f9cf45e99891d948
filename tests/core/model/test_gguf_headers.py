"""GGUF headers written byte by byte: the order of tensors, and every way to be wrong."""

import os
import struct

import gguf
import numpy as np
import pytest

from modelmon.core.errors import ConfigError, ModelFileError
from modelmon.core.load.api import load_model
from modelmon.core.model.open import open_model

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


def test_that_tensors_come_in_the_order_of_their_offsets(write_gguf):
    path = write_gguf(
        *data_after(head(2), info("b", (8,), 0, 32), info("a", (8,), 0, 0), nbytes=64)
    )
    assert [tensor.name for tensor in open_model(path).tensors] == ["a", "b"]


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


WRONG = {
    "version 1": ((head(version=1),), "GGUF version is 1; versions 2 and 3"),
    "version 4": ((head(version=4),), "GGUF version is 4; versions 2 and 3"),
    "big-endian": ((b"GGUF" + struct.pack(">IQQ", 3, 1, 0),), "big-endian"),
    "no counts": ((b"GGUF" + struct.pack("<I", 3),), "tensor_count takes 8 bytes"),
    "tensors beyond the file": (
        (head(2**63), bytes(48)),
        f"tensor_count is {2**63}; at most 2 are possible",
    ),
    "pairs beyond the file": (
        (head(0, 2**40), bytes(26)),
        f"metadata_kv_count is {2**40}; at most 2 pairs are possible",
    ),
    "a key beyond the file": (
        (head(0, 1), struct.pack("<Q", 2**60), bytes(20)),
        f"the length of a metadata key is {2**60} at byte 24; at most 20 is possible",
    ),
    "a key that is not UTF-8": (
        (head(0, 1), text(b"\xff"), struct.pack("<II", UINT32, 1)),
        r"metadata key 0 is not UTF-8: b'\xff'",
    ),
    "a key twice": (
        (head(0, 2), uint32("a", 1), uint32("a", 2)),
        "metadata key 'a' is there twice",
    ),
    "an unknown value type": (
        (head(0, 1), text("a"), struct.pack("<II", 13, 0)),
        "the type of 'a' is 13; possible are",
    ),
    "text beyond the file": (
        (head(0, 1), text("a"), struct.pack("<IQ", STRING, 5), b"abcd"),
        "the length of the text of 'a' is 5 at byte 37; at most 4 is possible",
    ),
    "an array beyond the file": (
        (head(0, 1), text("a"), struct.pack("<IIQ", ARRAY, FLOAT32, 2**62), bytes(8)),
        f"the length of the array 'a' is {2**62}; at most 2 items are possible",
    ),
    "an array of texts beyond the file": (
        (head(0, 1), text("a"), struct.pack("<IIQ", ARRAY, STRING, 3), bytes(16)),
        "the length of the array 'a' is 3; at most 2 items are possible",
    ),
    "an array with a text beyond the file": (
        (
            head(0, 1),
            text("a"),
            struct.pack("<IIQ", ARRAY, STRING, 1),
            struct.pack("<Q", 2**64 - 1),
        ),
        "the array 'a' takes",
    ),
    "arrays in arrays in arrays": (
        (head(0, 1), text("a"), struct.pack("<I", ARRAY), *[struct.pack("<IQ", ARRAY, 1)] * 9),
        "the type of items of the array 'a' is 9",
    ),
    "an array of an unknown type": (
        (head(0, 1), text("a"), struct.pack("<IIQ", ARRAY, 99, 1), bytes(16)),
        "the type of items of the array 'a' is 99",
    ),
    "an alignment of zero": (
        (head(1, 1), uint32("general.alignment", 0), info()),
        "general.alignment is 0; a power of two",
    ),
    "an alignment of 24": (
        (head(1, 1), uint32("general.alignment", 24), info()),
        "general.alignment is 24",
    ),
    "an alignment of text": (
        (head(1, 1), text("general.alignment"), struct.pack("<I", STRING), text("x" * 50), info()),
        "general.alignment is xxx",
    ),
    "a name beyond the file": (
        (head(), struct.pack("<Q", 2**32), bytes(40)),
        f"the length of a tensor's name is {2**32}",
    ),
    "a name that is not UTF-8": (data_after(head(), info(b"\xfe")), "the name of tensor 0 is not"),
    "too many dimensions": (
        data_after(head(), info(dims=[1] * 9)),
        "tensor 'blk.0.w': n_dimensions is 9; at most 8 is possible",
    ),
    "a type that was removed": (
        data_after(head(), info(kind=31)),
        "tensor 'blk.0.w': type is 31, Q4_0_4_4, which llama.cpp removed",
    ),
    "a type without a known size behind the end": (
        data_after(head(2), info("a", kind=137), info("b", kind=137, offset=128)),
        "the file is cut off",
    ),
    "another file that was added with cat": (
        data_after(head(), info(), nbytes=128) + data_after(head(), info()),
        "another GGUF file begins at byte",
    ),
    "more values than exist": (
        data_after(head(), info(dims=(2**33, 2**33))),
        "is more than any file can hold",
    ),
    "rows that cannot be packed": (
        data_after(head(), info(dims=(128, 2), kind=12)),
        "shape [2, 128] cannot be Q4_K, which packs rows in groups of 256",
    ),
    "an offset off the alignment": (
        data_after(head(), info(dims=(1,), offset=4)),
        "offset is 4; multiples of the alignment 32",
    ),
    "overlapping tensors": (
        data_after(head(2), info("a"), info("b", offset=96), nbytes=256),
        "tensor 'b' starts at byte 192, inside the tensor before it, which ends at 224",
    ),
    "a name twice": (
        data_after(head(2), info("a"), info("a", offset=128), nbytes=256),
        "two tensors are called 'a'",
    ),
    "data cut off": (data_after(head(), info(), nbytes=127), "the file is cut off"),
    "no tensors": ((head(0, 0),), "contains no tensors"),
}


@pytest.mark.parametrize("case", WRONG)
def test_that_a_wrong_header_is_refused_with_its_file_and_field(write_gguf, case):
    parts, said = WRONG[case]
    path = write_gguf(*parts)
    with pytest.raises(ModelFileError) as caught:
        open_model(path)
    assert str(path) in caught.value.message
    assert said in caught.value.message
    assert caught.value.remedy

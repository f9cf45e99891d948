"""Which headers modelmon judges otherwise than the official packages, and why."""

import struct

import gguf
import pytest
from safetensors import deserialize
from tests.fuzz.test_model_headers import safetensors_file, text

from modelmon.core.errors import ModelFileError
from modelmon.core.model.open import open_model


def gguf_file(*infos, alignment=b"", order="<"):
    pairs = [text("general.alignment") + alignment] if alignment else []
    counts = struct.pack(f"{order}IQQ", 3, len(infos), len(pairs))
    header = b"GGUF" + counts + b"".join(pairs) + b"".join(infos)
    return header + bytes(-len(header) % 32) + bytes(4096)


def info(name, offset=0, kind=0, shape=(32,)):
    sizes = struct.pack(f"<{len(shape)}Q", *shape)
    return text(name) + struct.pack("<I", len(shape)) + sizes + struct.pack("<IQ", kind, offset)


def long_name(length):
    return {"x" * length: {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}


REFUSED = {
    "there is nothing to load": safetensors_file({}, b""),
    "no tensors, GGUF: the same": gguf_file(),
    "a name that no window shows": safetensors_file(long_name(70_000), b"\0"),
    "the bytes of another processor": gguf_file(order=">"),
    "a tensor inside of another is damage, or an attack": gguf_file(info("a"), info("b", 64)),
    "llama.cpp refuses what is not aligned": gguf_file(info("a"), info("b", 130)),
}
ACCEPTED = {
    "a fork's type is loaded as bytes": gguf_file(info("a", kind=137, shape=(256,))),
    "a newer type than the package knows": gguf_file(info("a", kind=42, shape=(64,))),
    "one value needs no dimension": gguf_file(info("a", kind=30, shape=())),
    "a wider number has the same value": gguf_file(info("a"), alignment=struct.pack("<IQ", 10, 32)),
}


def official(path):
    """Whether the package that the format comes from reads the file."""
    content = path.read_bytes()
    try:
        if content[:4] == b"GGUF":
            gguf.GGUFReader(path)
        else:
            deserialize(content)
    except (ValueError, IndexError, KeyError):
        return False
    return True


@pytest.mark.parametrize("reason", REFUSED)
def test_that_what_the_packages_accept_is_refused_for_a_reason(tmp_path, reason):
    path = tmp_path / "model"
    path.write_bytes(REFUSED[reason])
    assert official(path)
    with pytest.raises(ModelFileError):
        open_model(path)


@pytest.mark.parametrize("reason", ACCEPTED)
def test_that_what_the_packages_refuse_is_accepted_for_a_reason(tmp_path, reason):
    path = tmp_path / "model"
    path.write_bytes(ACCEPTED[reason])
    assert not official(path)
    assert open_model(path).tensors

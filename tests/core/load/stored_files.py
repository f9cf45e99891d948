"""Small safetensors files of any types."""

import json

import numpy as np

DTYPES = {
    "uint8": "U8",
    "int32": "I32",
    "int64": "I64",
    "uint32": "U32",
    "float16": "F16",
    "float32": "F32",
    "bfloat16": "BF16",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
    "float8_e4m3fnuz": "F8_E4M3FNUZ",
    "int8": "I8",
}


def write(path, tensors):
    """One safetensors file, in the order that safetensors writes: large types first, by name."""
    header, data = {}, b""
    for name in sorted(tensors, key=lambda name: (-tensors[name].itemsize, name)):
        stored = np.ascontiguousarray(tensors[name]).tobytes()
        header[name] = {
            "dtype": DTYPES[tensors[name].dtype.name],
            "shape": list(tensors[name].shape),
            "data_offsets": [len(data), len(data) + len(stored)],
        }
        data += stored
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def plain(name, shape=(5, 3)):
    """A tensor of float32."""
    return {name: np.arange(np.prod(shape), dtype=np.float32).reshape(shape)}

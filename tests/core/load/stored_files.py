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


def write_raw(path, tensors):
    """One safetensors file of tensors, each a type, a shape and its bytes, in this order."""
    header, end = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        place = [end, end + len(data)]
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": place}
        end += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    data = b"".join(data for _, _, data in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def write(path, tensors):
    """The same of arrays, in the order that safetensors writes: large types first, by name."""
    order = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name))
    arrays = {name: np.ascontiguousarray(tensors[name]) for name in order}
    return write_raw(
        path,
        {
            name: (DTYPES[array.dtype.name], tensors[name].shape, array.tobytes())
            for name, array in arrays.items()
        },
    )


def plain(name, shape=(5, 3)):
    """A tensor of float32."""
    return {name: np.arange(np.prod(shape), dtype=np.float32).reshape(shape)}

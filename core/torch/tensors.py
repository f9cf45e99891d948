"""Tensors of torch over the bytes that a file has for them, and files mapped for that."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError

from modelmon.core.load.api import private_maps
from modelmon.core.load.files import populate
from modelmon.core.torch import lazy

if TYPE_CHECKING:
    import mmap

    import torch

    from modelmon.core.model.tensors import Model, Tensor

_TYPES = {
    "BOOL": "bool",
    "U8": "uint8",
    "I8": "int8",
    "U16": "uint16",
    "I16": "int16",
    "U32": "uint32",
    "I32": "int32",
    "U64": "uint64",
    "I64": "int64",
    "F4": "float4_e2m1fn_x2",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E8M0": "float8_e8m0fnu",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "C64": "complex64",
}


@cache
def dtype_of(name: str) -> torch.dtype:
    """Raises SafetensorError for a type that torch lacks."""
    dtype = getattr(lazy.torch, _TYPES.get(name, ""), None)
    if dtype is None:
        raise SafetensorError(f"Dtype not understood: {name}")
    found: torch.dtype = dtype
    return found


def shape_of(info: Tensor) -> tuple[int, ...]:
    """As torch counts, which takes pairs of F4 for one. Raises SafetensorError for an odd number of
    them in a row.
    """
    if info.dtype != "F4":
        return info.shape
    if not info.shape or info.shape[-1] % 2:
        raise SafetensorError(f"tensor {info.name} has an odd number of F4 values in a row")
    return (*info.shape[:-1], info.shape[-1] // 2)


def tensor_over(info: Tensor, data: mmap.mmap | memoryview | bytes, start: int) -> torch.Tensor:
    """A tensor over its bytes from `start` on, which alone are its storage."""
    dtype, shape = dtype_of(info.dtype), shape_of(info)
    if not info.nbytes:
        return lazy.torch.empty(shape, dtype=dtype, device="cpu")
    # It holds `data` itself: a view for each of 20,000 would take as long as the tensors.
    count = info.nbytes // dtype.itemsize
    tensor = lazy.torch.frombuffer(data, dtype=dtype, count=count, offset=start)
    # It has as many values already: no other tensor is made, as by `reshape`.
    return tensor if len(shape) == 1 else tensor.resize_(shape)


def by_name(model: Model) -> dict[str, Tensor]:
    """Tensors in the order of the file."""
    return {info.name: info for info in model.tensors}


def map_file(model: Model) -> mmap.mmap | bytes:
    """The file; of one without values there is no map."""
    return private_maps(model, {0})[0] if model.nbytes else b""


def read_in(tensor: Any) -> Any:
    """`tensor`, a view of a mapped file; one whose values lie together has been read."""
    if hasattr(tensor, "data_ptr"):
        address, nbytes, together = tensor.data_ptr(), tensor.nbytes, tensor.is_contiguous()
    else:
        import numpy as np  # noqa: PLC0415  torch imports it later

        tensor = np.asarray(tensor)  # a single value of an array is none
        address, nbytes, together = tensor.ctypes.data, tensor.nbytes, tensor.flags.c_contiguous
    if nbytes and together:
        populate(address, nbytes)
    return tensor

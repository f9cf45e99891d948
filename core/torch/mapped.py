"""A mapped file, and tensors that lie in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from modelmon.core.load.in_process import private_maps
from modelmon.core.load.touch import populate

if TYPE_CHECKING:
    import mmap

    from modelmon.core.model.tensors import Model


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

"""A mapped file, and tensors that lie in it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from modelmon.core.load.in_process import private_maps
from modelmon.core.load.touch import populate
from modelmon.core.machine.anonymous_memory import address_of
from modelmon.core.torch.tensors import tensor_over
from modelmon.core.units import MIB

if TYPE_CHECKING:
    import mmap

    from modelmon.core.model.tensors import Model
    from modelmon.core.torch.lazy import torch

READERS = 4
PIECE_BYTES = 16 * MIB
"""Of a mapped file one of the readers has this much read in at a time."""


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


def load_mapped(model: Model) -> dict[str, torch.Tensor]:
    """Every tensor, once the file has been read in."""
    mapping, shard = private_maps(model, {0})[0], model.shards[0]
    starts = range(shard.data_start_bytes, shard.size_bytes, PIECE_BYTES)

    def read(start: int) -> None:
        # It is this function that keeps the map, should Ctrl-C leave it to go on.
        populate(address_of(mapping) + start, min(PIECE_BYTES, shard.size_bytes - start))

    with ThreadPoolExecutor(READERS) as pool:
        try:
            pieces = pool.map(read, starts)
        except RuntimeError:
            # The system lets this process have no more threads.
            pieces = map(read, starts)
        try:
            # Where each lies is known: they need not wait for the bytes, nor these for torch.
            tensors = {
                info.name: tensor_over(info, mapping, info.offset_bytes) for info in model.tensors
            }
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        for _ in pieces:
            pass
    return tensors

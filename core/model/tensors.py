"""What a model file holds, as immutable records read from its headers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Tensor(msgspec.Struct, frozen=True, gc=False):
    """One tensor's place in its shard.

    `dtype` is the safetensors dtype (`BF16`) or the GGML type (`Q4_K`); `shape` is in the
    order in which Python indexes (slowest first); `offset_bytes` counts from the start of
    the shard's file, and `nbytes` is the stored size, packing and quantisation included.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    shard: int
    offset_bytes: int
    nbytes: int


class Shard(msgspec.Struct, frozen=True):
    """One file of a model; tensor data starts at `data_start_bytes`."""

    path: str
    size_bytes: int
    data_start_bytes: int


class Block(msgspec.Struct, frozen=True):
    """What a person calls a layer: its readable name and its tensors, by index."""

    name: str
    tensors: tuple[int, ...]
    nbytes: int


class Model(msgspec.Struct, frozen=True, weakref=True):
    """A model as its headers describe it.

    `tensors` are in the order of the shards and of the offsets in them; `blocks` are in
    execution order and hold every tensor exactly once. `format` is `safetensors` or
    `gguf`; `path` is what the user opened, made absolute, and `is_folder` says what it is.
    `has_config`: the folder of the weights has a `config.json`, which converters start from.
    `notes` say what a person should know of the choice of files.
    """

    name: str
    path: str
    format: str
    shards: tuple[Shard, ...]
    tensors: tuple[Tensor, ...]
    blocks: Sequence[Block]
    metadata: dict[str, str]
    is_folder: bool = False
    has_config: bool = False
    notes: tuple[Message, ...] = ()

    @property
    def nbytes(self) -> int:
        """Bytes of tensor data, headers and padding excluded."""
        return sum(tensor.nbytes for tensor in self.tensors)

    @property
    def files(self) -> tuple[Path, ...]:
        """The shards' paths, in order."""
        from pathlib import Path  # noqa: PLC0415  loads start sooner without it

        return tuple(Path(shard.path) for shard in self.shards)

    @property
    def sized_files(self) -> list[tuple[str, int]]:
        """Each shard's path and size in bytes, in order."""
        return [(shard.path, shard.size_bytes) for shard in self.shards]

    @property
    def folder(self) -> Path:
        """The folder of the model; the files that its index names may be below it."""
        from pathlib import Path  # noqa: PLC0415  as above

        return Path(self.path) if self.is_folder else Path(self.path).parent

    @property
    def parameter_count(self) -> int:
        """Number of values by the tensors' shapes; packed formats store several in one."""
        total = 0
        for tensor in self.tensors:
            count = 1
            for extent in tensor.shape:
                count *= extent
            total += count
        return total

    def dtype_bytes(self) -> dict[str, int]:
        """Stored bytes per dtype, largest first."""
        return dtype_bytes(self.tensors)


def dtype_bytes(tensors: Iterable[Tensor]) -> dict[str, int]:
    """Stored bytes of tensors per dtype, largest first."""
    sums: dict[str, int] = {}
    for tensor in tensors:
        sums[tensor.dtype] = sums.get(tensor.dtype, 0) + tensor.nbytes
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


_MOST_BYTES = 2**53 - 1
_MOST_SHAPE = 64


def is_sound(model: Model) -> bool:
    """Whether each tensor lies within its file, and each is in one block: what reading the headers
    makes sure of, and all that computes with a model relies on.
    """
    sizes = [shard.size_bytes for shard in model.shards]
    if not sizes or not all(0 <= size <= _MOST_BYTES for size in sizes):
        return False
    if not all(_lies_within(tensor, sizes) for tensor in model.tensors):
        return False
    members = [index for block in model.blocks for index in block.tensors]
    return sorted(members) == list(range(len(model.tensors))) and all(
        block.nbytes == sum(model.tensors[index].nbytes for index in block.tensors)
        for block in model.blocks
    )


def _lies_within(tensor: Tensor, sizes: list[int]) -> bool:
    if not 0 <= tensor.shard < len(sizes) or len(tensor.shape) > _MOST_SHAPE:
        return False
    if not all(0 <= extent <= _MOST_BYTES for extent in tensor.shape):
        return False
    fits = 0 <= tensor.offset_bytes <= tensor.offset_bytes + tensor.nbytes <= sizes[tensor.shard]
    return fits and tensor.nbytes >= 0

"""safetensors' `load_file`: a dictionary of all tensors of a file, for torch or for numpy."""

from __future__ import annotations

import importlib
import time
from typing import TYPE_CHECKING, Any

from modelmon.core.load.libraries.frameworks import NUMPY, TORCH, Framework
from modelmon.core.load.libraries.safetensors_baselines import SafetensorsBaseline
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.load.libraries.baseline import Delivered, LibraryRequest


class LoadFile(SafetensorsBaseline):
    """`load_file` of one framework's module."""

    whole_files = True

    def __init__(self, framework: Framework, when_it_wins: str) -> None:
        super().__init__(framework)
        self.name = f"safetensors.{framework.module}.load_file"
        self.when_it_wins = when_it_wins
        self._load_file: Any = None

    def prepare(self) -> None:
        """Import the framework's part of safetensors."""
        module = importlib.import_module(f"safetensors.{self.framework.module}")
        self._load_file = module.load_file

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Load each shard when its first tensor is wanted."""
        mapped = self.memory_kind == "mapped"
        loaded: dict[int, tuple[dict[str, Any], int]] = {}
        for tensor in request.tensors:
            if tensor.shard not in loaded:
                called_ns = time.monotonic_ns()
                loaded[tensor.shard] = self._load_file(request.paths[tensor.shard]), called_ns
            tensors, called_ns = loaded[tensor.shard]
            yield self.framework.delivered(
                tensor.name,
                tensors[tensor.name],
                copy=self.must_copy(owned=request.owned),
                # A call that only maps has read nothing yet.
                asked_ns=None if mapped else called_ns,
            )


def torch_load_file() -> LoadFile:
    """`safetensors.torch.load_file`."""
    return LoadFile(TORCH, Message("A dict of torch tensors. Fastest when cached."))


def numpy_load_file() -> LoadFile:
    """`safetensors.numpy.load_file`."""
    return LoadFile(NUMPY, Message("A dict of arrays, each copied. Needs no torch."))

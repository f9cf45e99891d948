"""InstantTensor: reads files whole, past the page cache where it can, to a GPU. As of 0.2.2."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from modelmon.core.load.libraries.baseline import Baseline, Delivered, LibraryRequest
from modelmon.core.load.libraries.frameworks import TORCH
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class InstantTensor(Baseline):
    """`safe_open` of all files and its `tensors()`: they come as they are ready."""

    name = "instanttensor"
    when_it_wins = Message("Direct I/O to the GPU. Best on fast disks, cold.")
    distribution = "instanttensor"
    formats = ("safetensors",)
    requires: Mapping[str, str] = {"instanttensor": "instanttensor", "torch": "torch"}
    needs_gpu = True
    memory_kind = "owned"
    dtypes = TORCH.dtypes
    whole_files = True
    reads_in_threads = True
    shows_memory = False

    def __init__(self) -> None:
        self._torch: Any = None
        self._open: Any = None

    def version(self) -> str:
        """InstantTensor's version and torch's."""
        return TORCH.version_beside(self.distribution)

    def prepare(self) -> None:
        """Have torch start CUDA too, which every user of a GPU has done before."""
        self._torch = importlib.import_module("torch")
        self._torch.cuda.init()
        self._open = importlib.import_module("instanttensor").safe_open

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Open all shards at once; it copies each tensor on the GPU, which may end after the call.

        The last one is handed out when all of these have ended.
        """
        last = request.tensors[-1].name if request.tensors else ""
        with self._open(request.wanted_paths, framework="pt", device=0) as files:
            for tensor in TORCH.in_order(request, files.tensors()):
                if tensor.name == last:
                    self._torch.cuda.synchronize()
                yield tensor

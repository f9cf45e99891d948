"""fastsafetensors' `fastsafe_open` for the CPU: threads read every file whole.

Its direct transfer to a GPU (GDS) is switched off, as its documentation has it for `cpu`.
"""

from __future__ import annotations

import importlib
import time
from typing import TYPE_CHECKING, Any

from modelmon.core.load.libraries.baseline import Baseline, Delivered, LibraryRequest
from modelmon.core.load.libraries.frameworks import TORCH
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class FastSafetensors(Baseline):
    """All shards are read when they are opened; tensors are then views of that memory."""

    name = "fastsafetensors"
    when_it_wins = Message("Threads read each file whole. Made for GPUs.")
    distribution = "fastsafetensors"
    formats = ("safetensors",)
    requires: Mapping[str, str] = {"fastsafetensors": "fastsafetensors", "torch": "torch"}
    memory_kind = "owned"
    dtypes = TORCH.dtypes - {"C64", "F8_E4M3FNUZ", "F8_E5M2FNUZ"}
    whole_files = True
    reads_in_threads = True
    in_memory = True

    def __init__(self) -> None:
        self._open: Any = None

    def version(self) -> str:
        """fastsafetensors' version and torch's."""
        return TORCH.version_beside(self.distribution)

    def prepare(self) -> None:
        """Import torch too, which the library would import during its first load."""
        importlib.import_module("torch")
        self._open = importlib.import_module("fastsafetensors").fastsafe_open

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Open all shards at once, which reads them, and take the tensors."""
        asked_ns = time.monotonic_ns()
        with self._open(request.wanted_paths, framework="pt", device="cpu", nogds=True) as files:
            for tensor in request.tensors:
                taken = files.get_tensor(tensor.name)
                yield TORCH.delivered(tensor.name, taken, asked_ns=asked_ns)

"""Libraries that read safetensors in threads of their own: fastsafetensors, Run:ai, InstantTensor.

fastsafetensors' direct transfer to a GPU (GDS) is switched off, as its documentation has it for
`cpu`. InstantTensor (as of 0.2.2) reads files whole to a GPU, past the page cache where it can.
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


class RunaiStreamer(Baseline):
    """`SafetensorsStreamer`: tensors come as they are ready, and wait for their turn here."""

    name = "runai-model-streamer"
    when_it_wins = Message("Threads stream tensors. Best on fast disks, cold.")
    distribution = "runai-model-streamer"
    formats = ("safetensors",)
    requires: Mapping[str, str] = {
        "runai_model_streamer": "runai-model-streamer",
        "torch": "torch",
        "humanize": "humanize",
    }
    # The first version seen to give tensors that stay valid when the next one is taken.
    since = "0.17"
    memory_kind = "owned"
    dtypes = TORCH.dtypes - {"F4", "F8_E4M3FNUZ", "F8_E5M2FNUZ"}
    whole_files = True
    reads_in_threads = True
    in_memory = True

    def __init__(self) -> None:
        self._streamer: Any = None

    def version(self) -> str:
        """The streamer's version and torch's."""
        return TORCH.version_beside(self.distribution)

    def prepare(self) -> None:
        """Import the streamer."""
        self._streamer = importlib.import_module("runai_model_streamer").SafetensorsStreamer

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Stream all shards at once; what comes early is held until it is wanted."""
        with self._streamer() as streamer:
            streamer.stream_files(request.wanted_paths, device="cpu")
            yield from TORCH.in_order(request, streamer.get_tensors())


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

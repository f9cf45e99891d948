"""The Run:ai model streamer for the CPU: threads read ahead while tensors are taken."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from modelmon.core.load.libraries.baseline import Baseline, Delivered, LibraryRequest
from modelmon.core.load.libraries.frameworks import TORCH
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


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

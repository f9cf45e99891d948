"""The Run:ai model streamer for the CPU: threads read ahead while tensors are taken."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from modelmon.core.load.libraries.baseline import Baseline, Delivered, LibraryRequest
from modelmon.core.load.libraries.frameworks import TORCH
from modelmon.core.load.libraries.installed import release_of, version_of
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# The first version seen to give tensors that stay valid when the next one is taken.
_OWNING_SINCE = (0, 17)


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
    memory_kind = "owned"
    dtypes = TORCH.dtypes - {"F4", "F8_E4M3FNUZ", "F8_E5M2FNUZ"}
    whole_files = True
    in_memory = True

    def __init__(self) -> None:
        self._streamer: Any = None

    def own_threads(self, *, owned: bool) -> bool:
        """Always: its threads read."""
        del owned
        return True

    def obstacle(self, dtypes: frozenset[str], format: str) -> str:
        """Needs a version whose tensors can be kept."""
        sentence = super().obstacle(dtypes, format)
        if sentence or release_of(self.distribution) >= _OWNING_SINCE:
            return sentence
        has = version_of(self.distribution)
        return Message(
            "runai-model-streamer 0.17 or newer is needed and this is {has}: update it.", has=has
        )

    def version(self) -> str:
        """The streamer's version and torch's."""
        return TORCH.version_beside(self.distribution)

    def prepare(self) -> None:
        """Import the streamer."""
        self._streamer = importlib.import_module("runai_model_streamer").SafetensorsStreamer

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Stream all shards at once; what comes early is held until it is wanted."""
        shards = sorted({tensor.shard for tensor in request.tensors})
        early: dict[str, Any] = {}
        with self._streamer() as streamer:
            streamer.stream_files([request.paths[shard] for shard in shards], device="cpu")
            arriving = streamer.get_tensors()
            for tensor in request.tensors:
                taken = early.pop(tensor.name, None)
                while taken is None:
                    name, arrived = next(arriving)
                    if name == tensor.name:
                        taken = arrived
                    else:
                        early[name] = arrived
                yield TORCH.delivered(tensor.name, taken)

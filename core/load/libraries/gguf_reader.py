"""gguf's `GGUFReader`: arrays on a map of the file, after a parse of all its metadata."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from modelmon.core.load.libraries.baseline import Baseline, Delivered, LibraryRequest
from modelmon.core.load.libraries.frameworks import NUMPY
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class GgufReader(Baseline):
    """`GGUFReader(path).tensors`; quantised tensors come as their stored bytes."""

    name = "gguf.GGUFReader"
    when_it_wins = Message("Arrays on a map. Slow where vocabularies are large.")
    distribution = "gguf"
    formats = ("gguf",)
    requires: Mapping[str, str] = {"gguf": "gguf", "numpy": "numpy"}
    memory_kind = "mapped"

    def __init__(self) -> None:
        self._reader: Any = None

    def version(self) -> str:
        """gguf's version and numpy's."""
        return NUMPY.version_beside(self.distribution)

    def prepare(self) -> None:
        """Import gguf."""
        self._reader = importlib.import_module("gguf").GGUFReader

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Open each shard when its first tensor is wanted."""
        opened: dict[int, dict[str, Any]] = {}
        for tensor in request.tensors:
            if tensor.shard not in opened:
                reader = self._reader(request.paths[tensor.shard])
                opened[tensor.shard] = {found.name: found.data for found in reader.tensors}
            array = opened[tensor.shard][tensor.name]
            yield NUMPY.delivered(tensor.name, array, copy=request.owned)

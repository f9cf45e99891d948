"""Ways to load GGUF: gguf's `GGUFReader`, and llama.cpp by llama-cpp-python's low-level API.

`GGUFReader` gives arrays on a map of the file, after it parsed all metadata. llama.cpp (functions
and their meaning: llama.h) tells no tensor's address, so what it delivers can be neither touched
nor verified. Without a map it has read every byte when its one call returns; its mapped load is
left out, since nothing here could touch the pages that it mapped.
"""

from __future__ import annotations

import importlib
import time
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import LoadFailedError
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


_ERROR_LEVEL = 4  # ggml.h, enum ggml_log_level


class LlamaCppRead(Baseline):
    """`llama_model_load_from_file` with `use_mmap` off: one call for the whole model."""

    name = "llama-cpp.read"
    when_it_wins = Message("llama.cpp itself, reading all. What its users pay.")
    distribution = "llama-cpp-python"
    formats = ("gguf",)
    requires: Mapping[str, str] = {"llama_cpp": "llama-cpp-python"}
    memory_kind = "owned"
    whole_files = True
    shows_memory = False

    def __init__(self) -> None:
        self._library: Any = None
        self._log: Any = None
        self._complaints: list[str] = []

    def prepare(self) -> None:
        """Import the bindings and listen to what the library complains about."""
        library = importlib.import_module("llama_cpp")

        def listen(level: int, text: bytes, _data: Any) -> None:
            if level == _ERROR_LEVEL:
                self._complaints.append(text.decode(errors="replace").strip())

        # Kept, because the library calls it as long as it lives.
        self._log = library.llama_log_callback(listen)
        library.llama_log_set(self._log, None)
        library.llama_backend_init()
        self._library = library

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Load the model by its first shard; the library finds the others by their names."""
        library = self._library
        options = library.llama_model_default_params()
        options.use_mmap = False
        options.n_gpu_layers = 0
        self._complaints.clear()
        called_ns = time.monotonic_ns()
        model = library.llama_model_load_from_file(request.paths[0].encode(), options)
        if not model:
            reason = self._complaints[0] if self._complaints else Message("it gives no reason")
            raise LoadFailedError(
                Message(
                    "llama.cpp couldn't load {path}: {reason}.",
                    path=request.paths[0],
                    reason=reason,
                ),
                Message("It loads complete models of the architectures that it knows."),
            )
        for tensor in request.tensors:
            yield Delivered(tensor.name, 0, tensor.nbytes, model, called_ns)

"""safetensors' ways to load: `safe_open` tensor by tensor, by slices, by reads; whole files.

Seen with 0.8.0 and 0.9.0rc1: torch tensors are views of a private map of the file, numpy's
arrays are copies.
"""

from __future__ import annotations

import importlib
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from modelmon.core.load.libraries.baseline import Baseline, Delivered, LibraryRequest, MemoryKind
from modelmon.core.load.libraries.frameworks import NUMPY, TORCH, Framework, best_installed
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class SafetensorsBaseline(Baseline):
    """What all of safetensors' ways to load share: they hand out a framework's tensors."""

    distribution = "safetensors"
    formats = ("safetensors",)

    def __init__(self, framework: Framework) -> None:
        self.framework = framework
        self.requires = {
            "safetensors": "safetensors",
            framework.module: framework.module,
            **framework.beside,
        }

    @property
    def memory_kind(self) -> MemoryKind:
        """torch tensors lie on the mapped file; numpy arrays are copied from it."""
        return "mapped" if self.framework is TORCH else "owned"

    @property
    def dtypes(self) -> frozenset[str]:
        """What the framework can represent."""
        return self.framework.dtypes

    def own_threads(self, *, owned: bool) -> bool:
        """torch's `clone` copies in all of its threads."""
        return self.reads_in_threads or self.must_copy(owned=owned)

    def must_copy(self, *, owned: bool) -> bool:
        """Whether tensors must be copied for the caller to own their memory."""
        return owned and self.memory_kind == "mapped"

    def obstacle(self, dtypes: frozenset[str], format: str) -> str:
        """As every baseline's; says when torch would help."""
        sentence = super().obstacle(dtypes, format)
        strange = dtypes - NUMPY.dtypes
        if self.framework is NUMPY and strange and dtypes <= TORCH.dtypes and " here." in sentence:
            return Message(
                "numpy cannot represent {types}; torch can: use safetensors.torch.load_file",
                types=", ".join(sorted(strange)),
            )
        return sentence

    def version(self) -> str:
        """safetensors' version and the framework's."""
        return self.framework.version_beside(self.distribution)


class GetTensor(SafetensorsBaseline):
    """`safe_open` and `get_tensor`, for torch where it is installed."""

    name = "safetensors.get_tensor"
    when_it_wins = Message("Tensor by tensor, as most model code does.")
    options: Mapping[str, str] = {}
    """Keyword arguments of `safe_open` besides the framework."""

    def __init__(self, framework: Framework | None = None) -> None:
        super().__init__(framework or best_installed())
        self._open: Any = None

    def prepare(self) -> None:
        """Import safetensors and the framework."""
        self.framework.prepare()
        self._open = importlib.import_module("safetensors").safe_open

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Open each shard when its first tensor is wanted, and take one after another."""
        copy = self.must_copy(owned=request.owned)
        opened: dict[int, Any] = {}
        with ExitStack() as files:
            for tensor in request.tensors:
                if tensor.shard not in opened:
                    path = request.paths[tensor.shard]
                    file = self._open(path, framework=self.framework.key, **self.options)
                    opened[tensor.shard] = files.enter_context(file)
                taken = self.take(opened[tensor.shard], tensor.name)
                yield self.framework.delivered(tensor.name, taken, copy=copy)

    def take(self, file: Any, name: str) -> Any:
        """One tensor of an open file."""
        return file.get_tensor(name)


class GetSlice(GetTensor):
    """`get_slice(name)[:]`, which tensor-parallel code uses."""

    name = "safetensors.get_slice"
    when_it_wins = Message("Slices, as tensor-parallel model code takes them.")

    @property
    def dtypes(self) -> frozenset[str]:
        """torch cannot slice values that share a byte."""
        return self.framework.dtypes - {"F4"}

    def take(self, file: Any, name: str) -> Any:
        """The slice that is all of the tensor; what has no first axis cannot be sliced."""
        part = file.get_slice(name)
        shape = part.get_shape()
        return part[:] if shape and 0 not in shape else file.get_tensor(name)


class Pread(GetTensor):
    """`get_tensor` of a file that is opened with `backend="pread"`."""

    name = "safetensors.pread"
    when_it_wins = Message("Reads into private memory. Fast where mmap is slow.")
    options: Mapping[str, str] = {"backend": "pread"}
    since = "0.8"

    @property
    def memory_kind(self) -> MemoryKind:
        """Read into memory of the tensor's own."""
        return "owned"


class Prefetch(GetTensor):
    """`prefetch` of a file that is opened for a GPU: threads load to it while tensors are taken."""

    name = "safetensors.prefetch"
    when_it_wins = Message("Threads load to the GPU, ahead of what is taken.")
    options: Mapping[str, str] = {"device": "cuda"}
    since = "0.9.0rc1"
    needs_gpu = True
    reads_in_threads = True
    shows_memory = False
    memory_kind = "owned"

    def __init__(self) -> None:
        super().__init__(TORCH)

    def prepare(self) -> None:
        """Have torch start CUDA too, which `prefetch` needs."""
        super().prepare()
        importlib.import_module("torch").cuda.init()

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Have each shard loaded from when its first tensor is wanted, of it what is wanted."""
        wanted: dict[int, dict[str, None]] = {}
        for tensor in request.tensors:
            wanted.setdefault(tensor.shard, {})[tensor.name] = None
        opened: dict[int, Any] = {}
        with ExitStack() as files:
            for tensor in request.tensors:
                if tensor.shard not in opened:
                    path = request.paths[tensor.shard]
                    file = files.enter_context(self._open(path, framework="pt", **self.options))
                    loader = file.prefetch(wanted[tensor.shard])
                    opened[tensor.shard] = files.enter_context(loader)
                yield TORCH.delivered(tensor.name, opened[tensor.shard].take(tensor.name))


class LoadFile(SafetensorsBaseline):
    """`load_file` of one framework's module."""

    whole_files = True

    def __init__(self, framework: Framework, when_it_wins: str) -> None:
        super().__init__(framework)
        self.name = f"safetensors.{framework.module}.load_file"
        self.when_it_wins = when_it_wins
        self._load_file: Any = None

    def prepare(self) -> None:
        """Import the framework and its part of safetensors."""
        self.framework.prepare()
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
    return LoadFile(TORCH, Message("A dict of torch tensors, on a map of the file."))


def numpy_load_file() -> LoadFile:
    """`safetensors.numpy.load_file`."""
    return LoadFile(NUMPY, Message("A dict of arrays, each copied. Needs no torch."))

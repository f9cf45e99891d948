"""All baselines by name: rows of a table, each with a function that loads.

Seen with safetensors 0.8.0 and 0.9.0rc1: torch tensors are views of a private map of the file,
numpy's arrays are copies.
"""

from __future__ import annotations

import importlib
import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.load.config import PROGRAM
from modelmon.core.load.libraries.baseline import (
    NUMPY,
    TORCH,
    Baseline,
    Delivered,
    Framework,
    LibraryLoad,
    LibraryRequest,
    WantedTensor,
    is_installed,
)
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Set

    from modelmon.core.load.plan import ProcessPlan
    from modelmon.core.model.tensors import Model


def _safetensors(
    when_it_wins: str,
    load: Callable[[Baseline, LibraryRequest], Iterator[Delivered]],
    framework: Framework | None = None,
    lacks: Set[str] = frozenset(),
    **facts: Any,
) -> Baseline:
    """One of safetensors' ways to load, for torch where it is installed."""
    framework = framework or (TORCH if is_installed("torch") else NUMPY)
    module = framework.module
    of_all: dict[str, Any] = {
        "distribution": "safetensors",
        "formats": ("safetensors",),
        "requires": {"safetensors": "safetensors", module: module, **framework.beside},
        "memory_kind": "mapped" if framework is TORCH else "owned",
        "dtypes": framework.dtypes - lacks,
    }
    return Baseline(when_it_wins, load, framework, **of_all | facts)


def _tensor(file: Any, name: str) -> Any:
    return file.get_tensor(name)


def _slice(file: Any, name: str) -> Any:
    """The slice that is all of the tensor; what has no first axis cannot be sliced."""
    part = file.get_slice(name)
    shape = part.get_shape()
    return part[:] if shape and 0 not in shape else file.get_tensor(name)


def _by_tensor(
    own: Baseline,
    request: LibraryRequest,
    take: Callable[[Any, str], Any] = _tensor,
    **options: str,
) -> Iterator[Delivered]:
    """Open each shard when its first tensor is wanted, and take one after another."""
    assert own.framework is not None
    open_file = importlib.import_module("safetensors").safe_open
    copy = request.owned and own.memory_kind == "mapped"
    opened: dict[int, Any] = {}
    with ExitStack() as files:
        for tensor in request.tensors:
            if tensor.shard not in opened:
                path = request.paths[tensor.shard]
                file = open_file(path, framework=own.framework.key, **options)
                opened[tensor.shard] = files.enter_context(file)
            if take is _slice and not request.touched:
                handle = opened[tensor.shard].get_slice(tensor.name)
                yield Delivered(tensor.name, 0, tensor.nbytes, handle)
                continue
            taken = take(opened[tensor.shard], tensor.name)
            yield own.framework.delivered(tensor.name, taken, copy=copy)


def _prefetched(_: Baseline, request: LibraryRequest) -> Iterator[Delivered]:
    """Have each shard loaded from when its first tensor is wanted, of it what is wanted."""
    open_file = importlib.import_module("safetensors").safe_open
    wanted: dict[int, dict[str, None]] = {}
    for tensor in request.tensors:
        wanted.setdefault(tensor.shard, {})[tensor.name] = None
    opened: dict[int, Any] = {}
    with ExitStack() as files:
        for tensor in request.tensors:
            if tensor.shard not in opened:
                path = request.paths[tensor.shard]
                file = files.enter_context(open_file(path, framework="pt", device="cuda"))
                opened[tensor.shard] = files.enter_context(file.prefetch(wanted[tensor.shard]))
            yield TORCH.delivered(tensor.name, opened[tensor.shard].take(tensor.name))


def _whole_files(own: Baseline, request: LibraryRequest) -> Iterator[Delivered]:
    """Load each shard when its first tensor is wanted."""
    assert own.framework is not None
    load_file = importlib.import_module(own.imports[0]).load_file
    mapped = own.memory_kind == "mapped"
    loaded: dict[int, tuple[dict[str, Any], int]] = {}
    for tensor in request.tensors:
        if tensor.shard not in loaded:
            called_ns = time.monotonic_ns()
            loaded[tensor.shard] = load_file(request.paths[tensor.shard]), called_ns
        tensors, called_ns = loaded[tensor.shard]
        yield own.framework.delivered(
            tensor.name,
            tensors[tensor.name],
            copy=mapped and request.owned,
            # A call that only maps has read nothing yet.
            asked_ns=None if mapped else called_ns,
        )


def _fast_safetensors(_: Baseline, request: LibraryRequest) -> Iterator[Delivered]:
    """All shards are read when they are opened; tensors are then views of that memory.

    Direct transfer to a GPU (GDS) is switched off, as its documentation has it for `cpu`.
    """
    open_files = importlib.import_module("fastsafetensors").fastsafe_open
    asked_ns = time.monotonic_ns()
    with open_files(request.wanted_paths, framework="pt", device="cpu", nogds=True) as files:
        for tensor in request.tensors:
            yield TORCH.delivered(tensor.name, files.get_tensor(tensor.name), asked_ns=asked_ns)


def _streamed(_: Baseline, request: LibraryRequest) -> Iterator[Delivered]:
    """Run:ai streams all shards at once; what comes early is held until it is wanted."""
    with importlib.import_module("runai_model_streamer").SafetensorsStreamer() as streamer:
        streamer.stream_files(request.wanted_paths, device="cpu")
        yield from TORCH.in_order(request, streamer.get_tensors())


def _instant(_: Baseline, request: LibraryRequest) -> Iterator[Delivered]:
    """InstantTensor (as of 0.2.2) reads files whole to a GPU, past the page cache where it can. It
    copies each tensor there, which may end after the call: the last one is handed out when all of
    these have ended.
    """
    open_files = importlib.import_module("instanttensor").safe_open
    last = request.tensors[-1].name if request.tensors else ""
    with open_files(request.wanted_paths, framework="pt", device=0) as files:
        for tensor in TORCH.in_order(request, files.tensors()):
            if tensor.name == last:
                importlib.import_module("torch").cuda.synchronize()
            yield tensor


def _gguf_reader(_: Baseline, request: LibraryRequest) -> Iterator[Delivered]:
    """Arrays on a map of each shard, after gguf parsed all of its metadata; quantised tensors come
    as their stored bytes.
    """
    reader = importlib.import_module("gguf").GGUFReader
    opened: dict[int, dict[str, Any]] = {}
    for tensor in request.tensors:
        if tensor.shard not in opened:
            found = reader(request.paths[tensor.shard]).tensors
            opened[tensor.shard] = {each.name: each.data for each in found}
        array = opened[tensor.shard][tensor.name]
        yield NUMPY.delivered(tensor.name, array, copy=request.owned)


_ERROR_LEVEL = 4  # ggml.h, enum ggml_log_level


class _LlamaCpp(Baseline):
    """llama.cpp by llama-cpp-python's low-level API: `llama_model_load_from_file`, `use_mmap` off.

    It tells no tensor's address, so what it delivers can be neither touched nor verified. Without a
    map it has read every byte when its one call returns; its mapped load is left out, since nothing
    here could touch the pages that it mapped. Functions and their meaning: llama.h.
    """

    def prepare(self) -> None:
        """Import the bindings and listen to what the library complains about."""
        super().prepare()
        library = importlib.import_module("llama_cpp")
        self.complaints: list[str] = []

        def listen(level: int, text: bytes, _data: Any) -> None:
            if level == _ERROR_LEVEL:
                self.complaints.append(text.decode(errors="replace").strip())

        # Kept, because the library calls it as long as it lives.
        self._log = library.llama_log_callback(listen)
        library.llama_log_set(self._log, None)
        library.llama_backend_init()

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Load the model by its first shard; the library finds the others by their names."""
        library = importlib.import_module("llama_cpp")
        options = library.llama_model_default_params()
        options.use_mmap = False
        options.n_gpu_layers = 0
        self.complaints.clear()
        called_ns = time.monotonic_ns()
        model = library.llama_model_load_from_file(request.paths[0].encode(), options)
        if not model:
            reason = self.complaints[0] if self.complaints else Message("it gives no reason")
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


_THREADED = {"formats": ("safetensors",), "whole_files": True, "reads_in_threads": True}
_BUILT_IN: dict[str, Callable[[], Baseline]] = {
    "safetensors.get_tensor": lambda: _safetensors(
        Message("Tensor by tensor, as most model code does."), _by_tensor
    ),
    # torch cannot slice values that share a byte.
    "safetensors.get_slice": lambda: _safetensors(
        Message("Slices, as tensor-parallel model code takes them."),
        partial(_by_tensor, take=_slice),
        lacks={"F4"},
    ),
    "safetensors.pread": lambda: _safetensors(
        Message("Reads into private memory. Fast where mmap is slow."),
        partial(_by_tensor, backend="pread"),
        since="0.8",
        memory_kind="owned",
    ),
    "safetensors.prefetch": lambda: _safetensors(
        Message("Threads load to the GPU, ahead of what is taken."),
        _prefetched,
        TORCH,
        since="0.9.0rc1",
        needs_gpu=True,
        reads_in_threads=True,
        shows_memory=False,
        memory_kind="owned",
    ),
    "safetensors.torch.load_file": lambda: _safetensors(
        Message("A dict of torch tensors, on a map of the file."),
        _whole_files,
        TORCH,
        imports=("safetensors.torch",),
        whole_files=True,
    ),
    "safetensors.numpy.load_file": lambda: _safetensors(
        Message("A dict of arrays, each copied. Needs no torch."),
        _whole_files,
        NUMPY,
        imports=("safetensors.numpy",),
        whole_files=True,
    ),
    "gguf.GGUFReader": lambda: Baseline(
        Message("Arrays on a map. Slow where vocabularies are large."),
        _gguf_reader,
        NUMPY,
        distribution="gguf",
        formats=("gguf",),
        requires={"gguf": "gguf", "numpy": "numpy"},
        memory_kind="mapped",
    ),
    "fastsafetensors": lambda: Baseline(
        Message("Threads read each file whole. Made for GPUs."),
        _fast_safetensors,
        TORCH,
        distribution="fastsafetensors",
        requires={"fastsafetensors": "fastsafetensors", "torch": "torch"},
        dtypes=TORCH.dtypes - {"C64", "F8_E4M3FNUZ", "F8_E5M2FNUZ"},
        in_memory=True,
        **_THREADED,
    ),
    "runai-model-streamer": lambda: Baseline(
        Message("Threads stream tensors. Best on fast disks, cold."),
        _streamed,
        TORCH,
        distribution="runai-model-streamer",
        requires={
            "runai_model_streamer": "runai-model-streamer",
            "torch": "torch",
            "humanize": "humanize",
        },
        # The first version seen to give tensors that stay valid when the next one is taken.
        since="0.17",
        dtypes=TORCH.dtypes - {"F4", "F8_E4M3FNUZ", "F8_E5M2FNUZ"},
        in_memory=True,
        **_THREADED,
    ),
    "instanttensor": lambda: Baseline(
        Message("Direct I/O to the GPU. Best on fast disks, cold."),
        _instant,
        TORCH,
        distribution="instanttensor",
        requires={"instanttensor": "instanttensor", "torch": "torch"},
        needs_gpu=True,
        dtypes=TORCH.dtypes,
        shows_memory=False,
        **_THREADED,
    ),
    "llama-cpp.read": lambda: _LlamaCpp(
        Message("llama.cpp itself, reading all. What its users pay."),
        lambda *_: iter(()),
        None,
        distribution="llama-cpp-python",
        formats=("gguf",),
        requires={"llama_cpp": "llama-cpp-python"},
        whole_files=True,
        shows_memory=False,
    ),
}


@dataclass(frozen=True, slots=True)
class Availability:
    """A baseline as a list shows it; `obstacle` is empty where it can load the model here."""

    name: str
    when_it_wins: str
    version: str
    obstacle: str


def names() -> tuple[str, ...]:
    """Names of all baselines, installed or not."""
    return tuple(_BUILT_IN)


def baseline(name: str) -> Baseline:
    """The baseline called `name`; raises ConfigError with the known names. A recorded program is
    none: its command is text, and nothing can load by it.
    """
    if name == PROGRAM:
        raise ConfigError(
            Message("A program is started by its own command only: use modelmon watch.")
        )
    if name not in _BUILT_IN:
        raise ConfigError(
            Message("There's no library strategy called {name}.", name=repr(name)),
            Message("Choose one of: {names}.", names=", ".join(_BUILT_IN)),
        )
    found = _BUILT_IN[name]()
    found.name = name
    return found


def available_as(name: str, model: Model | None) -> Availability:
    """Whether a baseline can load `model` here, or anything; what it needs is not imported. Raises
    ConfigError if there is none so named.
    """
    found = baseline(name)
    dtypes = frozenset(tensor.dtype for tensor in model.tensors) if model else frozenset[str]()
    obstacle = found.obstacle(dtypes, model.format if model else found.formats[0])
    return Availability(found.name, found.when_it_wins, found.version(), obstacle)


def available(model: Model | None) -> tuple[Availability, ...]:
    """Every baseline, and whether it can load `model` here; without one, whether it can load
    anything.
    """
    return tuple(available_as(name, model) for name in names())


def library_load(plan: ProcessPlan) -> LibraryLoad:
    """One process's load by the library that its plan names, prepared. Raises LoadFailedError where
    that fails.
    """
    # A library loads as one reader; several ranks are several processes.
    (reader,) = plan.readers
    wanted = tuple(
        WantedTensor(name, extent.shard, extent.nbytes)
        for name, extent in zip(reader.names, reader.extents, strict=True)
    )
    deliver = plan.config.deliver
    touched = deliver != "untouched"
    paths = tuple(path for path, _ in plan.files)
    request = LibraryRequest(paths, wanted, deliver == "owned", touched)
    found = baseline(plan.config.library)
    load = LibraryLoad(found, request, reader.number, touches=touched)
    load.prepare()
    return load

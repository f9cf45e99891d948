"""All baselines by name: those of modelmon, then those that other packages add.

Other packages are found through the entry-point group `modelmon.strategies`.
"""

from __future__ import annotations

import importlib
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import ConfigError, LoadFailedError
from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.load.libraries.baseline import (
    NUMPY,
    TORCH,
    Baseline,
    Delivered,
    Framework,
    LibraryRequest,
    MemoryKind,
    best_installed,
)
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from importlib.metadata import EntryPoint

    from modelmon.core.load.libraries.baseline import LibraryRequest, MemoryKind
    from modelmon.core.model.tensors import Model


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


GROUP = "modelmon.strategies"
_ATTRIBUTES = ("when_it_wins", "distribution", "formats")


class Unusable(Baseline):
    """A baseline whose package cannot be used: it is listed, and its obstacle says why."""

    when_it_wins = Message("Not usable here.")
    formats = ("safetensors", "gguf")
    memory_kind = "owned"

    def __init__(self, name: str, distribution: str, reason: Message) -> None:
        self.name = name
        self.distribution = distribution
        self._reason = reason

    def obstacle(self, dtypes: frozenset[str], format: str) -> str:
        """Always the reason."""
        del dtypes, format
        return self._reason

    def prepare(self) -> None:
        """Refuse."""
        raise LoadFailedError(self._reason)

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Refuse."""
        del request
        raise LoadFailedError(self._reason)


def entry_points() -> dict[str, EntryPoint]:
    """Entry points of the group by name, none of them imported; the first of a name counts."""
    from importlib import metadata  # noqa: PLC0415  the window and loaders start sooner without it

    found: dict[str, EntryPoint] = {}
    for point in metadata.entry_points(group=GROUP):
        found.setdefault(point.name, point)
    return found


def load_entry_point(point: EntryPoint) -> Baseline:
    """The baseline that an entry point names; an `Unusable` one where it fails.

    The entry point leads to a class that derives from `Baseline`, made without arguments.
    Its name is the entry point's.
    """
    package = point.dist.name if point.dist is not None else point.value
    try:
        made = point.load()()
    except Exception as error:
        # Importing a package runs code of others: none of its errors may hide the other baselines.
        what = f"{type(error).__name__}: {error}"
        return Unusable(point.name, package, _sentence(point, package, what))
    if not isinstance(made, Baseline):
        what = Message("it does not derive from modelmon's Baseline")
        return Unusable(point.name, package, _sentence(point, package, what))
    lacking = [name for name in _ATTRIBUTES if not hasattr(made, name)]
    if lacking:
        what = Message("it lacks {lacking}", lacking=", ".join(lacking))
        return Unusable(point.name, package, _sentence(point, package, what))
    made.name = point.name
    return made


def _sentence(point: EntryPoint, package: str, what: str) -> Message:
    return Message(
        "Couldn't use {value} of the package {package}: {what}. Update {package} or remove it.",
        value=point.value,
        package=package,
        what=what,
    )


class WatchedProgram(Baseline):
    """A recorded program: its command is text, and nothing can load by it."""

    name = PROGRAM
    when_it_wins = Message("A program that was watched.")
    distribution = ""
    formats = ("safetensors", "gguf")
    shows_memory = False

    @property
    def memory_kind(self) -> MemoryKind:
        """What it needs at most."""
        return "owned"

    def obstacle(self, dtypes: frozenset[str], format: str) -> str:
        """That it is a record."""
        del dtypes, format
        return Message("A program is started by its own command only: use modelmon watch.")

    def version(self) -> str:
        """Not known."""
        return ""

    def prepare(self) -> None:
        """Never asked, for there is an obstacle."""

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """Never asked, for there is an obstacle."""
        raise NotImplementedError


_BUILT_IN: dict[str, Callable[[], Baseline]] = {
    "safetensors.get_tensor": GetTensor,
    "safetensors.get_slice": GetSlice,
    "safetensors.pread": Pread,
    "safetensors.prefetch": Prefetch,
    "safetensors.torch.load_file": torch_load_file,
    "safetensors.numpy.load_file": numpy_load_file,
    "gguf.GGUFReader": GgufReader,
    "fastsafetensors": FastSafetensors,
    "runai-model-streamer": RunaiStreamer,
    "instanttensor": InstantTensor,
    "llama-cpp.read": LlamaCppRead,
}


@dataclass(frozen=True, slots=True)
class Availability:
    """A baseline as a list shows it; `obstacle` is empty where it can load the model here."""

    name: str
    when_it_wins: str
    version: str
    obstacle: str


def names() -> tuple[str, ...]:
    """Names of all baselines, installed or not; modelmon's first. Imports none of them."""
    added = set(entry_points()) - set(_BUILT_IN) - {NO_LIBRARY, PROGRAM}
    return (*_BUILT_IN, *sorted(added))


def baseline(name: str) -> Baseline:
    """The baseline called `name`; raises ConfigError with the known names."""
    if name == PROGRAM:
        return WatchedProgram()
    if name in _BUILT_IN:
        return _BUILT_IN[name]()
    if name in names():
        return load_entry_point(entry_points()[name])
    raise ConfigError(
        Message("There's no library strategy called {name}.", name=repr(name)),
        Message("Choose one of: {names}.", names=", ".join(names())),
    )


def obstacle(name: str, dtypes: frozenset[str], format: str) -> str:
    """Why a baseline cannot load such tensors here, or nothing; raises ConfigError."""
    return _availability(baseline(name), dtypes, format).obstacle


def available_as(name: str, model: Model) -> Availability:
    """Whether one baseline can load `model` here; raises ConfigError if there is none so named."""
    dtypes = frozenset(tensor.dtype for tensor in model.tensors)
    return _availability(baseline(name), dtypes, model.format)


def available(model: Model) -> tuple[Availability, ...]:
    """Every baseline, and whether it can load `model` here; what it needs is not imported."""
    dtypes = frozenset(tensor.dtype for tensor in model.tensors)
    return tuple(_availability(baseline(name), dtypes, model.format) for name in names())


def available_here() -> tuple[Availability, ...]:
    """Every baseline, and whether it can load anything here, whatever the model is."""
    found = [baseline(name) for name in names()]
    return tuple(_availability(each, frozenset(), each.formats[0]) for each in found)


def _availability(found: Baseline, dtypes: frozenset[str], format: str) -> Availability:
    try:
        version, reason = found.version(), found.obstacle(dtypes, format)
    except Exception as error:
        # Whatever a package of others raises, a list of all baselines tells it and goes on.
        version = ""
        reason = Message(
            "{name} couldn't check whether it works here: {kind}: {reason}.",
            name=found.name,
            kind=type(error).__name__,
            reason=error,
        )
    return Availability(found.name, found.when_it_wins, version, reason)

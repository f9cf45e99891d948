"""All baselines by name: those of modelmon, then those that other packages add."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.load.libraries.baseline import Baseline
from modelmon.core.load.libraries.gguf_baselines import GgufReader, LlamaCppRead
from modelmon.core.load.libraries.safetensors_baselines import (
    GetSlice,
    GetTensor,
    Pread,
    Prefetch,
    numpy_load_file,
    torch_load_file,
)
from modelmon.core.load.libraries.streamers import FastSafetensors, InstantTensor, RunaiStreamer
from modelmon.core.load.libraries.third_party import entry_points, load_entry_point
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from modelmon.core.load.libraries.baseline import Delivered, LibraryRequest, MemoryKind
    from modelmon.core.model.tensors import Model


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

"""The outcome of a measurement as export needs it: what modelmon.toml stores, and how the strategy
reads, from which settings of other programs follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.load.config import NO_LIBRARY, PROGRAM
from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.storage import storage_stack_of
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.model.open import open_model
from modelmon.core.programs.model_files import ModelFiles, files_of
from modelmon.core.remote import parts_of
from modelmon.core.units import GIB, request_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.history.origin import Machine
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.machine.storage import MountLayer, StorageStack
    from modelmon.core.model.fingerprint import ModelFingerprint
    from modelmon.core.model.tensors import Model
    from modelmon.core.worker.events import Cache

ReadAccess = Literal["mapped", "buffered", "direct", "unknown"]
"""Unknown is how the program of somebody else reads."""
READ_WORDS: dict[ReadAccess, Message] = {
    "mapped": Message("memory-mapped files"),
    "buffered": Message("reads into private memory"),
    "direct": Message("direct I/O"),
}

_STRATEGY_READS: dict[str, ReadAccess] = {
    "mmap": "mapped",
    "read": "buffered",
    "direct": "direct",
    "auto": "direct",
}
LIBRARY_READS: dict[str, ReadAccess] = {
    "safetensors.get_tensor": "mapped",
    "safetensors.get_slice": "mapped",
    "safetensors.torch.load_file": "mapped",
    "safetensors.numpy.load_file": "mapped",
    "gguf.GGUFReader": "mapped",
    "safetensors.pread": "buffered",
    "llama-cpp.read": "buffered",
    "fastsafetensors": "buffered",
    "runai-model-streamer": "buffered",
}


@dataclass(frozen=True, slots=True)
class ReadPattern:
    """How a model's bytes are fetched.

    `ahead`: the page cache is filled before or beside the load. `readers` and `request_bytes` are
    None where the program decides them by itself.
    """

    access: ReadAccess
    readers: int | None = None
    request_bytes: int | None = None
    ahead: bool = False

    def missing_from(self, wanted: ReadPattern) -> Message:
        """What of `wanted` this is not; NOTHING where it is all of it."""
        return joined(self._lacks(wanted), ", ")

    def _lacks(self, wanted: ReadPattern) -> Iterator[Message]:
        if wanted.access != self.access:
            yield READ_WORDS[wanted.access]
        if wanted.ahead and not self.ahead:
            yield Message("reading ahead")
        if wanted.readers != self.readers and (wanted.readers or 1) > 1:
            yield Message("{readers} readers", readers=wanted.readers)
        if wanted.request_bytes not in (None, self.request_bytes):
            size = request_text(wanted.request_bytes or 0)
            yield Message("requests of {size}", size=size)


def read_pattern_of(config: LoadConfig, cache: Cache) -> ReadPattern:
    """How a strategy reads from this state of the page cache.

    `auto` maps what is cached, or copies it to be owned, and reads the rest past the cache.
    Raises ConfigError for a library of which it is not known.
    """
    if config.library in LIBRARY_READS:
        return ReadPattern(LIBRARY_READS[config.library])
    if config.library == PROGRAM:
        return ReadPattern("unknown")
    if config.library != NO_LIBRARY:
        raise ConfigError(
            Message(
                "{library} has its own loader: its result doesn't show what other"
                " programs should set.",
                library=config.library,
            ),
            Message("Export a strategy of modelmon."),
        )
    access = _STRATEGY_READS[config.access]
    if config.access == "auto" and cache == "warm":
        if config.deliver == "usable":
            # Nothing is read: how many map it matters little.
            return ReadPattern("mapped")
        access = "buffered"
    return ReadPattern(
        access,
        config.readers,
        # The kernel decides how much one page fault reads.
        None if access == "mapped" else config.chunk_bytes,
        ahead=config.warmup != "none" or config.prefetch_bytes > 0,
    )


def missing_text(missing: Message, title: str) -> Message:
    """What a program cannot be told, as a sentence; NOTHING where that is nothing."""
    if not missing:
        return NOTHING
    return Message("{title} has no setting for: {missing}.", title=title, missing=missing)


NOT_IN_SIGHT = Message("Its storage isn't visible here: export on the model's machine.")
UNOPENED = Message("Its files can't be opened here: export on the machine that has the model.")


class Measured(NamedTuple):
    """Which model was measured where, when, and from which state of the cache; `path` is the
    model's place, and `measured_with` another file of the same layout that was loaded for it.
    """

    path: str
    model: ModelFingerprint | None
    machine: Machine
    cache: Cache
    created_unix_s: float
    measured_with: Message = NOTHING


class Stored(NamedTuple):
    """What modelmon.toml holds: how to load, and its own time and runs, None where that wasn't
    measured. `instead` says so, or why another strategy is stored than the one that is told of.
    """

    strategy: str
    config: LoadConfig
    median_ns: float | None
    runs: int | None
    instead: Message = NOTHING


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One strategy that was measured with one model on one machine.

    Where it is a command of somebody else, that is `program`. `sentence` is the verdict with its
    `reasons`, `caution` what it doesn't see, and `effect` what the strategy took here. `warm_ns` is
    what the fastest start took that found the model cached, where `median_ns` is of cold ones.
    `storable` is what can be stored of it, or why nothing can. `stack` is what the model lies on,
    None where it is not in sight, and `opened` the model where somebody has opened it.
    """

    measured: Measured
    strategy: str
    config: LoadConfig
    sentence: Message
    effect: Message
    median_ns: float
    storable: Stored | ModelmonError
    reasons: tuple[Message, ...] = ()
    caution: Message = NOTHING
    warm_ns: float | None = None
    program: str = ""
    stack: StorageStack | None = None
    opened: Model | None = None

    @property
    def path(self) -> str:
        """Where the model is, on its machine."""
        return parts_of(self.measured.path).path

    @property
    def server(self) -> str:
        """Which machine that is; "" for this one."""
        return parts_of(self.measured.path).server

    @property
    def format(self) -> str:
        """The model's format; where nothing told, as its name has it."""
        model = self.measured.model
        return model.format if model is not None else Path(self.path).suffix.removeprefix(".")

    @property
    def nbytes(self) -> int:
        """The model's size; 0 where nothing told."""
        return self.measured.model.nbytes if self.measured.model is not None else 0

    @property
    def stored(self) -> Stored:
        """What modelmon.toml holds. Raises ModelmonError that says why there is none."""
        if isinstance(self.storable, ModelmonError):
            raise self.storable
        return self.storable

    @property
    def why(self) -> Message:
        """The verdict with its reasons."""
        return told(self.sentence, *self.reasons, self.measured.measured_with)

    @property
    def note(self) -> Message:
        """What is to be known before it is stored: the least expected comes first."""
        instead = self.storable.instead if isinstance(self.storable, Stored) else NOTHING
        return instead or self.caution or self.sentence

    @property
    def reading(self) -> ReadPattern:
        """How it reads. Raises ConfigError for a library of which that is not known."""
        return read_pattern_of(self.config, self.measured.cache)

    @cached_property
    def model(self) -> Model | None:
        """What is there; None where it can't be opened."""
        if self.opened is not None or self.server:
            return self.opened
        try:
            return open_model(Path(self.path))
        except ModelmonError:
            return None

    @property
    def lowest(self) -> MountLayer | None:
        """The filesystem that holds the model; None where it is not in sight."""
        return self.stack.lowest if self.stack is not None else None

    @property
    def is_program(self) -> bool:
        """Whether it is a command, which says nothing of how others should read."""
        return self.config.library == PROGRAM

    @property
    def readers(self) -> int:
        """How many readers the strategy has; 1 where the library decides that."""
        return self.reading.readers or 1

    @property
    def files(self) -> ModelFiles:
        """The files that were opened."""
        if self.model is not None:
            return files_of(self.model, in_sight=not self.server)
        path = Path(self.path)
        is_file = path.suffix == f".{self.format}"
        if is_file and "-of-" not in path.stem:
            return ModelFiles(str(path.parent), (path.name,), frozenset({path.name}))
        return ModelFiles(str(path.parent) if is_file or path.suffix == ".json" else self.path)

    @property
    def files_at_once(self) -> int:
        """How many files that many readers would load at once, each a whole one: of those that are
        not in sight, as many as there are readers.
        """
        model = self.model
        files = len(model.shards if model is not None else self.files.names)
        return min(self.readers, files or self.readers)

    @property
    def folder(self) -> str:
        """The model's folder, as programs take it that load a folder."""
        return self.files.folder

    @property
    def file(self) -> str:
        """The model's first file, as programs take it that load one; where its files are not in
        sight, the path.
        """
        return next(iter(self.files.paths), self.path)


def told(headline: Message, *others: Message) -> Message:
    """A verdict in a running text: its headline may have no full stop."""
    if not headline.endswith("."):
        headline = Message("{sentence}.", sentence=headline)
    return joined(filter(None, (headline, *others)))


def stack_here(measured: Measured) -> StorageStack | None:
    """What the model lies on, where it is still there on such a filesystem, and this is a machine
    with so much RAM: the same path may be a server's.
    """
    path, machine = Path(measured.path), measured.machine
    same_size = round(read_memory().total_bytes / GIB) == round(machine.ram_bytes / GIB)
    if not same_size or not path.exists():
        return None
    stack = storage_stack_of(path)
    return stack if stack.mounts and stack.mounts[0].filesystem == machine.filesystem else None

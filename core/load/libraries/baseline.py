"""What a baseline is: a library that loads a model as its users would have it load.

It hands tensors out as torch tensors or numpy arrays. What is installed is looked up without
importing it.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from modelmon.core.messages import NOTHING, Message, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def is_installed(module: str) -> bool:
    """Whether a top-level module can be found."""
    return importlib.util.find_spec(module) is not None


def missing_sentence(requires: Mapping[str, str]) -> Message:
    """What to install, from modules and the packages that bring them; empty if all are here."""
    missing = [package for module, package in requires.items() if not is_installed(module)]
    if not missing:
        return NOTHING
    packages = " ".join(missing)
    if len(missing) == 1:
        return Message(
            "{package} is not installed: pip install {packages}",
            package=packages,
            packages=packages,
        )
    return Message(
        "{missing} are not installed: pip install {packages}",
        missing=joined(missing, " and "),
        packages=packages,
    )


def version_of(distribution: str) -> str:
    """The installed version, or nothing where it is not installed."""
    from importlib import metadata  # noqa: PLC0415  the window and loaders start sooner without it

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def too_old(distribution: str, since: str) -> bool:
    """Whether what is installed is older than this version, by their first two numbers."""
    return _release(version_of(distribution)) < _release(since)


def _release(version: str) -> tuple[int, ...]:
    numbers = re.match(r"(\d+)\.(\d+)", version)
    return tuple(map(int, numbers.groups())) if numbers else (0, 0)


def has_gpu() -> bool:
    """Whether there is a GPU that torch may use, by the devices of its driver."""
    return any(Path("/dev", name).exists() for name in ("nvidiactl", "kfd", "dxg"))


MemoryKind = Literal["mapped", "owned"]


class WantedTensor(NamedTuple):
    """A tensor to load: its name, the number of its shard, and its stored size."""

    name: str
    shard: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class LibraryRequest:
    """What a baseline is to load.

    paths: the shards, by number. tensors: in the order in which they are to be delivered.
    owned: the caller wants each in private memory; a baseline whose tensors are mapped
    copies them as its users do (`clone`, `copy`).
    """

    paths: tuple[str, ...]
    tensors: tuple[WantedTensor, ...]
    owned: bool = False

    @property
    def wanted_paths(self) -> list[str]:
        """Those shards that hold wanted tensors."""
        return [self.paths[shard] for shard in sorted({each.shard for each in self.tensors})]


class Delivered(NamedTuple):
    """A tensor as the library handed it out; there may be 100,000, each made while it is timed.

    address, nbytes: where its bytes are; address 0 where the library does not tell.
    keep: whatever keeps that memory alive. asked_ns: the monotonic clock when a call was
    made that read this tensor together with others; None where it was got by itself.
    """

    name: str
    address: int
    nbytes: int
    keep: Any
    asked_ns: int | None = None


class Baseline(ABC):
    """A library as its users call it. Creating one imports nothing but the standard library.

    name: what users choose, `safetensors.get_tensor`. when_it_wins: one short sentence.
    distribution: the package whose version goes into the result. formats: what it loads,
    of `safetensors` and `gguf`. requires: modules that it imports, each with the package
    that brings it. since: the first version of the package that it takes. needs_gpu: it loads
    to one. whole_files: it reads its files whole, whatever is asked of them.
    reads_in_threads: of its own, always. shows_memory: it tells where its tensors are; else all is
    read when its call returns. in_memory: all of a tensor is in memory when it is handed out, and
    needn't be touched for that.
    """

    name: str
    when_it_wins: str
    distribution: str
    formats: tuple[str, ...]
    requires: Mapping[str, str] = {}
    since: str = ""
    needs_gpu: bool = False
    whole_files: bool = False
    reads_in_threads: bool = False
    shows_memory: bool = True
    in_memory: bool = False

    @property
    @abstractmethod
    def memory_kind(self) -> MemoryKind:
        """What its tensors' memory is without a copy: the file's pages, or private."""

    @property
    def dtypes(self) -> frozenset[str] | None:
        """Stored types that it can represent; None where it takes what the format has."""
        return None

    def own_threads(self, *, owned: bool) -> bool:
        """Whether it reads or, for `owned` memory, copies in threads of its own.

        The calling thread's time then does not tell what the load waited for.
        """
        del owned
        return self.reads_in_threads

    def obstacle(self, dtypes: frozenset[str], format: str) -> str:
        """Why it cannot load tensors of these types from this format here, as a sentence;
        empty if it can. Looks at what is installed and imports nothing.
        """
        if format not in self.formats:
            return Message(
                "{name} loads {formats} files, not {format}.",
                name=self.name,
                formats=" and ".join(self.formats),
                format=format,
            )
        missing = missing_sentence(self.requires)
        if missing:
            return missing
        if self.since and too_old(self.distribution, self.since):
            return Message(
                "{name} needs a newer {package} than {has}: pip install '{package}>={since}'",
                name=self.name,
                package=self.distribution,
                has=version_of(self.distribution),
                since=self.since,
            )
        if self.needs_gpu and not has_gpu():
            return Message("{name} loads to a GPU only: none was found.", name=self.name)
        strange = sorted(dtypes - self.dtypes) if self.dtypes is not None else []
        return (
            Message(
                "{name} cannot represent {strange} here.",
                name=self.name,
                strange=", ".join(strange),
            )
            if strange
            else ""
        )

    def version(self) -> str:
        """Version of what would load, as the result states it; empty if it is not installed."""
        return version_of(self.distribution)

    @abstractmethod
    def prepare(self) -> None:
        """Import what the load needs; before the clock starts."""

    @abstractmethod
    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """The load, which is timed: every tensor of the request, in its order.

        Opening files and reading headers are part of it, as they are for users. The
        iterator is kept until the load is checked, so files may stay open in it.
        """


_INTEGERS = {f"{sign}{bits}" for sign in "UI" for bits in (8, 16, 32, 64)}
_OF_ML_DTYPES = {"BF16", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"}
_DTYPES = frozenset({"BOOL", *_INTEGERS, "F16", "F32", "F64", "C64", *_OF_ML_DTYPES})


@dataclass(frozen=True, slots=True)
class Framework:
    """A tensor library: safetensors' short name for it, its module, the types it has, and what it
    takes besides, as `Baseline.requires`.
    """

    key: str
    module: str
    dtypes: frozenset[str]
    beside: Mapping[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        """Import it. numpy gets the types of ml_dtypes, by the names that safetensors asks it for:
        of these it finds only bfloat16 once ml_dtypes is imported.
        """
        module = importlib.import_module(self.module)
        for beside in map(importlib.import_module, self.beside):
            from modelmon.core.load.loaded import OF_ML_DTYPES  # noqa: PLC0415  it imports numpy

            for name in OF_ML_DTYPES.values():
                vars(module).setdefault(name, getattr(beside, name))

    def delivered(
        self, name: str, array: Any, *, copy: bool = False, asked_ns: int | None = None
    ) -> Delivered:
        """`array`, or a private copy of it as users make one; of one on a GPU no address, for
        nothing here can read there.
        """
        if self.key == "pt":
            kept = array.clone() if copy else array
            address = 0 if kept.is_cuda else kept.data_ptr()
            return Delivered(name, address, kept.nbytes, kept, asked_ns)
        kept = array.copy() if copy else array
        return Delivered(name, kept.ctypes.data, kept.nbytes, kept, asked_ns)

    def in_order(
        self, request: LibraryRequest, arriving: Iterator[tuple[str, Any]]
    ) -> Iterator[Delivered]:
        """Tensors that come by their names as they are ready; what is early waits for its turn."""
        early: dict[str, Any] = {}
        for tensor in request.tensors:
            while tensor.name not in early:
                arrived = next(arriving, None)
                if arrived is None:
                    return
                early.update([arrived])
            yield self.delivered(tensor.name, early.pop(tensor.name))

    def version_beside(self, distribution: str) -> str:
        """The version of a library that hands out this framework's tensors."""
        version = version_of(distribution)
        return version and f"{version} with {self.module} {version_of(self.module)}"


NUMPY = Framework("np", "numpy", _DTYPES, {"ml_dtypes": "ml_dtypes"})
TORCH = Framework("pt", "torch", _DTYPES | {"F4"})


def best_installed() -> Framework:
    """torch, which model code uses, or numpy where torch is not installed."""
    return TORCH if is_installed(TORCH.module) else NUMPY

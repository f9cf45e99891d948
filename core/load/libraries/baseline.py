"""What a baseline is: a library that loads a model as its users would have it load."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from modelmon.core.load.libraries.installed import (
    has_gpu,
    missing_sentence,
    too_old,
    version_of,
)
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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

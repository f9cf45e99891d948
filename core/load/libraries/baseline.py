"""What a baseline is: a library that loads a model as its users would have it load.

What is installed is looked up without importing it. `LibraryLoad` is one measured load: what the
library delivers is touched, recorded, kept, and can be hashed.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import hashlib
import importlib
import importlib.util
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from modelmon.core.errors import LoadFailedError, ModelmonError
from modelmon.core.load.config import ML_DTYPES
from modelmon.core.load.files import touch
from modelmon.core.load.threads import RequestTimes, Stopwatch
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.messages import NOTHING, Message, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from modelmon.core.load.readers import Record
    from modelmon.core.load.threads import Account

MemoryKind = Literal["mapped", "owned"]


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
    copies them as its users do (`clone`, `copy`). touched: each is used; else what a call returned
    is kept as it is, if that is no more than a handle.
    """

    paths: tuple[str, ...]
    tensors: tuple[WantedTensor, ...]
    owned: bool = False
    touched: bool = True

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


_INTEGERS = {f"{sign}{bits}" for sign in "UI" for bits in (8, 16, 32, 64)}
_DTYPES = frozenset({"BOOL", *_INTEGERS, "F16", "F32", "F64", "C64", *ML_DTYPES})


@dataclass(frozen=True, slots=True)
class Framework:
    """What libraries hand tensors out as: safetensors' short name for it, its module, the types it
    has, and what it takes besides, as `Baseline.requires`.
    """

    key: str
    module: str
    dtypes: frozenset[str]
    beside: Mapping[str, str] = field(default_factory=dict)

    def delivered(
        self, name: str, array: Any, *, copy: bool = False, asked_ns: int | None = None
    ) -> Delivered:
        """`array`, or a private copy of it as users make one; of one on a GPU no address, for
        nothing here can read there.
        """
        if self.key == "pt":
            kept = array.clone() if copy else array
            address = 0 if kept.is_cuda else kept.data_ptr()
        else:
            kept = array.copy() if copy else array
            address = kept.ctypes.data
        return Delivered(name, address, kept.nbytes, kept, asked_ns)

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


NUMPY = Framework("np", "numpy", _DTYPES, {"ml_dtypes": "ml_dtypes"})
TORCH = Framework("pt", "torch", _DTYPES | {"F4"})


class Baseline:
    """A library as its users call it. Creating one imports nothing but the standard library.

    name: what users choose, `safetensors.get_tensor`. when_it_wins: one short sentence.
    distribution: the package whose version goes into the result. formats: what it loads,
    of `safetensors` and `gguf`. requires: modules that it imports, each with the package
    that brings it; imports: others of these packages. since: the first version of the package that
    it takes. needs_gpu: it loads to one. whole_files: it reads its files whole, whatever is asked
    of them. reads_in_threads: of its own, always. shows_memory: it tells where its tensors are;
    else all is read when its call returns. in_memory: all of a tensor is in memory when it is
    handed out, and needn't be touched for that. memory_kind: what its tensors' memory is without a
    copy, the file's pages or private. dtypes: stored types that it can represent; None where it
    takes what the format has.
    """

    name: str
    distribution: str
    formats: tuple[str, ...]
    requires: Mapping[str, str] = {}
    imports: tuple[str, ...] = ()
    since: str = ""
    needs_gpu: bool = False
    whole_files: bool = False
    reads_in_threads: bool = False
    shows_memory: bool = True
    in_memory: bool = False
    memory_kind: MemoryKind = "owned"
    dtypes: frozenset[str] | None = None

    def __init__(
        self,
        when_it_wins: str,
        load: Callable[[Baseline, LibraryRequest], Iterator[Delivered]],
        framework: Framework | None,
        **facts: Any,
    ) -> None:
        """`load` is the load, `framework` what it hands out, and `facts` are other attributes."""
        self.when_it_wins = when_it_wins
        self.framework = framework
        self._load = load
        vars(self).update(facts)

    def own_threads(self, *, owned: bool) -> bool:
        """Whether it reads or, for `owned` memory, copies in threads of its own, as torch's `clone`
        does in all of them.

        The calling thread's time then does not tell what the load waited for.
        """
        copies = owned and self.memory_kind == "mapped" and self.framework is TORCH
        return self.reads_in_threads or copies

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
        strange = ", ".join(sorted(dtypes - self.dtypes)) if self.dtypes is not None else ""
        text = Message("{name} cannot represent {strange} here.", name=self.name, strange=strange)
        is_numpy = self.framework is NUMPY and self.distribution == "safetensors"
        if is_numpy and dtypes <= TORCH.dtypes:
            text = Message(
                "numpy cannot represent {types}; torch can: use safetensors.torch.load_file",
                types=strange,
            )
        return text if strange else ""

    def version(self) -> str:
        """Version of what would load and of what it hands out, as the result states it; empty if it
        is not installed.
        """
        version = version_of(self.distribution)
        if not version or self.framework is None:
            return version
        module = self.framework.module
        return f"{version} with {module} {version_of(module)}"

    def prepare(self) -> None:
        """Import what the load needs; before the clock starts.

        numpy gets the types of ml_dtypes, by the names that safetensors asks it for: of these it
        finds only bfloat16 once ml_dtypes is imported. CUDA is started, which every user of a GPU
        has done before.
        """
        modules = {name: importlib.import_module(name) for name in (*self.requires, *self.imports)}
        if beside := modules.get("ml_dtypes"):
            for name in ML_DTYPES.values():
                vars(modules["numpy"]).setdefault(name, getattr(beside, name))
        if self.needs_gpu:
            modules["torch"].cuda.init()

    def load(self, request: LibraryRequest) -> Iterator[Delivered]:
        """The load, which is timed: every tensor of the request, in its order.

        Opening files and reading headers are part of it, as they are for users. The
        iterator is kept until the load is checked, so files may stay open in it.
        """
        return self._load(self, request)


class LibraryLoad:
    """One load of a request by a baseline; run once.

    A tensor counts when each of its pages was touched; where it isn't touched, as with delivery
    `untouched` or where the library is known to have it in memory then, when the library returned
    it. All memory is kept as long as this object.
    """

    decode_ns = 0
    mapped_bytes = 0

    def __init__(
        self, baseline: Baseline, request: LibraryRequest, reader: int = 0, *, touches: bool = True
    ) -> None:
        self._baseline = baseline
        self._request = request
        self._reader = reader
        self._touches = touches and not baseline.in_memory
        self._delivered: list[Delivered] = []
        self._deliveries: Iterator[Delivered] = iter(())
        self.notes: list[Message] = []

    @property
    def memory_kind(self) -> MemoryKind:
        """What the delivered memory is: `mapped` from the files, or `owned`."""
        return "owned" if self._request.owned else self._baseline.memory_kind

    def prepare(self) -> None:
        """Import the library; raises LoadFailedError where that fails."""
        with self._failures(importing=True):
            self._baseline.prepare()
        # What is kept here beside each tensor would have Python look through all that was imported,
        # 0.1 s for torch, in the library's time.
        gc.freeze()

    def run(self, record: Record) -> list[Account]:
        """Load all tensors; `record` is called after each. Raises LoadFailedError.

        The account says nothing about waiting where the library works in threads of its own.
        """
        # There may be 100,000 tensors, and what is done for each is charged to the library.
        clock, keep, touches = time.monotonic_ns, self._delivered.append, self._touches
        reader, name = self._reader, self._baseline.name
        watch = Stopwatch()
        self._deliveries = self._given()
        for number, wanted in enumerate(self._request.tensors):
            start_ns = clock()
            delivered = next(self._deliveries, None)
            if delivered is None:
                raise LoadFailedError(
                    Message(
                        "{name} ended before it returned tensor {wanted_name}.",
                        name=name,
                        wanted_name=wanted.name,
                    )
                )
            nbytes = delivered.nbytes
            if delivered.name != wanted.name or nbytes != wanted.nbytes:
                raise LoadFailedError(
                    Message(
                        "{name} delivered {nbytes} bytes as tensor {delivered_name}; wanted were"
                        " the {wanted_nbytes} bytes of {wanted_name}.",
                        name=name,
                        nbytes=nbytes,
                        delivered_name=delivered.name,
                        wanted_nbytes=wanted.nbytes,
                        wanted_name=wanted.name,
                    ),
                    Message("It converts or mixes up tensors, so it can't be compared."),
                )
            if touches and nbytes and delivered.address:
                touch(delivered.address, nbytes)
            if delivered.asked_ns is not None:
                start_ns = delivered.asked_ns
            record(reader, number, RequestTimes(start_ns, clock()), nbytes)
            keep(delivered)
        account = watch.stop()
        if self._baseline.own_threads(owned=self._request.owned):
            account = account._replace(run_queue_ns=None)
        return [account]

    def _given(self) -> Iterator[Delivered]:
        with self._failures():
            yield from self._baseline.load(self._request)

    def checksum(self) -> str | None:
        """SHA-256 over all delivered bytes, tensor after tensor in the request's order.

        None where the library does not tell where they are.
        """
        digest = hashlib.sha256()
        for delivered in self._delivered:
            if not delivered.nbytes:
                continue
            if not delivered.address:
                return None
            digest.update((ctypes.c_char * delivered.nbytes).from_address(delivered.address))
        return digest.hexdigest()

    @contextmanager
    def _failures(self, *, importing: bool = False) -> Iterator[None]:
        try:
            yield
        except ModelmonError:
            raise
        except Exception as error:
            # Libraries raise what they like, errors of their own among it.
            is_memory = isinstance(error, MemoryError) or getattr(error, "errno", 0) == errno.ENOMEM
            figures = {"name": self._baseline.name, "reason": str(error) or type(error).__name__}
            raise LoadFailedError(
                Message("Couldn't import {name}: {reason}.", **figures)
                if importing
                else Message("{name} couldn't load the model: {reason}.", **figures),
                address_space_remedy() if is_memory else NOTHING,
            ) from error

"""The engine: opens files and puts together what one process reads with, then runs it once.

From a LoadConfig and the process's part of the plan it chooses each reader's source and where its
bytes go. Nothing here reads: that is what `readers` do, through `sources`.
"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, Self

from modelmon.core.errors import ConfigError, OutOfMemoryError
from modelmon.core.load.files import (
    GatheringDestination,
    OpenFiles,
    OwnedDestination,
    PassingDestination,
)
from modelmon.core.load.readers import (
    SPARE_SLOTS,
    DecodingReader,
    Reader,
    Requests,
    decoders_each,
    run_readers,
    usable_processors,
)
from modelmon.core.load.sources import (
    AutoSource,
    DirectSource,
    MappedSource,
    PlacedSource,
    ReadSource,
    keeps_files,
)
from modelmon.core.machine.direct_io import DirectRefusedError
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from modelmon.core.load.decode import Room
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import Destination
    from modelmon.core.load.plan import ProcessPlan, ReaderPlan
    from modelmon.core.load.readers import Decode, Record, Worker
    from modelmon.core.load.sources import Source
    from modelmon.core.load.threads import Account

    Cached = Literal["mapped", "copied", "all"]


_COPIED = Message("What is cached was copied: a map would end the program if the mount goes away.")


class Engine:
    """Everything open and in place, then run once; a `with` block closes the files."""

    def __init__(
        self,
        plan: ProcessPlan,
        consume: Callable[[int, Extent, memoryview], None] | None = None,
        room: Room | None = None,
        *,
        cached: Cached = "mapped",
    ) -> None:
        """Open the files. `consume` gets the reader's number, request and bytes of whatever
        is delivered through a small buffer; `room` has decoded values written to where
        they go, else they are made and dropped. What is `cached` is mapped where it can be, or
        `copied` to the buffers that all passes, from which a device reads; `all` has the rest
        mapped as well, so that it is cached when it is loaded again.

        Raises LoadFailedError, OutOfMemoryError among them, and ConfigError where direct reads are
        asked for and refused.
        """
        self._plan = plan
        self._config = config = plan.config
        self._consume = consume
        self._room = room
        self._cached = cached
        self._closing = contextlib.ExitStack()
        self.notes: list[Message] = []
        self.owned: OwnedDestination | None = None
        self.passing: list[PassingDestination] = []
        every = [extent for reader in plan.readers for extent in reader.extents]
        try:
            if config.memory_kind == "owned":
                self.owned = OwnedDestination(every, plan.slices, huge_pages=self._huge)
            self.readers = [self._reader(reader) for reader in plan.readers]
        except BaseException as error:
            self._closing.close()
            if isinstance(error, MemoryError):
                raise OutOfMemoryError(address_space_remedy()) from error
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(
        self, extents: Iterable[Extent], *, direct: bool = False, own: bool = False
    ) -> OpenFiles:
        """Open files of these extents, where they are `direct` or its `own` apart from those
        that readers share; they are closed with the engine.
        """
        plan = self._plan
        files = OpenFiles(
            plan.files,
            {extent.shard for extent in extents},
            None if direct or own else plan.inherited,
            direct=direct,
        )
        self._closing.callback(files.close)
        return files

    def _reader(self, planned: ReaderPlan) -> Reader | DecodingReader:
        plan, config = self._plan, self._config
        extents, slices, parts, _, number, _ = planned
        decodes = config.deliver == "decoded"
        count = SPARE_SLOTS + decoders_each(config, usable_processors()) if decodes else 1
        destination = self._destination(count)
        source = self._source(extents, destination)
        requests = Requests(number, extents, plan.chunk_bytes)
        passes = config.memory_kind == "streamed"
        consume = partial(self._consume, number) if self._consume and passes else None
        reader = Reader(number, extents, requests, source, consume)
        if decodes:
            slots = destination if isinstance(destination, PassingDestination) else None
            return DecodingReader(reader, parts, count, slots, self._decode)
        prefetch = None
        if config.prefetch_bytes:
            # Loads without it start sooner.
            from modelmon.core.load.warmup import Prefetch  # noqa: PLC0415

            ahead = self.open(extents, own=True)
            prefetch = Prefetch(ahead, extents, config.chunk_bytes, config.prefetch_bytes)
        placed = self.owned is not None and slices is None
        return reader._replace(prefetch=prefetch, slices=slices, placed=placed)

    def _destination(self, slots: int) -> Destination | None:
        """Where a reader's bytes go; None where they are used as they are mapped."""
        slices, kind = self._plan.slices, self._config.memory_kind
        passes_mapped = self._config.access == "mmap" and kind == "streamed"
        if passes_mapped or kind == "mapped" or (self.owned is not None and slices is None):
            return self.owned
        passing = PassingDestination(self._request_bytes, slots, huge_pages=self._huge)
        self.passing.append(passing)
        return passing if slices is None else GatheringDestination(slices, self.owned, passing)

    @cached_property
    def _request_bytes(self) -> int:
        return self._plan.request_bytes

    @cached_property
    def _decode(self) -> Decode:
        """What decodes a part, compiled already. Raises ConfigError for a type that can't be."""
        # Decoders, and what they need, are loaded only here, where they are what is measured.
        from modelmon.core.load import decode  # noqa: PLC0415  not light

        units = (unit for reader in self._plan.readers for unit in reader.parts)
        decode.prepare_decoders({part.dtype for unit in units for part in unit})
        room = self._room or decode.dropped
        return lambda data, part: room(part, partial(decode.decode_into, data, part.dtype))

    @property
    def _huge(self) -> bool:
        return self._config.huge_pages == "on"

    def _source(self, extents: Sequence[Extent], destination: Destination | None) -> Source:
        config = self._config
        if config.access == "mmap":
            return MappedSource(self.open(extents), config, destination, self._plan.slices)
        assert destination is not None
        if config.access == "read":
            return ReadSource(self.open(extents), config, destination)
        if config.access == "auto":
            return self._auto_source(extents, destination)
        try:
            return DirectSource(self.open(extents, direct=True), destination)
        except DirectRefusedError as refusal:
            raise ConfigError(
                Message("{refusal}: access can't be direct here.", refusal=refusal.reason),
                Message("Choose access read or auto."),
            ) from refusal

    def _auto_source(self, extents: Sequence[Extent], destination: Destination) -> Source:
        cached = self.open(extents)
        maps = self._cached_maps(cached)
        maps_all = self._cached == "all" and self._config.deliver == "usable"
        if maps_all and self.owned is not None:
            # Whatever it lies on, as who asks for this would map it.
            return PlacedSource(cached, self.owned)
        try:
            direct = self.open(extents, direct=True)
            return AutoSource(cached, direct, self._config, destination, maps)
        except DirectRefusedError as refusal:
            if isinstance(maps, PlacedSource):
                self._note(Message("{refusal}: all was memory-mapped.", refusal=refusal.reason))
                return maps
            self._note(Message("{refusal}: all reads were buffered.", refusal=refusal.reason))
            return ReadSource(cached, self._config, destination)

    def _cached_maps(self, files: OpenFiles) -> PlacedSource | Callable[[], MappedSource] | None:
        """Maps of what is cached, which stays the cache's: over its place, or to pass from; None
        where it is to be copied.
        """
        config, slices = self._config, self._plan.slices
        copied = self._cached == "copied" or config.deliver == "owned"
        if copied or not keeps_files(files):
            return None
        if self.owned is None:
            # Nothing beside what is cached is to be read ahead.
            alone = replace(config, advice="random")
            return partial(MappedSource, files, alone, None, slices)
        return PlacedSource(files, self.owned) if slices is None else None

    def _note(self, text: Message) -> None:
        if text not in self.notes:
            self.notes.append(text)

    @property
    def memory_kind(self) -> str:
        """Where the bytes are."""
        return self._config.memory_kind

    @property
    def mapped_bytes(self) -> int:
        """How much of what was delivered to a buffer is the page cache's own memory."""
        return sum(reader.source.mapped_bytes for reader in self.readers)

    def populate(self) -> None:
        """Map all pages of mapped readers, as the warm-up of that name."""
        for reader in self.readers:
            if isinstance(reader.source, MappedSource):
                for extent in reader.extents:
                    reader.source.populate(extent)

    def run(self, record: Record, meanwhile: Callable[[], None] | None = None) -> list[Account]:
        """Load; returns when everything is delivered, with the readers' accounts.

        `meanwhile` is done beside several readers.
        """
        plain = [reader for reader in self.readers if isinstance(reader, Reader)]
        ahead = [reader.prefetch for reader in plain if reader.prefetch is not None]
        workers: Sequence[Worker] = self.readers
        try:
            for prefetch in ahead:
                prefetch.start()
            accounts = run_readers(workers, record, meanwhile, may_take_turns=self._may_take_turns)
        finally:
            for prefetch in ahead:
                prefetch.stop()
        sources = (reader.source for reader in self.readers)
        if (
            self._config.deliver == "usable"
            and self._plan.slices is None
            and sys.platform == "linux"
            and any(isinstance(source, AutoSource) and source.copies for source in sources)
        ):
            self._note(_COPIED)
        # An error that its own frames can reach would keep the load's memory and files.
        problems = list(filter(None, (prefetch.take_problem() for prefetch in ahead)))
        del problems[1:]
        if problems:
            raise problems.pop()
        return accounts

    @property
    def _may_take_turns(self) -> bool:
        """Where nobody chose how many read at once, and no other process reads beside."""
        return self._config.access == "auto" and self._config.processes == 1

    @property
    def decode_ns(self) -> int:
        """CPU time that the decoders took."""
        return sum(r.decode_ns for r in self.readers if isinstance(r, DecodingReader))

    def close(self) -> None:
        """Close the files; what was delivered stays."""
        self._closing.close()

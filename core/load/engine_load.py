"""A loader's part of a load by the engine: warmed up or waited for, then read."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

from modelmon.core.load import progress as shared
from modelmon.core.load.accounts import Account, Stopwatch
from modelmon.core.load.engine import Engine, Share
from modelmon.core.load.extents import Extent, split, total_bytes
from modelmon.core.load.slices import Slices
from modelmon.core.load.warmup import await_warm_up, warm_up

if TYPE_CHECKING:
    from modelmon.core.load.loader_work import LoaderWork
    from modelmon.core.messages import Message


class EngineLoad:
    """One loader's part of a load: prepared, then run once."""

    def __init__(self, work: LoaderWork) -> None:
        self._work = work
        self._progress = shared.attach(work.progress, work.requests)
        self._digests = {number: hashlib.sha256() for number in work.readers}
        self._copies: dict[int, list[bytes]] = {number: [] for number in work.readers}
        share = Share(
            paths=work.paths,
            sizes_bytes=work.sizes_bytes,
            readers=work.readers,
            chunk_bytes=work.chunk_bytes,
            request_bytes=work.request_bytes,
            slices=Slices(work.slices) if work.slices else None,
            inherited=work.descriptors,
            parts=work.parts,
        )
        consume = {"dropped": None, "copied": self._copy, "hashed": self._hash}[work.passing]
        self._engine = Engine(work.config, share, consume)
        self._warm_files = self._engine.open(work.warmup) if work.warmup else None

    @property
    def notes(self) -> list[Message]:
        """What had to be done otherwise than asked."""
        return self._engine.notes

    @property
    def memory_kind(self) -> str:
        """Where the bytes are."""
        return self._work.config.memory_kind

    @property
    def mapped_bytes(self) -> int:
        """How much of its own memory is the page cache's."""
        return self._engine.mapped_bytes

    @property
    def decode_ns(self) -> int:
        """CPU time of the decoders."""
        return self._engine.decode_ns

    def run(self) -> list[Account]:
        """Warm up or wait for it, then read; returns the accounts of all that worked."""
        accounts = []
        if self._warm_files is not None:
            accounts.append(self._warm())
            self._progress.warmup_done_ns = time.monotonic_ns()
        elif self._work.config.warmup != "none":
            await_warm_up(self._progress)
        accounts += self._engine.run(self._progress.record)
        for number in self._work.readers:
            self._progress.finish(number)
        return accounts

    def _warm(self) -> Account:
        assert self._warm_files is not None
        work = self._work

        def report(done_bytes: int) -> None:
            self._progress.warmup_bytes = done_bytes

        if work.config.warmup == "populate":
            watch = Stopwatch()
            self._engine.populate()
            report(total_bytes(work.warmup))
            return watch.stop()
        return warm_up(
            work.config.warmup, self._warm_files, work.warmup, work.config.chunk_bytes, report
        )

    def _copy(self, reader: int, request: Extent, view: memoryview) -> None:
        del request
        self._copies[reader].append(bytes(view))

    def _hash(self, reader: int, request: Extent, view: memoryview) -> None:
        del request
        self._digests[reader].update(view)

    def checksums(self) -> dict[int, str]:
        """SHA-256 over each reader's delivered bytes, in the order of its requests."""
        for number, copies in self._copies.items():
            for copy in copies:
                self._digests[number].update(copy)
        if self._work.config.memory_kind != "streamed":
            for reader in self._engine.readers:
                for extent in reader.extents:
                    for request in split(extent, self._work.chunk_bytes):
                        self._digests[reader.number].update(reader.source.delivered(request))
        return {number: digest.hexdigest() for number, digest in self._digests.items()}

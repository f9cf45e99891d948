"""A loader's part of a load by a baseline, with the warm-up in front that others may share."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from modelmon.core.load import progress as shared
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.libraries.baseline import LibraryRequest, WantedTensor
from modelmon.core.load.libraries.library_load import LibraryLoad
from modelmon.core.load.warmup import await_warm_up, warm_up

if TYPE_CHECKING:
    from modelmon.core.load.accounts import Account, RequestTimes
    from modelmon.core.load.loader_work import LoaderWork
    from modelmon.core.messages import Message


class MeasuredLibrary:
    """One rank's load by a library: prepared (imported), then run once."""

    decode_ns = 0
    mapped_bytes = 0

    def __init__(self, work: LoaderWork) -> None:
        """Import the library; raises LoadFailedError where that fails."""
        self._work = work
        self._progress = shared.attach(work.progress, work.requests)
        # A library loads as one reader; several ranks are several processes.
        ((self._number, extents),) = work.readers.items()
        wanted = tuple(
            WantedTensor(name, shard, extent.nbytes)
            for (name, shard), extent in zip(work.tensors, extents, strict=True)
        )
        owned = work.config.deliver == "owned"
        request = LibraryRequest(tuple(work.paths), wanted, owned)
        self._load = LibraryLoad(work.config, request)
        self._load.prepare()
        self.notes: list[Message] = []

    @property
    def memory_kind(self) -> str:
        """Where the bytes are."""
        return self._load.memory_kind

    def run(self) -> list[Account]:
        """Warm up or wait for it, then have the library load; returns the accounts."""
        accounts = []
        if self._work.warmup:
            accounts.append(self._warm())
        elif self._work.config.warmup != "none":
            await_warm_up(self._progress)
        accounts += self._load.run(self._record, threading.Event())
        self._progress.finish(self._number)
        return accounts

    def _warm(self) -> Account:
        work = self._work

        def report(done_bytes: int) -> None:
            self._progress.warmup_bytes = done_bytes

        files = OpenFiles(work.paths, work.sizes_bytes, {e.shard for e in work.warmup})
        try:
            chunk = work.config.chunk_bytes
            account = warm_up(work.config.warmup, files, work.warmup, chunk, report)
        finally:
            files.close()
        self._progress.warmup_done_ns = time.monotonic_ns()
        return account

    def _record(
        self, _reader: int, request: int, times: RequestTimes, nbytes: int, count: int = 1, /
    ) -> None:
        self._progress.record(self._number, request, times, nbytes, count)

    def checksums(self) -> dict[int, str]:
        """SHA-256 of all tensors in order; empty text where the library hides its memory."""
        return {self._number: self._load.checksum() or ""}

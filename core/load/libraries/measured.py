"""A load by a baseline: what it delivers is touched, recorded, kept, and can be hashed.

`MeasuredLibrary` is a loader process's part of it, with the warm-up in front that others may share.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import hashlib
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError, ModelmonError
from modelmon.core.load import progress as shared
from modelmon.core.load.files import OpenFiles, touch
from modelmon.core.load.libraries.baseline import LibraryRequest, WantedTensor
from modelmon.core.load.libraries.registry import baseline
from modelmon.core.load.threads import Account, RequestTimes, Stopwatch
from modelmon.core.load.warmup import await_warm_up, warm_up
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.libraries.baseline import Delivered, MemoryKind
    from modelmon.core.load.plan import LoaderWork
    from modelmon.core.load.readers import Record


class LibraryLoad:
    """One load of a request by the baseline that `config.library` names; run once.

    With `deliver` set to `untouched` a tensor counts when the library returned it, as it does where
    the library is known to have it in memory then; else when each of its pages was touched. All
    memory is kept as long as this object.
    """

    def __init__(self, config: LoadConfig, request: LibraryRequest) -> None:
        self._baseline = baseline(config.library)
        self._request = request
        self._touches = config.deliver != "untouched"
        self._delivered: list[Delivered] = []
        self._deliveries: Iterator[Delivered] = iter(())

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

    def run(self, record: Record, stop: threading.Event) -> list[Account]:
        """Load all tensors; `record` is called after each, as reader 0.

        The account tells nothing about waiting where the library works in threads of its
        own. Raises LoadFailedError.
        """
        # There may be 100,000 tensors, and what is done for each is charged to the library.
        clock, stopped, keep = time.monotonic_ns, stop.is_set, self._delivered.append
        touches = self._touches and not self._baseline.in_memory
        watch = Stopwatch()
        self._deliveries = self._given()
        for number, wanted in enumerate(self._request.tensors):
            if stopped():
                break
            start_ns = clock()
            delivered = next(self._deliveries, None)
            if delivered is None:
                raise self._ended(wanted)
            nbytes = delivered.nbytes
            if delivered.name != wanted.name or nbytes != wanted.nbytes:
                raise self._mixed_up(delivered, wanted)
            if touches and nbytes and delivered.address:
                touch(delivered.address, nbytes)
            if delivered.asked_ns is not None:
                start_ns = delivered.asked_ns
            record(0, number, RequestTimes(start_ns, clock()), nbytes)
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

    def _ended(self, wanted: WantedTensor) -> LoadFailedError:
        return LoadFailedError(
            Message(
                "{name} ended before it returned tensor {wanted_name}.",
                name=self._baseline.name,
                wanted_name=wanted.name,
            )
        )

    def _mixed_up(self, delivered: Delivered, wanted: WantedTensor) -> LoadFailedError:
        return LoadFailedError(
            Message(
                "{name} delivered {nbytes} bytes as tensor {delivered_name}; wanted were"
                " the {wanted_nbytes} bytes of {wanted_name}.",
                name=self._baseline.name,
                nbytes=delivered.nbytes,
                delivered_name=delivered.name,
                wanted_nbytes=wanted.nbytes,
                wanted_name=wanted.name,
            ),
            Message("It converts or mixes up tensors, so it can't be compared."),
        )

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


class MeasuredLibrary:
    """One rank's load by a library: prepared (imported), then run once."""

    decode_ns = 0
    mapped_bytes = 0

    def __init__(self, work: LoaderWork) -> None:
        """Import the library; raises LoadFailedError where that fails."""
        self._work = work
        self._progress = shared.attach(work.progress, work.requests)
        # A library loads as one reader; several ranks are several processes.
        ((self._number, extents),) = work.share.readers.items()
        wanted = tuple(
            WantedTensor(name, shard, extent.nbytes)
            for (name, shard), extent in zip(work.tensors, extents, strict=True)
        )
        owned = work.config.deliver == "owned"
        request = LibraryRequest(tuple(work.share.paths), wanted, owned)
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

        share = work.share
        files = OpenFiles(share.paths, share.sizes_bytes, {e.shard for e in work.warmup})
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

"""The supervisor: prepares one load, lets it go, watches it and tells what it saw."""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING

from modelmon.core.errors import (
    CancelledError,
)
from modelmon.core.load.accounts import Account, io_wait_share
from modelmon.core.load.files import OpenFiles
from modelmon.core.worker import checksums
from modelmon.core.worker import events as ev
from modelmon.core.worker.admission import (
    check_users,
    describe_users,
)
from modelmon.core.worker.cache_state import CacheState
from modelmon.core.worker.chunk_stream import ChunkStream
from modelmon.core.worker.conditioning import condition_memory, conditioned_bytes
from modelmon.core.worker.loaders import Loaders, expect_go
from modelmon.core.worker.preparation import prepare
from modelmon.core.worker.sampler import Sampler
from modelmon.core.worker.watch import Watch

if TYPE_CHECKING:
    from modelmon.core.load.plan import Plan
    from modelmon.core.worker.preparation import Prepared
    from modelmon.core.worker.streams import EventWriter, Inbox

_IDLE_LOOK_S = 0.1
_REPORT_EVERY_NS = 200_000_000
_NOTHING_TOUCHED = (
    "Nothing was touched: the library returned before its bytes were in memory, so this time"
    " says nothing about loading and is not counted."
)


class Supervisor:
    """One job, from headers to the last event."""

    def __init__(self, job: ev.Job, writer: EventWriter, inbox: Inbox) -> None:
        self._job = job
        self._writer = writer
        self._inbox = inbox

    def run(self) -> None:
        """Do the job; raises ModelmonError for whatever ends it early."""
        prepared = prepare(self._job)
        model, plan = prepared.model, prepared.plan
        for_files = [model.files[shard] for shard in sorted({e.shard for e in plan.wanted})]
        users = check_users(for_files, self._job.allow_busy)
        self._writer.write(prepared.planned)
        if users:
            text = f"While this was measured, {describe_users(users)}."
            self._writer.write(ev.Warned("mapped-elsewhere", text))
        files = OpenFiles(
            [shard.path for shard in model.shards],
            [shard.size_bytes for shard in model.shards],
            {extent.shard for extent in plan.wanted},
        )
        try:
            self._load(prepared, files)
        finally:
            files.close()

    def _load(self, prepared: Prepared, files: OpenFiles) -> None:
        plan = prepared.plan
        before_ns = time.monotonic_ns()
        loaders = Loaders(plan, self._job.config, files, self._job.verify, prepared.tensor_names)
        sampler = Sampler(prepared.storage)
        try:
            loaders.listen(self._inbox)
            loaders.wait_ready(self._inbox)
            startup_ns = time.monotonic_ns() - before_ns
            cache = CacheState(files, plan.wanted)
            self._prepare(plan, cache, sampler, loaders)
            watch = Watch(
                loaders, sampler, cache, ChunkStream(plan, loaders.progress), prepared.timer
            )
            watch.run(self._writer, self._inbox, self._job)
            last = watch.finish(self._writer)
            totals = sampler.totals()
            residency_after = cache.residency()
            touched = self._job.config.deliver != "untouched"
            judgement = cache.judge(self._job.cache, totals.device_bytes, reads_all=touched)
            for note in loaders.notes:
                self._writer.write(ev.Warned("direct-refused", note))
            if not touched:
                self._writer.write(ev.Warned("nothing-touched", _NOTHING_TOUCHED))
            for warning in judgement.warnings:
                self._writer.write(warning)
            checksum, matches = self._verify(plan, files, loaders)
            accounts = loaders.accounts()
            self._writer.write(
                ev.Finished(
                    wall_ns=last.t_ns,
                    warmup_ns=watch.warmup_ns,
                    delivered_bytes=last.delivered_bytes,
                    memory_kind=loaders.memory_kind,
                    cache_state=judgement.state,
                    cache_evidence=judgement.evidence,
                    counts=judgement.counts and matches is not False and touched,
                    samples=watch.samples,
                    dropped_samples=self._writer.dropped,
                    max_late_ns=watch.max_late_ns,
                    supervisor_cpu_ns=watch.cpu_ns,
                    startup_ns=startup_ns,
                    decode_ns=loaders.decode_ns or None,
                    device_bytes=totals.device_bytes,
                    io_wait_share=_io_wait(accounts, totals.device_bytes),
                    cpu_user_ns=totals.cpu_user_ns,
                    cpu_system_ns=totals.cpu_system_ns,
                    minor_faults=totals.minor_faults,
                    major_faults=totals.major_faults,
                    peak_rss_bytes=sampler.peak_rss_bytes(),
                    residency_after_share=residency_after.share,
                    checksum=checksum,
                    checksum_matches=matches,
                )
            )
        finally:
            sampler.close()
            for pid in loaders.close():
                sys.stderr.write(f"Process {pid} ends when its storage answers.\n")

    def _prepare(self, plan: Plan, cache: CacheState, sampler: Sampler, loaders: Loaders) -> None:
        """Set and verify the cache, look at the idle device, and wait for `go`."""
        cache.set(self._job.cache, self._writer.write, self._inbox.is_cancelled)
        touched = self._condition(plan)
        sampler.idle_device()
        time.sleep(_IDLE_LOOK_S)
        idle = sampler.idle_device()
        sampler.watch(loaders)
        found = cache.look()
        levels = sampler.totals()
        self._writer.write(
            ev.Ready(
                residency_share=found.share,
                residency_source=found.source,
                loader_rss_bytes=(levels.rss_anon_bytes or 0) + (levels.rss_file_bytes or 0),
                idle_device=idle,
                conditioned_bytes=touched,
            )
        )
        # What is known by now stays: no collection walks through it during the load.
        gc.collect()
        gc.freeze()
        expect_go(self._inbox, loaders)
        sampler.rebase()

    def _condition(self, plan: Plan) -> int:
        job = self._job
        if not job.condition_memory:
            return 0
        wanted = conditioned_bytes(job.config, job.cache, plan)

        def report(done: int) -> None:
            self._writer.write(ev.Progress("prepare", done, wanted), may_drop=True)

        touched = condition_memory(wanted, report, self._inbox.is_cancelled)
        if self._inbox.is_cancelled():
            raise CancelledError("The load was stopped.")
        return touched

    def _verify(
        self, plan: Plan, files: OpenFiles, loaders: Loaders
    ) -> tuple[str | None, bool | None]:
        if not self._job.verify:
            return None, None
        done = 0
        reported_ns = 0
        total = 2 * plan.planned_bytes

        def report(nbytes: int) -> None:
            nonlocal done, reported_ns
            done += nbytes
            if self._inbox.is_cancelled():
                raise CancelledError("The load was stopped.")
            if time.monotonic_ns() - reported_ns > _REPORT_EVERY_NS:
                reported_ns = time.monotonic_ns()
                self._writer.write(ev.Progress("verify", done, total), may_drop=True)

        return checksums.verify(plan, files, loaders.checksums(self._inbox), report)


def _io_wait(accounts: list[Account], device_bytes: int | None) -> float | None:
    """The load's IO-wait. Where the device gave nothing, its readers waited for each other."""
    return 0.0 if device_bytes == 0 else io_wait_share(accounts)

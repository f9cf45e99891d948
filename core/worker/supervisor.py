"""The supervisor: prepares one load, lets it go, watches it and tells what it saw."""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.errors import CancelledError
from modelmon.core.load.extents import total_bytes
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.sources import keeps_files
from modelmon.core.machine.storage import DRIVE_BYTES_PER_S, device_limit
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.stored_codes import kept_as_stored
from modelmon.core.worker import checksums
from modelmon.core.worker import events as ev
from modelmon.core.worker.admission import check_users, describe_users
from modelmon.core.worker.cache_state import CacheState
from modelmon.core.worker.conditioning import MemoryNeed, memory_need, touched_memory
from modelmon.core.worker.events import not_run
from modelmon.core.worker.final_readings import delivery_warnings, finished, look_back
from modelmon.core.worker.loaders import Loaders, expect_go
from modelmon.core.worker.memory_pressure import pressure_warnings
from modelmon.core.worker.preparation import prepare
from modelmon.core.worker.run_warnings import VERIFIED, warned
from modelmon.core.worker.sampler import Sampler
from modelmon.core.worker.watch import Watch
from modelmon.core.worker.watched import WHOLE_SHARE

if TYPE_CHECKING:
    from modelmon.core.load.plan import Plan
    from modelmon.core.machine.anonymous_memory import OwnedBuffer
    from modelmon.core.worker.loaders import SpareLoader
    from modelmon.core.worker.preparation import Prepared
    from modelmon.core.worker.run_warnings import RunWarning
    from modelmon.core.worker.streams import EventWriter, Inbox
    from modelmon.core.worker.watched import StartWatched, Watched

IDLE_LOOK_S = 0.1


class Supervisor:
    """One job, from headers to the event that sums it up."""

    def __init__(
        self,
        job: ev.Job,
        writer: EventWriter,
        inbox: Inbox,
        spare: SpareLoader | None = None,
        start: StartWatched | None = None,
    ) -> None:
        """`spare` is the loader that was started in advance; `start` starts the program to watch
        instead, where the job asks for one.
        """
        self._job = job
        self._start = start
        self._spare = spare
        self._can_map = False
        self._spare_memory: OwnedBuffer | None = None
        self._writer = writer
        self._inbox = inbox
        self._began_ns = time.monotonic_ns()

    def run(self) -> ev.Finished:
        """Do the job and tell how it went; raises ModelmonError for whatever ends it early."""
        prepared = prepare(self._job)
        model, plan = prepared.model, prepared.plan
        for_files = [model.files[shard] for shard in sorted({e.shard for e in plan.wanted})]
        joined = self._job.program.pid if self._job.program else None
        looks = self._job.looks_for_users
        users = check_users(for_files, self._job.allow_busy, joined) if looks else []
        self._writer.write(prepared.planned)
        if users:
            who = describe_users(users)
            text = Message("While this was measured, {who}.", who=who)
            self._writer.write(warned("mapped-elsewhere", text, who))
        files = OpenFiles(
            [shard.path for shard in model.shards],
            [shard.size_bytes for shard in model.shards],
            {extent.shard for extent in plan.wanted},
        )
        try:
            return self._load(prepared, files)
        finally:
            files.close()

    def _load(self, prepared: Prepared, files: OpenFiles) -> ev.Finished:
        plan = prepared.plan
        loaders = self._loaders(prepared, files)
        self._can_map = keeps_files(files)
        sampler = Sampler(prepared.storage, prepared.stack.whole_devices())
        cache = CacheState(files, plan.wanted, prepared.behind)
        try:
            loaders.listen(self._inbox)
            ready = self._prepare(prepared, cache, sampler, loaders)
            progress = loaders.progress
            watch = Watch(loaders, sampler, cache, loaders.requests(plan), prepared.timer)
            watch.run(self._writer, self._inbox, self._job)
            watch.finish(self._writer)
            look = look_back(sampler, cache, prepared.surroundings, loaders)
            self._writer.write(cache.maps.look("after", watch.wall_ns))
            touched = self._job.config.deliver != "untouched"
            # An untouched load may have left bytes where they were; a direct one reads them
            # from the device also when they are cached. One that was ended, or a program that
            # takes a part, has not asked for all.
            whole = touched and progress.delivered_bytes >= WHOLE_SHARE * plan.planned_bytes
            tells = whole and self._job.config.access != "direct"
            # Of a program the last bytes may be counted after the part in which they were seen.
            totals = look.totals if self._job.program is None else sampler.totals()
            fetched = totals.device_bytes if tells else None
            judgement = cache.judge(self._job.cache, fetched)
            cut_off = bool(watch.cut_off_ns)
            checksum, matches = (None, None) if cut_off else self._verify(plan, files, loaders)
            done = finished(watch, loaders, look, judgement)
            limit = device_limit(prepared.stack) or DRIVE_BYTES_PER_S
            warnings = [
                *delivery_warnings(loaders, touched=touched),
                *_kept_warnings(self._job, prepared),
                *judgement.warnings,
                *pressure_warnings(self._job, prepared.planned, ready, done, limit),
                *look.around,
                *([VERIFIED] if self._job.verify else []),
            ]
            for warning in warnings:
                self._writer.write(warning)
            counts = matches is not False and all(warning.counts for warning in warnings)
            counts = counts and not cut_off
            return msgspec.structs.replace(
                done, counts=counts, checksum=checksum, checksum_matches=matches
            )
        finally:
            sampler.close()
            cache.close()
            for pid in loaders.close():
                sys.stderr.write(f"Process {pid} ends when its storage answers.\n")

    def _loaders(self, prepared: Prepared, files: OpenFiles) -> Watched:
        if self._job.program is not None:
            if self._start is None:
                raise not_run(self._job.program)
            name, wanted = prepared.model.name, prepared.plan.wanted
            return self._start(self._job.program, name, files, wanted)
        return Loaders(prepared.plan, self._job, files, prepared.tensor_names, self._spare)

    def _prepare(
        self, prepared: Prepared, cache: CacheState, sampler: Sampler, loaders: Watched
    ) -> ev.Ready:
        """Set and verify the cache, look at the idle device, and wait for `go`."""
        loaders.wait_ready(self._inbox)
        cached_share = cache.residency().share
        cache_ns = self._set(cache) if self._job.cache == "cold" else 0
        sampler.idle_device()
        need = self._memory_need(prepared, cached_share)
        began_ns = time.monotonic_ns()
        of_load = self._touched(need.load_bytes)
        conditioning_ns = time.monotonic_ns() - began_ns
        # As long as this process is there.
        self._spare_memory = self._touched(need.spare_bytes)
        looked_ns = time.monotonic_ns() - began_ns
        time.sleep(max(0.0, IDLE_LOOK_S - looked_ns / 1e9))
        idle = sampler.idle_device()
        # What is cached for a warm start comes after all that could drop it again.
        if self._job.cache != "cold":
            cache_ns = self._set(cache)
        sampler.watch(loaders)
        prepared.surroundings.start()
        found = cache.look()
        levels = sampler.totals()
        self._writer.write(cache.maps.look("before"))
        ready = ev.Ready(
            residency_share=found.share,
            residency_source=found.source,
            loader_rss_bytes=(levels.rss_anon_bytes or 0) + (levels.rss_file_bytes or 0),
            idle_device=idle,
            conditioned_bytes=len(of_load.view) if of_load is not None else 0,
            conditioning_ns=conditioning_ns if of_load is not None else 0,
            cache_ns=cache_ns,
            setup_ns=time.monotonic_ns() - self._began_ns,
        )
        self._writer.write(ready)
        # What is known by now stays: no collection walks through it during the load.
        gc.collect()
        gc.freeze()
        expect_go(self._inbox, loaders)
        if of_load is not None:
            of_load.close()
        sampler.rebase()
        return ready

    def _set(self, cache: CacheState) -> int:
        """Set the cache as the job asks for; returns how long that took, in ns."""
        began_ns = time.monotonic_ns()
        cache.set(self._job.cache, self._writer.tell, self._inbox.is_cancelled)
        return time.monotonic_ns() - began_ns

    def _memory_need(self, prepared: Prepared, cached_share: float | None) -> MemoryNeed:
        """What is to be touched: in a series of runs also what its other strategies take."""
        job = self._job
        if not job.condition_memory:
            return MemoryNeed(0)
        need = memory_need(
            job.config, job.cache, prepared.plan, cached_share, can_map=self._can_map
        )
        return need if self._spare is not None else MemoryNeed(need.load_bytes)

    def _touched(self, nbytes: int) -> OwnedBuffer | None:
        def report(done: int) -> None:
            self._writer.tell(ev.Progress("prepare", done, nbytes))

        memory = touched_memory(nbytes, report, self._inbox.is_cancelled)
        if self._inbox.is_cancelled():
            raise CancelledError(Message("The load was stopped."))
        return memory

    def _verify(
        self, plan: Plan, files: OpenFiles, loaders: Watched
    ) -> tuple[str | None, bool | None]:
        if not self._job.verify:
            return None, None
        done = 0
        total = 2 * sum(map(total_bytes, plan.readers))

        def report(nbytes: int) -> None:
            nonlocal done
            done += nbytes
            if self._inbox.is_cancelled():
                raise CancelledError(Message("The load was stopped."))
            self._writer.tell(ev.Progress("verify", done, total))

        return checksums.verify(plan, files, loaders.checksums(self._inbox), report)


def _kept_warnings(job: ev.Job, prepared: Prepared) -> list[RunWarning]:
    """What was not decoded, although that was asked for."""
    kept = kept_as_stored(prepared.model) if job.config.deliver == "decoded" else NOTHING
    return [warned("as-stored", kept)] if kept else []

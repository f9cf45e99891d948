"""The supervisor: one job from its line to the event that sums it up, whatever happens.

It prepares a load, lets it go, has it watched, judges it, and verifies its bytes where a job asks
for that. It never loads anything itself, and touches no file between eviction and the start.
"""

from __future__ import annotations

import gc
import hashlib
import os
import platform
import signal
import sys
import time
import traceback
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

import msgspec

import modelmon
from modelmon.core.errors import (
    EXIT_DONE,
    EXIT_LOAD_FAILED,
    CancelledError,
    ConfigError,
    LoadFailedError,
    ModelmonError,
)
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.load.extents import distinct, split, total_bytes
from modelmon.core.load.files import OpenFiles, not_opened, not_read
from modelmon.core.load.plan import AWAKE
from modelmon.core.load.sources import keeps_files
from modelmon.core.load.threads import allowed_processors
from modelmon.core.machine.mounts import SIMULATED
from modelmon.core.machine.processes import was_stopped
from modelmon.core.machine.storage import DRIVE_BYTES_PER_S, device_limit
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.stored_codes import kept_as_stored
from modelmon.core.units import MIB
from modelmon.core.worker import events as ev
from modelmon.core.worker.cache_state import CacheState, stop_if
from modelmon.core.worker.environment_check import check_users, describe_users, pressure_warnings
from modelmon.core.worker.loaders import Loaders, SpareLoader
from modelmon.core.worker.preparation import MemoryNeed, memory_need, prepare, touched_memory
from modelmon.core.worker.run_warnings import VERIFIED, RunWarning, warned
from modelmon.core.worker.sampler import Sampler
from modelmon.core.worker.streams import EventWriter, Inbox
from modelmon.core.worker.timed_load import TimedLoad
from modelmon.core.worker.watched import WHOLE_SHARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from modelmon.core.load.extents import Extent, Slices
    from modelmon.core.load.plan import Plan
    from modelmon.core.machine.anonymous_memory import OwnedBuffer
    from modelmon.core.machine.storage import StorageStack
    from modelmon.core.worker.preparation import Prepared
    from modelmon.core.worker.watched import StartWatched, Watched

IDLE_LOOK_S = 0.1
_NOTHING_TOUCHED = Message("Not counted: the library returned before its bytes were in memory.")
_READ_BUT_NOT_TOUCHED = Message(
    "Not counted: nothing verified that the library's bytes were in memory when it returned."
)


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
        self._spare_memory: OwnedBuffer | None = None
        self._writer = writer
        self._inbox = inbox
        self._began_ns = time.monotonic_ns()

    def run(self) -> ev.Finished:
        """Do the job and tell how it went; raises ModelmonError for whatever ends it early."""
        job, prepared = self._job, prepare(self._job)
        model, plan = prepared.model, prepared.plan
        wanted = {extent.shard for extent in plan.wanted}
        joined = job.program.pid if job.program else None
        paths = [model.files[shard] for shard in sorted(wanted)]
        users = check_users(paths, job.allow_busy, joined) if job.looks_for_users else []
        self._writer.write(prepared.planned)
        if users:
            who = describe_users(users)
            text = Message("While this was measured, {who}.", who=who)
            self._writer.write(warned("mapped-elsewhere", text, who))
        files = OpenFiles(model.sized_files, wanted)
        try:
            return self._load(prepared, files)
        finally:
            files.close()

    def _load(self, prepared: Prepared, files: OpenFiles) -> ev.Finished:
        job, plan = self._job, prepared.plan
        loaders = self._loaders(prepared, files)
        sampler = Sampler(loaders, prepared.storage, prepared.stack.whole_devices())
        cache = CacheState(files, plan.wanted, prepared.behind)
        try:
            loaders.listen(self._inbox)
            ready = self._prepare(prepared, cache, sampler, loaders, keeps_files(files))
            load = TimedLoad(self._writer, loaders, sampler, cache, prepared.timer)
            load.run(self._inbox, job)
            done = load.finish()
            around = prepared.environment.finish()
            self._writer.write(cache.maps.look("after", done.wall_ns))
            touched = job.config.deliver != "untouched"
            # An untouched load may have left bytes where they were; a direct one reads them
            # from the device also when they are cached. One that was ended, or a program that
            # takes a part, has not asked for all.
            whole = touched and done.delivered_bytes >= WHOLE_SHARE * plan.planned_bytes
            tells = whole and job.config.access != "direct"
            # Of a program the last bytes may be counted after the part in which they were seen.
            judgement = cache.judge(job.cache, sampler.totals().device_bytes if tells else None)
            checksum = matches = None
            if job.verify and not load.cut_off_ns:
                checksum, matches = self._verify(plan, files, loaders)
            done = msgspec.structs.replace(
                done,
                cache_state=judgement.state,
                cache_evidence=judgement.evidence,
                cached_below=judgement.cached_below,
                # What a device gave out of a cache below it came from no storage.
                device_bytes=None if judgement.cached_below else done.device_bytes,
                checksum=checksum,
                checksum_matches=matches,
            )
            limit = device_limit(prepared.stack) or DRIVE_BYTES_PER_S
            warnings = [
                *loaders.warnings,
                *_stopped(loaders.pids),
                *self._delivery_warnings(prepared, done),
                *_simulated(prepared.stack),
                *judgement.warnings,
                *pressure_warnings(job, prepared.planned, ready, done, limit),
                *around,
                *([VERIFIED] if job.verify else []),
            ]
            for warning in warnings:
                self._writer.write(warning)
            counts = all(warning.counts for warning in warnings)
            counts = counts and matches is not False and not load.cut_off_ns
            return msgspec.structs.replace(done, counts=counts)
        finally:
            sampler.close()
            cache.close()
            for pid in loaders.close():
                sys.stderr.write(f"Process {pid} ends when its storage answers.\n")

    def _loaders(self, prepared: Prepared, files: OpenFiles) -> Watched:
        if self._job.program is not None:
            if self._start is None:
                raise ev.not_run(self._job.program)
            name, wanted = prepared.model.name, prepared.plan.wanted
            return self._start(self._job.program, name, files, wanted)
        return Loaders(prepared.plan, self._job, files, self._spare)

    def _prepare(
        self,
        prepared: Prepared,
        cache: CacheState,
        sampler: Sampler,
        loaders: Watched,
        can_map: bool,
    ) -> ev.Ready:
        """Set and verify the cache, look at the idle device, and wait for `go`."""
        job = self._job
        loaders.wait_ready(self._inbox)
        cached_share = cache.residency().share
        cache_ns = self._set(cache) if job.cache == "cold" else 0
        sampler.idle_device()
        need = MemoryNeed(0)
        if job.condition_memory:
            need = memory_need(job.config, job.cache, prepared.plan, cached_share, can_map=can_map)
        began_ns = time.monotonic_ns()
        of_load = self._touched(need.load_bytes)
        conditioning_ns = time.monotonic_ns() - began_ns
        # In a series of runs also what its other strategies take, as long as this process is there.
        self._spare_memory = self._touched(need.spare_bytes) if self._spare else None
        looked_ns = time.monotonic_ns() - began_ns
        time.sleep(max(0.0, IDLE_LOOK_S - looked_ns / 1e9))
        idle = sampler.idle_device()
        # What is cached for a warm start comes after all that could drop it again.
        if job.cache != "cold":
            cache_ns = self._set(cache)
        sampler.rebase()
        prepared.environment.start()
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
        self._expect_go(loaders)
        for pid in loaders.pids:
            was_stopped(pid)  # until now, which took no time of the load
        if of_load is not None:
            of_load.close()
        sampler.rebase()
        return ready

    def _expect_go(self, loaders: Watched) -> None:
        """Wait for the command to start; raises LoadFailedError if a loader ends meanwhile."""
        while True:
            message = self._inbox.get(None)
            if message.sender == "command" and message.line is not None:
                if message.line.strip() == b"go":
                    return
                raise CancelledError(Message("Unknown command {line}.", line=repr(message.line)))
            loaders.take(message)

    def _set(self, cache: CacheState) -> int:
        """Set the cache as the job asks for; returns how long that took, in ns."""
        began_ns = time.monotonic_ns()
        cache.set(self._job.cache, self._writer.tell, self._inbox.is_cancelled)
        return time.monotonic_ns() - began_ns

    def _touched(self, nbytes: int) -> OwnedBuffer | None:
        def report(done: int) -> None:
            self._writer.tell(ev.Progress("prepare", done, nbytes))

        memory = touched_memory(nbytes, report, self._inbox.is_cancelled)
        stop_if(self._inbox.is_cancelled)
        return memory

    def _delivery_warnings(self, prepared: Prepared, done: ev.Finished) -> list[RunWarning]:
        """What was not delivered as asked."""
        deliver, found = self._job.config.deliver, []
        if deliver == "untouched":
            mapped = done.memory_kind == "mapped"
            text = _NOTHING_TOUCHED if mapped else _READ_BUT_NOT_TOUCHED
            found.append(warned("nothing-touched", text))
        units = (unit for reader in prepared.plan.readers for unit in reader.parts)
        loaded = {part.tensor for unit in units for part in unit}
        kept = kept_as_stored(prepared.model, loaded) if deliver == "decoded" else NOTHING
        return [*found, warned("as-stored", kept)] if kept else found

    def _verify(self, plan: Plan, files: OpenFiles, loaders: Watched) -> tuple[str, bool | None]:
        done, total = 0, 2 * sum(total_bytes(reader.extents) for reader in plan.readers)

        def report(nbytes: int) -> None:
            nonlocal done
            done += nbytes
            stop_if(self._inbox.is_cancelled)
            self._writer.tell(ev.Progress("verify", done, total))

        return verify(plan, files, loaders.checksums(self._inbox), report)


def _simulated(stack: StorageStack) -> Iterator[RunWarning]:
    """A load from storage that is no real one is marked as such."""
    for mount in stack.all_mounts():
        if mount.filesystem.startswith(SIMULATED):
            kind = mount.filesystem.removeprefix(f"{SIMULATED}-")
            yield warned("simulated-storage", Message("Simulated storage: {kind}.", kind=kind))
            return


def _stopped(pids: Iterable[int]) -> Iterator[RunWarning]:
    """Whether somebody stopped what loads, as a debugger does."""
    if [pid for pid in pids if was_stopped(pid)]:
        text = Message("Not counted: the load was stopped by a signal and continued later.")
        yield warned("clock-jumped", text, remedy=Message("Run again without stopping it."))


_READ_BYTES = 4 * MIB


def file_checksum(
    files: OpenFiles,
    shares: Iterable[tuple[Iterable[Extent], Slices | None]],
    report: Callable[[int], None],
) -> str:
    """SHA-256 of what is wanted of extents, all of it or slices, in their order, read from the
    files.

    `report` gets the bytes of each read.
    """
    digest = hashlib.sha256()
    buffer = memoryview(bytearray(_READ_BYTES))
    for extents, slices in shares:
        for extent in extents:
            for request in split(extent, _READ_BYTES):
                read = buffer[: request.nbytes]
                files.read_into(read, request)
                digest.update(read if slices is None else slices.gathered(request, read))
                report(request.nbytes)
    return digest.hexdigest()


def verify(
    plan: Plan, files: OpenFiles, delivered: Mapping[int, str], report: Callable[[int], None]
) -> tuple[str, bool | None]:
    """The files' checksum in file order, of slices rank by rank, and whether every reader
    delivered those bytes; None where a library does not show what it delivered.

    The files are read twice, in the readers' order and in their own; `report` gets the bytes
    of each read.
    """
    matches = None
    if "" not in delivered.values():
        matches = all(
            file_checksum(files, [reader[:2]], report) == delivered.get(reader.number)
            for reader in plan.readers
            if reader.extents
        )
    return file_checksum(files, _shares(plan), report), matches


def _shares(plan: Plan) -> Iterator[tuple[Sequence[Extent], Slices | None]]:
    """What the load wants in file order, whichever readers it has."""
    if not plan.slices:
        yield plan.wanted, None
        return
    for _, rank in groupby(plan.readers, attrgetter("rank")):
        readers = list(rank)
        yield distinct(extent for each in readers for extent in each.extents), readers[0].slices


def _failed(error: ModelmonError) -> ev.Failed:
    return ev.Failed(error.kind, error.message, error.remedy)


def _bug(error: Exception) -> ev.Failed:
    what = "".join(traceback.format_exception_only(error)).strip()
    return ev.Failed(
        "internal",
        Message("The process stopped unexpectedly: {what}.", what=what),
        Message("Report this with a recording of the run."),
        "".join(traceback.format_exception(error)),
    )


def _read_job(inbox: Inbox) -> ev.Job:
    line = inbox.get(None).line or b""
    try:
        job = msgspec.json.decode(line, type=ev.Job)
    except (*UNDECODABLE, ConfigError) as error:
        raise ConfigError(Message("Couldn't read the job: {reason}", reason=error)) from error
    if job.protocol != ev.PROTOCOL:
        raise ConfigError(
            Message(
                "The job speaks protocol {protocol}, this worker {ev_protocol}.",
                protocol=job.protocol,
                ev_protocol=ev.PROTOCOL,
            ),
            Message("Install the same modelmon version on both sides."),
        )
    return job


def main(*, standby: bool = False, start: StartWatched | None = None) -> int:
    """Run one worker over the standard streams; returns the exit code of its last event.

    `start` starts the program that it watches, where its job asks for one (core/watch).

    One that stands by was started before there is a job: it starts a loader as well, and says
    that it is awake.
    """
    # Events go out on the original standard output; whatever prints goes to stderr.
    events = os.dup(1)
    os.dup2(2, 1)
    inbox = Inbox()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: inbox.cancel())
    # Unbuffered: a thread that still waits in a buffered read would abort the exit.
    inbox.listen("command", os.fdopen(os.dup(0), "rb", buffering=0))
    spare = None
    if standby:
        with suppress(LoadFailedError):  # it has to be started with its work then
            spare = SpareLoader()
        # Whoever started it may have gone: then its input has ended, too.
        with suppress(OSError):
            os.write(events, AWAKE)
    writer = EventWriter(events)
    code = EXIT_DONE
    try:
        try:
            job = _read_job(inbox)
            writer.write(
                ev.Hello(
                    protocol=ev.PROTOCOL,
                    job=job,
                    modelmon_version=modelmon.__version__,
                    started_unix_s=time.time(),
                    platform=f"{platform.system()} {platform.release()}",
                    cpu_count=allowed_processors(),
                )
            )
            last: ev.Finished | ev.Failed = Supervisor(job, writer, inbox, spare, start).run()
        except ModelmonError as error:
            code, last = error.exit_code, _failed(error)
        except OSError as error:
            # One without a name was met at an open file of the model.
            failure = (
                not_opened(error.filename, error) if error.filename else not_read(job.path, error)
            )
            code, last = failure.exit_code, _failed(failure)
        except Exception as error:
            code, last = EXIT_LOAD_FAILED, _bug(error)
        writer.write(last)
        writer.drain(inbox.is_cancelled)
    except CancelledError as error:
        code = error.exit_code
    return code

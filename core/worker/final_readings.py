"""The end of a load: last looks while the loaders still live, and the event that sums it up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.threads import Account, io_wait_share, run_queue_share
from modelmon.core.messages import Message
from modelmon.core.worker.events import DeviceActivity, Finished, MemoryPressure
from modelmon.core.worker.run_warnings import RunWarning, warned

if TYPE_CHECKING:
    from modelmon.core.machine.cgroup import CgroupLimit
    from modelmon.core.worker.cache_state import CacheState, Judgement
    from modelmon.core.worker.figures import LoaderTotals
    from modelmon.core.worker.sampler import Sampler
    from modelmon.core.worker.surroundings import Surroundings
    from modelmon.core.worker.watch import Watch
    from modelmon.core.worker.watched import Watched

_NOTHING_TOUCHED = Message("Not counted: the library returned before its bytes were in memory.")
_READ_BUT_NOT_TOUCHED = Message(
    "Not counted: nothing verified that the library's bytes were in memory when it returned."
)


class FinalReadings(NamedTuple):
    """The machine's figures over the load that has just ended."""

    totals: LoaderTotals
    device: DeviceActivity | None
    device_read_bytes: int | None
    memory: MemoryPressure
    peak_rss_bytes: int | None
    limits: tuple[CgroupLimit, ...] | None
    residency_share: float | None
    around: list[RunWarning]


def look_back(
    sampler: Sampler, cache: CacheState, surroundings: Surroundings, loaders: Watched
) -> FinalReadings:
    """Read all figures; the loaders must still be there."""
    totals, device, device_read_bytes = sampler.part(loaders.begun_ns)
    return FinalReadings(
        totals=totals,
        device=device,
        device_read_bytes=device_read_bytes,
        memory=sampler.memory_pressure(),
        peak_rss_bytes=sampler.peak_rss_bytes(),
        limits=sampler.limits(),
        residency_share=cache.residency().share,
        around=surroundings.finish(),
    )


def delivery_warnings(loaders: Watched, *, touched: bool) -> list[RunWarning]:
    """What was not delivered as asked."""
    if touched:
        return loaders.warnings
    mapped = loaders.memory_kind == "mapped"
    text = _NOTHING_TOUCHED if mapped else _READ_BUT_NOT_TOUCHED
    return [*loaders.warnings, warned("nothing-touched", text)]


def finished(watch: Watch, loaders: Watched, look: FinalReadings, judgement: Judgement) -> Finished:
    """The load summed up, as far as it is known before its bytes are verified."""
    totals, accounts = look.totals, loaders.accounts()
    return Finished(
        wall_ns=watch.wall_ns,
        warmup_ns=watch.warmup_ns,
        delivered_bytes=loaders.progress.delivered_bytes,
        memory_kind=loaders.memory_kind,
        mapped_bytes=loaders.mapped_bytes,
        cache_state=judgement.state,
        cache_evidence=judgement.evidence,
        counts=judgement.counts,
        samples=watch.samples,
        supervisor_cpu_ns=watch.cpu_ns,
        startup_ns=loaders.startup_ns,
        decode_ns=loaders.decode_ns or None,
        decoders=loaders.decoders or None,
        # What a device gave out of a cache below it came from no storage.
        device_bytes=None if judgement.cached_below else totals.device_bytes,
        cached_below=judgement.cached_below,
        io_wait_share=_io_wait(accounts, totals),
        run_queue_share=run_queue_share(accounts) if accounts else totals.queued_share,
        cpu_user_ns=totals.cpu_user_ns,
        cpu_system_ns=totals.cpu_system_ns,
        minor_faults=totals.minor_faults,
        major_faults=totals.major_faults,
        peak_rss_bytes=look.peak_rss_bytes,
        residency_after_share=look.residency_share,
        device=look.device,
        device_read_bytes=look.device_read_bytes,
        memory=look.memory,
        limits=look.limits,
        **loaders.told,
    )


def _io_wait(accounts: list[Account], totals: LoaderTotals) -> float | None:
    """The load's IO-wait. Where the device gave nothing, its readers waited for each other."""
    if totals.device_bytes == 0:
        return 0.0
    return io_wait_share(accounts) if accounts else totals.waited_share

"""Samples of a load and its figures at the end: what is seen of its processes and of the machine.

It only looks, and counts from `rebase` on. Every figure that the platform lacks stays None.
"""

from __future__ import annotations

import mmap
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from modelmon.core.machine.cgroup import CgroupLimit, CgroupShortage, cgroup_limits, over_a_load
from modelmon.core.machine.host import free_page_reports
from modelmon.core.machine.memory import read_memory
from modelmon.core.worker.events import DeviceActivity, Levels, MemoryPressure, Sample
from modelmon.core.worker.figures import (
    MOST_BEFORE,
    LoaderTotals,
    MemoryFigures,
    SystemCounters,
    SystemReader,
    crowded_out,
    device_activity,
    device_read_bytes,
    grown,
    iowait_share,
    own_shortage,
    stalled_share,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.machine.storage import Storage
    from modelmon.core.worker.watched import Moment, Watched

_Look = tuple[LoaderTotals, SystemCounters]


class _Start(NamedTuple):
    """What everything is counted from."""

    totals: LoaderTotals
    memory: MemoryFigures
    own: CgroupShortage
    free_page_reports: int | None
    limits: tuple[CgroupLimit, ...] | None
    system: SystemCounters


class Sampler:
    """Looks at one load; `devices` are the block devices below the model, whose limits are read.

    Totals count from the latest `rebase`.
    """

    def __init__(self, loaders: Watched, storage: Storage, devices: Sequence[str] = ()) -> None:
        self._devices = devices
        self._system = SystemReader(storage.device)
        self._counts_device_bytes = storage.counts_device_bytes
        self._loaders, self._figures = loaders, loaders.figures
        self._before_part: deque[_Look] = deque(maxlen=MOST_BEFORE)
        self._part_ended: _Look | None = None
        self._was_reading = False
        self.was_crowded_out = False
        self._cpu_ns = 0
        self._before = self._system.counters()

    def idle_device(self) -> DeviceActivity | None:
        """The device's activity since this was last asked, or since the sampler was made."""
        before, self._before = self._before, self._system.counters()
        return device_activity(before, self._before)

    def rebase(self) -> None:
        """Count all totals from now."""
        self._start = _Start(
            self._figures.read(),
            self._system.memory(),
            own_shortage(),
            free_page_reports(),
            cgroup_limits(self._devices),
            self._system.counters(),
        )
        self._least_available_bytes = self._start.memory.available_bytes
        self._before = self._start.system

    def limits(self) -> tuple[CgroupLimit, ...] | None:
        """The limits of the control groups at `rebase`, and what was counted under them since."""
        return over_a_load(self._start.limits, cgroup_limits(self._devices))

    def totals(self) -> LoaderTotals:
        """The loaders' totals since `rebase`, and their present levels."""
        totals = self._figures.read().since(self._start.totals)
        return totals if self._counts_device_bytes else structs.replace(totals, device_bytes=None)

    def mark(self, moment: Moment, totals: LoaderTotals) -> None:
        """Note where the part begins that `part` tells of, and how far it has come; `totals` and
        the device are those of the last sample.
        """
        if moment == "before":
            self._before_part.append((totals, self._before))
        elif moment == "reading":
            self._part_ended = (totals, self._before)
        elif self._was_reading and self._part_ended is not None:
            # What is read ahead is counted after its pages were seen.
            self._part_ended = (totals, self._part_ended[1])
        self._was_reading = moment == "reading"

    def part(
        self, begun_ns: int | None = None
    ) -> tuple[LoaderTotals, DeviceActivity | None, int | None]:
        """The loaders' totals over the part that was marked, else since `rebase`; the device
        meanwhile, whoever used it, and all bytes that were read from it. The part began at
        `begun_ns`, which may have been told a little later.
        """
        totals, now = self._part_ended or (self.totals(), self._system.counters())
        start = self._start.system
        looks = [each for each in self._before_part if each[1].at_ns <= (begun_ns or now.at_ns)]
        if looks:
            base, start = looks[-1]
            totals = totals.since(base)
        return totals, device_activity(start, now), device_read_bytes(start, now)

    def memory_pressure(self) -> MemoryPressure:
        """How short of memory the machine was since `rebase`."""
        start, now, limits = self._start.memory, self._system.memory(), read_memory()
        own_start, own = self._start.own, own_shortage()
        interval_ns = now.at_ns - start.at_ns
        self._note_available(now)
        return MemoryPressure(
            swapped_in_bytes=_page_bytes(start.swapped_in_pages, now.swapped_in_pages),
            swapped_out_bytes=_page_bytes(start.swapped_out_pages, now.swapped_out_pages),
            refaulted_bytes=_page_bytes(start.refaulted_pages, now.refaulted_pages),
            stalled_share=stalled_share(start.psi_us, now.psi_us, interval_ns),
            least_available_bytes=self._least_available_bytes,
            total_bytes=now.total_bytes,
            cgroup_used_bytes=limits.cgroup_used_bytes,
            cgroup_limit_bytes=limits.cgroup_limit_bytes,
            own_swapped_bytes=self._figures.swapped_bytes(),
            own_refaulted_bytes=_page_bytes(own_start.refaulted_pages, own.refaulted_pages),
            own_stalled_share=stalled_share(own_start.stalled_us, own.stalled_us, interval_ns),
            own_limit_hits=grown(own_start.limit_hits, own.limit_hits),
            free_page_reports=grown(self._start.free_page_reports, free_page_reports()),
        )

    def _note_available(self, now: MemoryFigures) -> None:
        known = [n for n in (self._least_available_bytes, now.available_bytes) if n is not None]
        self._least_available_bytes = min(known, default=None)

    def sample(
        self, t_ns: int, late_ns: int, totals: LoaderTotals, *, with_memory: bool = True
    ) -> Sample:
        """What is seen now; the caller knows the time and the `totals`.

        The machine's memory figures are costly to read and can be left out.
        """
        before, now = self._before, self._system.counters()
        cpu_ns = (totals.cpu_user_ns or 0) + (totals.cpu_system_ns or 0)
        self.was_crowded_out = crowded_out(before, now, cpu_ns - self._cpu_ns)
        self._before, self._cpu_ns = now, cpu_ns
        memory = self._system.memory() if with_memory else MemoryFigures()
        self._note_available(memory)
        progress = self._loaders.progress
        return Sample(
            t_ns=t_ns,
            late_ns=late_ns,
            delivered_bytes=progress.delivered_bytes,
            warmup_bytes=progress.warmup_bytes or None,
            device=device_activity(before, now),
            iowait_share=iowait_share(before, now),
            psi_io_share=stalled_share(before.psi_io_us, now.psi_io_us, now.at_ns - before.at_ns),
            available_bytes=memory.available_bytes,
            **{name: getattr(totals, name) for name in Levels.__struct_fields__},
        )

    def close(self) -> None:
        """Close all files."""
        self._system.close()
        self._figures.close()


def _page_bytes(before: int | None, now: int | None) -> int | None:
    pages = grown(before, now)
    return None if pages is None else pages * mmap.PAGESIZE

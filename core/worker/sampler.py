"""Samples: what the supervisor sees of its loaders and of the machine at one moment."""

from __future__ import annotations

import mmap
from collections import deque
from typing import TYPE_CHECKING

from modelmon.core.machine.cgroup import CgroupLimit, ControlGroups, over_a_load
from modelmon.core.machine.host import free_page_reports
from modelmon.core.machine.memory import read_memory
from modelmon.core.worker.events import DeviceActivity, MemoryPressure, Sample
from modelmon.core.worker.figures import (
    MOST_BEFORE,
    LoaderReader,
    LoaderTotals,
    MemoryFigures,
    SystemCounters,
    SystemReader,
    device_activity,
    device_read_bytes,
    grown,
    iowait_share,
    own_shortage,
    stalled_share,
)

if TYPE_CHECKING:
    from modelmon.core.machine.storage import Storage
    from modelmon.core.worker.watched import Moment, SeenProgress, Watched

_OF_LOADERS = tuple(name for name in LoaderTotals._fields if name in Sample.__struct_fields__)
"""What a sample tells of the loaders by the same name."""


class Sampler:
    """Takes samples; every figure that the platform lacks stays None."""

    def __init__(self, storage: Storage, devices: tuple[str, ...] = ()) -> None:
        """`devices` are the block devices below the model, whose limits are read."""
        self._groups = ControlGroups(devices)
        self._limits_before: tuple[CgroupLimit, ...] | None = None
        self._system = SystemReader(storage.device)
        self._counts_device_bytes = storage.counts_device_bytes
        self._start = self._before = self._system.counters()
        self._memory_before = MemoryFigures()
        self._least_available_bytes: int | None = None
        self._loaders: LoaderReader | None = None
        self._progress: SeenProgress | None = None
        self._before_part: deque[tuple[LoaderTotals, SystemCounters]] = deque(maxlen=MOST_BEFORE)
        self._part_ended: tuple[LoaderTotals, SystemCounters] | None = None
        self._was_reading = False

    def idle_device(self) -> DeviceActivity | None:
        """The device's activity since the sampler was made or this was last asked."""
        before, self._before = self._before, self._system.counters()
        return device_activity(before, self._before)

    def watch(self, loaders: Watched) -> None:
        """Sample these loaders; totals count from now."""
        self._progress = loaders.progress
        self._loaders = loaders.figures
        self.rebase()

    def rebase(self) -> None:
        """Count all totals from now."""
        self._base = self._read()
        self._memory_before = self._system.memory()
        self._own_before = own_shortage()
        self._reports_before = free_page_reports()
        self._least_available_bytes = self._memory_before.available_bytes
        self._limits_before = self._groups.limits()
        self._start = self._before = self._system.counters()

    def limits(self) -> tuple[CgroupLimit, ...] | None:
        """The limits of the control groups at `rebase`, and what was counted under them since."""
        return over_a_load(self._limits_before, self._groups.limits())

    def totals(self) -> LoaderTotals:
        """The loaders' totals since `watch`, and their present levels."""
        totals = self._read().since(self._base)
        return totals if self._counts_device_bytes else totals._replace(device_bytes=None)

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
        start = self._start
        looks = [each for each in self._before_part if each[1].at_ns <= (begun_ns or now.at_ns)]
        if looks:
            base, start = looks[-1]
            totals = totals.since(base)
        return totals, device_activity(start, now), device_read_bytes(start, now)

    def memory_pressure(self) -> MemoryPressure:
        """How short of memory the machine was since `rebase`."""
        start, now, limits = self._memory_before, self._system.memory(), read_memory()
        own_start, own = self._own_before, own_shortage()
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
            own_swapped_bytes=self._loaders.swapped_bytes() if self._loaders else None,
            own_refaulted_bytes=_page_bytes(own_start.refaulted_pages, own.refaulted_pages),
            own_stalled_share=stalled_share(own_start.stalled_us, own.stalled_us, interval_ns),
            own_limit_hits=grown(own_start.limit_hits, own.limit_hits),
            free_page_reports=grown(self._reports_before, free_page_reports()),
        )

    def _note_available(self, now: MemoryFigures) -> None:
        known = [n for n in (self._least_available_bytes, now.available_bytes) if n is not None]
        self._least_available_bytes = min(known, default=None)

    def peak_rss_bytes(self) -> int | None:
        """The loaders' highest resident memory so far."""
        return self._loaders.peak_rss_bytes() if self._loaders is not None else None

    def sample(
        self,
        t_ns: int,
        late_ns: int,
        loaders: LoaderTotals,
        *,
        with_memory: bool = True,
    ) -> Sample:
        """What is seen now; the caller knows the time and the `totals`.

        The machine's memory figures are costly to read and can be left out.
        """
        before, now = self._before, self._system.counters()
        self._before = now
        interval_ns = now.at_ns - before.at_ns
        memory = self._system.memory() if with_memory else MemoryFigures()
        self._note_available(memory)
        return Sample(
            t_ns=t_ns,
            late_ns=late_ns,
            delivered_bytes=self._progress.delivered_bytes if self._progress else 0,
            warmup_bytes=(self._progress.warmup_bytes or None) if self._progress else None,
            device=device_activity(before, now),
            iowait_share=iowait_share(before, now),
            psi_io_share=stalled_share(before.psi_io_us, now.psi_io_us, interval_ns),
            available_bytes=memory.available_bytes,
            **{name: getattr(loaders, name) for name in _OF_LOADERS},
        )

    def close(self) -> None:
        """Close all files."""
        self._system.close()
        if self._loaders is not None:
            self._loaders.close()

    def _read(self) -> LoaderTotals:
        return self._loaders.read() if self._loaders is not None else LoaderTotals()


def _page_bytes(before: int | None, now: int | None) -> int | None:
    pages = grown(before, now)
    return None if pages is None else pages * mmap.PAGESIZE

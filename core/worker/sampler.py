"""Samples: what the supervisor sees of its loaders and of the machine at one moment."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

from modelmon.core.worker.events import DeviceActivity, Sample
from modelmon.core.worker.loader_figures import LoaderReader, LoaderTotals, grown, make_reader
from modelmon.core.worker.system_figures import (
    SystemReader,
    device_activity,
    iowait_share,
    stalled_share,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.machine.storage import Storage


class Sampler:
    """Takes samples; every figure that the platform lacks stays None."""

    def __init__(self, storage: Storage) -> None:
        self._system = SystemReader(storage.device)
        self._counts_device_bytes = storage.counts_device_bytes
        self._before = self._system.counters()
        self._start = self._before
        self._loaders: LoaderReader | None = None

    def idle_device(self) -> DeviceActivity | None:
        """The device's activity since the sampler was made or this was last asked."""
        before, self._before = self._before, self._system.counters()
        return device_activity(before, self._before)

    def watch(self, pids: Sequence[int], readers: int) -> None:
        """Sample these loaders, in which `readers` readers work; totals count from now."""
        self._loaders = make_reader(pids, readers)
        self.rebase()

    def rebase(self) -> None:
        """Count all totals from now."""
        self._base = self._read()
        self._before = self._start = self._system.counters()

    def totals(self) -> LoaderTotals:
        """The loaders' totals since `watch`, and their present levels."""
        totals = self._read().since(self._base)
        return totals if self._counts_device_bytes else totals._replace(device_bytes=None)

    def sample(
        self, t_ns: int, late_ns: int, delivered_bytes: int, residency_share: float | None = None
    ) -> Sample:
        """What is seen now; the caller knows its time, the progress and the file's residency."""
        before, now = self._before, self._system.counters()
        self._before = now
        interval_ns = now.at_ns - before.at_ns
        loaders = self.totals()
        available_bytes, page_cache_bytes = self._system.memory_bytes()
        return Sample(
            t_ns=t_ns,
            late_ns=late_ns,
            delivered_bytes=delivered_bytes,
            device_bytes=loaders.device_bytes,
            device=device_activity(before, now),
            cpu_user_ns=loaders.cpu_user_ns,
            cpu_system_ns=loaders.cpu_system_ns,
            iowait_share=iowait_share(before, now),
            psi_io_share=stalled_share(before.psi_io_us, now.psi_io_us, interval_ns),
            psi_memory_share=stalled_share(before.psi_memory_us, now.psi_memory_us, interval_ns),
            waiting_share=loaders.waiting_share,
            minor_faults=loaders.minor_faults,
            major_faults=loaders.major_faults,
            rss_anon_bytes=loaders.rss_anon_bytes,
            rss_file_bytes=loaders.rss_file_bytes,
            rss_shared_bytes=loaders.rss_shared_bytes,
            available_bytes=available_bytes,
            page_cache_bytes=page_cache_bytes,
            swap_in_bytes=_page_bytes(self._start.swapped_in_pages, now.swapped_in_pages),
            cgroup_bytes=self._system.cgroup_bytes(),
            residency_share=residency_share,
            swap_out_bytes=_page_bytes(self._start.swapped_out_pages, now.swapped_out_pages),
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

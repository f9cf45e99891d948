"""Figures of the whole machine: its device, its CPUs' idle waiting, pressure and swap."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from modelmon.core.machine.cgroup import CgroupShortage, is_alone_in, memory_folders, shortage
from modelmon.core.machine.procfs import (
    SECTOR_BYTES,
    DiskCounters,
    parse_cpu_times,
    parse_diskstats,
    parse_meminfo,
    parse_psi,
    parse_vmstat,
)
from modelmon.core.worker.events import DeviceActivity
from modelmon.core.worker.proc_file import ProcFile


class SystemCounters(NamedTuple):
    """Totals since boot at one moment; None where the platform lacks them."""

    at_ns: int
    iowait_ticks: int | None
    total_ticks: int | None
    psi_io_us: int | None
    disk: DiskCounters | None


class MemoryFigures(NamedTuple):
    """Memory of the machine now; since boot: stalls, swapped pages, and pages
    of files that were read again after the kernel had dropped them.
    """

    at_ns: int = 0
    psi_us: int | None = None
    available_bytes: int | None = None
    swapped_in_pages: int | None = None
    swapped_out_pages: int | None = None
    refaulted_pages: int | None = None
    total_bytes: int | None = None


class SystemReader:
    """Reads the machine's counters; `device` is the block device under the model, if any."""

    def __init__(self, device: str | None) -> None:
        self._device = device
        self._stat = ProcFile("/proc/stat")
        self._psi_io = ProcFile("/proc/pressure/io")
        self._psi_memory = ProcFile("/proc/pressure/memory")
        self._disk = ProcFile(f"/sys/class/block/{device}/stat")
        self._meminfo = ProcFile("/proc/meminfo")
        self._vmstat = ProcFile("/proc/vmstat")

    def counters(self) -> SystemCounters:
        """The totals now."""
        cpu = parse_cpu_times(self._stat.read() or "")
        disk = None
        if self._device is not None:
            # One line, where /proc/diskstats has one for every device there is.
            line = self._disk.read()
            disk = parse_diskstats(f"0 0 {self._device} {line}", self._device) if line else None
        return SystemCounters(
            at_ns=time.monotonic_ns(),
            iowait_ticks=cpu.iowait if cpu else None,
            total_ticks=cpu.total if cpu else None,
            psi_io_us=parse_psi(self._psi_io.read() or ""),
            disk=disk,
        )

    def memory(self) -> MemoryFigures:
        """The memory figures now; they take longer to read than all counters together."""
        sizes = parse_meminfo(self._meminfo.read() or "")
        events = parse_vmstat(self._vmstat.read() or "")
        return MemoryFigures(
            at_ns=time.monotonic_ns(),
            psi_us=parse_psi(self._psi_memory.read() or ""),
            available_bytes=sizes.get("MemAvailable"),
            swapped_in_pages=events.get("pswpin"),
            swapped_out_pages=events.get("pswpout"),
            # Before Linux 5.9 files and private memory were counted together.
            refaulted_pages=events.get("workingset_refault_file"),
            total_bytes=sizes.get("MemTotal"),
        )

    def close(self) -> None:
        """Close all files."""
        files = (self._stat, self._psi_io, self._psi_memory, self._disk, self._meminfo)
        for file in (*files, self._vmstat):
            file.close()


def own_shortage() -> CgroupShortage:
    """What the memory cgroup of this process says, where nobody else is in it."""
    for folder in map(Path, memory_folders()[:1]):
        if is_alone_in(folder, os.getpid()):
            return shortage(folder)
    return CgroupShortage(None, None, None)


def device_read_bytes(before: SystemCounters, now: SystemCounters) -> int | None:
    """What the device delivered between two readings, to whomever."""
    if before.disk is None or now.disk is None:
        return None
    return (now.disk.sectors_read - before.disk.sectors_read) * SECTOR_BYTES


def device_activity(before: SystemCounters, now: SystemCounters) -> DeviceActivity | None:
    """The device between two readings, as `iostat -x` computes it from the same counters.

    Formulas: sysstat's documentation of r/s, rareq-sz, r_await, aqu-sz and %util.
    """
    first, last = before.disk, now.disk
    interval_s = (now.at_ns - before.at_ns) / 1e9
    if first is None or last is None or interval_s <= 0:
        return None
    reads = last.reads - first.reads
    nbytes = device_read_bytes(before, now) or 0
    return DeviceActivity(
        reads_per_s=reads / interval_s,
        read_bytes_per_s=nbytes / interval_s,
        mean_request_bytes=nbytes / reads if reads else None,
        read_await_ns=(last.read_ms - first.read_ms) * 1e6 / reads if reads else None,
        queue_depth=(last.weighted_ms - first.weighted_ms) / 1e3 / interval_s,
        busy_share=min(1.0, (last.busy_ms - first.busy_ms) / 1e3 / interval_s),
        writes_per_s=(last.writes - first.writes) / interval_s,
        write_bytes_per_s=(last.sectors_written - first.sectors_written)
        * SECTOR_BYTES
        / interval_s,
    )


def iowait_share(before: SystemCounters, now: SystemCounters) -> float | None:
    """Share of all CPUs' time that was idle with I/O pending."""
    if None in (before.iowait_ticks, now.iowait_ticks, before.total_ticks, now.total_ticks):
        return None
    total = (now.total_ticks or 0) - (before.total_ticks or 0)
    # The kernel's iowait counter is allowed to step back (proc.rst).
    waited = max(0, (now.iowait_ticks or 0) - (before.iowait_ticks or 0))
    return min(1.0, waited / total) if total > 0 else None


def stalled_share(before_us: int | None, now_us: int | None, interval_ns: int) -> float | None:
    """Share of wall time in which some task was stalled, from PSI totals."""
    if before_us is None or now_us is None or interval_ns <= 0:
        return None
    return min(1.0, (now_us - before_us) * 1e3 / interval_ns)

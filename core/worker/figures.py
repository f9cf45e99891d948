"""What the system tells of a load's processes and of the machine: /proc, read again and again.

Figures that a platform lacks are None, never zero. Nothing is written, and no process is touched.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import psutil
from msgspec import structs

from modelmon.core.load.readers import THREAD_NAME
from modelmon.core.machine.cgroup import CgroupShortage, controller_folders, is_alone_in, shortage
from modelmon.core.machine.procfs import (
    SECTOR_BYTES,
    DiskCounters,
    parse_cpu_times,
    parse_diskstats,
    parse_meminfo,
    parse_pid_io,
    parse_pid_stat,
    parse_pid_status_rss,
    parse_pid_status_size,
    parse_psi,
    parse_vmstat,
)
from modelmon.core.worker.events import Counters, DeviceActivity, Levels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from modelmon.core.machine.procfs import PidStat


_MUCH_FETCHED_BYTES = 4 << 20
MOST_BEFORE = 256
"""Looks before a program's reading that are kept: when it began is told up to a second later."""


class LoaderTotals(Levels, frozen=True, kw_only=True):
    """Sums over all processes of a load, so far; what GROWING names is counted from a base.

    `asked_bytes` were asked for by read calls, of any file. A watched program waited for storage
    for `waited_ns` of `reading_ns`, since it began to read anything, as far as that is known.
    """

    asked_bytes: int | None = None
    reading_ns: int | None = None
    waited_ns: int | None = None

    @property
    def waited_share(self) -> float | None:
        """Share of a program's time, since it began to read, in which it waited for storage; None
        where it fetched much and was never seen to wait, which has ways that no process tells.
        """
        if not self.reading_ns or self.waited_ns is None:
            return None
        if not self.waited_ns and (self.device_bytes or 0) > _MUCH_FETCHED_BYTES:
            return None
        return self.waited_ns / self.reading_ns

    @property
    def queued_share(self) -> float | None:
        """Share of the same time in which a program waited for a processor."""
        if not self.reading_ns or self.queued_ns is None:
            return None
        return min(1.0, self.queued_ns / self.reading_ns)

    def since(self, base: LoaderTotals) -> LoaderTotals:
        """The same with the growing figures counted from `base`."""
        return structs.replace(
            self, **{name: grown(getattr(base, name), getattr(self, name)) for name in GROWING}
        )


WAITS = ("queued_ns", "lock_ns", "network_ns")
"""Of a watched program: what for, but for storage."""
BEGAN = ("processes", "connections")
"""Of a watched program: what it began."""
GROWING = (*Counters.__struct_fields__, *WAITS, *BEGAN, "asked_bytes", "reading_ns", "waited_ns")


class LoaderReader:
    """Reads the totals of processes; this one, where a platform tells nothing."""

    def read(self) -> LoaderTotals:
        """The totals now."""
        return LoaderTotals()

    def peak_rss_bytes(self) -> int | None:
        """The highest resident memory so far, summed, where the platform keeps it."""
        return None

    def swapped_bytes(self) -> int | None:
        """What of the processes' own memory is in swap now."""
        return None

    def close(self) -> None:
        """Close all files."""


def grown(before: int | None, now: int | None) -> int | None:
    """How much a counter grew, or None where it is not known."""
    return None if before is None or now is None else now - before


def make_reader(pids: Sequence[int], readers: int, decoders: int = 0) -> LoaderReader:
    """This platform's way to read the loaders `pids`, in which so many threads work."""
    return ProcReader(pids, readers, decoders) if sys.platform == "linux" else PsutilReader(pids)


class ProcReader(LoaderReader):
    """From /proc/PID; smaps is never read, since it costs 25 ms on 2 GiB.

    What a process's children read and used is counted with it once it has waited for them.
    """

    def __init__(self, pids: Sequence[int], readers: int, decoders: int = 0) -> None:
        """`pids` may change between two readings."""
        self._pids = pids
        self._readers = readers
        self._decoders = decoders
        self._processes: dict[int, ProcessFiles] = {}
        self._status: list[str] = []
        self._waiting: set[tuple[int, str]] = set()
        self._runnable: set[tuple[int, str]] = set()
        self._decode_ticks: dict[tuple[int, str], int] = {}
        self._ended_decode_ticks = 0

    def read(self) -> LoaderTotals:
        """The totals now."""
        self._follow_pids()
        processes = self._processes.values()
        found = [each.stat_now() for each in processes]
        self._read_status()
        rss = [each for each in map(parse_pid_status_rss, self._status) if each is not None]
        waiting_share = self._look_at_threads()
        # Listing a process's threads costs more than reading them.
        changed = [
            pid
            for (pid, process), stat in zip(self._processes.items(), found, strict=True)
            if stat is not None and stat.threads != len(process.threads)
        ]
        if changed:
            for pid in changed:
                self._list_threads(pid)
            waiting_share = self._look_at_threads()
        decode_ticks = self._ended_decode_ticks + sum(self._decode_ticks.values())
        return structs.replace(
            used(found, [each.io_now() for each in processes]),
            rss_anon_bytes=_total(each.anon_bytes for each in rss),
            rss_file_bytes=_total(each.file_bytes for each in rss),
            rss_shared_bytes=_total(each.shmem_bytes for each in rss),
            decode_ns=decode_ticks * _tick_ns() if self._decoders else None,
            waiting_share=waiting_share,
        )

    def peak_rss_bytes(self) -> int | None:
        """The highest resident memory of each loader so far (VmHWM), summed."""
        self._read_status()
        return self._status_sum("VmHWM")

    def swapped_bytes(self) -> int | None:
        """What of the loaders' own memory is in swap now (VmSwap), summed."""
        self._read_status()
        return self._status_sum("VmSwap")

    def _read_status(self) -> None:
        texts = (each.status.read() for each in self._processes.values())
        self._status = [text for text in texts if text is not None]

    def _status_sum(self, name: str) -> int | None:
        """Of what was read last."""
        return _total(parse_pid_status_size(text, name) for text in self._status)

    def _follow_pids(self) -> None:
        for pid in self._pids:
            if pid not in self._processes:
                self._processes[pid] = ProcessFiles(pid)
        if len(self._processes) > len(self._pids):
            for pid in self._processes.keys() - set(self._pids):
                self._processes.pop(pid).close()

    def _list_threads(self, pid: int) -> None:
        known = self._processes[pid].threads
        for thread in _threads(pid):
            if thread not in known:
                known[thread] = ProcFile(f"/proc/{pid}/task/{thread}/stat")

    def _look_at_threads(self) -> float:
        """The waiting share; what the decoders took stays known when they have ended."""
        self._waiting.clear()
        self._runnable.clear()
        for pid, process in self._processes.items():
            for thread, file in list(process.threads.items()):
                text = file.read()
                if not text:
                    # Its number may soon be another's.
                    process.threads.pop(thread).close()
                    self._ended_decode_ticks += self._decode_ticks.pop((pid, thread), 0)
                    continue
                # Of most threads no more than this is wanted, and a server has hundreds.
                state_at = text.rfind(")") + 2
                if text.startswith("D", state_at):
                    self._waiting.add((pid, thread))
                elif text.startswith("R", state_at):
                    self._runnable.add((pid, thread))
                if self._decoders and f"({THREAD_NAME})" in text and (stat := parse_pid_stat(text)):
                    self._decode_ticks[pid, thread] = stat.user_ticks + stat.system_ticks
        # Who sleeps has read all, or waits for its turn.
        awake = min(self._readers, len(self._waiting) + len(self._runnable))
        return min(1.0, len(self._waiting) / max(1, awake))

    def close(self) -> None:
        """Close all files."""
        for process in self._processes.values():
            process.close()


class ProcessFiles:
    """What is read of one process again and again."""

    def __init__(self, pid: int) -> None:
        self.io = ProcFile(f"/proc/{pid}/io")
        self.stat = ProcFile(f"/proc/{pid}/stat")
        self.status = ProcFile(f"/proc/{pid}/status")
        self.threads: dict[str, ProcFile] = {}

    def stat_now(self) -> PidStat | None:
        """What it and the children that it has waited for used; None where it is reaped."""
        return parse_pid_stat(self.stat.read() or "", with_children=True)

    def io_now(self) -> dict[str, int]:
        """What they read; empty where that cannot be seen."""
        return parse_pid_io(self.io.read() or "")

    def close(self) -> None:
        """Close all files."""
        for file in (self.io, self.stat, self.status, *self.threads.values()):
            file.close()


class PsutilReader(LoaderReader):
    """What psutil knows on other platforms: resident memory, CPU and, on Windows, reads."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids = pids

    def _processes(self) -> list[psutil.Process]:
        """Raises psutil.Error where one has ended."""
        return [psutil.Process(pid) for pid in self._pids]

    def read(self) -> LoaderTotals:
        """The totals now."""
        try:
            processes = self._processes()
            rss = sum(process.memory_info().rss for process in processes)
            times = [process.cpu_times() for process in processes]
        except psutil.Error:
            return LoaderTotals()
        return LoaderTotals(
            cpu_user_ns=int(sum(time.user for time in times) * 1e9),
            cpu_system_ns=int(sum(time.system for time in times) * 1e9),
            rss_anon_bytes=rss,
        )

    def peak_rss_bytes(self) -> int | None:
        """Windows alone keeps it."""
        try:
            infos = [process.memory_info() for process in self._processes()]
        except psutil.Error:
            return None
        return _total(getattr(info, "peak_wset", None) for info in infos)


def used(stats: Iterable[PidStat | None], io: Sequence[Mapping[str, int]]) -> LoaderTotals:
    """The growing figures that processes themselves tell, summed."""
    known, tick_ns = [each for each in stats if each is not None], _tick_ns()
    return LoaderTotals(
        device_bytes=_total(counts.get("read_bytes") for counts in io),
        asked_bytes=_total(counts.get("rchar") for counts in io),
        cpu_user_ns=_total(each.user_ticks * tick_ns for each in known),
        cpu_system_ns=_total(each.system_ticks * tick_ns for each in known),
        minor_faults=_total(each.minor_faults for each in known),
        major_faults=_total(each.major_faults for each in known),
    )


def _tick_ns() -> int:
    return 10**9 // os.sysconf("SC_CLK_TCK")


def _threads(pid: int) -> list[str]:
    try:
        return [path.name for path in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return []


def _total(values: Iterable[int | None]) -> int | None:
    """The sum of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


_MOST_BYTES = 16384


class ProcFile:
    """Kept open and read from its start each time, which makes the kernel write it anew."""

    def __init__(self, path: str) -> None:
        try:
            self._descriptor: int | None = os.open(path, os.O_RDONLY)
        except OSError:
            self._descriptor = None

    def read(self) -> str | None:
        """The present text, or None where the file or its process is not there."""
        if self._descriptor is None:
            return None
        try:
            return os.pread(self._descriptor, _MOST_BYTES, 0).decode("ascii", "replace")
        except OSError:
            return None

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class SystemCounters(NamedTuple):
    """Totals since boot at one moment; None where the platform lacks them."""

    at_ns: int
    idle_ticks: int | None
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
            idle_ticks=cpu.idle if cpu else None,
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
    for folder in map(Path, controller_folders("memory")[:1]):
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


_LEAST_TICKS = 50


def crowded_out(before: SystemCounters, now: SystemCounters, own_ns: int) -> bool:
    """Whether others may have taken the processors between two looks: none was free, and half a
    processor or more was theirs; `own_ns` is what the load used.
    """
    ticks = _free_and_all_ticks(before, now)
    if ticks is None:
        return True
    free_ns, all_ns = (each * _tick_ns() for each in ticks)
    took_ns = now.at_ns - before.at_ns
    return free_ns < took_ns <= 2 * (all_ns - free_ns - own_ns)


def processors_busy_share(before: SystemCounters, now: SystemCounters) -> float | None:
    """Share of all CPUs' time in which they worked, or a hypervisor gave theirs to others; None
    where so few ticks were counted that it would be a guess.
    """
    free, every = _free_and_all_ticks(before, now) or (0, 0)
    return 1 - free / every if every >= _LEAST_TICKS else None


def _free_and_all_ticks(before: SystemCounters, now: SystemCounters) -> tuple[int, int] | None:
    total, idle, waited = (
        grown(getattr(before, name), getattr(now, name))
        for name in ("total_ticks", "idle_ticks", "iowait_ticks")
    )
    if total is None or idle is None:
        return None
    # The kernel's iowait counter is allowed to step back (proc.rst).
    return min(total, idle + max(0, waited or 0)), total


def stalled_share(before_us: int | None, now_us: int | None, interval_ns: int) -> float | None:
    """Share of wall time in which some task was stalled, from PSI totals."""
    if before_us is None or now_us is None or interval_ns <= 0:
        return None
    return min(1.0, (now_us - before_us) * 1e3 / interval_ns)

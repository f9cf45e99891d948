"""What the kernel says of processes, CPUs and memory: text of /proc files in, numbers out.

Nothing here opens a file, so that a recording reads like the live machine. A figure that the
text does not hold is missing from the dictionary or None, never zero. Formats are those of
the kernel's Documentation/filesystems/proc.rst where a function names no other source.
"""

from __future__ import annotations

from typing import NamedTuple


class Rss(NamedTuple):
    """A process's resident memory by origin: private, mapped files, and shared or tmpfs."""

    anon_bytes: int
    file_bytes: int
    shmem_bytes: int


class PidStat(NamedTuple):
    """State letter (`D`: waits uninterruptibly), faults, CPU time in clock ticks, the number of its
    process's threads and of its parent, and when it began, in clock ticks since the system did.
    """

    state: str
    minor_faults: int
    major_faults: int
    user_ticks: int
    system_ticks: int
    threads: int
    parent: int
    began_ticks: int


class SchedStat(NamedTuple):
    """Time a thread ran, and time it was ready to run and waited for a CPU."""

    on_cpu_ns: int
    run_queue_ns: int


class CpuTicks(NamedTuple):
    """Clock ticks of all CPUs since boot; `idle` excludes `iowait`, which old kernels lack."""

    idle: int
    iowait: int | None
    total: int


def parse_meminfo(text: str) -> dict[str, int]:
    """/proc/meminfo: name to bytes; lines without a unit are counts and are left out."""
    sizes = {}
    for line in text.splitlines():
        name, _, value = line.partition(":")
        number, _, unit = value.strip().partition(" ")
        if number.isdecimal() and unit == "kB":
            sizes[name] = int(number) * 1024
    return sizes


def parse_pid_io(text: str) -> dict[str, int]:
    """/proc/PID/io: bytes and system calls; `read_bytes` is what came from block devices."""
    return _numbers(text, ":")


def parse_pid_status_rss(text: str) -> Rss | None:
    """The three Rss lines of /proc/PID/status; None for kernel threads and before Linux 4.5."""
    # Read for every sample: the three lines stand together, far from most others.
    start = text.find("RssAnon:")
    sizes = parse_meminfo(text[start : text.find("VmData:", start)]) if start >= 0 else {}
    try:
        return Rss(sizes["RssAnon"], sizes["RssFile"], sizes["RssShmem"])
    except KeyError:
        return None


def parse_pid_status_size(text: str, name: str) -> int | None:
    """One size in bytes of /proc/PID/status (`VmHWM`: the most that was resident)."""
    start = text.find(f"{name}:")
    end = text.find("\n", start)
    return parse_meminfo(text[start : end + 1]).get(name) if start >= 0 else None


def parse_pid_stat(text: str, *, with_children: bool = False) -> PidStat | None:
    """/proc/PID/stat or /proc/PID/task/TID/stat; None if the text breaks off.

    The second field is the program's name in parentheses and may itself hold spaces and
    parentheses, so that the fields are counted from its last closing one. `with_children` adds
    faults and CPU time of the children that the process has waited for.
    """
    fields = text.rpartition(")")[2].split()
    try:
        figures = [int(fields[place]) for place in (7, 9, 11, 12, 17, 1, 19)]
        if with_children:
            for number, place in enumerate((8, 10, 13, 14)):
                figures[number] += int(fields[place])
        return PidStat(fields[0], *figures)
    except (IndexError, ValueError):
        return None


def parse_schedstat(text: str) -> SchedStat | None:
    """/proc/PID/schedstat or /proc/PID/task/TID/schedstat.

    Source: Documentation/scheduler/sched-stats.rst. A kernel that does not keep these
    figures prints three zeros, as for a thread that has never run: None.
    """
    fields = text.split()
    if len(fields) < 3 or not all(field.isdecimal() for field in fields[:3]):
        return None
    on_cpu_ns, run_queue_ns, timeslices = (int(field) for field in fields[:3])
    if not (on_cpu_ns or run_queue_ns or timeslices):
        return None
    return SchedStat(on_cpu_ns, run_queue_ns)


def parse_cpu_times(text: str) -> CpuTicks | None:
    """The first line of /proc/stat, all CPUs together.

    The columns are user, nice, system, idle, iowait, irq, softirq, steal, and two for
    guests, which user and nice contain already.
    """
    name, *fields = text.partition("\n")[0].split() or [""]
    if name != "cpu" or len(fields) < 4 or not all(field.isdecimal() for field in fields):
        return None
    ticks = [int(field) for field in fields[:8]]
    return CpuTicks(ticks[3], ticks[4] if len(ticks) > 4 else None, sum(ticks))


def parse_psi(text: str) -> int | None:
    """/proc/pressure/{io,memory,cpu}: microseconds since boot in which some task was stalled.

    Source: Documentation/accounting/psi.rst.
    """
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        total = rest.rpartition("total=")[2]
        if kind == "some" and total.isdecimal():
            return int(total)
    return None


def parse_vmstat(text: str) -> dict[str, int]:
    """/proc/vmstat: events and pages by name (`pswpin`: pages swapped in since boot)."""
    return _numbers(text, " ")


def _numbers(text: str, separator: str) -> dict[str, int]:
    numbers = {}
    for line in text.splitlines():
        name, _, value = line.partition(separator)
        if value.strip().isdecimal():
            numbers[name] = int(value)
    return numbers

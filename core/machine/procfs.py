"""Files of /proc and /sys: the text of one, and what the kernel says in it; standard library only.

All but the four readers on top take text and open nothing, so that a recording reads like the live
machine. A figure that the text does not hold is missing from the dictionary or None, never zero.
Formats are those of the kernel's Documentation/filesystems/proc.rst where no other source is named.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


_TCP_FIELDS = 10
_IPV4 = ("", "0000000000000000FFFF0000")
_LOOPBACK_IPV6 = "00000000000000000000000001000000"


def value(path: str | Path) -> str:
    """The file's text without blanks around it; empty where the kernel does not show it."""
    try:
        # As text, with a buffer, each of the dozens that a load looks at would take twice as long.
        with open(path, "rb", buffering=0) as file:
            return (file.read() or b"").decode(errors="replace").strip()
    except OSError:
        return ""


def remote_sockets(text: str) -> set[str]:
    """Inodes of the sockets in a /proc/net/tcp or tcp6 that are, or are being, connected to another
    machine: in its addresses the bytes of each four are in reverse order.
    """
    found = set[str]()
    for line in text.splitlines()[1:]:
        fields = line.split()
        if len(fields) < _TCP_FIELDS or fields[3] not in ("01", "02"):
            continue
        address = fields[2].partition(":")[0]
        is_own = address.endswith("7F") if address[:-8] in _IPV4 else address == _LOOPBACK_IPV6
        if not is_own:
            found.add(fields[9])
    return found - {"0"}


def listening_sockets(text: str) -> dict[str, tuple[bytes, int]]:
    """Address and port of those that accept connections, by inode."""
    found = {}
    for line in text.splitlines()[1:]:
        fields = line.split()
        if len(fields) < _TCP_FIELDS or fields[3] != "0A":
            continue
        address, _, port = fields[1].partition(":")
        fours = (bytes.fromhex(address[at : at + 8])[::-1] for at in range(0, len(address), 8))
        found[fields[9]] = b"".join(fours), int(port, 16)
    return found


def number(path: str | Path) -> int | None:
    """The file's text as a number that is not negative; None if it is not one."""
    text = value(path)
    return int(text) if text.isdecimal() else None


def chosen(path: str | Path) -> str | None:
    """The word in brackets of a file that lists all choices: `none [mq-deadline] bfq`."""
    text = value(path)
    _, bracket, rest = text.partition("[")
    if bracket:
        return rest.partition("]")[0]
    # With a single choice some files have no brackets.
    return text or None


def flag(path: str | Path) -> bool | None:
    """What a file with 0 or 1, N or Y says; None if it says neither."""
    return {"0": False, "N": False, "1": True, "Y": True}.get(value(path))


def process_stat(pid: int, root: str | Path = "") -> PidStat | None:
    """/proc/PID/stat of a process; None where there is none."""
    return parse_pid_stat(value(f"{root}/proc/{pid}/stat"))


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
    sizes = parse_meminfo(text[max(0, text.find("RssAnon:")) : text.find("VmData:")])
    known = [sizes.get(f"Rss{origin}") for origin in ("Anon", "File", "Shmem")]
    return None if None in known else Rss(*(nbytes or 0 for nbytes in known))


def parse_pid_status_size(text: str, name: str) -> int | None:
    """One size in bytes of /proc/PID/status (`VmHWM`: the most that was resident)."""
    line = text[max(0, text.find(f"{name}:")) :].partition("\n")[0]
    return parse_meminfo(line).get(name)


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


def parse_schedstat(text: str) -> int | None:
    """How long a thread was ready to run and waited for a processor, in nanoseconds, by
    /proc/PID/schedstat or /proc/PID/task/TID/schedstat.

    Source: Documentation/scheduler/sched-stats.rst. A kernel that does not keep these
    figures prints three zeros, as for a thread that has never run: None.
    """
    fields = text.split()
    if len(fields) < 3 or not all(field.isdecimal() for field in fields[:3]):
        return None
    return int(fields[1]) if any(map(int, fields[:3])) else None


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


SECTOR_BYTES = 512
"""The unit of `sectors_read` and `sectors_written`, whatever the device's own sector size."""

_OCTAL = r"\\([01][0-7]{2})"


class DiskCounters(NamedTuple):
    """A block device since boot; all only grow.

    `read_ms` sums the durations of all reads; `busy_ms` is the time with at least one
    request in flight, and `weighted_ms` that time multiplied by how many there were.
    """

    reads: int
    sectors_read: int
    read_ms: int
    busy_ms: int
    weighted_ms: int
    writes: int
    sectors_written: int


class Mount(NamedTuple):
    """One mounted filesystem, or a part of one.

    `root` is the folder inside the filesystem that is seen at `mount_point` (`/` unless
    it is a bind mount or a subvolume). `options` belong to the mount, `super_options` to
    the filesystem. A major number of 0 means no block device of its own.
    """

    mount_id: int
    parent_id: int
    major: int
    minor: int
    root: str
    mount_point: str
    options: str
    filesystem: str
    source: str
    super_options: str


def parse_diskstats(text: str, device: str) -> DiskCounters | None:
    """The line of /proc/diskstats for `device` (a kernel name such as `nvme0n1`), or None.

    Source: Documentation/admin-guide/iostats.rst.
    """
    # sysfs cannot have a slash in a name and writes cciss!c0d0.
    names = {device, device.replace("!", "/")}
    for line in text.splitlines():
        fields = line.split()
        if len(fields) >= 14 and fields[2] in names:
            reads, _, read, read_ms, writes, _, written, _, _, busy_ms, weighted_ms = (
                int(field) for field in fields[3:14]
            )
            return DiskCounters(reads, read, read_ms, busy_ms, weighted_ms, writes, written)
    return None


def parse_mountinfo(text: str) -> list[Mount]:
    """/proc/self/mountinfo in its order: a later mount hides an earlier one at the same point.

    Source: Documentation/filesystems/proc.rst, section 3.5. Lines that do not have its form
    are left out.
    """
    mounts = []
    # Not splitlines: a path may hold characters, such as U+2028, that it takes for line ends.
    for line in text.split("\n"):
        # Not split(): a source may be empty.
        fields = line.split(" ")
        if "-" not in fields[6:]:
            continue
        # Any number of optional fields ends with a lone hyphen.
        tail = fields.index("-", 6) + 1
        numbers = (*fields[:2], *fields[2].split(":"))
        if len(fields) < tail + 3 or len(numbers) != 4 or not all(n.isdecimal() for n in numbers):
            continue
        mount_id, parent_id, major, minor = map(int, numbers)
        # Blanks and backslashes have octal escapes.
        texts = [
            re.sub(_OCTAL, lambda match: chr(int(match[1], 8)), field)
            for field in (*fields[3:6], *fields[tail : tail + 3])
        ]
        mounts.append(Mount(mount_id, parent_id, major, minor, *texts))
    return mounts


def parse_cgroup(text: str) -> dict[str, str]:
    """/proc/PID/cgroup: the process's path per controller, and under "" that of version 2.

    Source: cgroups(7). A named hierarchy has the key `name=...`.
    """
    paths = {}
    for line in text.split("\n"):
        hierarchy, _, rest = line.partition(":")
        controllers, colon, path = rest.partition(":")
        if hierarchy.isdecimal() and colon:
            paths.update(dict.fromkeys(controllers.split(","), path))
    return paths

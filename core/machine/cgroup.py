"""The limits that control groups put on this process: processors, memory, and reads from disks.

Every level limits all that is below it together, so each is told by itself: which of them holds a
load back depends on what else runs there. Throttles of version 1 alone hold nobody but the
processes of their own group (cgroup-v1/blkio-controller.rst; a child of a group that was held to
20 MB/s read at 1.4 GB/s on Linux 6.18).

Sources: cpu.max, memory.max, memory.high, io.max and io.stat in admin-guide/cgroup-v2.rst;
scheduler/sched-bwc.rst, cgroup-v1/memory.rst and cgroup-v1/blkio-controller.rst.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.limited_numbers import Integer, Number
from modelmon.core.machine.procfs import (
    Mount,
    parse_cgroup,
    parse_mountinfo,
    parse_psi,
    parse_vmstat,
    value,
)
from modelmon.core.messages import Message
from modelmon.core.units import rate_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NO_LIMIT = 2**53
"""No machine has so many bytes, nor do records hold them (limited_numbers.py). Version 1 has
no word for "no limit": it says the largest multiple of a page below 2**63."""

# A load has 64 ranks at the most; who shares a cgroup with more is not alone.
_MOST_RELATIVES = 256


class CgroupMemory(msgspec.Struct, frozen=True):
    """The limit that leaves the least room, None without one, and what is used under it.

    `charged_bytes` are all that count towards the limit. `used_bytes` leaves out cached file
    pages: they are charged to whoever read them first, and the kernel takes them back before it
    refuses memory. Counted as used they would make a container look full as soon as it has read
    a model.
    """

    limit_bytes: int | None
    used_bytes: int
    charged_bytes: int


class CgroupShortage(msgspec.Struct, frozen=True):
    """How often a memory cgroup was short since it was made; None is *not available here*.

    `refaulted_pages` of files were read again after the kernel had dropped them, tasks stalled
    for memory for `stalled_us`, and the limit was reached `limit_hits` times.
    """

    refaulted_pages: int | None
    stalled_us: int | None
    limit_hits: int | None


def memory_folders(root: str | Path = "") -> tuple[str, ...]:
    """Folders of this process's memory cgroup and of those above it, its own first.

    Empty where there is no such cgroup. Inside a container the path that the kernel names
    may lie outside what is mounted; then it is the mount's own root that limits.
    `root` is where the machine's own /proc and /sys are found.
    """
    return controller_folders("memory", root)


def controller_folders(controller: str, root: str | Path = "") -> tuple[str, ...]:
    """The same for another controller, such as `cpu`."""
    mounts = parse_mountinfo(_text(f"{root}/proc/self/mountinfo"))
    paths = parse_cgroup(_text(f"{root}/proc/self/cgroup"))
    version_1 = [
        mount
        for mount in mounts
        if mount.filesystem == "cgroup" and controller in mount.super_options.split(",")
    ]
    version_2 = [mount for mount in mounts if mount.filesystem == "cgroup2"]
    if version_1 and controller in paths:
        return _visible(root, version_1[-1], paths[controller])
    if version_2 and "" in paths:
        return _visible(root, version_2[-1], paths[""])
    return ()


def cgroup_version(folders: Iterable[str]) -> int | None:
    """The version, 1 or 2, that the files in `memory_folders` belong to; None without any."""
    for folder in folders:
        if _text(f"{folder}/memory.usage_in_bytes"):
            return 1
        if _text(f"{folder}/memory.current"):
            return 2
    return None


def cgroup_memory(folders: Iterable[str]) -> CgroupMemory | None:
    """What `memory_folders` say now; None without any.

    Every level limits all that is below it, so the one with the least room left decides.
    """
    levels = [level for folder in folders if (level := _level(folder)) is not None]
    limited = [level for level in levels if level.limit_bytes is not None]
    if limited:
        return min(limited, key=lambda level: (level.limit_bytes or 0) - level.used_bytes)
    return levels[0] if levels else None


def is_alone_in(folder: Path, pid: int) -> bool:
    """Whether all processes in a cgroup are `pid`, those that it comes from, and its children:
    what the cgroup says is then said of nobody else.
    """
    import psutil  # noqa: PLC0415  loads start sooner without it

    try:
        if any(entry.is_dir() for entry in folder.iterdir()):
            return False
        members = {int(line) for line in (folder / "cgroup.procs").read_text().split()}
        above = {process.pid for process in psutil.Process(pid).parents()}
        others = members - above - {pid}
        return len(others) <= _MOST_RELATIVES and all(
            pid in {process.pid for process in psutil.Process(other).parents()} for other in others
        )
    except (OSError, ValueError, psutil.Error):
        return False


def shortage(folder: str | Path) -> CgroupShortage:
    """What a memory cgroup says of itself, and in version 2 of those below it."""
    hits = parse_vmstat(_text(f"{folder}/memory.events")).get("max")
    failures = _text(f"{folder}/memory.failcnt").strip()
    return CgroupShortage(
        parse_vmstat(_text(f"{folder}/memory.stat")).get("workingset_refault_file"),
        parse_psi(_text(f"{folder}/memory.pressure")),
        int(failures) if hits is None and failures.isdecimal() else hits,
    )


def cgroup_free_bytes(folders: Iterable[str]) -> int | None:
    """What the limits of `memory_folders` leave without anything cached being dropped for it;
    None without a limit.
    """
    levels = [level for folder in folders if (level := _level(folder)) is not None]
    rooms = [
        level.limit_bytes - level.charged_bytes for level in levels if level.limit_bytes is not None
    ]
    return max(0, min(rooms)) if rooms else None


def _visible(root: str | Path, mount: Mount, path: str) -> tuple[str, ...]:
    top, own = f"{mount.root.rstrip('/')}/", f"{path}/"
    parts = own.removeprefix(top).split("/") if own.startswith(top) else []
    names = [] if ".." in parts else [name for name in parts if name]
    mounted = f"{root}/{mount.mount_point.lstrip('/')}"
    folders = ["/".join([mounted, *names[:count]]) for count in range(len(names), -1, -1)]
    return tuple(folder for folder in folders if os.path.isdir(folder))


def memory_limit(folder: str | Path) -> tuple[str, int] | None:
    """The lowest limit that this group sets, its file and its bytes; None without one.

    Above memory.high nobody is refused memory, but all are held up until enough was taken back:
    to a load it is as much of an end.
    """
    limits = []
    for name in ("memory.max", "memory.high", "memory.limit_in_bytes"):
        text = _text(f"{folder}/{name}").strip()
        if text.isdecimal() and int(text) < NO_LIMIT:
            limits.append((int(text), name))
    return min(limits)[::-1] if limits else None


def _level(folder: str) -> CgroupMemory | None:
    used = _text(f"{folder}/memory.current") or _text(f"{folder}/memory.usage_in_bytes")
    if not used.strip().isdecimal():
        return None
    events = parse_vmstat(_text(f"{folder}/memory.stat"))
    # Version 1 has the same names for this level alone, and total_ for all below it.
    cached = sum(
        events.get(f"total_{name}", events.get(name, 0))
        for name in ("active_file", "inactive_file")
    )
    limit = memory_limit(folder)
    return CgroupMemory(limit[1] if limit else None, max(0, int(used) - cached), int(used))


def _text(path: str) -> str:
    """The file's text; empty where this kernel or container does not show it."""
    try:
        with open(path, "rb", buffering=0) as file:
            return os.fsdecode(file.read() or b"")
    except OSError:
        return ""


LimitKind = Literal["processors", "memory", "read-rate", "request-rate"]


class CgroupLimit(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one control group allows, as `file` of `group` says.

    `amount` are processors, bytes of memory, or bytes or requests per second that may be read
    from `device`, a block device by its kernel name. Of these `counted` is what the whole group
    had read there when the limit was looked at, and in the record of a load, during it.
    """

    kind: LimitKind
    amount: Number
    file: str
    group: str
    device: str = ""
    counted: Integer | None = None

    @property
    def place(self) -> tuple[str, ...]:
        """What stays the same when the limit is changed."""
        return (self.kind, self.file, self.group, self.device)

    @property
    def where(self) -> Message:
        """The file and the group, as a person looks for them."""
        return Message("{file} of {group}", file=self.file, group=self.group)

    @property
    def amount_text(self) -> Message:
        """The amount with its unit."""
        if self.kind == "processors":
            return Message("{count} processors", count=f"{self.amount:g}")
        if self.kind == "memory":
            return Message("{size} of memory", size=size_text(self.amount))
        if self.kind == "read-rate":
            return Message("{rate} from {device}", rate=rate_text(self.amount), device=self.device)
        return Message(
            "{count} reads per second from {device}",
            count=f"{self.amount:,.0f}",
            device=self.device,
        )


class ControlGroups:
    """The control groups of this process, which have been found and can be asked again quickly."""

    def __init__(self, devices: Iterable[str] = (), root: Path = Path("/")) -> None:
        """`devices` are whole disks and volumes by their kernel names; partitions have no limits.

        `root` is where /proc and /sys are found.
        """
        self._folders = {
            name: tuple(map(Path, controller_folders(name, root)))
            for name in ("cpu", "memory", "blkio")
        }
        numbers = {name: value(root / "sys/class/block" / name / "dev") for name in devices}
        self._devices = {number: name for name, number in numbers.items() if number}

    def limits(self) -> tuple[CgroupLimit, ...] | None:
        """The limits now, from this process's own group upwards; None where no group is seen."""
        if not any(self._folders.values()):
            return None
        return tuple(self._read())

    def _read(self) -> Iterator[CgroupLimit]:
        for folder, group in self._groups("cpu"):
            if (quota := _quota(folder)) is not None:
                yield CgroupLimit("processors", quota[1], quota[0], group)
        for folder, group in self._groups("memory"):
            if (limit := memory_limit(folder)) is not None:
                yield CgroupLimit("memory", limit[1], limit[0], group)
        for folder, group in self._groups("blkio"):
            is_own = folder == self._folders["blkio"][0]
            for throttle in _throttles(folder, is_own=is_own):
                if throttle.number in self._devices:
                    yield CgroupLimit(
                        throttle.kind,
                        throttle.amount,
                        throttle.file,
                        group,
                        self._devices[throttle.number],
                        _counted(folder, throttle),
                    )

    def _groups(self, controller: str) -> Iterator[tuple[Path, str]]:
        folders = self._folders[controller]
        for folder in folders:
            # The last one is where the hierarchy is mounted.
            yield folder, str(PurePosixPath("/") / folder.relative_to(folders[-1]).as_posix())


def cgroup_limits(
    devices: Iterable[str] = (), root: Path = Path("/")
) -> tuple[CgroupLimit, ...] | None:
    """The limits of this process's control groups now, of reads those from `devices`."""
    return ControlGroups(devices, root).limits()


def throttles(devices: Iterable[str], root: Path = Path("/")) -> tuple[CgroupLimit, ...]:
    """The limits on reads from `devices` now, without what was read under them."""
    return tuple(
        msgspec.structs.replace(limit, counted=None)
        for limit in cgroup_limits(devices, root) or ()
        if limit.device
    )


def over_a_load(
    before: tuple[CgroupLimit, ...] | None, after: tuple[CgroupLimit, ...] | None
) -> tuple[CgroupLimit, ...] | None:
    """The limits `before` a load, each with what its group counted until `after` it."""
    if before is None:
        return None
    then = {limit.place: limit.counted for limit in after or ()}
    return tuple(
        msgspec.structs.replace(limit, counted=_grown(limit.counted, then.get(limit.place)))
        for limit in before
    )


class _Throttle(NamedTuple):
    number: str
    kind: LimitKind
    amount: int
    file: str


def _quota(folder: Path) -> tuple[str, float] | None:
    for name, period_name in (("cpu.max", ""), ("cpu.cfs_quota_us", "cpu.cfs_period_us")):
        text = f"{value(folder / name)} {value(folder / period_name) if period_name else ''}"
        granted, _, period = text.strip().partition(" ")
        # No limit reads `max` in version 2 and -1 in version 1.
        if granted.isdecimal() and period.isdecimal() and int(period):
            return name, int(granted) / int(period)
    return None


# The words of io.max and io.stat, and the files of version 1.
_LIMITS: tuple[tuple[LimitKind, str, str], ...] = (
    ("read-rate", "rbps", "blkio.throttle.read_bps_device"),
    ("request-rate", "riops", "blkio.throttle.read_iops_device"),
)
_COUNTS = {
    "read-rate": ("rbytes", "blkio.throttle.io_service_bytes"),
    "request-rate": ("rios", "blkio.throttle.io_serviced"),
}


def _throttles(folder: Path, *, is_own: bool) -> Iterator[_Throttle]:
    for line in value(folder / "io.max").splitlines():
        number, fields = _fields(line)
        for kind, word, _ in _LIMITS:
            if (amount := _number(fields.get(word, ""))) is not None:
                yield _Throttle(number, kind, amount, "io.max")
    for kind, _, name in _LIMITS if is_own else ():
        for line in value(folder / name).splitlines():
            number, _, text = line.partition(" ")
            if (amount := _number(text)) is not None:
                yield _Throttle(number, kind, amount, name)


def _counted(folder: Path, throttle: _Throttle) -> int | None:
    """What the group's processes have read from the device since it was made."""
    word, name = _COUNTS[throttle.kind]
    if throttle.file != "io.max":
        rows = (line.split() for line in value(folder / name).splitlines())
        counts = (row[2] for row in rows if row[:2] == [throttle.number, "Read"] and len(row) > 2)
        return _number(next(counts, ""))
    for line in value(folder / "io.stat").splitlines():
        number, fields = _fields(line)
        if number == throttle.number:
            return _number(fields.get(word, ""))
    return None


def _fields(line: str) -> tuple[str, dict[str, str]]:
    """A line of version 2: a device's number, and names with their values."""
    number, *fields = line.split() or [""]
    pairs = (field.partition("=") for field in fields)
    return number, {name: text for name, _, text in pairs}


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and int(text) < NO_LIMIT else None


def _grown(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before

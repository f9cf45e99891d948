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
from typing import TYPE_CHECKING, Literal

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
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

NO_LIMIT = 2**53
"""No machine has so many bytes, which also records of runs do not hold (limited_numbers.py).
Version 1 has no word for "no limit": it says the largest multiple of a page below 2**63."""

# A load has 64 ranks at the most; who shares a cgroup with more is not alone.
_MOST_RELATIVES = 256


class CgroupMemory(msgspec.Struct, frozen=True):
    """The limit that leaves the least room, None without one, and what is used under it.

    `used_bytes` leaves out cached file pages: they are charged to whoever read them first, and the
    kernel takes them back before it refuses memory. Counted as used they would make a container
    look full as soon as it has read a model. `free_bytes` is what the limits leave without anything
    cached being dropped for it.
    """

    limit_bytes: int | None
    used_bytes: int
    free_bytes: int | None = None


class CgroupShortage(msgspec.Struct, frozen=True):
    """How often a memory cgroup was short since it was made; None is *not available here*.

    `refaulted_pages` of files were read again after the kernel had dropped them, tasks stalled
    for memory for `stalled_us`, and the limit was reached `limit_hits` times.
    """

    refaulted_pages: int | None
    stalled_us: int | None
    limit_hits: int | None


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


def controller_folders(controller: str, root: str | Path = "") -> tuple[str, ...]:
    """Folders of this process's cgroup for a controller (`cpu`) and of those above it, its own
    first.

    Empty where there is no such cgroup. Inside a container the path that the kernel names
    may lie outside what is mounted; then it is the mount's own root that limits.
    `root` is where the machine's own /proc and /sys are found.
    """
    mounts = parse_mountinfo(value(f"{root}/proc/self/mountinfo"))
    paths = parse_cgroup(value(f"{root}/proc/self/cgroup"))
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


def _visible(root: str | Path, mount: Mount, path: str) -> tuple[str, ...]:
    top, own = f"{mount.root.rstrip('/')}/", f"{path}/"
    parts = own.removeprefix(top).split("/") if own.startswith(top) else []
    names = [] if ".." in parts else [name for name in parts if name]
    mounted = f"{root}/{mount.mount_point.lstrip('/')}"
    folders = ["/".join([mounted, *names[:count]]) for count in range(len(names), -1, -1)]
    return tuple(folder for folder in folders if os.path.isdir(folder))


def cgroup_version(root: str | Path = "") -> int | None:
    """The version, 1 or 2, of the controller of memory; None without any."""
    for folder in controller_folders("memory", root):
        if value(f"{folder}/memory.usage_in_bytes"):
            return 1
        if value(f"{folder}/memory.current"):
            return 2
    return None


def cgroup_memory(root: str | Path = "") -> CgroupMemory | None:
    """What the controller of memory says now; None without any.

    Every level limits all that is below it, so the one with the least room left decides.
    """
    levels, rooms = [], []
    for folder in controller_folders("memory", root):
        charged = value(f"{folder}/memory.current") or value(f"{folder}/memory.usage_in_bytes")
        if not charged.isdecimal():
            continue
        counts = parse_vmstat(value(f"{folder}/memory.stat"))
        # Version 1 has the same names for this level alone, and total_ for all below it.
        cached = sum(
            counts.get(f"total_{name}", counts.get(name, 0))
            for name in ("active_file", "inactive_file")
        )
        limit = _memory_limit(folder)
        limit_bytes = limit[1] if limit is not None else None
        used_bytes = max(0, int(charged) - cached)
        if limit_bytes is not None:
            rooms.append(limit_bytes - int(charged))
        room_bytes = float("inf") if limit_bytes is None else limit_bytes - used_bytes
        levels.append((room_bytes, limit_bytes, used_bytes))
    if not levels:
        return None
    _, limit_bytes, used_bytes = min(levels, key=lambda level: level[0])
    return CgroupMemory(limit_bytes, used_bytes, max(0, min(rooms)) if rooms else None)


def _memory_limit(folder: str) -> tuple[str, int] | None:
    """The lowest limit that this group sets, its file and its bytes; None without one.

    Above memory.high nobody is refused memory, but all are held up until enough was taken back:
    to a load it is as much of an end.
    """
    names = ("memory.max", "memory.high", "memory.limit_in_bytes")
    limits = [(name, _number(value(f"{folder}/{name}"))) for name in names]
    known = [(name, nbytes) for name, nbytes in limits if nbytes is not None]
    return min(known, key=lambda each: each[1]) if known else None


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
    hits = parse_vmstat(value(f"{folder}/memory.events")).get("max")
    return CgroupShortage(
        parse_vmstat(value(f"{folder}/memory.stat")).get("workingset_refault_file"),
        parse_psi(value(f"{folder}/memory.pressure")),
        _number(value(f"{folder}/memory.failcnt")) if hits is None else hits,
    )


def cgroup_limits(
    devices: Iterable[str] = (), root: str | Path = ""
) -> tuple[CgroupLimit, ...] | None:
    """The limits of this process's control groups now, from its own group upwards, of reads those
    from `devices`, which are whole disks and volumes by their kernel names: partitions have none.

    None where no group is seen. `root` is where /proc and /sys are found.
    """
    groups = {name: list(_groups(name, root)) for name in ("cpu", "memory", "blkio")}
    if not any(groups.values()):
        return None
    numbers = {value(f"{root}/sys/class/block/{name}/dev"): name for name in devices}
    return tuple(_limits(groups, {number: name for number, name in numbers.items() if number}))


def _groups(controller: str, root: str | Path) -> Iterator[tuple[str, str]]:
    folders = controller_folders(controller, root)
    for folder in folders:
        # The last one is where the hierarchy is mounted.
        yield folder, f"/{folder.removeprefix(folders[-1]).strip('/')}"


def _limits(
    groups: Mapping[str, Sequence[tuple[str, str]]], devices: Mapping[str, str]
) -> Iterator[CgroupLimit]:
    for folder, group in groups["cpu"]:
        if (quota := _quota(folder)) is not None:
            yield CgroupLimit("processors", quota[1], quota[0], group)
    for folder, group in groups["memory"]:
        if (limit := _memory_limit(folder)) is not None:
            yield CgroupLimit("memory", limit[1], limit[0], group)
    for folder, group in groups["blkio"]:
        yield from _throttles(folder, group, devices)
    for folder, group in groups["blkio"][:1]:
        yield from _own_throttles(folder, group, devices)


def throttles(devices: Iterable[str], root: str | Path = "") -> tuple[CgroupLimit, ...]:
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

    told = []
    then = {limit.place: limit.counted for limit in after or ()}
    for limit in before:
        start, end = limit.counted, then.get(limit.place)
        counted = None if start is None or end is None else end - start
        told.append(msgspec.structs.replace(limit, counted=counted))
    return tuple(told)


def _quota(folder: str) -> tuple[str, float] | None:
    for name, period_name in (("cpu.max", ""), ("cpu.cfs_quota_us", "cpu.cfs_period_us")):
        period = value(f"{folder}/{period_name}") if period_name else ""
        text = f"{value(f'{folder}/{name}')} {period}"
        granted, _, period = text.strip().partition(" ")
        # No limit reads `max` in version 2 and -1 in version 1.
        if granted.isdecimal() and period.isdecimal() and int(period):
            return name, int(granted) / int(period)
    return None


def _throttles(folder: str, group: str, devices: Mapping[str, str]) -> Iterator[CgroupLimit]:
    """Those of version 2, with what the group's processes have read since it was made."""
    counts = _by_device(f"{folder}/io.stat")
    kinds: tuple[tuple[LimitKind, str, str], ...] = (
        ("read-rate", "rbps", "rbytes"),
        ("request-rate", "riops", "rios"),
    )
    for number, fields in _by_device(f"{folder}/io.max").items():
        for kind, word, counted in kinds:
            amount = _number(fields.get(word, ""))
            if number in devices and amount is not None:
                read = _number(counts.get(number, {}).get(counted, ""))
                yield CgroupLimit(kind, amount, "io.max", group, devices[number], read)


def _own_throttles(folder: str, group: str, devices: Mapping[str, str]) -> Iterator[CgroupLimit]:
    """The same of version 1."""
    kinds: tuple[tuple[LimitKind, str, str], ...] = (
        ("read-rate", "blkio.throttle.read_bps_device", "blkio.throttle.io_service_bytes"),
        ("request-rate", "blkio.throttle.read_iops_device", "blkio.throttle.io_serviced"),
    )
    for kind, file, counts in kinds:
        rows = [line.split() for line in value(f"{folder}/{counts}").splitlines()]
        read = {row[0]: row[2] for row in rows if row[1:2] == ["Read"] and len(row) > 2}
        for line in value(f"{folder}/{file}").splitlines():
            number, _, text = line.partition(" ")
            amount = _number(text)
            if number in devices and amount is not None:
                counted = _number(read.get(number, ""))
                yield CgroupLimit(kind, amount, file, group, devices[number], counted)


def _by_device(path: str) -> dict[str, dict[str, str]]:
    """The lines of a file of version 2: a device's number, and names with their values."""
    found: dict[str, dict[str, str]] = {}
    for line in value(path).splitlines():
        number, *fields = line.split() or [""]
        pairs = (field.partition("=") for field in fields)
        found.setdefault(number, {}).update({name: text for name, _, text in pairs})
    return found


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and int(text) < NO_LIMIT else None

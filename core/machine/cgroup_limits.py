"""The limits that control groups put on this process: processors, memory, and reads from disks.

Every level limits all that is below it together, so each is told by itself: which of them holds a
load back depends on what else runs there. Throttles of version 1 alone hold nobody but the
processes of their own group (cgroup-v1/blkio-controller.rst; a child of a group that was held to
20 MB/s read at 1.4 GB/s on Linux 6.18).

Sources: cpu.max, memory.max, memory.high, io.max and io.stat in admin-guide/cgroup-v2.rst;
scheduler/sched-bwc.rst, cgroup-v1/memory.rst and cgroup-v1/blkio-controller.rst.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.limited_numbers import Integer, Number
from modelmon.core.machine.cgroup import NO_LIMIT, controller_folders, memory_limit
from modelmon.core.machine.sysfs import value
from modelmon.core.messages import Message
from modelmon.core.units import rate_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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

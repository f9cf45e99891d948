"""What the kernel says of disks, mounts and cgroups: text of /proc files in, records out."""

from __future__ import annotations

import re

import msgspec

SECTOR_BYTES = 512
"""The unit of `sectors_read` and `sectors_written`, whatever the device's own sector size."""

_OCTAL = r"\\([01][0-7]{2})"


class DiskCounters(msgspec.Struct, frozen=True):
    """A block device since boot; all but `in_flight` (requests now) only grow.

    `read_ms` sums the durations of all reads; `busy_ms` is the time with at least one
    request in flight, and `weighted_ms` that time multiplied by how many there were.
    """

    reads: int
    sectors_read: int
    read_ms: int
    in_flight: int
    busy_ms: int
    weighted_ms: int
    writes: int
    sectors_written: int


class Mount(msgspec.Struct, frozen=True):
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
            reads, _, read, read_ms, writes, _, written, _, in_flight, busy_ms, weighted_ms = (
                int(field) for field in fields[3:14]
            )
            return DiskCounters(
                reads, read, read_ms, in_flight, busy_ms, weighted_ms, writes, written
            )
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
        mount_id, parent_id, major, minor = (int(number) for number in numbers)
        root, mount_point, options = (_unescaped(field) for field in fields[3:6])
        filesystem, source, super_options = (_unescaped(field) for field in fields[tail : tail + 3])
        mounts.append(
            Mount(
                mount_id,
                parent_id,
                major,
                minor,
                root,
                mount_point,
                options,
                filesystem,
                source,
                super_options,
            )
        )
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


def _unescaped(field: str) -> str:
    """The text that the kernel wrote with octal escapes for blanks and backslashes."""
    if "\\" not in field:
        return field
    return re.sub(_OCTAL, lambda match: chr(int(match[1], 8)), field)

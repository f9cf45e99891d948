"""The memory limit that a container or a service manager puts on this process (cgroups 1 and 2).

Sources: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of the kernel.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.machine.procfs import parse_psi, parse_vmstat
from modelmon.core.machine.procfs_disk import Mount, parse_cgroup, parse_mountinfo

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

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

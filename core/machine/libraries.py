"""Which shared libraries processes have mapped, and which mount has most of their bytes.

Asks the kernel alone: a look at the files themselves would wait for storage.
"""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.limited_numbers import Amount
from modelmon.core.machine.mounts import mount_of
from modelmon.core.machine.procfs import parse_mountinfo

if TYPE_CHECKING:
    from collections.abc import Iterable

_PROC = Path("/proc")


class Libraries(msgspec.Struct, frozen=True):
    """Files with code that processes have mapped, each counted once: how many, how many bytes are
    mapped, and the mount that has most of these with its kind of filesystem.
    """

    files: Amount
    mapped_bytes: Amount
    mount_point: str
    filesystem: str


def libraries_of(pids: Iterable[int]) -> Libraries | None:
    """Those of these processes; None where none is in sight.

    Source: the kernel's Documentation/filesystems/proc.rst, /proc/PID/maps.
    """
    maps = [text for pid in pids if (text := _maps(pid))]
    found = {path: each for text in maps for path, each in _code_in(text).items()}
    if not found:
        return None
    mounts = parse_mountinfo((_PROC / "self/mountinfo").read_text(errors="surrogateescape"))
    on_mount: dict[tuple[str, str], int] = defaultdict(int)
    for path, (device, mapped_bytes) in found.items():
        if mount := mount_of(PurePosixPath(path), device, mounts):
            on_mount[mount.mount_point, mount.filesystem] += mapped_bytes
    most = max(on_mount, key=on_mount.__getitem__, default=("", ""))
    return Libraries(len(found), sum(nbytes for _, nbytes in found.values()), *most)


def _maps(pid: int) -> str:
    try:
        return (_PROC / f"{pid}/maps").read_text(errors="surrogateescape")
    except OSError:
        return ""  # another user's process, or one that has just ended


def _code_in(maps: str) -> dict[str, tuple[int, int]]:
    """Device and mapped bytes of each file of which a part may be executed."""
    rows = [line.split(maxsplit=5) for line in maps.splitlines()]
    rows = [row for row in rows if len(row) == 6 and row[5].startswith("/")]
    code = {row[5] for row in rows if "x" in row[1]}
    found: dict[str, tuple[int, int]] = {}
    for span, _, _, device, _, path in rows:
        if path in code:
            begin, end = (int(each, 16) for each in span.split("-"))
            major, minor = (int(each, 16) for each in device.split(":"))
            before_bytes = found.get(path, (0, 0))[1]
            found[path] = os.makedev(major, minor), before_bytes + end - begin
    return found

"""A cgroup that lets a process read so many bytes a second from a disk, and counts them."""

from __future__ import annotations

import os
import sys
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_V1 = Path("/sys/fs/cgroup/blkio")
_V2 = Path("/sys/fs/cgroup")


def why_not() -> str:
    """Why nothing can be throttled here; empty if it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root may make a cgroup"
    if (_V1 / "blkio.throttle.read_bps_device").exists():
        return ""
    controllers = _V2 / "cgroup.subtree_control"
    if controllers.exists() and "io" in controllers.read_text().split():
        return ""
    return "no blkio or io controller to use"


class Throttle:
    """The cgroup: processes join it, and it counts what they read."""

    def __init__(self, folder: Path, device: str) -> None:
        self.folder = folder
        self._device = device

    def allow(self, *, bytes_per_s: int | None = None, reads_per_s: int | None = None) -> None:
        """Change the limits from now on; None lifts one."""
        v1 = self.folder / "blkio.throttle.read_bps_device"
        if v1.exists():
            v1.write_text(f"{self._device} {bytes_per_s or 0}")
            requests = self.folder / "blkio.throttle.read_iops_device"
            requests.write_text(f"{self._device} {reads_per_s or 0}")
        else:
            words = f"rbps={bytes_per_s or 'max'} riops={reads_per_s or 'max'}"
            (self.folder / "io.max").write_text(f"{self._device} {words}")

    def command(self, *command: str) -> list[str]:
        """`command` as it is started inside the cgroup."""
        join = f'echo $$ > {self.folder}/cgroup.procs && exec "$@"'
        return ["sh", "-c", join, "sh", *command]

    def read_bytes(self) -> int:
        """Bytes that the cgroup's processes have read from the device, by its own account."""
        v1 = self.folder / "blkio.throttle.io_service_bytes"
        if v1.exists():
            rows = [line.split() for line in v1.read_text().splitlines()]
            found = [int(row[2]) for row in rows if row[:2] == [self._device, "Read"]]
            return found[0] if found else 0
        for line in (self.folder / "io.stat").read_text().splitlines():
            device, *fields = line.split()
            if device == self._device:
                return int(dict(field.split("=") for field in fields)["rbytes"])
        return 0


@contextmanager
def throttled(path: Path, bytes_per_s: int | None) -> Iterator[Throttle]:
    """A cgroup whose processes read at most `bytes_per_s` from the disk under `path`; None: as
    fast as they like.
    """
    number = _disk_of(path)
    folder = (_V1 if _V1.exists() else _V2) / f"modelmon-test-{uuid.uuid4()}"
    folder.mkdir()
    try:
        held = Throttle(folder, number)
        held.allow(bytes_per_s=bytes_per_s)
        yield held
    finally:
        with suppress(OSError):
            folder.rmdir()


def _disk_of(path: Path) -> str:
    """Major and minor number of the whole disk: partitions cannot be throttled."""
    device = path.stat().st_dev
    place = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").resolve()
    disk = place.parent if (place / "partition").exists() else place
    return (disk / "dev").read_text().strip()

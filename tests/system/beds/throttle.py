"""A cgroup that lets a process read so many bytes a second from a disk, and counts them."""

import os
import sys
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path

_V1 = Path("/sys/fs/cgroup/blkio")
_V2 = Path("/sys/fs/cgroup")
# Whose it is follows: the id of the process that made it.
_NAME = "modelmon-bed-"


def why_not():
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

    def __init__(self, folder, device):
        self.folder = folder
        self._device = device

    def allow(self, *, bytes_per_s=None, reads_per_s=None):
        """Change the limits from now on; None lifts one."""
        v1 = self.folder / "blkio.throttle.read_bps_device"
        if v1.exists():
            v1.write_text(f"{self._device} {bytes_per_s or 0}")
            requests = self.folder / "blkio.throttle.read_iops_device"
            requests.write_text(f"{self._device} {reads_per_s or 0}")
        else:
            words = f"rbps={bytes_per_s or 'max'} riops={reads_per_s or 'max'}"
            (self.folder / "io.max").write_text(f"{self._device} {words}")

    def command(self, *command):
        """`command` as it is started inside the cgroup."""
        join = f'echo $$ > {self.folder}/cgroup.procs && exec "$@"'
        return ["sh", "-c", join, "sh", *command]

    @contextmanager
    def joined(self):
        """Have this process, and what it starts meanwhile, inside the cgroup."""
        v1 = self.folder.parent == _V1
        rows = [row.split(":", 2) for row in Path("/proc/self/cgroup").read_text().splitlines()]
        before = next(path for _, names, path in rows if names == ("blkio" if v1 else ""))
        # Zero is the process that writes it.
        (self.folder / "cgroup.procs").write_text("0")
        try:
            yield
        finally:
            (self.folder.parent / before.lstrip("/") / "cgroup.procs").write_text("0")

    def read_bytes(self):
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
def throttled(path, bytes_per_s):
    """A cgroup whose processes read at most `bytes_per_s` from the disk under `path`; None: as
    fast as they like.
    """
    number = _disk_of(path)
    parent = _V1 if _V1.exists() else _V2
    _remove_left_over(parent)
    folder = parent / f"{_NAME}{os.getpid()}-{uuid.uuid4()}"
    folder.mkdir()
    try:
        held = Throttle(folder, number)
        held.allow(bytes_per_s=bytes_per_s)
        yield held
    finally:
        with suppress(OSError):
            folder.rmdir()


def _remove_left_over(parent):
    """Remove what processes that were killed have left; one whose processes still run stays."""
    for folder in parent.glob(f"{_NAME}*"):
        pid = folder.name.removeprefix(_NAME).partition("-")[0]
        if not Path("/proc", pid).exists():
            with suppress(OSError):
                folder.rmdir()


def _disk_of(path):
    """Major and minor number of the whole disk: partitions cannot be throttled."""
    device = path.stat().st_dev
    place = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").resolve()
    disk = place.parent if (place / "partition").exists() else place
    return (disk / "dev").read_text().strip()

"""A cgroup with little memory: cached pages of what is loaded in it count as well."""

import os
import sys
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path

_V1 = Path("/sys/fs/cgroup/memory")
_V2 = Path("/sys/fs/cgroup")


def why_not():
    """Why no memory can be limited here; empty if it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root may make a cgroup"
    if (_V1 / "memory.limit_in_bytes").exists():
        return ""
    controllers = _V2 / "cgroup.subtree_control"
    if controllers.exists() and "memory" in controllers.read_text().split():
        return ""
    return "no memory controller to use"


class MemoryLimit:
    """The cgroup: processes join it, and together they have so much memory and no more."""

    def __init__(self, folder, limit_bytes):
        self.folder = folder
        v1 = folder / "memory.limit_in_bytes"
        self.file = v1 if v1.exists() else folder / "memory.max"
        self.set(limit_bytes)

    def set(self, limit_bytes):
        """Change the limit; what is over it is taken back, if it can be."""
        self.file.write_text(str(limit_bytes))

    def command(self, *command):
        """`command` as it is started inside the cgroup."""
        join = f'echo $$ > {self.folder}/cgroup.procs && exec "$@"'
        return ["sh", "-c", join, "sh", *command]


@contextmanager
def limited(limit_bytes):
    """A cgroup whose processes have `limit_bytes` of memory, cached pages included."""
    parent = _V1 if (_V1 / "memory.limit_in_bytes").exists() else _V2
    folder = parent / f"modelmon-test-{uuid.uuid4()}"
    folder.mkdir()
    try:
        yield MemoryLimit(folder, limit_bytes)
    finally:
        with suppress(OSError):
            folder.rmdir()

"""A FUSE mount whose cost is known, served by a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_SERVER = Path(__file__).parent / "fuse_server.py"
_END_S = 10


class Counts(NamedTuple):
    """What the server did: requests, their bytes, reads that did not go on where the last one
    of the stream ended, opened handles, and the times of the first and the last answer.
    """

    requests: int
    bytes: int
    seeks: int
    handles: int
    first_s: float
    last_s: float


class Store:
    """The mounted file, and what its server has done."""

    def __init__(self, path: Path, server: subprocess.Popen[str]) -> None:
        self.path = path
        self._server = server

    def counts(self) -> Counts:
        """The counters since the last call."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write("counts\n")
        self._server.stdin.flush()
        return Counts(**json.loads(self._server.stdout.readline()))


def why_not() -> str:
    """Why no FUSE mount can be made here; empty if one can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root may mount"
    try:
        os.close(os.open("/dev/fuse", os.O_RDWR))
    except OSError as error:
        return f"/dev/fuse: {error.strerror}"
    return ""


@contextmanager
def served(
    path: Path,
    mount_point: Path,
    *,
    first_byte_s: float,
    bytes_per_s: float,
    per: str = "handle",
    readahead_bytes: int = 128 * 1024,
    keep_cache: bool = True,
) -> Iterator[Store]:
    """Serve `path` under `mount_point`: as an object store (`per` handle) or a disk (`device`)."""
    model = {
        "first_byte_s": first_byte_s,
        "bytes_per_s": bytes_per_s,
        "per": per,
        "readahead_bytes": readahead_bytes,
        "keep_cache": keep_cache,
    }
    mount_point.mkdir(exist_ok=True)
    command = [sys.executable, str(_SERVER), str(path), str(mount_point), json.dumps(model)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            if server.stdout.readline() != "ready\n":
                raise RuntimeError("the FUSE server could not mount")
            yield Store(mount_point / path.name, server)
        finally:
            assert server.stdin is not None
            server.stdin.close()
            try:
                server.wait(_END_S)
            except subprocess.TimeoutExpired:
                server.kill()
                subprocess.run(["umount", "-l", str(mount_point)], check=False)

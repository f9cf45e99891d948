"""A FUSE mount whose cost is known, served by a process of its own."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.system.beds import mounts

_SERVER = Path(__file__).parent / "fuse_server.py"

why_not = mounts.why_not


class Counts(NamedTuple):
    """What the server did: requests, their bytes, reads that did not go on where the last one
    of the stream ended, opened handles, requests that are held for ever, and the times of the
    first and the last answer.
    """

    requests: int
    bytes: int
    seeks: int
    handles: int
    held: int
    first_s: float
    last_s: float

    @property
    def bytes_per_s(self):
        """Bytes over the time from the first request to the last answer."""
        return self.bytes / (self.last_s - self.first_s)


class Store:
    """The mounted file, and what its server has done."""

    def __init__(self, path, server):
        self.path = path
        self.server_pid = server.pid
        self._server = server

    def counts(self):
        """The counters since the last call."""
        return self._ask("counts")

    def hold(self):
        """Answer nobody any more who opens or reads the file. Whoever waits for that cannot even
        be killed before the mount ends; the calling process must not touch it.
        """
        self._ask("hold")

    def _ask(self, command):
        assert self._server.stdin is not None
        self._server.stdin.write(f"{command}\n")
        self._server.stdin.flush()
        return Counts(**json.loads(mounts.answer(self._server)))


@contextmanager
def served(
    path,
    mount_point,
    *,
    first_byte_s,
    bytes_per_s,
    stream_bytes_per_s=None,
    request_s=0.0,
    per="handle",
    readahead_bytes=128 * 1024,
    keep_cache=True,
    keep_attributes=True,
    name="",
):
    """Serve `path` under `mount_point`: as an object store (`per` handle) or a disk (`device`).

    All that read share `bytes_per_s`, of which each stream gets at most `stream_bytes_per_s`.

    `name` is what it is mounted from, else one of its own: with it, mounts look alike.
    With `request_s` and without `first_byte_s` it is a server behind a slow line. Whatever
    becomes of this process, the mount ends with it.
    """
    model = {
        "first_byte_s": first_byte_s,
        "request_s": request_s,
        "bytes_per_s": bytes_per_s,
        "stream_bytes_per_s": stream_bytes_per_s or bytes_per_s,
        "per": per,
        "readahead_bytes": readahead_bytes,
        "keep_cache": keep_cache,
        "keep_attributes": keep_attributes,
        "name": name,
    }
    command = [sys.executable, str(_SERVER), str(path), str(mount_point), json.dumps(model)]
    with mounts.held(command, mount_point) as server:
        yield Store(mount_point / path.name, server)

"""The beds themselves: they cost what they say, and whoever dies, nothing is left behind."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import get_args

import pytest
from tests.system.beds import fuse_store, http_files, mounts, remote_mount, throttle
from tests.system.beds.lag_proxy import Line
from tests.system.runs import until

pytestmark = pytest.mark.system

needs_fuse = pytest.mark.skipif(bool(fuse_store.why_not()), reason=fuse_store.why_not())
needs_throttle = pytest.mark.skipif(bool(throttle.why_not()), reason=throttle.why_not())
clients = pytest.mark.parametrize(
    "client",
    [
        pytest.param(
            each,
            marks=pytest.mark.skipif(bool(why_not := remote_mount.why_not(each)), reason=why_not),
        )
        for each in get_args(remote_mount.Client)
    ],
)

START = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.system.beds import fuse_store, remote_mount, throttle
path, point = Path(sys.argv[2]), Path(sys.argv[3])
"""
HOLD = """
    print("holds", flush=True)
    sys.stdin.read()
"""
FUSE = "with fuse_store.served(path, point, first_byte_s=0.0, bytes_per_s=1e9):"
REMOTE = "with remote_mount.mounted('{}', path.parent, point, round_trip_s=0.0, bytes_per_s=1e9):"
THROTTLE = "with throttle.throttled(path, 10**9) as held, held.joined():"


def can_open(path):
    """Whether the file can be opened; it does not hang if not."""
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


@contextmanager
def held_by_another(bed, path, point):
    """A process that has the bed, and is killed at the end."""
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", START + bed + HOLD, str(root), str(path), str(point)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"holds\n"
        yield holder
        holder.kill()


@needs_fuse
def test_that_a_killed_test_leaves_no_mount(sample, tmp_path):
    point = tmp_path / "mounted"
    with held_by_another(FUSE, sample, point):
        assert mounts.is_mounted(str(point))
    until(lambda: not mounts.is_mounted(str(point)))


@clients
def test_that_a_killed_test_leaves_no_client(client, sample, tmp_path):
    point = tmp_path / "mounted"
    with held_by_another(REMOTE.format(client), sample, point):
        assert mounts.is_mounted(str(point))
        assert processes_that_name(point)
    until(lambda: not mounts.is_mounted(str(point)))
    until(lambda: not processes_that_name(point))


def processes_that_name(point):
    """Commands of running processes where `point` stands."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found.append((process / "cmdline").read_text())
    return [command for command in found if str(point) in command]


@needs_fuse
def test_that_what_a_killed_server_left_is_unmounted(sample, tmp_path):
    point = tmp_path / "mounted"
    with fuse_store.served(sample, point, first_byte_s=0.0, bytes_per_s=1e9) as store:
        rows = [row.split() for row in Path("/proc/self/mounts").read_text().splitlines()]
        source = next(row[0] for row in rows if row[1] == str(point))
        os.kill(int(source.rpartition("-")[2]), signal.SIGKILL)
        until(lambda: not can_open(store.path))
    mounts.unmount_left_over()
    assert not mounts.is_mounted(str(point))


def test_that_a_range_comes_after_a_round_trip_and_no_faster_than_the_line(tmp_path):
    wanted = os.urandom(1_000_000)
    (tmp_path / "model").write_bytes(wanted)
    line = Line(round_trip_s=0.05, bytes_per_s=5e6)
    near, far = socket.socketpair()
    line.connect(far, partial(http_files.serve, tmp_path))
    with near, closing(HTTPConnection("server")) as connection:
        connection.sock = near
        begin_s = time.monotonic()
        connection.request("GET", "/model", headers={"Range": "bytes=1000-500999"})
        answer = connection.getresponse()
        first_s = time.monotonic() - begin_s
        body = answer.read()
        last_s = time.monotonic() - begin_s
        connection.request("GET", "/model", headers={"Range": "bytes=1000000-"})
        past_the_end = connection.getresponse()
        past_the_end.read()
    assert (answer.status, answer.headers["Content-Range"]) == (206, "bytes 1000-500999/1000000")
    assert body == wanted[1000:501000]
    assert past_the_end.status == 416
    # Nothing that the machine does makes a line faster.
    assert first_s >= 0.05
    assert last_s >= 0.14


@needs_throttle
def test_that_what_a_killed_test_left_is_removed(on_a_device, sample, tmp_path):
    del on_a_device
    with throttle.throttled(sample, None) as own:
        parent = own.folder.parent
    with held_by_another(THROTTLE, sample, tmp_path) as holder:
        left = list(parent.glob(f"*-{holder.pid}-*"))
        assert left
    with throttle.throttled(sample, None) as own:
        assert not any(folder.exists() for folder in left)
        assert own.folder.exists()

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

import psutil
import pytest
from tests.system.beds import http_files, remote_mount, throttle
from tests.system.beds.lag_proxy import Line
from tests.system.needs import needs_fuse
from tests.system.runs import until

from modelmon.core.simulate import mounts
from modelmon.core.simulate.cost import Cost, fault_of
from modelmon.core.simulate.store import ServerEndedError, held, served
from modelmon.core.units import MIB

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
from tests.system.beds import remote_mount, throttle
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
path, point = Path(sys.argv[2]), Path(sys.argv[3])
"""
HOLD = """
    print("holds", flush=True)
    sys.stdin.read()
"""
FUSE = "with served(path, point, Cost(first_byte_s=0.0, bytes_per_s=1e9)):"
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
def test_that_what_was_killed_on_both_sides_is_unmounted_by_the_next(sample, tmp_path):
    point = tmp_path / "mounted"
    with held_by_another(FUSE, sample, point) as holder:
        (server,) = psutil.Process(holder.pid).children()
        os.kill(holder.pid, signal.SIGSTOP)
        server.kill()
        holder.kill()
    until(lambda: not can_open(point / sample.name))
    assert mounts.is_mounted(str(point))
    with served(sample, tmp_path / "next", Cost(first_byte_s=0.0, bytes_per_s=1e9)):
        assert not mounts.is_mounted(str(point))


@needs_fuse
def test_that_a_killed_server_is_named_and_its_mount_removed(sample, tmp_path):
    point = tmp_path / "mounted"
    with served(sample, point, Cost(first_byte_s=0.0, bytes_per_s=1e9)) as store:
        os.kill(store.server_pid, signal.SIGKILL)
        with pytest.raises(ServerEndedError):
            store.counts()
    assert not point.exists()


@needs_fuse
@pytest.mark.parametrize("size", [MIB, 3 * MIB + 5])
def test_that_faults_come_when_they_are_asked_for(tmp_path, size):
    file = tmp_path / "file"
    wanted = os.urandom(size)
    file.write_bytes(wanted)
    half = size // 2
    with served(file, tmp_path / "m", Cost(first_byte_s=0.0, bytes_per_s=1e9)) as store:
        store.fail(fault_of(f"eio={half}"))
        with store.path.open("rb") as opened:
            assert opened.read(half // 2) == wanted[: half // 2]
            opened.seek(half)
            with pytest.raises(OSError, match="Input/output error"):
                opened.read()
        store.fail(fault_of("none"))
        store.fail(fault_of("short"))
        with store.path.open("rb", buffering=0) as opened:
            assert 0 < len(opened.read(64 * 1024)) < 64 * 1024
        store.fail(fault_of("none"))
        store.fail(fault_of(f"truncate={half}"))
        assert store.path.read_bytes() == wanted[:half]


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


def test_that_a_mount_that_is_not_there_in_time_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(mounts, "PATIENCE_S", 0.1)
    waits = [sys.executable, "-S", "-c", "import sys; sys.stdin.read()"]
    with pytest.raises(mounts.MountError, match="the server doesn't answer"), held(waits, tmp_path):
        pass

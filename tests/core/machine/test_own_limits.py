"""Which limit it is that a process has reached."""

import errno
import subprocess
import sys

import psutil
import pytest

from modelmon.core.errors import LoadFailedError
from modelmon.core.machine.own_limits import (
    address_space_remedy,
    starting_a_process,
    thread_remedy,
)
from modelmon.core.units import MIB

resource = pytest.importorskip("resource")


@pytest.mark.parametrize(
    ("left_bytes", "of_threads", "of_memory"),
    [
        (1 * MIB, "ulimit -v", "ulimit -v"),
        (1 << 50, "ulimit -u", "ulimit -v"),
        (None, "ulimit -u", ""),
    ],
)
def test_that_the_limit_that_is_reached_is_named(monkeypatch, left_bytes, of_threads, of_memory):
    used_bytes = psutil.Process().memory_info().vms
    most = resource.RLIM_INFINITY if left_bytes is None else used_bytes + left_bytes
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (most, most))
    assert of_threads in thread_remedy()
    assert of_memory in address_space_remedy()
    assert bool(address_space_remedy()) == bool(of_memory)


@pytest.mark.parametrize(
    ("number", "remedy"), [(errno.EAGAIN, "limit of processes"), (errno.EMFILE, "ulimit -n")]
)
def test_that_a_process_that_cannot_be_started_is_a_sentence(number, remedy):
    with (
        pytest.raises(LoadFailedError, match="starts no more processes") as raised,
        starting_a_process(),
    ):
        raise OSError(number, "no")
    assert remedy in raised.value.remedy
    with starting_a_process():
        assert not subprocess.run([sys.executable, "-S", "-c", ""], check=True).returncode

"""What the supervisor reads of processes that load, here of one whose work is known."""

from __future__ import annotations

import subprocess
import sys

import pytest

from modelmon.core.worker.loader_figures import ProcReader

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

BURNT_NS = 200_000_000
TICK_NS = 10_000_000

DECODES = f"""
import sys, threading, time
from modelmon.core.load import decoding

burnt, end = threading.Event(), threading.Event()

def decode():
    decoding.name_this_thread()
    while time.thread_time_ns() < {BURNT_NS}:
        pass
    burnt.set()
    end.wait()

while time.process_time_ns() < {BURNT_NS}:
    pass
thread = threading.Thread(target=decode)
thread.start()
burnt.wait()
sys.stdout.write("burnt\\n")
sys.stdout.flush()
sys.stdin.readline()
end.set()
thread.join()
sys.stdout.write("ended\\n")
sys.stdout.flush()
sys.stdin.readline()
"""


def test_that_the_decoders_time_is_told_apart_and_outlives_them() -> None:
    command = [sys.executable, "-P", "-c", DECODES]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        reader = ProcReader([process.pid], readers=1, decoders=1)
        plain = ProcReader([process.pid], readers=1)
        found = reader.read()
        assert found.decode_ns is not None
        assert BURNT_NS - 2 * TICK_NS <= found.decode_ns < 2 * BURNT_NS
        assert (found.cpu_user_ns or 0) + (found.cpu_system_ns or 0) >= (
            found.decode_ns + BURNT_NS - 4 * TICK_NS
        )
        assert plain.read().decode_ns is None
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        assert reader.read().decode_ns == found.decode_ns
        process.kill()
        for each in (reader, plain):
            each.close()

"""What works beside a process, where the kernel refuses what it would like to have."""

import subprocess
import sys

import pytest

from modelmon.core.machine.processes import COMPANION

_CANNOT_BE_NAMED = """
import os
from pathlib import Path
from modelmon.core.machine.processes import start_companion

def refuse(*_):
    raise PermissionError(13, "Permission denied")

Path.write_text = refuse
heard, told = os.pipe()
start_companion(lambda: os.write(told, b"worked"))
os.close(told)
print(os.read(heard, 10).decode())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_that_it_works_also_where_it_cannot_be_given_a_name():
    done = subprocess.run(
        [sys.executable, "-c", _CANNOT_BE_NAMED], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("worked\n", "")


_READS = """
import os, threading
from modelmon.core.load.readers import run_readers
from modelmon.core.machine.processes import start_companion

class Reader:
    def __init__(self, number):
        self.number = number
    def begin(self, *_):
        return False
    def run(self, *_):
        comm = open("/proc/thread-self/comm").read().strip()
        os.write(told, f"{comm} {threading.current_thread().name}\\n".encode())

heard, told = os.pipe()
start_companion(
    lambda: run_readers([Reader(0), Reader(1)], lambda *_: None)
)
os.close(told)
print(os.fdopen(heard).read(), end="")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_that_its_readers_are_called_as_it_is():
    """Python 3.14 gives each thread's name to the kernel, which else names it as its maker."""
    done = subprocess.run(
        [sys.executable, "-c", _READS], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{COMPANION} {COMPANION}\n" * 2

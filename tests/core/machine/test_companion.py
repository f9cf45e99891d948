"""What works beside a process, where the kernel refuses what it would like to have."""

from __future__ import annotations

import subprocess
import sys

import pytest

_CANNOT_BE_NAMED = """
import os
from pathlib import Path
from modelmon.core.machine.companion import start_companion

def refuse(*_):
    raise PermissionError(13, "Permission denied")

Path.write_text = refuse
heard, told = os.pipe()
start_companion(lambda: os.write(told, b"worked"))
os.close(told)
print(os.read(heard, 10).decode())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_that_it_works_also_where_it_cannot_be_given_a_name() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CANNOT_BE_NAMED], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("worked\n", "")

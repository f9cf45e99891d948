"""The probe's process, where it gets too little."""

import subprocess
import sys

from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB

SHORT_OF_MEMORY = """
import sys
from modelmon.core.probe import memory, process

def refuse(nbytes):
    raise MemoryError(nbytes)

memory.OwnedBuffer = refuse
sys.exit(process.main(*sys.argv[1:]))
"""


def test_that_memory_that_runs_out_is_told(tmp_path):
    path = write_sample(tmp_path / "model.safetensors", "safetensors", 4 * MIB, layers=2, seed=1)
    command = [sys.executable, "-P", "-c", SHORT_OF_MEMORY, str(path), "1"]
    # Its standard input stays open: at its end it would stop.
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as done:
        told = done.stdout.read()
        assert done.wait() == 1, done.stderr
    assert "Too little free memory to measure it." in told.splitlines()[-1]

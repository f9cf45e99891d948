"""A program that is watched, and what becomes of it between two looks."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="watches by /proc")

# It ends all processes below it, which are those of all tests in the process of a test.
WATCHES = """
import os, sys, time
from modelmon.core.load.extents import Extent
from modelmon.core.load.files import OpenFiles
from modelmon.core.worker.jobs import WatchedProgram
from modelmon.core.worker.program import Program

path, gate = sys.argv[1:]
loads = (
    "import sys, time; open(sys.argv[2]).close(); open(sys.argv[1], 'rb').read();"
    " print('ready', flush=True); time.sleep(600)"
)
size = os.path.getsize(path)
files = OpenFiles([path], [size], {0})
program = Program(
    WatchedProgram("loads", "output:ready", see_by="residency"),
    [sys.executable, "-S", "-c", loads, path, gate],
    files,
    [Extent(0, 0, size)],
    lambda _: [],
)
program.listen(None)
program.wait_ready(None)
program.go()
look, looks = program.progress.look, []

def look_and_let_it_load(*arguments, **named):
    look(*arguments, **named)
    looks.append(program.progress.opened)
    if len(looks) == 1:
        open(gate, "w").close()
        while program._matched_ns is None:
            time.sleep(0.001)

program.progress.look = look_and_let_it_load
try:
    while not program.done:
        program.look(time.monotonic_ns(), program.figures.read(), is_last=False)
    print(looks, flush=True)
finally:
    program.close()
"""


def test_that_what_it_read_before_it_was_ready_is_looked_at_first(tmp_path: Path) -> None:
    model, gate = tmp_path / "model", tmp_path / "gate"
    model.write_bytes(bytes(1_000_000))
    os.mkfifo(gate)
    command = [sys.executable, "-P", "-c", WATCHES, str(model), str(gate)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "[False, True]\n", done.stderr

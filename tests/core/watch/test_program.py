"""A program that is watched, and what becomes of it between two looks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="watches by /proc")

# It ends all processes below it, which are those of all tests in the process of a test.
HELD = """
import os, sys, time
from modelmon.core.load.extents import Extent
from modelmon.core.load.files import OpenFiles
from modelmon.core.worker.events import WatchedProgram
from modelmon.core.watch.program import Program

path, gate, loads, ready = sys.argv[1:]
size = os.path.getsize(path)
files = OpenFiles([(path, size)], {0})
program = Program(
    [sys.executable, "-S", "-c", loads, path, gate],
    WatchedProgram("loads", ready, see_by="residency"),
    "tiny",
    files,
    [Extent(0, 0, size)],
)
program.listen(None)
program.wait_ready(None)
program.go()
"""
WATCHES = """
look, looks = program.progress.look, []

def look_and_let_it_load(*arguments, **named):
    look(*arguments, **named)
    looks.append(program.progress.opened)
    if len(looks) == 1:
        open(gate, "w").close()
        while program._matched_ns is None:
            time.sleep(0.001)
    elif program.progress.is_mapped_by(program.pids):
        open(gate, "w").close()
        while program.progress.is_mapped_by(program.pids):
            time.sleep(0.001)

program.progress.look = look_and_let_it_load
try:
    while not program.done:
        program.look(time.monotonic_ns(), program.figures.read(), is_last=False)
    print(looks, program.memory_kind, flush=True)
finally:
    program.close()
"""
WAITS = """
from modelmon.core.watch import program as module

program._waiting_due_ns = module._WAITING_NS = 0
try:
    for told in (".gguf open.", "has tiny open", ""):
        while told not in program.waiting or bool(told) != bool(program.waiting):
            program.look(time.monotonic_ns(), program.figures.read(), is_last=False)
        print(program.waiting, flush=True)
        open(gate, "w").close()
finally:
    program.close()
"""
RESTS = """
told = []
try:
    with open(gate, "w"):  # when it has begun, and read what it imports
        program.look(time.monotonic_ns(), program.figures.read(), is_last=False)
    while not program.done:
        program.look(time.monotonic_ns(), program.figures.read(), is_last=False)
        if program.waiting and program.waiting not in told:
            told.append(program.waiting)
        time.sleep(0.005)
    print(*told, program.progress.share_text, open(gate + ".log").read(), sep="; ")
finally:
    program.close()
"""
# It reads without being read ahead of, and notes what it does.
READS_A_PART = """
import os, socket, sys, time
def note(text):
    with open(sys.argv[2] + ".log", "a") as log:
        log.write(text)
open(sys.argv[2]).read()
model = os.open(sys.argv[1], os.O_RDONLY)
os.posix_fadvise(model, 0, 0, os.POSIX_FADV_RANDOM)
def read(start, end):
    for at in range(start, end, 1 << 16):
        os.pread(model, 1 << 16, at)
    note("r")
read(0, 61 << 16)
"""
COMPUTES_AND_READS_ON = (
    READS_A_PART
    + """
until = time.process_time() + 0.8
while time.process_time() < until:
    pass
note("c")
read(61 << 16, 92 << 16)
time.sleep(600)
"""
)
LISTENS_AND_COMPUTES = (
    READS_A_PART
    + """
server = socket.create_server(("127.0.0.1", 0))
while True:
    pass
"""
)
# Whoever reads a gate to its end has seen it closed: the next time it waits for the next opening.
OPENS_AND_WAITS = """
import sys
path, gate = sys.argv[1:]
beside = open(path + ".gguf", "w")
open(gate).read()
model = open(path, "rb")
open(gate).read()
model.read()
open(gate).read()
"""
READS = """
import sys, time
open(sys.argv[2]).read()
kept = open(sys.argv[1], "rb").read()
print("ready", flush=True)
time.sleep(600)
"""
READS_BELOW = """
import os, sys, time
open(sys.argv[2]).read()
if not os.fork():
    kept = open(sys.argv[1], "rb")
    kept.read()
    print("ready", flush=True)
time.sleep(600)
"""
MAPS_AND_ENDS = """
import mmap, sys, time
open(sys.argv[2]).read()
with open(sys.argv[1], "rb") as file:
    pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
beside = bytearray(pages)
print("ready", flush=True)
open(sys.argv[2]).read()
pages.close()
time.sleep(600)
"""


def watched(folder, loads, watches=WATCHES, ready="output:ready"):
    """What becomes of a program that loads a model; whatever waits at the gate is let in."""
    model, gate = folder / "model", folder / "gate"
    model.write_bytes(bytes(8_000_000))
    os.mkfifo(gate)
    command = [sys.executable, "-P", "-c", HELD + watches, str(model), str(gate), loads]
    command.append(ready)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_that_what_it_read_before_it_was_ready_is_looked_at_first(tmp_path):
    assert watched(tmp_path, READS) == "[False, True] owned"


def test_that_a_process_that_was_begun_since_the_last_look_has_read_it(tmp_path):
    seldom = "from modelmon.core.watch import program as module\nmodule._LIST_EVERY_NS = 10**18\n"
    assert watched(tmp_path, READS_BELOW, seldom + WATCHES).startswith("[False, True] ")


def test_that_what_is_mapped_when_it_says_it_is_ready_was_mapped(tmp_path):
    """It may end, and free its memory, before anybody looks again."""
    assert watched(tmp_path, MAPS_AND_ENDS) == "[False, True] mapped"


def test_that_what_a_program_has_open_that_reads_nothing_is_told(tmp_path):
    told = watched(tmp_path, OPENS_AND_WAITS, WAITS).splitlines()
    name = Path(sys.executable).name
    assert told == [
        f"{name} hasn't opened tiny yet. It has {tmp_path}/model.gguf open.",
        f"{name} has tiny open and has read nothing yet.",
    ]


@pytest.mark.parametrize(
    ("loads", "share", "noted"),
    [
        (READS_A_PART + "time.sleep(600)", "50%", "r"),
        (COMPUTES_AND_READS_ON, "75%", "rcr"),
        (LISTENS_AND_COMPUTES, "50%", "r"),
    ],
)
def test_that_who_reads_a_part_is_ready_once_it_rests(tmp_path, loads, share, noted):
    """And not while it computes, before it reads on, unless it accepts requests by then."""
    *told, read, log = watched(tmp_path, loads, RESTS, "quiet:0.4").split("; ")
    assert (read, log) == (share, noted)
    assert any(f"has read {share} of tiny and rests" in each for each in told)

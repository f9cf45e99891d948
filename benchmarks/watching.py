"""What watching somebody else's program costs it, by the way its reads are seen.

The same program loads the same file watched and alone, in turns, in fresh processes from the same
cache state; it times its own reading, so that starts are not compared. The figure that counts is
the upper bound of the interval of the paired ratio. A program of 60 threads that does nothing shows
what watching takes itself. With --disk a control group lets the disk give so much; with --served a
FUSE mount does, where times scatter by a thousandth. Run: make bench BENCH=watching
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple, get_args

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.system.beds import fuse_store, throttle

from modelmon.core.experiment.schedule import interleaved
from modelmon.core.experiment.statistics.spread import RatioInterval, ratio_interval
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.machine.page_cache import evict_verified
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB, parse_size, percent_text
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Cache, Finished, Job, WatchedProgram
from modelmon.core.worker.jobs import SeeBy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

AIMS: dict[Cache, float] = {"cold": 1.01, "warm": 1.03}

_LOAD = """
import mmap, os, sys, time
how, path, note = sys.argv[1:]
began = time.monotonic_ns()
file = os.open(path, os.O_RDONLY | (os.O_DIRECT if how == "direct" else 0))
size = os.fstat(file).st_size
if how == "mmap":
    pages = mmap.mmap(file, 0, prot=mmap.PROT_READ)
    for at in range(0, size, mmap.PAGESIZE):
        pages[at]
else:
    buffer, at = mmap.mmap(-1, 4 << 20), 0
    while nbytes := os.preadv(file, [buffer], at):
        at += nbytes
open(note, "w").write(str(time.monotonic_ns() - began))
"""
_IDLE = """
import sys, threading, time
for _ in range(60):
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
open(sys.argv[1], "rb").read()
time.sleep(10)
"""


def watched(path: Path, command: Sequence[str], cache: Cache, see_by: SeeBy) -> Finished:
    """One run of a program under watch."""
    program = WatchedProgram(shlex.join(command), "exit", see_by=see_by)
    job = Job(str(path), LoadConfig(library=PROGRAM), cache=cache, allow_busy=True, program=program)
    record = run_job(job, command=command)
    if record.finished is None:
        raise SystemExit(record.failed.message if record.failed else "The run was cut off.")
    return record.finished


def alone(path: Path, command: Sequence[str], cache: Cache) -> None:
    """One run of it without."""
    with path.open("rb") as file:
        if cache == "cold":
            evict_verified([(file.fileno(), [(0, path.stat().st_size)])])
        else:
            while file.read(MIB):
                pass
    subprocess.run(command, check=True)


class Loading(NamedTuple):
    """A program that loads a file in one way and leaves how many ns it took in `note`."""

    path: Path
    note: Path
    how: str

    @property
    def command(self) -> list[str]:
        """How it is started."""
        return [sys.executable, "-S", "-c", _LOAD, self.how, str(self.path), str(self.note)]


def ratio(loading: Loading, cache: Cache, see_by: SeeBy, pairs: int) -> RatioInterval:
    """Its reading watched against alone; one unmeasured run of each kind first."""
    kinds: dict[str, Callable[[], object]] = {
        "A": lambda: watched(loading.path, loading.command, cache, see_by),
        "B": lambda: alone(loading.path, loading.command, cache),
    }
    times: dict[str, list[float]] = {"A": [], "B": []}
    for kind in kinds.values():
        kind()
    for label in interleaved(pairs, seed=1):
        kinds[label]()
        times[label].append(int(loading.note.read_text()))
    median_ms = median(times["B"]) / 1e6
    sys.stdout.write(f"{cache:5} {loading.how:7} {see_by:10} alone {median_ms:7.1f} ms")
    return ratio_interval(times["A"], times["B"])


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=parse_size, default=256 * MIB, help="of the sample")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seen-by", nargs="+", default=list(get_args(SeeBy)[1:]))
    parser.add_argument("--hows", nargs="+", default=["mmap", "read", "direct"])
    parser.add_argument("--starts", nargs="+", default=list(AIMS))
    bed = parser.add_mutually_exclusive_group()
    bed.add_argument("--disk", type=parse_size, help="bytes per second that it gives; root")
    bed.add_argument("--served", type=parse_size, help="bytes per second of a mount; root")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp"))
        path = Path(folder, "sample.safetensors")
        write_sample(path, "safetensors", options.size, layers=16, seed=0)
        if options.disk:
            held = stack.enter_context(throttle.throttled(path, options.disk))
            stack.enter_context(held.joined())
        if options.served:
            mounted = fuse_store.served(
                path, Path(folder, "mounted"), first_byte_s=0.0, bytes_per_s=options.served
            )
            path = stack.enter_context(mounted).path
        for see_by in options.seen_by:
            idle = watched(path, [sys.executable, "-S", "-c", _IDLE, str(path)], "warm", see_by)
            share = percent_text(idle.supervisor_cpu_ns / idle.wall_ns)
            sys.stdout.write(f"idle  {see_by}: {share} of a core for 60 threads\n")
            for cache, aim in AIMS.items():
                for how in options.hows if cache in options.starts else ():
                    loading = Loading(path, Path(folder, "ns"), how)
                    found = ratio(loading, cache, see_by, options.pairs)
                    met = "met" if found.high <= aim else "not shown"
                    sys.stdout.write(
                        f"  watched/alone {found.ratio:.3f} ({found.low:.3f}-{found.high:.3f})"
                        f"  aim ≤ {aim:.2f}: {met}\n"
                    )
                    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What watching somebody else's program costs it, by the way its reads are seen.

Cold, the same program loads the same file watched and alone, in turns, in fresh processes; it times
its own reading, so that starts are not compared. Warm, memory is by a fifth faster in one process
than in the next: one process reads the file again and again there, and its watcher is stopped and
let go on in turns. The figure that counts is the upper bound of the interval of the paired ratio. A
program of 60 threads that does nothing shows what watching takes itself. With --lines the program
prints so many a second, alone into a file; warm, its processor time counts. With
--disk a control group lets the disk give so much; with --served a FUSE mount does, where times
scatter by a thousandth. Run: make bench BENCH=watching
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple, get_args

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.system.beds import throttle

from modelmon.core.comparison.compare import interleaved
from modelmon.core.comparison.posterior import of_pairs
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.machine.page_cache import evict_verified
from modelmon.core.model.sample import write_sample
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB, parse_size, percent_text
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Cache, Finished, Job, SeeBy, WatchedProgram

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.comparison.spread import Ratio

AIMS: dict[Cache, float] = {"cold": 1.01, "warm": 1.03}

_TURN_S = 0.4
"""Long enough for some readings of a file in memory."""

_LOAD = """
import mmap, os, sys, threading, time
how, path, note, for_s, lines = sys.argv[1:]
def chatter():
    done, since = 0, time.monotonic()
    while True:
        due = int(float(lines) * (time.monotonic() - since))
        os.write(1, b"INFO 11-28 10:20:30 [loader.py:123] a step is done\\n" * (due - done))
        done = due
        time.sleep(0.001)
if float(lines):
    threading.Thread(target=chatter, daemon=True).start()
notes = open(note, "w", 1)
print(os.getppid(), file=notes)
until = time.monotonic() + float(for_s)
while True:
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
    print(began, time.monotonic_ns(), time.process_time_ns(), file=notes)
    os.close(file)
    if time.monotonic() >= until:
        break
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


def alone(path: Path, command: Sequence[str], *, evicted: bool = True) -> None:
    """One run of it without, cold if `evicted`."""
    if evicted:
        with path.open("rb") as file:
            evict_verified([(file.fileno(), [(0, path.stat().st_size)])])
    with tempfile.TemporaryFile() as log:
        subprocess.run(command, check=True, stdout=log)


class Loading(NamedTuple):
    """A program that reads a file in one way, for so long, and leaves in `note` who started it and
    when each reading began and ended.
    """

    path: Path
    note: Path
    how: str
    for_s: float = 0.0
    lines_per_s: float = 0.0

    @property
    def command(self) -> list[str]:
        """How it is started."""
        places = (str(self.path), str(self.note), str(self.for_s), str(self.lines_per_s))
        return [sys.executable, "-S", "-c", _LOAD, self.how, *places]

    def parent(self, over: threading.Event) -> int | None:
        """The process that started it, once it runs; None where it was `over` before."""
        while not self.note.exists() or "\n" not in self.note.read_text():
            if over.wait(0.01):
                return None
        return int(self.note.read_text().split()[0])

    def readings(self) -> list[tuple[int, int]]:
        """Begin and end of each, in ns of the monotonic clock."""
        lines = self.note.read_text().splitlines()[1:]
        return [(int(began), int(ended)) for began, ended, _ in map(str.split, lines)]

    def processor_ns(self) -> float:
        """Processor time that it took for each reading, with what it printed meanwhile."""
        lines = self.note.read_text().splitlines()[1:]
        return int(lines[-1].split()[-1]) / len(lines)


def ratio_cold(loading: Loading, see_by: SeeBy, pairs: int) -> Ratio:
    """Its reading watched against alone; one unmeasured run of each kind first."""
    kinds: dict[str, Callable[[], object]] = {
        "A": lambda: watched(loading.path, loading.command, "cold", see_by),
        "B": lambda: alone(loading.path, loading.command),
    }
    times: dict[str, list[float]] = {"A": [], "B": []}
    for kind in kinds.values():
        kind()
    for label in interleaved(pairs, seed=1):
        kinds[label]()
        ((began_ns, ended_ns),) = loading.readings()
        times[label].append(ended_ns - began_ns)
    _say(loading, "cold", see_by, times["B"])
    return of_pairs(times["A"], times["B"]).ratio("A", "B")


def ratio_warm(loading: Loading, see_by: SeeBy, pairs: int) -> Ratio:
    """Its readings while its watcher looks against those while that is stopped, in turns."""
    loading = loading._replace(for_s=2 * pairs * _TURN_S)
    loading.note.unlink(missing_ok=True)
    turns: list[tuple[int, int]] = []
    over = threading.Event()
    turning = threading.Thread(target=_take_turns, args=(loading, see_by, turns, over))
    turning.start()
    try:
        watched(loading.path, loading.command, "warm", see_by)
    finally:
        over.set()
        turning.join()
    readings = loading.readings()
    times = [
        [ended - began for began, ended in readings if start <= began and ended <= end]
        for start, end in turns
    ]
    found = [
        (median(looked), median(stopped))
        for looked, stopped in zip(times[::2], times[1::2], strict=False)
        if looked and stopped
    ]
    _say(loading, "warm", see_by, [alone_ns for _, alone_ns in found])
    if len(found) < pairs / 2:
        sys.stdout.write(f" ({len(found)} turns)")
    return of_pairs([looked for looked, _ in found], [stopped for _, stopped in found]).ratio(
        "A", "B"
    )


def ratio_flooding(loading: Loading, see_by: SeeBy, pairs: int) -> Ratio:
    """What lines cost it under watch: its processor time for a reading, watched ÷ alone, while it
    prints against while it hardly does. A watcher that is stopped would stop it, and processes
    that are started in two ways differ by themselves.
    """
    flooding = loading._replace(for_s=2 * _TURN_S)
    quiet = flooding._replace(lines_per_s=1.0)

    def spent_ns(one: Loading, *, looked: bool) -> float:
        one.note.unlink(missing_ok=True)
        if looked:
            watched(one.path, one.command, "warm", see_by)
        else:
            alone(one.path, one.command, evicted=False)
        return one.processor_ns()

    ratios: dict[str, list[float]] = {"A": [], "B": []}
    kinds, alone_ns = {"A": flooding, "B": quiet}, []
    for label in interleaved(pairs, seed=1):
        alone_ns.append(spent_ns(kinds[label], looked=False))
        ratios[label].append(spent_ns(kinds[label], looked=True) / alone_ns[-1])
    _say(loading, "warm", see_by, alone_ns)
    return of_pairs(ratios["A"], ratios["B"]).ratio("A", "B")


def _take_turns(
    loading: Loading, see_by: SeeBy, turns: list[tuple[int, int]], over: threading.Event
) -> None:
    """Let the watcher go on and stop it until the program has ended, or is traced no more."""
    watcher = loading.parent(over)
    if watcher is None:
        return
    tracing = _tracing_of(watcher)
    looks = True
    while not over.is_set():
        os.kill(watcher, signal.SIGCONT if looks else signal.SIGSTOP)
        if tracing:
            tracing.write_text(str(int(looks)))
        began_ns = time.monotonic_ns()
        over.wait(_TURN_S)
        if see_by == "trace" and (tracing is None or not tracing.exists()):
            break
        turns.append((began_ns, time.monotonic_ns()))
        looks = not looks
    with contextlib.suppress(ProcessLookupError):
        os.kill(watcher, signal.SIGCONT)


def _tracing_of(pid: int) -> Path | None:
    """What switches the kernel's trace on that a process has taken."""
    for link in Path(f"/proc/{pid}/fd").iterdir():
        if link.readlink().name.startswith("modelmon-"):
            return link / "tracing_on"
    return None


def _say(loading: Loading, cache: Cache, see_by: SeeBy, alone_ns: Sequence[float]) -> None:
    median_ms = median(alone_ns) / 1e6
    sys.stdout.write(f"{cache:5} {loading.how:7} {see_by:10} alone {median_ms:7.1f} ms")


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=parse_size, default=256 * MIB, help="of the sample")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seen-by", nargs="+", default=list(get_args(SeeBy)[1:]))
    parser.add_argument("--hows", nargs="+", default=["mmap", "read", "direct"])
    parser.add_argument("--lines", type=float, default=0.0, help="that it prints a second")
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
            mounted = served(
                path, Path(folder, "mounted"), Cost(first_byte_s=0.0, bytes_per_s=options.served)
            )
            path = stack.enter_context(mounted).path
        for see_by in options.seen_by:
            idle = watched(path, [sys.executable, "-S", "-c", _IDLE, str(path)], "warm", see_by)
            share = percent_text(idle.supervisor_cpu_ns / idle.wall_ns)
            sys.stdout.write(f"idle  {see_by}: {share} of a core for 60 threads\n")
            for cache, aim in AIMS.items():
                # Direct reads ask the disk for what is cached, too: they have no warm start.
                hows = [how for how in options.hows if cache == "cold" or how != "direct"]
                for how in hows if cache in options.starts else ():
                    loading = Loading(path, Path(folder, "ns"), how, lines_per_s=options.lines)
                    warm = ratio_flooding if options.lines else ratio_warm
                    ratio = ratio_cold if cache == "cold" else warm
                    found = ratio(loading, see_by, options.pairs)
                    met = "met" if found.high <= aim else "not shown"
                    sys.stdout.write(
                        f"  watched/alone {found.ratio:.3f} ({found.low:.3f}-{found.high:.3f})"
                        f"  aim ≤ {aim:.2f}: {met}\n"
                    )
                    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())

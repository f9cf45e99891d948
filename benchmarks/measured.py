"""A fresh process that does one task once: prepare, say so, wait for `go`, measure itself."""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

import msgspec
from loads import prepare
from records import Answer, Task

from modelmon.core.machine.procfs import parse_meminfo, parse_pid_io

# Sets the highest resident memory back to the present one (proc(5), Linux 4.0).
_RESET_PEAK = "5"


class Figures(NamedTuple):
    """The process's own counters; None where the platform has none."""

    wall_ns: int
    cpu_ns: int
    device_bytes: int | None
    resident_bytes: int | None
    peak_bytes: int | None


def figures() -> Figures:
    """The counters now; the clocks come first, since the files take time to read."""
    wall_ns, cpu_ns = time.monotonic_ns(), time.process_time_ns()
    if sys.platform != "linux":
        return Figures(wall_ns, cpu_ns, None, None, None)
    device_bytes = parse_pid_io(Path("/proc/self/io").read_text()).get("read_bytes")
    # Its lines of sizes look like those of /proc/meminfo.
    sizes = parse_meminfo(Path("/proc/self/status").read_text())
    return Figures(wall_ns, cpu_ns, device_bytes, sizes.get("VmRSS"), sizes.get("VmHWM"))


def main() -> int:
    """Speak over the standard streams: task in, `ready` out, `go` in, answer out."""
    # What a library prints must not end up among the answers.
    answers = os.dup(1)
    os.dup2(2, 1)
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    answer = Answer()
    try:
        prepared = prepare(task)
        # As for every library's load: what is kept beside a tensor must not set off a look through
        # all that was imported.
        gc.freeze()
        os.write(answers, b"ready\n")
        if sys.stdin.buffer.readline() != b"go\n":
            return 1
        if sys.platform == "linux":
            Path("/proc/self/clear_refs").write_text(_RESET_PEAK)
        before = figures()
        loaded = prepared.load()
        after = figures()
        answer = compared(before, after, prepared.count(loaded))
    # A library may fail with anything; what it said is the answer to the one that asked.
    except Exception as error:
        answer = Answer(error=f"{type(error).__name__}: {error}")
    os.write(answers, msgspec.json.encode(answer) + b"\n")
    # Nothing is given back tidily: the time that takes is nobody's, and the system is quick.
    os._exit(0)


def compared(before: Figures, after: Figures, delivered_bytes: int) -> Answer:
    """What happened between two looks."""
    device_bytes = peak_rise_bytes = None
    if before.device_bytes is not None and after.device_bytes is not None:
        device_bytes = after.device_bytes - before.device_bytes
    if before.resident_bytes is not None and after.peak_bytes is not None:
        peak_rise_bytes = after.peak_bytes - before.resident_bytes
    return Answer(
        wall_ns=after.wall_ns - before.wall_ns,
        cpu_ns=after.cpu_ns - before.cpu_ns,
        delivered_bytes=delivered_bytes,
        device_bytes=device_bytes,
        peak_rise_bytes=peak_rise_bytes,
        peak_bytes=after.peak_bytes,
    )


if __name__ == "__main__":
    sys.exit(main())

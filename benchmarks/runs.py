"""One measurement: a fresh process, the page cache set and verified, free memory touched."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from records import Answer, Arm, Run, State, Task
from states import CacheStateError

from modelmon.core.machine.host import free_page_reports, is_virtual_machine
from modelmon.core.machine.memory import read_memory
from modelmon.core.worker.preparation import touched_memory

if TYPE_CHECKING:
    from typing import IO

    from states import CachedFiles

    from modelmon.core.machine.anonymous_memory import OwnedBuffer

_SCRIPT = Path(__file__).with_name("measured.py")
_PATIENCE_S = 900.0
_ATTEMPTS = 10
# A load takes its own memory and, where nothing is cached, as much page cache.
_CONDITIONED_FACTOR = 2.2
_MOST_SHARE = 0.8
_MOST_REPEATS = 4
# Counters of memory are exact to some pages only.
_LEAST_RESIDENT_SHARE = 0.9


def measure(task: Task, files: CachedFiles, state: State, *, file: str, number: int) -> Run:
    """One run of round `number`, from `state`. What fails in the process is in the answer.

    Where a virtual machine's host took memory meanwhile, the load had to wait for other: it is made
    again, as often as it is likely to help. Raises CacheStateError where the page cache does not
    become as asked.
    """
    for _ in range(_MOST_REPEATS):
        answer, share, was_alone = _measured(task, files, state)
        if was_alone:
            break
    return Run(file, state, task.arm.name, number, task.nbytes, share, answer)


def _measured(task: Task, files: CachedFiles, state: State) -> tuple[Answer, float, bool]:
    """The answer, what was cached before, and whether the host took no memory meanwhile."""
    with tempfile.TemporaryFile() as complaints, _started(task.arm, complaints) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        patience = threading.Timer(_PATIENCE_S, process.kill)
        patience.start()
        share, reports = 0.0, free_page_reports()
        try:
            process.stdin.write(msgspec.json.encode(task) + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if line == b"ready\n":
                share, held = _start_from(state, files, task.nbytes)
                if held is not None:
                    held.close()
                reports = free_page_reports()
                process.stdin.write(b"go\n")
                process.stdin.flush()
                line = process.stdout.readline()
            was_alone = free_page_reports() == reports
            process.stdin.close()
            process.wait()
        finally:
            patience.cancel()
            process.kill()
        answer = checked(_answer(line, process.returncode, complaints), task)
    return answer, share, was_alone


def _started(arm: Arm, complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    # Before the installed version.
    earlier = {"PYTHONPATH": f"{arm.earlier}/src"} if arm.earlier else {}
    return subprocess.Popen(
        [sys.executable, str(_SCRIPT)],
        env=os.environ | earlier,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
    )


def _start_from(state: State, files: CachedFiles, nbytes: int) -> tuple[float, OwnedBuffer | None]:
    """Bring about the start; the kernel may take some pages back meanwhile, hence again. Returns
    what is cached, and memory that is to become free for the load.
    """
    for _ in range(_ATTEMPTS - 1):
        with contextlib.suppress(CacheStateError):
            return _tried(state, files, nbytes)
    return _tried(state, files, nbytes)


def _tried(state: State, files: CachedFiles, nbytes: int) -> tuple[float, OwnedBuffer | None]:
    files.set(state)
    held = _touched_memory(nbytes)
    return files.verify(state), held


def _touched_memory(nbytes: int) -> OwnedBuffer | None:
    """Fresh memory of a virtual machine can be ten times slower, which would hide all else."""
    if is_virtual_machine() is False:
        return None
    most = round(read_memory().usable_bytes * _MOST_SHARE)
    wanted = min(round(nbytes * _CONDITIONED_FACTOR), most)
    return touched_memory(wanted, lambda _: None, lambda: False)


def _answer(line: bytes, code: int, complaints: IO[bytes]) -> Answer:
    if line.endswith(b"}\n"):
        return msgspec.json.decode(line, type=Answer)
    complaints.seek(0)
    said = complaints.read().decode(errors="replace").strip().splitlines()
    return Answer(error=f"the process ended with {code}: {said[-1] if said else 'no word'}")


def checked(answer: Answer, task: Task) -> Answer:
    """The answer of a load that delivered the whole model, and had it in memory; or what it lacks.

    A map whose pages are not there yet is no part of a process's resident memory.
    """
    if answer.error or task.arm.delivery == "none":
        return answer
    done, nbytes = answer.delivered_bytes, task.nbytes
    if done != nbytes:
        return Answer(error=f"it delivered {done:,} of {nbytes:,} bytes")
    rise = answer.peak_rise_bytes
    keeps = task.arm.delivery != "streamed"
    if keeps and rise is not None and rise < _LEAST_RESIDENT_SHARE * nbytes:
        return Answer(error=f"only {rise:,} of {nbytes:,} bytes were in memory when it returned")
    return answer

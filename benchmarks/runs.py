"""One measurement: a fresh process, the page cache set and verified, free memory touched."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from records import Answer, Run, State, Task
from states import CacheStateError

from modelmon.core.machine.memory import read_memory
from modelmon.core.machine.virtual import is_virtual_machine
from modelmon.core.worker.conditioning import condition_memory

if TYPE_CHECKING:
    from typing import IO

    from states import CachedFiles

_SCRIPT = Path(__file__).with_name("measured.py")
_PATIENCE_S = 900.0
_ATTEMPTS = 10
# A load takes its own memory and, where nothing is cached, as much page cache.
_CONDITIONED_FACTOR = 2.2
_MOST_SHARE = 0.8


def measure(task: Task, files: CachedFiles, state: State, *, file: str, number: int) -> Run:
    """One run of round `number`, from `state`. What fails in the process is in the answer.

    Raises CacheStateError where the page cache does not become as asked.
    """
    with tempfile.TemporaryFile() as complaints, _started(complaints) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        patience = threading.Timer(_PATIENCE_S, process.kill)
        patience.start()
        share = 0.0
        try:
            process.stdin.write(msgspec.json.encode(task) + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if line == b"ready\n":
                share = _start_from(state, files, task.nbytes)
                process.stdin.write(b"go\n")
                process.stdin.flush()
                line = process.stdout.readline()
            process.stdin.close()
            process.wait()
        finally:
            patience.cancel()
            process.kill()
        answer = _checked(_answer(line, process.returncode, complaints), task)
    return Run(file, state, task.arm.name, number, task.nbytes, share, answer)


def _started(complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, str(_SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
    )


def _start_from(state: State, files: CachedFiles, nbytes: int) -> float:
    """Bring about the start; the kernel may take some pages back meanwhile, hence again."""
    for _ in range(_ATTEMPTS - 1):
        with contextlib.suppress(CacheStateError):
            return _tried(state, files, nbytes)
    return _tried(state, files, nbytes)


def _tried(state: State, files: CachedFiles, nbytes: int) -> float:
    files.set(state)
    _touch_free_memory(nbytes)
    return files.verify(state)


def _touch_free_memory(nbytes: int) -> None:
    """Fresh memory of a virtual machine can be ten times slower, which would hide all else."""
    if is_virtual_machine() is False:
        return
    most = round(read_memory().usable_bytes * _MOST_SHARE)
    condition_memory(min(round(nbytes * _CONDITIONED_FACTOR), most), lambda _: None, lambda: False)


def _answer(line: bytes, code: int, complaints: IO[bytes]) -> Answer:
    if line.endswith(b"}\n"):
        return msgspec.json.decode(line, type=Answer)
    complaints.seek(0)
    said = complaints.read().decode(errors="replace").strip().splitlines()
    return Answer(error=f"the process ended with {code}: {said[-1] if said else 'no word'}")


def _checked(answer: Answer, task: Task) -> Answer:
    """The answer of a load that delivered the whole model, or what it lacks."""
    done = answer.delivered_bytes
    if answer.error or task.arm.delivery == "none" or done == task.nbytes:
        return answer
    return Answer(error=f"it delivered {done:,} of {task.nbytes:,} bytes")

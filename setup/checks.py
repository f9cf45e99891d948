"""What `make test` runs: these in order, up to the first that fails, and types beside them."""

from __future__ import annotations

import math
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from console import complain, say
from environment import ROOT, tool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Many tests wait, for processes or slow storage: two to a processor take less time than one.
_WORKERS = min(8, 2 * (os.cpu_count() or 1))

CHECKS = (
    ("lint", "ruff check"),
    ("format", "ruff format --check"),
    ("import rules", "lint-imports"),
    ("tests", f"pytest -n {_WORKERS} --dist worksteal"),
)
TYPES = ("types", "mypy")
"""Checked beside the others: one processor is enough for it, and many tests wait."""

MOST_S = 45 * 60
"""Several times what the slowest check takes: one that goes on for so long hangs."""

_LOOK_S = 0.2
"""How often a check is looked at: so long a signal to end may wait."""


def run_checks(pytest_arguments: Sequence[str]) -> int:
    """Run every check with its own output; the status of the first that fails, or 0.

    That of types comes in one piece, when they are checked.
    """
    env = _environment()
    with _noted(signal.SIGINT, signal.SIGTERM) as told:
        types = _start(TYPES[1].split(), env, subprocess.PIPE)
        showing = threading.Thread(target=_show, args=(types,))
        showing.start()
        try:
            for title, line in CHECKS:
                command = shlex.split(line)
                if title == "tests":
                    command += pytest_arguments
                    if not any(ROOT.glob("tests/__pycache__/*")):
                        # Or each of the workers makes the bytecode of all tests, at once.
                        collect = ["pytest", "--collect-only", "-qq", *pytest_arguments]
                        _status(_start(collect, env, subprocess.DEVNULL), told)
                say(f"-- {title}: {shlex.join(command)}")
                status = _status(_start(command, env), told)
                if status != 0:
                    return _stopped(title, line, status)
            status = _status(types, told)
        finally:
            _end(types)
            showing.join()
    if status != 0:
        return _stopped(*TYPES, status)
    say("\nAll checks passed.")
    return 0


def run_tests(*arguments: str) -> int:
    """The tests alone, chosen by pytest's arguments; 0 where all pass."""
    _, line = CHECKS[-1]
    with _noted(signal.SIGINT, signal.SIGTERM) as told:
        running = _start([*shlex.split(line), *arguments], _environment())
        # One that hangs is ended: no status.
        return int(_status(running, told) != 0)


def _show(types: subprocess.Popen[str]) -> None:
    output, _ = types.communicate()
    # Not where they were ended, because another check failed.
    if types.returncode >= 0:
        say(f"\n-- {': '.join(TYPES)}\n{output}", end="")


def _stopped(title: str, line: str, status: int | None) -> int:
    late = f"did not end within {MOST_S / 60:.0f} minutes"
    found = f"{title} {late if status is None else 'failed'}"
    complain(f"make test stopped: {found}. To run it alone:\n  .venv/bin/{line}")
    return 1


def _environment() -> dict[str, str]:
    # Tests of the page cache need a disk, and /tmp is often in memory.
    on_disk = {"TMPDIR": "/var/tmp"} if Path("/var/tmp").is_dir() else {}
    env = on_disk | os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    # Tests start thousands of processes, and none of them should compile the program again.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    # Nor should each start numpy's threads, which took half the time of its import.
    env.setdefault("OPENBLAS_NUM_THREADS", "1")
    return env


def _start(
    command: Sequence[str], env: Mapping[str, str], output: int | None = None
) -> subprocess.Popen[str]:
    """Start a tool; where its output goes elsewhere, it asks for no input."""
    name, *arguments = command
    return subprocess.Popen(
        [tool(name), *arguments],
        cwd=ROOT,
        env=env,
        stdin=output and subprocess.DEVNULL,
        stdout=output,
        stderr=output and subprocess.STDOUT,
        text=True,
        # Who sits at a terminal can answer what runs, as in a debugger, and press Ctrl-C.
        process_group=None if os.isatty(0) else 0,
    )


def _status(running: subprocess.Popen[str], told: Sequence[int]) -> int | None:
    """The status of a command; None where it had to be ended, with all that it started.

    It may go on for as long as it wants where somebody sits at a terminal.
    """
    until_s = math.inf if os.isatty(0) else time.monotonic() + MOST_S
    status = None
    while status is None and not told and time.monotonic() < until_s:
        with suppress(subprocess.TimeoutExpired):
            status = running.wait(_LOOK_S)
    _end(running)
    if told:
        sys.exit(128 + told[0])
    return status


def _end(running: subprocess.Popen[str]) -> None:
    if running.poll() is None:
        if os.isatty(0):
            running.kill()
        else:
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()


@contextmanager
def _noted(*endings: signal.Signals) -> Iterator[list[int]]:
    """Those of the signals that came: they do not reach what was started, which ends first."""
    told: list[int] = []
    before = {each: signal.signal(each, lambda number, _: told.append(number)) for each in endings}
    try:
        yield told
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)

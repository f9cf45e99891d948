"""What `make test` runs, in this order, up to the first that finds something."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
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
    ("types", "mypy"),
    ("types of the set-up", "mypy --strict setup"),
    ("types of the benchmarks", "mypy --strict benchmarks"),
    ("import rules", "lint-imports"),
    ("tests", f"pytest -n {_WORKERS} --dist worksteal"),
)
MOST_S = 45 * 60
"""Several times what the slowest check takes: one that goes on for so long hangs."""

_LOOK_S = 0.2
"""How often a check is looked at: so long a signal to end may wait."""


def run_checks(pytest_arguments: Sequence[str]) -> int:
    """Run every check with its own output; the status of the first that fails, or 0."""
    env = _environment()
    for title, line in CHECKS:
        name, *arguments = shlex.split(line)
        if name == "pytest":
            arguments.extend(pytest_arguments)
        say(f"-- {title}: {shlex.join([name, *arguments])}")
        status = _run([tool(name), *arguments], env)
        if status == 0:
            continue
        late = f"did not end within {MOST_S / 60:.0f} minutes"
        found = f"{title} {late if status is None else 'failed'}"
        complain(f"make test stopped: {found}. To run it alone:\n  .venv/bin/{line}")
        return 1
    say("\nAll checks passed.")
    return 0


def run_tests(*arguments: str) -> int:
    """The tests alone, chosen by pytest's arguments; 0 where all pass."""
    _, line = CHECKS[-1]
    name, *before = shlex.split(line)
    # One that hangs is ended: no status.
    return int(_run([tool(name), *before, *arguments], _environment()) != 0)


def _environment() -> dict[str, str]:
    # Tests of the page cache need a disk, and /tmp is often in memory.
    on_disk = {"TMPDIR": "/var/tmp"} if Path("/var/tmp").is_dir() else {}
    env = on_disk | os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    # Tests start thousands of processes, and none of them should compile the program again.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    # Nor should each start numpy's threads, which took half the time of its import.
    env.setdefault("OPENBLAS_NUM_THREADS", "1")
    return env


def _run(command: Sequence[str], env: Mapping[str, str]) -> int | None:
    """The status of a command; None where it had to be ended, with all that it started.

    It may go on for as long as it wants where somebody sits at a terminal: they can press Ctrl-C,
    and may be in a debugger.
    """
    if os.isatty(0):
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode
    until_s = time.monotonic() + MOST_S
    status = None
    with (
        _noted(signal.SIGINT, signal.SIGTERM) as told,
        subprocess.Popen(command, cwd=ROOT, env=env, process_group=0) as running,
    ):
        while status is None and not told and time.monotonic() < until_s:
            with suppress(subprocess.TimeoutExpired):
                status = running.wait(_LOOK_S)
        if status is None:
            os.killpg(running.pid, signal.SIGKILL)
    if told:
        sys.exit(128 + told[0])
    return status


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

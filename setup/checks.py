"""What `make test` runs, in this order, up to the first that finds something."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from console import complain, say
from environment import ROOT, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

CHECKS = (
    ("lint", "ruff check"),
    ("format", "ruff format --check"),
    ("types", "mypy"),
    ("types of the set-up", "mypy --strict setup"),
    ("types of the benchmarks", "mypy --strict benchmarks"),
    ("import rules", "lint-imports"),
    # Tests that load for real would disturb one another; the others share the processors.
    ("tests", "pytest -n auto -m 'not system'"),
    ("tests of the whole program", "pytest -m system"),
)
NO_TESTS = 5
"""pytest's exit code where its arguments choose none, as a part of a name may do."""


def run_checks(pytest_arguments: Sequence[str]) -> int:
    """Run every check with its own output; the status of the first that fails, or 0."""
    # Tests of the page cache need a disk, and /tmp is often in memory.
    on_disk = {"TMPDIR": "/var/tmp"} if Path("/var/tmp").is_dir() else {}
    env = on_disk | os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    for title, line in CHECKS:
        name, *arguments = shlex.split(line)
        if name == "pytest":
            arguments.extend(pytest_arguments)
        say(f"-- {title}: {shlex.join([name, *arguments])}")
        status = subprocess.run([tool(name), *arguments], cwd=ROOT, env=env, check=False).returncode
        if status and not (name == "pytest" and status == NO_TESTS):
            complain(f"make test stopped: {title} failed. To run it alone:\n  .venv/bin/{line}")
            return 1
    say("\nAll checks passed.")
    return 0

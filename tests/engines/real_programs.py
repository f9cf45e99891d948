"""The programs of the environment that `make test-engines` makes, and how modelmon is asked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from modelmon.core.programs.registry import PROGRAMS

PYTHON = os.environ.get("MODELMON_ENGINES_PYTHON")


def place_of(name):
    """Where a program is that isn't on the PATH: the Python that has it."""
    return Path(PYTHON) if PYTHON and hasattr(PROGRAMS[name], "distribution") else None


def modelmon(*arguments):
    """What it prints, where it succeeds."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "modelmon", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def needs_package(name):
    """Skip where the environment lacks it."""
    if PYTHON is None:
        pytest.skip("MODELMON_ENGINES_PYTHON names no Python: make test-engines")
    there = [PYTHON, "-c", f"import importlib.metadata as m; m.version({name!r})"]
    if subprocess.run(there, capture_output=True, check=False).returncode:
        pytest.skip(f"{name} isn't installed")

"""The scripts behind `make`, imported for one test at a time: their names are short."""

import importlib
import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).parents[2] / "setup"


@pytest.fixture
def load(monkeypatch):
    """Import a script of setup/ by its name."""
    monkeypatch.syspath_prepend(str(SETUP))
    yield importlib.import_module
    for path in SETUP.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Programs on the PATH that only note how they were called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return Programs(folder)


class Programs:
    """Stand-ins for commands; `calls` tells what was called, in order."""

    def __init__(self, folder):
        self._folder = folder
        self._log = folder.parent / "calls"
        self._log.touch()

    def add(self, name, fails_at=None):
        """Have `name` note its call, and fail where `fails_at` is in its arguments."""
        failing = f'case "$*" in *"{fails_at}"*) exit 1;; esac' if fails_at is not None else ""
        path = self._folder / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> {self._log}\n{failing}\n')
        path.chmod(0o755)

    @property
    def folder(self):
        """Where the programs lie."""
        return self._folder

    @property
    def calls(self):
        """Name and arguments of each call."""
        return self._log.read_text().splitlines()

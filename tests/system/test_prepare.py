"""`--prepare`: a command of the user's before each run, as where a server's cache is emptied."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a shell"),
]


def modelmon(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "modelmon", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_that_the_command_of_prepare_is_run_before_each_run(own_copy: Path, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    prepare = f"echo prepared >> '{marker}'"
    options = ("--cache", "as-is", "--no-history", "--json", "--prepare", prepare)
    done = modelmon("compare", str(own_copy), "--repeats", "2", *options)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    runs = [*said["runs_a"], *said["runs_b"]]
    assert marker.read_text().splitlines() == ["prepared"] * len(runs)
    assert {run["prepared_with"] for run in runs} == {prepare}


def test_that_nothing_is_measured_where_the_command_of_prepare_fails(
    own_copy: Path, tmp_path: Path
) -> None:
    recording = tmp_path / "run.jsonl"
    prepare = "echo no such server; exit 3"
    options = ("--cache", "as-is", "--no-history", "--record", str(recording))
    done = modelmon("run", str(own_copy), *options, "--prepare", prepare)
    assert done.returncode == 1
    assert "no such server" in done.stderr
    assert "exit code 3" in done.stderr
    assert not recording.exists()

"""The window where a pixel of its own is two of the screen: text is as legible as at scale 1."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LEGIBLE = Path(__file__).parents[1] / "gui" / "window" / "test_legible.py"
STATES = "opened or running or compared or raced"


def test_that_states_are_legible_at_twice_the_scale() -> None:
    # Qt takes the scale when it starts: the same tests, in a process of their own.
    here = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    call = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*call, "-k", STATES, str(LEGIBLE)],
        cwd=LEGIBLE.parents[3],
        env={**here, "QT_SCALE_FACTOR": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 passed" in done.stdout

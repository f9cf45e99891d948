"""The window where a pixel of its own is two of the screen: text is as legible as at scale 1."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LEGIBLE = Path(__file__).parents[1] / "gui" / "window" / "test_legible.py"
# How wide words of other languages are doesn't change with the scale.
STATES = "(opened or dialogs or export) and not zh_CN"
SCREEN = {"name": "1", "x": 0, "y": 0, "width": 1920, "height": 1080, "logicalDpi": 96, "dpr": 1}


@pytest.mark.slow
@pytest.mark.long
def test_that_states_and_dialogs_are_legible_at_twice_the_scale(tmp_path):
    screens = tmp_path / "screens.json"
    screens.write_text(json.dumps({"screens": [SCREEN]}))
    # Qt takes the scale when it starts: the same tests, in a process of their own.
    here = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    call = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*call, "-k", STATES, str(LEGIBLE)],
        cwd=LEGIBLE.parents[3],
        env={
            **here,
            "QT_SCALE_FACTOR": "2",
            "QT_QPA_PLATFORM": f"offscreen:configfile={screens}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout

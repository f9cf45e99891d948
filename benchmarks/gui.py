"""All benchmarks of the window, one after the other: start, frames, map, hour, tree, cost.

    python benchmarks/gui.py                   # on the display there is, else offscreen
    xvfb-run -a python benchmarks/gui.py       # on a virtual X display

Each is a script of its own, with options of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPTS = ("window_start", "gui_frames", "gui_map", "gui_hour", "gui_tree", "gui_cost")


def main() -> int:
    """Run them all; the exit code of the worst."""
    folder = Path(__file__).parent
    worst = 0
    for name in SCRIPTS:
        sys.stdout.write(f"\n{name}\n")
        sys.stdout.flush()
        done = subprocess.run([sys.executable, folder / f"{name}.py"], check=False)
        worst = max(worst, done.returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())

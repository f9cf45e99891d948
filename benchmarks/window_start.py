"""How long the window takes from the start of its process to its first painted frame.

    python benchmarks/window_start.py                 # on the display there is, else offscreen
    xvfb-run -a python benchmarks/window_start.py     # on a virtual X display
    python benchmarks/window_start.py --imports       # what takes long to import

Each start is a process of its own, with settings and a history of its own. The clock starts
before the process does and stops when the window is painted and the event loop is free again.
Beside it stands the processor time until then, which a busy machine changes less, and until
cards, plots and tabs are there as well: they are made when a model is opened.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

AIM_S = 0.6
_LIMIT_S = 60
_SHOWN_IMPORTS = 30

_CHILD = """
import gc, sys, time
started_ns = int(sys.argv.pop(1))
gc.disable()  # as `modelmon` does
from PySide6.QtCore import QEvent, QTimer
from modelmon.gui.shell import app

class Watched(app.MainWindow):
    painted = False

    def event(self, event):
        done = super().event(event)
        if event.type() == QEvent.Type.Paint and not self.painted:
            self.painted = True
            QTimer.singleShot(0, self.tell)
        return done

    def tell(self):
        painted = time.monotonic_ns() - started_ns, time.process_time_ns()
        self.workspace
        app.QApplication.processEvents()
        print(*painted, time.process_time_ns(), flush=True)
        self.close()

app.MainWindow = Watched
sys.exit(app.main([]))
"""


class Start(NamedTuple):
    """One start: until the first paint on the clock and in processor time, and that until
    cards, plots and tabs are there.
    """

    wall_s: float
    cpu_s: float
    whole_cpu_s: float


class Import(NamedTuple):
    """A module: how long it took itself, and with all that it imports."""

    own_us: int
    whole_us: int
    module: str


def main() -> int:
    """Measure, and say what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--imports", action="store_true", help="show the slowest imports")
    asked = parser.parse_args()
    if "DISPLAY" not in os.environ and "WAYLAND_DISPLAY" not in os.environ:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if asked.imports:
        for found in slowest_imports()[:_SHOWN_IMPORTS]:
            sys.stdout.write(f"{found.whole_us / 1e3:8.1f} ms  {found.module}\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        # The first start compiles, fills the page cache and is not counted.
        starts = [start(folder) for _ in range(asked.starts + 1)][1:]
    times = [one.wall_s for one in starts]
    where = os.environ.get("QT_QPA_PLATFORM", "the display")
    sys.stdout.write(
        f"first paint on {where}, {len(times)} starts: median {statistics.median(times):.3f} s,"
        f" {min(times):.3f} to {max(times):.3f} s (aim: median below {AIM_S:g} s);"
        f" processor time {statistics.median(one.cpu_s for one in starts):.3f} s, with cards,"
        f" plots and tabs {statistics.median(one.whole_cpu_s for one in starts):.3f} s\n"
    )
    return 0


def start(folder: str) -> Start:
    """Start the window once, and close it as soon as it is painted."""
    # As an installed program: its own folders, and modules that are compiled already.
    places = dict.fromkeys(
        ("MODELMON_DATA_DIR", "XDG_CONFIG_HOME", "HOME", "PYTHONPYCACHEPREFIX"), folder
    )
    places["PYTHONDONTWRITEBYTECODE"] = ""
    call = [sys.executable, "-P", "-c", _CHILD, str(time.monotonic_ns())]
    done = subprocess.run(
        call, env=os.environ | places, capture_output=True, text=True, timeout=_LIMIT_S, check=False
    )
    times_ns = done.stdout.split()
    if len(times_ns) != len(Start._fields):
        raise SystemExit(f"The window was not painted:\n{done.stderr}")
    return Start(*(int(time_ns) / 1e9 for time_ns in times_ns))


def slowest_imports() -> list[Import]:
    """All modules that the window imports before it is painted, the slowest first."""
    call = [sys.executable, "-P", "-X", "importtime", "-c", "import modelmon.gui.shell.app"]
    done = subprocess.run(call, capture_output=True, text=True, timeout=_LIMIT_S, check=True)
    found = []
    for line in done.stderr.splitlines():
        own, _, rest = line.removeprefix("import time:").partition("|")
        whole, _, module = rest.partition("|")
        if own.strip().isdecimal() and whole.strip().isdecimal():
            found.append(Import(int(own), int(whole), module.strip()))
    return sorted(found, key=lambda one: -one.whole_us)


if __name__ == "__main__":
    sys.exit(main())

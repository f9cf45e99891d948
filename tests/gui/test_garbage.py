"""Garbage of the running window."""

import os
import subprocess
import sys

WINDOW = """
import gc, sys, weakref
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from modelmon.gui.shell import app


class Cycle:
    def __init__(self):
        self.itself = self


class Application(QApplication):
    def exec(self):
        window = next(each for each in self.topLevelWidgets() if hasattr(each, "furnished"))
        # What is there when all of it is built is never looked at again.
        window.furnished.connect(self.litter)
        return super().exec()

    def litter(self):
        self.cycle = weakref.ref(Cycle())
        self.kept = [[] for _ in range(100_000)]
        print("kept within a call" if self.cycle() else "collected within a call")
        self.timer = QTimer(self, interval=50, timeout=self.look)
        self.timer.start()

    def look(self):
        if self.cycle() is None:
            print("collected between events")
            self.timer.stop()
            self.quit()


app.QApplication = Application
sys.exit(app.main([]))
"""


def test_that_garbage_is_collected_between_events_only(tmp_path):
    """Within a call of Qt it can wait for a lock that the call holds: the window would hang."""
    script = tmp_path / "window.py"
    script.write_text(WINDOW)
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.returncode) == (
        "kept within a call\ncollected between events\n",
        0,
    ), ended.stderr

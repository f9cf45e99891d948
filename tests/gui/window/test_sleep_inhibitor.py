import contextlib
import subprocess
import sys
import threading

import pytest

from modelmon.core.machine.sleep import Awake
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity, Session
from modelmon.gui.shell import long_work as stay_awake
from modelmon.gui.shell.long_work import SleepInhibitor


class System:
    """Stands in for the system's own switch: says when it was set and taken back, and where."""

    def __init__(self):
        self.asked, self.released = threading.Event(), threading.Event()
        self.threads = []

    @contextlib.contextmanager
    def keep_awake(self, purpose):
        assert "modelmon" in purpose
        self.threads.append(threading.current_thread().name)
        self.asked.set()
        yield Awake(True)
        self.threads.append(threading.current_thread().name)
        self.released.set()


@pytest.fixture
def system(monkeypatch):
    standing_in = System()
    monkeypatch.setattr(stay_awake, "keep_awake", standing_in.keep_awake)
    return standing_in


def test_that_the_machine_stays_awake_from_the_first_run_to_the_end(system, qapp):
    del qapp
    session = Session()
    awake = SleepInhibitor(session)
    view = ProgressView("busy")
    session.begin(Activity.ESTIMATING, lambda: view)
    assert not awake.held
    session.begin(Activity.COMPARING, lambda: view)
    system.asked.wait()
    session.stopping()
    system.released.wait()
    session.end()
    assert not awake.held
    assert len(set(system.threads)) == 1
    assert system.threads[0] != threading.main_thread().name
    # Closing takes it back as well.
    system.released.clear()
    session.begin(Activity.COMPARING, lambda: view)
    awake.shut_down()
    assert system.released.is_set()


FALLS = """
from PySide6.QtCore import QCoreApplication
from modelmon.gui.shell.long_work import SleepInhibitor
from modelmon.gui.session.session import Activity, Session
from modelmon.gui.session.notices import ProgressView

application = QCoreApplication([])
session = Session()
awake = SleepInhibitor(session)
session.begin(Activity.COMPARING, lambda: ProgressView("busy"))
print("measures", flush=True)
raise SystemExit("It falls.")
"""


def test_that_a_window_that_falls_while_it_measures_ends():
    command = [sys.executable, "-P", "-c", FALLS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "measures\n"
    assert "It falls." in done.stderr
